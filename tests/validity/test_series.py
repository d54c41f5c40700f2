"""What repetitions say of each other."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from benchkit.validity.trend import trend_p
from tests.validity.runs import One, plain, raised, run, state


def repeated(variant: str, *rates: float, tool: str = "wrk", minute: int = 0) -> list[One]:
    return [
        run(
            tool,
            variant,
            started_at=f"2026-01-01T{hour:02}:{minute:02}:00Z",
            throughput_rps=rate,
            latency_p50_s=1 / rate,
        )
        for hour, rate in enumerate(rates)
    ]


LEAKING = (2003.0, 1882.0, 1853.0, 1767.0, 1659.0, 1603.0, 1545.0, 1448.0)
STEADY = (1990.0, 2010.0, 1976.0, 2005.0, 1981.0, 1999.0, 2008.0, 1985.0)


class TestTrend:
    def test_a_variant_that_falls_where_another_does_not(self) -> None:
        runs = [*repeated("leaking", *LEAKING), *repeated("steady", *STEADY, minute=30)]
        (finding,) = raised("TREND", *runs)
        assert finding.severity == "error"
        assert plain(finding.message).startswith(
            "In the order of the runs throughput of leaking went from 1.94 k req/s to 1.50 k req/s "
            "over 8 runs; no such trend in steady: "
        )
        assert len(finding.run_ids) == 8

    def test_a_machine_that_slows_all(self) -> None:
        halves = [0.95 * rate for rate in LEAKING]
        (finding,) = raised("TREND", *repeated("a", *LEAKING), *repeated("b", *halves, minute=30))
        assert finding.severity == "warning"
        assert set(finding.values["ends"]) == {"a", "b"}

    def test_at_a_set_rate_it_is_the_latency(self) -> None:
        (finding,) = raised("TREND", *repeated("a", *LEAKING, tool="vegeta"))
        assert "p50 of a went from 515 µs to 669 µs" in plain(finding.message)

    @pytest.mark.parametrize(
        "rates",
        [
            STEADY,
            [1000.0 + n for n in range(8)],  # too little to matter
            LEAKING[:5],  # too few to tell
        ],
    )
    def test_what_is_none(self, rates: list[float]) -> None:
        assert not raised("TREND", *repeated("a", *rates))

    def test_of_what_is_not_known_nothing_is_said(self) -> None:
        """Another may rise a little less, or have no throughput: neither is without a trend."""
        rising = [10_000.0 + 75 * n for n in range(8)]
        for runs in (repeated("b", *rising, minute=30), repeated("b", *LEAKING[:3], minute=30)):
            (finding,) = raised("TREND", *repeated("a", *LEAKING), *runs)
            assert finding.severity == "warning"
            assert "no such trend" not in finding.message

    def test_without_an_order_nothing_is_said(self) -> None:
        runs = [run("wrk", "a", throughput_rps=rate) for rate in LEAKING]
        assert state("TREND", *runs) == {"not applicable"}


class TestTrendP:
    @pytest.mark.parametrize("n", [2, 3, 5, 6])
    def test_it_is_the_share_of_all_orders(self, n: int) -> None:
        def steadiness(order: tuple[int, ...]) -> int:
            rising = sum(a < b for i, a in enumerate(order) for b in order[i + 1 :])
            return max(rising, n * (n - 1) // 2 - rising)

        every = list(permutations(range(n)))
        for order in every[:: max(len(every) // 20, 1)]:
            as_steady = sum(steadiness(other) >= steadiness(order) for other in every)
            assert trend_p(order) == pytest.approx(as_steady / math.factorial(n))

    def test_of_many_values_it_is_about_the_same(self) -> None:
        values = np.random.default_rng(3).permutation(30) + np.arange(30) * 0.35
        assert trend_p([*values, values[-1] + 1]) == pytest.approx(trend_p([*values]), rel=0.5)

    def test_equal_values_are_no_trend(self) -> None:
        assert trend_p([1.0] * 8) == 1.0


class TestOutlierRun:
    def test_one_run_far_below_the_others(self) -> None:
        runs = repeated("a", *STEADY[:7], 985.0)
        (finding,) = raised("OUTLIER_RUN", *runs)
        assert plain(finding.message).startswith(
            "a 7: throughput was 985 req/s, in the 7 other runs of a 1.98 k req/s to 2.01 k req/s."
        )
        assert len(finding.run_ids) == 1

    def test_a_run_without_any_throughput_is_far_too(self) -> None:
        lacking = [run("wrk", "a") for _ in range(2)]
        idle = [run("wrk", "a", throughput_rps=0.0)]
        (finding,) = raised("OUTLIER_RUN", *repeated("a", *STEADY[:6]), *lacking, *idle)
        assert "was 0 req/s, in the 6 other runs" in plain(finding.message)

    def test_a_step_of_the_clock_is_no_distance(self) -> None:
        values = [0.001] * 7 + [0.002]
        runs = [run("vegeta", "a", latency_p50_s=v, resolution_s=0.001) for v in values]
        assert not raised("OUTLIER_RUN", *runs)

    @pytest.mark.parametrize(
        "rates",
        [
            STEADY,
            (*STEADY[:7], 1900.0),  # a twentieth
            (1000.0, 1400.0, 1200.0, 900.0, 1300.0, 1100.0, 600.0),  # as they vary
            (*STEADY[:4], 985.0),  # of few
            (*STEADY[:6], 985.0, 990.0),  # two are another level
        ],
    )
    def test_what_is_none(self, rates: list[float]) -> None:
        assert not raised("OUTLIER_RUN", *repeated("a", *rates))
