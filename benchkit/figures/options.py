"""What somebody wants of a figure otherwise than it is by itself."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchkit.errors import UsageError
from benchkit.figures.chart import Chart, Panel
from benchkit.figures.layout import PURPOSES, Purpose
from benchkit.figures.look import COLOURS, Theme
from benchkit.figures.panels import those_shown
from benchkit.units import as_number

_INCHES: Final = (1.0, 60.0)
_DPI: Final = (20, 1200)
_EDGE: Final = 40  # px of a figure's height that are not its panels'


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOptions:
    """How a figure is drawn; what is None is as the figure itself has it.

    Attributes:
        theme: Light or dark.
        purpose: One of `PURPOSES`: size, text, whether an image bears its title and its caption.
        title: In place of the observation; empty for none.
        subtitle: A line below the title.
        caption: Whether scenario, tool, load, number of runs and what the marks are stand below.
        width: In inches; of an HTML page 96 px each.
        height: Of each figure, likewise, with title and caption.
        dpi: Pixels per inch of a PNG.
        metric: The name of the metric that is shown, of kinds that show one of several.
        panels: Names of the only panels that are drawn.
        ratio: Whether the panel of ratios to the baseline is drawn.
    """

    theme: Theme = "light"
    purpose: str = "readme"
    title: str | None = None
    subtitle: str | None = None
    caption: bool | None = None
    width: float | None = None
    height: float | None = None
    dpi: int | None = None
    metric: str | None = None
    panels: Sequence[str] = ()
    ratio: bool = True

    def __post_init__(self) -> None:
        if self.purpose not in [*PURPOSES]:
            raise UsageError(f"nothing is drawn for '{self.purpose}'; there are {_list(PURPOSES)}")
        if self.theme not in [*COLOURS]:
            raise UsageError(f"no theme is called '{self.theme}'; there are {_list(COLOURS)}")
        sizes: Mapping[str, tuple[object, tuple[float, float]]] = {
            "width": (self.width, _INCHES),
            "height": (self.height, _INCHES),
            "dpi": (self.dpi, _DPI),
        }
        for name, (size, (low, high)) in sizes.items():
            if size is not None and not low <= (as_number(size) or math.nan) <= high:
                unit = "" if name == "dpi" else " inches"
                given = f"{size:g}" if isinstance(size, float) else f"{size!r:.40}"
                raise UsageError(f"{name} {given}: it must be {low:g} to {high:g}{unit}")

    @property
    def size(self) -> Purpose:
        """What an image is for, in the size that is wanted."""
        usual = PURPOSES[self.purpose]
        return replace(
            usual,
            inches=self.width or usual.inches,
            height=self.height or usual.height,
            fixed=self.height is not None,
            dpi=self.dpi or usual.dpi,
            titled=usual.titled if self.title is None else bool(self.title),
            captioned=usual.captioned if self.caption is None else self.caption,
        )

    @property
    def chooses_panels(self) -> bool:
        """Whether some panels may be left out."""
        return bool(self.panels) or not self.ratio

    def shows(self, name: str) -> bool:
        """Whether a panel of this name is wanted."""
        return (not self.panels or name in self.panels) and (self.ratio or name != "ratio")

    def applied(self, chart: Chart) -> Chart:
        """Return a figure with these words and panels.

        Raises:
            UsageError: it has no such panel.
        """
        subtitle = " · ".join(filter(None, (self.subtitle, chart.subtitle)))
        title = chart.title if self.title is None else self.title
        kept = self._kept(chart.panels)
        share = sum(panel.weight for panel in kept) / sum(panel.weight for panel in chart.panels)
        height = round(_EDGE + (chart.height - _EDGE) * share)
        return replace(chart, title=title, subtitle=subtitle, panels=kept, height=height)

    def _kept(self, panels: Sequence[Panel]) -> tuple[Panel, ...]:
        names = [panel.name for panel in panels if panel.name]
        missing = [name for name in self.panels if name not in names]
        if missing:
            there = f"there are {_list(names)}" if names else "it has only one"
            raise UsageError(f"no panel '{missing[0]}' in this figure; {there}")
        return tuple(
            those_shown(panels, lambda p: p.name, lambda name: not name or self.shows(name))
        )


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
