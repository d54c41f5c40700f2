import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchkit.compare import ranksum

SIZES = [(2, 3), (4, 4), (5, 5), (8, 8), (3, 9), (12, 20), (60, 70)]


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_the_p_value_is_the_exact_one(m: int, n: int) -> None:
    rng = np.random.default_rng(m * n)
    x, y = rng.normal(size=m), rng.normal(0.5, size=n)
    assert ranksum.p_value(x, y) == pytest.approx(
        stats.mannwhitneyu(x, y, method="exact").pvalue, rel=1e-9
    )


def test_with_ties_it_is_that_of_all_permutations() -> None:
    x, y = np.array([2.0, 2, 3, 1]), np.array([2.0, 3, 3, 4, 3])
    ranks = stats.rankdata(np.concatenate([x, y]))
    sums = np.array([ranks[list(c)].sum() for c in itertools.combinations(range(9), 4)])
    tails = (sums <= ranks[:4].sum()).mean(), (sums >= ranks[:4].sum()).mean()
    assert ranksum.p_value(x, y) == pytest.approx(min(1, 2 * min(tails)))


def test_beyond_what_is_counted_the_normal_approximation_corrects_for_ties() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 30, 150).astype(float), rng.integers(2, 32, 150).astype(float)
    assert ranksum.p_value(x, y) == pytest.approx(
        stats.mannwhitneyu(x, y, method="asymptotic").pvalue, rel=1e-9
    )


def test_all_values_equal_say_nothing() -> None:
    assert ranksum.p_value(np.ones(5), np.ones(6)) == 1
    assert ranksum.p_value(np.ones(150), np.ones(150)) == 1


@pytest.mark.parametrize(
    ("n", "least"), [(3, 0.1), (4, 0.0286), (5, 0.0079)]
)  # what benchstat documents
def test_the_smallest_p_value_of_so_few_runs(n: int, least: float) -> None:
    apart = np.arange(n, dtype=float)
    assert ranksum.least_p(n, n) == pytest.approx(least, abs=5e-5)
    assert ranksum.p_value(apart, apart + 100) == pytest.approx(ranksum.least_p(n, n))


def test_complete_separation_of_many_is_not_rounded_to_zero() -> None:
    apart = np.arange(100.0)
    assert ranksum.p_value(apart, apart + 1000) == pytest.approx(ranksum.least_p(100, 100))


@pytest.mark.parametrize(
    ("n", "level", "attained"),
    # the levels of wilcox.test(conf.int = TRUE) in R
    [(3, 0.95, 0.9), (4, 0.95, 0.971429), (5, 0.95, 0.968254), (8, 0.95, 0.950117)],
)
def test_an_interval_states_the_level_it_attains(n: int, level: float, attained: float) -> None:
    x = np.arange(n, dtype=float)
    assert ranksum.interval(x, x + 0.1, level).confidence == pytest.approx(attained, abs=1e-6)


@given(st.integers(0, 2**32), st.integers(3, 9), st.integers(3, 9))
def test_the_interval_holds_the_shifts_that_the_test_accepts(seed: int, m: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=m), rng.normal(size=n)
    low, high, confidence = ranksum.interval(x, y, 0.9)
    alpha = 1 - confidence + 1e-9
    small = (high - low) * 1e-6
    for inside in (low + small, high - small):
        assert ranksum.p_value(x, y - inside) > alpha
    for outside in (low - small, high + small):
        assert ranksum.p_value(x, y - outside) <= alpha


def test_the_estimate_is_the_median_difference() -> None:
    x, y = np.array([1.0, 2, 4]), np.array([2.0, 7])
    assert ranksum.shift(x, y) == np.median([1, 0, -2, 6, 5, 3])


def test_an_interval_of_many_runs_keeps_its_level() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=150), rng.normal(size=150)
    found = ranksum.interval(x, y, 0.95)
    assert found.confidence == 0.95
    assert stats.mannwhitneyu(x, y - found.low).pvalue == pytest.approx(0.05, abs=0.003)
