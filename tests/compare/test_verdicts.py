"""One rule for every verdict: what it takes to be faster, slower, the same, and what would."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from benchkit.model.comparison import Effect
from tests.compare.runs import effects, interleaved, plain, repeated, spread

BASE = [100.0, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1]
WILD = [90.0, 110, 92, 108, 95, 105, 100, 101]


def answer(
    values: Sequence[float],
    base: Sequence[float] = BASE,
    *,
    column: str = "throughput_rps",
    effect: float = 0.05,
    looks: int = 1,
) -> Effect:
    """The effect of one variant with one metric."""
    sides = repeated({"a": {column: base}, "b": {column: values}})
    (only,) = effects(sides, effect=effect, looks=looks)
    return only


def test_more_throughput_is_faster_and_more_latency_slower() -> None:
    more = [1.1 * value for value in BASE]
    assert answer(more).verdict == "faster"
    assert answer(more, column="latency_p50_s").verdict == "slower"
    less = [value / 1.1 for value in BASE]
    assert answer(less).verdict == "slower"
    assert answer(less, column="latency_p50_s").verdict == "faster"


def test_a_difference_inside_the_margin_is_none_however_sure() -> None:
    steady = list(np.linspace(100, 100.001, 8))
    sure = answer([1.029 * value for value in steady], steady)
    assert sure.verdict == "same"
    assert sure.interval is not None
    assert sure.interval.low > 1


def test_a_difference_beyond_the_margin_needs_no_distance_from_it() -> None:
    sure = answer([1.035 * value for value in BASE])
    assert sure.verdict == "faster"
    assert "p = 0.00" in sure.reason


def test_same_needs_the_interval_inside_the_margin() -> None:
    assert answer(BASE[::-1]).verdict == "same"
    assert answer([93.0, 107, 95, 105, 98, 102, 99, 101]).verdict == "inconclusive"


def test_the_runs_needed_depend_on_the_spread_and_on_what_is_asked() -> None:
    small, large = (
        answer(WILD[::-1], WILD, effect=effect).more_runs or 0 for effect in (0.05, 0.1)
    )
    assert small > large > 0
    wide = answer(WILD[::-1], WILD)
    assert "to find a difference of 5 % takes about" in plain(wide.reason)
    assert f"{wide.more_runs} more runs of each ({8 + small} in all)" in plain(wide.reason)


def test_one_outlier_of_eight_does_not_ask_for_a_hundred_runs() -> None:
    """Once 107 and 908 runs were asked for."""
    quiet, other = spread(100, 0.03), spread(100, 0.03, seed=21)
    for outlier in (200.0, 1e4):
        ruined = answer([*other[:7], outlier], quiet)
        assert (ruined.verdict, ruined.more_runs) == ("inconclusive", 9)


def test_runs_on_two_levels_take_many_more() -> None:
    """Once "a difference of 5 % would probably have been found", beside -28 to +71 %."""
    for runs in (6, 12):
        base = [27e3 + n for n in range(runs // 2)] + [50e3 + n for n in range(runs // 2)]
        effect = answer([1.1 * value for value in base], base)
        assert effect.verdict == "inconclusive"
        assert effect.more_runs is not None
        assert effect.more_runs > 50
        assert "would probably have been found" not in effect.reason


def test_beside_a_wide_interval_nothing_would_have_been_found() -> None:
    cold = [25e3, *(50e3 + 200 * n for n in range(5))]
    effect = answer([1.1 * value for value in cold], cold)
    assert effect.interval is not None
    assert effect.interval.half_width > 0.05
    assert "would probably have been found" not in effect.reason


def test_enough_runs_for_the_effect_say_so() -> None:
    noise = spread(100, 0.02, runs=9, seed=3), spread(100, 0.02, runs=9, seed=33)
    effect = answer(noise[1], noise[0])
    assert (effect.verdict, effect.more_runs) == ("inconclusive", 12)
    reason = plain(effect.reason)
    assert "a difference of 5 % would probably have been found" in reason
    assert "12 more runs of each (21 in all) may tell whether it is within ±3 %" in reason


def test_what_more_runs_may_tell_depends_on_what_is_seen() -> None:
    """Once 1 more run was to tell whether +4.0 % (+1.0 to +4.0 %) is within ±3 %."""
    base = [10.0, 10.1, 9.9, 10.05, 9.95, 10.02, 9.98, 10.01]
    seen = [1.04 * v for v in base[:6]] + [0.98 * v for v in base[6:]]
    effect = effects(interleaved({"a": {"throughput_rps": base}, "b": {"throughput_rps": seen}}))[0]
    assert effect.ratio == pytest.approx(1.04)
    assert effect.verdict == "inconclusive"
    assert "to tell the change seen from none takes about" in plain(effect.reason)


@pytest.mark.parametrize(("middle", "hides"), [(9.0, "12 %"), (19.0, "5.4 %")])
def test_a_coarse_clock_is_no_question_of_more_runs(middle: float, hides: str) -> None:
    """Of equal 9 ms it once was about 4 more runs; 400 would not have done."""
    whole = [{"latency_p50_s": [middle / 1000] * 8}] * 2
    (effect,) = effects(repeated(dict(zip("ab", whole, strict=True)), resolution_s=0.001))
    assert (effect.verdict, effect.more_runs) == ("inconclusive", None)
    assert f"the step of the clock hides differences of up to {hides}" in plain(effect.reason)


def test_six_pairs_are_too_few_for_two_looks() -> None:
    """No pattern of six signs is rarer than 3.1 %, and each look has 2.5 %."""
    sides = {"a": {"throughput_rps": BASE[:6]}, "b": {"throughput_rps": [2 * v for v in BASE[:6]]}}
    (effect,) = effects(interleaved(sides), looks=2)
    assert (effect.verdict, effect.more_runs) == ("inconclusive", 1)
    assert "p = 0.031, and 2.5 % is needed for 2 looks" in plain(effect.reason)
    assert effects(interleaved(sides))[0].verdict == "faster"


def test_of_many_variants_more_runs_show_that_they_are_the_same() -> None:
    names = "abcdefghi"
    sides = {
        name: {"throughput_rps": spread(100, 0.0005, runs=6, seed=ord(name))} for name in names
    }
    few = effects(interleaved(sides))
    assert {(effect.verdict, effect.more_runs) for effect in few} == {("inconclusive", 2)}
    sides = {name: {"throughput_rps": spread(100, 0.0005, seed=ord(name))} for name in names}
    assert {effect.verdict for effect in effects(interleaved(sides))} == {"same"}


@pytest.mark.parametrize(("looks", "verdict"), [(1, "faster"), (10, "inconclusive")])
def test_every_announced_look_costs_a_share_of_the_5_per_cent(looks: int, verdict: str) -> None:
    """What suffices for the only look does not for the first of ten."""
    base, values = spread(100, 0.03, seed=4), spread(103, 0.03, seed=54)
    effect = answer(values, base, looks=looks)
    assert effect.adjusted_p is not None
    assert 0.05 / 10 < effect.adjusted_p < 0.05
    assert effect.verdict == verdict


def test_pairs_of_runs_find_what_drift_hides() -> None:
    """8 repeats in turn, true +5 %, while the machine drifts by half."""
    paired = unpaired = 0
    for seed in range(20):
        drift = np.linspace(1, 1.5, 8)
        sides = {
            name: {"throughput_rps": list(by * drift * spread(1, 0.01, seed=2 * seed + n))}
            for n, (name, by) in enumerate((("a", 1000), ("b", 1050)))
        }
        paired += effects(interleaved(sides))[0].verdict == "faster"
        unpaired += effects(repeated(sides))[0].verdict == "faster"
    assert paired >= 19
    assert unpaired <= 2
