"""A change of level is found where there is one; the bounds are those of chance."""

import importlib.util
import sys
from itertools import combinations
from math import comb
from pathlib import Path
from statistics import NormalDist
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from benchkit.stats.changepoint import LEAST, bound, change_points, deviates
from benchkit.stats.statistic import normal_deviate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = ROOT / "studies" / "changepoints.py"
    spec = importlib.util.spec_from_file_location("changepoints_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def chance(deviate: float) -> float:
    """The two-sided chance of a normal deviate."""
    return 2 * NormalDist().cdf(-deviate)


def noise(n: int, seed: int = 1) -> np.ndarray:
    return np.exp(0.02 * np.random.default_rng(seed).standard_normal(n))


@pytest.mark.parametrize(("first", "second"), [(4, 6), (5, 5), (3, 7)])
def test_the_chance_of_a_rank_sum_is_counted(first: int, second: int) -> None:
    values = np.array([10.0, 40, 20, 60, 30, 100, 50, 90, 70, 80])
    n = first + second
    below = sum(a > b for a in values[:first] for b in values[first:])
    far = min(below, first * second - below)
    sums = [sum(ranks) - first * (first + 1) // 2 for ranks in combinations(range(1, n + 1), first)]
    exact = 2 * sum(each <= far for each in sums) / comb(n, first)
    assert chance(deviates(values)[first - LEAST]) == pytest.approx(min(exact, 1), rel=0.15)


@pytest.mark.parametrize(("lowest", "deviate"), [(15, 2.7347), (13, 1.6070)])
def test_the_chance_of_long_sides_is_worked_by_hand(lowest: int, deviate: float) -> None:
    """Twenty values before and twenty after: the lowest 15 of all and the five highest come first.

    The first side has the larger value in 5 × 20 = 100 of 400 pairs, where 200 ± 36.968 are by
    chance: z = 99.5 / 36.968 = 2.6915. The excess is -1.2 × (40 × 41 - 400) / (400 × 41) =
    -0.09073, which adds 0.09073 / 24 × (2.6915³ - 3 × 2.6915) = 0.0432.
    """
    ranks = np.arange(1.0, 41)
    highest = 20 - lowest
    first = np.concatenate([ranks[:lowest], ranks[-highest:]])
    values = np.concatenate([first, ranks[lowest:-highest]])
    assert deviates(values)[20 - LEAST] == pytest.approx(deviate, abs=1e-4)


def test_sides_that_are_alike_lie_nothing_apart() -> None:
    assert deviates(np.tile([1.0, 2.0], 6))[6 - LEAST] == 0


def test_sides_of_up_to_sixteen_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    values = noise(60)
    values[28:] += 0.02
    usual = deviates(values)
    assert usual == pytest.approx(deviates(values[::-1])[::-1], abs=1e-9)
    monkeypatch.setattr("benchkit.stats.changepoint._COUNTED", 30)
    counted = deviates(values)
    short = slice(0, 16 - LEAST + 1)
    assert list(usual[short]) == list(counted[short])
    assert list(usual[::-1][short]) == list(counted[::-1][short])
    assert usual[17 - LEAST] != counted[17 - LEAST]
    assert usual == pytest.approx(counted, abs=0.04)
    assert usual.max() > 4


def test_short_sides_are_not_approximated(monkeypatch: pytest.MonkeyPatch) -> None:
    values = noise(40)
    values[18:] += 0.03
    counted = deviates(values)
    monkeypatch.setattr("benchkit.stats.changepoint._COUNTED", 0)
    long = slice(8 - LEAST, LEAST - 8)
    assert deviates(values)[long] == pytest.approx(counted[long], abs=0.12)
    assert list(deviates(values)[long]) != list(counted[long])
    assert counted.max() > 3


@pytest.mark.parametrize("step", [0.0, 0.3])
def test_a_few_values_lie_as_far_apart_as_student_says(step: float) -> None:
    """A clock of steps has the variance of a uniform value besides: a twelfth of its square."""
    before, after = (
        np.array([10.1, 10.0, 10.3]),
        np.array([11.0, 11.2, 10.9, 11.1, 11.3, 11.0, 11.2]),
    )
    within = ((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum()
    error = np.sqrt((within / 8 + step**2 / 12) * (1 / 3 + 1 / 7))
    t = (after.mean() - before.mean()) / error
    if not step:
        assert t == pytest.approx(stats.ttest_ind(after, before).statistic)
    (apart, *_) = deviates(np.concatenate([before, after]), step)
    assert apart == pytest.approx(normal_deviate(np.array([t**2]), np.array([8.0]))[0])
    if not step:
        assert apart == deviates(np.concatenate([before, after]))[0]


def test_how_far_sides_lie_apart_does_not_depend_on_where_zero_is() -> None:
    """Times in ns since 1970 differ late in their digits."""
    values = noise(20)
    values[9:] += 1
    assert deviates(values + 1e7) == pytest.approx(deviates(values), rel=1e-5)


def test_a_step_is_found_where_it_is() -> None:
    values = noise(40)
    values[25:] *= 1.1
    assert change_points(values) == [25]
    values[10:25] *= 0.9
    assert change_points(values) == [10, 25]


def test_two_values_are_outliers_and_three_a_level() -> None:
    assert len(deviates(noise(6))) == 1
    assert change_points(np.repeat([10.0, 11.0], [20, 2])) == []
    assert change_points(np.repeat([10.0, 11.0], [20, 3])) == [20]
    assert change_points(np.repeat([10.0, 11.0], [3, 3])) == [3]


@pytest.mark.parametrize("lengths", [(6, 6, 3), (3, 6, 6), (6, 6, 6, 6)])
def test_both_sides_of_a_change_are_searched(lengths: tuple[int, ...]) -> None:
    values = np.repeat([10.0, 11.0, 20.0, 21.0][: len(lengths)], lengths)
    assert change_points(values) == list(np.cumsum(lengths)[:-1])


@pytest.mark.parametrize(
    ("levels", "places"),
    [
        (
            # Of the whole, the furthest split lies one after the first change.
            [
                [12.2, 11.8, 12.2, 11.8, 12.0],
                [11.2, 10.8, 11.0, 10.9, 10.9],
                [10.1, 10.1, 9.8, 9.9, 9.8, 10.1, 10.1],
            ],
            [5, 10],
        ),
        (
            # It lies one before the second.
            [
                [10.8, 11.2, 11.2, 10.9, 11.1, 11.1, 11.0],
                [12.0, 12.0, 11.9, 12.2],
                [12.9, 12.9, 13.2, 13.1, 12.9, 13.1, 13.0],
            ],
            [7, 11],
        ),
        (
            # A level of three: with one value of the next, its start would be another.
            [[12.1, 12.2, 11.9, 12.1, 12.0], [10.2, 10.2, 10.0], [14.8, 14.9, 14.8, 15.2]],
            [5, 8],
        ),
    ],
)
def test_a_cut_is_made_again_between_its_neighbours(
    levels: list[list[float]], places: list[int]
) -> None:
    assert change_points(np.concatenate(levels)) == places


def test_a_large_step_needs_few_values_and_a_small_one_more() -> None:
    values = noise(40)
    values[20:] *= 1.3
    assert change_points(values[:23]) == [20]
    values = noise(40)
    values[20:] *= 1.03
    assert change_points(values[:23]) == []
    (anchor,) = change_points(values)
    assert abs(anchor - 20) <= 2


@pytest.mark.parametrize("n", range(2 * LEAST))
def test_a_short_series_has_no_change(n: int) -> None:
    assert change_points(np.arange(float(n)) ** 4) == []


def test_outliers_are_no_change() -> None:
    values = noise(40)
    values[[7, 20, 21, 39]] *= 3
    assert change_points(values) == []


def test_neither_unit_nor_direction_matters() -> None:
    values = noise(30)
    values[12:] *= 1.2
    assert change_points(values) == change_points(1e-9 * values) == change_points(-values) == [12]
    assert change_points(values[::-1]) == [18]


def test_equal_values_are_one_level_and_a_clock_hides_a_step() -> None:
    assert change_points(np.full(30, 7.0)) == []
    values = np.array([10.0] * 4 + [11.0] * 4)
    assert deviates(values).max() > bound()
    assert change_points(values) == [4]  # an exact clock cannot do this by chance
    assert change_points(values, step=1.0) == []
    assert change_points(np.repeat(values, 3), step=1.0) == [12]


def test_a_drift_has_changes() -> None:
    values = noise(40) * 1.01 ** np.arange(40)
    assert len(change_points(values)) >= 2


def test_a_family_needs_more() -> None:
    assert chance(bound()) == pytest.approx(5e-5)
    assert chance(bound(10)) == pytest.approx(5e-6)
    values = noise(13)
    values[7:] *= 1.07
    assert change_points(values) == [7]
    assert change_points(values, tests=1000) == []


def test_noise_rarely_has_a_change_at_any_look(study: ModuleType) -> None:
    assert study.alarms(study.World(), 150) <= 7  # 1 % of them, in the study


def test_a_step_of_five_per_cent_is_found_soon(study: ModuleType) -> None:
    rows = study.World(at=25).series(40)
    assert sum(study.delay(row, 25) <= 12 for row in rows) >= 33
