"""How far evidence carries: of one variant, of variants as they are, and of all together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchkit.compare.grades import (
    capped_by,
    described,
    graded,
    limited_by,
    rank_metric,
    ranked,
    together,
)
from benchkit.model.comparison import Comparison, Effect, Grade, GradeKey
from benchkit.model.grouping import variants_of
from benchkit.model.metric import COMPARED, ERROR_RATIO, GOODPUT, MEAN, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from tests.compare.runs import compared, four_metrics, interleaved, results, run


def variants(**runs: int) -> list[Variant]:
    """Variants of so many runs each."""
    names = [name for name, count in runs.items() for _ in range(count)]
    return variants_of(results(*(run(n, variant=name) for n, name in enumerate(names))))


def of_columns(*columns: dict[str, Any]) -> list[Variant]:
    """Variants of a run each: v0, v1, …."""
    return variants_of(results(*(run(n, variant=f"v{n}", **own) for n, own in enumerate(columns))))


def effect(metric: Metric = THROUGHPUT, **columns: Any) -> Effect:  # noqa: ANN401 - any field
    """Eight against eight runs, tested without a result, unless `columns` say otherwise."""
    plain: dict[str, Any] = {
        "baseline_value": 100.0,
        "value": 101.0,
        "ratio": 1.01,
        "baseline_runs": 8,
        "runs": 8,
        "verdict": "inconclusive",
        "reason": "p = 0.2",
    }
    return Effect(metric, "b", "a", **plain | columns)


UNTESTED: dict[str, Any] = {"verdict": "not-tested", "reason": "one of them"}


class TestOrder:
    """By throughput where the loop is closed, else by the first latency that all have."""

    def test_a_closed_loop_by_throughput(self) -> None:
        sides = of_columns({"throughput_rps": 1e3, "latency_p99_s": 0.1}, {"throughput_rps": 2e3})
        assert rank_metric(sides, swept=False) is THROUGHPUT

    @pytest.mark.parametrize(
        ("columns", "metric"),
        [
            (("latency_p99_s", "latency_p50_s", "latency_mean_s"), COMPARED["p99"]),
            (("latency_p50_s", "latency_mean_s"), COMPARED["p50"]),
            (("latency_mean_s", "latency_p95_s"), MEAN),
            (("latency_p95_s",), None),
        ],
    )
    def test_without_throughput_or_at_a_given_rate_by_a_latency(
        self, columns: tuple[str, ...], metric: Metric | None
    ) -> None:
        latencies = dict.fromkeys(columns, 0.1)
        assert rank_metric(of_columns(latencies, latencies), swept=False) is metric
        paced = latencies | {"load_model": "open", "offered_rate_rps": 50, "throughput_rps": 50}
        assert rank_metric(of_columns(paced, paced), swept=False) is metric

    def test_by_what_every_variant_has(self) -> None:
        sides = of_columns({"throughput_rps": 1e3, "latency_mean_s": 0.1}, {"latency_mean_s": 0.2})
        assert rank_metric(sides, swept=False) is MEAN

    def test_where_more_requests_of_one_failed_by_goodput_but_for_sweeps(self) -> None:
        clean = {"requests": 1000, "errors": 0, "throughput_rps": 1e3, "goodput_rps": 1e3}
        failing = clean | {"errors": 50, "goodput_rps": 950.0}
        sides = of_columns(clean, failing)
        assert rank_metric(sides, swept=False) is GOODPUT
        assert rank_metric(sides, swept=True) is THROUGHPUT

    def test_best_first_and_equal_ones_as_they_were(self) -> None:
        values = (0.5, 0.0, 2.0, 0.5)
        sides = of_columns(*({"throughput_rps": v, "latency_mean_s": v} for v in values))
        assert [v.name for v in ranked(sides, THROUGHPUT)] == ["v2", "v0", "v3", "v1"]
        assert [v.name for v in ranked(sides, MEAN)] == ["v1", "v0", "v3", "v2"]
        assert [v.name for v in ranked(sides, None)] == ["v0", "v1", "v2", "v3"]


class TestDescribed:
    @pytest.mark.parametrize(
        ("runs", "key", "symbol", "words", "reason"),
        [
            (
                {"a": 1},
                *("once", "◐", "Observed once"),
                "One run: how much a repetition would differ is not known.",
            ),
            (
                {"a": 1, "b": 1},
                *("once", "◐", "Observed once"),
                "One run each: how much a repetition would differ is not known.",
            ),
            (
                {"a": 2, "b": 1, "c": 1},
                *("once", "◐", "Observed once"),
                "Only one run of b and c: no run-to-run spread is known.",
            ),
            (
                {"a": 3},
                *("few", "◔", "One variant"),
                "3 runs: there is nothing to compare them with.",
            ),
            (
                {"a": 3, "b": 3},
                *("few", "◔", "Few runs"),
                "3 runs each, described but not tested.",
            ),
            (
                {"a": 4, "b": 2, "c": 3},
                *("few", "◔", "Few runs"),
                "2–4 runs each, described but not tested.",
            ),
        ],
    )
    def test_by_the_number_of_runs(
        self,
        runs: dict[str, int],
        key: GradeKey,
        symbol: str,
        words: str,
        reason: str,
    ) -> None:
        assert described(variants(**runs)) == Grade(key, symbol, words, (reason,))

    def test_what_cannot_be_compared(self) -> None:
        sides = variants_of(
            results(
                run(1, clock="send-to-last-byte"),
                run(2, variant="b", clock="due-to-last-byte"),
                run(3, variant="b", clock="due-to-last-byte"),
            )
        )
        reason = "The runs differ in what a latency spans: due-to-last-byte and send-to-last-byte."
        assert described(sides) == Grade("incomparable", "⊘", "Not comparable", (reason,))
        mixed = variants_of(
            results(run(1, clock="send-to-last-byte"), run(2, clock="due-to-last-byte"))
        )
        assert described(mixed).key == "few"  # of one variant nothing is compared


class TestOfOneVariant:
    @pytest.mark.parametrize("verdict", ["faster", "slower", "same"])
    def test_a_verdict_is_established_unless_a_finding_limits_it(self, verdict: str) -> None:
        effects = [effect(), effect(MEAN, verdict=verdict)]
        assert graded(effects, limited=False) == Grade("established", "●", "Established")
        assert graded(effects, limited=True) == Grade("limited", "◕", "In these runs only")

    def test_what_cannot_be_compared_says_why(self) -> None:
        why = ("The runs differ.", "So do the rates.")
        grade = Grade("incomparable", "⊘", "Not comparable", why)
        assert graded([effect()], limited=False, against=why) == grade

    def test_nor_can_what_has_neither_ratio_nor_points(self) -> None:
        none = effect(ratio=None, **UNTESTED)
        grade = Grade("incomparable", "⊘", "Not comparable", ("One of them.",))
        assert graded([none], limited=False) == grade
        assert graded([effect(ERROR_RATIO, ratio=None, points=0.1)], limited=False).comparable

    def test_speed_decides_what_can_be_compared_where_any_is_there(self) -> None:
        failures = effect(ERROR_RATIO, reason="no request failed in any run", ratio=2.0)
        none = effect(ratio=None, **UNTESTED)
        assert graded([failures, none], limited=False).reasons == ("One of them.",)
        assert not graded([failures, none], limited=False).comparable
        assert graded([failures], limited=False).comparable

    @pytest.mark.parametrize("sides", [(1, 1), (1, 8), (8, 1)])
    def test_one_run_of_a_side_was_observed_once(self, sides: tuple[int, int]) -> None:
        single = effect(runs=sides[0], baseline_runs=sides[1], **UNTESTED)
        grade = Grade("once", "◐", "Observed once", ("One of them.",))
        assert graded([single], limited=False) == grade
        assert graded([single, effect(MEAN, runs=2, baseline_runs=2)], limited=False).key != "once"

    def test_without_a_test_it_is_described(self) -> None:
        effects = [effect(**UNTESTED), effect(MEAN, **UNTESTED | {"reason": "another"})]
        grade = Grade("described", "◔", "Described, not tested", ("One of them.",))
        assert graded(effects, limited=False) == grade
        assert graded([effect(**UNTESTED | {"reason": ""})], limited=False).reasons == ()

    def test_too_few_runs(self) -> None:
        few = [effect(obstacle="few", reason="3 runs of each"), effect(GOODPUT, **UNTESTED)]
        assert graded(few, limited=False) == Grade("few", "◔", "Few runs", ("3 runs of each.",))
        mixed = [*few, effect(MEAN)]
        assert graded(mixed, limited=False).key == "unshown"

    def test_a_verdict_that_is_forbidden(self) -> None:
        forbidden = effect(obstacle="forbidden", reason="all runs of one came first")
        grade = Grade("forbidden", "◌", "Verdict withheld", ("All runs of one came first.",))
        assert graded([forbidden, effect(MEAN, obstacle="few")], limited=False) == grade

    def test_no_difference_shown_names_the_metric_and_the_variant(self) -> None:
        grade = Grade("unshown", "○", "No difference shown", ("Throughput of b: p = 0.2.",))
        assert graded([effect(MEAN), effect()], limited=False) == grade

    def test_an_effect_without_an_amount_speaks_where_there_is_no_other(self) -> None:
        points = effect(ERROR_RATIO, ratio=None, points=0.0, obstacle="few", reason="2 runs")
        assert graded([points], limited=False).reasons == ("2 runs.",)

    def test_a_p_begins_no_sentence_in_capitals(self) -> None:
        grade = graded([effect(obstacle="forbidden", reason="p = 0.2")], limited=False)
        assert grade.reasons == ("p = 0.2.",)


ONCE = Grade("once", "◐", "Observed once", ("One run each.",))
FEW = Grade("few", "◔", "Few runs", ("2 runs each.",))
NOT = Grade("incomparable", "⊘", "Not comparable", ("The clocks differ.",))
ESTABLISHED = Grade("established", "●", "Established")
LIMITED = Grade("limited", "◕", "In these runs only")
UNSHOWN = Grade("unshown", "○", "No difference shown", ("p99 of c: p = 1.",))
FORBIDDEN = Grade("forbidden", "◌", "Verdict withheld", ("One came first.",))
DESCRIBED = Grade("described", "◔", "Described, not tested", ("Only shown.",))


class TestTogether:
    def test_without_any_grade_it_is_that_of_the_variants(self) -> None:
        assert together(FEW, {}) is FEW

    def test_where_no_pair_can_be_compared(self) -> None:
        other = Grade("incomparable", "⊘", "Not comparable", ("The rates differ.",))
        assert together(FEW, {"b": other, "c": NOT}) is other
        assert together(NOT, {"b": other}) is NOT

    def test_an_established_answer_of_any_variant_with_its_limits(self) -> None:
        assert together(FEW, {"b": UNSHOWN, "c": ESTABLISHED}) == ESTABLISHED
        assert together(FEW, {"b": ESTABLISHED, "c": LIMITED}) == LIMITED
        assert together(NOT, {"b": NOT, "c": ESTABLISHED}) == ESTABLISHED
        once = together(ONCE, {"b": ESTABLISHED})
        assert once == Grade("established", "●", "Established", ONCE.reasons)

    def test_otherwise_one_run_of_a_variant_limits_all(self) -> None:
        assert together(ONCE, {"b": UNSHOWN}) is ONCE

    @pytest.mark.parametrize(
        ("grades", "shown"),
        [
            ((FORBIDDEN, UNSHOWN), FORBIDDEN),
            ((FEW, UNSHOWN), UNSHOWN),
            ((ONCE, FEW), FEW),
            ((DESCRIBED, ONCE), ONCE),
            ((NOT, DESCRIBED), DESCRIBED),
        ],
    )
    def test_the_weightiest_obstacle_stands_for_all(
        self, grades: tuple[Grade, ...], shown: Grade
    ) -> None:
        assert together(FEW, dict(zip("bc", grades, strict=True))).key == shown.key

    def test_a_reason_names_its_variant_where_the_others_have_another(self) -> None:
        named = together(FEW, {"b": NOT, "c": FORBIDDEN})
        assert named == Grade("forbidden", "◌", "Verdict withheld", ("c: One came first.",))
        assert together(FEW, {"b": FORBIDDEN, "c": FORBIDDEN}) is FORBIDDEN
        assert together(FEW, {"b": FEW, "c": UNSHOWN}) == UNSHOWN  # which names it itself

    def test_each_of_several_that_were_not_shown_to_differ_has_its_reason(self) -> None:
        nearly = replace(UNSHOWN, reasons=("p50 of b: p = 0.06.",))
        assert together(FEW, {"c": UNSHOWN, "b": nearly}).reasons == (
            *UNSHOWN.reasons,
            *nearly.reasons,
        )


class TestWithoutFirstRuns:
    """Fewer runs decide less, which contradicts nothing; only the other direction does."""

    @pytest.mark.parametrize(
        ("whole", "fewer", "key"),
        [
            (("faster", "inconclusive"), ("faster", "inconclusive"), "established"),
            (("faster", "inconclusive"), ("inconclusive", "inconclusive"), "established"),
            (("faster", "inconclusive"), ("faster", "faster"), "established"),
            (("faster", "inconclusive"), ("faster", "slower"), "limited"),
            (("faster", "inconclusive"), ("slower", "inconclusive"), "limited"),
            (("slower", "inconclusive"), ("inconclusive", "faster"), "limited"),
            (("faster", "slower"), ("slower", "faster"), "limited"),
            (("faster", "slower"), ("faster", "inconclusive"), "established"),
            (("same", "inconclusive"), ("slower", "inconclusive"), "limited"),
        ],
    )
    def test_which_answer_they_limit(
        self, whole: tuple[str, str], fewer: tuple[str, str], key: str
    ) -> None:
        sides = {name: four_metrics(by) for name, by in {"a": 1.0, "b": 1.5}.items()}
        comparison = compared(interleaved(sides))
        assert comparison.grade.key == "established"

        def decided(verdicts: tuple[str, str]) -> tuple[Effect, ...]:
            metrics = (THROUGHPUT, COMPARED["p99"])
            return tuple(
                effect(metric, verdict=verdict)
                for metric, verdict in zip(metrics, verdicts, strict=True)
            )

        comparison = replace(comparison, effects=decided(whole))
        left = replace(comparison, effects=decided(fewer))
        limited = limited_by(comparison, left)
        assert limited.without_first is left
        expected = LIMITED if key == "limited" else comparison.grade
        for grade in (limited.grade, limited.grades["b"]):
            assert (grade.key, grade.symbol, grade.words) == (key, expected.symbol, expected.words)

    @pytest.mark.parametrize(
        ("own", "left", "shown"),
        [
            ("limited", "established", "limited"),
            ("unshown", "established", "limited"),
            ("established", "established", "established"),
            ("limited", "unshown", "unshown"),
        ],
    )
    def test_fewer_runs_are_no_better_evidence(
        self, own: GradeKey, left: GradeKey, shown: str
    ) -> None:
        sides = {name: four_metrics(by) for name, by in {"a": 1.0, "b": 1.5}.items()}
        comparison = compared(interleaved(sides))

        def of_grade(key: GradeKey) -> Comparison:
            grade = replace(comparison.grade, key=key)
            return replace(comparison, grade=grade, grades={"b": grade})

        capped = capped_by(of_grade(left), of_grade(own))
        assert (capped.grade.key, capped.grades["b"].key) == (shown, shown)
