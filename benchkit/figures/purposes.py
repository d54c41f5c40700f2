"""What an image is for: its size, the size of its text, whether it bears its title."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchkit.figures.chart import Chart

_POINTS_PER_INCH: Final = 72
_TEXT: Final = 13  # px of the text of a figure of the page
_NARROW: Final = 480  # px; below, names are short and some ticks are left out
_BESIDE: Final = 52  # px of a figure's height that are not its panels': title, tick labels
_PANELS: Final = 2  # as many fit the usual height
_SMALL: Final = 0.92  # of the text: words beside marks


@dataclass(frozen=True, slots=True)
class Purpose:
    """Where an image goes.

    Attributes:
        inches: Its width.
        height: Its usual height in inches; lists and figures of many panels have their own.
        points: Size of the text.
        titled: Whether the title stands in the image; a paper has it in the caption.
    """

    inches: float
    height: float
    points: float
    titled: bool

    @property
    def point(self) -> float:
        """Points of a px of the page."""
        return self.points / _TEXT

    @property
    def small(self) -> float:
        """Points of the words beside marks."""
        return _SMALL * self.points

    @property
    def width_px(self) -> float:
        """Its width in px of the page."""
        return self.inches * _POINTS_PER_INCH / self.point

    @property
    def narrow(self) -> bool:
        """Whether the image is as narrow as a small screen."""
        return self.width_px < _NARROW

    def inches_of(self, chart: Chart) -> float:
        """Return the height of a figure."""
        own = (chart.height + (_BESIDE if self.titled else 0)) * self.point / _POINTS_PER_INCH
        if chart.lists_names:
            return own
        return self.height if len(chart.panels) <= _PANELS else max(self.height, own)

    def panels_px(self, chart: Chart) -> float:
        """Return the height that all panels have together, in px of the page, about."""
        title = 30 if self.titled else 0
        return self.inches_of(chart) * _POINTS_PER_INCH / self.point - title - 40


#: By name; the first is the usual one.
PURPOSES: Final[Mapping[str, Purpose]] = {
    "readme": Purpose(8.0, 4.5, 11.0, titled=True),
    "paper": Purpose(3.5, 2.4, 8.0, titled=False),
    "paper-double": Purpose(7.16, 3.0, 8.0, titled=False),
}
README: Final = PURPOSES["readme"]
