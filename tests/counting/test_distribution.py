"""The histogram: its bins, its error bound, and that merging is addition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchkit.counting.distribution import RELATIVE_ERROR, Distribution, bin_of, bounds_of, merged

LATENCIES = st.lists(st.integers(0, 2**44), min_size=1, max_size=200)


def ns(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def parts(distribution: Distribution) -> tuple[list[int], list[int], int, int]:
    return (
        distribution.bins.tolist(),
        distribution.counts.tolist(),
        distribution.total_ns,
        distribution.squares_ns2,
    )


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
    exact = sorted(values)[max(math.ceil(q * len(values) - 1e-9), 1) - 1] / 1e9
    (latency,) = Distribution.from_latencies(ns(values)).quantiles_s([q])
    assert abs(latency - exact) <= exact * RELATIVE_ERROR * 1.001 + 1e-15


@given(LATENCIES, LATENCIES)
def test_merging_is_addition(first: list[int], second: list[int]) -> None:
    apart = Distribution.from_latencies(ns(first)) + Distribution.from_latencies(ns(second))
    together = Distribution.from_latencies(ns(first + second))
    assert parts(apart) == parts(together)
    assert apart.total_ns == sum(first + second)
    assert (apart.min_ns, apart.max_ns) == (min(first + second), max(first + second))


@given(LATENCIES)
def test_counts_of_latencies_are_the_same_as_every_one_of_them(values: list[int]) -> None:
    counts = Counter(values)
    assert parts(Distribution.from_counts(counts)) == parts(Distribution.from_latencies(ns(values)))
    assert Distribution.from_counts({}).count == 0


@given(st.dictionaries(st.integers(0, 2**62), st.integers(1, 2**50), min_size=1, max_size=50))
def test_sums_of_counted_latencies_are_exact_beyond_64_bits(counts: dict[int, int]) -> None:
    counted = Distribution.from_counts(counts)
    assert counted.total_ns == sum(value * n for value, n in counts.items())
    assert counted.squares_ns2 == sum(value**2 * n for value, n in counts.items())
    assert (counted.count, counted.min_ns) == (sum(counts.values()), min(counts))


@given(LATENCIES, st.sampled_from([6, 10]))
def test_counts_of_bins_lose_the_place_within_a_bin_and_nothing_else(
    values: list[int], precision: int
) -> None:
    bins, counts = bin_of(ns(values), precision=precision), np.ones(len(values), np.int64)
    counted = Distribution.of_bins(bins, counts, precision=precision)
    low, high = bounds_of(bins, precision=precision)
    assert counted.count == len(values)
    assert int(low.sum()) <= counted.total_ns < int(high.sum())
    assert counted.min_ns == low.min() <= min(values)
    assert counted.max_ns == high.max() - 1 >= max(values)
    (median,) = counted.quantiles_s([0.5])
    (exact,) = Distribution.from_latencies(ns(values)).quantiles_s([0.5])
    assert math.isclose(median, exact, rel_tol=2.0**-precision, abs_tol=1e-9)
    bounded = Distribution.of_bins(
        bins, counts, precision=precision, min_ns=min(values), max_ns=max(values)
    )
    assert bounded.quantiles_s([1.0]) == [max(values) / 1e9]


def test_mean_and_deviation_are_those_of_the_values() -> None:
    values = [1_000_000, 2_000_000, 6_000_000]
    of_three = Distribution.from_latencies(ns(values))
    assert of_three.mean_s() == 0.003
    assert of_three.std_s() is not None
    assert math.isclose(of_three.std_s() or 0, float(np.std(np.array(values) * 1e-9, ddof=1)))


def test_nothing_has_no_mean() -> None:
    empty = merged([])
    assert (empty.count, empty.mean_s(), empty.std_s()) == (0, None, None)


def test_share_at_most_counts_up_to_a_latency() -> None:
    of_four = Distribution.from_latencies(ns([10, 20, 30, 40]))
    assert of_four.share_at_most(25e-9) == 0.5
