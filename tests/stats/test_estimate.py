import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchkit.stats import medians, pairs
from benchkit.stats.contrast import Contrast
from benchkit.stats.estimate import estimate
from benchkit.stats.interval import Interval, widened
from benchkit.stats.spread import robust_deviation

VALUES = st.lists(st.floats(0.01, 1000), min_size=6, max_size=12)


@st.composite
def contrasts(draw: st.DrawFn) -> Contrast:
    baseline = draw(VALUES)
    paired = draw(st.booleans())
    size = len(baseline) if paired else draw(st.integers(6, 12))
    variant = draw(st.lists(st.floats(0.01, 1000), min_size=size, max_size=size))
    return Contrast(tuple(baseline), tuple(variant), paired)


def test_the_ratio_is_that_of_the_medians_printed_beside_it() -> None:
    made = estimate(Contrast((10.0, 12, 11, 13, 900), (22.0, 24, 20, 26, 21)))
    assert made.ratio == 22 / 12
    assert made.method == ""


def test_five_runs_lie_between_their_extremes() -> None:
    assert medians.median_bounds(np.array([3.0, 1, 2, 5, 4]), 0.95) == (1, 3, 5)


def test_bounds_of_a_median_are_interpolated_after_hettmansperger_and_sheather() -> None:
    # n = 10: ranks 2..9 hold the median in 97.85 %, ranks 3..8 in 89.06 %.
    part = (0.978515625 - 0.95) / (0.978515625 - 0.890625)
    share = (10 - 2) * part / (2 + (10 - 4) * part)
    bounds = medians.median_bounds(np.arange(1.0, 11), 0.95)
    assert bounds == pytest.approx((2 + share, 5.5, 9 - share))


def test_the_interval_combines_the_sides_after_donner_and_zou() -> None:
    baseline, variant = np.array([1.0, 2, 3, 4, 6]), np.array([5.0, 7, 8, 9, 10])
    low, high = medians.interval(baseline, variant, 0.9375) or (math.nan, math.nan)
    assert low == pytest.approx(5 - math.hypot(8 - 5, 6 - 3))
    assert high == pytest.approx(5 + math.hypot(10 - 8, 3 - 1))


@pytest.mark.parametrize("runs", [1, 2, 3, 4])
def test_so_few_runs_have_no_interval(runs: int) -> None:
    made = estimate(Contrast((1.0,) * runs, (2.0,) * runs))
    assert (made.ratio, made.interval, made.inner) == (2, None, None)


def test_five_pairs_have_no_interval() -> None:
    assert estimate(Contrast((1.0,) * 5, (2.0,) * 5, paired=True)).interval is None


@pytest.mark.parametrize("count", [6, 8, 14, 40])
def test_the_interval_of_pairs_holds_what_the_signed_rank_test_accepts(count: int) -> None:
    differences = np.random.default_rng(count).normal(0.2, size=count)
    low, high, attained = pairs.interval(differences, 0.95) or (0, 0, 0)
    assert attained >= 0.95
    for inside in (low + 1e-9, high - 1e-9):
        assert stats.wilcoxon(differences - inside, method="exact").pvalue > 1 - attained
    for outside in (low - 1e-9, high + 1e-9):
        p_value = stats.wilcoxon(differences - outside, method="exact").pvalue
        assert p_value <= 1 - attained + 1e-9
    assert low < pairs.centre(differences) < high


def test_the_step_of_a_clock_is_part_of_the_interval() -> None:
    rounded = estimate(Contrast((3.0,) * 8, (4.0,) * 8, step=1.0)).interval
    assert rounded == pytest.approx((1.0, 1.8, 0.95))
    assert estimate(Contrast((3.0,) * 8, (4.0,) * 8)).interval == pytest.approx(
        (4 / 3, 4 / 3, 0.95)
    )


def test_a_step_that_leaves_no_bound_leaves_no_interval() -> None:
    interval = Interval(1.0, 3.0, 0.95)
    assert widened(interval, baseline=0.4, variant=2, step=1) is None
    wide = widened(interval, baseline=2, variant=0.4, step=1)
    assert wide == pytest.approx((0, 3 * (1.4 / 2) / (0.4 / 2), 0.95))


def test_one_outlier_of_eight_leaves_the_spread_alone() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(0, 0.02, 8)
    ruined = np.concatenate([values[:7], [1.0]])
    assert ruined.std(ddof=1) > 10 * values.std(ddof=1)
    assert robust_deviation(ruined) < 2 * robust_deviation(values)


@pytest.mark.parametrize("count", [5, 8, 11, 20])
def test_the_spread_is_right_on_average(count: int) -> None:
    rng = np.random.default_rng(count)
    spreads = [robust_deviation(rng.standard_normal(count)) for _ in range(4000)]
    assert np.mean(spreads) == pytest.approx(1, abs=0.04)


def test_many_runs_are_cheap_and_right() -> None:
    rng = np.random.default_rng(6)
    baseline, variant = np.exp(rng.normal(0, 0.1, (2, 20_000)))
    for paired in (False, True):
        made = estimate(Contrast(tuple(baseline), tuple(1.1 * variant), paired))
        assert made.ratio == pytest.approx(1.1, abs=0.01)
        assert made.interval is not None
        assert 1.09 < made.interval.low < made.ratio < made.interval.high < 1.11
        assert made.deviation == pytest.approx(0.1, rel=0.05)


@given(contrasts(), st.floats(0.001, 1000))
@settings(max_examples=60)
def test_the_unit_does_not_matter(contrast: Contrast, factor: float) -> None:
    scaled = Contrast(
        tuple(factor * value for value in contrast.baseline),
        tuple(factor * value for value in contrast.variant),
        contrast.paired,
    )
    before, after = estimate(contrast), estimate(scaled)
    assert after.ratio == pytest.approx(before.ratio)
    assert after.interval == pytest.approx(before.interval)
    assert after.deviation == pytest.approx(before.deviation, abs=1e-9)


@given(contrasts())
@settings(max_examples=60)
def test_changing_sides_turns_the_interval_round(contrast: Contrast) -> None:
    made = estimate(contrast)
    turned = estimate(Contrast(contrast.variant, contrast.baseline, contrast.paired))
    assert made.interval is not None
    assert turned.interval is not None
    assert turned.ratio == pytest.approx(1 / made.ratio)
    assert turned.interval[:2] == pytest.approx((1 / made.interval.high, 1 / made.interval.low))


@given(contrasts(), st.floats(0, 0.005))
@settings(max_examples=60)
def test_the_ratio_is_within_its_intervals(contrast: Contrast, step: float) -> None:
    made = estimate(Contrast(contrast.baseline, contrast.variant, contrast.paired, step))
    for interval in (made.interval, made.inner):
        assert interval is not None
        assert interval.low * (1 - 1e-9) <= made.ratio <= interval.high * (1 + 1e-9)


@pytest.mark.parametrize(
    ("baseline", "variant", "paired", "step"),
    [
        ((), (1.0,), False, 0.0),
        ((0.0,), (1.0,), False, 0.0),
        ((1.0,), (math.nan,), False, 0.0),
        ((1.0,), (1.0, 2.0), True, 0.0),
        ((1.0,), (1.0,), False, -1.0),
    ],
)
def test_what_is_no_contrast_is_refused(
    baseline: tuple[float, ...],
    variant: tuple[float, ...],
    paired: bool,  # noqa: FBT001 - a parameter of the test
    step: float,
) -> None:
    with pytest.raises(ValueError, match=r"side|pairs|step"):
        Contrast(baseline, variant, paired, step)
