import numpy as np
import pytest

from benchkit.stats.contrast import Contrast
from benchkit.stats.decision import decide
from benchkit.stats.power import runs_for_effect

TIGHT = (1.0, 1.001, 0.999, 1.002, 0.998, 1.0, 1.001, 0.999)


def times(factor: float) -> tuple[float, ...]:
    return tuple(factor * value for value in TIGHT)


@pytest.mark.parametrize(
    ("factor", "direction", "equivalent"),
    [(1.2, 1, False), (0.8, -1, False), (1.0, 0, True), (1.01, 0, True)],
)
def test_a_contrast_is_larger_smaller_or_the_same(
    factor: float,
    direction: int,
    equivalent: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    (decision,) = decide([Contrast(TIGHT, times(factor))])
    assert (decision.direction, decision.equivalent) == (direction, equivalent)
    assert decision.estimate.ratio == pytest.approx(factor)


def test_what_lies_within_the_margin_has_no_direction_however_sure_it_is() -> None:
    (decision,) = decide([Contrast(TIGHT, times(1.02))])
    assert decision.adjusted_p < 0.001
    assert decision.estimate.interval is not None
    assert decision.estimate.interval.low > 1
    assert decision.direction == 0
    assert decide([Contrast(TIGHT, times(1.02))], margin=0.01)[0].direction == 1


def test_fewer_runs_give_no_direction_to_what_more_runs_give_none() -> None:
    """The inner interval of five runs among many variants has no bounds; it was a direction."""
    few, scaled = TIGHT[:5], times(1.02)[:5]
    (decision,) = decide([Contrast(few, scaled)], variants=6)
    assert not decision.equivalent
    assert decision.adjusted_p < 0.05
    assert decision.direction == 0
    (beyond,) = decide([Contrast(few, times(1.05)[:5])], variants=6)
    assert beyond.direction == 1


def test_more_variants_take_a_wider_inner_interval() -> None:
    family = [Contrast(TIGHT, times(1.0))]
    alone, among = decide(family)[0].estimate.inner, decide(family, variants=5)[0].estimate.inner
    assert alone is not None
    assert among is not None
    assert (alone.confidence, among.confidence) == pytest.approx((0.95, 0.98))
    assert among.low < alone.low


def test_four_runs_decide_nothing() -> None:
    (decision,) = decide([Contrast((1.0,) * 4, (2.0,) * 4)])
    assert (decision.direction, decision.equivalent, decision.adjusted_p) == (0, False, 1.0)


def test_a_step_that_hides_the_difference_leaves_no_direction() -> None:
    assert decide([Contrast((3.0,) * 8, (4.0,) * 8, steps=(1.0, 1.0))])[0].direction == 0
    assert decide([Contrast((30.0,) * 8, (40.0,) * 8, steps=(1.0, 1.0))])[0].direction == 1


@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_a_difference_of_exactly_the_margin_is_within_it(factor: float) -> None:
    assert decide([Contrast((1.0,) * 8, (factor,) * 8)], margin=1.0)[0].equivalent
    assert not decide([Contrast((1.0,) * 8, (factor,) * 8)], margin=0.99)[0].equivalent


@pytest.mark.parametrize("sides", [(1.0, 2.0), (2.0, 1.0)])
def test_an_interval_that_ends_at_1_shows_no_direction(sides: tuple[float, float]) -> None:
    contrast = Contrast((sides[0],) * 8, (sides[1],) * 8, steps=(1.0, 1.0))
    (decision,) = decide([contrast])
    assert decision.estimate.interval is not None
    assert 1.0 in decision.estimate.interval
    assert decision.direction == 0


def test_a_p_value_of_exactly_the_chance_is_small_enough() -> None:
    family = [Contrast(TIGHT, times(2.0), paired=True)]
    assert decide(family, alpha=1 / 128)[0].direction == 1
    assert decide(family, alpha=1 / 129)[0].direction == 0


def test_one_outlier_of_eight_does_not_multiply_the_runs_asked_for() -> None:
    rng = np.random.default_rng(7)
    baseline, variant = np.exp(rng.normal(0, 0.02, (2, 8)))
    variant[3] *= 1.3
    made = decide([Contrast(tuple(baseline), tuple(variant))])[0].estimate
    assert runs_for_effect(0.05, deviation=made.deviation, paired=False, tests=3) < 20
