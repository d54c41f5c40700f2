"""What every drawer of cells needs: the places of the words and their colours, the gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from benchkit.figures.chart import Axis, CellGrid, Panel


class Word(NamedTuple):
    """The text in the middle of a cell; bold where the cell has a value."""

    x: float
    y: float
    text: str
    role: str
    bold: bool


def ink(value: float | None) -> str:
    """Return the role of text that is readable in a cell of the ratio scale.

    The middle of the scale is as light or dark as the page; its ends are dark on a light page
    and light on a dark one, and what lies between is light on both.
    """
    if value is None:
        return "muted"
    far = abs(2 * value - 1)
    return "text" if far < 0.72 else "ink" if far < 0.88 else "page"


def words(panel: Panel, cells: CellGrid) -> Iterator[Word]:
    """Yield the text of each cell that has any."""
    xs, ys = _middles(cells.xs, panel.x), _middles(cells.ys, panel.y)
    for y, texts, values in zip(ys, cells.texts, cells.values, strict=False):
        for x, text, value in zip(xs, texts, values, strict=True):
            if text:
                yield Word(x, y, text, ink(value), bold=value is not None)


def gaps(cells: CellGrid) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, right, lower and upper edge of each cell without data."""
    for values, rows in zip(cells.values, pairwise(cells.ys), strict=True):
        for value, columns in zip(values, pairwise(cells.xs), strict=True):
            if value is None:
                yield *columns, *rows


def _middles(edges: tuple[float, ...], axis: Axis) -> list[float]:
    """Return the middle of each column or row as it is seen on this axis."""
    if axis.scale == "log":
        return [float((a * b) ** 0.5) for a, b in pairwise(edges)]
    return [(a + b) / 2 for a, b in pairwise(edges)]
