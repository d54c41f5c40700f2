"""How many runs of each side a question needs.

Normal formulas on logarithms with the efficiency of the method (2/π for a median, 3/π for signed
ranks) and the correction for small samples that a t test needs (Guenther 1981).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Final

from benchkit.stats import ALPHA, LEVEL, doubt_of_same
from benchkit.stats.contrast import LEAST_PAIRS, LEAST_RUNS

#: Share of repetitions of the whole experiment that should find what is there.
POWER: Final = 0.8
#: What a binary fraction may be off.
_ROUNDED: Final = 1e-9
#: Tests from which on others of the family count, and deviations over the effect that do not mind.
#: Simulated: with 1.84 % (1.24 %) six pairs find 5 % in 58 % (67 %) of families of three (twelve)
#: tests, with 0.74 % in 98 %; seven pairs in 76 to 84 %.
_CROWD: Final = 3
_FAR: Final = 0.18
_MEDIAN: Final = 2 / math.pi
_RANKS: Final = 3 / math.pi


def runs_for_effect(
    effect: float,
    *,
    deviation: float,
    paired: bool,
    tests: int,
    alpha: float = ALPHA,
    power: float = POWER,
    hidden: float = 0.0,
) -> int:
    """Return the runs of each side that find an effect in 80 % of experiments, or as asked.

    Args:
        effect: 0.05 asks about a ratio of 1.05, -0.05 about 0.95.
        deviation: Of the logarithm from run to run, as `Estimate.deviation`.
        paired: Whether the runs are interleaved.
        tests: How many tests share `alpha`, counted as if they were independent.
        alpha: The chance that any of them is wrong.
        power: The share of experiments that should find it.
        hidden: What a clock's step hides of an effect that is above it, as `Estimate.hidden`.

    Raises:
        ValueError: The effect is 0, or -1 and less.
    """
    left = (1 + effect) / (1 + hidden) - 1 if hidden else effect
    if not left:
        raise ValueError("no number of runs finds an effect of 0")
    size = deviation / abs(math.log1p(left))
    by_test = _runs(alpha / tests, power, size, paired=paired, efficiency=_RANKS)
    efficiency = _RANKS if paired else _MEDIAN
    by_interval = _runs(ALPHA, power, size, paired=paired, efficiency=efficiency)
    least = least_runs(alpha, paired=paired)
    # There one way of all alone is rare enough: another metric that reaches as much in it or in
    # another takes the result away, unless this one is far beyond all.
    crowded = paired and tests >= _CROWD and size > _FAR
    return max(by_test, by_interval, least + crowded)


def least_runs(alpha: float, *, paired: bool) -> int:
    """Return the fewest runs of each side that reach a p-value of `alpha` at all."""
    return _least_rare(alpha, paired=paired, ways=_flips if paired else _splits)


def runs_for_same(
    ratio: float,
    *,
    margin: float,
    deviation: float,
    paired: bool,
    variants: int = 1,
    alpha: float = ALPHA,
) -> int:
    """Return the runs of each side that show equality in 80 % of experiments.

    Args:
        ratio: The true one, within the margin.
        margin: 0.03 where ratios from 1/1.03 to 1.03 count as no difference.
        deviation: Of the logarithm from run to run.
        paired: Whether the runs are interleaved.
        variants: How many could be called the same.
        alpha: The chance that any of them is, and should not be.

    Raises:
        ValueError: The ratio is not within the margin.
    """
    left = math.log1p(margin) - abs(math.log(ratio))
    if left <= 0:
        raise ValueError("no number of runs shows equality of what differs by the margin")
    efficiency = _RANKS if paired else _MEDIAN
    chance = doubt_of_same(variants, alpha)
    # Both bounds may be missed where the ratio is 1, one where it is near a bound.
    needed = [
        _runs(chance, power, deviation / distance, paired=paired, efficiency=efficiency)
        for power, distance in ((1 - (1 - POWER) / 2, math.log1p(margin)), (POWER, left))
    ]
    if chance > (1 - LEVEL) * (
        1 - _ROUNDED
    ):  # as an interval that is printed, which the fewest runs have
        return max(*needed, LEAST_PAIRS if paired else LEAST_RUNS)
    return max(*needed, _least_rare(chance, paired=paired, ways=_flips))


def _least_rare(chance: float, *, paired: bool, ways: Callable[[int], int]) -> int:
    """Return the fewest runs of which one of so many ways is no likelier than a chance."""
    runs = LEAST_PAIRS if paired else LEAST_RUNS
    while chance * ways(runs) < 1:
        runs += 1
    return runs


def _flips(runs: int) -> int:
    """Return the ways in which pairs change sides, or values lie about their median; two alike."""
    return int(2 ** (runs - 1))


def _splits(runs: int) -> int:
    """Return the ways in which runs change sides, two alike."""
    return math.comb(2 * runs, runs) // 2


def _runs(alpha: float, power: float, size: float, *, paired: bool, efficiency: float) -> int:
    """Return the runs for a deviation of `size` times the effect."""
    normal = NormalDist()
    critical = -normal.inv_cdf(alpha / 2)
    z = critical + normal.inv_cdf(power)
    large = 2 * (z * size) ** 2 / efficiency
    return math.ceil(large + critical**2 / (2 if paired else 4) - 1e-9)
