"""Where the panels of a chart lie, in pixels and in shares of its height."""

from __future__ import annotations

from dataclasses import dataclass

from benchkit.figures.chart import Chart

_BETWEEN = 58  # px between two panels: tick labels of the upper, title of the lower
_CHARACTER = 7.0  # px of a character of figure text, on average


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
    found, top = [], 1.0
    for panel in chart.panels:
        low = top - free * panel.weight / total
        found.append(Frame(max(0.0, low), top))
        top = low - gap
    return found
