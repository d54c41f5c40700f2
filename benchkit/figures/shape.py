"""Shape of the latencies where every request is known.

The share up to a latency, and a histogram on a logarithmic axis. Runs of one variant are pooled;
nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.scales import latency_axis, share_axis, spread
from benchkit.measured import distributions, trusted_below
from benchkit.names import short_names, some

if TYPE_CHECKING:
    from benchkit.distribution import Distribution
    from benchkit.results import Results

_POINTS = 120
_BINS = 48
_MOST = 8
_HEIGHT = 340
_PLOT = _HEIGHT * 0.82


def pooled(results: Results, comparison: Comparison) -> dict[str, Distribution]:
    """Return all requests of each variant, in input order, where every run has them."""
    from benchkit.distribution import merged

    by_label = {one.label: one.run_ids for one in comparison.variants}
    known = distributions(results, [i for ids in by_label.values() for i in ids])
    return {
        label: merged(known[i] for i in by_label[label])
        for label in comparison.order
        if all(i in known for i in by_label[label])
    }


def ecdf(comparison: Comparison, of: Mapping[str, Distribution]) -> Chart | None:
    """Return the share of requests up to each latency, None without single requests."""
    if not of:
        return None
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    places = [*((n + 0.5) / _POINTS for n in range(_POINTS)), 0.999, 1.0]
    lines = {label: _steps(one, places) for label, one in of.items()}
    series = [
        Series(
            label,
            roles[label],
            tuple(x for x, _ in points),
            tuple(y for _, y in points),
            line=1.2 if roles[label] == look.CONTEXT else 2.2,
            step="after",
            hover=tuple(_share_hover(label, x, y) for x, y in points),
        )
        for label, points in lines.items()
    ]
    x = latency_axis([x for one in series for x in one.xs])
    rises = [
        replace(one, xs=one.xs[:1] * 2, ys=(0.0, one.ys[0]), step="", hover=(), in_table=False)
        for one in series
    ]
    return Chart(
        kind="ecdf",
        title="Share of requests by latency",
        subtitle=f"Share answered within a latency, log axis. {_source(comparison, of)}",
        label=_label("Share of requests by latency", comparison, of),
        panels=(Panel(x, share_axis(), (*rises, *series), _middle_names(series, short)),),
        table=_ecdf_table(lines),
        height=_HEIGHT,
    )


def histogram(comparison: Comparison, of: Mapping[str, Distribution]) -> Chart | None:
    """Return the share of requests per bin of equal ratio, None without single requests."""
    shown = dict(list(of.items())[:_MOST])
    if not shown:
        return None
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    edges = _edges(shown)
    shares = {label: _shares(one, edges) for label, one in shown.items()}
    middles = [math.sqrt(a * b) for a, b in pairwise(edges)]
    series = [
        Series(
            label,
            roles[label],
            tuple(middles),
            tuple(values),
            line=2,
            step="middle",
            hover=tuple(
                _bin_hover(label, a, b, v)
                for a, b, v in zip(edges, edges[1:], values, strict=False)
            ),
        )
        for label, values in shares.items()
    ]
    top = max(value for values in shares.values() for value in values)
    width = f"{100 * (edges[1] / edges[0] - 1):.2g}%"
    return Chart(
        kind="histogram",
        title="Histogram of the latencies",
        subtitle=f"Share of requests per bin, each {width} wide. {_source(comparison, shown)}",
        label=_label("Histogram of the latencies", comparison, shown),
        panels=(
            Panel(latency_axis(edges), _height_axis(top), tuple(series), _peaks(series, short)),
        ),
        table=_histogram_table(edges, shares),
        height=_HEIGHT,
    )


def _steps(one: Distribution, places: Sequence[float]) -> list[tuple[float, float]]:
    latencies = dict.fromkeys(s for s in one.quantiles_s(places) if s > 0)
    return [(latency, one.share_at_most(latency)) for latency in latencies]


def _edges(of: Mapping[str, Distribution]) -> list[float]:
    low = min(max(s, 1e-9) for one in of.values() for s in one.quantiles_s([0.0005]))
    high = max(s for one in of.values() for s in one.quantiles_s([1.0])) * 1.0001
    low, high = (low, high) if high / low > 1.5 else (low / 1.25, high * 1.25)
    return [low * (high / low) ** (n / _BINS) for n in range(_BINS + 1)]


def _shares(one: Distribution, edges: Sequence[float]) -> list[float]:
    import numpy as np

    from benchkit.distribution import bounds_of

    low, high = bounds_of(one.bins)
    middle = np.maximum((low + high) / 2e9, edges[0])
    counts, _ = np.histogram(middle, bins=np.asarray(edges), weights=one.counts)
    return [float(value) for value in counts / one.count]


def _height_axis(top: float) -> Axis:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 1.0) if top / s <= 5)
    ticks = tuple((n * step, show.share(n * step)) for n in range(math.floor(top / step) + 1))
    return Axis("linear", 0.0, top * 1.12, ticks)


def _middle_names(series: Sequence[Series], short: Mapping[str, str]) -> tuple[Note, ...]:
    """Return names to the right of each line's rise, at heights that differ."""
    named = [one for one in series if one.role != look.CONTEXT]
    ordered = sorted(named, key=lambda one: _at(one, 0.5))
    notes = []
    for n, one in enumerate(ordered):
        height = 0.66 - 0.36 * n / max(1, len(ordered) - 1)
        near = _at(one, height) * _reach(named)
        x = max(other for line in named if (other := _at(line, height)) <= near)
        notes.append(_name(one, x, height, short, dx=10, dy=0))
    return tuple(notes)


def _at(one: Series, share: float) -> float:
    """Return the latency at which a line reaches a share."""
    return next((x for x, y in zip(one.xs, one.ys, strict=True) if y >= share), one.xs[-1])


def _reach(series: Sequence[Series]) -> float:
    """Return the factor within which lines are too close for a name between them."""
    low, high = min(one.xs[0] for one in series), max(one.xs[-1] for one in series)
    return float((high / low) ** 0.2)


def _peaks(series: Sequence[Series], short: Mapping[str, str]) -> tuple[Note, ...]:
    named = [one for one in series if one.role != look.CONTEXT]
    top = max(max(one.ys) for one in named)
    tops = [max(range(len(one.ys)), key=one.ys.__getitem__) for one in named]
    places = [-one.ys[i] / top * _PLOT for one, i in zip(named, tops, strict=True)]
    moved = spread(places, gap=look.LABEL_GAP + 2)
    return tuple(
        _name(one, one.xs[i], one.ys[i], short, dx=10, dy=new - old - 6)
        for one, i, new, old in zip(named, tops, moved, places, strict=True)
    )


def _name(
    one: Series, x: float, y: float, short: Mapping[str, str], *, dx: float, dy: float
) -> Note:
    return Note(x, y, short[one.name], role=look.text_role(one.role), dx=dx, dy=dy, bold=True)


def _share_hover(label: str, latency: float, share: float) -> str:
    return f"{show.clean(label, limit=40)}\n{show.share(share)} within {show.duration(latency)}"


def _bin_hover(label: str, low: float, high: float, share: float) -> str:
    span = f"{show.duration(low)} to {show.duration(high)}"
    return f"{show.clean(label, limit=40)}\n{span}: {show.share(share)}"


def _source(comparison: Comparison, of: Mapping[str, Distribution]) -> str:
    requests = sum(one.count for one in of.values())
    text = f"{requests:,} requests, runs of a variant pooled."
    missing = [show.clean(one, limit=40) for one in comparison.order if one not in of]
    return f"{text} Only summaries of {some(missing)}." if missing else text


def _label(what: str, comparison: Comparison, of: Mapping[str, Distribution]) -> str:
    by_label = {one.label: one for one in comparison.variants}
    spans = []
    for label, one in list(of.items())[:8]:
        p50, p99 = (show.duration(value) for value in one.quantiles_s([0.5, 0.99]))
        below = trusted_below(by_label[label])
        parts = [f"half within {p50}"] if below > 0.5 else []
        parts += [f"99% within {p99}"] if below > 0.99 else []
        spans += [f"{show.clean(label, limit=40)} {', '.join(parts)}"] if parts else []
    told = f": {'; '.join(spans)}" if spans else ""
    return f"{what}{told}; values in the table below"


def _ecdf_table(lines: Mapping[str, Sequence[tuple[float, float]]]) -> DataTable:
    rows = []
    for label, points in lines.items():
        for latency, share in points:
            cells = ((show.duration(latency, digits=4), latency), (show.share(share), share))
            rows.append((label, cells))
    return DataTable(("Variant", "Latency", "Share within it"), tuple(rows))


def _histogram_table(edges: Sequence[float], shares: Mapping[str, Sequence[float]]) -> DataTable:
    unit = show.time_unit(edges)
    low = [text or "" for text in show.in_unit(edges, unit)]
    rows = [
        (
            f"{low[n]}{show.EN_DASH}{low[n + 1]}",
            tuple((show.share(round(one[n], 6)), one[n]) for one in shares.values()),
        )
        for n in range(len(edges) - 1)
    ]
    return DataTable((f"Latency, {unit.name}", *shares), tuple(rows))
