"""A figure as frozen data: what is where, without any drawing library.

A kind of figure (percentiles, ecdf, …) makes a `Chart`; plotly, matplotlib and the page's
static SVG draw any `Chart`. Sizes are pixels of a page, colours are roles of `look`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

#: What stands for less, as for nothing, on a log scale.
_LEAST: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its scale, what it spans, its ticks with their words, and what it is of.

    The title of an x axis stands below its ticks; what a y axis is of says the panel's title, or
    its own beside all panels of a figure where these are titled with names.

    Attributes:
        end: Where line and grid end, before the room of the names; None for the upper end.
        lines: Where a line of the grid stands whether or not there is room for a word.
        gap: Between which places there is neither line nor grid: what stands beyond them has no
            place on the scale.
    """

    scale: Literal["linear", "log"]
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""
    grid: bool = True
    end: float | None = None
    lines: tuple[float, ...] = ()
    gap: tuple[float, float] | None = None

    @property
    def stretches(self) -> list[tuple[float, float]]:
        """Between which places line and grid are drawn."""
        if self.gap is None:
            return [(self.low, self.last)]
        return [(self.low, self.gap[0]), (self.gap[1], self.last)]

    @property
    def last(self) -> float:
        """Where line and grid end."""
        return self.high if self.end is None else self.end

    @property
    def gridded(self) -> list[tuple[float, str]]:
        """The ticks, and each further line with an empty word."""
        words = dict.fromkeys(self.lines, "") | dict(self.ticks)
        return sorted(words.items())

    def share(self, value: float) -> float:
        """Return how far along it a value stands: 0 at its lower end, 1 at its upper."""
        return self.shares([value])[0]

    def shares(self, values: Iterable[float]) -> list[float]:
        """Return the same of each of some values."""
        low, log = self.low, math.log
        if self.scale == "linear":
            span = self.high - low
            return [(value - low) / span for value in values]
        span = log(self.high / low)
        return [log(max(value, _LEAST) / low) / span for value in values]


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one variant or run.

    Attributes:
        name: Whose marks these are, as the table of the figure calls it.
        line: Width of the connecting line, 0 for none.
        marker: Size of the symbols, 0 for none.
        stems: Direction of a line from each mark to `stem_from`.
        labels: Text beside each mark, or nothing.
        hover: One text per mark.
        step: Draw the line as steps that change at each place.
        low: Lower edge of a band around the marks, one per mark, or nothing.
        high: Upper edge of it.
        band: Opacity of the band: 0.18 for an interval, 0.12 for the range over runs.
        faint: Draw behind, at reduced opacity.
        above: Draw the line over all marks.
        in_table: Whether the figure's table holds these values; repeats and guides are not.
    """

    name: str
    role: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    line: float = 0.0
    dotted: bool = False
    marker: float = 0.0
    filled: bool = True
    stems: Literal["", "x", "y"] = ""
    stem_from: float = 0.0
    labels: tuple[str, ...] = ()
    label_at: Literal["right", "left", "above"] = "right"
    hover: tuple[str, ...] = ()
    step: Literal["", "after"] = ""
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    band: float = 0.18
    faint: bool = False
    above: bool = False
    in_table: bool = True

    @property
    def points(self) -> list[tuple[float, float]]:
        """The places of the marks."""
        return list(zip(self.xs, self.ys, strict=True))

    @property
    def roots(self) -> list[tuple[float, float]]:
        """Where the stem of each mark begins."""
        start = self.stem_from
        return [(x, start) if self.stems == "y" else (start, y) for x, y in self.points]


@dataclass(frozen=True, slots=True)
class Note:
    """Text at a place; `dx` and `dy` move it by pixels to the right and down.

    `led`: a thin line, dotted where it can be, leads from its place to the text.
    """

    x: float
    y: float
    text: str
    role: str = "muted"
    align: Literal["left", "right", "center"] = "left"
    dx: float = 0.0
    dy: float = 0.0
    bold: bool = False
    led: bool = False


@dataclass(frozen=True, slots=True)
class CellGrid:
    """A grid of coloured cells below the marks of a panel.

    Attributes:
        xs: Edges along x, ascending and even, one more than there are columns.
        ys: Edges along y, ascending, one more than there are rows.
        values: Per row from below, per column: where the cell lies on the scale, 0 to 1; None
            for a cell without data.
        scale: `count` is sequential, `ratio` runs from better (0) over equal (0.5) to worse (1).
        texts: Written into the cells, shaped as `values`, or nothing.
        hatched: Whether a cell without data is hatched; otherwise it is transparent.
        hover: One text per cell, shaped as `values`, or nothing.
        counts: Requests per cell, shaped as `values`, over time in s and latency in s; shown on
            hover with their place, where a text per cell would be too much.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]
    scale: Literal["count", "ratio"] = "count"
    texts: tuple[tuple[str, ...], ...] = ()
    hatched: bool = False
    hover: tuple[tuple[str, ...], ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes; `weight` is its share of the figure's height.

    Attributes:
        name: What it is called by those who want it, or not: `ratio`, or the name of a metric.
        unmeasured: From where on the x axis the band begins in which nothing is printed.
        ends_at_gap: Whether nothing of it stands beyond the gap of its x axis.
        endings: How its title ends, from the longest words to the shortest, of what stands behind
            the comma of labels; nothing of that where labels have no room for it.
    """

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    notes: tuple[Note, ...] = ()
    title: str = ""
    weight: float = 1.0
    unmeasured: float | None = None
    cells: CellGrid | None = None
    name: str = ""
    ends_at_gap: bool = False
    endings: tuple[str, ...] = ()

    @property
    def stretches(self) -> list[tuple[float, float]]:
        """Between which places along x its line and grid are drawn."""
        return self.x.stretches[: 1 if self.ends_at_gap else None]

    @property
    def shown_x(self) -> Axis:
        """Its x axis with the ticks and lines of these stretches alone."""
        end = self.stretches[-1][1]
        ticks = tuple(tick for tick in self.x.ticks if tick[0] <= end)
        return replace(self.x, ticks=ticks, lines=tuple(at for at in self.x.lines if at <= end))


#: Text for people, and the number that is drawn; None where none is.
Cell = tuple[str, float | None]


@dataclass(frozen=True, slots=True)
class DataTable:
    """The values of a figure: per row the heading, then its cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure.

    Attributes:
        title: The observation.
        caption: Quantity, scales and marks.
        label: What a reader who sees no picture hears: the extremes.
        panels: From top to bottom.
        height: In pixels of the page.
        subtitle: What tells it apart from others of its kind, where it does not stand alone.
        columns: How many panels stand beside each other, row by row.
        kind: One of `KINDS`, or overview: what made it is called so.
    """

    title: str
    caption: str
    label: str
    panels: tuple[Panel, ...]
    table: DataTable
    height: int
    subtitle: str = ""
    columns: int = 1
    kind: str = ""

    @property
    def beside(self) -> str:
        """What all y axes are of, which stands beside them; empty where panels say it."""
        return self.panels[0].y.title

    @property
    def lists_names(self) -> bool:
        """Whether the y axis of the panels lists names, which need room on the left."""
        return not self.panels[0].y.grid
