"""Names at the ends of lines: what stands there instead of a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from benchkit.figures import look
from benchkit.figures.chart import Axis, Note, Panel
from benchkit.figures.scales import spread

_WIDTH: Final = 520  # of the plot area in px, about
_CHARACTER: Final = 7.5  # px of a character of a name, about
_LEAST_ROOM: Final = 0.13  # where the figure is narrow, this is a short name
_MOST_ROOM: Final = 0.45
_GAP: Final = look.LABEL_GAP + 2


def end_name(x: float, y: float, text: str, role: str) -> Note:
    """Return the name of a line that ends there, in a darker shade of its colour if need be."""
    return Note(x, y, text, role=look.text_role(role), dx=12, bold=True)


def apart(
    notes: Sequence[Note], heights: Sequence[float], *, gap: float = _GAP
) -> tuple[Note, ...]:
    """Return notes moved up or down so far that they do not touch.

    Args:
        notes: In any order.
        heights: Where each stands, in px from above; only their distances count.
        gap: In px, at least.
    """
    moved = spread(heights, gap=gap)
    pairs = zip(notes, moved, heights, strict=True)
    return tuple(replace(note, dy=note.dy + new - old) for note, new, old in pairs)


def end_names(names: Sequence[Note], axis: Axis, *, height: float) -> tuple[Note, ...]:
    """Return the names, pushed apart and kept above the axis below them.

    Args:
        names: Of the lines of one panel.
        axis: Its y axis.
        height: Of the panel in px.
    """
    heights = [-axis.share(name.y) * height for name in names]
    moved = _above(spread(heights, gap=_GAP))
    return tuple(
        replace(name, dy=new - old) for name, old, new in zip(names, heights, moved, strict=True)
    )


def respread(panel: Panel, *, height: float) -> Panel:
    """Return a panel whose names at line ends are apart at another height, in px."""
    bold = [note for note in panel.notes if note.bold and note.align == "left"]
    if len(bold) < 2:
        return panel
    moved = dict(zip(map(id, bold), end_names(bold, panel.y, height=height), strict=True))
    return replace(panel, notes=tuple(moved.get(id(note), note) for note in panel.notes))


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
        floor = moved[i] - _GAP
    return moved
