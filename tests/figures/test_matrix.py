"""Two factors as a grid."""

import json
import math

import pytest

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import Chart, chart, charts
from benchkit.figures.interactive import plotly_figure
from benchkit.figures.kinds.factor_grid import FactorGrid, Layer
from benchkit.figures.kinds.matrix_words import _odd
from benchkit.model.metric import P99
from tests.figures.changes import with_columns
from tests.figures.grids import grid
from tests.recorded import assessed

RATES = {
    ("0", "file"): 700.0,
    ("0", "null"): 760.0,
    ("5x20", "file"): 420.0,
    ("5x20", "null"): 1400.0,
    ("20x5", "file"): 350.0,
}


def made(results: Results) -> Chart | None:
    """The grid; it stands once, however many comparisons it spans."""
    comparisons = assess(results).comparisons
    charts = [m for c in comparisons if (m := chart(c, "matrix", siblings=comparisons))]
    assert len(charts) <= 1
    return charts[0] if charts else None


def drawn(results: Results) -> Chart:
    matrix = made(results)
    assert matrix is not None
    return matrix


def test_each_cell_has_its_value_and_what_was_not_run_says_so() -> None:
    rates = drawn(grid(RATES)).panels[0].cells
    assert rates is not None
    assert rates.texts == (
        ("350 (0.50×)", "not run"),
        ("420 (0.60×)", "1,400 (1.84×)"),
        ("700\u00a0⌂", "760\u00a0⌂"),
    )
    assert rates.values[0][1] is None
    assert rates.hatched


def test_the_scale_is_even_about_the_baseline_and_the_same_in_both_panels() -> None:
    rates, latencies = (panel.cells for panel in drawn(grid(RATES)).panels[:2])
    assert rates is not None
    assert latencies is not None
    assert rates.values[2][0] == 0.5
    assert rates.values[0][0] == pytest.approx(1)  # half of the baseline: the limit, and worse
    better = math.log(1400 / 760)  # over the baseline of its own column
    assert rates.values[1][1] == pytest.approx(0.5 - 0.5 * better / math.log(2))
    assert rates.values[1][0] == pytest.approx(0.5 + 0.5 * math.log(700 / 420) / math.log(2))
    for ours, theirs in zip(rates.values, latencies.values, strict=True):
        assert list(theirs) == pytest.approx(list(ours))


def test_what_hardly_differs_is_hardly_coloured() -> None:
    cells = drawn(grid({key: 700.0 + n for n, key in enumerate(RATES)})).panels[0].cells
    assert cells is not None
    assert all(abs(v - 0.5) < 0.02 for row in cells.values for v in row if v is not None)


def test_the_table_holds_every_cell() -> None:
    table = drawn(grid(RATES)).table
    assert table.headings == ("Combination", "Throughput, req/s", "p99, ms")
    values = {name: cells[0] for name, cells in table.rows}
    assert values["5x20, sink null"] == ("1,400 (1.84×)", 1400.0)
    assert values["20x5, sink null"] == ("not run", None)


def test_an_open_loop_has_no_throughput_to_compare() -> None:
    panel, _ = drawn(grid(RATES, load="open")).panels
    assert panel.title == "p99, ms"


@pytest.mark.parametrize(
    "rates",
    [
        {("0", "file"): 700.0, ("5x20", "file"): 420.0},
        {("0", "a"): 1.0, ("5", "b"): 2.0, ("6", "c"): 3.0},
        {(str(n), str(n % 2)): 1.0 + n for n in range(14)},
    ],
    ids=["one factor", "a third measured", "too many levels"],
)
def test_no_grid_is_made_of(rates: dict[tuple[str, str], float]) -> None:
    assert made(grid(rates)) is None


def test_hostile_names_are_text_in_plotly() -> None:
    rates = {(f"<b>{v}%{{y}}", s): rate for (v, s), rate in RATES.items()}
    figure = plotly_figure(drawn(grid(rates, factor="<i>")))
    ticks = figure["layout"]["yaxis"]["ticktext"] + figure["layout"]["xaxis2"]["ticktext"]
    assert all("<" not in text for text in ticks)
    hover = [text for row in figure["data"][0]["hovertext"] for text in row]
    assert not any("<b>" in text or "<i>" in text for text in hover)


def test_a_cell_of_another_setting_is_compared_only_where_it_can_be() -> None:
    results = with_columns(
        grid(RATES), lambda run: {"load_model": "open"} if run.label == "logging/5x20/null" else {}
    )
    matrix = drawn(results)
    cells = matrix.panels[0].cells
    assert cells is not None
    assert cells.values[1][1] is None
    assert cells.texts[1][1] == "1,400\u00a0⊘"
    assert "Not comparable with its baseline" in cells.hover[1][1]
    assert "Hatched: ⊘ not comparable with its baseline" in matrix.caption
    assert matrix.title == "Throughput differed most with 20x5, sink file: 0.50×"


def test_a_latency_of_0_has_no_colour_and_that_is_said() -> None:
    results = grid(RATES)
    assert "Hatched: withheld or without data" in drawn(results).caption
    zero = with_columns(
        results, lambda run: {"latency_p99_s": 0.0} if run.label == "logging/5x20/null" else {}
    )
    assert "Hatched: ÷ without a ratio, as the cell or its baseline is 0" in drawn(zero).caption


def test_that_a_run_is_no_copy_is_no_factor() -> None:
    first, *others = grid(RATES)
    marked = first.with_columns(params=json.dumps({**first.params, "aa": False}))
    assert made(Results([marked, *others])) is not None


def test_each_setting_has_the_baseline_that_it_has_on_the_page() -> None:
    results = grid(RATES)
    assert [c.baseline for c in assess(results).comparisons] == ["0", "0"]
    matrix = drawn(results)
    assert matrix.caption.startswith("⌂ is the baseline for each sink.")
    assert matrix.panels[0].cells is not None
    assert matrix.panels[0].cells.hover[1][1].endswith(", 1.84× against the baseline")


def test_of_a_metric_that_nothing_has_no_cell_is_odd() -> None:
    empty = FactorGrid("", "", {}, {}, {}, {}, {})
    assert not _odd(Layer(empty, P99))


def test_a_single_other_value_is_the_observation() -> None:
    results = with_columns(
        grid(dict.fromkeys(RATES, 500.0)),
        lambda run: {"success_ratio": 0.0 if run.label == "logging/0/file" else 0.5},
    )
    matrix = drawn(results)
    assert matrix.title == "Success was 0\u00a0% with 0, sink file, 50\u00a0% elsewhere"
    assert "Hatched: ÷ without a ratio, as the cell or its baseline is 0" in matrix.caption
    assert "Neither colour nor mark: equal to ⌂." in matrix.caption


def test_what_no_test_decided_has_a_mark_instead_of_a_colour() -> None:
    rounds = [1.0, 1.3, 0.8, 1.2, 0.9, 1.1]
    runs = [
        run.with_columns(
            run_id=f"{run.run_id}-{n}",
            throughput_rps=700.0 * (factor if run.variant == "0" else 1.0),
        )
        for run in grid(dict.fromkeys(RATES, 700.0))
        for n, factor in enumerate(rounds)
    ]
    matrix = drawn(Results(runs))
    cells = matrix.panels[0].cells
    assert cells is not None
    assert {value for row in cells.values for value in row} == {0.5, None}
    assert "? inconclusive" in matrix.caption
    assert matrix.title == "Throughput and p99 by variant and sink"
    assert all(panel.name != "key" for panel in matrix.panels)


def test_where_success_differs_the_metric_of_the_verdicts_is_drawn_too() -> None:
    """Once only the success was, without any colour, while verdicts rested on a latency."""
    (made,) = charts(assessed("gin-panic").comparisons, "matrix")
    assert [panel.name for panel in made.panels[:2]] == ["p50", "success"]
    cells = made.panels[0].cells
    assert cells is not None
    assert any(value is not None and value < 0.5 for row in cells.values for value in row)


def test_a_change_stands_beside_a_value_only_where_all_have_room() -> None:
    rates = {(variant, str(n)): 700.0 + n for variant in ("a", "b") for n in range(6)}
    cells = drawn(grid(rates)).panels[0].cells
    assert cells is not None
    assert not any("(" in text for row in cells.texts for text in row)


def test_a_verdict_has_its_colour_whatever_limits_it_as_on_the_page() -> None:
    """Once the page called it faster, and the plot of the same cell had a mark instead."""
    comparisons = assessed("request-coalescing").comparisons
    verdicts = [c.effect("with", "throughput_rps") for c in comparisons]
    assert [e and e.verdict for e in verdicts] == ["faster", "not-tested"]
    assert all(c.serious for c in comparisons)
    (matrix,) = charts(comparisons, "matrix")
    cells = matrix.panels[0].cells
    assert cells is not None
    assert cells.texts[1] == ("13,722 (1.14×)", "3,798\u00a0!")
    shade, silent = cells.values[1]
    assert shade == pytest.approx(0.34, abs=0.01)
    assert silent is None


def test_a_title_says_in_how_many_of_the_tested_settings_which_variant_differs() -> None:
    (coalescing,) = charts(assessed("request-coalescing").comparisons, "matrix")
    whose = "“with” had a higher throughput than “without”"
    assert coalescing.title == f"{whose} in the one setting tested of 2"
    (panics,) = charts(assessed("gin-panic").comparisons, "matrix")
    assert panics.title == (
        "recover had a lower p50 than default in each of the 2 settings tested of 3; "
        "success was 0\u00a0% with default, sink console, 50\u00a0% elsewhere"
    )
