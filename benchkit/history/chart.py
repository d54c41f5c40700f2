"""The trends of one variant as a figure: a panel per metric, a line along the commits."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.marks import RANGE
from benchkit.figures.scales import linear_around
from benchkit.history import words
from benchkit.history.saves import Save
from benchkit.history.trends import SavedPoint, Trend

_PANEL: Final = 150  # px
_EDGE: Final = 60
_TICKS: Final = 4
_TICK: Final = 7  # characters
_LINE: Final = "v1"
_LEVEL: Final = "v0"
_MARKED: Final = "v2"
#: Of fewer points each has a mark.
_MANY: Final = 60
_ASIDE: Final = 6.0  # px
_INTERVAL: Final = 0.18


def trend_chart(trends: Sequence[Trend]) -> Chart:
    """Return the figure of the metrics of one variant."""
    saves = list({p.save.id: p.save for trend in trends for p in trend.points}.values())
    places = {save.id: n for n, save in enumerate(saves)}
    changes = sum(len(trend.changes) for trend in trends)
    name = show.clean(trends[0].name, limit=80)
    count = show.plural(changes, "change point") if changes else "no change point"
    return Chart(
        kind="history",
        title=f"{name}: {count} in {show.plural(len(saves), 'save')}",
        caption=(
            f"Median of each save along the commits; the band is the {words.spread(trends[0])}. "
            "Grey lines are the levels between change points; a line ends where something other "
            "than the commit changed."
        ),
        label=". ".join(_spoken(trend) for trend in trends),
        panels=tuple(_panel(trend, saves, places) for trend in trends),
        table=_table(trends, saves),
        height=_EDGE + _PANEL * len(trends),
    )


def _panel(trend: Trend, saves: Sequence[Save], places: dict[str, int]) -> Panel:
    values = [bound for point in trend.points for bound in (point.low, point.high)]
    metric = trend.metric

    def written(ticks: Sequence[float]) -> list[str]:
        return [str(text) for text in metric.cells(ticks)]

    axis = linear_around(values, room=0.12, write=written)
    levels, notes = _levels(trend, places), _notes(trend, places)
    lines = [_line(trend, list(part), places) for part in _runs_of_groups(trend)]
    heading = metric.heading([tick for tick, _ in axis.ticks] or values)
    return Panel(_x_axis(saves), axis, (*levels, *lines), tuple(notes), heading, name=metric.name)


def _runs_of_groups(trend: Trend) -> list[list[SavedPoint]]:
    """Return neighbouring points that were measured alike."""
    return [list(part) for _, part in groupby(trend.points, key=lambda point: point.group)]


def _line(trend: Trend, points: Sequence[SavedPoint], places: dict[str, int]) -> Series:
    several = any(point.low < point.high for point in points)
    return Series(
        trend.metric.title,
        _LINE,
        tuple(float(places[point.save.id]) for point in points),
        tuple(point.value for point in points),
        line=2.0,
        marker=5.0 if len(trend.points) <= _MANY else 0.0,
        low=tuple(point.low for point in points) if several else (),
        high=tuple(point.high for point in points) if several else (),
        band=_INTERVAL if all(point.confidence for point in points) else RANGE,
        hover=tuple(f"{words.commit(p.save)}: {words.cell(trend, p)}" for p in points),
    )


def _levels(trend: Trend, places: dict[str, int]) -> list[Series]:
    """Return a line at the median of each stretch between change points, where there are any."""
    if not trend.changes:
        return []
    starts = {change.at.id for change in trend.changes}
    stretches: dict[tuple[int, int], list[SavedPoint]] = {}
    numbers: dict[int, int] = {}
    for point in trend.points:
        number = numbers.get(point.group, 0) + (point.save.id in starts)
        numbers[point.group] = number
        stretches.setdefault((point.group, number), []).append(point)
    return [
        Series(
            "level",
            _LEVEL,
            (places[points[0].save.id] - 0.3, places[points[-1].save.id] + 0.3),
            (statistics.median(point.value for point in points),) * 2,
            line=1.5,
            in_table=False,
        )
        for points in stretches.values()
    ]


def _notes(trend: Trend, places: dict[str, int]) -> list[Note]:
    """Return the size of each change, in a corner of its step that the line leaves free.

    Before a step that is at the height of the new level, behind it at that of the old one.
    """
    values = {point.save.id: point.value for point in trend.points}
    notes = []
    for change in trend.changes:
        is_late = places[change.at.id] > max(places.values()) / 2
        beside, height = (change.last, change.at) if is_late else (change.at, change.last)
        notes.append(
            Note(
                float(places[beside.id]),
                values[height.id],
                words.sizes(change).partition(" (")[0],
                _MARKED,
                "right" if is_late else "left",
                dx=-_ASIDE if is_late else _ASIDE,
                bold=True,
            )
        )
    return notes


def _x_axis(saves: Sequence[Save]) -> Axis:
    last = len(saves) - 1
    step = max(1, math.ceil(last / (_TICKS - 1)))
    # Counted from the last save, whose name has to stand there.
    ticks = [(float(n), words.commit(saves[n])[:_TICK]) for n in range(last, -1, -step)][::-1]
    edge = 0.06 * max(last, 1)
    return Axis("linear", -edge, last + edge, tuple(ticks), grid=False)


def _spoken(trend: Trend) -> str:
    first, last = (words.cell(trend, trend.points[n]) for n in (0, -1))
    heading = trend.metric.heading([trend.points[-1].value])
    return f"{heading}: {first} in the first save, {last} in the last"


def _table(trends: Sequence[Trend], saves: Sequence[Save]) -> DataTable:
    headings = [
        heading
        for trend in trends
        for heading in (trend.metric.heading([p.value for p in trend.points]), "from", "to")
    ]
    columns = [column for trend in trends for column in _columns(trend)]
    runs = {p.save.id: p.runs for trend in trends for p in trend.points}
    rows = tuple(
        (
            words.commit(save),
            (
                (show.clean(save.saved_at.replace("T", " ")[:16]), None),
                (str(runs[save.id]), float(runs[save.id])),
                *(column.get(save.id, (show.NOT_PRINTED, None)) for column in columns),
            ),
        )
        for save in saves
    )
    return DataTable(("Commit", "Saved, UTC", "Runs", *headings), rows)


def _columns(trend: Trend) -> list[dict[str, Cell]]:
    listed: list[dict[str, Cell]] = []
    for name in ("value", "low", "high"):
        values = [float(getattr(point, name)) for point in trend.points]
        texts = trend.metric.cells([p.value for p in trend.points] + values)[len(values) :]
        cells = zip(trend.points, map(str, texts), values, strict=True)
        listed.append({point.save.id: (text, value) for point, text, value in cells})
    return listed
