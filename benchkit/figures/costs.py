"""What a server used by its throughput, so that variants can be read off at equal throughput."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.scales import from_zero, size, time
from benchkit.figures.swept import Line, Spot, Swept, at_equal_load, swept

if TYPE_CHECKING:
    from benchkit.results import Results

_HEIGHT: Final = 170


@dataclass(frozen=True, slots=True)
class _Cost:
    """One panel: what it shows, and how that is written."""

    metric: str
    title: str
    heading: str
    write: Callable[[float], str]


_COSTS: Final = (
    _Cost("cores", "Processors that the server kept busy", "Processors", show.number),
    _Cost("cpu_per_request", "Processor time per request", "CPU per request", time),
    _Cost("rss", "Largest memory of the server", "Memory", size),
)


def costs(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None without a sweep, or without samples of the server."""
    found = swept(results, comparison)
    if found is None:
        return None
    shown = [one for one in _COSTS if any(_points(line, one.metric) for line in found.lines)]
    if not shown:
        return None
    heading = _title(found)
    return Chart(
        kind="costs",
        title=heading,
        subtitle=_subtitle(found),
        label=f"{heading}. What the server used by its throughput; values in the table below",
        panels=tuple(_panel(found, one, last=one is shown[-1]) for one in shown),
        table=_table(found, shown),
        height=50 + _HEIGHT * len(shown),
    )


def _points(line: Line, metric: str) -> list[tuple[float, Spot, Spot]]:
    """Return level, throughput and cost, where both are known, in the order of the levels."""
    rates, spent = line.spots.get("throughput", {}), line.spots.get(metric, {})
    return [(level, rates[level], spent[level]) for level in sorted(rates) if level in spent]


def _title(found: Swept) -> str:
    """Return how processor time, or else memory, differs at equal throughput."""
    for metric, what in (("cpu_per_request", "processor time per request"), ("rss", "memory")):
        told = at_equal_load(found, metric)
        if told is None or len(told[1]) != 2:
            continue
        at, values = told
        (base, was), (other, now) = values.items()
        change = show.change(now / was) if was and now else None
        if change is not None:
            where = f"At {show.rate(at)}{show.NBSP}req/s"
            names = show.quoted(other, limit=40), show.quoted(base, limit=40)
            return f"{where} {what} was {change} with {names[0]} than with {names[1]}"
    return "What the server used by its throughput"


def _subtitle(found: Swept) -> str:
    fewest, most = found.runs
    count = show.plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
    param = show.clean(found.param, limit=30)
    marks = f"A mark for each {param}, with its level; medians of {count}."
    parts = [f"Against throughput, from zero. {marks}"]
    for metric, word, write in (
        ("cpu_per_request", "CPU per request", time),
        ("rss", "memory", size),
    ):
        told = at_equal_load(found, metric)
        if told is not None:
            each = [f"{write(v)} with {show.quoted(n, limit=40)}" for n, v in told[1].items()]
            where = f"{show.rate(told[0])}{show.NBSP}req/s"
            parts.append(f"At {where}, between tested levels, {word} was {show.listed(each)}.")
    return " ".join(parts)


def _panel(found: Swept, of: _Cost, *, last: bool) -> Panel:
    named = [line for line in found.lines if line.named]
    every = [point for line in found.lines for point in _points(line, of.metric)]
    x = with_room(from_zero([rate.median for _, rate, _ in every], room=0.02), _names(named))
    y = from_zero([spent.median for *_, spent in every], room=0.12, write=of.write, steps=4)
    series = [_marks(found, line, of) for line in sorted(found.lines, key=lambda one: one.named)]
    title = f"{of.title}, by responses/s" if last else of.title
    return Panel(x, y, tuple(one for one in series if one.xs), _ends(named, of, y), title=title)


def _names(lines: Sequence[Line]) -> list[str]:
    return [line.short for line in lines]


def _ends(lines: Sequence[Line], of: _Cost, y: Axis) -> tuple[Note, ...]:
    """Return the names, each beside the mark of its line that is furthest right."""
    ends = []
    for line in lines:
        points = _points(line, of.metric)
        if points:
            _, rate, spent = max(points, key=lambda point: point[1].median)
            ends.append(End(rate.median, spent.median, line.short, line.role))
    return end_names(ends, y, height=_HEIGHT * 0.7)


def _marks(found: Swept, line: Line, of: _Cost) -> Series:
    points = _points(line, of.metric)
    return Series(
        line.name,
        line.role,
        tuple(rate.median for _, rate, _ in points),
        tuple(spent.median for *_, spent in points),
        line=2.2 if line.named else 1.0,
        dotted=line.dotted,
        marker=8 if line.named else 0,
        filled=not line.dotted,
        labels=tuple(show.number(level) for level, *_ in points) if line.named else (),
        label_at="above",
        hover=tuple(
            f"{show.clean(line.name, limit=40)}, {show.clean(found.param, limit=30)} "
            f"{show.number(level)}\n{show.rate(rate.median)}{show.NBSP}req/s\n"
            f"{of.heading} {of.write(spent.median)}"
            for level, rate, spent in points
        ),
    )


def _table(found: Swept, shown: Sequence[_Cost]) -> DataTable:
    rows = []
    for line in found.lines:
        known = {
            one.metric: {at: (rate, spent) for at, rate, spent in _points(line, one.metric)}
            for one in shown
        }
        for level in sorted({level for of in known.values() for level in of}):
            rate = next(of[level][0] for of in known.values() if level in of)
            cells: list[tuple[str, float | None]] = [
                (show.number(level), level),
                (show.rate(rate.median), rate.median),
            ]
            for one in shown:
                spent = known[one.metric].get(level)
                told = (
                    (show.NOT_PRINTED, None)
                    if spent is None
                    else (one.write(spent[1].median), spent[1].median)
                )
                cells.append(told)
            rows.append((line.name, tuple(cells)))
    headings = ("Variant", found.param, "Throughput, req/s", *(one.heading for one in shown))
    return DataTable(headings, tuple(rows))
