"""Any chart through matplotlib: PNG, SVG and PDF whose bytes depend on nothing but the chart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, Note, Panel, Series
from benchkit.figures.static_cells import draw_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES: Final = 8.0
_DPI: Final = 150
_STEPS: Final = {"": "default", "after": "steps-post", "middle": "steps-mid"}
_POINT: Final = 0.75  # of a pixel of the page
_STYLE: Final[Mapping[str, Any]] = {
    "axes.unicode_minus": True,
    "font.family": ["DejaVu Sans"],
    "font.size": 10.0,
    "hatch.linewidth": 0.6,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "benchkit",
    "text.parse_math": False,
    "text.usetex": False,
    "xtick.minor.visible": False,
    "ytick.minor.visible": False,
}
#: Metadata that would carry the time or the version into the file.
_METADATA: Final[Mapping[str, Mapping[str, None]]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def image(charts: Sequence[Chart], *, kind: str, theme: look.Theme = "light") -> bytes:
    """Return the charts below each other as one `png`, `svg` or `pdf`."""
    buffer = BytesIO()
    with _style(theme):
        figure = matplotlib_figure(charts, theme=theme)
        figure.savefig(buffer, format=kind, dpi=_DPI, metadata=dict(_METADATA[kind]))
    return buffer.getvalue()


def matplotlib_figure(charts: Sequence[Chart], *, theme: look.Theme = "light") -> Figure:
    """Return the charts below each other as one matplotlib figure, 8 inches wide."""
    from matplotlib.figure import Figure

    with _style(theme):
        heights = [chart.height / 96 + 0.75 for chart in charts]
        figure = Figure(figsize=(_INCHES, max(3.0, sum(heights))), layout="constrained")
        parts = figure.subfigures(len(charts), 1, height_ratios=heights, squeeze=False)
        for part, chart in zip(parts[:, 0], charts, strict=True):
            _draw(part, chart, look.COLOURS[theme])
    return figure


@contextmanager
def _style(theme: look.Theme) -> Iterator[None]:
    import matplotlib as mpl

    page = look.COLOURS[theme]["page"]
    settings: dict[Any, Any] = {**_STYLE, "figure.facecolor": page, "savefig.facecolor": page}
    with mpl.rc_context(settings):
        yield


def _draw(part: Any, chart: Chart, colours: Mapping[str, str]) -> None:  # noqa: ANN401 - a SubFigure
    weights = [panel.weight for panel in chart.panels]
    axes = part.subplots(len(chart.panels), 1, height_ratios=weights, squeeze=False)[:, 0]
    part.set_facecolor(colours["page"])
    part.suptitle(
        "\n".join(wrap(chart.title, 76)),
        x=0.01,
        ha="left",
        fontsize=12,
        fontweight="bold",
        color=colours["text"],
    )
    for place, (ax, panel) in enumerate(zip(axes, chart.panels, strict=True)):
        _draw_panel(ax, panel, colours)
        if place + 1 < len(axes) and panel.x == chart.panels[place + 1].x:
            ax.tick_params(labelbottom=False)


def _draw_panel(ax: Axes, panel: Panel, colours: Mapping[str, str]) -> None:
    ax.set_facecolor("none")
    _axis(ax, panel.x, "x")
    _axis(ax, panel.y, "y")
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(colours["muted"])
    ax.tick_params(length=0, colors=colours["muted"])
    ax.set_axisbelow(True)
    for which, axis in (("x", panel.x), ("y", panel.y)):
        if axis.grid:
            ax.grid(visible=True, axis=which, color=colours["rule"], linewidth=0.8)  # type: ignore[arg-type]
    if panel.unmeasured is not None:
        ax.axvspan(panel.unmeasured, panel.x.high, color=colours["surface"], linewidth=0, zorder=0)
    if panel.title:
        ax.set_title(panel.title, loc="left", fontsize=10, color=colours["text"])
    draw_cells(ax, panel, colours)
    for series in panel.series:
        _draw_series(ax, series, colours)
    for note in panel.notes:
        _draw_note(ax, note, colours)


def _axis(ax: Axes, axis: Axis, which: str) -> None:
    from matplotlib.ticker import NullLocator

    scale, limits = (ax.set_xscale, ax.set_xlim) if which == "x" else (ax.set_yscale, ax.set_ylim)
    scale(axis.scale)
    of = ax.xaxis if which == "x" else ax.yaxis
    of.set_minor_locator(NullLocator())
    of.set_ticks([v for v, _ in axis.ticks], [text for _, text in axis.ticks])
    limits(axis.low, axis.high)


def _draw_series(ax: Axes, series: Series, colours: Mapping[str, str]) -> None:
    colour = colours[series.role]
    if series.low:
        edges = (series.low, series.high)
        ax.fill_between(series.xs, *edges, color=colour, alpha=series.band, linewidth=0, zorder=1.5)
    _draw_stems(ax, series, colour)
    ax.plot(
        series.xs,
        series.ys,
        color=colour,
        alpha=0.45 if series.faint else 1,
        linewidth=series.line * _POINT,
        linestyle=("none" if not series.line else ":" if series.dotted else "-"),
        drawstyle=_STEPS[series.step],
        marker=look.SYMBOLS[series.role][1] if series.marker else "none",
        markersize=series.marker * _POINT,
        markerfacecolor=colour if series.filled else "none",
        markeredgewidth=0 if series.filled else 1.4,
        clip_on=False,
        zorder=2 if series.faint else 3,
    )
    place = {"right": (8, 0, "left"), "left": (-8, 0, "right"), "above": (0, 8, "center")}
    dx, dy, align = place[series.label_at]
    for x, y, text in zip(series.xs, series.ys, series.labels, strict=False):
        ax.annotate(
            text, (x, y), (dx, dy), textcoords="offset points", ha=align, va="center",
            fontsize=9, color=colours["text"], annotation_clip=False,
        )  # fmt: skip


def _draw_stems(ax: Axes, series: Series, colour: str) -> None:
    for x, y in zip(series.xs, series.ys, strict=True):
        if series.stems == "y":
            ax.plot([x, x], [series.stem_from, y], color=colour, linewidth=1.5, zorder=2)
        elif series.stems == "x":
            ax.plot([series.stem_from, x], [y, y], color=colour, linewidth=1.5, zorder=2)


def _draw_note(ax: Axes, note: Note, colours: Mapping[str, str]) -> None:
    if not (math.isfinite(note.x) and math.isfinite(note.y)):
        return
    ax.annotate(
        note.text, (note.x, note.y), (note.dx * _POINT, -note.dy * _POINT),
        textcoords="offset points", ha=note.align, va="center", fontsize=9.5,
        fontweight="bold" if note.bold else "normal", color=colours[note.role],
        annotation_clip=False, in_layout=False,
    )  # fmt: skip
