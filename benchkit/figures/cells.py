"""What every drawer of cells needs: middles, colours of the words, cells without data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from benchkit.figures.chart import Axis, CellGrid


def middles(edges: tuple[float, ...], axis: Axis) -> list[float]:
    """Return the middle of each column or row as it is seen on this axis."""
    if axis.scale == "log":
        return [float((a * b) ** 0.5) for a, b in pairwise(edges)]
    return [(a + b) / 2 for a, b in pairwise(edges)]


def ink(value: float | None) -> str:
    """Return the role of text that is readable in a cell of the ratio scale.

    The middle of the scale is as light or dark as the page; its ends are dark on a light page
    and light on a dark one, and what lies between is light on both.
    """
    if value is None:
        return "muted"
    far = abs(2 * value - 1)
    return "text" if far < 0.72 else "ink" if far < 0.88 else "page"


def without(cells: CellGrid) -> Iterator[tuple[int, int]]:
    """Yield row and column of each cell without data."""
    for row, values in enumerate(cells.values):
        for column, value in enumerate(values):
            if value is None:
                yield row, column


def written(cells: CellGrid) -> Iterator[tuple[int, int, str]]:
    """Yield row, column and text of each cell that has a text."""
    for row, texts in enumerate(cells.texts):
        for column, text in enumerate(texts):
            if text:
                yield row, column, text
