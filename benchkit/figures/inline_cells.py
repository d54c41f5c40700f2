"""The cells of a panel as marks of the page's inline SVG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from html import escape
from itertools import groupby

from benchkit.figures import look
from benchkit.figures.cells import ink, written
from benchkit.figures.chart import Cells, Panel

_LEVELS = 8  # of a density: colours are classes of cells, so that rows of them merge


def cell_marks(panel: Panel, top: float, bottom: float) -> Iterator[str]:
    """Yield the cells of a panel that lies between two places in px, then their words."""
    cells = panel.cells
    if cells is None:
        return
    if not cells.texts:
        yield _density(cells, top, bottom)
        return
    height, width = (bottom - top) / len(cells.values), 100 / len(cells.values[0])
    for row, values in enumerate(cells.values):
        y = bottom - (row + 1) * height
        for column, value in enumerate(values):
            place = f'x="{column * width:.4g}%" y="{y:.4g}" width="{width:.4g}%"'
            yield f'<rect {place} height="{height:.4g}" {_fill(cells, value)}/>'
    for row, column, text in written(cells):
        place = f'x="{(column + 0.5) * width:.4g}%" y="{round(bottom - (row + 0.5) * height + 4)}"'
        value = cells.values[row][column]
        bold = "" if value is None else " b"
        yield f'<text class="m{bold} {ink(value)}" {place}>{escape(text)}</text>'


def _fill(cells: Cells, value: float | None) -> str:
    if value is None:
        return 'class="h"' if cells.hatched else 'class="n"'
    return f'class="c" style="fill:{_mixed(cells.scale, value)}"'


def _mixed(scale: str, value: float) -> str:
    """Return the colour at a place of a scale, mixed of the two nearest roles."""
    roles = look.SCALES[scale]
    place = min(max(value, 0.0), 1.0) * (len(roles) - 1)
    before = min(int(place), len(roles) - 2)
    percent = round(100 * (place - before))
    return f"color-mix(in srgb,var(--{roles[before]}),var(--{roles[before + 1]}) {percent}%)"


def _density(cells: Cells, top: float, bottom: float) -> str:
    """Return cells as one path per colour, cells of a row that touch as one line of it."""
    paths: defaultdict[int, list[str]] = defaultdict(list)
    rows = len(cells.values)
    for row, values in enumerate(cells.values):
        levels = [None if v is None else round(v * (_LEVELS - 1)) for v in values]
        column = 0
        for level, run in groupby(levels):
            length = len(list(run))
            if level is not None:
                paths[level].append(f"M{column} {rows - row - 1}h{length}")
            column += length
    drawn = "".join(
        f'<path style="stroke:{_mixed(cells.scale, level / (_LEVELS - 1))}" d="{"".join(parts)}"/>'
        for level, parts in sorted(paths.items())
    )
    return (
        f'<svg class="d" viewBox="0 -.5 {len(cells.values[0])} {rows}" y="{top:.4g}" '
        f'height="{bottom - top:.4g}" preserveAspectRatio="none">{drawn}</svg>'
    )
