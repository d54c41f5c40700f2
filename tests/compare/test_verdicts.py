import numpy as np
import pytest

from benchkit.compare.estimate import Estimate, estimate
from benchkit.compare.ranksum import Interval
from benchkit.compare.verdicts import Answer, Question, judge, margin_of

BASE = [100.0, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1]


def question(
    values: list[float],
    *,
    base: list[float] | None = None,
    higher: bool = True,
    margin: float = 0.01,
) -> Question:
    left = base or BASE
    return Question(estimate(left, values, paired=False), higher, (len(left), len(values)), margin)


def answer(values: list[float], **options: object) -> Answer:
    return judge([question(values, **options)])[0]  # type: ignore[arg-type]


def test_more_throughput_is_faster_and_more_latency_slower() -> None:
    more = [1.1 * value for value in BASE]
    assert answer(more).verdict == "faster"
    assert answer(more, higher=False).verdict == "slower"
    less = [value / 1.1 for value in BASE]
    assert answer(less).verdict == "slower"
    assert answer(less, higher=False).verdict == "faster"


def test_a_difference_inside_the_margin_is_no_verdict_however_sure() -> None:
    little = [1.009 * value for value in np.linspace(100, 100.001, 8)]
    found = answer(little, base=list(np.linspace(100, 100.001, 8)))
    assert found.verdict == "same"
    found = answer([1.015 * value for value in BASE])
    assert found.verdict == "inconclusive"
    assert "the interval reaches into the margin of ±1%" in found.reason
    assert found.more_runs is not None


def test_same_needs_the_interval_inside_the_margin() -> None:
    noise = [100.0, 100.1, 99.9, 100.05, 99.95, 100.02, 99.98, 100.01]
    assert answer(noise, base=noise).verdict == "same"
    assert answer([93.0, 107, 95, 105, 98, 102, 99, 101]).verdict == "inconclusive"


def test_three_runs_reach_no_verdict_and_it_says_how_many_do() -> None:
    found = answer([200.0, 201, 202], base=[100.0, 101, 102])
    assert found.verdict == "inconclusive"
    assert "can reach no verdict at all" in found.reason
    assert found.more_runs == 1


def test_four_runs_among_three_tests_cannot_show_a_difference() -> None:
    one = question([200.0, 201, 202, 203], base=[100.0, 101, 102, 103])
    found = judge([one, one, one])
    assert {each.verdict for each in found} == {"inconclusive"}
    assert "p cannot fall below 0.086 with 3 tests; it takes 5 of each" in found[0].reason
    assert found[0].more_runs == 1
    assert judge([one])[0].verdict == "faster"


def test_the_runs_needed_depend_on_the_spread_and_on_what_is_asked() -> None:
    wild = [90.0, 110, 92, 108, 95, 105, 100, 101]
    small, large = (
        judge([question(wild, base=wild[::-1])], effect=effect)[0].more_runs
        for effect in (0.05, 0.1)
    )
    assert small is not None
    assert large is not None
    assert small > large


def test_enough_runs_for_the_effect_say_so() -> None:
    noise = [98.0, 102, 97, 103, 99.5, 100.5, 96, 104, 99.8, 101.5]
    found = answer(noise, base=noise[::-1])
    assert found.verdict == "inconclusive"
    assert "a difference of 5% would probably have been found" in found.reason
    assert found.more_runs


def test_a_margin_wider_than_the_effect_is_named() -> None:
    wild = [90.0, 110, 92, 108, 95, 105, 100, 101]
    found = answer([1.2 * value for value in wild], margin=0.25)
    assert found.verdict == "inconclusive"
    assert "the margin of 25% hides a difference of 5%" in found.reason
    assert found.more_runs is None


@pytest.mark.parametrize(("half", "margin"), [(0.002, 0.01), (0.05, 0.05127)])
def test_the_margin_is_one_per_cent_or_the_noise_of_an_equal_pair(
    half: float, margin: float
) -> None:
    noise = Interval(np.exp(0.003 - half), np.exp(0.003 + half), 0.95)
    pair = Estimate(1.003, noise, noise, 0.5, 0.01, 0.02)
    assert margin_of([pair]) == pytest.approx(margin, rel=1e-3)
    assert margin_of([]) == 0.01
