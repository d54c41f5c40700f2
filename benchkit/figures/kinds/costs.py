"""What a server used by its throughput, so that variants can be read off at equal throughput."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.kinds.swept import CORES, Spot, Swept, SweptLine, at_equal_load, swept
from benchkit.figures.linenames import LineEnd, end_names, with_room
from benchkit.figures.scales import from_zero, size, time
from benchkit.model.comparison import Comparison
from benchkit.model.metric import CPU, MEMORY, THROUGHPUT, Metric

_HEIGHT: Final = 170


@dataclass(frozen=True, slots=True)
class _Cost:
    """One panel: what it shows, and how that is written."""

    metric: Metric
    title: str
    heading: str
    write: Callable[[float], str]


_CPU: Final = _Cost(CPU, "Processor time per request", "CPU per request", time)
_MEMORY: Final = _Cost(MEMORY, "Largest memory of the server", "Memory", size)
_COSTS: Final = (
    _Cost(CORES, "Processors that the server kept busy", "Processors", show.number),
    _CPU,
    _MEMORY,
)


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None without a sweep, or without samples of the server."""
    sweep = swept(comparison)
    if sweep is None:
        return None
    shown = [cost for cost in _COSTS if any(_points(line, cost) for line in sweep.lines)]
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


def _points(line: SweptLine, cost: _Cost) -> list[tuple[float, Spot, Spot]]:
    """Return level, throughput and cost, where both are known, in the order of the levels."""
    rates, spent = line.spots[THROUGHPUT], line.spots[cost.metric]
    return [(level, rates[level], spent[level]) for level in sorted(rates) if level in spent]


def _title(comparison: Comparison) -> str:
    """Return how processor time, or else memory, differs at equal throughput."""
    for metric in (CPU, MEMORY):
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
    fewest, most = sweep.runs
    count = show.plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
    param = show.clean(sweep.param, limit=30)
    marks = f"A mark for each {param}, with its level; medians of {count}."
    parts = [f"Against throughput, from zero. {marks}"]
    for cost, word in ((_CPU, "CPU per request"), (_MEMORY, "memory")):
        equal = at_equal_load(sweep, cost.metric)
        if equal is not None:
            at, values = equal
            each = [f"{cost.write(v)} with {show.quoted(n, limit=40)}" for n, v in values.items()]
            where = f"At {THROUGHPUT.prose(at)}, between tested levels,"
            parts.append(f"{where} {word} was {show.listed(each)}.")
    return " ".join(parts)


def _panel(sweep: Swept, cost: _Cost, *, last: bool) -> Panel:
    named = [line for line in sweep.lines if line.named]
    every = [point for line in sweep.lines for point in _points(line, cost)]
    x = from_zero([rate.median for _, rate, _ in every], room=0.02)
    x = with_room(x, [line.short for line in named])
    y = from_zero([spent.median for *_, spent in every], room=0.12, write=cost.write, steps=4)
    series = [_marks(sweep, line, cost) for line in sorted(sweep.lines, key=lambda n: n.named)]
    title = f"{cost.title}, by responses/s" if last else cost.title
    return Panel(x, y, tuple(s for s in series if s.xs), _ends(named, cost, y), title=title)


def _ends(lines: Sequence[SweptLine], cost: _Cost, y: Axis) -> tuple[Note, ...]:
    """Return the names, each beside the mark of its line that is furthest right."""
    ends = []
    for line in lines:
        points = _points(line, cost)
        if points:
            _, rate, spent = max(points, key=lambda point: point[1].median)
            ends.append(LineEnd(rate.median, spent.median, line.short, line.role))
    return end_names(ends, y, height=_HEIGHT * 0.7)


def _marks(sweep: Swept, line: SweptLine, cost: _Cost) -> Series:
    points = _points(line, cost)
    name, param = show.clean(line.name, limit=40), show.clean(sweep.param, limit=30)
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
            f"{name}, {param} {show.number(level)}\n{THROUGHPUT.prose(rate.median)}\n"
            f"{cost.heading} {cost.write(spent.median)}"
            for level, rate, spent in points
        ),
    )


def _table(sweep: Swept, shown: Sequence[_Cost]) -> DataTable:
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
            rows.append((line.name, cells))
    headings = ("Variant", sweep.param, "Throughput, req/s", *(cost.heading for cost in shown))
    return DataTable(headings, tuple(rows))


def _cell(spent: Spot | None, cost: _Cost) -> tuple[str, float | None]:
    return (show.NOT_PRINTED, None) if spent is None else (cost.write(spent.median), spent.median)
