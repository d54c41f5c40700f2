"""A small version of the study: a level that is badly broken shows here."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = ROOT / "studies" / "inference.py"
    spec = importlib.util.spec_from_file_location("inference_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("shape", ["normal", "unequal", "outliers"])
@pytest.mark.parametrize("paired", [False, True])
def test_equal_variants_rarely_get_a_direction(
    study: ModuleType,
    shape: str,
    paired: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    world = study.World(shape, runs=8, variants=2, correlation=0.5, paired=paired)
    assert study.rate(study.any_direction, world, 300) <= 0.09


@pytest.mark.parametrize("clock", ["", "round", "cut"])
def test_intervals_hold_the_true_ratio(study: ModuleType, clock: str) -> None:
    world = study.World(ratios=(1.3,), clock=clock)
    assert study.rate(study.covered, world, 400) >= 0.92


def test_what_differs_by_the_margin_is_rarely_called_the_same(study: ModuleType) -> None:
    world = study.World(ratios=(1.03,), spread=0.005, variants=3)
    assert study.rate(study.any_same, world, 300) <= 0.09


def test_interleaved_runs_find_five_per_cent_through_a_drift(study: ModuleType) -> None:
    world = study.World(paired=True, drift=0.1, correlation=0.5, ratios=(1.05, 1.05, 1 / 1.05))
    assert study.rate(study.right_direction, world, 200) >= 0.9


def test_the_runs_asked_for_are_enough(study: ModuleType) -> None:
    runs = study.runs_for_effect(0.1, deviation=0.05, paired=False, tests=3)
    world = study.World(runs=runs, spread=0.05, ratios=(1.1, 1.0, 1.0))
    assert 0.7 <= study.rate(study.first_direction, world, 200) <= 0.97


def test_a_missed_goal_is_marked(study: ModuleType) -> None:
    assert study.cell(0.05, 4000, 0.05).endswith(")")
    assert study.cell(0.08, 4000, 0.05).endswith("!")
    assert study.cell(0.90, 4000, 0.93).endswith("!")
