"""What the server's processes used while a run lasted: processors and memory over time."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.compare.sweep import sweeps
from benchkit.figures import look
from benchkit.figures.chart import Chart, DataTable, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.samples import Course, Trace, course, stretch, traces
from benchkit.figures.scales import from_zero, size, time_axis
from benchkit.names import short_names, some

if TYPE_CHECKING:
    from benchkit.results import Results

_MOST_POINTS: Final = 60
_MOST_PROCESSES: Final = 3
_PANEL: Final = 140
_RANGE: Final = 0.12


@dataclass(frozen=True, slots=True)
class _Quantity:
    """What a panel shows: `which` says where it stands in a sample."""

    which: int
    title: str
    heading: str
    write: Callable[[float], str]


_QUANTITIES: Final = (
    _Quantity(1, "Processors that {} kept busy", "{}, processors", show.number),
    _Quantity(2, "Memory of {}", "{}, memory", size),
)


@dataclass(frozen=True, slots=True)
class _Part:
    """One panel: one quantity of one process, per variant."""

    of: _Quantity
    process: str
    courses: Mapping[str, Course]


def resources(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None without samples of any process but the load generator's.

    Of a sweep neither: its figure shows them against the level.
    """
    if sweeps(comparison.variants):
        return None
    by_label = {one.label: one.run_ids for one in comparison.variants}
    found = traces(results, [run_id for ids in by_label.values() for run_id in ids])
    step = stretch(found, most=_MOST_POINTS)
    parts = [part for part in _parts(comparison, found, step) if part.courses] if step else []
    if not parts:
        return None
    title = _title(parts)
    end = max(one.times[-1] for part in parts for one in part.courses.values()) + step / 2
    return Chart(
        kind="resources",
        title=title,
        subtitle=_subtitle(comparison, parts, step),
        label=f"{title}. Processors and memory over time; values in the table below",
        panels=tuple(_panel(comparison, part, end) for part in parts),
        table=_table(comparison, parts),
        height=40 + _PANEL * len(parts),
    )


def _parts(
    comparison: Comparison, found: Mapping[str, Mapping[str, Trace]], step: float
) -> list[_Part]:
    by_label = {one.label: one.run_ids for one in comparison.variants}
    busy = _busiest(found)[:_MOST_PROCESSES]
    parts = []
    for of in _QUANTITIES:
        for process in busy:
            courses = {}
            for label in comparison.order:
                mine = [found[i][process] for i in by_label[label] if process in found.get(i, ())]
                one = course(mine, of.which, step)
                if len(one.times) > 1:
                    courses[label] = one
            parts.append(_Part(of, process, courses))
    return parts


def _busiest(found: Mapping[str, Mapping[str, Trace]]) -> list[str]:
    """Return the processes, that which used the most processor time first."""
    spent: dict[str, float] = {}
    for processes in found.values():
        for process, trace in processes.items():
            spent[process] = spent.get(process, 0.0) + sum(load or 0.0 for _, load, _ in trace)
    return sorted(spent, key=lambda process: -spent[process])


def _panel(comparison: Comparison, part: _Part, end: float) -> Panel:
    roles, short = look.roles(comparison), short_names(list(comparison.order))
    top = [v for one in part.courses.values() for values in one.values for v in values]
    y = from_zero(top, room=0.1, write=part.of.write, steps=3)
    named = {label: one for label, one in part.courses.items() if roles[label] != look.CONTEXT}
    x = with_room(time_axis(end), [short[label] for label in named])
    ordered = sorted(part.courses.items(), key=lambda item: item[0] in named)
    series = [_line(label, roles[label], one, part) for label, one in ordered]
    ends = [
        End(one.times[-1], statistics.median(one.values[-1]), short[label], roles[label])
        for label, one in named.items()
    ]
    notes = end_names(ends, y, height=_PANEL * 0.65)
    title = part.of.title.format(show.clean(part.process, limit=30))
    return Panel(x, y, tuple(series), notes, title=title)


def _line(label: str, role: str, one: Course, part: _Part) -> Series:
    medians = tuple(statistics.median(values) for values in one.values)
    several = role != look.CONTEXT and any(min(v) < max(v) for v in one.values)
    name = show.clean(label, limit=40)
    return Series(
        label,
        role,
        one.times,
        medians,
        line=1.0 if role == look.CONTEXT else 2.0,
        low=tuple(min(values) for values in one.values) if several else (),
        high=tuple(max(values) for values in one.values) if several else (),
        band=_RANGE,
        hover=tuple(
            f"{name}, {show.clean(part.process, limit=30)}\n"
            f"{show.number(time)}{show.NBSP}s: {part.of.write(value)}"
            for time, value in zip(one.times, medians, strict=True)
        ),
    )


def _title(parts: Sequence[_Part]) -> str:
    """Return the highest median over time of the first quantity, and whose it was."""
    part = parts[0]
    over = {
        label: statistics.median(v for values in one.values for v in values)
        for label, one in part.courses.items()
    }
    label = max(over, key=lambda label: over[label])
    process = show.clean(part.process, limit=30)
    if part.of.which != 1:
        whose = f" with {show.quoted(label)}" if len(over) > 1 else ""
        return f"{process} held {part.of.write(over[label])}{whose}"
    amount = f"{show.number(over[label], digits=2)}{show.NBSP}processors"
    if len(over) == 1:
        return f"{process} kept {amount} busy"
    return f"{show.quoted(label)} kept {process} busiest: {amount}"


def _subtitle(comparison: Comparison, parts: Sequence[_Part], step: float) -> str:
    text = f"Over the time of a run, means of {show.duration(step, digits=2)}, from zero."
    if any(len(one.values[0]) > 1 for part in parts for one in part.courses.values()):
        text += " Lines are medians over runs, bands their range."
    measured = {label for part in parts for label in part.courses}
    missing = [show.quoted(one, limit=40) for one in comparison.order if one not in measured]
    if missing:
        text += f" No samples of {some(missing)}."
    return f"{text} The load generator is left out."


def _table(comparison: Comparison, parts: Sequence[_Part]) -> DataTable:
    rows = []
    for label in comparison.order:
        found = [
            {
                time: statistics.median(values)
                for time, values in zip(one.times, one.values, strict=True)
            }
            if (one := part.courses.get(label))
            else {}
            for part in parts
        ]
        for time in sorted({time for one in found for time in one}):
            cells = [_cell(one.get(time), part) for one, part in zip(found, parts, strict=True)]
            rows.append((label, ((show.number(time), time), *cells)))
    headings = [part.of.heading.format(part.process) for part in parts]
    return DataTable(("Variant", "Time, s", *headings), tuple(rows))


def _cell(value: float | None, part: _Part) -> tuple[str, float | None]:
    return (show.NOT_PRINTED if value is None else part.of.write(value), value)
