"""A histogram of the latencies on a logarithmic axis, where every request is known.

Nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.legend import legend
from benchkit.figures.pooled import Pooled, alt_text, pooled, shares, source
from benchkit.figures.scales import latency_axis, spread
from benchkit.model.comparison import Comparison

_BINS: Final = 48
_MOST: Final = 8
_HEIGHT: Final = 340
_PLOT: Final = _HEIGHT * 0.82
_TITLE: Final = "Histogram of the latencies"


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the share of requests per bin of equal ratio, None without single requests."""
    requests = dict(list(pooled(comparison).items())[:_MOST])
    if not requests:
        return None
    names = legend(comparison)
    edges = _edges(requests)
    parts = {name: shares(each, edges) for name, each in requests.items()}
    middles = tuple(math.sqrt(a * b) for a, b in pairwise(edges))
    spans = [f"{show.duration(a)} to {show.duration(b)}" for a, b in pairwise(edges)]
    series = [
        Series(
            name,
            names.roles[name],
            middles,
            tuple(values),
            line=2,
            step="middle",
            hover=tuple(
                f"{show.clean(name, limit=40)}\n{span}: {show.share(value)}"
                for span, value in zip(spans, values, strict=True)
            ),
        )
        for name, values in parts.items()
    ]
    y = _axis(max(value for values in parts.values() for value in values))
    width = f"{100 * (edges[1] / edges[0] - 1):.2g}%"
    return Chart(
        kind="histogram",
        title=_TITLE,
        subtitle=f"Share of requests per bin, each {width} wide. {source(comparison, requests)}",
        label=alt_text(_TITLE, comparison, requests),
        panels=(Panel(latency_axis(edges), y, tuple(series), _peaks(series, names.short)),),
        table=_table(edges, parts),
        height=_HEIGHT,
    )


def _edges(requests: Pooled) -> list[float]:
    low = min(max(s, 1e-9) for each in requests.values() for s in each.quantiles_s([0.0005]))
    high = max(s for each in requests.values() for s in each.quantiles_s([1.0])) * 1.0001
    low, high = (low, high) if high / low > 1.5 else (low / 1.25, high * 1.25)
    return [low * (high / low) ** (n / _BINS) for n in range(_BINS + 1)]


def _axis(highest: float) -> Axis:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 1.0) if highest / s <= 5)
    count = math.floor(highest / step) + 1
    ticks = tuple((n * step, show.share(n * step)) for n in range(count))
    return Axis("linear", 0.0, highest * 1.12, ticks)


def _peaks(series: Sequence[Series], short: Mapping[str, str]) -> tuple[Note, ...]:
    """Return names beside the highest bins."""
    named = [each for each in series if each.role != look.CONTEXT]
    highest = max(max(each.ys) for each in named)
    peaks = [max(range(len(each.ys)), key=each.ys.__getitem__) for each in named]
    heights = [-each.ys[i] / highest * _PLOT for each, i in zip(named, peaks, strict=True)]
    moved = spread(heights, gap=look.LABEL_GAP + 2)
    return tuple(
        Note(
            each.xs[i],
            each.ys[i],
            short[each.name],
            role=look.text_role(each.role),
            dx=10,
            dy=new - old - 6,
            bold=True,
        )
        for each, i, new, old in zip(named, peaks, moved, heights, strict=True)
    )


def _table(edges: Sequence[float], parts: Mapping[str, Sequence[float]]) -> DataTable:
    unit = show.time_unit(edges)
    texts = [text or "" for text in show.in_unit(edges, unit)]
    rows = [
        (
            f"{low}{show.EN_DASH}{high}",
            tuple((show.share(round(values[n], 6)), values[n]) for values in parts.values()),
        )
        for n, (low, high) in enumerate(pairwise(texts))
    ]
    return DataTable((f"Latency, {unit.name}", *parts), tuple(rows))
