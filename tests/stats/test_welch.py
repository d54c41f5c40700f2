"""Welch's test as scipy has it, where nothing is an outlier, and what is one."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from benchkit.stats import welch
from benchkit.stats.spread import robust_deviation
from benchkit.stats.statistic import normal_deviate

EVEN = (0.1, 0.3, 0.5, 0.7, 0.9)


def expected_p(
    baseline: Sequence[float], variant: Sequence[float], *, t: float, freedom: float
) -> float:
    """Return the p-value of t with the harmonic mean of Welch's and the least freedom."""
    least = min(len(baseline), len(variant)) - 1
    between = stats.hmean([freedom, least])
    deviate = normal_deviate(np.asarray(t**2), np.asarray(between))
    return math.erfc(float(deviate) / math.sqrt(2))


@pytest.mark.parametrize(
    ("baseline", "variant"),
    [
        (EVEN, (0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8)),
        ((0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8), EVEN),
        (EVEN, (10.0, 14.0, 18.0, 22.0, 26.0)),  # the other side's spread alone
        ((10.0, 14.0, 18.0, 22.0, 26.0), EVEN),
    ],
)
def test_without_outliers_t_and_freedom_are_those_of_scipy(
    baseline: Sequence[float], variant: Sequence[float]
) -> None:
    made = stats.ttest_ind(variant, baseline, equal_var=False)
    expected = expected_p(baseline, variant, t=made.statistic, freedom=made.df)
    assert welch.p_value(np.array(baseline), np.array(variant)) == pytest.approx(expected)


def trimmed(values: Sequence[float]) -> tuple[float, float, float]:
    """Return mean, squared standard error and degrees of freedom of one side."""
    return welch._centre(np.array(values))


def plain(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the same of all values alike."""
    return float(np.mean(values)), float(np.var(values, ddof=1)) / len(values), len(values) - 1


@pytest.mark.parametrize("outlier", [90.0, -90.0])
def test_an_outlier_counts_for_the_variance_as_far_as_the_bound_and_not_for_the_mean(
    outlier: float,
) -> None:
    values = (1.0, 2, 3, 4, 5, 6, 7, outlier)
    bound = welch.BOUND * robust_deviation(np.array(values))
    near = [*values[:7], np.median(values) + math.copysign(bound, outlier)]
    mean, error, freedom = trimmed(values)
    assert mean == 4
    assert error == pytest.approx(8 * np.var(near) / (7 * 6))
    assert freedom == 6


def test_up_to_a_quarter_of_the_runs_are_outliers() -> None:
    assert trimmed((1, 2, 3, 4, 5, 6, 90, 95))[0] == 3.5


def test_more_than_a_quarter_are_a_shape() -> None:
    values = (1, 2, 3, 4, 5, 6, 90, 95, 99)
    assert trimmed(values) == pytest.approx(plain(values))


def test_where_most_runs_agree_to_the_step_of_a_clock_the_others_are_no_outliers() -> None:
    values = (3, 3, 3, 3, 3, 3, 3, 4)
    assert trimmed(values) == pytest.approx(plain(values))
