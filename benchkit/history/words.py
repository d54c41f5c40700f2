"""What a history says, in words: for the terminal and the page alike."""

from __future__ import annotations

import re
from typing import Final

from benchkit import format as show
from benchkit.history.circumstances import Break
from benchkit.history.saves import Save
from benchkit.history.trends import ChangePoint, History, SavedPoint, Trend

#: A hash is cut to so many characters, any other name of a commit later.
_SHORT: Final = 10
_LONGEST: Final = 24
_HASH: Final = re.compile(r"[0-9a-f]{16,64}")
NO_CHANGE: Final = "No change of level was found."


def commit(save: Save) -> str:
    """Return a commit, clean and short."""
    if _HASH.fullmatch(save.commit):
        return save.commit[:_SHORT]
    return show.clean(save.commit, limit=_LONGEST)


def heading(history: History) -> str:
    """Return what the trends are of."""
    saves = history.on_branch
    span = f"{saves[0].date} to {saves[-1].date}"
    return f"{show.clean(history.branch, limit=60)}, {show.plural(len(saves), 'save')}, {span}"


def others(history: History) -> str:
    """Return which other branches there are, nothing without any."""
    rest = {name: n for name, n in history.branches.items() if name != history.branch}
    if not rest:
        return ""
    named = [f"{show.clean(name, limit=40)} ({n})" for name, n in rest.items()][:8]
    more = f" and {len(rest) - 8} more" if len(rest) > 8 else ""
    return f"Other branches: {', '.join(named)}{more}."


def sizes(change: ChangePoint) -> str:
    """Return the magnitude of a change with its interval, where there is one."""
    effect = change.effect
    if effect.ratio is None:
        return show.points(effect.points) if effect.points else ""
    if effect.interval is None:
        return show.change(effect.ratio)
    return show.change_with_interval(effect.ratio, effect.interval.low, effect.interval.high)


def direction(change: ChangePoint) -> str:
    """Return whether it is better or worse, empty where neither is."""
    return {True: "worse", False: "better", None: ""}[change.worse]


def sentence(trend: Trend, change: ChangePoint) -> str:
    """Return what changed by how much, at which commit."""
    worse = direction(change)
    measured = f" ({'; '.join(change.circumstances)})" if change.circumstances else ""
    return (
        f"{trend.metric.title}{measured} {sizes(change)}{f', {worse},' if worse else ''} from "
        f"{commit(change.at)} of {change.at.date} on; the last before it is {commit(change.last)}"
    )


def measured_otherwise(each: Break) -> str:
    """Return how else runs were made from a save on, be it in turn with the way before."""
    differences = "; ".join(each.differences)
    return f"First measured otherwise at {commit(each.at)}: {differences}. Not compared across."


def compared(change: ChangePoint) -> str:
    """Return what stands on both sides of the comparison."""
    effect = change.effect
    sides = (
        (effect.baseline_runs, len(change.before)),
        (effect.runs, len(change.after)),
    )
    first, second = (
        f"{show.plural(runs, 'run')} of {show.plural(saves, 'save')}" for runs, saves in sides
    )
    return f"{first} before, {second} after"


def method(history: History) -> str:
    """Return how change points were looked for."""
    if not history.tests:
        return "No series is long enough for change points: six saves are the least."
    series = show.plural(history.tests, "series", "series")
    searched = f"Change points: ranks over all splits, {series} searched as one family."
    if not any(change.effect.interval for _, change in history.changes):
        return searched
    return f"{searched} Their intervals take runs for independent; those of one save are not quite."


def spread(trend: Trend) -> str:
    """Return what the bounds beside the values are."""
    confidences = {point.confidence for point in trend.points}
    if confidences == {None}:
        return "range over the runs"
    if None in confidences:
        return "95\u00a0% interval of the median, of fewer than five runs their range"
    return "95\u00a0% interval of the median"


def cell(trend: Trend, point: SavedPoint) -> str:
    """Return a value with its bounds where several runs have it."""
    texts = trend.metric.cells([point.value, point.low, point.high])
    if point.runs == 1:
        return str(texts[0])
    return f"{texts[0]} ({texts[1]}{show.EN_DASH}{texts[2]})"
