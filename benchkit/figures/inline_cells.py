"""The cells of a panel as marks of the page's inline SVG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise

from benchkit.figures import look
from benchkit.figures.cells import ink, middles, written
from benchkit.figures.chart import Cells
from benchkit.figures.places import Box, percent

_LEVELS = 6  # colours of a density above its first, so that cells of a row merge
_FINE = 2  # units down per px


def cell_marks(box: Box) -> Iterator[str]:
    """Yield the cells of a panel, then their words."""
    cells = box.panel.cells
    if cells is None:
        return
    if not cells.texts:
        yield _density(box, cells)
        return
    across, down = [box.x(x) for x in cells.xs], [box.y(y) for y in cells.ys]
    for row, values in enumerate(cells.values):
        height = down[row] - down[row + 1]
        for column, value in enumerate(values):
            width = percent(across[column + 1] - across[column])
            place = f'x="{percent(across[column])}" y="{down[row + 1]:.4g}" width="{width}"'
            yield f'<rect {place} height="{height:.4g}" {_fill(cells, value)}/>'
    xs, ys = middles(cells.xs, box.panel.x), middles(cells.ys, box.panel.y)
    for row, column, text in written(cells):
        value = cells.values[row][column]
        classes = f"m {ink(value)}" if value is None else f"m b {ink(value)}"
        place = f'x="{percent(box.x(xs[column]))}" y="{round(box.y(ys[row]) + 4)}"'
        yield f'<text class="{classes}" {place}>{escape(text)}</text>'


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


def _density(box: Box, cells: Cells) -> str:
    """Return cells as lines, as thick as a row is high: a path per colour and thickness."""
    top, low = box.y(cells.ys[-1]), box.y(cells.ys[0])
    down = [round(_FINE * (box.y(y) - top)) for y in cells.ys]
    paths: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for row, values in enumerate(cells.values):
        height = down[row] - down[row + 1]
        for level, runs in _runs(values).items():
            paths[level, height].append(_dashes(runs, (down[row] + down[row + 1]) / 2))
    drawn = "".join(
        f'<path stroke-width="{height}" style="stroke:{_mixed(cells.scale, level / _LEVELS)}" '
        f'd="{"".join(parts)}"/>'
        for (level, height), parts in sorted(paths.items())
    )
    left, right = box.x(cells.xs[0]), box.x(cells.xs[-1])
    return (
        f'<svg class="d" viewBox="0 0 {len(cells.values[0])} {down[0]}" x="{percent(left)}" '
        f'y="{top:.4g}" height="{low - top:.4g}" width="{percent(right - left)}" '
        f'preserveAspectRatio="none">{drawn}</svg>'
    )


def _runs(values: Sequence[float | None]) -> dict[int, list[tuple[int, int]]]:
    """Return first column and length of each run of cells of one colour, by colour."""
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    column = 0
    for level, run in groupby(None if v is None else round(v * _LEVELS) for v in values):
        length = len(list(run))
        if level is not None:
            found[level].append((column, length))
        column += length
    return found


def _dashes(runs: Sequence[tuple[int, int]], y: float) -> str:
    """Return a row's dashes: the first at its place, each other as a step from the last."""
    column, length = runs[0]
    parts = [f"M{column} {y:g}h{length}"]
    for (before, last), (column, length) in pairwise(runs):
        parts.append(f"m{column - before - last} 0h{length}")
    return "".join(parts)
