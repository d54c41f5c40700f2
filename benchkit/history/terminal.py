"""A history for a terminal: the changes first, then each variant along its last saves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.history import words
from benchkit.history.saves import Save
from benchkit.history.trends import ChangePoint, History, Trend
from benchkit.report.terminal import PrintedColumn, printed_table, text_of, wrapped

if TYPE_CHECKING:
    from rich.console import RenderableType

#: So many saves of a variant are listed, the last ones.
_LISTED: Final = 15
_BARS: Final = "▁▂▃▄▅▆▇█"


def render(history: History, *, width: int, colour: bool = False) -> str:
    """Return the history as text of at most `width` columns, commands excepted."""
    parts: list[list[RenderableType]] = [
        [
            *wrapped([f"{show.clean(history.address)}: {words.heading(history)}"], width, "bold"),
            *wrapped([words.others(history), words.method(history)], width, "dim"),
        ],
        [*_changes(history, width)],
    ]
    by_variant: dict[str, list[Trend]] = defaultdict(list)
    for trend in history.trends:
        by_variant[f"{show.clean(trend.name)} ({show.clean(trend.tools)})"].append(trend)
    parts += [
        [*_variant(name, trends, history.on_branch, width)] for name, trends in by_variant.items()
    ]
    return text_of([part for part in parts if part], width, colour=colour)


def _changes(history: History, width: int) -> Iterator[RenderableType]:
    if not history.changes:
        yield from wrapped([words.NO_CHANGE], width)
    for trend, change in history.changes:
        name = show.clean(trend.name, limit=60)
        lines = [f"{name}: {words.sentence(trend, change)}."]
        yield from wrapped(lines, width, "bold" if change.worse else "")
        yield from wrapped([f"{words.compared(change)}; the comparison:"], width, "dim")
        yield show.clean(f"  {change.command}")


def _variant(
    name: str, trends: Sequence[Trend], branch: Sequence[Save], width: int
) -> Iterator[RenderableType]:
    yield from wrapped([name], width, "bold")
    saves = {point.save.id: point.save for trend in trends for point in trend.points}
    listed = list(saves.values())[-_LISTED:]
    yield printed_table([*_names(listed, trends), *(_column(t, listed) for t in trends)], width)
    lines = [f"{trend.metric.title}: {_spark(trend, branch[-1])}" for trend in trends]
    yield from wrapped(lines, width)
    if len(saves) > len(listed):
        yield from wrapped([f"The last {len(listed)} of {len(saves)} saves."], width, "dim")
    for each in trends[0].breaks:
        yield from wrapped([words.measured_otherwise(each)], width, "dim")


def _names(saves: Sequence[Save], trends: Sequence[Trend]) -> list[PrintedColumn]:
    runs = {point.save.id: point.runs for trend in trends for point in trend.points}
    return [
        PrintedColumn("commit", [words.commit(save) for save in saves]),
        PrintedColumn("saved", [save.date for save in saves], 1, quiet=True),
        PrintedColumn("runs", [str(runs[save.id]) for save in saves], 2, right=True, quiet=True),
    ]


def _column(trend: Trend, saves: Sequence[Save]) -> PrintedColumn:
    """Return the values of a metric; a change stands before the first value of its level."""
    points = {point.save.id: point for point in trend.points}
    changed: dict[str, ChangePoint] = {change.at.id: change for change in trend.changes}
    known = [points[save.id].value for save in saves if save.id in points]
    texts = dict(zip(known, trend.metric.cells(known), strict=True))
    cells = []
    for save in saves:
        point, change = points.get(save.id), changed.get(save.id)
        text = show.NOT_PRINTED if point is None else str(texts[point.value])
        cells.append(f"{words.sizes(change).split(' (')[0]} → {text}" if change else text)
    return PrintedColumn(trend.metric.heading(known), cells, right=True)


def _spark(trend: Trend, newest: Save) -> str:
    """Return the values as bars from their smallest to their largest."""
    values = [point.value for point in trend.points]
    low, high = min(values), max(values)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    bars = "".join(_BARS[round((value - low) * scale)] for value in values)
    last = words.cell(trend, trend.points[-1])
    heading = trend.metric.heading([trend.points[-1].value]).partition(", ")[2]
    at = trend.points[-1].save
    when = "now" if at.id == newest.id else f"at {words.commit(at)}"
    return f"{bars} {when} {last} {heading}".rstrip()
