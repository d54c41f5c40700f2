"""A figure that shows itself in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchkit.figures.chart import Chart
from benchkit.figures.look import Theme
from benchkit.figures.static import image, matplotlib_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_PX_PER_INCH = 96


@dataclass(frozen=True, slots=True)
class Drawing:
    """Charts below each other, one per comparison that has the data.

    Attributes:
        charts: What is drawn, free of any drawing library.
        theme: Light or dark.
    """

    charts: tuple[Chart, ...]
    theme: Theme = "light"

    def __repr__(self) -> str:
        return f"<benchkit figure: {'; '.join(chart.title for chart in self.charts)}>"

    def _repr_png_(self) -> tuple[bytes, dict[str, int | str]]:
        inches = self.matplotlib().get_size_inches()
        width, height = (round(_PX_PER_INCH * float(side)) for side in inches)
        drawn = image(self.charts, kind="png", theme=self.theme)
        # Half the size of its pixels, about: sharp on a dense screen.
        alt = " ".join(chart.label for chart in self.charts)
        return drawn, {"width": width, "height": height, "alt": alt}

    def matplotlib(self) -> Figure:
        """Return the matplotlib figure, to add to or to save as `savefig` does."""
        return matplotlib_figure(self.charts, theme=self.theme)

    def tables(self) -> list[pd.DataFrame]:
        """Return the values of each chart, in base units, as its table on the page has them."""
        import pandas as pd

        return [
            pd.DataFrame(
                [[heading, *(value for _, value in cells)] for heading, cells in chart.table.rows],
                columns=list(chart.table.headings),
            )
            for chart in self.charts
        ]
