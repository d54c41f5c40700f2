"""The shape of each variant's latencies, one below the other: one mode or several?

Counts in bins of equal ratio; nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.figures import claims
from benchkit.figures.chart import Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.legend import Key
from benchkit.figures.linenames import with_room
from benchkit.figures.pooled import (
    Bins,
    Pooled,
    alt_text,
    binned,
    coarsest_step,
    fastest_s,
    pooled,
    share_of_all,
    source,
)
from benchkit.figures.scales import latency_axis, names_axis
from benchkit.figures.tables import by_column
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, Metric

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
_TITLE: Final = "Shape of the latencies"
_P50: Final = BY_COLUMN["latency_p50_s"]
_P99: Final = BY_COLUMN["latency_p99_s"]

#: Per variant p50 and p99, None where one is withheld.
_Quantiles = Mapping[Key, tuple[float | None, float | None]]


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without single requests or with too many variants."""
    requests = pooled(comparison)
    if not requests or len(requests) > _MOST:
        return None
    edges, ratio = _edges(requests, coarsest_step(requests))
    bins = binned(requests, edges)
    quantiles = _quantiles(requests)
    title = _title(comparison, quantiles)
    return Chart(
        kind="ridges",
        title=title,
        subtitle=_subtitle(comparison, requests, bins, ratio),
        label=alt_text(title, requests),
        panels=(_panel(bins, quantiles),),
        table=_table(bins, quantiles),
        height=_EDGE + _ROW * len(requests),
        rows=True,
    )


def _quantiles(requests: Pooled) -> _Quantiles:
    """Return p50 and p99 as the comparison has them, else of the requests put together."""

    def known(key: Key, metric: Metric, quantile: float) -> float | None:
        if key.variant.trusted_below <= quantile:
            return None
        value = key.variant.value(metric)
        return requests[key].quantiles_s([quantile])[0] if value is None else value

    return {key: (known(key, _P50, 0.5), known(key, _P99, 0.99)) for key in requests}


def _panel(bins: Bins, quantiles: _Quantiles) -> Panel:
    x = with_room(latency_axis(bins.edges, room=0.01, most=_MOST_TICKS), [_MIDDLE])
    series: list[Series] = []
    notes: list[Note] = []
    for row, (key, (middle, _)) in enumerate(quantiles.items()):
        y = -float(row)
        series.append(_ridge(key, bins, y))
        if middle is not None:
            at = max(middle, bins.edges[0])
            series.append(Series(*key.series, (at, at), (y, y + 0.3), line=2.5, in_table=False))
            notes.append(Note(x.high, y + 0.16, show.duration(middle), align="right", dx=-2))
    y_axis = names_axis([key.short for key in quantiles], above=_PEAK + 0.06)
    return Panel(x, replace(y_axis, low=-len(quantiles) + 0.96), tuple(series), tuple(notes))


def _ridge(key: Key, bins: Bins, y: float) -> Series:
    shares = zip(bins.shares[key], bins.pairs, strict=True)
    density = [share / math.log(high / low) for share, (low, high) in shares]
    highest = max(density)
    outline = tuple(y + _PEAK * each / highest for each in density for _ in (0, 1))
    return Series(
        *key.series,
        tuple(edge for pair in bins.pairs for edge in pair),
        outline,
        line=1.6,
        low=(y,) * len(outline),
        high=outline,
        hover=tuple(text for text in bins.hovers(key, share_of_all) for _ in (0, 1)),
    )


def _edges(requests: Pooled, step: float) -> tuple[list[float], float]:
    """Return the edges of the bins, and by how much each is wider than the one before.

    They lie between two steps of the clock, each around whole steps.
    """
    low = fastest_s(requests, step / 2 or 1e-9)
    high = max(each.quantiles_s([_LAST])[0] for each in requests.values())
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


def _title(comparison: Comparison, quantiles: _Quantiles) -> str:
    """Return whose p99 was furthest from its p50, where that is known of all."""
    known = {key.label: (p50, p99) for key, (p50, p99) in quantiles.items()}
    tails = {label: p99 / p50 for label, (p50, p99) in known.items() if p50 and p99 is not None}
    label = claims.outermost(tails, show.factor)
    if label is None or len(tails) < len(quantiles):
        return _TITLE
    times = show.factor(tails[label])
    if len(tails) == 1:
        return f"{_TITLE}: p99 was {times} the p50"
    if not claims.comparable(comparison):
        return _TITLE
    return f"The tail of {show.quoted(label)} reached furthest: p99 was {times} its p50"


def _subtitle(comparison: Comparison, requests: Pooled, bins: Bins, ratio: float) -> str:
    width = show.share(round(ratio - 1, 4))
    parts = [f"Share of requests by latency, log axis, in bins {width} wide"]
    if any(b / a > ratio * 1.01 for a, b in bins.pairs):
        parts[0] += ", wider where the clock is coarser"
    parts[0] += ", each variant to its own highest bin." if len(requests) > 1 else "."
    parts.append("Ticks, and the texts on the right, are medians. The slowest 0.1% are beyond.")
    return " ".join([*parts, source(comparison, requests)])


def _table(bins: Bins, quantiles: _Quantiles) -> DataTable:
    unit, texts = bins.written
    edges: list[Cell] = [*zip(texts, bins.edges, strict=True)]
    blank: list[Cell] = [("", None)] * 2
    columns = [
        (f"From, {unit.name}", [*edges[:-1], *blank]),
        (f"To, {unit.name}", [*edges[1:], *blank]),
        *((key.label, [*bins.cells(key), *map(_latency, quantiles[key])]) for key in bins.shares),
    ]
    numbers = [show.count(n) for n in range(1, len(edges))]
    return by_column("Bin", [*numbers, "p50", "p99"], columns)


def _latency(seconds: float | None) -> Cell:
    return (show.WITHHELD if seconds is None else show.duration(seconds), seconds)
