"""The cells of a panel as plotly traces: colours, hatching, words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from benchkit.figures import look
from benchkit.figures.cells import ink, middles, without, written
from benchkit.figures.chart import CellGrid, Panel

_COUNTED: Final = (
    "requests: %{customdata}<br>about %{y:.2~s}s<br>sent at about %{x:.3~g} s<extra></extra>"
)


def cell_traces(panel: Panel, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the traces of a panel's cells, from behind."""
    cells = panel.cells
    if cells is None:
        return []
    hatched = [_hatched(cells, colours)] if cells.hatched and any(without(cells)) else []
    return [_colours(cells, colours), *hatched, *_words(panel, cells, colours)]


def _colours(cells: CellGrid, colours: Mapping[str, str]) -> dict[str, Any]:
    stops = look.SCALES[cells.scale]
    trace: dict[str, Any] = {
        "type": "heatmap",
        "meta": "guide",
        "x": [_short(x) for x in cells.xs],
        "y": [_short(y) for y in cells.ys],
        "z": [[None if z is None else round(z, 3) for z in row] for row in cells.values],
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "colorscale": [[n / (len(stops) - 1), colours[role]] for n, role in enumerate(stops)],
        "hoverinfo": "text" if cells.hover else "skip",
    }
    if cells.hover:
        trace["hovertext"] = [[escaped(text) for text in row] for row in cells.hover]
        trace["hoverongaps"] = any(cells.hover[row][column] for row, column in without(cells))
    if cells.counts:
        trace |= {"customdata": [list(row) for row in cells.counts], "hoverongaps": False}
        trace |= {"hovertemplate": _COUNTED, "hoverinfo": "text"}
    # Cells that are read one by one stand apart; those of a density touch.
    return trace | ({"xgap": 2, "ygap": 2} if cells.texts else {})


def _hatched(cells: CellGrid, colours: Mapping[str, str]) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for row, column in without(cells):
        left, right = _short(cells.xs[column]), _short(cells.xs[column + 1])
        low, high = _short(cells.ys[row]), _short(cells.ys[row + 1])
        xs += [left, right, right, left, left, None]
        ys += [low, low, high, high, low, None]
    return {
        "meta": "guide",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"width": 0},
        "fill": "toself",
        "fillpattern": {
            "shape": "/",
            "size": 8,
            "solidity": 0.15,
            "fgcolor": colours["strong"],
            "bgcolor": "rgba(0,0,0,0)",
        },
        "hoverinfo": "skip",
    }


def _words(panel: Panel, cells: CellGrid, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a trace of texts per colour that the words need."""
    xs, ys = middles(cells.xs, panel.x), middles(cells.ys, panel.y)
    by_role: defaultdict[str, list[tuple[float, float, str]]] = defaultdict(list)
    for row, column, text in written(cells):
        value = cells.values[row][column]
        shown = escaped(text) if value is None else f"<b>{escaped(text)}</b>"
        by_role[ink(value)].append((_short(xs[column]), _short(ys[row]), shown))
    return [
        {
            "meta": "guide",
            "mode": "text",
            "x": [x for x, _, _ in words],
            "y": [y for _, y, _ in words],
            "text": [text for *_, text in words],
            "textfont": {"color": colours[role]},
            "hoverinfo": "skip",
        }
        for role, words in by_role.items()
    ]


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def escaped(text: str) -> str:
    """Return text that plotly, which reads a little HTML, shows as it is."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text.replace("\n", "<br>")
