"""The figure of results that make a single comparison."""

from __future__ import annotations

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import Chart, chart, charts
from benchkit.figures.chart import Series
from benchkit.figures.drawing import Drawing
from benchkit.figures.look import Theme
from benchkit.figures.options import FigureOptions
from benchkit.model.comparison import Comparison


def compared(results: Results, *, baseline: str | None = None) -> Comparison:
    (comparison,) = assess(results, baseline=baseline).comparisons
    return comparison


def drawn(results: Results, kind: str, *, baseline: str | None = None) -> Chart:
    made = chart(compared(results, baseline=baseline), kind)
    assert made is not None
    return made


def content(
    results: Results,
    kind: str,
    suffix: str,
    *,
    theme: Theme = "light",
    purpose: str = "readme",
) -> bytes:
    """Return a figure as the content of a file."""
    options = FigureOptions(theme=theme, purpose=purpose)
    return Drawing(tuple(charts(assess(results).comparisons, kind)), options).content(suffix)


def is_bar(series: Series) -> bool:
    """Whether it is a bar, or the dot in place of one that would have no length."""
    is_drawn = series.line or series.marker in {2, 7}
    return not series.in_table and len({*series.xs}) == 1 and bool(is_drawn)
