"""Where the panels of a chart lie, in px and in shares of its height, and values within them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchkit.figures.chart import Chart, Panel

_BETWEEN: Final = 58  # px between two panels: tick labels of the upper, title of the lower
_CHARACTER: Final = 7.0  # px of a character of figure text, on average
_NARROW: Final = 346  # px of a slot on a small screen, without what lies right of the axes
_EDGE: Final = 112  # px left of the axes there, at most


@dataclass(frozen=True, slots=True)
class Margins:
    """Room around the panels in px."""

    left: int
    right: int
    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The vertical extent of a panel as shares of the plot area, from below."""

    low: float
    high: float


def margins(chart: Chart) -> Margins:
    """Return the room that titles and tick labels need."""
    widest = max(len(text) for panel in chart.panels for _, text in panel.y.ticks)
    return Margins(
        left=int(widest * _CHARACTER) + 16,
        right=12,
        top=24 if chart.panels[0].title else 10,
        bottom=28,
    )


def frames(chart: Chart) -> list[Frame]:
    """Return the extents of the panels from top to bottom."""
    edge = margins(chart)
    inside = chart.height - edge.top - edge.bottom
    gap = _BETWEEN / inside
    shared = len(chart.panels) > 1 and chart.panels[0].x == chart.panels[1].x
    gap = gap * 0.6 if shared else gap
    free = 1 - gap * (len(chart.panels) - 1)
    total = sum(panel.weight for panel in chart.panels)
    listed, top = [], 1.0
    for panel in chart.panels:
        low = top - free * panel.weight / total
        listed.append(Frame(max(0.0, low), top))
        top = low - gap
    return listed


@dataclass(frozen=True, slots=True)
class Box:
    """A panel with its place in the figure, in px; `narrow` is its width on a small screen."""

    panel: Panel
    top: float
    bottom: float
    ticks: bool
    narrow: float

    def x(self, value: float) -> float:
        """Return the share of the width at which a value stands."""
        return self.panel.x.share(value)

    def y(self, value: float) -> float:
        """Return the px from above at which a value stands."""
        return self.bottom - self.panel.y.share(value) * (self.bottom - self.top)


def boxes(chart: Chart) -> Iterator[Box]:
    """Yield the panels from top to bottom."""
    edge = margins(chart)
    inside = chart.height - edge.top - edge.bottom
    narrow = _NARROW - min(edge.left, _EDGE)
    for n, (panel, frame) in enumerate(zip(chart.panels, frames(chart), strict=True), 1):
        shared = n < len(chart.panels) and panel.x == chart.panels[n].x
        top, bottom = (edge.top + inside * (1 - at) for at in (frame.high, frame.low))
        yield Box(panel, top, bottom, ticks=not shared, narrow=narrow)


def percent(across: float) -> str:
    """Return a share as a length of SVG."""
    return f"{round(100 * across, 1):g}%"
