"""How often a gate errs: of changes that change nothing, and of one that does."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from benchkit.api import Results
from benchkit.gates import Conditions, gate
from benchkit.gates.rule import rule
from tests.compare.runs import interleaved, repeated

RUNS: Final = 8
#: From run to run, as real servers on a quiet machine have it, and what pairs have in common.
SPREAD: Final = 0.02
DRIFT: Final = 0.03


def change(seed: int, *, factor: float = 1.0, paired: bool = True, heavy: bool = False) -> Results:
    """Base and head of one commit; a block of interleaved runs drifts together."""
    rng = np.random.default_rng(seed)
    drift = rng.normal(0, DRIFT, RUNS) if paired else np.zeros(RUNS)

    def noise() -> Any:  # noqa: ANN401 - an array
        if heavy:
            return SPREAD * rng.standard_t(3, RUNS)
        return rng.normal(0, SPREAD, RUNS)

    def side(times: float) -> dict[str, list[Any]]:
        return {
            "latency_p50_s": [float(x) for x in 0.01 * times * np.exp(drift + noise())],
            "latency_p99_s": [float(x) for x in 0.05 * times * np.exp(drift + noise())],
            "throughput_rps": [float(x) for x in 1000 / times * np.exp(-drift + noise())],
        }

    made = interleaved if paired else repeated
    sides = {"base": side(1.0), "head": side(factor)}
    return made(sides, tool="vegeta", format="vegeta-json")


def failures(*texts: str, changes: int, **how: Any) -> int:  # noqa: ANN401 - of `change`
    """How many of so many changes fail a check of these rules."""
    asked = Conditions(tuple(map(rule, texts)), baseline="base")
    return sum(gate(change(seed, **how), asked).count("failed") > 0 for seed in range(changes))


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("heavy", [True, False])
def test_of_changes_that_change_nothing_few_fail(*, paired: bool, heavy: bool) -> None:
    # Of 25 at 5 % one fails, and rarely more than three; without a test about half would.
    assert failures("p50<+0%", changes=25, paired=paired, heavy=heavy) <= 3
    assert failures("p50<+5%", changes=25, paired=paired, heavy=heavy) == 0


def test_many_rules_err_no_more_often_than_one() -> None:
    texts = ("p50<+0%", "p99<+0%", "throughput>-0%", "p50>-0%", "p99>-0%", "throughput<+0%")
    # 5 % of 100 are 5, and 10 two standard deviations and a half above; of rules that are held
    # each for itself about 15 would fail.
    assert failures(*texts, changes=100) <= 10


@pytest.mark.parametrize("paired", [True, False])
def test_a_tenth_slower_is_caught(*, paired: bool) -> None:
    assert failures("p50<+3%", changes=40, factor=1.1, paired=paired) >= 36


def test_the_same_change_always_gets_the_same_answer() -> None:
    asked = Conditions((rule("p50<+0%"),), baseline="base")
    assert gate(change(1), asked).rulings == gate(change(1), asked).rulings
