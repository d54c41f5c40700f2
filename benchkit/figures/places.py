"""Where values lie in the page's inline SVG: horizontally as shares, vertically in px."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchkit.figures.chart import Axis, Chart, Panel
from benchkit.figures.layout import frames, margins

_NARROW: Final = 346  # px of a slot on a small screen, without what lies right of the axes
_EDGE: Final = 112  # px left of the axes there, at most


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
        return share(self.panel.x, value)

    def y(self, value: float) -> float:
        """Return the px from above at which a value stands."""
        return self.bottom - share(self.panel.y, value) * (self.bottom - self.top)


def boxes(chart: Chart) -> Iterator[Box]:
    """Yield the panels from top to bottom."""
    edge = margins(chart)
    inside = chart.height - edge.top - edge.bottom
    narrow = _NARROW - min(edge.left, _EDGE)
    for n, (panel, frame) in enumerate(zip(chart.panels, frames(chart), strict=True), 1):
        shared = n < len(chart.panels) and panel.x == chart.panels[n].x
        top, bottom = (edge.top + inside * (1 - at) for at in (frame.high, frame.low))
        yield Box(panel, top, bottom, ticks=not shared, narrow=narrow)


def share(axis: Axis, value: float) -> float:
    """Return where a value stands between the ends of an axis, 0 to 1."""
    if axis.scale == "log":
        value, low, high = (math.log10(max(v, 1e-12)) for v in (value, axis.low, axis.high))
    else:
        low, high = axis.low, axis.high
    return (value - low) / (high - low)


def percent(across: float) -> str:
    """Return a share as a length of SVG."""
    return f"{round(100 * across, 1):g}%"
