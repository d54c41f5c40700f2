"""Statistics worked by scipy and by hand, on data small enough to follow."""

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from benchkit.stats import statistic
from benchkit.stats.permutations import flips, splits
from benchkit.stats.statistic import normal_deviate, of_pairs, of_sides

#: None is further from 0 than 2.5 times the median of their sizes, 0.3.
DIFFERENCES = np.array([0.1, 0.4, -0.2, 0.5, 0.3, 0.2])
#: None is further from the median of all than 1.5 robust deviations.
BASELINE = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
VARIANT = np.array([0.2, 0.45, 0.6, 0.8, 0.95, 1.0, 0.4])


def columns(*metrics: object) -> npt.NDArray[np.float64]:
    return np.column_stack([np.asarray(metric, float) for metric in metrics])


def test_the_statistic_of_pairs_is_the_t_value_of_each_choice_of_signs() -> None:
    deviates = of_pairs(columns(DIFFERENCES))[:, 0]
    for signs, deviate in zip(flips(6), deviates, strict=True):
        t = stats.ttest_rel(signs * DIFFERENCES, np.zeros(6)).statistic
        assert deviate == pytest.approx(normal_deviate(t**2, np.asarray(5.0)))


def test_the_statistic_of_sides_is_welchs_t_value_of_each_split() -> None:
    deviates = of_sides(columns(BASELINE), columns(VARIANT))[:, 0]
    values = np.concatenate([BASELINE, VARIANT])
    for chosen, deviate in zip(splits(5, 7) > 0, deviates, strict=True):
        made = stats.ttest_ind(values[~chosen], values[chosen], equal_var=False)
        expected = normal_deviate(made.statistic**2, made.df)
        assert deviate == pytest.approx(expected, abs=1e-9)


def test_differences_are_cut_off_at_two_and_a_half_times_their_median_size() -> None:
    outliers = np.array([0.1, -9.0, 0.2, 7.0, 0.2, 0.2, -0.1, 0.3])
    cut = np.array([0.1, -0.5, 0.2, 0.5, 0.2, 0.2, -0.1, 0.3])
    t = stats.ttest_1samp(cut, 0).statistic
    assert of_pairs(columns(outliers))[0, 0] == pytest.approx(normal_deviate(t**2, np.asarray(7.0)))


def test_nothing_is_cut_off_where_most_pairs_agree() -> None:
    differences = np.array([0.0, 0, 0, 0, 0, 0.2, 0.3])
    t = stats.ttest_1samp(differences, 0).statistic
    assert of_pairs(columns(differences))[0, 0] == pytest.approx(
        normal_deviate(t**2, np.asarray(6.0))
    )


def test_values_are_cut_off_at_one_and_a_half_robust_deviations_of_all() -> None:
    # medians 12 and 5, median distances 1 and 2; robust deviations are 1.4826 times as large
    high, low = [10, 11, 12, 13, 20], [5, 7, -30, 6, 3]
    bound = 1.5 * 1.4826
    expected = columns([-2, -1, 0, 1, bound], [0, 2, -2 * bound, 1, -2])
    assert statistic._winsorised(columns(high, low)) == pytest.approx(expected)


def test_values_are_not_cut_off_where_most_agree() -> None:
    assert statistic._winsorised(columns([4, 4, 4, 1, 9])).T.tolist() == [[0, 0, 0, -3, 5]]


def test_metrics_of_one_family_do_not_touch_each_other() -> None:
    small, large = DIFFERENCES / 100, np.array([30.0, -900, 60, 70, 10, 20])
    together = of_pairs(columns(small, large, np.zeros(6)))
    assert together == pytest.approx(
        np.hstack([of_pairs(columns(metric)) for metric in (small, large, np.zeros(6))])
    )
    sides = [(BASELINE / 100, VARIANT / 100), (50 + 90 * BASELINE, 80 - 90 * VARIANT)]
    alone = [of_sides(columns(baseline), columns(variant)) for baseline, variant in sides]
    both = of_sides(columns(*(side[0] for side in sides)), columns(*(side[1] for side in sides)))
    assert both == pytest.approx(np.hstack(alone))


def test_sides_without_any_spread_are_taken_to_vary_by_what_rounding_leaves() -> None:
    # 0.5 on either side of the median: a variance of 0.25, of which 1e-10 is rounding
    floor = 0.25e-10
    expected = normal_deviate(np.asarray(1 / (2 * floor / 5)), np.asarray(8.0))
    wide = [0.0, 1e6, 2e6, 3e6, 4e6]
    made = of_sides(columns([3] * 5, wide), columns([4] * 5, wide))
    assert made[0, 0] == pytest.approx(expected)
