"""Where the parts of a chart lie, the words of cells, and what an image is for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap
from typing import Final, NamedTuple

from benchkit.figures.chart import Axis, CellGrid, Chart, Note, Panel

_TITLE: Final = 19  # px of the title of an axis
_SECOND_ROW: Final = 13  # px of ticks that stand below others where these leave them no room
_BETWEEN: Final = 58  # px between two panels: tick labels of the upper, title of the lower
ASIDE: Final = 0.05  # of the width, between two panels beside each other
_CHARACTER: Final = 7.0  # px of a character of figure text, on average
_NARROW: Final = 358  # px of a slot on a small screen
_MEDIUM: Final = 440  # px of the smallest slot in which no name is shortened
_BROAD: Final = 530  # px of one of two on a wide screen
_EDGE: Final = 116  # px left of the axes on a small screen, at most, and right of them
_RIGHT: Final = 12  # px right of the axes
#: px of a character of a name behind an axis, bold or not; of the plot area at least.
_BOLD, _PLAIN = 8.5, 7.7
_LEAST_AREA: Final = 180
_HALO: Final = 4  # px around a word: of few characters each may be wider than that
BESIDE: Final = 10  # px from a mark to the label right of it


@dataclass(frozen=True, slots=True)
class Margins:
    """Room around the panels in px."""

    left: int
    right: int
    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Box:
    """A panel with its place in the figure.

    Attributes:
        low: Its lower end as a share of the plot area, from below.
        high: Its upper end.
        top: In px from above.
        bottom: Likewise.
        ticks: Whether its x axis has words, and is not that of the next panel.
        narrow: Its width in px on a small screen.
        medium: Its width in px in half a page.
        broad: Its width in px in half a wide page.
        beyond: The px right of the plot area on a small screen.
        left: Where it begins as a share of the width.
        right: Where it ends, likewise.
    """

    panel: Panel
    low: float
    high: float
    top: float
    bottom: float
    ticks: bool
    narrow: float
    medium: float
    broad: float
    beyond: float
    left: float
    right: float

    @property
    def outermost(self) -> bool:
        """Whether its y axis has words."""
        return self.left == 0

    @property
    def end(self) -> float:
        """The share of the width at which line and grid end."""
        return self.x(self.panel.x.last)

    def x(self, value: float) -> float:
        """Return the share of the width at which a value stands."""
        return self.xs([value])[0]

    def xs(self, values: Iterable[float]) -> list[float]:
        """Return the same of each of some values."""
        left, width = self.left, self.right - self.left
        return [left + share * width for share in self.panel.x.shares(values)]

    def y(self, value: float) -> float:
        """Return the px from above at which a value stands."""
        return self.ys([value])[0]

    def ys(self, values: Iterable[float]) -> list[float]:
        """Return the same of each of some values."""
        bottom, height = self.bottom, self.bottom - self.top
        return [bottom - share * height for share in self.panel.y.shares(values)]


def margins(chart: Chart) -> Margins:
    """Return the room that titles and tick labels need."""
    widest = max((len(text) for panel in chart.panels for _, text in panel.y.ticks), default=0)
    return Margins(
        left=int(widest * _CHARACTER) + 16 + (_TITLE if chart.beside else 0),
        right=_RIGHT,
        top=24 if chart.panels[0].title else 10,
        bottom=28
        + (_TITLE if chart.panels[-1].x.title else 0)
        + (_SECOND_ROW if chart.panels[-1].x.lines else 0),
    )


def on_page(chart: Chart) -> tuple[Chart, int]:
    """Return a chart whose x axes end with line and grid, and the px right of its plot area.

    A page stretches the plot area alone: the names behind it need as many px at every width.
    """
    if all(panel.x.end is None for panel in chart.panels):
        return chart, _RIGHT
    panels = tuple(replace(p, x=replace(p.x, high=p.x.last, end=None)) for p in chart.panels)
    reach = (
        _HALO
        + note.dx
        + len(note.text) * (_BOLD if note.bold else _PLAIN)
        - (1 - panel.x.share(note.x)) * _LEAST_AREA
        for panel in panels
        for note in (*panel.notes, *_labels(panel))
        if note.align == "left"
    )
    return replace(chart, panels=panels), max(_RIGHT, math.ceil(max(reach, default=0)))


def _labels(panel: Panel) -> Iterator[Note]:
    """Yield what stands right of marks."""
    for series in panel.series:
        if series.label_at == "right":
            for x, y, text in zip(series.xs, series.ys, series.labels, strict=False):
                yield Note(x, y, text, dx=BESIDE)


def boxes(chart: Chart, *, right: int = _RIGHT) -> Iterator[Box]:
    """Yield the panels row by row; those beside each other are equally wide.

    `right` is the px right of the plot area.
    """
    edge, panels, columns = margins(chart), chart.panels, chart.columns
    inside, firsts = chart.height - edge.top - edge.bottom, panels[::columns]
    gaps = [_gap(*pair) / inside for pair in pairwise(firsts)]
    free, total = 1 - sum(gaps), sum(panel.weight for panel in firsts)
    wide = (1 - ASIDE * (columns - 1)) / columns
    high = 1.0
    for number, first in enumerate(firsts):
        low = max(0.0, high - free * first.weight / total)
        top, bottom = (edge.top + inside * (1 - at) for at in (high, low))
        for column, panel in enumerate(panels[number * columns :][:columns]):
            below = panels[(number + 1) * columns + column :][:1]
            ticks = not below or panel.x != below[0].x
            left = column * (wide + ASIDE)
            end = 1.0 if column + 1 == columns else left + wide
            yield Box(
                panel, low, high, top, bottom, ticks,
                narrow=wide * (_NARROW - min(edge.left, _EDGE) - min(right, _EDGE)),
                medium=wide * (_MEDIUM - edge.left - right),
                broad=wide * (_BROAD - edge.left - right),
                beyond=min(right, _EDGE), left=left, right=end,
            )  # fmt: skip
        high = low - sum(gaps[number : number + 1])


def _gap(upper: Panel, lower: Panel) -> float:
    """Return the px between two panels, less where one axis serves both."""
    return 0.6 * _BETWEEN if upper.x == lower.x else _BETWEEN + _TITLE * bool(upper.x.title)


# --- cells ---


class Word(NamedTuple):
    """The text in the middle of a cell; bold where the cell has a value."""

    x: float
    y: float
    text: str
    role: str
    bold: bool


def ink(value: float | None) -> str:
    """Return the role of text that is readable in a cell of the ratio scale.

    The middle of the scale is as light or dark as the page; its ends are dark on a light page
    and light on a dark one, and what lies between is light on both.
    """
    if value is None:
        return "muted"
    far = abs(2 * value - 1)
    return "text" if far < 0.72 else "ink" if far < 0.88 else "page"


def cell_words(panel: Panel, cells: CellGrid) -> Iterator[Word]:
    """Yield the text of each cell that has any."""
    xs, ys = _middles(cells.xs, panel.x), _middles(cells.ys, panel.y)
    for y, texts, values in zip(ys, cells.texts, cells.values, strict=False):
        for x, text, value in zip(xs, texts, values, strict=True):
            if text:
                yield Word(x, y, text, ink(value), bold=value is not None)


def gaps(cells: CellGrid) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, right, lower and upper edge of each cell without data."""
    for values, rows in zip(cells.values, pairwise(cells.ys), strict=True):
        for value, columns in zip(values, pairwise(cells.xs), strict=True):
            if value is None:
                yield *columns, *rows


def _middles(edges: tuple[float, ...], axis: Axis) -> list[float]:
    """Return the middle of each column or row as it is seen on this axis."""
    if axis.scale == "log":
        return [float((a * b) ** 0.5) for a, b in pairwise(edges)]
    return [(a + b) / 2 for a, b in pairwise(edges)]


# --- what an image is for: its size, the size of its text, whether it bears its title ---

_POINTS_PER_INCH: Final = 72
_TEXT: Final = 13  # px of the text of a figure of the page
_SMALL_SCREEN: Final = 480  # px; below, names are short and some ticks are left out
_UNPANELED: Final = 52  # px of a figure's height that are not its panels': title, tick labels
_TICKS: Final = 20  # px of the words of an axis
_HEADING: Final = 22  # px of the title of a panel
_PANELS: Final = 2  # as many fit the usual height
_SMALLER: Final = 0.92  # of the text: words beside marks
_LARGER: Final = 1.2  # of the text: the title
_CAPTION: Final = 0.84  # of the text: what stands below
_LINE: Final = 1.25  # of its size: the height of a line
#: Widths of a character as a share of its size, on average.
_BOLD_EM: Final = 0.64
_EM: Final = 0.53
_LEAST_LINE: Final = 12  # characters
_LEAST_PANELS: Final = 40  # px
_LEAST_PANEL: Final = 56  # px, of an axis with some ticks
_NAME: Final = 16  # px of a name at the end of a line, or of a row
_BEHIND: Final = 0.5  # of a panel's width: further right texts may lie over each other
_TOUCHING: Final = 13  # px from the middle of a text to the next
#: px: the heights that are tried, up to those at which a figure is drawn by itself.
_STEP, _MOST_LEAST = 8, 320
_TITLED: Final = 30  # px of the first line of the title


def _least_px(panel: Panel) -> float:
    """Return the least height of a panel in px at which names and values stand apart."""
    if not panel.y.grid:
        return max(_LEAST_PANEL, _NAME * len(panel.y.ticks))
    least = max(_LEAST_PANEL, _NAME * sum(note.bold for note in panel.notes))
    heights = range(least, _MOST_LEAST, _STEP)
    return next((height for height in heights if _are_apart(panel, height)), least)


def _are_apart(panel: Panel, height: float) -> bool:
    """Whether no two texts behind the ends of lines touch where a panel is so many px high."""
    from benchkit.figures.marks import respread  # numpy, which commands need not begin with

    notes = respread(panel, height=height).notes
    ends = [n for n in notes if n.align != "center" and panel.x.share(n.x) > _BEHIND]
    down = sorted((1 - panel.y.share(note.y)) * height + note.dy for note in ends)
    return all(lower - upper >= _TOUCHING for upper, lower in pairwise(down))


@dataclass(frozen=True, slots=True)
class Purpose:
    """Where an image goes.

    Attributes:
        inches: Its width.
        height: Its usual height in inches; lists and figures of many panels have their own.
        points: Size of the text.
        titled: Whether the title stands in the image; a paper has it in the caption.
        captioned: Whether the caption does.
        fixed: Whether the height is that of every figure, whatever it holds.
        dpi: Pixels per inch of a PNG.
    """

    inches: float
    height: float
    points: float
    titled: bool
    captioned: bool
    fixed: bool = False
    dpi: int = 150

    @property
    def point(self) -> float:
        """Points of a px of the page."""
        return self.points / _TEXT

    @property
    def small(self) -> float:
        """Points of the words beside marks."""
        return _SMALLER * self.points

    @property
    def large(self) -> float:
        """Points of the title."""
        return _LARGER * self.points

    @property
    def fine(self) -> float:
        """Points of the caption."""
        return _CAPTION * self.points

    @property
    def width_px(self) -> float:
        """Its width in px of the page."""
        return self.inches * _POINTS_PER_INCH / self.point

    @property
    def narrow(self) -> bool:
        """Whether the image is as narrow as a small screen."""
        return self.width_px < _SMALL_SCREEN

    def inches_of(self, chart: Chart) -> float:
        """Return the height of a figure."""
        if self.fixed:
            return self.height
        own = (chart.height + (_UNPANELED if self.titled else 0)) * self.point / _POINTS_PER_INCH
        usual = self.height if len(chart.panels) <= _PANELS else max(self.height, own)
        return (own if chart.lists_names else usual) + self._beside_inches(chart)

    def title(self, chart: Chart) -> list[str]:
        """Return the lines of the title, none where it does not stand in the image."""
        return self._wrapped(chart.title, self.large * _BOLD_EM) if self.titled else []

    def subtitle(self, chart: Chart) -> list[str]:
        """Return the lines of the subtitle."""
        return self._wrapped(chart.subtitle, self.small * _EM)

    def caption(self, chart: Chart) -> list[str]:
        """Return the lines of the caption, none where it does not stand in the image."""
        return self._wrapped(chart.caption, self.fine * _EM) if self.captioned else []

    def _wrapped(self, text: str, character: float) -> list[str]:
        """Return the lines of a text whose characters are so many points wide."""
        return wrap(text, max(_LEAST_LINE, int(self.inches * _POINTS_PER_INCH / character)))

    def _beside_inches(self, chart: Chart) -> float:
        """Return the height of subtitle, caption and all lines of a title but the first."""
        lines = {
            self.large: len(self.title(chart)[1:]),
            self.small: len(self.subtitle(chart)),
            self.fine: len(self.caption(chart)),
        }
        return sum(_LINE * size * n for size, n in lines.items()) / _POINTS_PER_INCH

    def panels_px(self, chart: Chart) -> float:
        """Return the height that all panels have together, in px of the page, about."""
        inches = self.inches_of(chart) - self._beside_inches(chart)
        px = inches * _POINTS_PER_INCH / self.point - self._around_px(chart)
        return max(_LEAST_PANELS, px)

    def readable_inches(self, chart: Chart) -> float:
        """Return the least height at which marks, ticks and names of every panel stand apart."""
        rows = chart.panels[:: chart.columns]
        total = sum(panel.weight for panel in rows)
        px = max(_least_px(panel) * total / panel.weight for panel in rows)
        px += self._around_px(chart) + (_TITLE if chart.panels[-1].x.title else 0)
        return px * self.point / _POINTS_PER_INCH + self._beside_inches(chart)

    def _around_px(self, chart: Chart) -> float:
        """Return what is of the height, in px of the page, neither panels nor further words."""
        rows = -(-len(chart.panels) // chart.columns)
        return (_TITLED if self.titled else 0) + _TICKS + _HEADING * rows


#: By name; the first is the usual one.
PURPOSES: Final[Mapping[str, Purpose]] = {
    "readme": Purpose(8.0, 4.5, 11.0, titled=True, captioned=True),
    "paper": Purpose(3.5, 2.4, 8.0, titled=False, captioned=False),
    "paper-double": Purpose(7.16, 3.0, 8.0, titled=False, captioned=False),
}
README: Final = PURPOSES["readme"]
