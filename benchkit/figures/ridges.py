"""The shape of each variant's latencies, one below the other: one mode or several?

Counts in bins of equal ratio; nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.distribution import bounds_of
from benchkit.figures import look
from benchkit.figures.chart import Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import with_room
from benchkit.figures.scales import latency_axis, names_axis
from benchkit.figures.shape import pooled
from benchkit.figures.steps import step_of
from benchkit.measured import trusted_below
from benchkit.names import short_names, some

if TYPE_CHECKING:
    from benchkit.distribution import Distribution
    from benchkit.results import Results

_MOST: Final = 8
#: How much wider than the last a bin is; the widest that gives enough of them.
_RATIOS: Final = (1.25, 1.2, 1.1, 1.05, 1.02, 1.01, 1.005)
_LEAST_BINS: Final = 56
#: Where the axis ends: the slowest requests, one by one, are no shape.
_LAST: Final = 0.999
_PEAK: Final = 0.82  # of the distance between two rows
#: A clock is fine where so many of its steps make the narrowest bin.
_FINE: Final = 20
_ROW, _EDGE = 52, 44
_MOST_TICKS: Final = 5
_MIDDLE: Final = "999.9 ms"  # the longest text beside a ridge


def ridges(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None without single requests or with too many variants."""
    of = pooled(results, comparison)
    if not of or len(of) > _MOST:
        return None
    edges, ratio = _edges(of, max(map(step_of, of.values())))
    shares = {label: _shares(one, edges) for label, one in of.items()}
    title = _title(of, comparison)
    return Chart(
        kind="ridges",
        title=title,
        subtitle=_subtitle(comparison, of, edges, ratio),
        label=f"{title}. {_spans(of)}; values in the table below",
        panels=(_panel(comparison, of, edges, shares),),
        table=_table(of, edges, shares),
        height=_EDGE + _ROW * len(of),
        rows=True,
    )


def _panel(
    comparison: Comparison,
    of: Mapping[str, Distribution],
    edges: Sequence[float],
    shares: Mapping[str, Sequence[float]],
) -> Panel:
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    x = with_room(latency_axis(edges, room=0.01, most=_MOST_TICKS), [_MIDDLE])
    series: list[Series] = []
    notes: list[Note] = []
    for row, (label, one) in enumerate(of.items()):
        series.append(_ridge(label, roles[label], -float(row), edges, shares[label]))
        if _knows_middle(comparison, label):
            middle = _middle(one)
            series.append(_tick(label, roles[label], -float(row), middle))
            text = show.duration(middle)
            notes.append(Note(x.high, -row + 0.16, text, align="right", dx=-2))
    y = names_axis([short[label] for label in of], above=_PEAK + 0.06)
    y = replace(y, low=-len(of) + 0.96)
    return Panel(x, y, tuple(series), tuple(notes))


def _ridge(
    label: str, role: str, y: float, edges: Sequence[float], shares: Sequence[float]
) -> Series:
    density = [s / math.log(b / a) for s, (a, b) in zip(shares, pairwise(edges), strict=True)]
    heights = [y + _PEAK * one / max(density) for one in density]
    bins = list(zip(pairwise(edges), heights, shares, strict=True))
    outline = tuple(height for height in heights for _ in (0, 1))
    return Series(
        label,
        role,
        tuple(edge for pair, _, _ in bins for edge in pair),
        outline,
        line=1.6,
        low=(y,) * len(outline),
        high=outline,
        hover=tuple(
            f"{show.clean(label, limit=40)}\n{_span(*pair)}: {show.share(round(share, 6))}"
            for pair, _, share in bins
            for _ in (0, 1)
        ),
    )


def _tick(label: str, role: str, y: float, middle: float) -> Series:
    return Series(label, role, (middle, middle), (y, y + 0.3), line=2.5, in_table=False)


def _middle(one: Distribution) -> float:
    return one.quantiles_s([0.5])[0]


def _knows_middle(comparison: Comparison, label: str) -> bool:
    return trusted_below(next(o for o in comparison.variants if o.label == label)) > 0.5


def _edges(of: Mapping[str, Distribution], step: float) -> tuple[list[float], float]:
    """Return the edges of the bins, and by how much each is wider than the one before.

    They lie between two steps of the clock, each around whole steps.
    """
    least = step / 2 or 1e-9
    low = min(max(s, least) for one in of.values() for s in one.quantiles_s([0.0005]))
    high = max(one.quantiles_s([_LAST])[0] for one in of.values())
    high = max(high, low * 1.2)
    wanted = (r for r in _RATIOS if math.log(high / low) / math.log(r) >= _LEAST_BINS)
    ratio = next(wanted, _RATIOS[-1])
    count = math.ceil(math.log(high / low) / math.log(ratio))
    edges = [low / ratio**1.5 * ratio**n for n in range(count + 4)]
    if step > (edges[1] - edges[0]) / _FINE:
        edges = [max(1, round(edge / step + 0.5)) * step - step / 2 for edge in edges]
        if edges[0] > step:
            edges.append(edges[0] - step)
    return sorted({float(f"{edge:.6g}") for edge in edges}), ratio


def _shares(one: Distribution, edges: Sequence[float]) -> list[float]:
    low, high = bounds_of(one.bins)
    middle = np.maximum((low + high) / 2e9, edges[0])
    counts, _ = np.histogram(middle, bins=np.asarray(edges), weights=one.counts)
    return [float(value) for value in counts / one.count]


def _span(low: float, high: float) -> str:
    return f"{show.duration(low)} to {show.duration(high)}"


def _title(of: Mapping[str, Distribution], comparison: Comparison) -> str:
    known = {label: _middle(one) for label, one in of.items() if _knows_middle(comparison, label)}
    if len(known) < len(of):
        return "Shape of the latencies"
    tails = {label: of[label].quantiles_s([0.99])[0] / p50 for label, p50 in known.items() if p50}
    held = [o.label for o in comparison.variants if trusted_below(o) <= 0.99]
    if not tails or any(label in held for label in of):
        return "Shape of the latencies"
    label = max(tails, key=lambda label: tails[label])
    times = show.factor(tails[label])
    if len(of) == 1:
        return f"Shape of the latencies: p99 was {times} the p50"
    return f"The tail of {show.quoted(label)} reached furthest: p99 was {times} its p50"


def _subtitle(
    comparison: Comparison, of: Mapping[str, Distribution], edges: Sequence[float], ratio: float
) -> str:
    requests = sum(one.count for one in of.values())
    width = show.share(round(ratio - 1, 4))
    parts = [f"Share of requests by latency, log axis, in bins {width} wide"]
    if any(b / a > ratio * 1.01 for a, b in pairwise(edges)):
        parts[0] += ", wider where the clock is coarser"
    parts[0] += ", each variant to its own highest bin." if len(of) > 1 else "."
    parts.append("Ticks, and the texts on the right, are medians.")
    together = ", runs of a variant pooled" if any(o.runs > 1 for o in comparison.variants) else ""
    parts.append(f"{requests:,} requests{together}, the slowest 0.1% beyond.")
    missing = [show.quoted(one, limit=40) for one in comparison.order if one not in of]
    if missing:
        parts.append(f"Only summaries of {some(missing)}.")
    return " ".join(parts)


def _spans(of: Mapping[str, Distribution]) -> str:
    spans = []
    for label, one in of.items():
        p1, p99 = (show.duration(value) for value in one.quantiles_s([0.01, 0.99]))
        spans.append(f"{show.clean(label, limit=40)} from {p1} to {p99} for 98% of requests")
    return "; ".join(spans)


def _table(
    of: Mapping[str, Distribution], edges: Sequence[float], shares: Mapping[str, Sequence[float]]
) -> DataTable:
    unit = show.time_unit(edges)
    ends = [text or "" for text in show.in_unit(edges, unit)]
    rows = [
        (
            show.count(n + 1),
            (
                *((ends[m], edges[m]) for m in (n, n + 1)),
                *((show.share(round(shares[label][n], 6)), shares[label][n]) for label in of),
            ),
        )
        for n in range(len(edges) - 1)
    ]
    return DataTable(("Bin", f"From, {unit.name}", f"To, {unit.name}", *of), tuple(rows))
