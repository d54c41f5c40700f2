"""From runs to effects: what is tested, what is only described, and what is said of it."""

from __future__ import annotations

import itertools
import json
from typing import Any, ClassVar

import numpy as np
import pytest

from benchkit.compare.assess import Options, assess
from benchkit.errors import UsageError
from benchkit.validity import CATALOGUE
from tests.compare.runs import (
    NOISE,
    by_metric,
    compared,
    effects,
    four_metrics,
    interleaved,
    plain,
    repeated,
    repeated_rows,
    results,
    run,
    spread,
)

PAIR = repeated({"a": four_metrics(), "b": four_metrics(1.1)})


def test_a_better_variant_is_faster_in_throughput_and_latency() -> None:
    listed = by_metric(PAIR)
    assert {name: effect.verdict for name, effect in listed.items()} == {
        "throughput": "faster",
        "p50": "faster",
        "p95": "not-tested",
        "p99": "faster",
    }
    p99 = listed["p99"]
    assert (p99.baseline, p99.variant, p99.runs, p99.baseline_runs) == ("a", "b", 8, 8)
    assert p99.ratio == pytest.approx(1 / 1.1)
    assert p99.interval is not None
    assert p99.interval.confidence == 0.95
    assert p99.interval.low < 1 / 1.1 < p99.interval.high < 1
    assert listed["p95"].interval is not None


def test_what_is_asked_for_is_tested_and_nothing_else_is_shown() -> None:
    (effect,) = effects(PAIR, metrics=("p95",))
    assert (effect.metric.name, effect.verdict) == ("p95", "faster")
    with pytest.raises(UsageError, match="no metric 'p42'"):
        effects(PAIR, metrics=("p42",))


def test_effects_stand_in_the_order_in_which_they_were_asked_for() -> None:
    """Each once."""
    listed = effects(PAIR, metrics=("p99", "throughput", "p99"))
    assert [effect.metric.name for effect in listed] == ["p99", "throughput"]


def test_a_comparison_has_what_became_of_each_check_in_its_scenario_and_tool() -> None:
    places = [("s", "ab"), ("s", "wrk"), ("t", "ab")]
    rows = [run(n, scenario=s, tool=tool) for n, (s, tool) in enumerate(places)]
    for comparison, anchor in zip(assess(results(*rows)).comparisons, places, strict=True):
        checks = {status.check for status in comparison.statuses}
        assert checks == {check.id for check in CATALOGUE}
        assert {(status.scenario, status.tool) for status in comparison.statuses} == {anchor}


def test_a_comparison_keeps_what_was_asked_and_the_order_of_the_input() -> None:
    comparison = compared(PAIR, baseline="b", options=Options(margin=0.1))
    assert (comparison.baseline, comparison.reference, comparison.margin) == ("b", "a", 0.1)
    assert comparison.order == ("a", "b")
    assert [variant.label for variant in comparison.variants] == ["b", "a"]


def test_findings_of_a_comparison_are_about_its_own_runs() -> None:
    """No run has its time, which is found once of all settings."""
    rows = [
        row | {"run_id": f"{coding}-{row['run_id']}", "params": json.dumps({"coding": coding})}
        for coding in ("gzip", "br")
        for row in repeated_rows({"a": four_metrics(), "b": four_metrics(1.1)})
    ]
    assessment = assess(results(*rows))
    assert any(len(finding.run_ids) == 32 for finding in assessment.examination.findings)
    for comparison in assessment.comparisons:
        own = {run_id for variant in comparison.variants for run_id in variant.run_ids}
        assert len(own) == 16
        assert all(numbered.run_ids <= own for numbered in comparison.findings)
        assert any(numbered.run_ids == own for numbered in comparison.findings)


def test_one_large_change_of_the_leading_metric_is_a_factor_in_every_setting() -> None:
    """Throughput orders the variants: 9× and 1.1×, not 9× and +10 %; goodput is written as it."""

    def pair(sink: str, factor: float) -> list[dict[str, Any]]:
        return [
            run(0, variant=name, params=json.dumps({"sink": sink}), run_id=f"{sink} {name}")
            | {"throughput_rps": 100.0 * by, "latency_p99_s": 0.1 * by}
            for name, by in (("a", 1.0), ("b", factor))
        ]

    large, small = assess(results(*pair("file", 9.0), *pair("null", 1.1))).comparisons
    assert set(large.factors) == {"throughput_rps", "goodput_rps", "latency_p99_s"}
    assert set(small.factors) == {"throughput_rps", "goodput_rps"}
    assert set(compared(results(*pair("null", 1.1))).factors) == set()


def test_what_is_asked_for_and_no_run_has_is_said_to_be_missing() -> None:
    (effect,) = effects(PAIR, metrics=("rss",))
    assert (effect.value, effect.verdict) == (None, "not-tested")
    assert effect.reason == "no run of a has a value; no run of b has a value"


def test_throughput_of_an_open_loop_is_what_was_asked_for() -> None:
    sides = {"a": four_metrics(), "b": four_metrics(1.1)}
    listed = by_metric(repeated(sides, load_model="open"))
    assert listed["throughput"].verdict == "not-tested"
    assert listed["p50"].verdict == "faster"


def test_throughput_of_a_closed_loop_is_tested_however_even() -> None:
    """10 connections to a server that sleeps for 100 ms: 99.6 requests per second, each time."""
    rates = {"a": spread(99.6, 0.0001), "b": spread(99.61, 0.0001, seed=2)}
    sides = {name: {"throughput_rps": values} for name, values in rates.items()}
    assert effects(repeated(sides))[0].verdict == "same"
    assert effects(repeated(sides, load_model=None))[0].verdict == "not-tested"


def test_the_tests_of_the_whole_scenario_are_one_family() -> None:
    """Also those of another tool or setting."""
    three = repeated({"a": four_metrics(), "b": four_metrics(1.1), "c": four_metrics(1.2)})
    assert compared(PAIR).tests == 3
    assert compared(three).tests == 6
    assert "adjusted for 6 tests" in compared(three).effects[0].reason


def test_the_maximum_is_described_even_when_asked_for() -> None:
    maxima = {name: {"latency_max_s": spread(by, 0.01)} for name, by in (("a", 1), ("b", 2))}
    (effect,) = effects(repeated(maxima), metrics=("max",))
    assert (effect.verdict, effect.adjusted_p) == ("not-tested", None)
    assert "never tested" in effect.reason
    assert effect.ratio == pytest.approx(2)


def test_the_baseline_may_be_named() -> None:
    assert {effect.verdict for effect in effects(PAIR, baseline="b")} == {"slower", "not-tested"}
    with pytest.raises(UsageError, match="no variant 'x'"):
        effects(PAIR, baseline="x")


class TestSame:
    """Within the margin, ±3 % unless somebody says otherwise, in every primary metric."""

    NEAR: ClassVar[dict[str, list[Any]]] = {
        "throughput_rps": [1000 * n for n in spread(1, 0.002)],
        "latency_p50_s": [0.01 * n for n in spread(1, 0.003, seed=2)],
        "latency_p99_s": [0.05 * n for n in spread(1, 0.004, seed=3)],
    }
    ALIKE: ClassVar[dict[str, list[Any]]] = {
        "throughput_rps": [1002 * n for n in spread(1, 0.002, seed=4)],
        "latency_p50_s": [0.01 * n for n in spread(1, 0.003, seed=5)],
        "latency_p99_s": [0.05 * n for n in spread(1, 0.004, seed=6)],
    }

    def test_in_every_primary_metric(self) -> None:
        listed = by_metric(repeated({"a": self.NEAR, "b": self.ALIKE}))
        assert {effect.verdict for effect in listed.values()} == {"same"}
        assert plain(listed["p50"].reason) == "within ±3 % in every primary metric"

    def test_not_where_one_of_them_is_not_shown_to_be(self) -> None:
        other = self.ALIKE | {"latency_p99_s": spread(0.05, 0.2, seed=7)}
        listed = by_metric(repeated({"a": self.NEAR, "b": other}))
        assert {effect.verdict for effect in listed.values()} == {"inconclusive"}
        assert plain(listed["p50"].reason) == "within ±3 %, which is not shown of p99"

    @pytest.mark.parametrize("baseline", ["a", "b"])
    def test_not_where_one_side_lacks_one_of_them(self, baseline: str) -> None:
        lacking = {name: values for name, values in self.ALIKE.items() if "p99" not in name}
        lacking["latency_p99_s"] = [None] * 8
        listed = by_metric(repeated({"a": self.NEAR, "b": lacking}), baseline=baseline)
        assert listed["p50"].verdict == "inconclusive"
        assert "which is not shown of p99" in listed["p50"].reason

    def test_not_where_one_of_them_is_withheld_from_both(self) -> None:
        """The p99 of 300 requests: one variant's may be three times the other's."""
        few: dict[str, list[Any]] = {"requests": [300] * 8, "load_model": ["open"] * 8}
        both = {"a": self.NEAR | few, "b": self.ALIKE | few | {"latency_p99_s": spread(0.15, 0.01)}}
        listed = by_metric(repeated(both))
        assert listed["p99"].obstacle == "withheld"
        assert (listed["p50"].verdict, listed["p50"].obstacle) == ("inconclusive", "others")
        assert plain(listed["p50"].reason) == "within ±3 %, which is not shown of p99"

    def test_not_where_the_others_were_left_out_of_the_question(self) -> None:
        """Whoever asks about throughput alone is not told that the two are the same."""
        other = self.ALIKE | {"latency_p50_s": [0.011 * n for n in spread(1, 0.003, seed=5)]}
        both = repeated({"a": self.NEAR, "b": other})
        (effect,) = effects(both, metrics=("throughput",))
        assert effect.verdict == by_metric(both)["throughput"].verdict == "inconclusive"
        assert "which is not shown of p50" in effect.reason

    def test_in_one_setting_whatever_is_so_in_another(self) -> None:
        """The same two with gzip, and with brotli, where the p99 is twice as long."""
        sides = {
            "gzip": {"a": self.NEAR, "b": self.ALIKE},
            "brotli": {"a": self.NEAR, "b": self.ALIKE | {"latency_p99_s": spread(0.1, 0.004)}},
        }
        rows = [
            row | {"run_id": f"{coding}-{row['run_id']}"}
            for coding, pair in sides.items()
            for row in repeated_rows(pair, params=json.dumps({"coding": coding}))
        ]
        gzip, brotli = assess(results(*rows)).comparisons
        assert {effect.verdict for effect in gzip.effects} == {"same"}
        assert {effect.verdict for effect in brotli.effects} == {"inconclusive", "slower"}

    def test_the_margin_can_be_chosen(self) -> None:
        sides = repeated({"a": self.NEAR, "b": self.ALIKE})
        assert {effect.verdict for effect in effects(sides, margin=0.001)} == {"inconclusive"}

    def test_equal_milliseconds_are_not_equal(self) -> None:
        rounded = {"latency_p50_s": [0.002] * 8}
        (effect,) = effects(repeated({"a": rounded, "b": rounded}, resolution_s=0.001))
        assert effect.verdict == "inconclusive"
        assert effect.interval is not None
        assert effect.interval.low <= 2 / 3
        assert effect.interval.high >= 3 / 2

    @pytest.mark.parametrize("metric", ["mean", "max", "p50"])
    def test_a_step_widens_every_latency(self, metric: str) -> None:
        """ab prints its mean in whole milliseconds: 9 → 10 was +11 % (+11 to +11 %), slower."""
        column = f"latency_{metric}_s"
        sides = repeated({"a": {column: [0.009] * 8}, "b": {column: [0.010] * 8}})
        steps = [r.with_columns(resolution_s=0.001) for r in sides]
        effect = by_metric(steps, metrics=(metric,))[metric]
        assert effect.interval is not None
        assert effect.interval.low == pytest.approx(9.5 / 9.5)
        assert effect.interval.high == pytest.approx(10.5 / 8.5)
        assert effect.verdict == ("not-tested" if metric == "max" else "inconclusive")

    def test_a_difference_of_one_step_is_none(self) -> None:
        sides = {"a": {"latency_p50_s": [0.002] * 8}, "b": {"latency_p50_s": [0.003] * 8}}
        (effect,) = effects(repeated(sides, resolution_s=0.001))
        assert effect.verdict == "inconclusive"
        sides["b"] = {"latency_p50_s": [0.017] * 8}
        (effect,) = effects(repeated(sides, resolution_s=0.001))
        assert effect.verdict == "slower"


class TestCopies:
    """Declared with the param aa: the noise of the machine, never an answer."""

    @staticmethod
    def rows(variant: str, start: int, middle: float, **columns: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - cells of any kind
        values = spread(middle, 0.02, seed=start + 1)
        return [
            run(start + n, variant=variant, repeat=n + 1, throughput_rps=value, **columns)
            for n, value in enumerate(values)
        ]

    def test_the_noise_of_a_copy_never_widens_what_counts_as_equal(self) -> None:
        noisy = [*self.rows("a", 0, 100), *self.rows("b", 10, 110)]
        copy = [
            run(20 + n, variant="a-again", params='{"aa": true}', throughput_rps=rate)
            for n, rate in enumerate(spread(100, 0.3, seed=5))
        ]
        alone = effects(results(*noisy))
        beside = {effect.variant: effect for effect in effects(results(*noisy, *copy))}
        assert beside["b"] == alone[0]
        assert alone[0].verdict == "faster"

    def test_its_difference_is_shown_and_never_tested(self) -> None:
        sides = [*self.rows("a", 0, 100), *self.rows("a2", 10, 200, params='{"aa": true}')]
        (effect,) = effects(results(*sides, *self.rows("b", 20, 100)))[1:]
        assert (effect.variant, effect.verdict, effect.adjusted_p) == ("a2", "not-tested", None)
        assert effect.ratio == pytest.approx(2, rel=0.05)
        assert "a declared copy" in effect.reason

    def test_where_nothing_could_be_tested_it_says_only_that(self) -> None:
        names = {"a": "{}", "b": "{}", "a2": '{"aa": true}'}
        rows = [
            run(n, variant=name, params=params, throughput_rps=100.0)
            for n, (name, params) in enumerate(names.items())
        ]
        reasons = {effect.variant: effect.reason for effect in effects(results(*rows))}
        assert reasons["a2"] == reasons["b"]
        assert reasons["b"].startswith("one run of each")

    def test_with_params_of_its_own_it_stands_alone(self) -> None:
        ran: list[tuple[str, dict[str, Any]]]
        ran = [*itertools.product("ab", ({"coding": "gzip"}, {"coding": "br"}))]
        ran.append(("c", {"aa": True, "coding": "zstd"}))
        rows = [
            run(n, variant=name, params=json.dumps(params), throughput_rps=100.0)
            for n, (name, params) in enumerate(ran)
        ]
        copy = effects(results(*rows))[-1]
        assert (copy.baseline, copy.variant) == ("a", "c")
        assert copy.reason == "the baseline was not run with these params"

    def test_its_tool_is_named_beside_it(self) -> None:
        ran = [("a", "{}"), ("b", "{}"), ("c", '{"aa": true}')]
        rows = [
            run(n, variant=name, params=params, throughput_rps=100.0, tool=tool)
            for n, (tool, (name, params)) in enumerate(itertools.product(("wrk", "ab"), ran))
        ]
        copies = [effect for effect in effects(results(*rows)) if effect.variant == "c"]
        for effect, tool in zip(copies, ("wrk", "ab"), strict=True):
            assert f"measured with {tool}; other tools are compared apart" in effect.reason

    def test_it_is_compared_with_the_chosen_baseline(self) -> None:
        """Beside a row that says 7.8× it cannot say that there is hardly a difference."""
        rows = [*self.rows("a", 0, 100), *self.rows("b", 10, 780)]
        rows += self.rows("a2", 20, 100, params='{"aa": "a"}')
        by_baseline = {
            baseline: {e.variant: e for e in effects(results(*rows), baseline=baseline)}
            for baseline in "ab"
        }
        assert by_baseline["a"]["a2"].ratio == pytest.approx(1, rel=0.05)
        for label in ("a", "a2"):
            effect = by_baseline["b"][label]
            assert effect.baseline == "b"
            assert effect.ratio == pytest.approx(100 / 780, rel=0.05)

    def test_its_grade_is_no_answer(self) -> None:
        rows = [*self.rows("a", 0, 100), *self.rows("b", 10, 200)]
        comparison = compared(results(*rows, *self.rows("a2", 20, 100, params='{"aa": true}')))
        grades = {label: grade.words for label, grade in comparison.grades.items()}
        assert grades == {"b": "Established", "a2": "Described, not tested"}
        assert comparison.grade.words == "Established"

    def test_nor_does_it_stand_in_for_one(self) -> None:
        """All requests to b failed; those to the copy of a did not."""
        rows = [
            run(n, variant=name, params=params, throughput_rps=100.0, requests=900, non2xx=failed)
            for n, (name, params, failed) in enumerate(
                [("a", "{}", 0), ("b", "{}", 900), ("a2", '{"aa": true}', 0)]
            )
        ]
        comparison = compared(results(*(row | {"errors": 0} for row in rows)))
        assert {label: grade.key for label, grade in comparison.grades.items()} == {
            "b": "incomparable",
            "a2": "once",
        }
        assert comparison.grade == comparison.grades["b"]

    def test_one_run_of_a_copy_does_not_make_few_runs_of_the_others_one(self) -> None:
        rows = [run(n, variant="ab"[n % 2], throughput_rps=100.0 + n) for n in range(6)]
        copy = run(6, variant="a2", throughput_rps=100.0, params='{"aa": true}')
        assert compared(results(*rows)).grade.words == "Few runs"
        assert compared(results(*rows, copy)).grade.words == "Few runs"


class TestFewRuns:
    @pytest.mark.parametrize("runs", [2, 3, 4])
    def test_fewer_than_five_runs_reach_no_verdict_and_have_no_interval(self, runs: int) -> None:
        sides = {"a": four_metrics(runs=runs), "b": four_metrics(2.0, runs=runs)}
        comparison = compared(repeated(sides))
        effect = comparison.effect("b", "throughput_rps")
        assert effect is not None
        assert effect.ratio == pytest.approx(2)
        assert (effect.verdict, effect.more_runs) == ("inconclusive", 5 - runs)
        assert (effect.interval, effect.adjusted_p) == (None, None)
        assert "can reach no verdict: it takes 5 of each" in effect.reason
        assert comparison.tests == 0
        assert comparison.grade.words == "Few runs"

    def test_five_do(self) -> None:
        listed = by_metric(repeated({"a": four_metrics(runs=5), "b": four_metrics(2.0, runs=5)}))
        assert listed["throughput"].verdict == "faster"
        assert listed["throughput"].interval is not None

    def test_five_against_three_are_three(self) -> None:
        sides = {"a": four_metrics(runs=5), "b": four_metrics(2.0, runs=3)}
        effect = by_metric(repeated(sides))["throughput"]
        assert (effect.verdict, effect.more_runs) == ("inconclusive", 2)
        assert "3 runs against 5 can reach no verdict" in plain(effect.reason)

    def test_variants_with_few_runs_are_no_tests_of_the_others(self) -> None:
        sides = {"a": four_metrics(), "b": four_metrics(1.1), "c": four_metrics(1.1, runs=3)}
        comparison = compared(repeated(sides))
        assert comparison.tests == 3
        assert "adjusted for 3 tests" in comparison.effects[0].reason

    def test_one_run_of_each_has_figures_and_no_interval(self) -> None:
        single = {"a": {"throughput_rps": [3176.16]}, "b": {"throughput_rps": [32669.0]}}
        (effect,) = effects(repeated(single))
        assert (effect.baseline_value, effect.value) == (3176.16, 32669)
        assert effect.ratio == 32669 / 3176.16
        assert (effect.interval, effect.verdict) == (None, "not-tested")
        assert "no run-to-run spread is known" in effect.reason

    def test_one_run_on_a_side_is_not_tested(self) -> None:
        rows = [run(n, throughput_rps=1.0 + n) for n in range(8)]
        rows.append(run(9, variant="b", throughput_rps=9.0))
        (effect,) = effects(results(*rows))
        assert (effect.verdict, effect.interval) == ("not-tested", None)
        assert effect.ratio == 9 / 4.5
        assert effect.reason == "one run on a side: nothing is tested"


class TestPairs:
    """Repeats that were made in turn are compared pair by pair."""

    @staticmethod
    def drifting(pairs: int, *, blocked: bool = False) -> Any:  # noqa: ANN401 - results
        drift = np.linspace(1, 3, pairs)
        rates = {
            "a": [float(level * (1 + n % 3 / 500)) for n, level in enumerate(drift)],
            "b": [float(level * 1.05) for level in drift],
        }
        sides = {name: {"throughput_rps": values} for name, values in rates.items()}
        return repeated(sides) if blocked else interleaved(sides)

    def test_from_six_pairs_on(self) -> None:
        (effect,) = effects(self.drifting(6))
        assert effect.verdict == "faster"
        assert "6 pairs of interleaved runs" in plain(effect.reason)
        assert effect.estimate == "pairs"
        assert effect.ratio == pytest.approx(1.05, abs=0.01)
        (fewer,) = effects(self.drifting(5))
        assert (fewer.verdict, fewer.estimate) == ("inconclusive", "")

    def test_without_the_times_nothing_is_paired(self) -> None:
        (effect,) = effects(self.drifting(8, blocked=True))
        assert effect.verdict == "inconclusive"
        assert effect.estimate == ""

    def test_the_order_within_a_pair_does_not_matter(self) -> None:
        runs = list(self.drifting(8))
        starts = [r.get("started_at") for r in runs]
        turned = [
            r.with_columns(started_at=starts[(n + 8) % 16]) if r.get("repeat") % 2 else r
            for n, r in enumerate(runs)
        ]
        assert effects(turned)[0].estimate == "pairs"

    def test_each_variant_is_paired_by_its_own_order(self) -> None:
        """One that was run in turn with the baseline, and one behind both."""
        sides = {name: {"latency_p99_s": [0.05 * n for n in NOISE]} for name in "abc"}
        rows = [each.columns for each in interleaved({name: sides[name] for name in "ab"})]
        behind = np.datetime64("2026-01-02T00:00:00", "ns")
        for at, row in enumerate(repeated_rows({"c": sides["c"]})):
            more = {
                "run_id": f"c{at}",
                "repeat": at + 1,
                "started_at": behind + np.timedelta64(10 * at, "s"),
            }
            rows.append(row | more)
        estimates = {effect.variant: effect.estimate for effect in effects(results(*rows))}
        assert estimates == {"b": "pairs", "c": ""}

    def test_where_values_shown_and_pairs_point_apart_it_says_so(self) -> None:
        levels = [1.0, 2, 4, 8, 16, 32, 64, 128]
        sides = {
            "a": {"throughput_rps": levels},
            "b": {"throughput_rps": [1.03, 2.06, 4.12, 8.24, 15.9, 31.9, 65.9, 131.8]},
        }
        (effect,) = effects(interleaved(sides))
        assert effect.value is not None
        assert effect.baseline_value is not None
        assert effect.ratio is not None
        assert effect.value / effect.baseline_value > 1
        assert effect.ratio > 1
        sides["b"] = {"throughput_rps": [1.03, 2.06, 4.12, 7.9, 15.9, 33, 66, 132]}
        sides["b"]["goodput_rps"] = sides["b"]["throughput_rps"]
        sides["a"]["goodput_rps"] = sides["a"]["throughput_rps"]
        both = by_metric(interleaved(sides))
        text = "higher over the pairs, although lower in the medians shown"
        assert text in plain(both["throughput"].reason)
        assert (both["goodput"].verdict, text in plain(both["goodput"].reason)) == (
            "not-tested",
            True,
        )


class TestNotComparable:
    def test_other_meanings_of_latency(self) -> None:
        rows = [
            run(n, variant="ab"[n % 2], latency_p50_s=0.01 * (1 + n), correction=kind)
            for n, kind in enumerate(["none", "backfilled"] * 8)
        ]
        (effect,) = effects(results(*rows))
        assert (effect.ratio, effect.verdict) == (None, "not-tested")
        assert "not comparable: the runs differ in whether the tool added samples" in effect.reason

    def test_other_tools_are_compared_apart_and_it_says_so(self) -> None:
        twice = [
            r.with_columns(run_id=f"{tool}-{r.run_id}", label=f"{tool} {r.label}", tool=tool)
            for tool in ("wrk", "ab")
            for r in PAIR
        ]
        assessment = assess(twice)
        assert [c.tool for c in assessment.comparisons] == ["wrk", "ab"]
        assert {c.tests for c in assessment.comparisons} == {6}
        reasons = [e.reason for e in assessment.effects if e.metric.name == "throughput"]
        assert "measured with wrk; other tools are compared apart" in reasons[0]
        assert "measured with ab; other tools are compared apart" in reasons[1]

    def test_variants_measured_with_different_tools_have_no_ratio(self) -> None:
        rows = [run(1, throughput_rps=1.0), run(2, variant="b", tool="ab", throughput_rps=2.0)]
        (effect,) = effects(results(*rows))
        assert (effect.variant, effect.baseline) == ("b", "a")
        assert (effect.baseline_value, effect.value, effect.ratio) == (1.0, 2.0, None)
        assert "measured with ab, the baseline with wrk: not comparable" in effect.reason
        short = [row | {"requests": 300, "latency_p99_s": 0.1} for row in rows]
        short[1]["requests"] = 10_000
        assert by_metric(results(*short))["p99"].obstacle == "withheld"
        last = assess(results(*rows)).comparisons[-1]
        assert last.against("b") is None
        assert not last.others
        assert last.grade.words == "Not comparable"
        (effect,) = effects(results(*rows), baseline="b")
        assert (effect.variant, effect.baseline) == ("a", "b")

    def test_nor_has_one_beside_its_copy(self) -> None:
        """What the tool of the copy has to say stands at the copy."""
        rows = [
            run(1, throughput_rps=1.0),
            run(2, variant="b", tool="ab", throughput_rps=2.0),
            run(3, variant="b2", tool="ab", throughput_rps=2.0, params='{"aa": true}'),
        ]
        (copy,) = effects(results(*rows))
        assert (copy.baseline, copy.variant) == ("b", "b2")
        assert "measured with ab; other tools are compared apart" in copy.reason

    def test_a_side_that_failed(self) -> None:
        rows = [
            run(1, throughput_rps=100.0, requests=1000, errors=0, non2xx=0),
            run(2, variant="b", throughput_rps=900.0, requests=1000, errors=0, non2xx=1000),
        ]
        effect = by_metric(results(*rows))["throughput"]
        assert effect.ratio is None
        assert "100\u00a0% of the requests of a side got no 2xx answer" in effect.reason


class TestMissing:
    def test_a_metric_that_a_side_lacks(self) -> None:
        p99: dict[str, list[Any]] = {"a": [None, None, None], "b": [0.1, 0.2, 0.3]}
        (effect,) = effects(repeated({v: {"latency_p99_s": values} for v, values in p99.items()}))
        assert (effect.baseline_value, effect.value) == (None, 0.2)
        assert (effect.baseline_runs, effect.runs) == (0, 3)
        assert (effect.ratio, effect.reason) == (None, "no run of a has a value")

    def test_one_that_some_runs_lack(self) -> None:
        sides = {"a": four_metrics(), "b": four_metrics(1.5)}
        sides["b"]["latency_p99_s"][0] = None
        effect = by_metric(repeated(sides))["p99"]
        assert (effect.runs, effect.baseline_runs) == (7, 8)
        assert "1 run of b has no value" in plain(effect.reason)

    def test_a_long_name_is_cut(self) -> None:
        values: dict[str, list[Any]] = {"a": [0.1] * 3, "b" * 100: [None] * 3}
        sides = {name: {"latency_p99_s": each} for name, each in values.items()}
        (effect,) = effects(repeated(sides))
        assert effect.reason == f"no run of {'b' * 79}… has a value"

    def test_zeros_have_no_ratio(self) -> None:
        rows = [run(n, variant="ab"[n % 2], success_ratio=1.0 - 0.01 * (n % 2)) for n in range(16)]
        (effect,) = effects(results(*rows), metrics=("error_ratio",))
        assert (effect.ratio, effect.verdict) == (None, "not-tested")
        assert effect.value == pytest.approx(0.01)
        assert "no ratio where a run has 0" in effect.reason

    def test_a_share_that_is_0_in_a_run_differs_in_points_also_from_a_single_run(self) -> None:
        shares = {"a": (1.0, 0.99, 0.96), "b": (0.97,)}
        rows = [
            run(n, variant=name, success_ratio=share)
            for n, (name, share) in enumerate((v, s) for v, each in shares.items() for s in each)
        ]
        for baseline, points in (("a", 0.02), ("b", -0.02)):
            (effect,) = effects(results(*rows), metrics=("error_ratio",), baseline=baseline)
            assert effect.ratio is None
            assert effect.points == pytest.approx(points)
            assert effect.reason.startswith(
                "no ratio where a run has 0; the difference is in points"
            )

    @pytest.mark.parametrize(
        ("metric", "column", "reason"),
        [
            ("mean", "latency_mean_s", "0 in every run, less than a step of the clock"),
            ("error_ratio", "success_ratio", "no request failed on either side"),
            ("throughput", "throughput_rps", "none in any run"),
        ],
    )
    def test_zeros_on_both_sides_say_what_they_are(
        self, metric: str, column: str, reason: str
    ) -> None:
        nothing = {column: [float(metric == "error_ratio")] * 3}
        (effect,) = effects(repeated({"a": nothing, "b": nothing}), metrics=(metric,))
        assert (effect.verdict, effect.reason) == ("not-tested", reason)

    def test_two_runs_without_a_value_have_no_interval(self) -> None:
        """A gateway: the tool printed no percentiles, and the checks found nothing."""
        sides = {"a": {"latency_p50_s": [None] * 8}, "b": {"latency_p50_s": [None] * 8}}
        assert effects(repeated(sides)) == ()


class TestLittlesLaw:
    """Throughput times mean latency are in flight: no more than the connections have places."""

    @staticmethod
    def reason(mean_s: float = 0.01, **columns: Any) -> str:  # noqa: ANN401 - cells of any kind
        """What is said of two means, 10 connections having answered 1000 and 500 a second."""
        own = {"connections": 10, "latency_mean_s": mean_s} | columns
        rows = [
            run(n, variant="ab"[n], throughput_rps=rate, **own)
            for n, rate in enumerate((1000.0, 500.0))
        ]
        return plain(by_metric(results(*rows))["mean"].reason)

    def test_printed_means_beyond_it_are_named(self) -> None:
        """A gateway: 20 connections asked for, 16 opened."""
        rates = {"gateway": (2246.0, 9.09e-3), "zuul": (1663.0, 12.56e-3)}
        rows = [
            run(n, variant=name, throughput_rps=rate, latency_mean_s=mean_s, connections=16)
            for n, (name, (rate, mean_s)) in enumerate(rates.items())
        ]
        effect = by_metric(results(*rows))["mean"]
        reason = plain(effect.reason)
        assert "by Little's law the means are at most 7.12 ms and 9.62 ms" in reason
        assert "less than printed: a change of +35 %" in reason
        assert effect.interval is None

    def test_means_within_it_stand_beside_it(self) -> None:
        bounds = "; by Little's law the means are at most 10 ms and 20 ms"
        assert self.reason().endswith(bounds)
        assert self.reason(0.0104).endswith(bounds)  # as figures are rounded
        assert self.reason(0.0106).endswith(f"{bounds}, less than printed: a change of 2.0×")

    def test_pipelining_has_more_places(self) -> None:
        bounds = "; by Little's law the means are at most 40 ms and 80 ms"
        assert self.reason(pipelining=4).endswith(bounds)

    @pytest.mark.parametrize(
        "unknown", [{"load_model": "open"}, {"connections": None}, {"connections": 0}]
    )
    def test_without_a_bound_nothing_is_said_of_it(self, unknown: dict[str, Any]) -> None:
        assert "Little" not in self.reason(**unknown)

    def test_it_is_about_means_only(self) -> None:
        rows = [run(n, variant="ab"[n], throughput_rps=9.0, connections=1) for n in range(2)]
        assert "Little" not in by_metric(results(*rows))["throughput"].reason


def test_params_are_compared_level_by_level() -> None:
    rows = [
        run(
            2 * n + at,
            variant=name,
            params=json.dumps({"c": 2**n}),
            throughput_rps=float(100 * (n + 1) * (at + 1)),
        )
        for n in range(3)
        for at, name in enumerate("ab")
    ]
    listed = effects(results(*rows), metrics=("throughput",))
    assert [(effect.baseline, effect.variant, effect.ratio) for effect in listed] == [
        ("a, c 1", "b, c 1", 2),
        ("a, c 2", "b, c 2", 2),
        ("a, c 4", "b, c 4", 2),
    ]


def test_what_the_baseline_was_not_run_with_has_its_own_figures_only() -> None:
    ran = [("a", "gzip"), ("a", "br"), ("b", "gzip"), ("b", "zstd"), ("b", "zstd")]
    rows = [
        run(n, variant=name, params=json.dumps({"coding": coding}), throughput_rps=100.0 + n)
        for n, (name, coding) in enumerate(ran)
    ]
    effect = effects(results(*rows))[-1]
    assert (effect.baseline, effect.variant) == ("a, coding zstd", "b, coding zstd")
    assert (effect.baseline_value, effect.value, effect.ratio) == (None, 103.5, None)
    assert (effect.baseline_runs, effect.runs) == (0, 2)
    assert (effect.metric.name, effect.verdict) == ("throughput", "not-tested")
    assert effect.reason == "the baseline was not run with these params"


class TestAskedLater:
    """What is asked of an assessment is what would have been asked at once."""

    #: Two scenarios of 300 requests a run, too few for a p99.
    ROWS: ClassVar[list[dict[str, Any]]] = [
        row | {"run_id": f"{scenario}-{row['run_id']}", "scenario": scenario}
        for scenario in "st"
        for row in repeated_rows({"a": four_metrics(), "b": four_metrics(1.1)}, requests=300)
    ]

    def test_about_another_baseline(self) -> None:
        later = assess(PAIR).again(baseline="b")
        assert later.effects == assess(PAIR, baseline="b").effects
        assert {effect.baseline for effect in later.effects} == {"b"}
        with pytest.raises(UsageError, match="no variant 'x'"):
            _ = later.again(baseline="x").effects

    def test_without_some_runs(self) -> None:
        whole = assess(results(*self.ROWS), baseline="t/b")
        left = whole.without({"s-r0", "t-r9"})
        read = results(*(row for row in self.ROWS if row["run_id"] not in {"s-r0", "t-r9"}))
        assert [r.run_id for r in left.runs] == [r.run_id for r in read]
        assert left.effects == assess(read, baseline="t/b").effects
        matches = left.examination.findings
        assert not {"s-r0", "t-r9"} & {run_id for f in matches for run_id in f.run_ids}
        of_runs = [f for f in matches if f.run_id]
        assert of_runs
        assert {id(f) for f in of_runs} <= {id(f) for f in whole.examination.findings}

    @pytest.mark.parametrize(("baseline", "kept"), [("b", "b"), ("t/b", "t/b"), ("s/b", None)])
    def test_about_one_scenario(self, baseline: str, kept: str | None) -> None:
        whole = assess(results(*self.ROWS), baseline=baseline)
        alone = whole.scenarios["t"]
        assert {r.run_id[0] for r in alone.runs} == {"t"}
        assert len(alone.runs) == 16
        assert {finding.scenario for finding in alone.examination.findings} == {"t"}
        assert {status.scenario for status in alone.examination.statuses} == {"t"}
        assert alone.wanted == kept
        assert alone.effects == whole.comparisons[1].effects


class TestWithheld:
    def test_a_withheld_figure_is_not_tested_and_says_why(self) -> None:
        few: dict[str, list[Any]] = {"requests": [300] * 8, "tool": ["vegeta"] * 8}
        listed = by_metric(repeated({"a": four_metrics() | few, "b": four_metrics(1.5) | few}))
        assert listed["p50"].verdict == "faster"
        assert (listed["p99"].verdict, listed["p99"].value) == ("not-tested", None)
        assert listed["p99"].reason == "; ".join(
            f"no run of {name} has a value: withheld, 300 of the 368 requests that it takes"
            for name in "ab"
        )

    def test_what_one_run_withholds_is_withheld_from_its_variant(self) -> None:
        requests = {"a": [5000] * 8, "b": [300] + [5000] * 7}
        sides = {
            name: four_metrics(by) | {"requests": requests[name]}
            for name, by in (("a", 1.0), ("b", 1.5))
        }
        listed = by_metric(repeated(sides, tool="vegeta"))
        assert listed["p50"].verdict == "faster"
        assert (listed["p99"].verdict, listed["p99"].value) == ("not-tested", None)
        assert "withheld" in listed["p99"].reason


def test_a_baseline_that_a_run_names_stays_where_that_run_is_left_out() -> None:
    assessment = assess(PAIR, baseline="run 8")
    assert [c.baseline for c in assessment.comparisons] == ["b"]
    (left,) = assessment.without(["r8"]).comparisons
    assert left.baseline == "b"
