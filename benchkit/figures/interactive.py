"""Any chart as a plotly figure: a plain dictionary, no plotly needed to make it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, Note, Panel, Series
from benchkit.figures.interactive_cells import cell_traces, escaped
from benchkit.figures.layout import Frame, frames, margins

CONFIG: Final[Mapping[str, Any]] = {
    "displayModeBar": False,
    "displaylogo": False,
    "doubleClick": "reset",
    "plotlyServerURL": "",
    "responsive": True,
    "scrollZoom": False,
    "showSendToCloud": False,
    "showTips": False,
}
_SHAPE: Final = {"after": "hv", "middle": "hvh"}
_POSITION: Final = {"right": "middle right", "left": "middle left", "above": "top center"}


def plotly_figure(chart: Chart, *, theme: look.Theme | None = "light") -> dict[str, Any]:
    """Return `{"data": …, "layout": …}`.

    Args:
        chart: Any figure.
        theme: Whose colours to use; None writes each colour as `@role` and leaves the template
            out, for a page that follows the reader's scheme and adds `template(TOKENS)` itself.
    """
    colours = look.COLOURS[theme] if theme else TOKENS
    data = [
        trace | _axes(number)
        for number, panel in enumerate(chart.panels, 1)
        for trace in (
            *cell_traces(panel, colours),
            *(part for series in panel.series for part in _traces(series, colours)),
        )
    ]
    layout = _layout(chart, colours)
    return {"data": data, "layout": layout | {"template": template(colours)} if theme else layout}


class _Tokens(Mapping[str, str]):
    def __getitem__(self, role: str) -> str:
        return f"@{role}"

    def __iter__(self) -> Iterator[str]:
        return iter(look.COLOURS["light"])

    def __len__(self) -> int:
        return len(look.COLOURS["light"])


#: Each role's colour as `@role`.
TOKENS: Final = _Tokens()


def _axes(number: int) -> dict[str, str]:
    return {"xaxis": f"x{number}", "yaxis": f"y{number}"} if number > 1 else {}


def _traces(series: Series, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    colour = colours[series.role]
    traces = [_band(series, colour)] if series.low else []
    if series.stems:
        traces.append(_stems(series, colour))
    trace: dict[str, Any] = {
        "name": escaped(show.clean(series.name)),
        "x": [_rounded(x) for x in series.xs],
        "y": [_rounded(y) for y in series.ys],
        "mode": _mode(series),
    }
    trace |= {"opacity": 0.45} if series.faint else {}
    trace |= {} if series.in_table else {"meta": "guide"}
    trace |= _hover(series)
    if series.line:
        trace["line"] = {"color": colour, "width": series.line}
        trace["line"] |= {"dash": "dot"} if series.dotted else {}
        trace["line"] |= {"shape": _SHAPE[series.step]} if series.step else {}
    if series.marker:
        symbol = look.SYMBOLS[series.role][0] + ("" if series.filled else "-open")
        trace["marker"] = {"color": colour, "size": series.marker, "symbol": symbol}
        trace["marker"] |= {} if series.filled else {"line": {"width": 2, "color": colour}}
    if series.labels:
        trace["text"] = [f"  {escaped(text)}  " for text in series.labels]
        trace["textposition"] = _POSITION[series.label_at]
    return [*traces, trace]


def _mode(series: Series) -> str:
    parts = [name for name, on in (("lines", series.line), ("markers", series.marker)) if on]
    return "+".join([*parts, *(["text"] if series.labels else [])]) or "none"


def _hover(series: Series) -> dict[str, Any]:
    if not series.hover:
        return {"hoverinfo": "skip"}
    return {"hovertext": [escaped(text) for text in series.hover]}


def _stems(series: Series, colour: str) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for x, y in zip(series.xs, series.ys, strict=True):
        xs += [x if series.stems == "y" else series.stem_from, x, None]
        ys += [series.stem_from if series.stems == "y" else y, y, None]
    return {
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": colour, "width": 2},
        "hoverinfo": "skip",
        "meta": "guide",
    }


def _band(series: Series, colour: str) -> dict[str, Any]:
    """Return the band as one polygon: out along its upper edge, back along its lower."""
    xs = [_rounded(x) for x in series.xs]
    low, high = ([_rounded(y) for y in edge] for edge in (series.low, series.high))
    return {
        "meta": "guide",
        "mode": "lines",
        "x": [*xs, *reversed(xs)],
        "y": [*high, *reversed(low)],
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": colour,
        "opacity": series.band,
        "hoverinfo": "skip",
    }


def _layout(chart: Chart, colours: Mapping[str, str]) -> dict[str, Any]:
    edge = margins(chart)
    layout: dict[str, Any] = {
        "height": chart.height,
        "margin": {"l": edge.left, "r": edge.right, "t": edge.top, "b": edge.bottom, "pad": 0},
        "annotations": [],
        "shapes": [],
    }
    for number, (panel, frame) in enumerate(zip(chart.panels, frames(chart), strict=True), 1):
        shared = number < len(chart.panels) and panel.x == chart.panels[number].x
        layout[_key("x", number)] = _axis(panel.x) | {
            "anchor": _ref("y", number),
            **({"showticklabels": False} if shared else {}),
            **({"matches": "x"} if number > 1 and panel.x == chart.panels[0].x else {}),
        }
        layout[_key("y", number)] = _axis(panel.y) | {
            "anchor": _ref("x", number),
            "domain": [round(frame.low, 4), round(frame.high, 4)],
        }
        layout["annotations"] += [_note(note, panel, number, colours) for note in panel.notes]
        if panel.title:
            layout["annotations"].append(_heading(panel.title, frame, colours))
        if panel.unmeasured is not None:
            layout["shapes"].append(_gap(panel, number, colours))
    return layout


def template(colours: Mapping[str, str]) -> dict[str, Any]:
    """Return what all figures have in common, as a plotly template."""
    axis = {
        "gridcolor": colours["rule"],
        "gridwidth": 1,
        "tickangle": 0,
        "tickfont": {"color": colours["muted"]},
        "ticklabelstandoff": 4,
        "tickmode": "array",
        "ticks": "",
        "zeroline": False,
    }
    line = {"showline": True, "linecolor": colours["muted"], "linewidth": 1}
    layout = {
        "annotationdefaults": {"showarrow": False, "yanchor": "middle", "font": {"size": 13}},
        "dragmode": "zoom",
        "font": {"family": look.FONT, "size": 13, "color": colours["muted"]},
        "hoverdistance": 30,
        "hoverlabel": {
            "align": "left",
            "bgcolor": colours["surface"],
            "bordercolor": colours["strong"],
            "font": {"color": colours["text"], "size": 13},
        },
        "hovermode": "closest",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "xaxis": axis | line,
        "yaxis": axis | {"automargin": True},
    }
    marks = {
        "cliponaxis": False,
        "hoverinfo": "text",
        "marker": {"opacity": 1},  # plotly fades a marker that has a line beside it
        "textfont": {"color": colours["text"]},
    }
    return {"layout": layout, "data": {"scatter": [marks]}}


def _axis(axis: Axis) -> dict[str, Any]:
    made: dict[str, Any] = {
        "range": [_rounded(_place(axis, axis.low)), _rounded(_place(axis, axis.high))],
        "tickvals": [_rounded(value) for value, _ in axis.ticks],
        "ticktext": [escaped(text) for _, text in axis.ticks],
    }
    made |= {"type": "log"} if axis.scale == "log" else {}
    return made if axis.grid else made | {"showgrid": False, "fixedrange": True}


def _rounded(value: float) -> float:
    return float(f"{value:.9g}")


def _note(note: Note, panel: Panel, number: int, colours: Mapping[str, str]) -> dict[str, Any]:
    text = escaped(note.text)
    return {
        "x": _rounded(_place(panel.x, note.x)),
        "y": _rounded(_place(panel.y, note.y)),
        "xref": _ref("x", number),
        "yref": _ref("y", number),
        "text": f"<b>{text}</b>" if note.bold else text,
        "font": {"color": colours[note.role]},
        "xanchor": note.align,
        "xshift": round(note.dx, 1),
        "yshift": -round(note.dy, 1),
    }


def _heading(title: str, frame: Frame, colours: Mapping[str, str]) -> dict[str, Any]:
    return {
        "text": escaped(title),
        "x": 0,
        "y": frame.high,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 4,
        "font": {"color": colours["text"]},
    }


def _gap(panel: Panel, number: int, colours: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "rect",
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": colours["surface"],
        "x0": panel.unmeasured,
        "x1": panel.x.high,
        "xref": _ref("x", number),
        "y0": 0,
        "y1": 1,
        "yref": f"{_ref('y', number)} domain",
    }


def _place(axis: Axis, value: float) -> float:
    return math.log10(value) if axis.scale == "log" else value


def _ref(letter: str, number: int) -> str:
    return letter if number == 1 else f"{letter}{number}"


def _key(letter: str, number: int) -> str:
    return f"{letter}axis" if number == 1 else f"{letter}axis{number}"
