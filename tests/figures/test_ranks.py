"""What figures of the sample results say of several variants that are alike, and their order."""

from pathlib import Path

import pytest

from benchkit.api import load
from benchkit.compare.assess import assess
from benchkit.figures import Chart, chart
from benchkit.figures.layout import on_page
from benchkit.model.comparison import Comparison

EXAMPLES = Path(__file__).parents[2] / "examples" / "results"


@pytest.fixture(scope="module")
def quickstart() -> Comparison:
    (comparison,) = assess(load(EXAMPLES / "quickstart")).comparisons
    return comparison


def drawn(comparison: Comparison, kind: str) -> Chart:
    made = chart(comparison, kind)
    assert made is not None
    return made


def test_a_title_names_all_whose_change_reads_the_same(quickstart: Comparison) -> None:
    """Once it named one of two with 0.14×, and not the one that leads."""
    assert drawn(quickstart, "percentiles").title.replace("\u00a0", " ") == (
        "Latency by percentile: p99 0.14× with asyncio and threads against blocking"
    )


def test_ridges_stand_in_the_order_of_other_figures(quickstart: Comparison) -> None:
    (panel,) = drawn(quickstart, "ridges").panels
    rows = sorted(((s.low[0], s.name) for s in panel.series if s.in_table), reverse=True)
    assert [name for _, name in rows] == [variant.label for variant in quickstart.variants]


def test_a_peak_that_may_be_chance_is_not_named() -> None:
    """Once a title gave 534 µs as the most frequent, beside a second peak as high near 430."""
    console, *_ = assess(load(EXAMPLES / "gin-panic")).comparisons
    title = drawn(console, "histogram").title.replace("\u00a0", " ")
    low, high = title.removeprefix("The most frequent latencies were ").split(" to ")
    assert float(low) < 430
    assert float(high.removesuffix(" µs")) > 534


def test_a_change_that_several_share_is_of_the_colour_of_none(quickstart: Comparison) -> None:
    made = drawn(quickstart, "percentiles")
    (callout,) = made.panels[1].notes
    assert (callout.text.replace("\u00a0", " "), callout.role) == ("p99 0.14×", "text")
    assert callout.align == "center"  # beside its percentile it touched the bars of another
    assert "Bars below are intervals of the ratio, side by side at one percentile." in made.caption


def test_the_axis_of_shares_ends_at_all() -> None:
    console, *_ = assess(load(EXAMPLES / "gin-panic")).comparisons
    made = drawn(console, "endpoints")
    assert made.panels[1].x.last == 1
    labels = [text for series in made.panels[1].series for text in series.labels]
    assert "default 100\u00a0%" in labels
    _, beyond = on_page(made)
    assert beyond >= 8 * len("default 100 %")
