"""The histogram: its bins, its error bound, and that merging is addition."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchkit.distribution import RELATIVE_ERROR, Distribution, bin_of, bounds_of, merged

LATENCIES = st.lists(st.integers(0, 2**44), min_size=1, max_size=200)


def ns(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


@given(st.lists(st.integers(0, 2**62), min_size=1, max_size=50))
def test_every_latency_lies_within_its_bin(values: list[int]) -> None:
    low, high = bounds_of(bin_of(ns(values)))
    assert (low <= ns(values)).all()
    assert (ns(values) < high).all()
    assert ((high - low) <= np.maximum(low / 1024, 1)).all()


def test_bins_leave_no_gap() -> None:
    low, high = bounds_of(np.arange(0, 30_000))
    assert (high[:-1] == low[1:]).all()


@given(LATENCIES, st.sampled_from([0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0]))
def test_quantiles_are_within_the_stated_bound_of_nearest_rank(values: list[int], q: float) -> None:
    exact = sorted(values)[max(math.ceil(q * len(values) - 1e-9), 1) - 1] * 1e-9
    (found,) = Distribution.of(ns(values)).quantiles_s([q])
    assert abs(found - exact) <= exact * RELATIVE_ERROR * 1.001 + 1e-15


@given(LATENCIES, LATENCIES)
def test_merging_is_addition(one: list[int], other: list[int]) -> None:
    apart = Distribution.of(ns(one)) + Distribution.of(ns(other))
    together = Distribution.of(ns(one + other))
    assert apart.bins.tolist() == together.bins.tolist()
    assert apart.counts.tolist() == together.counts.tolist()
    assert apart.total_ns == together.total_ns == sum(one + other)
    assert (apart.min_ns, apart.max_ns) == (min(one + other), max(one + other))


def test_mean_and_deviation_are_those_of_the_values() -> None:
    values = [1_000_000, 2_000_000, 6_000_000]
    of_three = Distribution.of(ns(values))
    assert of_three.mean_s() == 0.003
    assert of_three.std_s() is not None
    assert math.isclose(of_three.std_s() or 0, float(np.std(np.array(values) * 1e-9, ddof=1)))


def test_nothing_has_no_mean() -> None:
    empty = merged([])
    assert (empty.count, empty.mean_s(), empty.std_s()) == (0, None, None)


def test_share_at_most_counts_up_to_a_latency() -> None:
    of_four = Distribution.of(ns([10, 20, 30, 40]))
    assert of_four.share_at_most(25e-9) == 0.5
