"""What the percentile figure shows of how much runs differ."""

import math
import statistics
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from benchkit import format as show
from benchkit.api import Results
from benchkit.figures import Chart, chart
from benchkit.figures.curves import variant_curves
from benchkit.figures.scales import percentile_x
from benchkit.frames import rows_of
from benchkit.model.comparison import key_effect
from tests.compare.runs import plain
from tests.figures.charts import compared, drawn, is_bar
from tests.recorded import assessed, example
from tests.report.conftest import SAMPLES
from tests.report.pages import viewed

percentiles = partial(drawn, kind="percentiles")


identity, repeated = SAMPLES["identity"], SAMPLES["repeated"]


def test_up_to_five_runs_are_lines_and_more_a_band() -> None:
    few = percentiles(repeated(effect=1.5, runs=5)).panels[0]
    assert sum(series.faint for series in few.series) == 10
    assert not any(series.low for series in few.series)
    many = percentiles(repeated(effect=1.5, runs=6))
    bands = {series.name: series for series in many.panels[0].series if series.low}
    assert set(bands) == {"old", "new"}
    assert all(
        a < b < c
        for a, b, c in zip(bands["old"].low, bands["old"].ys, bands["old"].high, strict=True)
    )
    assert "Lines are medians over runs, bands their range." in many.caption


def three(effect: float, runs: int) -> Results:
    rows = SAMPLES["repeated_rows"](effect=effect, runs=runs)
    third = [run | {"run_id": f"third{run['run_id']}", "variant": "third"} for run in rows["runs"]]
    again = [row | {"run_id": f"third{row['run_id']}"} for row in rows["quantiles"]]
    rows["runs"] += [run for run in third if "old" in run["run_id"]]
    rows["quantiles"] += [row for row in again if "old" in row["run_id"]]
    return Results.from_tables(rows)


def test_runs_of_three_variants_are_bars_beside_their_lines() -> None:
    """Once three colours over each other were none, and then six thin lines one tangle."""
    made = percentiles(three(effect=1.5, runs=6))
    ranges = [series for series in made.panels[0].series if is_bar(series)]
    each = [percentile_x(q) for q in (0.5, 0.9, 0.99)]
    assert [series.name for series in ranges] == ["old"] * 3 + ["new"] * 3 + ["third"] * 3
    for n, at in enumerate(each):
        assert ranges[n].xs[0] < at < ranges[n + 3].xs[0] < ranges[n + 6].xs[0]
    assert all(low < high for low, high in (series.ys for series in ranges))
    assert not any(series.low for series in made.panels[0].series)
    assert "Lines are medians over runs, bars beside them the range of the runs." in made.caption
    both = "both at p50, p90 and p99, side by side and joined to the marks on the lines"
    assert f"Bars below are intervals of the ratio, {both}" in made.caption


def test_data_of_a_figure_are_all_that_it_draws() -> None:
    made = percentiles(three(effect=1.5, runs=6))
    drawn = {end for panel in made.panels for s in panel.series if is_bar(s) for end in s.ys}
    listed = {value for _, cells in made.table.rows for _, value in cells}
    assert drawn <= listed
    assert made.table.headings == (
        *("Variant", "Percentile", "Latency, median of the runs, ms"),
        *("Lowest run, ms", "Highest run, ms"),
        *("Ratio to old", "Ratio to old: from", "Ratio to old: to"),
    )
    first = dict(reversed(made.table.rows))
    assert [text for text, _ in first["old"][-3:]] == ["", "", ""]
    assert all(text.endswith("×") for text, _ in first["new"][-3:])


def test_ratios_end_with_the_last_that_has_an_interval() -> None:
    """Beyond it a line went on to +40 % where nothing said how sure that is."""
    (file,) = (each for each in assessed("gin-panic").comparisons if each.name.endswith("file"))
    made = chart(file, "percentiles")
    assert made is not None
    above, below = made.panels
    ends = {series.xs[-1] for series in below.series if series.name == "recover"}
    bars = {series.xs[0] for series in below.series if is_bar(series)}
    assert max(percentile_x(0.95), *ends) < above.x.last
    assert math.isclose(max(bars), percentile_x(0.95), abs_tol=0.1)
    assert made.caption.endswith("Ratios end at p95, the last with an interval.")


def test_without_a_percentile_in_common_no_bars_are_promised() -> None:
    rows = SAMPLES["repeated_rows"](effect=1.5, runs=6)
    third = [run | {"run_id": f"third{run['run_id']}", "variant": "third"} for run in rows["runs"]]
    rows["runs"] += [run for run in third if "old" in run["run_id"]]
    rows["quantiles"] += [
        {"run_id": run["run_id"], "quantile": q, "latency_s": 0.01, "origin": "printed"}
        for run in third
        if "old" in run["run_id"]
        for q in (0.55, 0.65)
    ]
    caption = percentiles(Results.from_tables(rows)).caption
    assert "Lines are medians over runs. " in caption
    assert "at ," not in caption


def test_the_line_of_no_change_stands_out() -> None:
    strip = percentiles(repeated(effect=1.5, runs=6)).panels[1]
    equal = strip.series[0]
    assert (equal.role, equal.ys, equal.xs) == ("muted", (1.0, 1.0), (strip.x.low, strip.x.last))
    assert len(strip.y.ticks) >= 3


def bars(made: Chart) -> dict[float, tuple[float, ...]]:
    """The intervals below the curves, by their place on the axis."""
    return {s.xs[0]: (s.ys[0], s.ys[-1]) for s in made.panels[1].series if is_bar(s)}


def test_intervals_stand_at_the_percentiles_of_which_they_were_computed() -> None:
    made = percentiles(repeated(effect=1.5, runs=8))
    assert [*bars(made)] == [percentile_x(q) for q in (0.5, 0.9, 0.99)]
    assert all(0.6 < low < 1 / 1.5 < high < 0.72 for low, high in bars(made).values())
    assert not any(series.low for series in made.panels[1].series)
    assert "Bars below are intervals of the ratio at p50, p90 and p99." in made.caption


def test_intervals_of_several_variants_stand_beside_each_other() -> None:
    def run(variant: str, number: int, slower: float) -> dict[str, Any]:
        p50 = slower * (1 + number / 100)
        known: dict[str, Any] = identity(f"{variant}{number}", "one", variant, "ab")
        known |= {"label": f"{variant}/{number}", "repeat": number, "requests": 1000}
        return known | {"latency_p50_s": p50, "latency_p99_s": 3 * p50}

    runs = [run(v, n, s) for v, s in (("a", 0.01), ("b", 0.02), ("c", 0.02)) for n in range(8)]
    quantiles = [
        {"run_id": run["run_id"], "quantile": q, "latency_s": run[column], "origin": "printed"}
        for run in runs
        for q, column in ((0.5, "latency_p50_s"), (0.99, "latency_p99_s"))
    ]
    made = percentiles(Results.from_tables({"runs": runs, "quantiles": quantiles}))
    left, right = (
        [s.xs[0] for s in made.panels[1].series if is_bar(s) and s.name == name] for name in "bc"
    )
    for at, b, c in zip((0.5, 0.99), left, right, strict=True):
        assert b < percentile_x(at) < c
        assert 0.005 < (c - b) / (made.panels[1].x.high - made.panels[1].x.low) < 0.03


@pytest.mark.parametrize(
    ("sample", "at"),
    [("quickstart", (0.5, 0.9, 0.95, 0.99)), ("gateways", (0.5, 0.9, 0.99, 0.999))],
)
def test_bars_stand_around_the_dots_of_their_own_percentile(
    sample: str, at: tuple[float, ...]
) -> None:
    """Once a bar of p90 stood nearer to the dots of p95 than to its own."""
    made = percentiles(example(sample))
    strip = made.panels[1]
    dots = sorted({x for s in strip.series if s.marker for x in s.xs})
    assert dots == [percentile_x(q) for q in at]
    positions = sorted({s.xs[0] for s in strip.series if is_bar(s)})
    whose = [min(dots, key=lambda dot: abs(dot - position)) for position in positions]
    assert [*map(whose.count, dots)] == [3] * len(at)
    for (position, dot), (other, next_dot) in pairwise(zip(positions, whose, strict=True)):
        assert dot == next_dot or other - position > max(abs(position - dot), abs(other - next_dot))
    assert "side by side and joined to the marks on the lines." in made.caption


def test_single_runs_have_bars_that_says_whose_it_is() -> None:
    runs: list[dict[str, Any]] = []
    bins: list[dict[str, Any]] = []
    for variant, factor in (("a", 1.0), ("b", 2.0)):
        quantiles = {"latency_p50_s": 0.0026 * factor, "latency_p99_s": 0.0061 * factor}
        runs.append(identity(variant, "one", variant, "vegeta") | {"requests": 3000} | quantiles)
        for second in range(30):
            for step in range(20):
                low = factor * 0.001 * 1.1 ** ((step + second) % 20)
                bins.append(
                    {"run_id": variant, "outcome": "success", "count": 5, "slice_s": 1.0}
                    | {"slice_start_s": float(second)}
                    | {"latency_low_s": low, "latency_high_s": low * 1.001}
                )
    made = percentiles(Results.from_tables({"runs": runs, "histogram": bins}))
    assert [*bars(made)] == [percentile_x(q) for q in (0.5, 0.99)]
    assert all(low <= 2 <= high for low, high in bars(made).values())
    words = "Bars below at p50 and p99 hold for these single runs; further runs may differ"
    assert words in made.caption


def test_a_rounded_quantile_that_finer_ones_belie_is_not_drawn() -> None:
    run = identity("a", "one", "a", "ab") | {"requests": 1000, "resolution_s": 0.001}
    printed = {0.5: 0.003, 0.49: 0.003046, 0.51: 0.003056, 0.9: 0.004, 0.91: 0.00393, 0.99: 0.008}
    rows = [
        {"run_id": "a", "quantile": q, "latency_s": s, "origin": "printed"}
        for q, s in printed.items()
    ]
    results = Results.from_tables({"runs": [run], "quantiles": rows})
    comparison = compared(results)
    (curve,) = variant_curves(comparison)
    assert list(curve.median.points) == [0.49, 0.51, 0.91, 0.99]


def printed(points_by_run: dict[str, dict[float, float]]) -> Chart:
    rows = [
        {"run_id": run, "quantile": q, "latency_s": s, "origin": "printed"}
        for run, points in points_by_run.items()
        for q, s in points.items()
    ]
    runs = [identity(run, "one", run, "ab") | {"requests": 1000} for run in points_by_run]
    return percentiles(Results.from_tables({"runs": runs, "quantiles": rows}))


def test_a_percentile_that_nothing_compared_is_not_named() -> None:
    slow = {0.45: 0.5, 0.5: 0.004, 0.99: 0.012}
    made = printed({"a": {0.45: 0.001, 0.5: 0.002, 0.99: 0.004}, "b": slow})
    assert made.title == "Latency by percentile: p99 4\u00a0ms (a) to 12\u00a0ms (b)"
    assert made.panels[1].notes == ()


def test_title_and_callout_are_the_change_that_the_answer_is_about() -> None:
    """p90 differs a little more, but p99 is the one that was tested and leads the answer."""
    results = repeated(effect=1.5)
    made, comparison = percentiles(results), compared(results)
    effect = key_effect(e for e in comparison.effects_by_variant["new"] if e.metric.is_percentile)
    assert effect is not None
    assert effect.ratio is not None
    assert effect.interval is not None
    text = f"{effect.metric.title}{show.NBSP}{show.change(effect.ratio, *effect.interval[:2])}"
    assert made.title == f"Latency by percentile: {text} with new against old"
    assert [note.text for note in made.panels[1].notes] == [text]


def test_where_a_curve_crosses_the_baseline_both_directions_are_named() -> None:
    """A median that is six times as long does not tell that the tail is a third."""
    rows = SAMPLES["repeated_rows"](effect=1.0)
    changed = {0.5: 6.0, 0.75: 3.0, 0.9: 1.5, 0.99: 0.33}
    columns = {0.5: "latency_p50_s", 0.9: "latency_p90_s", 0.99: "latency_p99_s"}
    for run in rows["runs"]:
        if run["variant"] == "new":
            run |= {column: changed[q] * run[column] for q, column in columns.items()}
    for row in rows["quantiles"]:
        if row["run_id"].startswith("new"):
            row["latency_s"] *= changed[row["quantile"]]
    made = percentiles(Results.from_tables(rows))
    below, above = made.panels[1].notes
    assert (
        made.title == f"Latency by percentile: {below.text}, but {above.text} with new against old"
    )
    assert (below.text[:5], above.text[:5]) == (f"p50{show.NBSP}6", f"p99{show.NBSP}0")
    assert [note.x for note in (below, above)] == [percentile_x(0.5), percentile_x(0.99)]


def test_of_a_tested_variant_other_percentiles_are_named_as_not_tested() -> None:
    """Once p99.9 stood in the title as if it had been, then not at all, where lines cross."""
    results = example("gateways")
    made, comparison = percentiles(results), compared(results)
    effects = [e for e in comparison.effects if e.metric.is_percentile and e.ratio]
    assert any(not e.tested and not e.crosses and (e.ratio or 1) < 1 for e in effects)
    assert not any(e.tested and not e.crosses and (e.ratio or 1) < 1 for e in effects)
    (note,) = [note for note in made.panels[1].notes if not note.bold]
    assert made.title == (
        f"Latency by percentile, paired: {note.text} with spring-cloud-gateway against “none”; "
        "its p99 inconclusive; p99.9\u00a00.41× with finagle-stand-in, not tested"
    )


def test_what_was_tested_is_not_called_untested() -> None:
    """Beside a variant that is slower everywhere: one that is faster, but in its p99.9."""
    rows = SAMPLES["repeated_rows"](effect=2.0)
    mixed = {0.5: 0.4, 0.9: 0.7, 0.99: 0.7, 0.999: 1.6}
    runs = {r["run_id"]: r for r in rows["runs"] if r["variant"] == "old"}
    for run_id, run in runs.items():
        factors = {"latency_p50_s": mixed[0.5], "latency_p99_s": mixed[0.99]}
        name = {"run_id": f"b{run_id}", "variant": "b", "label": run["label"].replace("old", "b")}
        source = {"source": run["source"].replace("old", "b")}
        scaled = {column: factor * run[column] for column, factor in factors.items()}
        rows["runs"].append(run | name | source | scaled)
    for row in [row for row in rows["quantiles"] if row["run_id"] in runs]:
        factor = mixed.get(row["quantile"], 1.6)
        other = {"run_id": f"b{row['run_id']}", "latency_s": factor * row["latency_s"]}
        rows["quantiles"].append(row | other)
    results = Results.from_tables(rows)
    by_name = {e.metric.name: e for e in compared(results).effects_by_variant["b"]}
    assert (by_name["p50"].verdict, by_name["p99"].verdict) == ("faster", "faster")
    assert "not tested" not in percentiles(results).title


def test_of_a_variant_without_a_verdict_no_percentile_is_called_out() -> None:
    made = percentiles(repeated(effect=1.0))
    assert made.panels[1].notes == ()


def test_of_a_sweep_no_percentile_of_one_level_leads(sweep_results: Callable[..., Results]) -> None:
    runs = rows_of(sweep_results({"a": (50, 100.0), "b": (200, 80.0)}).table("runs"))
    rows = [
        {"run_id": run["run_id"], "quantile": q, "latency_s": run[column], "origin": "printed"}
        for run in runs
        for q, column in ((0.5, "latency_p50_s"), (0.99, "latency_p99_s"))
    ]
    made = percentiles(Results.from_tables({"runs": runs, "quantiles": rows}))
    ends = "50\u00a0ms (b) to 160\u00a0ms (a)"
    level = f"p99 differed by the largest factor at concurrency 200, 3.2×: {ends}"
    assert made.title == f"Latency by percentile: {level}"


def test_each_level_of_a_sweep_has_a_panel_with_the_baseline_at_that_level(
    sweep_results: Callable[..., Results],
) -> None:
    """Lines of several levels have one colour: in one panel none could be told from another."""
    swept = sweep_results({"a": (50, 100.0), "b": (200, 80.0)}, levels=(10, 50, 100))
    runs = rows_of(swept.table("runs"))
    rows = [
        {"run_id": run["run_id"], "quantile": q, "latency_s": run[column], "origin": "printed"}
        for run in runs
        for q, column in ((0.5, "latency_p50_s"), (0.99, "latency_p99_s"))
    ]
    results = Results.from_tables({"runs": runs, "quantiles": rows})
    made, comparison = percentiles(results), compared(results)
    assert [panel.title.partition(": ")[0] for panel in made.panels] == [
        f"Concurrency {level}" for level in (10, 50, 100)
    ]
    for panel in made.panels:
        grey, own = panel.series
        assert comparison.against(own.name) == grey.name
    assert made.caption.endswith("grey is a at the same concurrency.")
    assert "slowest" not in made.caption


def test_the_caption_speaks_of_markers_only_where_they_are_drawn() -> None:
    few = {0.5: 0.002, 0.99: 0.004}
    many = {n / 100: 0.001 * n for n in range(40, 99)}
    for points, marked in ((few, True), (many, False)):
        made = printed({"a": points, "b": points})
        assert any(series.marker for series in made.panels[0].series) == marked
        assert ("Markers are printed values" in made.caption) == marked
        assert ("Lines only connect printed values." in made.caption) != marked


def test_all_ratios_of_a_line_are_estimated_in_one_way() -> None:
    """Once p75, which has no effect, was of the medians between p50 and p90 over pairs."""
    rows = SAMPLES["repeated_rows"](effect=1.1)
    began = np.datetime64("2026-01-01T00:00:00", "ns")
    for run in rows["runs"]:
        anchor = 2 * run["repeat"] + (run["variant"] == "new")
        run["started_at"] = began + np.timedelta64(60 * anchor, "s")
    results = Results.from_tables(rows)
    made, comparison = percentiles(results), compared(results)
    line = next(s for s in made.panels[1].series if s.name == "new" and not s.faint)
    drawn_at = dict(zip(line.xs, line.ys, strict=True))
    sides = [
        [by[0.75] for run in comparison.by_label[name].runs for by in [run.by_quantile]]
        for name in ("old", "new")
    ]
    logs = [math.log(new / old) for old, new in zip(*sides, strict=True)]
    means = [(a + b) / 2 for n, a in enumerate(logs) for b in logs[n:]]
    assert drawn_at[percentile_x(0.75)] == pytest.approx(math.exp(statistics.median(means)))
    effect = comparison.effect("new", "latency_p90_s")
    assert effect is not None
    assert (effect.estimate, drawn_at[percentile_x(0.9)]) == ("pairs", effect.ratio)
    assert "Ratios below are estimated over pairs of runs, not from the lines above" in made.caption


def test_a_line_ends_where_requests_carry_no_further_percentile() -> None:
    """Once one of 30,000 requests went on to p99.995, though a p99.9 of 3,000 is withheld."""
    rows = SAMPLES["repeated_rows"](effect=1.5, requests=5000)
    for run in rows["runs"]:
        tail = ((0.999, 0.06), (0.9999, 0.07))
        rows["quantiles"] += [
            {"run_id": run["run_id"], "quantile": q, "latency_s": s, "origin": "printed"}
            for q, s in tail
        ]
    made = percentiles(Results.from_tables(rows))
    drawn_to = {max(series.xs) for series in made.panels[0].series if series.line}
    assert drawn_to == {percentile_x(0.999)}
    assert "Lines end where a variant's requests carry no further percentile." in made.caption


def test_a_maximum_of_several_runs_is_called_a_median(known: Results) -> None:
    """The slowest of all requests may stand far above it."""
    caption = percentiles(known).caption
    assert "Open marks, beyond the gap in the axis, are medians of the slowest requests" in caption


def test_a_bar_that_its_line_covers_is_told() -> None:
    captions = []
    for scenario in ("quickstart", "request-coalescing"):
        made = chart(assessed(scenario).comparisons[0], "percentiles")
        assert made is not None
        captions.append(made.caption)
    covered = "One that is not seen is about as small as a line is wide."
    assert [covered in caption for caption in captions] == [True, False]


def test_what_some_runs_did_not_print_is_left_out_with_the_reason() -> None:
    rows = SAMPLES["repeated_rows"](effect=1.5, runs=6)
    first = next(run["run_id"] for run in rows["runs"] if run["variant"] == "new")
    p99 = {"run_id": first, "quantile": 0.99}
    rows["quantiles"] = [row for row in rows["quantiles"] if not p99.items() <= row.items()]
    rows["runs"] = [
        run | {"latency_p99_s": None} if run["run_id"] == first else run for run in rows["runs"]
    ]
    results = Results.from_tables(rows)
    made = percentiles(results)
    assert "p99 of new left out, as not every run has it." in made.caption
    ends = {series.name: max(series.xs) for series in made.panels[0].series if series.low}
    assert ends["new"] < percentile_x(0.99) == pytest.approx(ends["old"])
    (view,) = viewed(results).sections
    assert "p99 of new from 5 of 6 runs." in view.answer.table.notes


def test_runs_that_are_equal_are_a_dot_beside_the_line() -> None:
    """ab prints whole milliseconds: a range of no length was promised and not seen."""
    rows = three(effect=1.5, runs=6)
    same = {"old": 0.01, "new": 0.012, "third": 0.014}
    variant = {run["run_id"]: run["variant"] for run in rows.runs.to_dict("records")}
    quantiles = [
        {"run_id": run_id, "quantile": q, "latency_s": same[name] * (1 + q), "origin": "printed"}
        for run_id, name in variant.items()
        for q in (0.5, 0.9, 0.99)
    ]
    runs = [run | {"latency_p99_s": same[run["variant"]] * 1.99} for run in rows_of(rows.runs)]
    made = percentiles(Results.from_tables({"runs": runs, "quantiles": quantiles}))
    dots = [series for series in made.panels[0].series if is_bar(series)]
    assert [(len(series.xs), series.line) for series in dots] == [(1, 0)] * 9
    assert all(series.marker for series in dots)


def test_a_title_ranks_no_variant_whose_requests_failed() -> None:
    """Its answers were the fastest: they were errors."""
    rows = rows_of(three(effect=1.02, runs=6).runs)
    failing = {"success_ratio": 0.0, "non2xx": 300_000, "latency_p99_s": 0.001}
    runs = [run | failing if run["variant"] == "third" else run for run in rows]
    quantiles = [
        {"run_id": run["run_id"], "quantile": q, "latency_s": run[name], "origin": "printed"}
        for run in runs
        for q, name in ((0.5, "latency_p50_s"), (0.99, "latency_p99_s"))
        if run["variant"] != "third" or q == 0.99
    ]
    made = percentiles(Results.from_tables({"runs": runs, "quantiles": quantiles}))
    assert plain(made.title) == "Latency by percentile: p99 49.6 ms (old) to 49.7 ms (new)"
    assert "They are of all requests, failed ones too: 100 % of third." in plain(made.caption)


def test_bars_without_room_are_told_where_the_axis_names_their_percentile() -> None:
    rows = SAMPLES["repeated_rows"](effect=1.5, runs=6)["runs"]
    measured = {"requests": 30_000, "latency_p95_s": 1.6, "latency_max_s": 3.0}
    runs = [
        run | measured | {"run_id": f"{name}{run['run_id']}", "variant": name}
        for name in "abcde"
        for run in rows
        if run["variant"] == "old"
    ]
    quantiles = [
        {"run_id": run["run_id"], "quantile": q, "latency_s": latency_s, "origin": "printed"}
        for run in runs
        for q, latency_s in {0.5: 1.0, 0.9: 1.4, 0.95: 1.6, 0.99: 1.9}.items()
    ]
    made = percentiles(Results.from_tables({"runs": runs, "quantiles": quantiles}))
    assert "p95" in [text for _, text in made.panels[-1].x.ticks]
    assert "on the lines (no bars at p95, too near another)." in made.caption
