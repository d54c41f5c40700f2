"""What the figure of a sweep says in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.kinds.swept import (
    LEAST_FOR_INTERVAL,
    METRICS,
    P50,
    P99,
    Crossing,
    Swept,
    SweptLine,
    at_equal_load,
    crossings,
)
from benchkit.figures.scales import levels_axis
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
    lines = [line for line in sweep.lines if line.knee and line.named]
    if not lines:
        what = "Throughput and latency" if latency else "Throughput"
        return f"{what} by {show.clean(sweep.param, limit=40)}"
    return _grown(sweep, lines)


def _changed(sweep: Swept, turn: Crossing) -> str:
    until, since = show.number(turn.until), show.number(turn.since)
    kinds = _band_kinds([turn.first, turn.second], [turn.metric])
    how = "in all runs" if kinds == (False,) else "by their intervals"
    how = "by their ranges or intervals" if len(kinds) > 1 else how
    param = show.clean(sweep.param, limit=30)
    first, second = (show.quoted(line.name, limit=40) for line in (turn.first, turn.second))
    what = f"had the higher {turn.metric.subject}"
    return f"{first} {what} up to {param} {until}, {second} from {since}, {how}"


def _grown(sweep: Swept, lines: Sequence[SweptLine]) -> str:
    """Return where throughput stopped growing, or that it had not."""
    param, last = show.clean(sweep.param, limit=30), show.number(sweep.levels[-1])
    knees = {line.name: line.knee.level for line in lines if line.knee}
    levels = sorted({level for level in knees.values() if level is not None})
    whose = "" if len(lines) == len(sweep.lines) else f" with {_of_all(sweep, lines)}"
    if not levels:
        return f"Throughput still grew at {param} {last}{whose}"
    if len(set(knees.values())) == 1:
        return f"{_stopped(sweep, levels[0])}{whose}"
    growing = show.listed(_together(lines, [line for line in lines if knees[line.name] is None]))
    parts = [
        f"{show.number(level)} with {show.listed(_together(lines, group))}"
        for level in levels
        if (group := [line for line in lines if knees[line.name] == level])
    ]
    still = f"; with {growing} it still grew at {last}" if growing else ""
    what = "first came within 5% of its highest" if sweep.levels[0] in levels else "stopped growing"
    text = f"Throughput {what} at {param} {show.listed(parts)}{still}"
    if len(text) <= _LONGEST:
        return text
    ends = [show.number(levels[0]), last if growing else show.number(levels[-1])]
    past = " or beyond" if growing else ""
    return f"Throughput {what} between {param} {show.listed(ends)}{past}{whose}"


def _stopped(sweep: Swept, level: float) -> str:
    param, number = show.clean(sweep.param, limit=30), show.number(level)
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
        names.append(line.variant if whole else line.name)
    return [show.quoted(name, limit=40) for name in dict.fromkeys(names)]


def subtitle(sweep: Swept) -> str:
    """Return scales and marks, and latencies at equal throughput."""
    fewest, most = sweep.runs
    param = show.clean(sweep.param, limit=30)
    scale = "log axis" if levels_axis(sweep.levels).scale == "log" else "linear axis"
    parts = [f"Against {param}, {scale}, each tested level ticked."]
    if most > 1:
        count = show.plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
        bands = _BANDS[_band_kinds([line for line in sweep.lines if line.named], METRICS)]
        parts.append(f"Marks are medians of {count}{bands}.")
    if any(line.named and line.knee and line.knee.level is not None for line in sweep.lines):
        parts.append("A ring marks the first level with 95% of the highest throughput.")
    if dotted(sweep):
        parts.append(f"Dotted is {dotted(sweep)}.")
    grey = sum(not line.named for line in sweep.lines)
    if grey:
        parts.append(f"{show.plural(grey, 'variant')} in grey, named in the table.")
    if any(_zeros(line) for line in sweep.lines):
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts + _equal(sweep))


def _zeros(line: SweptLine) -> bool:
    return any(spot.low <= 0 for metric in (P50, P99) for spot in line.spots[metric].values())


def dotted(sweep: Swept) -> str:
    """Return the params that dotted lines have in common, empty without such lines."""
    lines = (line for line in sweep.lines if line.dotted)
    settings = {line.name.removeprefix(f"{line.variant}, ") for line in lines}
    return show.clean(settings.pop(), limit=60) if len(settings) == 1 else ""


def _equal(sweep: Swept) -> list[str]:
    """Return the latencies at equal throughput in a sentence, nothing where they are unknown."""
    equal = at_equal_load(sweep)
    if equal is None or len(equal[1]) > _FEW_LINES:
        return []
    at, latencies = equal
    each = [
        f"{show.duration(latency)} with {show.quoted(name, limit=40)}"
        for name, latency in latencies.items()
    ]
    return [f"At {THROUGHPUT.prose(at)}, between tested levels, p99 was {show.listed(each)}."]
