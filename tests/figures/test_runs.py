from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from benchkit import format as show
from benchkit.api import Results
from benchkit.figures import chart
from benchkit.figures.inline_svg import inline_svg
from benchkit.figures.marks import BESIDE_NAMES, VALUE_CHARACTER
from benchkit.figures.words import as_read
from tests.figures.changes import with_columns
from tests.figures.charts import compared, drawn

runs_of = partial(drawn, kind="runs")

Make = Callable[..., Results]


def test_runs_whose_order_is_known_stand_in_it(repeated_runs: Make) -> None:
    made = runs_of(repeated_runs({"a": [0.01, 0.02], "b": [0.03, 0.04]}, [4, 1, 2, 3]))
    assert [panel.name for panel in made.panels] == ["throughput", "p50", "p99"]
    p99 = made.panels[-1]
    places = {series.name: (series.xs, series.ys) for series in p99.series if series.in_table}
    assert places == {"a": ((1, 4), (0.02, 0.01)), "b": ((2, 3), (0.03, 0.04))}
    assert not made.lists_names


def test_a_line_marks_the_median_of_each_variant(repeated_runs: Make) -> None:
    made = runs_of(repeated_runs({"a": [0.01, 0.05, 0.02], "b": [0.03]}, [1, 2, 3, 4]))
    guides = {series.name: series.ys for series in made.panels[-1].series if series.line}
    assert guides == {"a": (0.02, 0.02), "b": (0.03, 0.03)}


def test_a_run_has_the_symbol_of_its_variant_until_they_would_cover_each_other(
    repeated_runs: Make,
) -> None:
    page = inline_svg(runs_of(repeated_runs({"a": [0.01] * 8, "b": [0.03] * 41}, range(49))))
    assert [page.count(f'href="#v{n}"') for n in range(2)] == [8 * 3, 0]
    assert page.count("<circle") == 41 * 3


def test_in_a_row_many_runs_are_small_dots(repeated_runs: Make) -> None:
    """Of eight as near as these five were seen, when they had symbols."""
    rows = runs_of(repeated_runs({"a": [0.01] * 8, "b": [0.03] * 5})).panels[-1].series
    assert {series.name: series.marker for series in rows if series.marker} == {"a": 5, "b": 7}


def test_of_a_sweep_each_variant_at_each_level_has_a_row(sweep_results: Make) -> None:
    """Lines along the order would have one colour, and one name where there is little room."""
    swept = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 50, 100))
    begun = np.datetime64("2024-01-01T00:00", "ns")
    timed = [
        run.with_columns(started_at=begun + np.timedelta64(n, "m")) for n, run in enumerate(swept)
    ]
    made = runs_of(Results(timed))
    assert made.lists_names
    names = {text for _, text in made.panels[0].y.ticks}
    assert names == {f"{name}, concurrency {level}" for name in "ab" for level in (10, 50, 100)}


def test_the_axis_of_rows_ends_where_each_text_has_room_beside_its_marks(
    repeated_runs: Make,
) -> None:
    """Else marks stand closer together than they have to."""
    apart = {"a": [0.001] * 3, "b": [0.01] * 3, "c": [0.1, 0.101, 0.102]}
    latency = runs_of(repeated_runs(apart)).panels[-1]
    assert latency.x.share(0.102) > 0.85
    assert [note.align for note in latency.notes] == ["left", "left", "right"]
    alike = runs_of(repeated_runs({"a": [0.001, 0.1, 0.11], "b": [0.001, 0.1, 0.1]})).panels[-1]
    assert alike.x.share(0.11) < 0.75
    assert {note.align for note in alike.notes} == {"left"}


def test_without_an_order_there_is_a_row_per_variant(repeated_runs: Make) -> None:
    made = runs_of(repeated_runs({"a": [0.01, 0.02, 0.03], "b": [0.03, 0.04]}))
    assert made.lists_names
    row = next(
        series for series in made.panels[-1].series if series.in_table and series.name == "a"
    )
    assert row.xs == (0.01, 0.02, 0.03)
    assert len(set(row.ys)) == 3
    assert [note.text for note in made.panels[-1].notes] == ["10–30\u00a0ms", "30–40\u00a0ms"]


def test_the_bar_of_a_median_is_taller_than_the_marks_of_its_runs(repeated_runs: Make) -> None:
    rows = runs_of(repeated_runs({"a": [0.01] * 8, "b": [0.011] * 8})).panels[-1].series
    dots, bar = rows[0], rows[2]
    assert bar.above
    assert not dots.above
    assert min(bar.ys) + 0.1 < min(dots.ys) < max(dots.ys) < max(bar.ys) - 0.1


def test_many_runs_near_each_other_stand_at_different_heights(repeated_runs: Make) -> None:
    latency = runs_of(
        repeated_runs({"a": [0.01 + n / 1e4 for n in (7, 1, 3, 5, 0, 6, 2, 4)], "b": [0.02] * 8})
    )
    row = next(series for series in latency.panels[-1].series if series.in_table)
    heights = [y for _, y in sorted(row.points)]
    assert min(abs(b - a) for a, b in pairwise(heights)) > 0.2


def test_the_title_says_how_far_runs_were_apart(repeated_runs: Make) -> None:
    made = runs_of(repeated_runs({"a": [0.01, 0.0101], "b": [0.03, 0.06]}))
    values = "167–333\u00a0req/s in 2\u00a0runs of b"
    assert made.title == f"Throughput of a variant's runs was up to 2.0× apart: {values}"
    even = runs_of(repeated_runs({"a": [0.01, 0.0101], "b": [0.03, 0.0301]}))
    names = "Throughput, p50 and p99 of a variant's runs"
    assert even.title == f"{names} were within 1\u00a0% of each other"


def test_what_a_title_says_follows_from_the_numbers_beside_it(repeated_runs: Make) -> None:
    """Once 136 to 198 were 45 % apart, as they had been before they were rounded."""
    made = runs_of(repeated_runs({"a": [10 / 136.45, 10 / 197.95], "b": [0.01, 0.01]}))
    values = "136–198\u00a0req/s in 2\u00a0runs of a"
    assert made.title == f"Throughput of a variant's runs was up to 46\u00a0% apart: {values}"


@pytest.mark.parametrize(
    ("low", "high", "times"),
    [
        ("132\u00a0ms", "231\u00a0ms", "1.8×"),
        ("100", "165\u00a0ms", "1.7×"),
        ("1,000\u00a0req/s", "1,650\u00a0req/s", "1.7×"),
        ("900\u00a0µs", "1.2\u00a0ms", "1.3×"),
        ("0", "165\u00a0ms", "1.3×"),
    ],
)
def test_how_many_times_one_is_another_as_they_are_written(low: str, high: str, times: str) -> None:
    assert show.factor(as_read(low, high, 1.3)) == times


def test_a_single_run_of_each_is_no_figure(repeated_runs: Make) -> None:
    results = repeated_runs({"a": [0.01], "b": [0.03]})
    assert chart(compared(results), "runs") is None


def test_twenty_variants_of_sixty_runs_stay_small(repeated_runs: Make) -> None:
    values = {f"v{n:02}": [0.01 + 0.001 * i for i in range(60)] for n in range(20)}
    made = runs_of(repeated_runs(values, list(range(60)) * 20))
    assert made.lists_names
    assert made.height < 1200
    assert len(made.table.rows) == 1200


def test_what_is_withheld_of_a_variant_is_no_mark(repeated_runs: Make) -> None:
    results = repeated_runs({"a": [0.01, 0.02], "b": [0.03, 0.04]})
    comparison = compared(results)
    a, b = comparison.variants
    held = replace(
        b, withheld=dict.fromkeys(("latency_p50_s", "latency_p99_s"), "too few requests")
    )
    made = chart(replace(comparison, variants=(a, held)), "runs")
    assert made is not None
    assert {series.name for series in made.panels[1].series} == {"a"}
    assert made.table.rows[-1][1][-1] == ("withheld", None)


def test_of_very_many_variants_those_that_varied_most_are_shown(repeated_runs: Make) -> None:
    values = {f"v{n:02}": [0.01, 0.01 + 0.0001 * n] for n in range(40)}
    made = runs_of(repeated_runs(values))
    shown = {text for _, text in made.panels[0].y.ticks}
    assert shown == {f"v{n}" for n in range(16, 40)}
    assert {heading for heading, _ in made.table.rows} == shown
    assert "The 24 of 40 that varied most." in made.caption


def zeroed(results: Results, run_ids: set[str]) -> Results:
    return with_columns(
        results, lambda run: {"latency_p99_s": 0.0} if run.run_id in run_ids else {}
    )


def test_a_run_of_0_ms_has_no_place_on_a_log_axis(repeated_runs: Make) -> None:
    values = {"a": [0.001, 0.001, 0.001], "b": [0.001, 0.002, 0.001]}
    for minutes in ([], [1, 3, 5, 2, 4, 6]):
        made = runs_of(zeroed(repeated_runs(values, minutes), {"a1", "a2", "b3"}))
        p99 = made.panels[-1]
        axis, across = (p99.x, True) if made.lists_names else (p99.y, False)
        marks = [v for series in p99.series for v in (series.xs if across else series.ys)]
        assert marks
        assert all(axis.low <= value <= axis.high for value in marks)
        assert all((note.x if across else note.y) > 0 for note in p99.notes)
        assert "0 s cannot stand on a log axis; the table has it." in made.caption
        assert [cells[-1][1] for _, cells in made.table.rows].count(0.0) == 3


def test_a_median_that_is_0_in_every_run_has_no_panel(repeated_runs: Make) -> None:
    """Once it had an axis of its own, from 1 ms to 1 s, and nothing on it."""
    results = repeated_runs({name: [0.01, 0.02] for name in ("a", "b")})
    cut = with_columns(results, lambda _run: {"latency_p50_s": 0.0})
    made = drawn(cut, "runs")
    assert "p50" not in [panel.name for panel in made.panels]
    assert "p50 was 0 in every run, less than a step of the clock." in made.caption


def test_words_at_an_axis_that_lies_do_not_touch(repeated_runs: Make) -> None:
    """Once `0.9 ms` stood in `1 ms`."""
    made = drawn(repeated_runs({name: [0.001, 0.003] for name in ("a", "b")}), "runs")
    for panel in made.panels:
        ticks = [(panel.x.share(at) * BESIDE_NAMES, len(word)) for at, word in panel.x.ticks]
        for (left, first), (right, second) in pairwise(ticks):
            assert right - left > VALUE_CHARACTER * (first + second) / 2


def test_where_0_stands_beside_other_values_no_variant_varied_least(repeated_runs: Make) -> None:
    results = repeated_runs({"a": [0.001, 0.001], "b": [0.001, 0.001]})
    assert runs_of(zeroed(results, {"a1"})).title == "Each run"
