import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchkit.compare.inference import Options, infer
from benchkit.compare.measures import values_of
from benchkit.compare.slo import objective
from benchkit.compare.summaries import groups_of
from benchkit.compare.sweep import Sweep, capacity, knee, repetitions, sweeps, value_at
from benchkit.results import Results

RunRow = Callable[..., dict[str, Any]]
LEVELS = (1, 2, 4, 8, 16, 32)


def rows_of_sweep(row: RunRow, *, repeats: int = 1, noise: float = 0.0) -> list[dict[str, Any]]:
    """`a` saturates at 1,000/s from 8 connections on, `b` is half as fast again."""
    rng = np.random.default_rng(6)
    rows: list[dict[str, Any]] = []
    for variant, speed in (("a", 1.0), ("b", 1.5)):
        for level in LEVELS:
            for repeat in range(repeats):
                rate = speed * min(1000, 125 * level) * float(np.exp(rng.normal(0, noise)))
                rows.append(
                    row(
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


def made(rows: list[dict[str, Any]]) -> tuple[Results, Sweep]:
    results = Results.of({"runs": rows})
    (group,) = groups_of(results)
    (sweep,) = sweeps(group.variants)
    return results, sweep


def test_a_numeric_param_at_three_levels_is_a_sweep(row: RunRow) -> None:
    _, sweep = made(rows_of_sweep(row))
    assert sweep.param == "concurrency"
    assert [curve.variant for curve in sweep.curves] == ["a", "b"]
    assert list(sweep.curves[0].levels) == [float(level) for level in LEVELS]


@pytest.mark.parametrize("levels", [(1, 2), ("low", "mid", "high")])
def test_two_levels_or_words_are_none(row: RunRow, levels: tuple[object, ...]) -> None:
    rows = [row(n, params=json.dumps({"x": level})) for n, level in enumerate(levels)]
    (group,) = groups_of(Results.of({"runs": rows}))
    assert sweeps(group.variants) == []


def test_the_knee_is_where_throughput_stops_growing(row: RunRow) -> None:
    results, sweep = made(rows_of_sweep(row, repeats=5, noise=0.01))
    repeats = dict(zip(results.runs["run_id"], results.runs["repeat"], strict=True))
    runs = repetitions(sweep.curves[0], repeats, values_of(results))
    assert len(runs) == 5
    found = knee(runs)
    assert found is not None
    assert (found.level, found.low, found.high) == (8, 8, 8)
    assert found.peak_rps == pytest.approx(1000, rel=0.03)


def test_there_is_no_knee_while_throughput_grows() -> None:
    growing = [(float(n), {"throughput": 100.0 * n}) for n in (1, 2, 4)]
    found = knee([growing])
    assert found is not None
    assert found.level is None
    assert knee([[(1.0, {"throughput": None})] * 3]) is None


def test_the_capacity_is_the_highest_measured_throughput_that_keeps_the_bound() -> None:
    points = [
        (1.0, {"throughput": 100.0, "p99": 0.010}),
        (2.0, {"throughput": 190.0, "p99": 0.020}),
        (4.0, {"throughput": 300.0, "p99": 0.080}),
    ]
    assert capacity(points, [objective("p99<50ms")]) == 190
    assert capacity(points, [objective("p99<5ms")]) == 0
    assert capacity([(1.0, {"throughput": 100.0, "p99": None})], [objective("p99<5ms")]) is None


def test_a_latency_between_levels_is_on_the_rising_part() -> None:
    points = [
        (1.0, {"throughput": 100.0, "p50": 0.010}),
        (2.0, {"throughput": 400.0, "p50": 0.040}),
        (4.0, {"throughput": 390.0, "p50": 0.100}),
    ]
    assert value_at(points, "p50", 200) == pytest.approx(0.020)
    assert value_at(points, "p50", 500) is None
    assert value_at(points, "p50", 50) is None


def test_capacities_of_repeated_sweeps_are_tested(row: RunRow) -> None:
    results = Results.of({"runs": rows_of_sweep(row, repeats=8, noise=0.01)})
    found = infer(results, options=Options(objectives=(objective("p99<20ms"),)))
    (one,) = [row for row in found if row.metric == "throughput@p99<20ms"]
    assert (one.baseline, one.variant, one.verdict) == ("a", "b", "faster")
    assert one.baseline_value == pytest.approx(1000, rel=0.03)
    assert one.value == pytest.approx(1500, rel=0.03)
    assert (one.runs, one.baseline_runs) == (8, 8)
    assert one.ci_low is not None
    assert 1.45 < one.ci_low < 1.5


def test_variants_are_compared_at_equal_throughput(row: RunRow) -> None:
    results = Results.of({"runs": rows_of_sweep(row, repeats=8, noise=0.01)})
    (one,) = [row for row in infer(results) if row.metric == "p50@equal-throughput"]
    assert one.verdict == "not-tested"
    assert one.ratio == pytest.approx(1 / 1.5, rel=0.1)
    assert "between the measured levels" in one.reason


def test_without_a_sweep_the_bound_is_that_of_the_one_level(row: RunRow) -> None:
    rows = [
        row(
            n,
            variant="ab"[n % 2],
            repeat=n // 2 + 1,
            throughput_rps=100.0 * (1 + n % 2) + n,
            latency_p99_s=0.01,
        )
        for n in range(16)
    ]
    results = Results.of({"runs": rows})
    found = infer(results, options=Options(objectives=(objective("p99<50ms"),)))
    (one,) = [row for row in found if "@" in row.metric]
    assert (one.metric, one.verdict) == ("throughput@p99<50ms", "faster")
