"""Against a swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.kinds.sweep_words import dotted, subtitle, title
from benchkit.figures.kinds.swept import (
    CORES,
    P50,
    P99,
    Spot,
    Spots,
    Swept,
    SweptLine,
    crossings,
    swept,
)
from benchkit.figures.linenames import LineEnd, end_names, with_room
from benchkit.figures.scales import from_zero, latency_axis, levels_axis, size
from benchkit.model.comparison import Comparison
from benchkit.model.metric import ERROR_RATIO, MEMORY, THROUGHPUT, Metric

_TALL, _LOW = 180, 130
_FEW_LINES: Final = 2
_INTERVAL: Final = 0.18
#: Metrics that order variants, so that a change of places is marked.
_ORDERING: Final = (THROUGHPUT, P99)


@dataclass(frozen=True, slots=True)
class _Quantity:
    """One panel: what it shows of the spots, and how that is written."""

    metric: Metric
    title: str
    heading: str
    write: Callable[[float], str]
    height: int = _LOW

    def axis(self, values: Sequence[float]) -> Axis:
        if self.metric == P99:
            return latency_axis(values, room=0.1, most=7)
        return from_zero(values, room=0.1, write=self.write, steps=4)


_LATENCY: Final = _Quantity(P99, "p99, log scale", "p99", show.duration, _TALL)
_QUANTITIES: Final = (
    _Quantity(THROUGHPUT, "Throughput, responses/s", "Throughput", show.rate, _TALL),
    _LATENCY,
    _Quantity(ERROR_RATIO, "Share of requests that failed", "Failed", show.share),
    _Quantity(CORES, "Processors that the server kept busy", "Processors", show.number),
    _Quantity(MEMORY, "Largest memory of the server", "Memory", size),
)


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None where no numeric param has three levels."""
    sweep = swept(comparison)
    if sweep is None:
        return None
    shown = [quantity for quantity in _QUANTITIES if _worth(sweep, quantity.metric)]
    if not shown:
        return None
    heading = title(sweep, latency=_worth(sweep, P99))
    return Chart(
        kind="sweep",
        title=heading,
        subtitle=subtitle(sweep),
        label=_label(heading, sweep),
        panels=tuple(_panel(sweep, quantity, first=quantity is shown[0]) for quantity in shown),
        table=_table(sweep, shown),
        height=40 + sum(quantity.height for quantity in shown),
    )


def _worth(sweep: Swept, metric: Metric) -> bool:
    spots = [spot for line in sweep.lines for spot in line.spots[metric].values()]
    if metric == ERROR_RATIO:
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (metric != P99 or any(spot.median > 0 for spot in spots))


def _panel(sweep: Swept, quantity: _Quantity, *, first: bool) -> Panel:
    metric = quantity.metric
    both = metric == P99 and _has_medians(sweep)
    values = [v for line in sweep.lines for v in _reach(line.spots[metric])]
    values += [v for line in sweep.lines for v in _reach(line.spots[P50])] if both else []
    y = quantity.axis(values)
    named = [line for line in sweep.lines if line.named]
    x = with_room(levels_axis(sweep.levels), [line.short for line in named])
    series: list[Series] = []
    for line in sorted(sweep.lines, key=lambda line: line.named):
        series += _marks(sweep, line, P50, _LATENCY) if both else []
        series += _marks(sweep, line, metric, quantity)
        series += _ring(line) if metric == THROUGHPUT else []
    ends = [end for line in named if (end := _end(line, metric))]
    notes = [*end_names(ends, y, height=quantity.height * 0.7), *_turns(sweep, metric, y)]
    heading = "Latency, log scale: p99 above, p50 thin" if both else quantity.title
    if first:
        heading += f", by {show.clean(sweep.param, limit=40)}"
        heading += f"; dotted: {dotted(sweep)}" if dotted(sweep) else ""
    return Panel(x, y, tuple(series), tuple(notes), title=heading, weight=quantity.height / _TALL)


def _has_medians(sweep: Swept) -> bool:
    """Whether p50 is shown beside p99: where the lines are few enough to be told apart."""
    return len(sweep.lines) <= _FEW_LINES and any(line.spots[P50] for line in sweep.lines)


def _reach(spots: Spots) -> list[float]:
    return [value for spot in spots.values() for value in (spot.low, spot.median, spot.high)]


def _marks(sweep: Swept, line: SweptLine, metric: Metric, quantity: _Quantity) -> list[Series]:
    spots = line.spots[metric]
    if quantity is _LATENCY:
        spots = {level: spot for level, spot in spots.items() if spot.low > 0}
    if not line.spots[metric]:
        return []
    thin = metric == P50 or not line.named
    banded = line.named and any(spot.low < spot.high for spot in spots.values())
    word = "p50" if metric == P50 else quantity.heading
    return [
        Series(
            line.name,
            line.role,
            tuple(spots),
            tuple(spot.median for spot in spots.values()),
            line=1.0 if thin else 2.2,
            dotted=line.dotted,
            marker=0 if not line.named else 5 if thin else 8,
            filled=not line.dotted,
            low=tuple(spot.low for spot in spots.values()) if banded else (),
            high=tuple(spot.high for spot in spots.values()) if banded else (),
            band=_INTERVAL,
            hover=tuple(
                f"{_where(sweep, line, level)}\n{word} {_spelt(spot, quantity.write)}"
                for level, spot in spots.items()
            ),
        )
    ]


def _where(sweep: Swept, line: SweptLine, level: float) -> str:
    name = show.clean(line.name, limit=40)
    return f"{name}, {show.clean(sweep.param, limit=30)} {show.number(level)}"


def _spelt(spot: Spot, write: Callable[[float], str]) -> str:
    if spot.low == spot.high:
        return write(spot.median)
    return f"{write(spot.median)} ({write(spot.low)}{show.EN_DASH}{write(spot.high)})"


def _ring(line: SweptLine) -> list[Series]:
    """Return a ring around the mark at which throughput stops growing."""
    if not line.named or line.knee is None or line.knee.level is None:
        return []
    spot = line.spots[THROUGHPUT].get(line.knee.level)
    if spot is None:
        return []
    x, y = (line.knee.level,), (spot.median,)
    return [Series(line.name, line.role, x, y, marker=16, filled=False, in_table=False)]


def _end(line: SweptLine, metric: Metric) -> LineEnd | None:
    spots = line.spots[metric].items()
    shown = {level: spot for level, spot in spots if metric != P99 or spot.median > 0}
    if not shown:
        return None
    level = max(shown)
    return LineEnd(level, shown[level].median, line.short, line.role)


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
                spans.append(f"{show.clean(line.name, limit=40)} {metric.name} {span}")
    return f"{heading}. {'; '.join(spans)}; values in the table below"


def _table(sweep: Swept, shown: Sequence[_Quantity]) -> DataTable:
    columns: list[tuple[Metric, _Quantity]] = []
    for quantity in shown:
        if quantity is _LATENCY and _has_medians(sweep):
            columns.append((P50, quantity))
        columns.append((quantity.metric, quantity))
    rows = [
        (
            line.name,
            (
                (show.number(level), level),
                *(_cell(line.spots[metric].get(level), each) for metric, each in columns),
            ),
        )
        for line in sweep.lines
        for level in sweep.levels
        if any(level in line.spots[metric] for metric, _ in columns)
    ]
    words = ("p50" if metric == P50 else quantity.heading for metric, quantity in columns)
    return DataTable(("Variant", sweep.param, *words), tuple(rows))


def _cell(spot: Spot | None, quantity: _Quantity) -> tuple[str, float | None]:
    if spot is None:
        return show.NOT_PRINTED, None
    return _spelt(spot, quantity.write), spot.median
