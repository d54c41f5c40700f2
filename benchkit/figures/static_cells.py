"""The cells of a panel through matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchkit.figures import look
from benchkit.figures.cells import ink, middles, without, written
from benchkit.figures.chart import Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_cells(ax: Axes, panel: Panel, colours: Mapping[str, str], *, points: float) -> None:
    """Draw the cells below everything else, with their words of so many points."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    cells = panel.cells
    if cells is None:
        return
    stops = [colours[role] for role in look.SCALES[cells.scale]]
    ax.pcolormesh(
        cells.xs,
        cells.ys,
        [[math.nan if value is None else value for value in row] for row in cells.values],
        cmap=LinearSegmentedColormap.from_list(cells.scale, stops),
        vmin=0,
        vmax=1,
        # Cells that are read one by one stand apart; those of a density touch.
        edgecolors=colours["page"] if cells.texts else "none",
        linewidth=1.5 if cells.texts else 0,
        rasterized=not cells.texts,
        zorder=0.6,
    )
    for row, column in without(cells) if cells.hatched else ():
        left, low = cells.xs[column], cells.ys[row]
        size = (cells.xs[column + 1] - left, cells.ys[row + 1] - low)
        ax.add_patch(
            Rectangle(
                (left, low), *size, hatch="////", facecolor="none",
                edgecolor=colours["strong"], linewidth=0, zorder=0.6,
            )
        )  # fmt: skip
    xs, ys = middles(cells.xs, panel.x), middles(cells.ys, panel.y)
    for row, column, text in written(cells):
        value = cells.values[row][column]
        weight = "normal" if value is None else "bold"
        ax.text(
            xs[column], ys[row], text, color=colours[ink(value)], fontweight=weight,
            ha="center", va="center", fontsize=points, clip_on=True,
        )  # fmt: skip
