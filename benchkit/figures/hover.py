"""What a reader is told who points at a figure of the page, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from benchkit import format as show
from benchkit.figures.chart import CellGrid, Chart
from benchkit.figures.layout import Box, boxes, on_page
from benchkit.figures.words import written

#: A place along the width is counted in these parts of it.
PARTS: Final = 10_000


def hover(chart: Chart) -> dict[str, Any]:
    """Return the texts of a figure with their places, ready for JSON.

    Returns:
        `texts` has each text once. `marks` is flat, three integers for each mark: its place
        along the width of the plot area in `PARTS`, its px from above, the number of its text.
        `grids` lists cells: the edges of columns in `PARTS` and of rows in px, and per row and
        column a text's number (-1 for none), or a count with what its column and row stand for.
    """
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(show.escaped(text, keep="\n"), len(texts)) if text else -1

    placed = list(boxes(on_page(chart)[0]))
    marks = [
        value
        for box in placed
        for series in box.panel.series
        if series.hover
        for x, y, text in zip(
            _across(box, series.xs), map(round, box.ys(series.ys)), series.hover, strict=False
        )
        for value in (x, y, number(text))
    ]
    grids = [_grid(box, box.panel.cells, number) for box in placed if box.panel.cells]
    return {"texts": list(texts), "marks": marks, "grids": grids}


def _grid(box: Box, grid: CellGrid, number: Callable[[str], int]) -> dict[str, Any]:
    edges = {"xs": [*_across(box, grid.xs)], "ys": [*map(round, box.ys(grid.ys))]}
    if not grid.counts:
        return edges | {"texts": [[number(text) for text in row] for row in grid.hover]}
    across, down = _spans(grid.xs), _spans(grid.ys)
    return edges | {"counts": grid.counts, "across": across, "down": down}


def _spans(edges: tuple[float, ...]) -> list[str]:
    """Return what lies between edges in s: `2.10 to 2.20 ms`."""
    unit, texts = written(edges)
    return [f"{low} to {high}{show.NBSP}{unit.name}" for low, high in pairwise(texts)]


def _across(box: Box, values: Iterable[float]) -> Iterator[int]:
    return (round(PARTS * x) for x in box.xs(values))
