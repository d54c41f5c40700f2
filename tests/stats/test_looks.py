"""When growing runs are looked at: worked by hand.

Of n pairs the rarest order of signs has p = 2 / 2^n: 8 pairs reach 1 % (0.8 %), 7 reach 1/60
(1.6 %) and 2.5 %, and six 5 % (3.1 %). Steps lie at even ratios: from 8 to 30 in four steps, each
is 1.39 times the one before.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.stats import ALPHA
from benchkit.stats.interval import Interval
from benchkit.stats.looks import looks_at
from benchkit.stats.power import least_runs


@pytest.mark.parametrize(
    ("most", "steps"),
    [
        (6, (6,)),
        (7, (7,)),
        (8, (7, 8)),
        (9, (7, 8, 9)),
        (12, (8, 9, 10, 11, 12)),
        (30, (8, 11, 15, 22, 30)),
        (128, (8, 16, 32, 64, 128)),
    ],
)
def test_looks_lie_at_even_ratios(most: int, steps: tuple[int, ...]) -> None:
    assert looks_at(most) == steps


@given(most=st.integers(6, 5000), looks=st.integers(1, 12))
def test_every_look_can_reach_a_verdict_at_its_share(most: int, looks: int) -> None:
    steps = looks_at(most, looks=looks)
    assert len(steps) <= looks
    assert sorted({*steps}) == list(steps)
    assert steps[-1] == most
    assert steps[0] >= least_runs(ALPHA / len(steps), paired=True)


def test_five_pairs_reach_nothing() -> None:
    with pytest.raises(ValueError, match="reach no verdict"):
        looks_at(5)


@pytest.mark.parametrize(
    ("low", "high", "half_width"),
    [(1 / 1.03, 1.03, 0.03), (1.9, 1.9, 0.0), (0.5, 2.0, 1.0), (0.0, 2.0, math.inf)],
)
def test_half_a_width_is_a_factor(low: float, high: float, half_width: float) -> None:
    assert Interval(low, high, 0.95).half_width == pytest.approx(half_width)
