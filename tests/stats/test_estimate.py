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
    low, high, _ = medians.interval(baseline, variant, 0.9375) or (math.nan,) * 3
    assert low == pytest.approx(5 - math.hypot(8 - 5, 6 - 3))
    assert high == pytest.approx(5 + math.hypot(10 - 8, 3 - 1))


@pytest.mark.parametrize("runs", [1, 2, 3, 4])
def test_so_few_runs_have_no_interval(runs: int) -> None:
    made = estimate(Contrast((1.0,) * runs, (2.0,) * runs))
    assert (made.ratio, made.interval, made.inner) == (2, None, None)


def test_five_pairs_have_no_interval() -> None:
    assert estimate(Contrast((1.0,) * 5, (2.0,) * 5, paired=True)).interval is None


def test_pairs_have_the_signed_rank_interval_of_their_logarithms() -> None:
    baseline, variant = (1.0, 1, 2, 2, 4, 4), (1.1, 1.2, 2.6, 2.4, 6.0, 4.2)
    made = estimate(Contrast(baseline, variant, paired=True))
    # six pairs: all their means, in 62 of 64 patterns of signs
    assert made.method == "pairs"
    assert made.ratio == pytest.approx(math.exp(pairs.centre(np.log(np.divide(variant, baseline)))))
    assert made.interval == pytest.approx((1.05, 1.5, 62 / 64))


def test_six_pairs_have_no_interval_at_98_per_cent() -> None:
    made = estimate(Contrast((1.0,) * 6, (2.0,) * 6, paired=True), inner=0.98)
    assert made.interval is not None
    assert made.inner is None


@pytest.mark.parametrize("sizes", [(5, 20), (20, 5)])
def test_both_sides_must_have_runs_enough_for_a_level(sizes: tuple[int, int]) -> None:
    baseline, variant = (np.arange(1.0, size + 1) for size in sizes)
    assert medians.interval(baseline, variant, 0.95) is not None
    assert medians.interval(baseline, variant, 0.98) is None


def test_sides_pool_their_spreads_by_their_degrees_of_freedom() -> None:
    baseline, variant = (1.0, 1.1, 1.2, 1.4, 1.5, 1.7, 1.9), (2.0, 2.3, 2.9)
    spreads = [robust_deviation(np.log(side)) for side in (baseline, variant)]
    pooled = math.sqrt((6 * spreads[0] ** 2 + 2 * spreads[1] ** 2) / 8)
    assert estimate(Contrast(baseline, variant)).deviation == pytest.approx(pooled)


def test_a_single_run_adds_nothing_to_the_spread_of_two() -> None:
    made = estimate(Contrast((1.0,), (1.0, math.e)))
    assert made.deviation == pytest.approx(2.2219 * 0.399)
    assert estimate(Contrast((1.0,), (2.0,))).deviation == 0


def test_pairs_spread_as_their_differences_do_over_the_square_root_of_two() -> None:
    baseline, factors = (1.0, 2, 4, 8, 16), (1.1, 1.2, 1.4, 1.1, 1.3)
    variant = tuple(np.multiply(baseline, factors))
    made = estimate(Contrast(baseline, variant, paired=True))
    assert made.deviation == pytest.approx(robust_deviation(np.log(factors)) / math.sqrt(2))


def test_the_step_of_a_clock_spreads_values_evenly_over_it() -> None:
    # an even spread over a width of 1 has the variance 1/12; 10 is the smaller median
    for sides in ((10.0,) * 8, (20.0,) * 8), ((20.0,) * 8, (10.0,) * 8):
        assert estimate(Contrast(*sides, steps=(1.0, 1.0))).deviation == pytest.approx(
            0.1 / math.sqrt(12)
        )


def test_a_step_hides_what_lies_between_two_values_printed_alike() -> None:
    # 10 may be 9.5 and 10.5
    assert estimate(Contrast((10.0,) * 8, (20.0,) * 8, steps=(1.0, 1.0))).hidden == pytest.approx(
        1 / 9.5
    )
    assert estimate(Contrast((10.0,) * 8, (20.0,) * 8)).hidden == 0
    assert estimate(Contrast((0.4,) * 8, (20.0,) * 8, steps=(1.0, 1.0))).hidden == math.inf


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
    rounded = estimate(Contrast((3.0,) * 8, (4.0,) * 8, steps=(1.0, 1.0))).interval
    assert rounded == pytest.approx((1.0, 1.8, 0.95))
    assert estimate(Contrast((3.0,) * 8, (4.0,) * 8)).interval == pytest.approx(
        (4 / 3, 4 / 3, 0.95)
    )


def test_each_side_has_its_own_step() -> None:
    """Tools print larger times in larger steps: 2.52 ms in 0.01 ms, 2.11 s in 10 ms."""
    made = estimate(Contrast((2.52,) * 8, (2110.0,) * 8, steps=(0.01, 10.0)))
    assert made.interval == pytest.approx((2105 / 2.525, 2120 / 2.52, 0.95), rel=1e-3)
    assert made.hidden == pytest.approx(10 / 2110, rel=0.01)
    assert made.deviation == pytest.approx(10 / 2110 / math.sqrt(12))


def test_a_step_that_leaves_no_bound_leaves_no_interval() -> None:
    interval = Interval(1.0, 3.0, 0.95)
    assert widened(interval, (0.4, 2), (1, 1)) is None
    assert widened(interval, (0.5, 2), (1, 1)) is None
    wide = widened(interval, (2, 0.4), (1, 1))
    assert wide == pytest.approx((0, 3 * (1.4 / 2) / (0.4 / 2), 0.95))


@pytest.mark.parametrize(
    ("baseline", "variant", "low", "high"),
    [
        # rounded: 9.5 over 20.5; cut off: 11 over 20
        (20, 10, 9.5 / 20.5, 11 / 20),
        # cut off: 20 over 11; rounded: 20.5 over 9.5
        (10, 20, 20 / 11, 20.5 / 9.5),
    ],
)
def test_a_value_may_be_rounded_or_cut_off(
    baseline: float, variant: float, low: float, high: float
) -> None:
    ratio = variant / baseline
    printed = Interval(0.9 * ratio, 1.2 * ratio, 0.9)
    wide = widened(printed, (baseline, variant), (1, 1))
    assert wide == pytest.approx((0.9 * low, 1.2 * high, 0.9))


def test_the_spread_of_none_one_and_two_values() -> None:
    assert robust_deviation(np.array([])) == 0
    assert robust_deviation(np.array([7.0])) == 0
    assert robust_deviation(np.array([4.0, 7.0])) == pytest.approx(3 * 2.2219 * 0.399)


def test_the_sum_of_three_ranks_that_a_coin_picks() -> None:
    assert pairs._likely(3).tolist() == [1 / 8, 1 / 8, 1 / 8, 2 / 8, 1 / 8, 1 / 8, 1 / 8]


def test_beyond_a_thousand_values_evenly_spaced_quantiles_take_their_place() -> None:
    assert pairs.thinned(np.arange(1000.0)[::-1]).tolist() == list(range(1000))
    assert pairs.thinned(np.arange(1001.0)) == pytest.approx(np.arange(0.5, 1000.5), abs=0.01)


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
    made = estimate(Contrast(contrast.baseline, contrast.variant, contrast.paired, (step, step)))
    for interval in (made.interval, made.inner):
        assert interval is not None
        assert interval.low * (1 - 1e-9) <= made.ratio <= interval.high * (1 + 1e-9)
