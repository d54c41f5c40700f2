import numpy as np
import pytest
from statsmodels.stats.power import TTestIndPower

from benchkit.compare.power import least_runs, runs_for_effect, runs_for_same


@pytest.mark.parametrize(("tests", "least"), [(1, 4), (2, 5), (3, 5), (6, 5), (7, 6), (20, 6)])
def test_the_fewest_runs_that_can_be_significant(tests: int, least: int) -> None:
    assert least_runs(tests) == least


def test_a_noisy_tail_is_out_of_reach() -> None:
    """Run-to-run spreads of 1.7 % and 23.6 %, a difference of 5 %."""
    needed = runs_for_effect(0.05, margin=0, deviation=0.236, tests=1)
    assert needed == pytest.approx(385, abs=5)
    assert runs_for_effect(0.05, margin=0, deviation=0.017, tests=1) == 4


@pytest.mark.parametrize("deviation", [0.03, 0.05, 0.1])
def test_without_margin_it_is_the_t_test_less_the_efficiency_of_ranks(deviation: float) -> None:
    size = np.log(1.1) / deviation
    t_test = TTestIndPower().solve_power(size, power=0.8, alpha=0.05)
    needed = runs_for_effect(0.1, margin=0, deviation=deviation, tests=1)
    assert needed == pytest.approx(t_test * np.pi / 3, abs=1)


def test_a_margin_and_more_tests_cost_runs() -> None:
    alone = runs_for_effect(0.05, margin=0.0, deviation=0.05, tests=1)
    among = runs_for_effect(0.05, margin=0.0, deviation=0.05, tests=6)
    behind = runs_for_effect(0.05, margin=0.02, deviation=0.05, tests=1)
    assert alone is not None
    assert among is not None
    assert behind is not None
    assert alone < among
    assert alone < behind


def test_a_margin_can_hide_the_effect() -> None:
    assert runs_for_effect(0.05, margin=0.05, deviation=0.01, tests=1) is None


def test_equality_takes_more_runs_the_closer_it_must_be() -> None:
    assert runs_for_same(margin=0.01, deviation=0) == 4
    near, far = (runs_for_same(margin=m, deviation=0.02) for m in (0.01, 0.05))
    assert near > far
