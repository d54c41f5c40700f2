"""What figures of the samples say of what stands in them."""

from functools import cache
from pathlib import Path

import pytest

from benchkit.api import load
from benchkit.compare.assess import assess
from benchkit.figures import chart, charts_of_page
from benchkit.figures.chart import Axis, Chart
from benchkit.model.comparison import Comparison

EXAMPLES = Path(__file__).parents[2] / "examples" / "results"


@cache
def comparisons(scenario: str) -> list[Comparison]:
    return list(assess(load(EXAMPLES / scenario)).comparisons)


def figure(comparison: Comparison, kind: str) -> Chart:
    made = chart(comparison, kind)
    assert made is not None
    return made


def test_a_page_says_what_the_numbers_in_a_figure_stand_for() -> None:
    _, unbounded = comparisons("request-coalescing")
    _, others = charts_of_page(unbounded)
    (rates,) = [made for made in others if made.kind == "throughput"]
    labels = [label for series in rates.panels[0].series for label in series.labels]
    assert any("⑤" in label for label in labels)
    assert "② Many connections stood idle. ⑤ Some connections stood idle." in rates.caption


def test_of_runs_that_lie_apart_one_may_be_a_hump() -> None:
    (servers,) = comparisons("quickstart")
    caption = figure(servers, "ridges").caption
    assert "Runs are up to 1.05× apart in p50 (“blocking, copy”): a hump may be a run." in caption
    assert "The outline of blocking ends where latencies are withheld." in caption


def test_ratios_that_only_rounding_tells_apart_are_told_as_one() -> None:
    console, *_ = comparisons("gin-panic")
    made = figure(console, "ridges")
    assert made.title == "Shape of the latencies: p95 was about 1.4× the p50"
    assert "Outlines end where latencies are withheld." in made.caption


def test_lines_that_lie_on_each_other_have_one_name() -> None:
    written, *_ = comparisons("logging-cost")
    cores, memory = figure(written, "resources").panels
    assert len(cores.notes) == 4
    assert [note.text for note in memory.notes] == ["all 4"]


def test_zeros_of_endpoints_stand_below_each_other() -> None:
    console, *_ = comparisons("gin-panic")
    latencies, failures = figure(console, "endpoints").panels

    def zero(axis: Axis) -> float:
        return -axis.low / (axis.last - axis.low)

    assert zero(latencies.x) == pytest.approx(zero(failures.x)) == pytest.approx(0.02 / 1.02)


def test_dots_of_ratios_stand_on_their_lines_and_bars_beside_them() -> None:
    written, *_ = comparisons("logging-cost")
    _, ratios = figure(written, "percentiles").panels
    lines = {s.name: dict(s.points) for s in ratios.series if s.line == 2}
    dots = [s for s in ratios.series if s.marker == 4]
    bars = [s for s in ratios.series if s.line == 3]
    assert len(dots) == len(lines) == 3
    for each in dots:
        assert all(lines[each.name][x] == y for x, y in each.points)
    beside = {x for bar in bars for x in bar.xs} - {x for each in dots for x in each.xs}
    assert len(beside) == 3 * len({x for each in dots for x in each.xs})
