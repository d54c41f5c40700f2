"""Against a swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.kinds.sweep_words import dotted, subtitle, title
from benchkit.figures.kinds.swept import (
    P50,
    P99,
    PROCESSORS,
    RESIDENT,
    Quantity,
    Spot,
    Spots,
    Swept,
    SweptLine,
    crossings,
    swept,
)
from benchkit.figures.linenames import end_names, with_room
from benchkit.figures.scales import from_zero, latency_axis, levels_axis
from benchkit.model.comparison import Comparison
from benchkit.model.metric import ERROR_RATIO, THROUGHPUT, Metric

_TALL: Final = 180
_FEW_LINES: Final = 2
#: Metrics that order variants, so that a change of places is marked.
_ORDERING: Final = (THROUGHPUT, P99)
_MEDIAN: Final = Quantity(P50, "", "p50", show.duration)
_LATENCY: Final = Quantity(P99, "p99, log scale", "p99", show.duration, _TALL)
_QUANTITIES: Final = (
    Quantity(THROUGHPUT, "Throughput, responses/s", "Throughput", show.rate, _TALL),
    _LATENCY,
    Quantity(ERROR_RATIO, "Share of requests that failed", "Failed", show.share),
    PROCESSORS,
    RESIDENT,
)


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None where no numeric param has three levels."""
    sweep = swept(comparison)
    if sweep is None:
        return None
    shown = [quantity for quantity in _QUANTITIES if _worth(sweep, quantity.metric)]
    if not shown:
        return None
    heading = title(sweep, latency=_LATENCY in shown)
    return Chart(
        kind="sweep",
        title=heading,
        subtitle=subtitle(sweep),
        label=_label(heading, sweep),
        panels=tuple(_panel(sweep, quantity, first=quantity is shown[0]) for quantity in shown),
        table=_table(sweep, [each for quantity in shown for each in _beside(sweep, quantity)]),
        height=40 + sum(quantity.height for quantity in shown),
    )


def _worth(sweep: Swept, metric: Metric) -> bool:
    spots = [spot for line in sweep.lines for spot in line.spots[metric].values()]
    if metric == ERROR_RATIO:
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (metric != P99 or any(spot.median > 0 for spot in spots))


def _beside(sweep: Swept, quantity: Quantity) -> list[Quantity]:
    """Return what a panel shows: p50 with p99, where lines are few enough to be told apart."""
    few = len(sweep.lines) <= _FEW_LINES and any(line.spots[P50] for line in sweep.lines)
    return [_MEDIAN, quantity] if quantity is _LATENCY and few else [quantity]


def _panel(sweep: Swept, quantity: Quantity, *, first: bool) -> Panel:
    metric, shown = quantity.metric, _beside(sweep, quantity)
    spots = [s for each in shown for line in sweep.lines for s in line.spots[each.metric].values()]
    values = [value for spot in spots for value in (spot.low, spot.median, spot.high)]
    if quantity is _LATENCY:
        y = latency_axis(values, room=0.1, most=7)
    else:
        y = from_zero(values, room=0.1, write=quantity.write, steps=4)
    x = with_room(levels_axis(sweep.levels), [line.short for line in sweep.named])
    series: list[Series] = []
    for line in sweep.upward:
        series += [marks for each in shown for marks in _marks(sweep, line, each)]
        series += _ring(line) if metric == THROUGHPUT else []
    names = [name for line in sweep.named if (name := _end(line, metric))]
    notes = [*end_names(names, y, height=quantity.height * 0.7), *_turns(sweep, metric, y)]
    heading = "Latency, log scale: p99 above, p50 thin" if _MEDIAN in shown else quantity.title
    if first:
        heading += f", by {show.clean(sweep.param, limit=40)}"
        heading += f"; dotted: {dotted(sweep)}" if dotted(sweep) else ""
    return Panel(x, y, tuple(series), tuple(notes), title=heading, weight=quantity.height / _TALL)


def _above_zero(line: SweptLine, metric: Metric) -> Spots:
    """Return the spots that have a place on their axis, which is a log axis for latencies."""
    spots = line.spots[metric]
    return {n: s for n, s in spots.items() if s.low > 0} if metric.is_latency else spots


def _marks(sweep: Swept, line: SweptLine, quantity: Quantity) -> list[Series]:
    spots = _above_zero(line, quantity.metric)
    if not line.spots[quantity.metric]:
        return []
    hover = (
        f"{line.name}, {sweep.name} {show.number(level)}\n"
        f"{quantity.heading} {_spelt(spot, quantity.write)}"
        for level, spot in spots.items()
    )
    marks = line.marks([(level, spot.median) for level, spot in spots.items()], hover)
    if quantity is _MEDIAN:
        marks = replace(marks, line=1.0, marker=5 if line.coloured else 0)
    if line.coloured and any(spot.low < spot.high for spot in spots.values()):
        low, high = zip(*((spot.low, spot.high) for spot in spots.values()), strict=True)
        marks = replace(marks, low=low, high=high)
    return [marks]


def _spelt(spot: Spot, write: Callable[[float], str]) -> str:
    if spot.low == spot.high:
        return write(spot.median)
    return f"{write(spot.median)} ({write(spot.low)}{show.EN_DASH}{write(spot.high)})"


def _ring(line: SweptLine) -> list[Series]:
    """Return a ring around the mark at which throughput stops growing."""
    if not line.coloured or line.knee is None or line.knee.level is None:
        return []
    spot = line.spots[THROUGHPUT].get(line.knee.level)
    if spot is None:
        return []
    x, y = (line.knee.level,), (spot.median,)
    return [Series(*line.series, x, y, marker=16, filled=False, in_table=False)]


def _end(line: SweptLine, metric: Metric) -> Note | None:
    spots = line.spots[metric].items()
    last = max(
        ((n, spot.median) for n, spot in spots if metric != P99 or spot.median > 0), default=None
    )
    return line.end(*last) if last else None


def _turns(sweep: Swept, metric: Metric, y: Axis) -> list[Note]:
    """Return a note above where lines change places, with the levels at which they are apart."""
    if metric not in _ORDERING:
        return []
    notes = []
    for turn in crossings(sweep, metric):
        x = math.sqrt(turn.until * turn.since) if turn.until > 0 else (turn.until + turn.since) / 2
        span = f"{show.number(turn.until)}{show.EN_DASH}{show.number(turn.since)}"
        notes.append(Note(x, y.high, f"order changes: {span}", align="center", dy=8))
    return notes


def _label(heading: str, sweep: Swept) -> str:
    spans = []
    for line in sweep.lines[:8]:
        for metric, write in ((THROUGHPUT, show.rate), (P99, show.duration)):
            medians = [spot.median for spot in line.spots[metric].values()]
            if medians:
                span = f"{write(min(medians))} to {write(max(medians))}"
                spans.append(f"{line.name} {metric.name} {span}")
    return f"{heading}. {'; '.join(spans)}; values in the table below"


def _table(sweep: Swept, columns: Sequence[Quantity]) -> DataTable:
    rows = [
        (
            line.label,
            (
                (show.number(level), level),
                *(_cell(line.spots[each.metric].get(level), each) for each in columns),
            ),
        )
        for line in sweep.lines
        for level in sweep.levels
        if any(level in line.spots[each.metric] for each in columns)
    ]
    headings = ("Variant", sweep.param, *(each.heading for each in columns))
    return DataTable(headings, tuple(rows))


def _cell(spot: Spot | None, quantity: Quantity) -> Cell:
    if spot is None:
        return show.NOT_PRINTED, None
    return _spelt(spot, quantity.write), spot.median
