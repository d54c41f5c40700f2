"""The cells of a panel as plotly traces: colours, hatching, words; what all traces share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from benchkit.figures import cells, look
from benchkit.figures.chart import CellGrid, Panel

_COUNTED: Final = (
    "requests: %{customdata}<br>about %{y:.2~s}s<br>sent at about %{x:.3~g} s<extra></extra>"
)


def cell_traces(panel: Panel, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the traces of a panel's cells, from behind."""
    if panel.cells is None:
        return []
    gaps = list(cells.gaps(panel.cells)) if panel.cells.hatched else []
    hatched = [_hatched(gaps, colours)] if gaps else []
    return [_colours(panel.cells, colours), *hatched, *_words(panel, panel.cells, colours)]


def _colours(grid: CellGrid, colours: Mapping[str, str]) -> dict[str, Any]:
    stops = look.SCALES[grid.scale]
    trace: dict[str, Any] = {
        "type": "heatmap",
        "meta": "guide",
        "x": [rounded(x, 6) for x in grid.xs],
        "y": [rounded(y, 6) for y in grid.ys],
        "z": [[None if z is None else round(z, 3) for z in row] for row in grid.values],
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "colorscale": [[n / (len(stops) - 1), colours[role]] for n, role in enumerate(stops)],
        "hoverinfo": "text" if grid.hover else "skip",
    }
    if grid.hover:
        trace["hovertext"] = [[escaped(text) for text in row] for row in grid.hover]
        trace["hoverongaps"] = any(
            text and value is None
            for texts, values in zip(grid.hover, grid.values, strict=True)
            for text, value in zip(texts, values, strict=True)
        )
    if grid.counts:
        trace |= {"customdata": [list(row) for row in grid.counts], "hoverongaps": False}
        trace |= {"hovertemplate": _COUNTED, "hoverinfo": "text"}
    # Cells that are read one by one stand apart; those of a density touch.
    return trace | ({"xgap": 2, "ygap": 2} if grid.texts else {})


def _hatched(gaps: Iterable[tuple[float, ...]], colours: Mapping[str, str]) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for gap in gaps:
        left, right, low, high = (rounded(edge, 6) for edge in gap)
        xs += [left, right, right, left, left, None]
        ys += [low, low, high, high, low, None]
    pattern = {
        "shape": "/",
        "size": 8,
        "solidity": 0.15,
        "fgcolor": colours["strong"],
        "bgcolor": "rgba(0,0,0,0)",
    }
    return guide(xs, ys) | {"line": {"width": 0}, "fill": "toself", "fillpattern": pattern}


def _words(panel: Panel, grid: CellGrid, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a trace of texts per colour that the words need."""
    by_role: defaultdict[str, list[cells.Word]] = defaultdict(list)
    for word in cells.words(panel, grid):
        by_role[word.role].append(word)
    return [
        guide((rounded(word.x, 6) for word in words), (rounded(word.y, 6) for word in words))
        | {
            "mode": "text",
            "text": [f"<b>{escaped(w.text)}</b>" if w.bold else escaped(w.text) for w in words],
            "textfont": {"color": colours[role]},
        }
        for role, words in by_role.items()
    ]


def guide(xs: Iterable[float | None], ys: Iterable[float | None]) -> dict[str, Any]:
    """Return a trace that no table has and that nobody points at; None breaks its line."""
    return {"meta": "guide", "mode": "lines", "x": [*xs], "y": [*ys], "hoverinfo": "skip"}


def rounded(value: float, digits: int = 9) -> float:
    """Return a value with so many significant digits."""
    return float(f"{value:.{digits}g}")


def escaped(text: str) -> str:
    """Return text that plotly, which reads a little HTML, shows as it is."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text.replace("\n", "<br>")
