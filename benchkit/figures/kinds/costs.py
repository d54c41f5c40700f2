"""What a server used by its throughput, so that variants can be read off at equal throughput."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.kinds.sweep_words import at_equal_load
from benchkit.figures.kinds.swept import (
    PROCESSORS,
    RESIDENT,
    Quantity,
    Spot,
    Swept,
    SweptLine,
    swept,
)
from benchkit.figures.linenames import end_names, with_room
from benchkit.figures.scales import from_zero, time
from benchkit.figures.tables import cell
from benchkit.model.comparison import Comparison
from benchkit.model.metric import COSTS, CPU, THROUGHPUT

_HEIGHT: Final = 170
_CPU: Final = Quantity(CPU, "Processor time per request", "CPU per request", time)
_SPENT: Final = (PROCESSORS, _CPU, RESIDENT)


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without a sweep, or without samples of the server."""
    sweep = swept(comparison)
    if sweep is None:
        return None
    shown = [cost for cost in _SPENT if any(_points(line, cost) for line in sweep.lines)]
    if not shown:
        return None
    heading = _title(comparison)
    return Chart(
        kind="costs",
        title=heading,
        subtitle=_subtitle(sweep),
        label=f"{heading}. What the server used by its throughput; values in the table below",
        panels=tuple(_panel(sweep, cost, last=cost is shown[-1]) for cost in shown),
        table=_table(sweep, shown),
        height=50 + _HEIGHT * len(shown),
    )


def _points(line: SweptLine, cost: Quantity) -> list[tuple[float, Spot, Spot]]:
    """Return level, throughput and cost, where both are known, in the order of the levels."""
    rates, spent = line.spots[THROUGHPUT], line.spots[cost.metric]
    return [(level, rates[level], spent[level]) for level in sorted(rates) if level in spent]


def _title(comparison: Comparison) -> str:
    """Return how processor time, or else memory, differs at equal throughput."""
    for metric in COSTS:
        name = f"{metric.name}@equal-throughput"
        effects = [e for e in comparison.sweep_effects if e.metric.name == name]
        if len(effects) != 1 or effects[0].ratio is None:
            continue
        effect, ratio = effects[0], effects[0].ratio
        if effect.interval is None or not effect.crosses:
            names = show.quoted(effect.variant, limit=40), show.quoted(effect.baseline, limit=40)
            change = show.change(ratio)
            return f"{effect.metric.title} with {names[0]} against {names[1]}: {change}"
    return "What the server used by its throughput"


def _subtitle(sweep: Swept) -> str:
    marks = f"A mark for each {sweep.name}, with its level; {sweep.medians}."
    parts = [f"Against throughput, from zero. {marks}"]
    for cost, word in ((_CPU, "CPU per request"), (RESIDENT, "memory")):
        parts += at_equal_load(sweep, cost.metric, cost.write, word)
    return " ".join(parts)


def _panel(sweep: Swept, cost: Quantity, *, last: bool) -> Panel:
    every = [point for line in sweep.lines for point in _points(line, cost)]
    x = from_zero([rate.median for _, rate, _ in every], room=0.02)
    x = with_room(x, [line.short for line in sweep.named])
    y = from_zero([spent.median for *_, spent in every], room=0.12, write=cost.write, steps=4)
    series = [marks for line in sweep.upward for marks in _marks(sweep, line, cost)]
    title = f"{cost.title}, by responses/s" if last else cost.title
    return Panel(x, y, tuple(series), _names(sweep.named, cost, y), title=title)


def _names(lines: Sequence[SweptLine], cost: Quantity, y: Axis) -> tuple[Note, ...]:
    """Return the names, each beside the mark of its line that is furthest right."""
    names = []
    for line in lines:
        points = _points(line, cost)
        if points:
            _, rate, spent = max(points, key=lambda point: point[1].median)
            names.append(line.end(rate.median, spent.median))
    return end_names(names, y, height=_HEIGHT * 0.7)


def _marks(sweep: Swept, line: SweptLine, cost: Quantity) -> list[Series]:
    points = _points(line, cost)
    if not points:
        return []
    hover = (
        f"{line.name}, {sweep.name} {show.number(level)}\n{THROUGHPUT.prose(rate.median)}\n"
        f"{cost.heading} {cost.write(spent.median)}"
        for level, rate, spent in points
    )
    marks = line.marks([(rate.median, spent.median) for _, rate, spent in points], hover)
    levels = tuple(show.number(level) for level, *_ in points) if line.coloured else ()
    return [replace(marks, labels=levels, label_at="above")]


def _table(sweep: Swept, shown: Sequence[Quantity]) -> DataTable:
    rows = []
    for line in sweep.lines:
        rates = line.spots[THROUGHPUT]
        known = {level for cost in shown for level, *_ in _points(line, cost)}
        for level in sorted(known):
            cells = (
                (show.number(level), level),
                (show.rate(rates[level].median), rates[level].median),
                *(_cell(line.spots[cost.metric].get(level), cost) for cost in shown),
            )
            rows.append((line.label, cells))
    headings = ("Variant", sweep.param, "Throughput, req/s", *(cost.heading for cost in shown))
    return DataTable(headings, tuple(rows))


def _cell(spent: Spot | None, cost: Quantity) -> Cell:
    return cell(spent.median if spent else None, cost.write)
