"""Names at the ends of lines: what stands there instead of a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchkit.figures import look
from benchkit.figures.chart import Axis, Note, Panel
from benchkit.figures.scales import spread

_WIDTH: Final = 520  # of the plot area in px, about
_CHARACTER: Final = 7.5  # px of a character of a name, about
_LEAST_ROOM: Final = 0.13  # where the figure is narrow, this is a short name
_MOST_ROOM: Final = 0.45


@dataclass(frozen=True, slots=True)
class LineEnd:
    """Where a line ends, and what it is called."""

    x: float
    y: float
    text: str
    role: str


def end_names(ends: Sequence[LineEnd], axis: Axis, *, height: float) -> tuple[Note, ...]:
    """Return the names, pushed apart and kept above the axis below them.

    Args:
        ends: Of the lines of one panel.
        axis: Its y axis.
        height: Of the panel in px.
    """
    heights = [-axis.share(end.y) * height for end in ends]
    moved = _above(spread(heights, gap=look.LABEL_GAP + 2))
    return tuple(
        Note(
            end.x,
            end.y,
            end.text,
            role=look.text_role(end.role),
            dx=12,
            dy=new - old,
            bold=True,
        )
        for end, old, new in zip(ends, heights, moved, strict=True)
    )


def respread(panel: Panel, *, height: float) -> Panel:
    """Return a panel whose names at line ends are apart at another height, in px."""
    bold = [note for note in panel.notes if note.bold and note.align == "left"]
    if len(bold) < 2:
        return panel
    heights = [-panel.y.share(note.y) * height for note in bold]
    moved = _above(spread(heights, gap=look.LABEL_GAP + 2))
    new = {id(note): now - was for note, now, was in zip(bold, moved, heights, strict=True)}
    notes = (replace(note, dy=new.get(id(note), note.dy)) for note in panel.notes)
    return replace(panel, notes=tuple(notes))


def with_room(axis: Axis, names: Iterable[str]) -> Axis:
    """Return an x axis that is longer than its data by the room of the longest name."""
    longest = max(map(len, names), default=0)
    share = min(_MOST_ROOM, max(_LEAST_ROOM, (_CHARACTER * longest + 24) / _WIDTH))
    if axis.scale == "log":
        return replace(axis, high=axis.low * (axis.high / axis.low) ** (1 / (1 - share)))
    return replace(axis, high=axis.low + (axis.high - axis.low) / (1 - share))


def _above(heights: Sequence[float]) -> list[float]:
    """Return heights moved up as far as needed to stand above the axis, 0."""
    moved, floor = list(heights), -6.0
    for i in sorted(range(len(heights)), key=lambda i: -heights[i]):
        moved[i] = min(moved[i], floor)
        floor = moved[i] - look.LABEL_GAP - 2
    return moved
