"""What an effect says, in full: verdict, reason, and how many further runs would settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from benchkit.model.comparison import Effect
from benchkit.model.metric import ERROR_RATIO, THROUGHPUT
from benchkit.stats.interval import Interval
from tests.compare.runs import (
    by_metric,
    effects,
    four_metrics,
    interleaved,
    plain,
    repeated,
    repeated_rows,
    results,
    spread,
)

BASE = [100.0, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1]
WILD = [90.0, 110, 92, 108, 95, 105, 100, 101]
MORE = [1.1 * value for value in BASE]
near: Callable[[float], Any] = pytest.approx


def sides(base: Sequence[float], values: Sequence[float]) -> dict[str, dict[str, Sequence[float]]]:
    return {"a": {"throughput_rps": base}, "b": {"throughput_rps": values}}


def apart(base: Sequence[float], values: Sequence[float], **options: Any) -> Effect:  # noqa: ANN401 - of `Options`
    (effect,) = effects(repeated(sides(base, values)), **options)
    return effect


def in_turn(base: Sequence[float], values: Sequence[float], **options: Any) -> Effect:  # noqa: ANN401 - of `Options`
    (effect,) = effects(interleaved(sides(base, values)), **options)
    return effect


def printed(base: Sequence[float], values: Sequence[float], step: float, **options: Any) -> Effect:  # noqa: ANN401 - of `Options`
    """Latencies of a clock with a step."""
    latencies = {"a": {"latency_p50_s": base}, "b": {"latency_p50_s": values}}
    (effect,) = effects(repeated(latencies, resolution_s=step), **options)
    return effect


class TestWhole:
    """Every field of an effect."""

    def test_of_a_verdict(self) -> None:
        effect = apart(BASE, MORE)
        assert effect == Effect(
            THROUGHPUT,
            variant="b",
            baseline="a",
            baseline_value=100.05,
            value=near(110.055),
            ratio=near(1.1),
            estimate="",
            interval=effect.interval,
            baseline_runs=8,
            runs=8,
            verdict="faster",
            adjusted_p=near(2 / 12_870),  # of all splits of 16 runs
            more_runs=None,
            reason="p = 0.00016; permutations and Welch's test of 8 and 8 runs",
            obstacle="",
            points=None,
        )

    def test_what_was_tested_is_kept_and_nothing_where_runs_are_too_few(self) -> None:
        contrast = apart(BASE, MORE).contrast
        assert contrast is not None
        assert (sorted(contrast.baseline), sorted(contrast.variant)) == (sorted(BASE), sorted(MORE))
        assert apart(BASE[:2], MORE[:2]).contrast is None

    def test_of_too_few_runs(self) -> None:
        effect = apart(BASE[:5], MORE[:3])
        assert effect == Effect(
            THROUGHPUT,
            variant="b",
            baseline="a",
            baseline_value=100.0,
            value=near(110.0),
            ratio=near(1.1),
            baseline_runs=5,
            runs=3,
            verdict="inconclusive",
            more_runs=2,
            reason="3\u00a0runs against 5 can reach no verdict: it takes 5 of each",
            obstacle="few",
        )
        same = apart(BASE[:4], MORE[:4])
        assert plain(same.reason) == "4 runs of each can reach no verdict: it takes 5 of each"
        assert same.more_runs == 1

    def test_of_a_share_that_is_0_in_a_run(self) -> None:
        shares = {"a": {"success_ratio": [1.0] * 3}, "b": {"success_ratio": [0.75] * 3}}
        (effect,) = effects(repeated(shares), metrics=("error_ratio",))
        assert effect == Effect(
            ERROR_RATIO,
            variant="b",
            baseline="a",
            baseline_value=0.0,
            value=0.25,
            ratio=None,
            baseline_runs=3,
            runs=3,
            points=0.25,
            reason="no ratio where a run has 0; the difference is in points, and not tested",
        )

    def test_of_single_runs_redrawn(self) -> None:
        (effect,) = effects(repeated(sides(BASE[:1], MORE[:1])))
        assert effect.reason == "one run of each: no run-to-run spread is known, so no interval"
        assert (effect.verdict, effect.more_runs, effect.obstacle) == ("not-tested", None, "")

    def test_of_a_withheld_figure(self) -> None:
        few: dict[str, list[Any]] = {"requests": [300] * 8, "tool": ["vegeta"] * 8}
        listed = by_metric(repeated({"a": four_metrics() | few, "b": four_metrics(1.5) | few}))
        assert (listed["p50"].obstacle, listed["p99"].obstacle) == ("", "withheld")


class TestForbidden:
    """All runs of one came before all runs of the other."""

    @pytest.fixture
    def listed(self) -> dict[str, Effect]:
        rows = repeated_rows({"a": four_metrics(), "b": four_metrics(1.5)})
        began = np.datetime64("2026-01-01T00:00:00", "ns")
        for at, row in enumerate(rows):
            row["started_at"] = began + np.timedelta64(10 * at, "s")
        return by_metric(results(*rows))

    def test_what_would_be_tested_has_a_ratio_and_no_verdict(
        self, listed: dict[str, Effect]
    ) -> None:
        p50 = listed["p50"]
        assert (p50.verdict, p50.obstacle, p50.more_runs) == ("inconclusive", "forbidden", None)
        assert p50.reason.startswith("all runs of one came before all runs of the other")
        assert p50.interval is not None
        assert p50.interval.low < 1 / 1.5 < p50.interval.high < 1

    def test_what_would_not_is_described_as_ever(self, listed: dict[str, Effect]) -> None:
        p95 = listed["p95"]
        assert (p95.verdict, p95.obstacle) == ("not-tested", "")
        assert not p95.reason.startswith("all runs")
        assert p95.interval is not None


class TestMethod:
    def test_permutations_of_sides_of_unequal_size(self) -> None:
        reason = apart(BASE, MORE[:6]).reason
        assert reason.endswith("; permutations and Welch's test of 8 and 6 runs")

    def test_pairs(self) -> None:
        effect = in_turn(BASE, MORE)
        assert effect.reason == "p = 0.0078; 8 pairs of interleaved runs"
        assert (effect.estimate, effect.verdict) == ("pairs", "faster")

    def test_several_tests_share_one_chance(self) -> None:
        listed = by_metric(repeated({"a": four_metrics(), "b": four_metrics(1.1)}))
        reason = "p = 0.00016 adjusted for 3 tests; permutations and Welch's test of 8 and 8 runs"
        assert listed["throughput"].reason == reason

    def test_two_tests_are_several(self) -> None:
        two = sides(BASE, MORE) | {"c": {"throughput_rps": MORE}}
        reasons = {effect.reason for effect in effects(repeated(two))}
        assert reasons == {
            "p = 0.00016 adjusted for 2 tests; permutations and Welch's test of 8 and 8 runs"
        }

    def test_every_look_has_its_share_of_the_chance(self) -> None:
        effect = apart(spread(100, 0.01, runs=20), spread(200, 0.01, runs=20, seed=2), looks=2)
        needed = "p = 0.0002, and 2.5 % is needed for 2 looks"
        assert plain(effect.reason) == f"{needed}; permutations and Welch's test of 20 and 20 runs"


class TestClock:
    def test_a_step_as_large_as_the_value_bounds_nothing(self) -> None:
        effect = printed([0.0004] * 8, [0.0004] * 8, 0.001)
        assert (effect.verdict, effect.interval, effect.more_runs) == ("inconclusive", None, None)
        assert effect.reason == "the step of the clock is as large as the value"

    def test_no_runs_find_exactly_what_the_step_hides(self) -> None:
        effect = printed([16.5] * 8, [16.5] * 8, 1.0, effect=0.0625)  # 17 over 16
        assert (effect.verdict, effect.more_runs) == ("inconclusive", None)
        assert plain(effect.reason) == (
            "p = 1; the step of the clock hides differences of up to 6.2 %, "
            "however many the runs, and 6.2 % is less"
        )

    @pytest.mark.parametrize("middle", [0.026, 0.0265])
    def test_what_is_seen_may_be_hidden_as_well(self, middle: float) -> None:
        effect = printed([0.026] * 8, [middle] * 8, 0.001, effect=0.5)
        assert (effect.verdict, effect.more_runs) == ("inconclusive", None)
        assert plain(effect.reason).endswith(
            "; a difference of 50 % would probably have been found; the step of the clock hides "
            "differences of up to 3.9 %, however many the runs"
        )

    def test_the_step_takes_its_part_of_what_runs_can_show(self) -> None:
        base = [0.101, 0.102, 0.101, 0.097, 0.102, 0.101, 0.099, 0.101]
        values = [0.101, 0.103, 0.096, 0.103, 0.1, 0.098, 0.098, 0.098]
        for step, more in ((0.001, 42), (0.0005, 24), (0.0001, 16)):
            effect = printed(base, values, step, effect=0.5)
            assert effect.more_runs == more
            assert f"{more} more runs of each ({8 + more} in all) may tell" in plain(effect.reason)
        assert printed(base, values, 0.001, effect=0.03).more_runs == 30


class TestMoreRuns:
    """Further runs of each that would settle it, as `stats.power` has them."""

    @pytest.mark.parametrize(
        ("effect", "looks", "paired", "more"),
        [
            (0.05, 1, False, 60),
            (0.1, 1, False, 11),
            (0.15, 1, False, 2),
            (0.05, 5, False, 61),  # among looks the test decides, not the interval
            (0.05, 1, True, 5),
            (0.05, 4, True, 10),
        ],
    )
    def test_to_find_the_effect_asked_about(
        self, effect: float, looks: int, *, paired: bool, more: int
    ) -> None:
        answer = in_turn if paired else apart
        assert answer(WILD, WILD[::-1], effect=effect, looks=looks).more_runs == more

    def test_thousands_are_none_that_anybody_makes(self) -> None:
        """Of a p50 between two modes 91,220 more runs were advised."""
        modes = [1.2, 31.0, 1.3, 29.0, 1.2, 32.0, 1.3, 30.0]
        effect = apart(modes, modes[::-1])
        assert effect.more_runs is None
        assert "the runs vary too much to find a difference of 5 % by repeating" in plain(
            effect.reason
        )

    @pytest.mark.parametrize(("factor", "more"), [(0.81, 36), (0.82, 37)])
    def test_more_than_36_are_no_advice(self, factor: float, more: int) -> None:
        values = [100 + factor * (value - 100) for value in WILD]
        effect = apart(values, values[::-1])
        advice = "; longer runs on a quieter machine would help more than repeating"
        assert plain(effect.reason) == (
            f"p = 1; to find a difference of 5 % takes about {more} more runs of each "
            f"({8 + more} in all){advice if more > 36 else ''}"
        )

    @pytest.mark.parametrize(
        ("deviation", "more", "advice"),
        [
            (0.03, 22, ""),
            (0.05, 71, "; longer runs on a quieter machine would help more than repeating"),
        ],
    )
    def test_that_may_tell_whether_pairs_are_the_same(
        self, deviation: float, more: int, advice: str
    ) -> None:
        base, values = (spread(100, deviation, seed=seed) for seed in (3, 33))
        effect = in_turn(base, values, effect=0.5)
        assert (effect.verdict, effect.more_runs) == ("inconclusive", more)
        assert plain(effect.reason) == (
            f"p = 0.3; a difference of 50 % would probably have been found; {more} more runs of "
            f"each ({8 + more} in all) may tell whether it is within ±3 %{advice}"
        )

    @pytest.mark.parametrize(
        ("seed", "deviation", "more"), [(2, 0.015, 4), (49, 0.015, 11), (34, 0.01, 1)]
    )
    def test_to_show_equality_where_the_interval_already_leaves_1_out(
        self, seed: int, deviation: float, more: int
    ) -> None:
        base = spread(100, deviation, runs=10, seed=seed)
        values = spread(102, deviation, runs=10, seed=seed + 50)
        effect = apart(base, values, effect=0.5, looks=10)
        assert effect.interval is not None
        assert effect.interval.low > 1
        assert (effect.verdict, effect.more_runs) == ("inconclusive", more)
        assert "0.5 % is needed for 10 looks; " in plain(effect.reason)

    @pytest.mark.parametrize("upwards", [True, False])
    def test_to_tell_what_is_seen_from_none_in_either_direction(self, *, upwards: bool) -> None:
        base = [10.0, 10.1, 9.9, 10.05, 9.95, 10.02, 9.98, 10.01]
        seen = [1.04 * v for v in base[:6]] + [0.98 * v for v in base[6:]]
        effect = in_turn(base, seen) if upwards else in_turn(seen, base)
        assert (effect.verdict, effect.more_runs) == ("inconclusive", 1)
        assert plain(effect.reason) == (
            "p = 0.078; a difference of 5 % would probably have been found; "
            "to tell the change seen from none takes about 1 more run of each (9 in all)"
        )

    def test_to_tell_what_is_seen_from_none_may_take_many(self) -> None:
        effect = apart(spread(100, 0.04, seed=23), spread(106, 0.04, seed=73), effect=0.5)
        assert (effect.verdict, effect.more_runs) == ("inconclusive", 8)
        assert plain(effect.reason).endswith(
            "; to tell the change seen from none takes about 8 more runs of each (16 in all)"
        )

    def test_a_difference_of_exactly_the_margin_is_one_to_be_told_from_none(self) -> None:
        wide = [40.0, 60, 80, 90, 110, 150, 200, 250]
        effect = apart(wide, [1.5 * value for value in wide[::-1]], margin=0.5, effect=9)
        assert "; to tell the change seen from none takes about 80 more runs" in plain(
            effect.reason
        )

    def test_a_difference_of_exactly_what_the_step_hides_is_hidden(self) -> None:
        base = [10.0, 12, 16, 16.4, 16.6, 17, 20, 30]
        values = [11.0, 12, 17, 17.53125, 17.53125, 18, 21, 31]  # medians as 17 to 16
        effect = printed(base, values, 1.0, effect=9)
        assert effect.ratio == 1.0625
        assert "; the step of the clock hides differences of up to 6.2 %" in plain(effect.reason)


class TestSame:
    def test_every_primary_metric_is_within_the_margin(self) -> None:
        listed = by_metric(repeated({"a": four_metrics(), "b": four_metrics()}))
        tested = [effect for effect in listed.values() if effect.tested]
        assert {plain(effect.reason) for effect in tested} == {
            "within ±3 % in every primary metric"
        }
        assert {effect.verdict for effect in tested} == {"same"}

    @pytest.mark.parametrize(
        ("columns", "names"),
        [
            (("latency_p50_s",), "p50"),
            (("latency_p50_s", "latency_p99_s"), "p50 and p99"),
        ],
    )
    def test_it_is_not_said_of_one_where_others_are_not_shown_to_be(
        self, columns: Sequence[str], names: str
    ) -> None:
        other = four_metrics() | {column: four_metrics(0.8)[column] for column in columns}
        listed = by_metric(repeated({"a": four_metrics(), "b": other}))
        assert (listed["throughput"].verdict, listed["p50"].verdict) == ("inconclusive", "slower")
        assert plain(listed["throughput"].reason) == f"within ±3 %, which is not shown of {names}"

    def test_what_one_variant_lacks_takes_nothing_from_another(self) -> None:
        three = {"a": four_metrics(), "b": four_metrics(), "c": four_metrics(0.5)}
        listed = effects(repeated(three))
        assert {e.verdict for e in listed if e.variant == "b" and e.tested} == {"same"}
        assert {e.verdict for e in listed if e.variant == "c" and e.tested} == {"slower"}

    def test_nor_where_they_are_of_samples_that_nobody_measured(self) -> None:
        both = {"a": four_metrics(), "b": four_metrics()}
        throughput = by_metric(repeated(both, correction="backfilled"))["throughput"]
        assert plain(throughput.reason) == (
            "within ±3 %, which is not shown of p50 and p99, to which the tool added samples"
        )

    @pytest.mark.parametrize(
        ("width", "alone", "among"),
        [
            (0.24, ("same", None), ("same", None)),
            (0.26, ("inconclusive", 8), ("inconclusive", 10)),
            (0.4, ("inconclusive", 29), ("inconclusive", 33)),
        ],
    )
    def test_any_further_variant_might_be_so_by_chance(
        self, width: float, alone: tuple[str, int | None], among: tuple[str, int | None]
    ) -> None:
        values = [100 + width * (value - 100) for value in WILD]
        others = {name: {"throughput_rps": [2 * v for v in values]} for name in "cd"}
        effect = apart(values, values[::-1], effect=0.5)
        first, *_ = effects(repeated({**sides(values, values[::-1]), **others}), effect=0.5)
        assert (effect.verdict, effect.more_runs) == alone
        assert (first.verdict, first.more_runs) == among

    def test_goodput_may_be_so_where_the_rest_is_not_tested(self) -> None:
        """One request in twenty failed: what the others are is not asked."""
        both = {
            name: four_metrics() | {"goodput_rps": BASE, "success_ratio": [share] * 8}
            for name, share in (("a", 1.0), ("b", 0.95))
        }
        goodput = by_metric(repeated(both))["goodput"]
        assert goodput.verdict == "inconclusive"
        assert plain(goodput.reason) == "within ±3 %, which is not shown of throughput, p50 and p99"

    def test_it_is_said_of_one_that_was_asked_for_where_the_others_are_the_same(self) -> None:
        alike = {"a": four_metrics(), "b": four_metrics()}
        (throughput,) = effects(repeated(alike), metrics=("throughput",))
        assert throughput.verdict == "same"
        alike["b"] |= {"latency_p99_s": four_metrics(0.8)["latency_p99_s"]}
        (throughput,) = effects(repeated(alike), metrics=("throughput",))
        assert plain(throughput.reason) == "within ±3 %, which is not shown of p99"

    def test_a_metric_without_a_test_keeps_it_from_being_said(self) -> None:
        few = four_metrics() | {
            "latency_p99_s": [*four_metrics()["latency_p99_s"][:3], *[None] * 5]
        }
        throughput = by_metric(repeated({"a": few, "b": few}))["throughput"]
        assert (throughput.verdict, throughput.more_runs) == ("inconclusive", None)
        assert plain(throughput.reason) == "within ±3 %, which is not shown of p99"

    def test_the_margin_is_what_was_asked_for(self) -> None:
        assert apart(BASE, [1.06 * v for v in BASE], margin=0.1).verdict == "same"
        assert "within ±10 %" in plain(apart(BASE, [1.06 * v for v in BASE], margin=0.1).reason)


class TestOtherDirection:
    """The medians shown fall, and the pairs rise."""

    LEVELS: Sequence[float] = (1.0, 2, 4, 8, 16, 32, 64, 128)

    def test_it_is_said_of_tests_and_of_what_is_only_described(self) -> None:
        values = [1.03, 2.06, 4.12, 7.9, 15.9, 33, 66, 132]
        effect = in_turn(self.LEVELS, values)
        assert (effect.ratio, effect.baseline_value, effect.value) == (near(1.03), 12, 11.9)
        reason = plain(effect.reason)
        assert reason.endswith("; higher over the pairs, although lower in the medians shown")
        reason = plain(in_turn(values, self.LEVELS).reason)
        assert reason.endswith("; lower over the pairs, although higher in the medians shown")

    def test_not_where_one_of_them_is_no_difference(self) -> None:
        values = [1.03, 2.06, 4.12, 8, 16, 33, 66, 132]
        assert "over the pairs" not in in_turn(self.LEVELS, values).reason

    def test_not_where_both_point_alike(self) -> None:
        assert "over the pairs" not in in_turn(self.LEVELS, [1.03 * v for v in self.LEVELS]).reason


def test_an_interval_of_the_verdict_is_that_of_the_estimate() -> None:
    effect = in_turn(BASE, MORE)
    assert effect.interval == pytest.approx(Interval(1.1, 1.1, 0.9609375))
