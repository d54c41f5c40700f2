"""Against a swept param: where does throughput stop growing, what does it cost, do lines cross?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.scales import from_zero, latency_axis, levels_axis, size
from benchkit.figures.sweep_words import dotted, subtitle, title
from benchkit.figures.swept import Line, Spot, Swept, crossings, swept

if TYPE_CHECKING:
    from benchkit.results import Results

_TALL, _LOW = 180, 130
_FEW_LINES: Final = 3
_INTERVAL: Final = 0.18
#: Metrics that order variants, so that a change of places is told.
_ORDERING: Final = ("throughput", "p99")


@dataclass(frozen=True, slots=True)
class _Quantity:
    """One panel: what it shows of the spots, and how that is written."""

    metric: str
    title: str
    heading: str
    write: Callable[[float], str]
    height: int = _LOW

    def axis(self, values: Sequence[float]) -> Axis:
        if self.metric == "p99":
            return latency_axis(values, room=0.1, most=7)
        return from_zero(values, room=0.1, write=self.write, steps=4)


_QUANTITIES: Final = (
    _Quantity("throughput", "Throughput, responses/s", "Throughput", show.rate, _TALL),
    _Quantity("p99", "p99, log scale", "p99", show.duration, _TALL),
    _Quantity("error_ratio", "Share of requests that failed", "Failed", show.share),
    _Quantity("cores", "Processors that the server kept busy", "Processors", show.number),
    _Quantity("rss", "Largest memory of the server", "Memory", size),
)


def sweep(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where no numeric param has three levels."""
    found = swept(results, comparison)
    if found is None:
        return None
    shown = [one for one in _QUANTITIES if _worth(found, one.metric)]
    if not shown:
        return None
    heading = title(found, latency=_worth(found, "p99"))
    return Chart(
        kind="sweep",
        title=heading,
        subtitle=subtitle(found),
        label=_label(heading, found),
        panels=tuple(_panel(found, one, first=one is shown[0]) for one in shown),
        table=_table(found, shown),
        height=40 + sum(one.height for one in shown),
    )


def _worth(found: Swept, metric: str) -> bool:
    spots = [spot for line in found.lines for spot in line.spots.get(metric, {}).values()]
    if metric == "error_ratio":
        return any(spot.high > 0 for spot in spots)
    return len(spots) > 1 and (metric != "p99" or any(spot.median > 0 for spot in spots))


def _panel(found: Swept, of: _Quantity, *, first: bool) -> Panel:
    both = of.metric == "p99" and _has_medians(found)
    values = [v for line in found.lines for v in _reach(line, of.metric)]
    values += [v for line in found.lines for v in _reach(line, "p50")] if both else []
    y = of.axis(values)
    names = [one.short for one in found.lines if one.named]
    x = with_room(levels_axis(found.levels), names)
    series: list[Series] = []
    for line in sorted(found.lines, key=lambda one: one.named):
        series += [_marks(found, line, "p50", _QUANTITIES[1])] if both else []
        series += [_marks(found, line, of.metric, of)] if line.spots.get(of.metric) else []
        series += _ring(line) if of.metric == "throughput" else []
    named = [line for line in found.lines if line.named]
    ends = [end for line in named if (end := _end(line, of.metric))]
    notes = [*end_names(ends, y, height=of.height * 0.7), *_turns(found, of.metric, y)]
    heading = "Latency, log scale: p99 above, p50 thin" if both else of.title
    if first:
        heading += f", by {show.clean(found.param, limit=40)}"
        heading += f"; dotted: {dotted(found)}" if dotted(found) else ""
    return Panel(x, y, tuple(series), tuple(notes), title=heading, weight=of.height / _TALL)


def _has_medians(found: Swept) -> bool:
    """Whether p50 is shown beside p99: where the lines are few enough to be told apart."""
    return len(found.lines) <= _FEW_LINES - 1 and any("p50" in one.spots for one in found.lines)


def _reach(line: Line, metric: str) -> list[float]:
    spots = line.spots.get(metric, {}).values()
    return [value for spot in spots for value in (spot.low, spot.median, spot.high)]


def _marks(found: Swept, line: Line, metric: str, of: _Quantity) -> Series:
    spots = line.spots.get(metric, {})
    if of.metric == "p99":
        spots = {level: spot for level, spot in spots.items() if spot.low > 0}
    thin = metric == "p50" or not line.named
    banded = line.named and any(spot.low < spot.high for spot in spots.values())
    return Series(
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
            _hover(found, line, level, f"{_word(metric, of)} {_spelt(spot, of.write)}")
            for level, spot in spots.items()
        ),
    )


def _word(metric: str, of: _Quantity) -> str:
    return "p50" if metric == "p50" else of.heading


def _hover(found: Swept, line: Line, level: float, text: str) -> str:
    name = show.clean(line.name, limit=40)
    return f"{name}, {show.clean(found.param, limit=30)} {show.number(level)}\n{text}"


def _spelt(spot: Spot, write: Callable[[float], str]) -> str:
    if spot.low == spot.high:
        return write(spot.median)
    return f"{write(spot.median)} ({write(spot.low)}{show.EN_DASH}{write(spot.high)})"


def _ring(line: Line) -> list[Series]:
    """Return a ring around the mark at which throughput stops growing."""
    if not line.named or line.knee is None or line.knee.level is None:
        return []
    spot = line.spots["throughput"].get(line.knee.level)
    if spot is None:
        return []
    x, y = (line.knee.level,), (spot.median,)
    return [Series(line.name, line.role, x, y, marker=16, filled=False, in_table=False)]


def _end(line: Line, metric: str) -> End | None:
    spots = line.spots.get(metric, {})
    shown = {level: spot for level, spot in spots.items() if metric != "p99" or spot.median > 0}
    if not shown:
        return None
    level, spot = max(shown.items())
    return End(level, spot.median, line.short, line.role)


def _turns(found: Swept, metric: str, y: Axis) -> list[Note]:
    """Return a note above where lines change places, with the levels at which they are apart."""
    if metric not in _ORDERING:
        return []
    notes = []
    for one in crossings(found, metric):
        x = math.sqrt(one.until * one.since) if one.until > 0 else (one.until + one.since) / 2
        span = f"{show.number(one.until)}{show.EN_DASH}{show.number(one.since)}"
        notes.append(Note(x, y.high, f"order changes: {span}", align="center", dy=8))
    return notes


def _label(heading: str, found: Swept) -> str:
    spans = []
    for one in found.lines[:8]:
        for metric, word, write in (
            ("throughput", "throughput", show.rate),
            ("p99", "p99", show.duration),
        ):
            medians = [spot.median for spot in one.spots.get(metric, {}).values()]
            if medians:
                span = f"{write(min(medians))} to {write(max(medians))}"
                spans.append(f"{show.clean(one.name, limit=40)} {word} {span}")
    return f"{heading}. {'; '.join(spans)}; values in the table below"


def _table(found: Swept, shown: Sequence[_Quantity]) -> DataTable:
    columns: list[tuple[str, _Quantity]] = []
    for one in shown:
        if one.metric == "p99" and _has_medians(found):
            columns.append(("p50", one))
        columns.append((one.metric, one))
    rows = [
        (line.name, ((show.number(level), level), *(_cell(line, m, level, q) for m, q in columns)))
        for line in found.lines
        for level in found.levels
        if any(level in line.spots.get(metric, {}) for metric, _ in columns)
    ]
    headings = ("Variant", found.param, *(_word(m, q) for m, q in columns))
    return DataTable(headings, tuple(rows))


def _cell(line: Line, metric: str, level: float, of: _Quantity) -> tuple[str, float | None]:
    spots: Mapping[float, Spot] = line.spots.get(metric, {})
    if level not in spots:
        return show.NOT_PRINTED, None
    return _spelt(spots[level], of.write), spots[level].median
