"""Any chart through matplotlib: PNG, SVG and PDF whose bytes depend on nothing but the chart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, Note, Panel, Series
from benchkit.figures.layout import README, Purpose, boxes, cell_words, gaps, margins
from benchkit.figures.marks import BELOW_HEADING, clear_of_names, respread
from benchkit.figures.scales import apart_upwards, short_name, shortened, thinned
from benchkit.model.grouping import grouped
from benchkit.names import without_marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS_PER_INCH: Final = 72
_STEPS: Final = {"": "default", "after": "steps-post"}
#: Alignment of a text beside a mark, and how far it is moved to the right and down in px.
_BESIDE_MARK: Final[Mapping[str, tuple[Literal["left", "right", "center"], int, int]]] = {
    "right": ("left", 10, 0),
    "left": ("right", -10, 0),
    "above": ("center", 0, -11),
}
_RIGHT: Final = 12  # px right of the names
_BESIDE: Final = 0.5  # of an axis: names further to the left lie above it
_TITLE_CHARACTER: Final = 6.4  # px of the title of a panel, about
_ASIDE: Final = 0.06  # of the width of a panel: beside it
_LEAST: Final = 4  # characters of a name
_LED: Final = 3  # px between a name and the end of its line: further apart a line joins them
_TITLE_PAD: Final = 11  # px between the title of a panel and the panel
_LEFT: Final = 0.01  # of the width: where title and caption begin
_LINE: Final = 1.25  # of its size: the height of a line
_APART: Final = 0.02  # of the height of a figure: between two panels
_DIGITS: Final = 9  # of a place as a share of the figure
_PAD: Final = 0.06  # inches above the title
_THIN: Final = 0.85  # of a line of the page
#: A panel that gives way to the words behind its marks moves these, too: each time by less.
_LAYOUTS: Final = 3
_TRIANGLE: Final = 1.25  # of another symbol
_STYLE: Final[Mapping[str, Any]] = {
    "axes.unicode_minus": True,
    "font.family": ["DejaVu Sans"],
    "hatch.linewidth": 0.6,
    "lines.solid_capstyle": "butt",  # a bar ends at its value
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


def image(
    charts: Sequence[Chart], *, kind: str, theme: look.Theme = "light", purpose: Purpose = README
) -> bytes:
    """Return the charts below each other in a single `png`, `svg` or `pdf`."""
    buffer = BytesIO()
    with _style(theme, purpose):
        figure = matplotlib_figure(charts, theme=theme, purpose=purpose)
        settle(figure, dpi=purpose.dpi if kind == "png" else _POINTS_PER_INCH)
        figure.savefig(buffer, format=kind, dpi=purpose.dpi, metadata=dict(_METADATA[kind]))
    return buffer.getvalue()


def settle(figure: Figure, *, dpi: int) -> None:
    """Lay a figure out, once, at rounded places.

    The last bits of what the layout finds differ between processes, and with them the names of
    clip paths, which are hashes of their corners.
    """
    engine = figure.get_layout_engine()
    if engine is None:
        return
    figure.set_dpi(dpi)  # for which texts are measured
    for _ in range(_LAYOUTS):
        engine.execute(figure)
    figure.set_layout_engine("none")
    for part in figure.subfigs:
        part.bbox_relative.set_points(part.bbox_relative.get_points().round(_DIGITS))
    for ax in figure.get_axes():
        left, bottom, width, height = (round(at, _DIGITS) for at in ax.get_position().bounds)
        ax.set_position((left, bottom, width, height))


def matplotlib_figure(
    charts: Sequence[Chart], *, theme: look.Theme = "light", purpose: Purpose = README
) -> Figure:
    """Return the charts below each other in a single matplotlib figure."""
    from matplotlib.figure import Figure

    with _style(theme, purpose):
        heights = [purpose.inches_of(chart) for chart in charts]
        figure = Figure(figsize=(purpose.inches, sum(heights)))
        # A share of the height of the whole: between two panels of many figures it would grow.
        figure.set_layout_engine("constrained", hspace=_APART / len(charts))
        parts = figure.subfigures(len(charts), 1, height_ratios=heights, squeeze=False)
        for part, chart in zip(parts[:, 0], charts, strict=True):
            _draw(part, chart, _Pen(look.COLOURS[theme], purpose))
    return figure


class _Pen(NamedTuple):
    """What every mark is drawn with; sizes are px of the page, `points` makes points of them."""

    colours: Mapping[str, str]
    purpose: Purpose

    def points(self, px: float) -> float:
        return px * self.purpose.point


def _style(theme: look.Theme, purpose: Purpose) -> AbstractContextManager[None]:
    import matplotlib as mpl

    page = look.COLOURS[theme]["page"]
    own = {"font.size": purpose.points, "figure.facecolor": page, "savefig.facecolor": page}
    settings: dict[Any, Any] = {**_STYLE, **own}
    return mpl.rc_context(settings)


def _draw(part: Any, chart: Chart, pen: _Pen) -> None:  # noqa: ANN401 - a SubFigure
    placed, columns = list(boxes(chart)), chart.columns
    weights = [panel.weight for panel in chart.panels[::columns]]
    axes = part.subplots(len(weights), columns, height_ratios=weights, squeeze=False).flatten()
    part.set_facecolor(pen.colours["page"])
    _draw_words(part, chart, pen)
    room = (pen.purpose.width_px - margins(chart).left) / columns
    whole = pen.purpose.panels_px(chart) / sum(weights)
    for ax in axes[len(placed) :]:
        ax.remove()
    longer = _longer(chart.panels, pen, room - _RIGHT)
    for ax, box in zip(axes, placed, strict=False):
        panel = replace(box.panel, x=longer.get(box.panel.x, box.panel.x))
        own = respread(panel, height=whole * panel.weight)
        own = clear_of_names(_low(own, whole * panel.weight), height=whole * panel.weight)
        if pen.purpose.narrow:
            own = _narrowed(own, room - _RIGHT, pen)
        if not pen.purpose.captioned:
            own = _unmarked(own)
        limit = max(_LEAST, int(room * (1 - _ASIDE) / _TITLE_CHARACTER))
        title = short_name(own.title, limit) if columns > 1 else "\n".join(wrap(own.title, limit))
        _draw_panel(ax, replace(own, title=title), pen)
        ax.tick_params(labelleft=box.outermost)
        if not box.ticks:
            ax.tick_params(labelbottom=False)
        elif panel.x.title and box.outermost:
            ax.set_xlabel(
                panel.x.title, fontsize=pen.purpose.small, color=pen.colours["muted"], labelpad=2,
                x=own.x.share(own.x.last) / 2,
            )  # fmt: skip


def _draw_words(part: Any, chart: Chart, pen: _Pen) -> None:  # noqa: ANN401 - a SubFigure
    """Draw title, subtitle and caption; the layout makes room for the first and the last."""
    purpose, colours = pen.purpose, pen.colours
    title, subtitle = purpose.title(chart), purpose.subtitle(chart)
    if title or subtitle:
        part.suptitle(
            "\n".join([*title, *(" " for _ in subtitle)]), x=_LEFT, ha="left", linespacing=_LINE,
            fontsize=purpose.large, fontweight="bold", color=colours["text"],
        )  # fmt: skip
    if subtitle:
        above = _LINE * purpose.large * len(title) / _POINTS_PER_INCH + _PAD
        part.text(
            _LEFT, 1 - above / purpose.inches_of(chart), "\n".join(subtitle), va="top",
            linespacing=_LINE, fontsize=purpose.small, color=colours["muted"],
        )  # fmt: skip
    if chart.beside:
        part.supylabel(chart.beside, fontsize=purpose.small, color=colours["muted"])
    if caption := purpose.caption(chart):
        part.supxlabel(
            "\n".join(caption), x=_LEFT, ha="left", linespacing=_LINE,
            fontsize=purpose.fine, color=colours["muted"],
        )  # fmt: skip


def _longer(panels: Sequence[Panel], pen: _Pen, width: float) -> dict[Axis, Axis]:
    """Return x axes so many px wide as far as the names behind their ends leave room for them.

    A page reserves the room for any width of its own.
    """
    ended = grouped((panel for panel in panels if panel.x.end is not None), lambda p: p.x)
    axes = {}
    for x, alike in ended.items():
        whole = replace(x, high=x.last, end=None)
        notes = [note for panel in alike for note in panel.notes if note.align == "left"]
        beyond = [(whole.share(n.x), n.dx + _width(n, pen)) for n in notes]
        length = min([width, *((width - px) / share for share, px in beyond if share > _BESIDE)])
        reach = width / max(length, 1 / 2 * width)
        log = x.scale == "log"
        high = x.low * (x.last / x.low) ** reach if log else x.low + (x.last - x.low) * reach
        axes[x] = replace(x, high=high)
    return axes


def _width(note: Note, pen: _Pen) -> float:
    """Return the px that a text is wide."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if note.bold else "normal")
    path = TextPath((0, 0), note.text, size=pen.purpose.small, prop=font)
    return float(path.get_extents().width) / pen.purpose.point


def _low(panel: Panel, height: float) -> Panel:
    """Return a panel so many px high, its ticks apart, its words between heading and axis."""
    if not panel.y.grid:
        return panel
    notes = []
    for note in panel.notes:
        below = panel.y.share(note.y) * height
        dy = max(min(note.dy, below - BELOW_HEADING), below - height + BELOW_HEADING)
        notes.append(note if note.bold else replace(note, dy=dy))
    return replace(panel, y=apart_upwards(panel.y, height), notes=tuple(notes))


def _unmarked(panel: Panel) -> Panel:
    """Return a panel without the numbers of footnotes, which stand in the caption."""
    series = tuple(replace(s, labels=tuple(map(without_marks, s.labels))) for s in panel.series)
    # A blank before it, as a number of a level stands alone; the name of a variant may be one.
    notes = (
        replace(note, text=without_marks(note.text if note.bold else f" {note.text}").lstrip())
        for note in panel.notes
    )
    title = without_marks(panel.title)
    return replace(panel, series=series, notes=tuple(n for n in notes if n.text), title=title)


def _fitted(note: Note, room: float, pen: _Pen) -> Note:
    """Return a name shortened in its middle until it is no wider than so many px."""
    for limit in range(len(note.text), _LEAST - 1, -1):
        short = replace(note, text=short_name(note.text, limit))
        if _width(short, pen) <= room:
            return short
    return replace(note, text=short_name(note.text, _LEAST))


def _narrowed(panel: Panel, width: float, pen: _Pen) -> Panel:
    """Return a panel so many px wide, its ticks fewer, its names cut to the room they have."""
    notes = []
    for note in panel.notes:
        room = (1 - panel.x.share(note.x)) * width - note.dx + 0.5  # as it was made to fit
        # A name that is shortened is still known; a value would be another.
        name = note.bold and note.align == "left"
        notes.append(_fitted(note, room, pen) if name else note)
    return replace(panel, x=thinned(panel.x, width), y=shortened(panel.y), notes=tuple(notes))


def _draw_panel(ax: Axes, panel: Panel, pen: _Pen) -> None:
    ax.set_facecolor("none")
    _axis(ax, panel.shown_x, "x")
    _axis(ax, panel.y, "y")
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(length=0, colors=pen.colours["muted"])
    ax.tick_params(axis="x", pad=pen.points(9))  # clear of a tick of y at the origin
    ax.set_axisbelow(True)
    rule: Any = {"color": pen.colours["rule"], "linewidth": 0.8}
    axis: Any = {"color": pen.colours["muted"], "linewidth": 0.8}
    if panel.x.grid:
        ax.grid(visible=True, axis="x", **rule)
    along = ax.get_xaxis_transform()
    for stretch in panel.stretches:
        ax.plot(stretch, (0, 0), transform=along, clip_on=False, zorder=2.5, **axis)
        for at, _ in panel.y.ticks if panel.y.grid else ():
            ax.plot(stretch, (at, at), zorder=0.5, **rule)
    if panel.unmeasured is not None:
        ax.axvspan(
            panel.unmeasured, panel.x.last, color=pen.colours["surface"], linewidth=0, zorder=0
        )
    if panel.title:
        pad = pen.points(_TITLE_PAD)
        words: Any = {"fontsize": pen.purpose.small, "color": pen.colours["text"], "pad": pad}
        ax.set_title(panel.title, loc="left", **words)
    _draw_cells(ax, panel, pen)
    for series in panel.series:
        _draw_series(ax, series, pen)
    for note in panel.notes:
        _draw_note(ax, note, pen)


def _axis(ax: Axes, axis: Axis, which: str) -> None:
    from matplotlib.ticker import NullLocator

    scale, limits = (ax.set_xscale, ax.set_xlim) if which == "x" else (ax.set_yscale, ax.set_ylim)
    scale(axis.scale)
    drawn = ax.xaxis if which == "x" else ax.yaxis
    drawn.set_minor_locator(NullLocator())
    drawn.set_ticks([v for v, _ in axis.gridded], [text for _, text in axis.gridded])
    limits(axis.low, axis.high)


def _draw_cells(ax: Axes, panel: Panel, pen: _Pen) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    grid, colours = panel.cells, pen.colours
    if grid is None:
        return
    stops = [colours[role] for role in look.SCALES[grid.scale]]
    ax.pcolormesh(
        grid.xs,
        grid.ys,
        [[math.nan if value is None else value for value in row] for row in grid.values],
        cmap=LinearSegmentedColormap.from_list(grid.scale, stops),
        vmin=0,
        vmax=1,
        # Cells that are read one by one stand apart; those of a density touch.
        edgecolors=colours["page"] if grid.texts else "none",
        linewidth=1.5 if grid.texts else 0,
        rasterized=not grid.texts,
        zorder=0.6,
    )
    for left, right, low, high in gaps(grid) if grid.hatched else ():
        ax.add_patch(
            Rectangle(
                (left, low), right - left, high - low, hatch="////", facecolor="none",
                edgecolor=colours["strong"], linewidth=0, zorder=0.6,
            )
        )  # fmt: skip
    for word in cell_words(panel, grid):
        ax.text(
            word.x, word.y, word.text, color=colours[word.role],
            fontweight="bold" if word.bold else "normal",
            ha="center", va="center", fontsize=pen.purpose.small, clip_on=True,
        )  # fmt: skip


def _draw_series(ax: Axes, series: Series, pen: _Pen) -> None:
    colour = pen.colours[series.role]
    if series.low:
        edges = (series.low, series.high)
        ax.fill_between(series.xs, *edges, color=colour, alpha=series.band, linewidth=0, zorder=1.5)
    width = pen.points(2) * _THIN
    for root, point in zip(series.roots, series.points, strict=True) if series.stems else ():
        ax.plot(*zip(root, point, strict=True), color=colour, linewidth=width, zorder=2)
    shared: Any = {"color": colour, "alpha": look.FAINT if series.faint else 1, "clip_on": False}
    behind = 4 if series.above else 2 if series.faint else 3
    if series.line:
        ax.plot(
            series.xs,
            series.ys,
            linewidth=pen.points(series.line) * _THIN,
            linestyle=":" if series.dotted else "-",
            drawstyle=_STEPS[series.step],
            zorder=behind,
            **shared,
        )
    if series.marker:
        symbol = _symbol(series)
        larger = _TRIANGLE if symbol == "^" else 1  # to be as large to the eye
        tiny = series.marker < look.TINY
        ax.plot(
            series.xs,
            series.ys,
            linestyle="none",
            marker=symbol,
            markersize=pen.points(series.marker) * _THIN * larger,
            markerfacecolor=colour if series.filled else "none",
            markeredgewidth=_edge(series, width),
            markeredgecolor=pen.colours["page"] if series.filled else colour,
            zorder=1.8 if tiny else behind + 0.5,  # no line crosses the mark of another
            **shared,
        )
    for x, y, text in zip(series.xs, series.ys, series.labels, strict=False):
        if text:
            beside = Note(x, y, text, "text", *_BESIDE_MARK[series.label_at])
            _draw_note(ax, beside, pen, in_layout=True)


def _edge(series: Series, width: float) -> float:
    """Return how wide the edge of a mark is, of which an open one consists."""
    if series.marker < look.TINY:
        return 0.0 if series.filled else width / 2
    return width / 2 if series.filled else width


def _symbol(series: Series) -> str:
    if not look.SMALL <= series.marker < look.RING:
        return "o"
    return look.SYMBOLS[series.role][1]


#: Where across a word a line ends that leads to it, as a share of its width.
_RELATIVE: Final = {"left": 0.0, "center": 0.5, "right": 1.0}


def _draw_note(ax: Axes, note: Note, pen: _Pen, *, in_layout: bool = False) -> None:
    if not (math.isfinite(note.x) and math.isfinite(note.y)):
        return
    from matplotlib.patheffects import withStroke

    # A name that was moved away from the end of its line is led back to it.
    led = note.led or (note.bold and note.dx == look.NAME_GAP and abs(note.dy) > _LED)
    leader = {
        "arrowstyle": "-", "color": pen.colours["muted" if note.led else note.role],
        "relpos": (_RELATIVE[note.align], float(note.dy > 0)) if note.led else (0.0, 0.5),
        "linestyle": ":" if note.led else "-", "linewidth": pen.points(0.8),
        "shrinkA": 0.0, "shrinkB": pen.points(2),
    }  # fmt: skip
    # Words are read over lines and the grid.
    halo = [withStroke(linewidth=pen.points(3), foreground=pen.colours["page"])]
    ax.annotate(
        note.text, (note.x, note.y), (pen.points(note.dx), -pen.points(note.dy)),
        textcoords="offset points", ha=note.align, va="center", fontsize=pen.purpose.small,
        fontweight="bold" if note.bold else "normal", color=pen.colours[note.role],
        annotation_clip=False, in_layout=in_layout, arrowprops=leader if led else None,
        path_effects=halo,
    )  # fmt: skip
