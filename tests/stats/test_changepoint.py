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

from benchkit.stats.changepoint import LEAST, bound, change_points, deviates

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


def test_counted_and_approximated_chances_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    values = noise(40)
    values[18:] += 0.03
    counted = deviates(values)
    monkeypatch.setattr("benchkit.stats.changepoint._COUNTED", 0)
    long = slice(8 - LEAST, LEAST - 8)
    assert deviates(values)[long] == pytest.approx(counted[long], abs=0.12)
    assert counted.max() > 3


def test_a_step_is_found_where_it_is() -> None:
    values = noise(40)
    values[25:] *= 1.1
    assert change_points(values) == [25]
    values[10:25] *= 0.9
    assert change_points(values) == [10, 25]


def test_a_large_step_needs_few_values_and_a_small_one_more() -> None:
    values = noise(40)
    values[20:] *= 1.3
    assert change_points(values[:23]) == [20]
    values = noise(40)
    values[20:] *= 1.03
    assert change_points(values[:23]) == []
    (place,) = change_points(values)
    assert abs(place - 20) <= 2


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
    assert change_points(values) == [4]  # an exact clock cannot do this by chance
    assert change_points(values, step=1.0) == []
    assert change_points(np.repeat(values, 3), step=1.0) == [12]


def test_a_drift_has_changes() -> None:
    values = noise(40) * 1.01 ** np.arange(40)
    assert len(change_points(values)) >= 2


def test_a_family_needs_more() -> None:
    assert bound(9) > bound(1)
    values = noise(13)
    values[7:] *= 1.07
    assert change_points(values) == [7]
    assert change_points(values, tests=1000) == []


def test_noise_rarely_has_a_change_at_any_look(study: ModuleType) -> None:
    assert study.alarms(study.World(), 150) <= 7  # 1 % of them, in the study


def test_a_step_of_five_per_cent_is_found_soon(study: ModuleType) -> None:
    rows = study.World(at=25).series(40)
    assert sum(study.delay(row, 25) <= 12 for row in rows) >= 33
