"""What figures claim, against their own tables; and that a baseline changes no colour."""

from collections.abc import Callable

import pytest

from benchkit import format as show
from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.figures import KINDS, Chart, chart
from benchkit.figures.chart import Series
from benchkit.model.run import Run
from tests.figures.changes import with_columns
from tests.figures.charts import compared, drawn
from tests.report.conftest import SAMPLES

identity, repeated = SAMPLES["identity"], SAMPLES["repeated"]
Make = Callable[..., Results]


def looks(made: Chart) -> dict[str, set[str]]:
    """Per variant the roles of its marks."""
    series: list[Series] = [s for panel in made.panels for s in panel.series if s.in_table]
    return {s.name: {other.role for other in series if other.name == s.name} for s in series}


@pytest.mark.parametrize("kind", KINDS)
def test_another_baseline_changes_no_colour_and_no_mark(kind: str, sweep_results: Make) -> None:
    swept = sweep_results({"a": (50, 100.0), "b": (200, 80.0), "c": (100, 90.0)})
    for results in (
        swept,
        repeated(effect=1.5, runs=6),
        Results.from_tables(SAMPLES["request_rows"]()),
    ):
        names = dict.fromkeys(run.variant for run in results)
        every = [assess(results, baseline=name).comparisons[0] for name in names]
        made = [m for c in every if (m := chart(c, kind, siblings=(c,)))]
        assert all(looks(m) == looks(made[0]) for m in made)


def test_another_order_of_files_changes_no_colour(repeated_runs: Make) -> None:
    rates = {name: [0.01, 0.011] for name in ("0", "5x20", "20x5", "5x100")}
    backwards = {name: rates[name] for name in ("0", "5x100", "20x5", "5x20")}
    first, again = (
        looks(drawn(repeated_runs(r), "runs", baseline="0")) for r in (rates, backwards)
    )
    assert first == again
    assert len({*map(frozenset, first.values())}) == 4


def test_of_a_crowd_the_same_three_stand_out_whatever_the_baseline(repeated_runs: Make) -> None:
    results = repeated_runs({f"v{n}": [0.01 + n / 1000, 0.0101 + n / 1000] for n in range(9)})
    first, again = (looks(drawn(results, "runs", baseline=name)) for name in ("v0", "v5"))
    assert first == again
    assert [name for name, roles in first.items() if roles != {"context"}] == ["v0", "v1", "v8"]


def test_where_nothing_is_shown_to_differ_titles_are_neutral() -> None:
    same = repeated(effect=1.0)
    assert drawn(same, "percentiles").title.startswith("Latency by percentile: p99 ")
    assert drawn(same, "throughput").title == (
        "Throughput was 4.92\u00a0k\u00a0req/s (new) to 5.00\u00a0k\u00a0req/s (old)"
    )


def test_of_a_paced_generator_no_throughput_is_highest() -> None:
    paced = with_columns(repeated(effect=1.5), lambda _run: {"load_model": "open"})
    assert drawn(paced, "throughput").title == (
        "Throughput was 5.00\u00a0k\u00a0req/s (old) to 7.38\u00a0k\u00a0req/s (new)"
    )


def test_labels_beside_a_throughput_are_the_change_of_the_effect_and_its_interval() -> None:
    comparison = compared(repeated(effect=1.5))
    effect = comparison.effect("new", "throughput_rps")
    assert effect is not None
    assert effect.ratio is not None
    labels = [text for s in drawn(repeated(effect=1.5), "throughput").panels[0].series
              for text in s.labels]  # fmt: skip
    assert [text.partition(", ")[2] for text in labels] == [
        show.change_with_interval(effect.ratio, *effect.bounds),
        "",
    ]


def test_bars_of_ratios_are_the_intervals_of_the_effects() -> None:
    comparison = compared(repeated(effect=1.5))
    made = chart(comparison, "percentiles")
    assert made is not None
    bars = [s.ys for s in made.panels[1].series if s.faint]
    columns = ("latency_p50_s", "latency_p90_s", "latency_p99_s")
    effects = [comparison.effect("new", column) for column in columns]
    assert bars == [(e.interval.low, e.interval.high) for e in effects if e and e.interval]


def test_a_tail_reaches_as_far_as_the_table_says(known: Results) -> None:
    made = drawn(known, "ridges")
    p50, p99 = ([value for _, value in cells[2:]] for _, cells in made.table.rows[-2:])
    tails = [b / a for a, b in zip(p50, p99, strict=True) if a and b]
    span = dict.fromkeys((show.factor(min(tails)), show.factor(max(tails))))
    assert made.title == f"Shape of the latencies: p99 was {' to '.join(span)} the p50"


def test_throughput_that_never_grew_did_not_stop_growing(sweep_results: Make) -> None:
    made = drawn(sweep_results({"a": (10, 100.0), "b": (10, 80.0)}), "sweep")
    assert (
        made.title == "Throughput gained little or nothing beyond concurrency 10, the lowest level"
    )


def falling(results: Results, shares: dict[int, float], only: str = "") -> Results:
    """The same with throughputs that are shares of what they were, by level."""

    def change(run: Run) -> dict[str, float]:
        touched = only in {"", run.variant}
        share = shares.get(run.params["concurrency"], 1.0) if touched else 1.0
        return {"throughput_rps": share * float(run.get("throughput_rps"))}

    return with_columns(results, change)


def test_throughput_that_fell_is_said_to_have_fallen(sweep_results: Make) -> None:
    from_start = sweep_results({"a": (10, 100.0), "b": (10, 80.0)})
    made = drawn(falling(from_start, {50: 0.8, 100: 0.7, 200: 0.5}), "sweep")
    assert made.title == (
        "Throughput was highest at concurrency 10, the lowest level, "
        "and had fallen at concurrency 50"
    )
    later = sweep_results({"a": (50, 100.0), "b": (50, 80.0)})
    made = drawn(falling(later, {200: 0.5}), "sweep")
    assert (
        made.title
        == "Throughput stopped growing at concurrency 50 and had fallen at concurrency 200"
    )
    made = drawn(falling(later, {200: 0.5}, only="b"), "sweep")
    assert made.title == (
        "Throughput stopped growing at concurrency 50 and had fallen at concurrency 200 with b"
    )
    made = drawn(falling(from_start, {50: 1.02, 200: 0.5}), "sweep")
    assert made.title == (
        "Throughput gained little or nothing beyond concurrency 10, the lowest level, "
        "and had fallen at concurrency 200"
    )


def test_each_line_has_fallen_at_its_own_level(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (50, 80.0)})
    first = falling(results, {100: 0.7, 200: 0.6}, only="a")
    made = drawn(falling(first, {100: 1.03, 200: 0.6}, only="b"), "sweep")
    assert made.title == (
        "Throughput gained little or nothing beyond concurrency 50 "
        "and had fallen at concurrency 100 with a and 200 with b"
    )


def test_lines_that_touch_elsewhere_are_not_told_apart_at_every_level(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (500, 80.0)})

    def equal_at_10(run: Run) -> dict[str, float]:
        level = run.params["concurrency"]
        return {"throughput_rps": 1000.0 + run.get("repeat")} if level == 10 else {}

    made = drawn(with_columns(results, equal_at_10), "sweep")
    assert "had the higher throughput up to" not in made.title
    assert "order changes: 50–100" in [note.text for note in made.panels[0].notes]


def test_captions_count_the_runs_that_are_left(sweep_results: Make) -> None:
    results = sweep_results({"a": (50, 100.0), "b": (200, 80.0)})
    left = assess(results).without({run.run_id for run in results if run.get("repeat") == 1})
    made = chart(left.comparisons[0], "sweep")
    assert made is not None
    assert "Marks are medians of 2\u00a0runs" in made.caption


def test_whole_milliseconds_are_named_where_single_latencies_are_drawn() -> None:
    run = identity("a", "one", "a", "ab") | {"requests": 400, "resolution_s": 1e-6}
    bins = [
        {"run_id": "a", "outcome": "success", "count": 100, "slice_s": 1.0, "slice_start_s": second}
        | {"latency_low_s": ms / 1000, "latency_high_s": ms / 1000 + 1e-6}
        for second, ms in enumerate((2, 3, 4, 9))
    ]
    results = Results.from_tables({"runs": [run], "histogram": bins})
    for kind in ("percentiles", "heatmap", "ridges", "ecdf", "histogram"):
        assert "in steps of 1\u00a0ms." in drawn(results, kind).caption


def with_copy() -> Results:
    """Eight runs of `old`, `new` and a copy of `old` that is by chance the best of all."""
    rows = SAMPLES["repeated_rows"](effect=0.8)
    copies = [
        run
        | {"run_id": f"{run['run_id']}-copy", "label": f"{run['label']}-copy", "variant": "again"}
        | {"params": '{"aa": "old"}', "throughput_rps": 1.1 * run["throughput_rps"]}
        | {"duration_s": run["duration_s"] / 1.1}
        for run in rows["runs"]
        if run["variant"] == "old"
    ]
    return Results.from_tables(rows | {"runs": [*rows["runs"], *copies]})


def test_of_an_untested_copy_no_title_claims_anything() -> None:
    comparison = compared(with_copy())
    assert comparison.grade.words == "Established"
    assert comparison.variants[0].is_copy
    for kind in KINDS:
        made = chart(comparison, kind)
        assert made is None or "copy" not in made.title
