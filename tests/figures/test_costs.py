from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from benchkit import format as show
from benchkit.api import Results
from benchkit.figures import Chart, chart
from benchkit.model.metric import THROUGHPUT
from benchkit.model.run import Run
from tests.figures.changes import with_columns, without_samples
from tests.figures.charts import compared

Make = Callable[..., Results]


def costs(results: Results) -> Chart | None:
    return chart(compared(results), "costs")


def test_what_a_level_used_stands_over_its_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    assert [panel.title.partition(",")[0] for panel in made.panels] == [
        "Processors kept busy by the server",
        "Peak memory of the server",
    ]
    for number, panel in enumerate(made.panels):
        for series in (s for s in panel.series if s.in_table):
            mine = [cells for name, cells in made.table.rows if name == series.name]
            assert [cells[1][1] for cells in mine] == pytest.approx(series.xs)
            assert [cells[2 + number][1] for cells in mine] == pytest.approx(series.ys)
            levels = [note.text for note in panel.notes if not note.bold]
            assert {"10", "50", "100", "200"} >= {*levels} != set()


def test_the_title_is_a_difference_at_equal_throughput(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    assert made.title == "Peak memory at equal throughput with b against a: +25\u00a0%"


def test_lines_are_straight_between_what_was_measured(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200)))
    assert made is not None
    memory = made.panels[-1]
    lines = {s.name: s for s in memory.series if s.in_table}
    assert {name: len(line.xs) for name, line in lines.items()} == {"a": 3, "b": 3}
    assert all(line.line and line.marker for line in lines.values())
    assert "Lines only connect them." in made.caption


def test_the_throughput_of_which_is_spoken_is_a_dotted_line(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200)))
    assert made is not None
    memory = made.panels[-1]
    (guide,) = (series for series in memory.series if series.dotted)
    assert guide.xs == pytest.approx((4000, 4000), rel=0.05)
    assert guide.ys == (0, memory.y.high)
    assert "k\u00a0req/s, read off between tested levels, memory was about" in made.caption
    assert made.caption.endswith(
        "A dotted line marks that throughput, 80\u00a0% of the highest that every run reached; "
        "the values are medians over the repetitions, each read off its own line."
    )


def test_where_throughput_fell_costs_stand_against_the_level(sweep_results: Make) -> None:
    """`a` is down again at 3,000 req/s with 200 connections: its line would fold back."""
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)})

    def overloaded(run: Run) -> dict[str, float]:
        fallen = run.variant == "a" and run.params["concurrency"] == 200
        return {"throughput_rps": 3000.0} if fallen else {}

    made = costs(with_columns(results, overloaded))
    assert made is not None
    assert made.title == "Peak memory by concurrency was 10.0 to 200\u00a0MB"
    assert "memory was" not in made.caption
    assert made.caption.endswith("fell at higher levels: lines would turn back.")
    levels = {series.xs for panel in made.panels for series in panel.series}
    assert levels == {(10, 50, 100, 200)}
    per_request = costs(with_columns(results, lambda run: overloaded(run) | {"duration_s": 1.0}))
    assert per_request is not None
    assert [panel.title for panel in per_request.panels] == [
        "Processor time per request of the server"
    ]


def test_levels_are_written_above_the_axis(sweep_results: Make) -> None:
    made = costs(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    assert made is not None
    for panel in made.panels:
        for note in (note for note in panel.notes if not note.bold):
            assert -panel.y.share(note.y) * 119 + note.dy <= -7


def test_what_is_said_at_equal_throughput_is_what_the_comparison_says(
    sweep_results: Make,
) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200), spread=0.2)
    comparison = compared(results)
    (effect,) = (e for e in comparison.sweep_effects if e.metric.name == "rss@equal-throughput")
    made = costs(results)
    assert made is not None
    rate = next(series.points[0][0] for series in made.panels[-1].series if series.dotted)
    assert rate == effect.throughput_rps
    for value, name in ((effect.baseline_value, "a"), (effect.value, "b")):
        assert f"{show.size(value or 0.0)} with {name}" in made.caption


def test_of_single_sweeps_it_lies_on_the_line(sweep_results: Make) -> None:
    """The lines are straight, so that what stands between two marks is read off them."""
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200), repeats=1)
    made = costs(results)
    assert made is not None
    memory = made.panels[-1]
    paths = {s.name: s.points for s in memory.series if s.line}
    rate = next(series.points[0][0] for series in memory.series if series.dotted)
    for name in ("a", "b"):
        (x, y), (to_x, to_y) = next((a, b) for a, b in pairwise(paths[name]) if b[0] >= rate)
        height = y + (to_y - y) * (rate - x) / (to_x - x)
        assert f"{show.size(height)} with {name}" in made.caption


def test_without_samples_of_a_server_there_is_no_figure(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0)})
    assert costs(without_samples(results, lambda _run, _sample: True)) is None


def test_a_tested_level_is_not_called_between_levels(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 100, 200))
    comparison = compared(results)
    rates = {v.label: v.value(THROUGHPUT) or 0.0 for v in comparison.variants}
    measured = rates["a, concurrency 200"]
    effects = comparison.sweep_effects
    at_level = tuple(replace(effect, throughput_rps=measured) for effect in effects)
    made = chart(replace(comparison, sweep_effects=at_level), "sweep")
    assert made is not None
    assert all(abs(rate / measured - 1) > 0.02 for name, rate in rates.items() if name[0] == "b")
    assert "req/s, read off between tested levels of b, p99 was about" in made.caption
