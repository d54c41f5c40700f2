from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from benchkit.api import Results
from benchkit.figures import Chart, chart
from benchkit.figures.chart import Series
from benchkit.figures.kinds.drawn_sweep import spot
from benchkit.figures.scales import levels_axis, thinned
from benchkit.model.run import Run
from benchkit.report.table import comparison_table
from benchkit.stats.medians import median_bounds
from tests.figures.changes import with_columns
from tests.figures.charts import compared, drawn
from tests.recorded import assessed

sweep = partial(drawn, kind="sweep")

Make = Callable[..., Results]


def lines(made: Chart, panel: int) -> dict[str, Series]:
    return {series.name: series for series in made.panels[panel].series if series.in_table}


def test_each_level_has_the_median_of_its_runs_and_their_range(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}))
    a = lines(made, 0)["a"]
    assert a.xs == (10, 50, 100, 200)
    assert a.ys == (1000, 5000, 5000, 5000)
    assert a.low == pytest.approx([980, 4900, 4900, 4900])
    assert [text for _, text in made.panels[0].x.ticks] == ["10", "50", "100", "200"]


def test_processors_and_memory_are_those_of_the_server_alone(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (50, 100.0)}))
    titles = [panel.title for panel in made.panels]
    assert titles[2:] == ["Processors kept busy by the server", "Peak memory of the server"]
    assert lines(made, 2)["a"].ys == pytest.approx([0.1, 0.5, 0.5, 0.5])
    assert lines(made, 3)["a"].ys == (10_000_002, 50_000_002, 100_000_002, 200_000_002)


def test_of_several_processes_it_is_said_that_a_sum_is_shown(sweep_results: Make) -> None:
    def with_cache(run: Run) -> Run:
        cache = ({**each, "process": "cache"} for each in run.samples if each["process"] == "wrk")
        return replace(run, samples=(*run.samples, *cache))

    results = Results(map(with_cache, sweep_results({"a": (50, 100.0)})))
    made = sweep(results)
    assert [panel.title for panel in made.panels][2:] == [
        "Processors kept busy by server and cache together",
        "Peak memory of server and cache together",
    ]
    assert (
        "Of server and cache the sum is shown, of memory that of the largest of each."
        in made.caption
    )
    notes = comparison_table(compared(results)).notes
    assert notes[-1] == "Peak memory is of server and cache together."


def test_the_knee_is_ringed_and_named(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (50, 100.0), "b": (500, 80.0)}))
    (ring,) = (series for series in made.panels[0].series if not series.in_table)
    assert (ring.name, ring.xs, ring.ys) == ("a", (50,), (5000,))


def test_lines_that_change_places_are_told_only_where_runs_lie_apart(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (50, 100.0), "b": (500, 80.0)}))
    assert made.title == "a had the higher throughput up to concurrency 50, b from 100, in all runs"
    assert [note.text for note in made.panels[0].notes].count("order changes: 50–100") == 1
    apart = sweep(sweep_results({"a": (50, 100.0), "b": (500, 80.0)}, spread=0.3))
    assert not [note for note in apart.panels[0].notes if note.text.startswith("order changes")]
    assert (
        apart.title
        == "Throughput stopped growing at concurrency 50 with a; with b it still grew at 200"
    )


def test_a_line_of_few_levels_is_drawn_beside_the_others(sweep_results: Make) -> None:
    """It was left out, as if nobody had measured it, were it the fastest."""
    results = sweep_results({"a": (100, 100.0), "b": (100, 90.0), "c": (100, 300.0)})
    few = results.select(
        without=[r.run_id for r in results if r.variant == "c" and r.params["concurrency"] > 50]
    )
    throughput, *_ = sweep(few).panels
    drawn = {series.name: len(series.xs) for series in throughput.series if series.in_table}
    assert set(drawn) == {"a", "b", "c"}
    assert drawn["c"] < drawn["a"]


def test_a_rate_that_was_asked_for_has_no_order(sweep_results: Make) -> None:
    """Who had `the higher throughput` was whose last answer came sooner."""
    results = sweep_results({"a": (50, 120.0), "b": (200, 100.0)})
    assert sweep(results).title.startswith("a had the higher throughput up to")
    set_rates = with_columns(results, lambda _: {"load_model": "open"})
    assert "throughput up to" not in sweep(set_rates).title


def test_of_three_lines_the_order_of_two_is_said_of_these(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 120.0), "b": (200, 100.0), "c": (200, 300.0)})
    title = sweep(results).title
    assert title.startswith("a had a higher throughput than b up to concurrency 50, a lower one")


def test_latency_at_equal_throughput_is_in_the_caption(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (100, 100.0), "b": (100, 50.0)}))
    about = "p99 was about 40\u00a0ms with a and 80\u00a0ms with b."
    assert f"read off between tested levels, {about}" in made.caption


def test_of_a_throughput_that_a_line_passes_twice_nothing_is_read_off(sweep_results: Make) -> None:
    """It has two latencies there; once a caption told the first, and that there was another."""
    results = sweep_results({"a": (100, 100.0), "b": (100, 50.0)})
    assert "p99 was about" in sweep(results).caption
    back = with_columns(results, lambda run: {"throughput_rps": 300.0} if folds(run) else {})
    assert "p99 was about" not in sweep(back).caption
    reasons = {effect.reason for effect in compared(back).sweep_effects}
    assert any("where first reached; b passes it again at higher levels" in r for r in reasons)


def folds(run: Run) -> bool:
    return run.variant == "b" and run.params["concurrency"] == 200


def test_a_second_setting_of_a_variant_is_dotted_in_its_colour(sweep_results: Make) -> None:
    rest = {"a": [{"tls": "new"}], "b": [{"tls": "new"}, {"tls": "old"}]}
    made = sweep(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, rest=rest))
    drawn_lines = lines(made, 0)
    assert list(drawn_lines) == ["a, tls new", "b, tls new", "b, tls old"]
    assert [(series.role, series.dotted) for series in drawn_lines.values()] == [
        ("v0", False),
        ("v1", False),
        ("v1", True),
    ]
    assert made.panels[0].title == "Throughput, req/s; dotted: tls old"
    assert {panel.x.title for panel in made.panels} == {"Concurrency"}


def test_of_many_lines_three_stand_out(sweep_results: Make) -> None:
    made = sweep(sweep_results({f"v{n}": (50, 100.0 + 10 * n) for n in range(20)}))
    named = [note.text for note in made.panels[0].notes if note.bold]
    assert named == ["v0", "v1", "v19"]
    assert "17\u00a0variants in grey" in made.caption


def test_two_levels_are_no_sweep(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0)}, levels=(10, 20))
    assert chart(compared(results), "sweep") is None


def test_a_median_has_the_interval_that_rules_and_history_have_and_of_four_runs_the_range() -> None:
    four = spot([4, 1, 2, 3])
    assert (four.median, four.low, four.high) == (2.5, 1, 4)
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    eight = spot(values)
    assert (eight.low, eight.median, eight.high) == median_bounds(np.array(values), 0.95)
    assert 1 < eight.low < 2


def test_levels_that_double_stand_on_a_log_axis() -> None:
    assert levels_axis([16, 32, 64, 128]).scale == "log"
    assert levels_axis([100, 200, 300, 400]).scale == "linear"
    assert levels_axis([0, 1, 2]).scale == "linear"


def test_a_title_names_the_lines_it_speaks_of_where_they_are_not_all(sweep_results: Make) -> None:
    every = sweep(sweep_results({f"v{n}": (50, 100.0 + n) for n in range(3)}))
    assert every.title == "Throughput stopped growing at concurrency 50"
    rest = {f"x{n}": (500, 50.0 + n) for n in range(6)}
    some = sweep(sweep_results({"v0": (50, 100.0), **rest, "v1": (50, 300.0), "v2": (50, 40.0)}))
    assert some.title == "Throughput stopped growing at concurrency 50 with v0, v1 and v2"


def test_bands_are_called_what_they_are_at_each_level(sweep_results: Make) -> None:
    four = sweep_results({"a": (50, 100.0)}, repeats=4)
    assert "bands the range over runs." in sweep(four).caption
    eight = sweep_results({"a": (50, 100.0)}, repeats=8)
    assert "bands the 95\u00a0% interval of the median." in sweep(eight).caption
    gone = [f"a {{}} 200 {number}" for number in (4, 5, 6, 7)]
    fewer = Results(run for run in eight if run.run_id not in gone)
    assert "bands the range or, from 5 runs on, the 95\u00a0% interval" in sweep(fewer).caption


def test_a_change_of_places_is_told_by_the_bands_of_its_two_lines(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (500, 80.0)}, repeats=8)
    assert sweep(results).title.endswith("by their intervals")
    later = [f"{v} {{}} {n} {i}" for v in "ab" for n in (100, 200) for i in (4, 5, 6, 7)]
    fewer = Results(run for run in results if run.run_id not in later)
    assert sweep(fewer).title.endswith("by their ranges or intervals")


def test_all_panels_have_the_axis_of_the_one_with_the_longest_names() -> None:
    swept, *_ = assessed("proxy-http-impl").comparisons
    made = chart(swept, "sweep")
    assert made is not None
    names = {note.text for panel in made.panels for note in panel.notes}
    assert {"nethttp", "nethttp p50", "fasthttp", "fasthttp p50"} <= names
    assert len({panel.x for panel in made.panels}) == 1


def test_of_many_levels_those_are_ticked_that_have_room(sweep_results: Make) -> None:
    made = sweep(sweep_results({"a": (50, 100.0)}, levels=range(1, 101), repeats=1))
    ticks = [text for _, text in made.panels[0].x.ticks]
    assert ticks == ["10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]
    assert made.caption.startswith("Against concurrency, linear axis, a mark at each tested level.")
    assert len(lines(made, 0)["a"].xs) == 100


def test_on_a_narrow_axis_still_fewer_are_ticked() -> None:
    assert words_of([*range(1, 101)], width=230) == ["10", "30", "50", "70", "90"]
    assert words_of([3**n for n in range(12)], width=230) == ["1", "27", "729", "19683"]


def words_of(levels: list[float], *, width: float) -> list[str]:
    return [word for _, word in thinned(levels_axis(levels), width).ticks]
