import itertools

import numpy as np
import pytest
from scipy import stats

from benchkit.compare import signedrank


@pytest.mark.parametrize("n", [5, 12, 15, 40])
def test_the_p_value_is_the_exact_one(n: int) -> None:
    differences = np.random.default_rng(n).normal(0.3, size=n)
    assert signedrank.p_value(differences) == pytest.approx(
        stats.wilcoxon(differences, method="exact").pvalue, rel=1e-9
    )


def test_with_ties_and_zeros_it_is_that_of_all_signs() -> None:
    differences = np.array([1.0, 1, -1, 2, 0, 2, 3, 3])
    moved = differences[differences != 0]
    ranks = stats.rankdata(np.abs(moved))
    sums = np.array([ranks[list(signs)].sum() for signs in _signs(len(moved))])
    seen = ranks[moved > 0].sum()
    expected = min(1, 2 * min((sums <= seen).mean(), (sums >= seen).mean()))
    assert signedrank.p_value(differences) == pytest.approx(expected)


def _signs(n: int) -> list[list[int]]:
    return [
        [place for place, up in enumerate(choice) if up]
        for choice in itertools.product((False, True), repeat=n)
    ]


def test_beyond_what_is_counted_it_is_the_normal_approximation() -> None:
    differences = np.random.default_rng(3).normal(0.05, size=230)
    expected = stats.wilcoxon(differences, method="asymptotic", correction=True).pvalue
    assert signedrank.p_value(differences) == pytest.approx(expected, rel=1e-9)


def test_pairs_without_any_difference_say_nothing() -> None:
    assert signedrank.p_value(np.zeros(12)) == 1


def test_five_pairs_can_never_reach_five_per_cent() -> None:
    assert signedrank.p_value(np.arange(1.0, 6)) == signedrank.least_p(5) == 0.0625


def test_the_interval_holds_the_centres_that_the_test_accepts() -> None:
    differences = np.random.default_rng(9).normal(0.2, size=14)
    low, high, confidence = signedrank.interval(differences, 0.95)
    assert confidence == pytest.approx(0.9506, abs=1e-4)
    for inside in (low + 1e-9, high - 1e-9):
        assert stats.wilcoxon(differences - inside, method="exact").pvalue > 1 - confidence
    for outside in (low - 1e-9, high + 1e-9):
        assert stats.wilcoxon(differences - outside, method="exact").pvalue <= 1 - confidence + 1e-9
    assert low < signedrank.shift(differences) < high
