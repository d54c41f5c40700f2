"""How often verdicts are wrong, and intervals right, where they once were not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from benchkit.model.comparison import Effect
from tests.compare.runs import effects, interleaved, repeated

Generator = np.random.Generator
SETS = 100
WRONG = {"faster", "slower"}


def at_most(share: float, sets: int = SETS) -> int:
    """The most that chance gives in 99.9 % of experiments where a share is expected."""
    return math.ceil(sets * share + 3.1 * math.sqrt(sets * share * (1 - share)))


def normal(rng: Generator, runs: int, deviation: float) -> list[float]:
    return [float(np.exp(x)) for x in rng.normal(0, deviation, runs)]


def judged(
    make: Callable[[Generator], tuple[list[float], list[float]]],
    *,
    sets: int = SETS,
    column: str = "latency_p50_s",
    **columns: object,
) -> Iterator[Effect]:
    """The effect in one metric for each of many experiments."""
    for seed in range(sets):
        base, variant = make(np.random.default_rng(seed))
        (effect,) = effects(repeated({"a": {column: base}, "b": {column: variant}}, **columns))
        yield effect


def covered(listed: Iterator[Effect], ratio: float) -> list[bool]:
    """Whether each interval holds the true ratio; no interval says nothing, and is right."""
    return [e.interval is None or e.interval.low <= ratio <= e.interval.high for e in listed]


class TestCoarseClock:
    """Steps of 1 ms, 3.2 ms against 30 % more: the step belongs in the interval."""

    @pytest.mark.parametrize(
        ("runs", "cut"), [(8, round), (20, math.floor)], ids=["rounded", "cut off"]
    )
    def test_the_interval_covers(self, runs: int, cut: Callable[[float], int]) -> None:
        """Once in 57 and 14 % of the experiments."""

        def make(rng: Generator) -> tuple[list[float], list[float]]:
            sides = [
                [cut(3.2 * by * noise) / 1000 for noise in normal(rng, runs, 0.05)]
                for by in (1.0, 1.3)
            ]
            return sides[0], sides[1]

        inside = covered(judged(make, sets=60, resolution_s=0.001), 1.3)
        assert inside.count(False) <= at_most(0.05, 60)


class TestUnequalSpread:
    """2 % against 15 %: once 8 to 12 % of false verdicts, and 90 % of covering intervals."""

    @pytest.mark.parametrize("runs", [5, 20])
    def test_neither_verdicts_nor_intervals_are_wrong_too_often(self, runs: int) -> None:
        listed = list(judged(lambda rng: (normal(rng, runs, 0.02), normal(rng, runs, 0.15))))
        assert sum(effect.verdict in WRONG for effect in listed) <= at_most(0.05)
        assert covered(iter(listed), 1.0).count(False) <= at_most(0.07)


class TestCopies:
    def test_ten_per_cent_are_never_the_same_however_noisy_the_machine(self) -> None:
        """5 runs, spread 10 %: once a quarter of the experiments said "the same"."""
        answers: Counter[str] = Counter()
        for seed in range(60):
            rng = np.random.default_rng(seed)
            sides = {
                name: {"latency_p50_s": [by * noise for noise in normal(rng, 5, 0.1)]}
                for name, by in (("a", 1.0), ("copy", 1.0), ("b", 1.1))
            }
            runs = [
                run.with_columns(params='{"aa": "a"}') if run.variant == "copy" else run
                for run in repeated(sides)
            ]
            answers.update(e.verdict for e in effects(runs) if e.variant == "b")
        assert answers["same"] == 0
        assert sum(answers.values()) == 60


class TestDrift:
    """8 repeats while the machine gets slower, bit by bit."""

    @staticmethod
    def experiment(
        seed: int, by: float, *, turns: bool, drift: float = 0.1
    ) -> dict[str, list[float]]:
        """Latencies of 16 runs in their order in time, in turn or one variant after the other."""
        rng = np.random.default_rng(seed)
        machine = np.exp(np.linspace(0, drift, 16) + rng.normal(0, 0.01, 16))
        first = machine[::2] if turns else machine[:8]
        second = machine[1::2] if turns else machine[8:]
        return {"a": [float(x) for x in first], "b": [float(by * x) for x in second]}

    def test_in_turn_five_per_cent_are_found(self) -> None:
        """Once in 59 % of the experiments."""
        verdicts: Counter[str] = Counter()
        for seed in range(40):
            sides = self.experiment(seed, 1.05, turns=True)
            both = {name: {"latency_p50_s": values} for name, values in sides.items()}
            (effect,) = effects(interleaved(both))
            verdicts[effect.verdict] += 1
        assert verdicts["slower"] >= 38

    def test_one_after_the_other_nothing_is_found(self) -> None:
        """Once a drift of 5 to 10 % was a verdict in 36 to 96 % of the experiments."""
        began = np.datetime64("2026-01-01", "ns")
        for seed in range(10):
            sides = self.experiment(seed, 1.0, turns=False)
            both = {name: {"latency_p50_s": values} for name, values in sides.items()}
            runs = [
                run.with_columns(started_at=began + np.timedelta64(10 * n, "s"))
                for n, run in enumerate(repeated(both))
            ]
            (effect,) = effects(runs)
            assert effect.verdict == "inconclusive"
            assert effect.adjusted_p is None


def test_equal_variants_with_three_metrics_rarely_get_a_verdict() -> None:
    """The chance that any of the tests of a scenario is wrong is 5 % in all."""
    wrong = 0
    for seed in range(SETS):
        rng = np.random.default_rng(seed)
        sides = {}
        for name in "abc":
            level = np.array(normal(rng, 8, 0.05))
            sides[name] = {
                "throughput_rps": [float(1000 / x) for x in level],
                "latency_p50_s": [0.01 * float(x) for x in level],
                "latency_p99_s": [0.05 * x for x in normal(rng, 8, 0.2)],
            }
        wrong += any(effect.verdict in WRONG for effect in effects(repeated(sides)))
    assert wrong <= at_most(0.05)
