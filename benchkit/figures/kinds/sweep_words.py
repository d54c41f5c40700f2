"""What the figure of a sweep says in words."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare.sweep import equal_load, repetitions, value_at
from benchkit.figures.kinds.swept import (
    LEAST_FOR_INTERVAL,
    METRICS,
    P50,
    P99,
    Crossing,
    Swept,
    SweptLine,
    crossings,
)
from benchkit.figures.scales import ZEROS, levels_axis
from benchkit.model.metric import THROUGHPUT, Metric

_FEW_LINES: Final = 3
_LONGEST: Final = 130  # characters of a title
#: What bands are, by `_band_kinds`.
_BANDS: Final = {
    (): "",
    (False,): ", bands the range over runs",
    (True,): ", bands the 95% interval of the median",
    (False, True): (
        f", bands the range or, from {LEAST_FOR_INTERVAL} runs on, the 95% interval of the median"
    ),
}


def title(sweep: Swept, *, latency: bool) -> str:
    """Return where lines change places, or where throughput stopped growing."""
    for metric in (THROUGHPUT, P99):
        turns = crossings(sweep, metric)
        if len(turns) == 1 and turns[0].everywhere:
            return _changed(sweep, turns[0])
    lines = [line for line in sweep.named if line.knee]
    if not lines:
        what = "Throughput and latency" if latency else "Throughput"
        return f"{what} by {show.clean(sweep.param, limit=40)}"
    return _grown(sweep, lines)


def _changed(sweep: Swept, turn: Crossing) -> str:
    until, since = show.number(turn.until), show.number(turn.since)
    kinds = _band_kinds([turn.first, turn.second], [turn.metric])
    how = "in all runs" if kinds == (False,) else "by their intervals"
    how = "by their ranges or intervals" if len(kinds) > 1 else how
    param = sweep.name
    first, second = (show.quoted(line.label, limit=40) for line in (turn.first, turn.second))
    what = f"had the higher {turn.metric.subject}"
    return f"{first} {what} up to {param} {until}, {second} from {since}, {how}"


def _grown(sweep: Swept, lines: Sequence[SweptLine]) -> str:
    """Return where throughput stopped growing, or that it had not."""
    param, last = sweep.name, show.number(sweep.levels[-1])
    knees = {line.label: line.knee.level for line in lines if line.knee}
    levels = sorted({level for level in knees.values() if level is not None})
    whose = "" if len(lines) == len(sweep.lines) else f" with {_of_all(sweep, lines)}"
    if not levels:
        return f"Throughput still grew at {param} {last}{whose}"
    if len(set(knees.values())) == 1:
        return f"{_stopped(sweep, levels[0])}{whose}"
    growing = show.listed(_together(lines, [line for line in lines if knees[line.label] is None]))
    parts = [
        f"{show.number(level)} with {show.listed(_together(lines, group))}"
        for level in levels
        if (group := [line for line in lines if knees[line.label] == level])
    ]
    still = f"; with {growing} it still grew at {last}" if growing else ""
    what = "first came within 5% of its highest" if sweep.levels[0] in levels else "stopped growing"
    text = f"Throughput {what} at {param} {show.listed(parts)}{still}"
    if len(text) <= _LONGEST:
        return text
    span = [show.number(levels[0]), last if growing else show.number(levels[-1])]
    past = " or beyond" if growing else ""
    return f"Throughput {what} between {param} {show.listed(span)}{past}{whose}"


def _stopped(sweep: Swept, level: float) -> str:
    param, number = sweep.name, show.number(level)
    if level == sweep.levels[0]:
        return f"Throughput hardly grew beyond {param} {number}, the lowest level"
    return f"Throughput stopped growing at {param} {number}"


def _of_all(sweep: Swept, lines: Sequence[SweptLine]) -> str:
    """Return the lines that a title speaks of where they are not all; many as their number."""
    names = _together(sweep.lines, lines)
    if len(names) <= _FEW_LINES:
        return show.listed(names)
    return f"{len(lines)} of {show.plural(len(sweep.lines), 'line')}"


def _band_kinds(lines: Iterable[SweptLine], metrics: Sequence[Metric]) -> tuple[bool, ...]:
    """Return whether bands are intervals; both where some are, nothing where none is drawn."""
    spots = (spot for line in lines for m in metrics for spot in line.spots[m].values())
    return tuple(sorted({spot.runs >= LEAST_FOR_INTERVAL for spot in spots if spot.runs > 1}))


def _together(every: Sequence[SweptLine], group: Sequence[SweptLine]) -> list[str]:
    """Return the names of some lines; all lines of a variant are named as that variant."""
    names = []
    for line in group:
        mine = [other for other in every if other.variant == line.variant]
        whole = len(mine) < len(every) and all(other in group for other in mine)
        names.append(line.variant if whole else line.label)
    return [show.quoted(name, limit=40) for name in dict.fromkeys(names)]


def subtitle(sweep: Swept) -> str:
    """Return scales and marks, and latencies at equal throughput."""
    scale = "log axis" if levels_axis(sweep.levels).scale == "log" else "linear axis"
    parts = [f"Against {sweep.name}, {scale}, each tested level ticked."]
    if sweep.most_runs > 1:
        parts.append(f"Marks are {sweep.medians}{_BANDS[_band_kinds(sweep.named, METRICS)]}.")
    if any(line.knee and line.knee.level is not None for line in sweep.named):
        parts.append("A ring marks the first level with 95% of the highest throughput.")
    if dotted(sweep):
        parts.append(f"Dotted is {dotted(sweep)}.")
    grey = len(sweep.lines) - len(sweep.named)
    if grey:
        parts.append(f"{show.plural(grey, 'variant')} in grey, named in the table.")
    latencies = (line.spots[metric] for line in sweep.lines for metric in (P50, P99))
    if any(spot.low <= 0 for spots in latencies for spot in spots.values()):
        parts.append(ZEROS)
    parts += at_equal_load(sweep, P99, show.duration, "p99", most=_FEW_LINES)
    return " ".join(parts)


def dotted(sweep: Swept) -> str:
    """Return the params that dotted lines have in common, empty without such lines."""
    lines = (line for line in sweep.lines if line.dotted)
    settings = {line.label.removeprefix(f"{line.variant}, ") for line in lines}
    return show.clean(settings.pop(), limit=60) if len(settings) == 1 else ""


def at_equal_load(
    sweep: Swept,
    metric: Metric,
    write: Callable[[float], str],
    word: str,
    *,
    most: float = math.inf,
) -> list[str]:
    """Return a metric of each line at one throughput as a sentence, nothing where it is unknown.

    Only lines of the baseline's other params are compared, and no more than so many.
    """
    first, *others = sweep.lines
    lines = [first, *(o for o in others if o.curve.rest == first.curve.rest and o.coloured)]
    if not 2 <= len(lines) <= most or any(line.knee is None for line in lines):
        return []
    series = {line: repetitions(line.curve) for line in lines}
    at = equal_load(list(series.values()))
    if at is None:
        return []
    words = []
    for line, repeated in series.items():
        values = [value_at(points, metric, at) for points in repeated]
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return []
        name = show.quoted(line.label, limit=40)
        words.append(f"{write(statistics.median(known))} with {name}")
    where = f"At {THROUGHPUT.prose(at)}, between tested levels"
    return [f"{where}, {word} was {show.listed(words)}."]
