"""Sweeps: knees, capacities within bounds, quantities at equal throughput."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest

from benchkit.compare.assess import Options, assess
from benchkit.compare.blocks import blocks_of
from benchkit.compare.slo import objective
from benchkit.compare.sweep import (
    Point,
    Sweep,
    capacity,
    equal_load,
    knee,
    repetitions,
    sweeps,
    value_at,
)
from benchkit.model.comparison import Effect
from benchkit.model.metric import COMPARED
from tests.compare.runs import Rows, effects, results, run

LEVELS = (1, 2, 4, 8, 16, 32)


def sweep_rows(*, repeats: int = 1, noise: float = 0.0) -> Rows:
    """`a` saturates at 1,000/s from 8 connections on, `b` is half as fast again."""
    rng = np.random.default_rng(6)
    rows: Rows = []
    for variant, speed in (("a", 1.0), ("b", 1.5)):
        for level in LEVELS:
            for repeat in range(repeats):
                rate = speed * min(1000, 125 * level) * float(np.exp(rng.normal(0, noise)))
                rows.append(
                    run(
                        len(rows),
                        variant=variant,
                        params=json.dumps({"concurrency": level}),
                        repeat=repeat + 1,
                        throughput_rps=rate,
                        latency_p50_s=level / rate,
                        latency_p99_s=2 * level / rate,
                    )
                )
    return rows


def sweep_of(rows: Rows) -> Sweep:
    (block,) = blocks_of(results(*rows))
    (sweep,) = sweeps(block.variants)
    return sweep


def points(*measured: tuple[float, float | None, float | None]) -> list[Point]:
    """One repetition: level, throughput, p50 (and p99) at each."""
    runs = results(
        *(
            run(n, throughput_rps=rate, latency_p50_s=latency, latency_p99_s=latency)
            for n, (_, rate, latency) in enumerate(measured)
        )
    )
    return [Point(level, r, {}) for (level, *_), r in zip(measured, runs, strict=True)]


def medians(series: Sequence[Sequence[Point]]) -> dict[float, float]:
    rates: dict[float, list[float]] = {}
    for point in chain.from_iterable(series):
        rates.setdefault(point.level, []).extend([point.rate] if point.rate else [])
    return {level: statistics.median(own) for level, own in rates.items() if own}


def swept(rows: Rows, **options: object) -> dict[str, Effect]:
    (comparison,) = assess(results(*rows), options=Options(**options)).comparisons  # type: ignore[arg-type]
    return {effect.metric.name: effect for effect in comparison.sweep_effects}


def test_a_numeric_param_at_three_levels_is_a_sweep() -> None:
    sweep = sweep_of(sweep_rows())
    assert sweep.param == "concurrency"
    assert [curve.variant for curve in sweep.curves] == ["a", "b"]
    assert list(sweep.curves[0].levels) == [float(level) for level in LEVELS]


@pytest.mark.parametrize("levels", [(1, 2), ("low", "mid", "high")])
def test_two_levels_or_words_are_none(levels: tuple[object, ...]) -> None:
    rows = [run(n, params=json.dumps({"x": level})) for n, level in enumerate(levels)]
    (block,) = blocks_of(results(*rows))
    assert sweeps(block.variants) == []


class TestKnee:
    def test_it_is_where_throughput_stops_growing(self) -> None:
        (curve, _) = sweep_of(sweep_rows(repeats=5, noise=0.01)).curves
        repeats = repetitions(curve)
        assert len(repeats) == 5
        bent = knee("a", "concurrency", medians(repeats), repeats)
        assert bent is not None
        assert (bent.level, bent.low, bent.high, bent.repetitions) == (8, 8, 8, 5)
        assert bent.peak_rps == pytest.approx(1000, rel=0.03)

    def test_there_is_none_while_throughput_grows(self) -> None:
        series = [points((1, 100, None), (2, 200, None), (4, 400, None))]
        growing = knee("a", "c", medians(series), series)
        assert growing is not None
        assert growing.level is None
        unknown = [points((1, None, None), (2, None, None), (4, None, None))]
        assert knee("a", "c", medians(unknown), unknown) is None

    def test_it_is_that_of_the_medians_which_are_shown(self) -> None:
        """The lower of two was marked where the median had not come near the highest."""
        repeats = [
            points((8, 40.0, None), (64, 57.0, None), (256, 57.0, None)),
            points((8, 57.0, None), (64, 58.0, None), (256, 58.0, None)),
        ]
        bent = knee("a", "connections", medians(repeats), repeats)
        assert bent is not None
        assert (bent.level, bent.low, bent.high, bent.peak_rps) == (64, 8, 64, 57.5)

    def test_every_swept_variant_of_a_comparison_has_one(self) -> None:
        (comparison,) = assess(results(*sweep_rows())).comparisons
        assert [(k.variant, k.param, k.level) for k in comparison.knees] == [
            ("a", "concurrency", 8),
            ("b", "concurrency", 8),
        ]

    def test_an_open_loop_has_none(self) -> None:
        opened = [row | {"load_model": "open"} for row in sweep_rows()]
        (comparison,) = assess(results(*opened)).comparisons
        assert comparison.knees == ()

    def test_a_sweep_of_rates_has_none_though_no_run_tells_its_loop(self) -> None:
        asked = [
            row
            | {"throughput_rps": 9.0 * json.loads(row["params"])["concurrency"], "load_model": None}
            for row in sweep_rows(repeats=2)
        ]
        (comparison,) = assess(results(*asked)).comparisons
        assert comparison.knees == ()
        assert comparison.sweep_effects == ()


class TestCapacity:
    def test_it_is_the_highest_measured_throughput_that_keeps_the_bound(self) -> None:
        levels = points((1, 100, 0.010), (2, 190, 0.020), (4, 300, 0.080))
        assert capacity(levels, [objective("p99<50ms")]) == 190
        assert capacity(levels, [objective("p99<5ms")]) == 0
        assert capacity(points((1, 100, None)), [objective("p99<5ms")]) is None

    def test_it_is_not_known_where_a_level_without_the_metric_may_be_better(self) -> None:
        bounds = [objective("p99<5ms")]
        assert capacity(points((1, 100, None), (2, 190, 0.02)), bounds) is None
        assert capacity(points((1, 100, 0.002), (2, 190, None)), bounds) is None
        assert capacity(points((1, 100, None), (2, 190, 0.002)), bounds) == 190
        assert capacity(points((1, 100, 0.02), (2, 190, None)), bounds) == 0

    def test_what_is_withheld_keeps_no_bound(self) -> None:
        (point,) = points((1, 100, 0.010))
        hidden = Point(1, point.run, {"latency_p99_s": "300 requests"})
        assert capacity([hidden], [objective("p99<50ms")]) is None

    def test_where_one_repetition_had_none_no_mean_of_both_is_shown(self) -> None:
        rows = sweep_rows(repeats=2)
        slow = [row for row in rows if row["variant"] == "b" and row["repeat"] == 2]
        for row in slow:
            row["latency_p99_s"] = 1.0
        effect = swept(rows, objectives=(objective("p99<20ms"),))["throughput@p99<20ms"]
        assert (effect.value, effect.ratio) == (0, None)
        assert "no level kept it in 1 of 2\u00a0repetitions of b" in effect.reason

    def test_those_of_repeated_sweeps_are_tested(self) -> None:
        rows = sweep_rows(repeats=8, noise=0.01)
        effect = swept(rows, objectives=(objective("p99<20ms"),))["throughput@p99<20ms"]
        assert (effect.baseline, effect.variant, effect.verdict) == ("a", "b", "faster")
        assert effect.baseline_value == pytest.approx(1000, rel=0.03)
        assert effect.value == pytest.approx(1500, rel=0.03)
        assert (effect.runs, effect.baseline_runs) == (8, 8)
        assert effect.interval is not None
        assert effect.interval.low == pytest.approx(1.48, abs=0.02)

    def test_without_a_sweep_the_bound_is_that_of_the_one_level(self) -> None:
        rows = [
            run(
                n,
                variant="ab"[n % 2],
                repeat=n // 2 + 1,
                throughput_rps=100.0 * (1 + n % 2) + n,
                latency_p99_s=0.01,
            )
            for n in range(16)
        ]
        listed = effects(results(*rows), objectives=(objective("p99<50ms"),))
        (effect,) = (effect for effect in listed if "@" in effect.metric.name)
        assert (effect.metric.name, effect.verdict) == ("throughput@p99<50ms", "faster")


class TestLevelsOfOneSide:
    @pytest.mark.parametrize("kept", [LEVELS[:-1], LEVELS[1:], LEVELS[:2]])
    def test_variants_are_compared_at_the_levels_of_both(self, kept: Sequence[int]) -> None:
        rows = [
            row
            for row in sweep_rows(repeats=2)
            if row["variant"] == "a" or json.loads(row["params"])["concurrency"] in kept
        ]
        effect = swept(rows, objectives=[objective("p99<100ms")])["throughput@p99<100ms"]
        assert effect.baseline_value == min(1000, 125 * max(kept))
        assert effect.value == 1.5 * effect.baseline_value
        assert "any level of both; a alone was measured at concurrency" in effect.reason

    def test_without_a_level_of_both_there_is_no_answer(self) -> None:
        rows = [
            row
            for row in sweep_rows()
            if (row["variant"] == "a") == (json.loads(row["params"])["concurrency"] > 4)
        ]
        assert not swept(rows, objectives=[objective("p99<100ms")])


class TestEqualThroughput:
    def test_a_latency_between_levels_is_on_the_rising_part(self) -> None:
        levels = points((1, 100, 0.010), (2, 400, 0.040), (4, 390, 0.100))
        p50 = COMPARED["p50"]
        assert value_at(levels, p50, 200) == pytest.approx(0.020)
        assert value_at(levels, p50, 500) is None
        assert value_at(levels, p50, 50) is None

    def test_it_is_four_fifths_of_the_lower_peak(self) -> None:
        low, high = points((1, 100, 0.01), (2, 400, 0.04)), points((1, 500, 0.01))
        assert equal_load([[low], [high]]) == 320
        assert equal_load([[low], [points((1, None, 0.01))]]) is None

    def test_variants_are_described_there_and_not_tested(self) -> None:
        effect = swept(sweep_rows(repeats=8, noise=0.01))["p50@equal-throughput"]
        assert effect.verdict == "not-tested"
        assert effect.ratio == pytest.approx(1 / 1.5, rel=0.1)
        assert "between the measured levels" in effect.reason
        assert effect.metric.title == "p50 at equal throughput"
        assert effect.throughput_rps == pytest.approx(800, rel=0.01)  # of the 1,000 of a
        assert effect.passed_again == ()

    def test_whose_throughput_falls_back_through_it_is_named(self) -> None:
        rows = sweep_rows()
        last = max(n for n, row in enumerate(rows) if row["variant"] == "b")
        rows[last] |= {"throughput_rps": 700.0, "latency_p50_s": 0.5}
        assert swept(rows)["p50@equal-throughput"].passed_again == ("b",)

    def test_who_has_more_at_the_lowest_level_is_told_and_has_no_value(self) -> None:
        rows = [r for r in sweep_rows() if r["variant"] == "a" or r["throughput_rps"] > 1000]
        effect = swept(rows)["p50@equal-throughput"]
        assert (effect.value, effect.ratio) == (None, None)
        reason = effect.reason.replace("\u00a0", " ")
        assert reason == "b has more than 800 req/s already at the lowest level"
        assert "server_cpu_percent@equal-throughput" not in swept(rows)  # known of no run


class TestRepetitions:
    def test_numbers_that_run_on_from_level_to_level_tell_the_order(self) -> None:
        rows = sweep_rows(repeats=3)
        for number, row in enumerate(rows, 1):
            row["repeat"] = number
        effect = swept(rows, objectives=[objective("p99<100ms")])["throughput@p99<100ms"]
        assert (effect.baseline_runs, effect.runs) == (3, 3)

    def test_levels_that_were_not_run_as_often_are_told(self) -> None:
        rows = sweep_rows(repeats=3)[1:]
        effect = swept(rows, objectives=[objective("p99<100ms")])["throughput@p99<100ms"]
        assert "every level was run in 2 of 3\u00a0repetitions of a" in effect.reason

    def test_repetitions_of_other_levels_are_not_put_together(self) -> None:
        runs_of = {1: (2, 3), 2: (1, 3, 4), 4: (1, 2)}
        rows = [
            run(
                10 * level + repeat,
                params=json.dumps({"c": level}),
                repeat=repeat,
                throughput_rps=100.0 * level,
            )
            for level, repeats in runs_of.items()
            for repeat in repeats
        ]
        assert repetitions(sweep_of(rows).curves[0]) == []


def test_a_rate_that_was_asked_for_and_not_reached_is_no_set_rate() -> None:
    rows = [row | {"offered_rate_rps": 4000.0} for row in sweep_rows(repeats=2)]
    (comparison,) = assess(results(*rows)).comparisons
    assert [knee.level for knee in comparison.knees] == [8, 8]


class TestFailuresAtALevel:
    @pytest.mark.parametrize("success", [0.7, 0.95])
    def test_a_level_at_which_a_side_failed_decides_nothing(self, success: float) -> None:
        rows = [
            row | {"success_ratio": 1.0 if row["variant"] == "a" else success}
            if json.loads(row["params"])["concurrency"] == 32
            else row | {"success_ratio": 1.0}
            for row in sweep_rows(repeats=6, noise=0.01)
        ]
        effect = swept(rows, objectives=[objective("p99<100ms")])["throughput@p99<100ms"]
        assert effect.verdict == "not-tested"
        known = swept(rows, objectives=[objective("p99<100ms"), objective("error_ratio<1%")])
        assert known["throughput@p99<100ms,error_ratio<1%"].verdict == "faster"


def test_equal_throughput_uses_every_level_of_each_side() -> None:
    rows = [
        r
        for r in sweep_rows()
        if (r["variant"], json.loads(r["params"])["concurrency"]) != ("a", 4)
    ]
    whole, lacking = (swept(each)["p50@equal-throughput"] for each in (sweep_rows(), rows))
    assert lacking.value == whole.value
