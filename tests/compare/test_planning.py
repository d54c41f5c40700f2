"""How many repeats find a difference, and in what time: worked by hand.

Six pairs whose log ratios are -5, -3, -1, 1, 3 and 5 hundredths. Of the fifteen distances between
two of them five are 0.02 and four 0.04; the sixth is 0.04. Qn is 2.2219 × 0.611 × 0.04 = 0.05430,
and by the square root of two 0.03840, which is the spread. An effect of 5 % is 0.04879, so that
size = 0.787; with z = 1.960 + 0.842, 2 (z size)² / (3/π) + z₀²/2 = 10.18 + 1.92 = 12.1: 13 pairs.
For a power of 90 %, z = 3.2415, it is 13.63 + 1.92 = 15.55: 16 pairs.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchkit.api import Results
from benchkit.compare import planning
from benchkit.compare.assess import Options, assess
from benchkit.compare.planning import ComparisonPlan, plans
from benchkit.counting.cells import LatencyMatrix
from benchkit.model.metric import GOODPUT, THROUGHPUT
from benchkit.report import planned
from benchkit.stats.power import runs_for_effect
from tests.recorded import assessed

from .runs import interleaved, repeated, results, run, spread

STEPS = (-5, -3, -1, 1, 3, 5)
SIX = {
    "a": {"throughput_rps": [1000.0] * 6},
    "b": {"throughput_rps": [1000 * math.exp(step / 100) for step in STEPS]},
}


def plan(results: Results, *, effect: float = 0.05, power: float = 0.8) -> ComparisonPlan:
    (made,) = plans(assess(results, options=Options(effect=effect)), power=power)
    return made


def sentences_of(made: ComparisonPlan) -> str:
    return " ".join(planned.sentences(made))


def test_repeats_and_minutes_by_hand() -> None:
    made = plan(interleaved(SIX, duration_s=3.0))
    (metric,) = made.metrics
    assert metric.spread == pytest.approx(2.2219 * 0.611 * 0.04 / math.sqrt(2))
    assert (metric.paired, metric.runs, metric.repeats) == (True, 6, 13)
    # Runs of 3 s begin every 10 s: a block of two takes 20 s.
    assert (made.cost.runs, made.cost.run_s, made.cost.block_s, made.cost.whole) == (2, 3, 20, True)
    assert metric.minutes == pytest.approx(13 * 20 / 60)


@pytest.mark.parametrize(
    ("effect", "power", "repeats"), [(0.05, 0.9, 16), (0.5, 0.8, 6), (0.05, 0.8, 13)]
)
def test_effect_and_power_decide(effect: float, power: float, repeats: int) -> None:
    assert plan(interleaved(SIX), effect=effect, power=power).repeats == repeats


def test_the_plan_is_what_compare_asks_for() -> None:
    (effect,) = (
        e for e in assess(interleaved(SIX)).comparisons[0].effects if e.metric is THROUGHPUT
    )
    assert effect.more_runs == 13 - 6


def test_three_interleaved_runs_are_planned_as_pairs() -> None:
    few = {name: {"throughput_rps": side["throughput_rps"][:3]} for name, side in SIX.items()}
    (metric,) = plan(interleaved(few)).metrics
    # Of three differences Qn is 2.2219 × 0.994 times the smallest distance, 0.02.
    assert metric.spread == pytest.approx(2.2219 * 0.994 * 0.02 / math.sqrt(2))
    assert (metric.paired, metric.runs) == (True, 3)


def test_recorded_looks_are_counted() -> None:
    made = plan(interleaved(SIX, looks=5))
    assert made.repeats == runs_for_effect(0.05, deviation=0.0384, paired=True, tests=1, alpha=0.01)


def test_without_times_the_durations_count() -> None:
    made = plan(repeated(SIX, duration_s=3.0))
    assert (made.cost.block_s, made.cost.whole) == (6, False)
    assert "without starts and pauses" in sentences_of(made)
    assert "not interleaved" in sentences_of(made)


def test_without_durations_nothing_is_said_of_minutes() -> None:
    made = plan(repeated(SIX))
    assert (made.repeats is None, made.minutes) == (False, None)
    assert "how long they take is not known from these runs" in sentences_of(made)


def test_one_run_of_each_tells_no_spread() -> None:
    rows = [run(n, variant=name, throughput_rps=1000.0) for n, name in enumerate("ab")]
    made = plan(results(*rows))
    (metric,) = made.metrics
    assert (metric.repeats, metric.spread, made.repeats) == (None, None, None)
    assert "no run-to-run spread is known" in sentences_of(made)


def test_of_several_variants_the_one_that_needs_most_decides() -> None:
    sides = SIX | {"c": {"throughput_rps": spread(1000, 0.2, runs=6)}}
    made = plan(interleaved(sides))
    assert [metric.variant for metric in made.metrics] == ["c"]
    assert made.cost.runs == 3


def matrix(requests: int, slices: int = 100) -> LatencyMatrix:
    """Slices of a second with so many requests on average, all in one bin."""
    counts = np.random.default_rng(1).poisson(requests, (slices, 1)).astype(np.int64)
    bins = np.array([[0.001], [0.0011]])
    return LatencyMatrix(np.arange(slices, dtype=np.float64), 1.0, bins, counts, counts, None)


@pytest.mark.parametrize("requests", [100, 1000])
def test_chance_within_a_run_is_the_error_of_the_sum_of_its_slices(requests: int) -> None:
    # The logarithm of a sum of n requests that come by chance varies by 1/√n.
    within = planning.variance_within(matrix(requests), THROUGHPUT, seed=1)
    assert within is not None
    assert math.sqrt(within) == pytest.approx((100 * requests) ** -0.5, rel=0.3)


def test_slices_that_are_few_or_silent_tell_nothing() -> None:
    assert planning.variance_within(matrix(100, slices=19), THROUGHPUT, seed=1) is None
    assert planning.variance_within(matrix(100), GOODPUT, seed=1) is None


def test_the_length_of_a_run_moves_what_lies_within_it() -> None:
    assessment = assessed("gin-panic")
    tests = assessment.comparisons[0].tests
    made = plans(assessment, power=0.8)
    file = next(each for each in made if each.setting == {"sink": "file"})
    (metric,) = file.metrics
    assert metric.spread is not None
    assert metric.within is not None
    assert file.cost.run_s is not None
    assert file.cost.block_s is not None
    between = metric.spread**2 - metric.within**2
    for factor, length in zip((0.5, 1, 2, 4), metric.lengths, strict=True):
        deviation = math.sqrt(between + metric.within**2 / factor)
        needed = runs_for_effect(0.05, deviation=deviation, paired=True, tests=tests)
        assert (length.run_s, length.repeats) == (factor * file.cost.run_s, needed)
        block_s = file.cost.block_s + (factor - 1) * 3 * file.cost.run_s
        assert length.minutes == pytest.approx(needed * block_s / 60)
    assert metric.lengths[1].repeats == metric.repeats


def test_without_times_of_requests_nothing_is_said_of_the_length() -> None:
    made = plan(interleaved(SIX, duration_s=3.0))
    assert made.best is None
    assert made.metrics[0].lengths == ()
    assert "length of a run does is not known from these runs" in sentences_of(made)
