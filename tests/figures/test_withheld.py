"""What a comparison withholds is in none of its figures."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from benchkit import format as show
from benchkit.api import Results
from benchkit.figures import Chart, chart, charts
from benchkit.model.comparison import Comparison
from benchkit.schema import QUANTILE_COLUMNS
from tests.figures.charts import compared
from tests.figures.grids import over_time
from tests.recorded import assessed

NUMBER = re.compile(r"\d+\.?\d*")
SHAPES = ("ecdf", "histogram", "ridges", "percentiles")


def without(comparison: Comparison, label: str, *, least: float) -> Comparison:
    """The same with the quantiles of a variant withheld from one on, and its mean and maximum."""
    columns = [c for q, c in QUANTILE_COLUMNS.items() if q >= least]
    hidden = dict.fromkeys([*columns, "latency_mean_s", "latency_max_s"], "had no answer")
    variants = (replace(v, withheld=hidden) if v.label == label else v for v in comparison.variants)
    return replace(comparison, variants=tuple(variants))


def drawn(comparison: Comparison, kind: str) -> Chart:
    made = chart(comparison, kind)
    assert made is not None
    return made


@pytest.mark.parametrize("kind", SHAPES)
def test_a_variant_without_any_latency_to_show_has_no_line(kind: str, known: Results) -> None:
    made = drawn(without(compared(known), "b", least=0.5), kind)
    assert {series.name for panel in made.panels for series in panel.series} == {"a"}
    assert "Withheld: all of b." in made.caption


def test_its_panel_over_time_has_no_latencies() -> None:
    steady = over_time([[(0.002, 900), (0.004, 100)]] * 40, variants=("a", "b"))
    made = drawn(without(compared(steady), "b", least=0.5), "heatmap")
    shown, hidden, _ = made.panels
    assert shown.cells is not None
    assert hidden.cells is None
    assert "latencies withheld" in {note.text for note in hidden.notes}
    assert not [series for series in hidden.series if series.in_table]


def test_shapes_end_where_quantiles_are_withheld(known: Results) -> None:
    cut = without(compared(known), "b", least=0.95)
    line = next(s for s in drawn(cut, "ecdf").panels[0].series if s.name == "b" and s.in_table)
    assert 0.94 < max(line.ys) < 0.96
    bars = {s.name: sum(s.ys[1::2]) for s in drawn(cut, "histogram").panels[0].series}
    assert bars == pytest.approx({"a": 1, "b": 0.95}, abs=0.002)
    ridges = drawn(cut, "ridges")
    assert "Withheld from p95 on of b." in ridges.caption
    bins = [cells for name, cells in ridges.table.rows if name.isdigit()]
    withheld = [cells[-1] == ("withheld", None) for cells in bins]
    assert withheld == sorted(withheld)
    assert any(withheld)
    assert not any(cells[-2][1] is None for cells in bins)


def test_what_is_beyond_the_shapes_is_counted(known: Results) -> None:
    made = drawn(compared(known), "ridges")
    shares = [v for name, cells in made.table.rows if name.isdigit() for _, v in cells[2:] if v]
    beyond = [2 - sum(shares) > 1e-6, "of a variant's requests are beyond the axis" in made.caption]
    assert len(set(beyond)) == 1


def test_runs_that_have_no_mark_are_named_with_the_reason(
    repeated_runs: Callable[..., Results],
) -> None:
    several = repeated_runs({"a": [0.01, 0.02], "b": [0.03, 0.04]})
    made = drawn(without(compared(several), "b", least=0.5), "runs")
    assert "No p99 of b: withheld." in made.caption


def test_the_half_of_a_title_is_where_the_lines_cross_it() -> None:
    """Once it was a median over runs, beside lines of all requests together."""
    for made in charts(assessed("request-coalescing").comparisons, "ecdf"):
        for name in ("with", "without"):
            rows = [cells for label, cells in made.table.rows if label == name]
            latency = next(cells[0][1] for cells in rows if (cells[1][1] or 0) >= 0.5)
            assert latency is not None
            assert show.number(latency * 1e3) in NUMBER.findall(made.title)


def test_no_step_of_a_coarse_clock_shows_a_withheld_share() -> None:
    """Once a line rose to 100 % within a step that holds slower requests too."""
    steps = over_time([[(0.002, 990), (0.004, 10)]] * 40, variants=("a", "b"))
    cut = without(compared(steps), "b", least=0.95)
    line = next(s for s in drawn(cut, "ecdf").panels[0].series if s.name == "b" and s.in_table)
    assert max(line.ys) < 0.95


@pytest.mark.parametrize("kind", ["ecdf", "histogram", "ridges"])
def test_what_lies_in_one_step_with_the_withheld_is_shown(kind: str) -> None:
    """Once there was no bin left of a variant whose requests are nearly all in one."""
    steps = {
        "a": [(0.005, 8), (0.010, 92)],
        "b": [(0.007, 60), (0.009, 40)],
        "c": [(0.001, 100)],
    }
    runs = [run for name, own in steps.items() for run in over_time([own] * 4, variants=(name,))]
    comparison = compared(Results(runs))
    for label in steps:
        comparison = without(comparison, label, least=0.99)
    made = drawn(comparison, kind)
    if kind == "histogram":
        assert made.title.endswith("(c) to 10\u00a0ms (a)")
