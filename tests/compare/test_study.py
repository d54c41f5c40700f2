"""A small version of the study in studies/: how often verdicts are wrong, and right."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    spec = importlib.util.spec_from_file_location("aa_ab", ROOT / "studies" / "aa_ab.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_equal_variants_rarely_get_a_verdict(study: ModuleType) -> None:
    wrong, spreads = study.false_verdicts(100)
    assert wrong <= 8
    assert spreads["latency_p50_s"] == pytest.approx(0.017, abs=0.003)
    assert spreads["latency_p99_s"] == pytest.approx(0.236, abs=0.03)


def test_ten_per_cent_are_found_where_runs_vary_by_two(study: ModuleType) -> None:
    shares = study.called(60, spread=0.02, effect=0.10)
    assert min(shares.values()) >= 0.95


@pytest.mark.parametrize("shape", ["normal", "heavy tails"])
@pytest.mark.parametrize("runs", [8, 12])
def test_intervals_cover_as_often_as_they_say(study: ModuleType, shape: str, runs: int) -> None:
    inside, level = study.coverage(runs, 2000, shape=shape)
    assert inside == pytest.approx(level, abs=0.02)


def test_the_runs_that_are_said_to_be_needed_are_enough(study: ModuleType) -> None:
    for spread, effect in ((0.05, 0.10), (0.02, 0.05)):
        needed = study.runs_for_effect(effect, margin=0.01, deviation=spread, tests=3)
        assert 0.7 < study.power(needed, 300, spread=spread, effect=effect) < 0.95
