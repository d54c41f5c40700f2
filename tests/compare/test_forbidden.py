"""Where nothing may be established, however different the figures are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from benchkit.compare.assess import Options, assess
from benchkit.compare.slo import objective
from benchkit.model.comparison import DECIDED, Comparison, Effect, Grade
from benchkit.model.metric import GOODPUT, THROUGHPUT
from tests.compare.runs import compared, four_metrics, plain, repeated, results, run

NO_FAILURES = {"requests": 10_000, "errors": 0, "non2xx": 0}
BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")


def in_order(order: str, factors: Mapping[str, float], **columns: Any) -> Comparison:  # noqa: ANN401 - cells of any kind
    """Eight runs of each variant; `order` names the variant of each run, ten seconds apart."""
    left = {
        name: list(repeated({name: four_metrics(by)}, **columns)) for name, by in factors.items()
    }
    runs = [
        left[name]
        .pop(0)
        .with_columns(
            run_id=f"r{n}", label=f"run {n}", started_at=BEGAN + np.timedelta64(10 * n, "s")
        )
        for n, name in enumerate(order)
    ]
    return compared(sorted(runs, key=lambda r: r.variant))


def verdicts(comparison: Comparison, label: str = "b") -> set[str]:
    return {
        e.verdict for e in comparison.effects if e.variant == label and e.metric.role == "primary"
    }


class TestBlockedOrder:
    def test_all_of_one_before_all_of_the_other(self) -> None:
        comparison = in_order(8 * "a" + 8 * "b", {"a": 1.0, "b": 1.5})
        assert verdicts(comparison) == {"inconclusive"}
        assert (comparison.grade.key, comparison.grade.words) == ("forbidden", "Verdict withheld")
        assert comparison.grade.reasons == (
            "All runs of one came before all runs of the other; 8 runs of each.",
        ) or comparison.grade.reasons[0].startswith("All runs of one came before all runs")
        assert comparison.tests == 0
        assert [f.first.severity for f in comparison.findings if f.first.check == "BLOCKED_ORDER"]

    def test_the_figures_and_intervals_are_still_there(self) -> None:
        effect = in_order(8 * "a" + 8 * "b", {"a": 1.0, "b": 1.5}).effect("b", "throughput_rps")
        assert effect is not None
        assert effect.ratio == pytest.approx(1.5)
        assert effect.interval is not None
        assert effect.adjusted_p is None

    @pytest.mark.parametrize("order", ["ab" * 8, "abba" * 4, 4 * "a" + 8 * "b" + 4 * "a"])
    def test_not_where_the_times_overlap(self, order: str) -> None:
        assert verdicts(in_order(order, {"a": 1.0, "b": 1.5})) == {"faster"}

    def test_only_for_those_that_do_not_overlap(self) -> None:
        comparison = in_order("ab" * 8 + 8 * "c", {"a": 1.0, "b": 1.5, "c": 1.5})
        assert verdicts(comparison) == {"faster"}
        assert verdicts(comparison, "c") == {"inconclusive"}
        assert comparison.grades["c"].words == "Verdict withheld"
        assert comparison.tests == 3

    def test_nor_is_anything_the_same(self) -> None:
        assert verdicts(in_order(8 * "a" + 8 * "b", {"a": 1.0, "b": 1.0})) == {"inconclusive"}

    def test_what_is_asked_for_is_forbidden_as_well(self) -> None:
        """--metric p95 is no way round."""
        from tests.compare.runs import effects

        comparison = in_order(8 * "a" + 8 * "b", {"a": 1.0, "b": 1.5})
        runs = [r for v in comparison.variants for r in v.runs]
        (effect,) = effects(runs, metrics=("p95",), baseline="a")
        assert effect.verdict == "inconclusive"


class TestBounds:
    """--slo is no way round what is forbidden of the figures themselves."""

    @staticmethod
    def within(bound: str, order: str, **columns: Any) -> tuple[Effect, Grade]:  # noqa: ANN401 - cells of any kind
        """The capacity of b, half as fast again as a, and its grade."""
        comparison = in_order(order, {"a": 1.0, "b": 1.5}, **columns)
        runs = [r for v in comparison.variants for r in v.runs]
        options = Options(objectives=(objective(bound),))
        comparison = compared(runs, baseline="a", options=options)
        (effect,) = comparison.sweep_effects
        return effect, comparison.sweep_grades["a", "b"]

    def test_of_interleaved_runs_they_are_tested(self) -> None:
        effect, grade = self.within("p99<60ms", "ab" * 8)
        assert (effect.verdict, grade.words) == ("faster", "Established")

    def test_all_of_one_before_all_of_the_other(self) -> None:
        effect, grade = self.within("p99<60ms", 8 * "a" + 8 * "b")
        assert (effect.verdict, effect.adjusted_p) == ("inconclusive", None)
        assert effect.reason.startswith("all runs of one came before all runs of the other")
        assert grade.words == "Verdict withheld"

    def test_a_bound_on_padded_samples_bounds_nothing_measured(self) -> None:
        effect, grade = self.within("p99<60ms", "ab" * 8, correction="backfilled")
        assert effect.verdict == "not-tested"
        assert "the tool added samples to what is bounded" in effect.reason
        assert grade.words == "Described, not tested"
        tested, _ = self.within("error_ratio<1%", "ab" * 8, correction="backfilled", **NO_FAILURES)
        assert tested.verdict == "faster"

    def test_a_serious_finding_limits_them(self) -> None:
        _, grade = self.within("p99<60ms", "ab" * 8, **NO_FAILURES | {"errors": 600})
        assert grade.words == "In these runs only"


class TestSettings:
    """A setting that changes the load and that nobody declared."""

    @staticmethod
    def with_setting(column: str, values: tuple[Any, Any], **columns: Any) -> Comparison:  # noqa: ANN401 - cells of any kind
        sides = {"a": four_metrics(), "b": four_metrics(1.5)}
        runs = [
            r.with_columns(**{column: values["ab".index(r.variant)]})
            for r in repeated(sides, **columns)
        ]
        return compared(runs)

    @pytest.mark.parametrize(
        ("column", "values"),
        [
            ("keepalive", (True, False)),
            ("connections", (10, 100)),
            ("pipelining", (1, 16)),
            ("method", ("GET", "POST")),
        ],
    )
    def test_one_that_differs_is_never_established(
        self, column: str, values: tuple[Any, Any]
    ) -> None:
        comparison = self.with_setting(column, values)
        assert not DECIDED & verdicts(comparison)
        assert not comparison.grade.words.startswith("Established")

    def test_one_that_is_declared_is_what_is_compared(self) -> None:
        sides = {"keepalive": four_metrics(), "no keepalive": four_metrics(0.5)}
        runs = [r.with_columns(keepalive=r.variant == "keepalive") for r in repeated(sides)]
        assert verdicts(compared(runs, baseline="keepalive"), "no keepalive") == {"slower"}

    def test_equal_ones_forbid_nothing(self) -> None:
        assert verdicts(self.with_setting("keepalive", (True, True))) == {"faster"}


class TestFailing:
    """What fails fast costs little: more answers of any kind are no better server."""

    @staticmethod
    def failing(share: float, factor: float = 1.05, **asked: Any) -> Comparison:  # noqa: ANN401 - of `assess`
        """b answers 5 % more requests; a share of its answers is no 2xx."""
        sides = {"a": four_metrics(), "b": four_metrics(factor)}
        shares = {"a": 0.0, "b": share}
        runs = [
            r.with_columns(
                requests=10_000,
                errors=0,
                non2xx=10_000 * shares[r.variant],
                goodput_rps=r.get("throughput_rps") * (1 - shares[r.variant]),
            )
            for r in repeated(sides)
        ]
        return compared(runs, **asked)

    def test_where_more_failed_goodput_decides(self) -> None:
        """Once "b is faster than a: throughput +4.5 %", with 4.9 % less goodput."""
        comparison = self.failing(0.09)
        tested = {e.metric.name: e.verdict for e in comparison.effects if e.tested}
        assert tested == {"goodput": "slower"}
        throughput = comparison.effect("b", "throughput_rps")
        assert throughput is not None
        assert "9\u00a0% of the requests of b got no 2xx answer, 0\u00a0% of a" in throughput.reason
        assert comparison.grade.words == "In these runs only"

    def test_goodput_is_written_as_the_throughput_beside_it(self) -> None:
        """Once throughput 2.1× stood beside goodput +91 %."""
        comparison = self.failing(0.09, 2.1)
        assert comparison.change(THROUGHPUT, 2.1) == "2.1×"
        assert comparison.change(GOODPUT, 1.91) == "1.91×"

    def test_the_order_of_the_variants_is_that_of_goodput(self) -> None:
        comparison = self.failing(0.09)
        assert comparison.rank_metric is GOODPUT
        assert [v.label for v in comparison.variants] == ["a", "b"]
        assert self.failing(0.005).variants[0].label == "b"

    def test_asking_for_throughput_does_not_help(self) -> None:
        comparison = self.failing(0.09, options=Options(metrics=("throughput", "p50")))
        assert {effect.verdict for effect in comparison.effects} == {"not-tested"}

    def test_a_capacity_needs_a_bound_on_failures(self) -> None:
        def within(*bounds: str) -> Effect:
            options = Options(objectives=tuple(map(objective, bounds)))
            (effect,) = self.failing(0.09, 1.5, options=options).sweep_effects
            return effect

        assert within("p99<60ms").verdict == "not-tested"
        assert "bound error_ratio too" in within("p99<60ms").reason
        assert within("p99<60ms", "error_ratio<20%").verdict == "faster"

    def test_a_few_failures_more_change_nothing(self) -> None:
        tested = {e.metric.name for e in self.failing(0.005).effects if e.tested}
        assert tested == {"throughput", "p50", "p99"}

    def test_nothing_is_the_same_whose_failures_differ(self) -> None:
        comparison = self.failing(0.02, 1.0 / 0.98)
        goodput = comparison.effect("b", "goodput_rps")
        assert goodput is not None
        assert goodput.verdict == "inconclusive"
        assert "which is not shown of throughput, p50 and p99" in goodput.reason


class TestPadded:
    """wrk prints percentiles of samples that it never measured."""

    def test_their_difference_is_described_and_not_tested(self) -> None:
        sides = {"a": four_metrics(), "b": four_metrics(1.5)}
        comparison = compared(repeated(sides, correction="backfilled"))
        answers = {e.metric.name: e.verdict for e in comparison.effects}
        assert answers == {
            "throughput": "faster",
            **dict.fromkeys(("p50", "p95", "p99"), "not-tested"),
        }
        p99 = comparison.effect("b", "latency_p99_s")
        assert p99 is not None
        assert "the tool added samples that it never measured" in p99.reason
        assert p99.interval is not None

    def test_asking_for_them_does_not_help(self) -> None:
        from tests.compare.runs import effects

        sides = repeated({"a": four_metrics(), "b": four_metrics(1.5)}, correction="backfilled")
        (effect,) = effects(sides, metrics=("p99",))
        assert (effect.verdict, effect.adjusted_p) == ("not-tested", None)

    def test_where_they_differ_equal_throughputs_are_not_the_same(self) -> None:
        other = four_metrics() | {"latency_p50_s": four_metrics(0.8)["latency_p50_s"]}
        comparison = compared(repeated({"a": four_metrics(), "b": other}, correction="backfilled"))
        throughput = comparison.effect("b", "throughput_rps")
        assert throughput is not None
        assert throughput.verdict == "inconclusive"
        assert "which is not shown of p50" in throughput.reason

    @pytest.mark.parametrize("metrics", [(), ("throughput",)])
    def test_equal_ones_do_not_make_the_variants_the_same(self, metrics: tuple[str, ...]) -> None:
        """Of what was added, not of what was measured, they are the percentiles."""
        from tests.compare.runs import effects

        sides = {"a": four_metrics(), "b": four_metrics()}
        throughput = effects(repeated(sides, correction="backfilled"), metrics=metrics)[0]
        assert throughput.verdict == "inconclusive"
        assert plain(throughput.reason) == (
            "within ±3 %, which is not shown of p50 and p99, to which the tool added samples"
        )
        assert effects(repeated(sides), metrics=metrics)[0].verdict == "same"


def test_no_order_of_variants_where_they_cannot_be_compared() -> None:
    rows = [
        run(n, variant="ab"[n % 2], throughput_rps=1.0 + n, clock=clock)
        for n, clock in enumerate(["send-to-last-byte", "due-to-last-byte"] * 5)
    ]
    comparison = compared(results(*rows))
    assert (comparison.rank_metric, comparison.grade.words) == (None, "Not comparable")
    assert {e.ratio for e in comparison.effects} == {None}
    assert [v.label for v in comparison.variants] == ["a", "b"]
    assert assess(results(*rows)).effects
