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
from benchkit.figures.legend import Key
from benchkit.figures.linenames import apart
from benchkit.figures.pooled import Bins, Pooled, alt_text, binned, fastest_s, pooled, source
from benchkit.figures.scales import latency_axis
from benchkit.figures.tables import by_column
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
    bins = binned(requests, _edges(requests))
    series = {key: _line(key, bins) for key in requests}
    y = _axis(max(map(max, bins.shares.values())))
    width = f"{100 * (bins.edges[1] / bins.edges[0] - 1):.2g}%"
    return Chart(
        kind="histogram",
        title=_TITLE,
        subtitle=f"Share of requests per bin, each {width} wide. {source(comparison, requests)}",
        label=alt_text(_TITLE, requests),
        panels=(Panel(latency_axis(bins.edges), y, tuple(series.values()), _peaks(series)),),
        table=_table(bins),
        height=_HEIGHT,
    )


def _edges(requests: Pooled) -> list[float]:
    low = fastest_s(requests, 1e-9)
    high = max(s for each in requests.values() for s in each.quantiles_s([1.0])) * 1.0001
    low, high = (low, high) if high / low > 1.5 else (low / 1.25, high * 1.25)
    return [low * (high / low) ** (n / _BINS) for n in range(_BINS + 1)]


def _line(key: Key, bins: Bins) -> Series:
    middles = tuple(math.sqrt(low * high) for low, high in bins.pairs)
    hover = tuple(bins.hovers(key, show.share))
    return Series(*key.series, middles, tuple(bins.shares[key]), line=2, step="middle", hover=hover)


def _axis(highest: float) -> Axis:
    step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 1.0) if highest / s <= 5)
    count = math.floor(highest / step) + 1
    ticks = tuple((n * step, show.share(n * step)) for n in range(count))
    return Axis("linear", 0.0, highest * 1.12, ticks)


def _peaks(series: Mapping[Key, Series]) -> tuple[Note, ...]:
    """Return names beside the highest bins."""
    peaks = [
        Note(*peak, key.short, role=look.text_role(key.role), dx=10, dy=-6, bold=True)
        for key, each in series.items()
        if key.coloured
        for peak in [max(each.points, key=lambda point: point[1])]
    ]
    highest = max(peak.y for peak in peaks)
    return apart(peaks, [-peak.y / highest * _PLOT for peak in peaks])


def _table(bins: Bins) -> DataTable:
    unit, texts = bins.written
    names = [f"{low}{show.EN_DASH}{high}" for low, high in pairwise(texts)]
    columns = [(key.label, bins.cells(key)) for key in bins.shares]
    return by_column(f"Latency, {unit.name}", names, columns)
