from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from benchkit.stats import welch
from benchkit.stats.contrast import Contrast
from benchkit.stats.family import adjusted_p
from benchkit.stats.permutations import flips, splits
from benchkit.stats.statistic import normal_deviate


def made(seed: int, *, runs: int, shift: float = 0.0, paired: bool = False) -> Contrast:
    baseline, variant = np.exp(np.random.default_rng(seed).normal(0, 0.02, (2, runs)))
    return Contrast(tuple(baseline), tuple(variant * np.exp(shift)), paired)


def clear(runs: int, *, paired: bool = True) -> Contrast:
    """Return a contrast that no permutation of it, or of noise, comes near."""
    variant = tuple(2.0 + 0.001 * run for run in range(runs))
    return Contrast((1.0,) * runs, variant, paired)


@pytest.mark.parametrize("others", [0, 2, 29])
def test_the_least_p_value_does_not_grow_with_the_family(others: int) -> None:
    family = [clear(8), *(made(seed, runs=8, paired=True) for seed in range(others))]
    assert adjusted_p(family)[0] == 1 / 128 < 0.01


def test_five_against_five_runs_can_reach_one_of_their_splits() -> None:
    family = [clear(5, paired=False), made(1, runs=5), made(2, runs=5)]
    assert adjusted_p(family)[0] == pytest.approx(1 / 126)


def test_one_contrast_of_pairs_has_the_p_value_of_its_sign_changes() -> None:
    contrast = made(3, runs=9, shift=0.015, paired=True)
    differences = np.log(contrast.variant) - np.log(contrast.baseline)
    bound = 2.5 * np.median(np.abs(differences))
    oracle = stats.permutation_test(
        (np.clip(differences, -bound, bound),),
        lambda d, axis: np.abs(d.mean(axis=axis)),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=True,
    )
    assert adjusted_p([contrast])[0] == pytest.approx(oracle.pvalue)


def test_sides_have_the_larger_of_two_p_values() -> None:
    contrast = made(5, runs=6, shift=0.02)
    alone = welch.p_value(np.log(contrast.baseline), np.log(contrast.variant))
    assert adjusted_p([contrast])[0] >= alone


def test_the_test_of_own_spreads_lies_between_two_of_welch() -> None:
    normal = stats.norm.ppf((np.arange(8) + 0.5) / 8)  # without an outlier
    baseline, variant = 0.02 * normal, 0.05 + 0.1 * normal
    usual = stats.ttest_ind(variant, baseline, equal_var=False)
    fewest = 2 * stats.t.sf(abs(usual.statistic), 7)
    assert usual.pvalue * 0.98 <= welch.p_value(baseline, variant) <= fewest * 1.02


@pytest.mark.parametrize("freedom", [4, 7, 14, 60])
@pytest.mark.parametrize("t", [0.5, 2.0, 4.0])
def test_a_t_value_becomes_the_normal_deviate_that_is_as_rare(freedom: int, t: float) -> None:
    expected = stats.norm.isf(stats.t.sf(t, freedom))
    deviate = normal_deviate(np.asarray(t * t), np.asarray(float(freedom)))
    assert float(deviate) == pytest.approx(expected, rel=0.02)


def test_holm_and_sidak_are_those_of_statsmodels() -> None:
    p_values = [0.01, 0.2, 0.003, 0.04, 0.9]
    expected = multipletests(p_values, method="holm-sidak")[1]
    adjusted = welch.holm_sidak(dict(enumerate(p_values)), len(p_values))
    assert [adjusted[index] for index in range(5)] == pytest.approx(expected)


def test_runs_that_all_agree_differ_in_nothing() -> None:
    for paired in (False, True):
        assert adjusted_p([Contrast((3.0,) * 8, (3.0,) * 8, paired)]) == [1.0]


def test_two_steps_of_a_clock_are_told_apart() -> None:
    assert adjusted_p([Contrast((3.0,) * 8, (4.0,) * 8)])[0] < 0.001


def test_one_outlier_of_ten_does_not_hide_an_effect() -> None:
    contrast = made(8, runs=10, shift=0.06)
    slow = replace(contrast, baseline=(*contrast.baseline[:9], 1.3))
    assert adjusted_p([slow])[0] <= 0.05


def test_too_few_runs_are_not_tested_and_take_nothing_from_others() -> None:
    family = [made(1, runs=8, shift=0.05), made(2, runs=8)]
    few = [clear(4, paired=False), clear(5)]
    assert adjusted_p([*family, *few]) == [*adjusted_p(family), 1.0, 1.0]


def test_designs_are_combined() -> None:
    family = [clear(8), made(1, runs=8), made(2, runs=12, paired=True), clear(7, paired=False)]
    p_values = adjusted_p(family)
    assert p_values[0] <= 0.05
    assert p_values[3] <= 0.05
    assert min(p_values[1:3]) > 0.05


def test_the_runs_it_takes_are_those_of_the_design() -> None:
    assert made(1, runs=3).least == 5
    assert clear(4).least == 6


def test_permutations_begin_with_what_was_done_and_hold_each_way_once() -> None:
    assert flips(5).shape == (16, 5)
    assert splits(5, 5).shape == (126, 10)
    assert splits(4, 6).shape == (210, 10)
    for ways in (flips(6), splits(5, 6)):
        assert len(np.unique(ways, axis=0)) == len(ways)
    assert (flips(30)[0] == 1).all()
    assert flips(300).shape == (3333, 300)  # a million numbers
    assert splits(20, 15)[0].tolist() == [1.0] * 20 + [0.0] * 15


def test_thousands_of_runs_are_cheap() -> None:
    family = [made(1, runs=4000, shift=0.01), made(2, runs=4000, paired=True)]
    assert adjusted_p(family)[0] <= 0.002


@given(st.permutations(range(6)), st.integers(0, 1000), st.sampled_from([5, 6, 9]))
@settings(max_examples=25)
def test_the_order_of_the_family_does_not_matter(order: list[int], seed: int, runs: int) -> None:
    family = [
        made(seed + index, runs=runs + index % 2, shift=0.02 * (index % 3), paired=index > 3)
        for index in range(6)
    ]
    p_values = adjusted_p(family)
    assert all(0 < p_value <= 1 for p_value in p_values)
    shuffled = adjusted_p([family[index] for index in order])
    assert shuffled == pytest.approx([p_values[index] for index in order])


@given(st.integers(0, 1000), st.floats(0.001, 1000), st.booleans())
@settings(max_examples=25)
def test_neither_units_nor_sides_matter(seed: int, factor: float, paired: bool) -> None:  # noqa: FBT001
    contrast = made(seed, runs=6, shift=0.02, paired=paired)
    p_value = adjusted_p([contrast])
    turned = replace(contrast, baseline=contrast.variant, variant=contrast.baseline)
    assert adjusted_p([turned]) == pytest.approx(p_value)
    scaled = replace(
        contrast,
        variant=tuple(factor * value for value in contrast.variant),
        baseline=tuple(factor * value for value in contrast.baseline),
    )
    assert adjusted_p([scaled]) == pytest.approx(p_value)
