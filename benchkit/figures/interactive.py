"""Any chart as a plotly figure, a plain dictionary that is made without plotly; and as a page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from textwrap import wrap
from typing import Any, Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Axis, CellGrid, Chart, Note, Panel, Series
from benchkit.figures.layout import Box, boxes, cell_words, gaps, margins
from benchkit.figures.options import FigureOptions
from benchkit.model.grouping import grouped

_CONFIG: Final[Mapping[str, Any]] = {
    "displayModeBar": False,
    "displaylogo": False,
    "doubleClick": "reset",
    "plotlyServerURL": "",
    "responsive": True,
    "scrollZoom": False,
    "showSendToCloud": False,
    "showTips": False,
}
_PX_PER_INCH: Final = 96
_WIDEST: Final = 960  # px of a page, unless somebody wants another width
_CHARACTER: Final = 6.4  # px of a character of a caption
_CAPTION_LINE: Final = 16  # px
_SHAPE: Final = {"after": "hv"}
_POSITION: Final = {"right": "middle right", "left": "middle left", "above": "top center"}
_COUNTED: Final = (
    "requests: %{customdata}<br>about %{y:.2~s}s<br>sent at about %{x:.3~g} s<extra></extra>"
)


def plotly_figure(chart: Chart, *, theme: look.Theme = "light") -> dict[str, Any]:
    """Return `{"data": …, "layout": …}` in the colours of a theme."""
    colours = look.COLOURS[theme]
    data = []
    for number, panel in enumerate(chart.panels, 1):
        drawn = [trace for series in panel.series for trace in _traces(series, colours)]
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"} if number > 1 else {}
        data += [trace | axes for trace in (*_cell_traces(panel, colours), *drawn)]
    return {"data": data, "layout": _layout(chart, colours) | {"template": _template(colours)}}


def page(charts: Sequence[Chart], options: FigureOptions) -> str:
    """Return an HTML page that needs nothing else: the charts below each other, and plotly."""
    from jinja2 import Template
    from plotly.offline import get_plotlyjs

    theme, size = options.theme, _size(options)
    figures = [plotly_figure(chart, theme=theme) for chart in charts]
    for figure in figures:
        figure["layout"] |= size
    data = json.dumps({"figures": figures, "config": _CONFIG}, sort_keys=True)
    template = files("benchkit.templates").joinpath("figures.html.j2").read_text("utf-8")
    document = Template(template, autoescape=True, trim_blocks=True).render(
        charts=charts,
        captioned=options.caption is not False,
        width=size.get("width", _WIDEST),
        colours=look.COLOURS[theme],
        font=look.FONT,
        data=data.replace("<", "\\u003c"),
        library=get_plotlyjs(),
    )
    return str(document)


def whole_figure(charts: Sequence[Chart], options: FigureOptions) -> dict[str, Any]:
    """Return charts below each other as one figure that bears title and caption itself."""
    colours = look.COLOURS[options.theme]
    chart = charts[0] if len(charts) == 1 else _stacked(charts)
    figure = plotly_figure(chart, theme=options.theme)
    layout = figure["layout"]
    layout |= {"paper_bgcolor": colours["page"]} | _size(options)
    edge = layout["margin"]
    if chart.title and len(charts) == 1:
        subtitle = f"<br><span style='font-size:13px'>{_escaped(chart.subtitle)}</span>"
        text = f"<b>{_escaped(chart.title)}</b>{subtitle if chart.subtitle else ''}"
        font = {"size": 17, "color": colours["text"]}
        at = {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
        }
        layout["title"] = at | {"text": text, "font": font, "pad": {"t": 8}}
        edge["t"] += 44 if chart.subtitle else 28
        layout["height"] += 0 if options.height else (44 if chart.subtitle else 28)
    if options.caption is not False and chart.caption:
        lines = wrap(chart.caption, max(20, int(layout.get("width", _WIDEST) / _CHARACTER)))
        below = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
        layout["annotations"].append(
            {"x": 0, "y": 0, "yshift": -edge["b"], "text": _escaped("\n".join(lines))}
            | below
            | {"align": "left", "font": {"size": 12, "color": colours["muted"]}}
        )
        edge["b"] += _CAPTION_LINE * len(lines) + 8
        layout["height"] += 0 if options.height else _CAPTION_LINE * len(lines) + 8
    return figure


def _size(options: FigureOptions) -> dict[str, int]:
    """Return width and height in px, as far as somebody wants them."""
    sizes = {"width": options.width, "height": options.height}
    return {name: round(_PX_PER_INCH * inches) for name, inches in sizes.items() if inches}


def _stacked(charts: Sequence[Chart]) -> Chart:
    """Return the panels of several charts as those of one, each chart named above its first."""
    panels = []
    for chart in charts:
        total = sum(panel.weight for panel in chart.panels)
        for panel in chart.panels:
            head = ": ".join(filter(None, (chart.subtitle, chart.title)))
            named = (
                " – ".join(filter(None, (head, panel.title))) if panel is chart.panels[0] else ""
            )
            weight = panel.weight / total * chart.height
            panels.append(replace(panel, title=named or panel.title, weight=weight))
    height = sum(chart.height for chart in charts)
    captions = "\n".join(dict.fromkeys(chart.caption for chart in charts))
    return replace(charts[0], panels=tuple(panels), height=height, caption=captions, columns=1)


def _traces(series: Series, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the traces of one series from behind: its band, its stems, its line and marks."""
    colour = colours[series.role]
    traces = []
    if series.low:  # a polygon: out along its upper edge, back along its lower
        xs, low, high = ([*map(_rounded, v)] for v in (series.xs, series.low, series.high))
        band = _guide([*xs, *reversed(xs)], [*high, *reversed(low)]) | {"line": {"width": 0}}
        traces.append(band | {"fill": "toself", "fillcolor": colour, "opacity": series.band})
    if series.stems:
        lines = [(*stem, (None, None)) for stem in zip(series.roots, series.points, strict=True)]
        ends = zip(*(point for line in lines for point in line), strict=True)
        traces.append(_guide(*ends) | {"line": {"color": colour, "width": 2}})
    modes = {"lines": series.line, "markers": series.marker, "text": series.labels}
    trace: dict[str, Any] = {
        "name": _escaped(show.clean(series.name)),
        "x": [_rounded(x) for x in series.xs],
        "y": [_rounded(y) for y in series.ys],
        "mode": "+".join(mode for mode, drawn in modes.items() if drawn) or "none",
    }
    trace |= {"opacity": look.FAINT} if series.faint else {}
    trace |= {} if series.in_table else {"meta": "guide"}
    hover = [_escaped(text) for text in series.hover]
    trace |= {"hovertext": hover} if hover else {"hoverinfo": "skip"}
    if series.line:
        trace["line"] = {"color": colour, "width": series.line}
        trace["line"] |= {"dash": "dot"} if series.dotted else {}
        trace["line"] |= {"shape": _SHAPE[series.step]} if series.step else {}
    if series.marker:
        is_dot = not look.SMALL <= series.marker < look.RING
        shape = "circle" if is_dot else look.SYMBOLS[series.role][0]
        symbol = shape + ("" if series.filled else "-open")
        trace["marker"] = {"color": colour, "size": series.marker, "symbol": symbol}
        width, edge = (1, colours["page"]) if series.filled else (2, colour)
        width = 1 if series.marker < look.TINY else width
        trace["marker"] |= {"line": {"width": width, "color": edge}}
    if series.labels:
        trace["text"] = [f"  {_escaped(text)}  " for text in series.labels]
        trace["textposition"] = _POSITION[series.label_at]
    return [*traces, trace]


def _layout(chart: Chart, colours: Mapping[str, str]) -> dict[str, Any]:
    edge = margins(chart)
    layout: dict[str, Any] = {
        "height": chart.height,
        "margin": {"l": edge.left, "r": edge.right, "t": edge.top, "b": edge.bottom, "pad": 0},
        "annotations": [],
        "shapes": [],
    }
    if chart.beside:
        layout["annotations"].append(_beside(chart.beside, edge.left))
    for number, box in enumerate(boxes(chart), 1):
        panel, n = box.panel, "" if number == 1 else str(number)
        title = {"text": _escaped(panel.x.title), "standoff": 4, "font": {"size": 13}}
        layout[f"xaxis{n}"] = _axis(panel.shown_x) | {
            "anchor": f"y{n}",
            **({"domain": [round(box.left, 4), round(box.right, 4)]} if chart.columns > 1 else {}),
            **({} if box.ticks else {"showticklabels": False}),
            **({"title": title} if box.ticks and box.outermost and panel.x.title else {}),
            **({"matches": "x"} if number > 1 and panel.x == chart.panels[0].x else {}),
        }
        layout[f"yaxis{n}"] = _axis(panel.y) | {
            "anchor": f"x{n}",
            "domain": [round(box.low, 4), round(box.high, 4)],
            **({} if box.outermost else {"showticklabels": False}),
        }
        layout["annotations"] += [_note(note, panel, n, colours) for note in panel.notes]
        if panel.title:
            layout["annotations"].append(_heading(box, colours))
        if panel.unmeasured is not None:
            ends = {"x0": panel.unmeasured, "x1": panel.x.last, "y0": 0, "y1": 1}
            refs = {"xref": f"x{n}", "yref": f"y{n} domain"}
            fill = {"fillcolor": colours["surface"], "line": {"width": 0}}
            layout["shapes"].append({"type": "rect", "layer": "below"} | ends | refs | fill)
        if panel.x.end is not None:
            layout["shapes"] += _ended(panel, n, colours)
            layout[f"xaxis{n}"]["showline"] = layout[f"yaxis{n}"]["showgrid"] = False
    return layout


def _ended(panel: Panel, n: str, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the line of the x axis and the grid of y as far as the axis goes."""
    lines = [
        {"type": "line", "x0": _rounded(low), "x1": _rounded(high), "xref": f"x{n}"}
        for low, high in panel.stretches
    ]
    rule = {"layer": "below", "line": {"color": colours["rule"], "width": 1}, "yref": f"y{n}"}
    strong = {"line": {"color": colours["muted"], "width": 1}, "yref": f"y{n} domain"}
    rows = [_rounded(value) for value, _ in panel.y.ticks] if panel.y.grid else []
    return [
        *(line | strong | {"y0": 0, "y1": 0} for line in lines),
        *(line | rule | {"y0": y, "y1": y} for y in rows for line in lines),
    ]


def _template(colours: Mapping[str, str]) -> dict[str, Any]:
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
    axis_layout: dict[str, Any] = {
        "range": [_rounded(_position(axis, axis.low)), _rounded(_position(axis, axis.high))],
        "tickvals": [_rounded(value) for value, _ in axis.gridded],
        "ticktext": [_escaped(text) for _, text in axis.gridded],
    }
    axis_layout |= {"type": "log"} if axis.scale == "log" else {}
    return axis_layout if axis.grid else axis_layout | {"showgrid": False, "fixedrange": True}


def _note(note: Note, panel: Panel, n: str, colours: Mapping[str, str]) -> dict[str, Any]:
    text = _escaped(note.text)
    return {
        "x": _rounded(_position(panel.x, note.x)),
        "y": _rounded(_position(panel.y, note.y)),
        "xref": f"x{n}",
        "yref": f"y{n}",
        "text": f"<b>{text}</b>" if note.bold else text,
        "font": {"color": colours[note.role]},
        "xanchor": note.align,
        **(_led(note, colours) if note.led else _moved(note)),
    }


def _moved(note: Note) -> dict[str, Any]:
    return {"xshift": round(note.dx, 1), "yshift": -round(note.dy, 1)}


def _led(note: Note, colours: Mapping[str, str]) -> dict[str, Any]:
    line = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": colours["muted"], "standoff": 3}
    return {"showarrow": True, "ax": round(note.dx, 1), "ay": round(note.dy, 1), **line}


def _heading(box: Box, colours: Mapping[str, str]) -> dict[str, Any]:
    return {
        "text": _escaped(box.panel.title),
        "x": round(box.left, 4),
        "y": box.high,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 4,
        "font": {"color": colours["text"]},
    }


def _beside(text: str, left: int) -> dict[str, Any]:
    """Return what all y axes are of, upwards left of their ticks, with so many px for both."""
    middle = {"x": 0, "y": 0.5, "xref": "paper", "yref": "paper"}
    return middle | {"text": _escaped(text), "textangle": -90, "xshift": 10 - left}


def _position(axis: Axis, value: float) -> float:
    return math.log10(value) if axis.scale == "log" else value


# --- cells ---


def _cell_traces(panel: Panel, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    if panel.cells is None:
        return []
    without = list(gaps(panel.cells)) if panel.cells.hatched else []
    hatched = [_hatched(without, colours)] if without else []
    return [_colours(panel.cells, colours), *hatched, *_words(panel, panel.cells, colours)]


def _colours(grid: CellGrid, colours: Mapping[str, str]) -> dict[str, Any]:
    stops = look.SCALES[grid.scale]
    trace: dict[str, Any] = {
        "type": "heatmap",
        "meta": "guide",
        "x": [_rounded(x, 6) for x in grid.xs],
        "y": [_rounded(y, 6) for y in grid.ys],
        "z": [[None if z is None else round(z, 3) for z in row] for row in grid.values],
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "colorscale": [[n / (len(stops) - 1), colours[role]] for n, role in enumerate(stops)],
        "hoverinfo": "text" if grid.hover else "skip",
    }
    if grid.hover:
        trace["hovertext"] = [[_escaped(text) for text in row] for row in grid.hover]
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
        left, right, low, high = (_rounded(edge, 6) for edge in gap)
        xs += [left, right, right, left, left, None]
        ys += [low, low, high, high, low, None]
    pattern = {
        "shape": "/",
        "size": 8,
        "solidity": 0.15,
        "fgcolor": colours["strong"],
        "bgcolor": "rgba(0,0,0,0)",
    }
    return _guide(xs, ys) | {"line": {"width": 0}, "fill": "toself", "fillpattern": pattern}


def _words(panel: Panel, grid: CellGrid, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        _guide((_rounded(word.x, 6) for word in words), (_rounded(word.y, 6) for word in words))
        | {
            "mode": "text",
            "text": [f"<b>{_escaped(w.text)}</b>" if w.bold else _escaped(w.text) for w in words],
            "textfont": {"color": colours[role]},
        }
        for role, words in grouped(cell_words(panel, grid), lambda word: word.role).items()
    ]


def _guide(xs: Iterable[float | None], ys: Iterable[float | None]) -> dict[str, Any]:
    """Return a trace that no table has and that nobody points at; None breaks its line."""
    return {"meta": "guide", "mode": "lines", "x": [*xs], "y": [*ys], "hoverinfo": "skip"}


def _rounded(value: float, digits: int = 9) -> float:
    """Return a value with so many significant digits."""
    return float(f"{value:.{digits}g}")


def _escaped(text: str) -> str:
    """Return text that plotly, which reads a little HTML, shows as it is."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        text = text.replace(character, entity)
    return text.replace("\n", "<br>")
