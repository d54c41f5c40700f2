"""What the figure of a sweep says in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.scales import levels_axis
from benchkit.figures.swept import (
    LEAST_FOR_INTERVAL,
    METRICS,
    Crossing,
    Line,
    Swept,
    at_equal_load,
    crossings,
)

_FEW_LINES: Final = 3
_LONGEST: Final = 130  # characters of a title
#: What bands are, by `_kinds`.
_BANDS: Final = {
    (): "",
    (False,): ", bands the range over runs",
    (True,): ", bands the 95% interval of the median",
    (False, True): (
        f", bands the range or, from {LEAST_FOR_INTERVAL} runs on, the 95% interval of the median"
    ),
}


def title(found: Swept, *, latency: bool) -> str:
    """Return where lines change places, or where throughput stopped growing."""
    for metric in ("throughput", "p99"):
        turns = crossings(found, metric)
        if len(turns) == 1:
            return _changed(found, turns[0])
    told = [one for one in found.lines if one.knee and one.named]
    if not told:
        what = "Throughput and latency" if latency else "Throughput"
        return f"{what} by {show.clean(found.param, limit=40)}"
    return _grown(found, told)


def _changed(found: Swept, turn: Crossing) -> str:
    what = "had the higher throughput" if turn.metric == "throughput" else "had the higher p99"
    until, since = show.number(turn.until), show.number(turn.since)
    kinds = _kinds([turn.first, turn.second], [turn.metric])
    how = "in all runs" if kinds == (False,) else "by their intervals"
    how = "by their ranges or intervals" if len(kinds) > 1 else how
    param = show.clean(found.param, limit=30)
    first, second = (show.quoted(one.name, limit=40) for one in (turn.first, turn.second))
    return f"{first} {what} up to {param} {until}, {second} from {since}, {how}"


def _grown(found: Swept, told: Sequence[Line]) -> str:
    """Return where throughput stopped growing, or that it had not."""
    param, last = show.clean(found.param, limit=30), show.number(found.levels[-1])
    at = {one.name: one.knee.level for one in told if one.knee}
    levels = sorted({level for level in at.values() if level is not None})
    growing = show.listed(_together(told, [one for one in told if at[one.name] is None]))
    whose = "" if len(told) == len(found.lines) else f" with {_of_all(found, told)}"
    if not levels:
        return f"Throughput still grew at {param} {last}{whose}"
    if len(set(at.values())) == 1:
        return f"Throughput stopped growing at {param} {show.number(levels[0])}{whose}"
    still = f"; with {growing} it still grew at {last}" if growing else ""
    parts = [
        f"{show.number(level)} with {show.listed(_together(told, group))}"
        for level in levels
        if (group := [one for one in told if at[one.name] == level])
    ]
    title = f"Throughput stopped growing at {param} {show.listed(parts)}{still}"
    if len(title) <= _LONGEST:
        return title
    ends = [show.number(levels[0]), last if growing else show.number(levels[-1])]
    past = " or beyond" if growing else ""
    return f"Throughput stopped growing between {param} {show.listed(ends)}{past}{whose}"


def _of_all(found: Swept, told: Sequence[Line]) -> str:
    """Return the lines that a title speaks of where they are not all; many as their number."""
    names = _together(found.lines, told)
    if len(names) <= _FEW_LINES:
        return show.listed(names)
    return f"{len(told)} of {show.plural(len(found.lines), 'line')}"


def _kinds(lines: Iterable[Line], metrics: Iterable[str]) -> tuple[bool, ...]:
    """Return whether bands are intervals; both where some are, nothing where none is drawn."""
    spots = (s for one in lines for m in metrics for s in one.spots.get(m, {}).values())
    return tuple(sorted({spot.runs >= LEAST_FOR_INTERVAL for spot in spots if spot.runs > 1}))


def _together(every: Sequence[Line], group: Sequence[Line]) -> list[str]:
    """Return the names of some lines; all lines of a variant are named as that variant."""
    names = []
    for one in group:
        mine = [line for line in every if line.variant == one.variant]
        whole = len(mine) < len(every) and all(line in group for line in mine)
        names.append(one.variant if whole else one.name)
    return [show.quoted(name, limit=40) for name in dict.fromkeys(names)]


def subtitle(found: Swept) -> str:
    """Return scales and marks, and latencies at equal throughput."""
    fewest, most = found.runs
    param = show.clean(found.param, limit=30)
    scale = "log axis" if levels_axis(found.levels).scale == "log" else "linear axis"
    parts = [f"Against {param}, {scale}, each tested level ticked."]
    if most > 1:
        count = show.plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
        bands = _BANDS[_kinds([one for one in found.lines if one.named], METRICS)]
        parts.append(f"Marks are medians of {count}{bands}.")
    if any(one.named and one.knee and one.knee.level is not None for one in found.lines):
        parts.append("A ring marks the first level with 95% of the highest throughput.")
    if dotted(found):
        parts.append(f"Dotted is {dotted(found)}.")
    grey = sum(not one.named for one in found.lines)
    if grey:
        parts.append(f"{show.plural(grey, 'variant')} in grey, named in the table.")
    if any(_zeros(one) for one in found.lines):
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts + _equal(found))


def _zeros(line: Line) -> bool:
    spots = [spot for metric in ("p50", "p99") for spot in line.spots.get(metric, {}).values()]
    return any(spot.low <= 0 for spot in spots)


def dotted(found: Swept) -> str:
    """Return the params that dotted lines have in common, empty without such lines."""
    settings = {one.name.removeprefix(f"{one.variant}, ") for one in found.lines if one.dotted}
    return show.clean(settings.pop(), limit=60) if len(settings) == 1 else ""


def _equal(found: Swept) -> list[str]:
    """Return the latencies at equal throughput in a sentence, nothing where they are unknown."""
    told = at_equal_load(found)
    if told is None or len(told[1]) > _FEW_LINES:
        return []
    at, latencies = told
    each = [
        f"{show.duration(latency)} with {show.quoted(name, limit=40)}"
        for name, latency in latencies.items()
    ]
    where = f"{show.rate(at)}{show.NBSP}req/s"
    return [f"At {where}, between tested levels, p99 was {show.listed(each)}."]
