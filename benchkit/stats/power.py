"""How many runs of each side a question needs.

Normal formulas on logarithms with the efficiency of the method (2/π for a median, 3/π for signed
ranks) and the correction for small samples that a t test needs (Guenther 1981).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from benchkit.stats.contrast import LEAST_PAIRS, LEAST_RUNS

#: Share of repetitions of the whole experiment that should find what is there.
POWER: Final = 0.8
ALPHA: Final = 0.05
_MEDIAN: Final = 2 / math.pi
_RANKS: Final = 3 / math.pi


def runs_for_effect(effect: float, *, deviation: float, paired: bool, tests: int) -> int:
    """Return the runs of each side that find an effect in 80 % of experiments.

    Args:
        effect: 0.05 asks about a ratio of 1.05, -0.05 about 0.95.
        deviation: Of the logarithm from run to run, as `Estimate.deviation`.
        paired: Whether the runs are interleaved.
        tests: How many tests share the 5 %, counted as if they were independent.

    Raises:
        ValueError: The effect is 0, or -1 and less.
    """
    if not effect:
        raise ValueError("no number of runs finds an effect of 0")
    size = deviation / abs(math.log1p(effect))
    by_test = _runs(ALPHA / tests, POWER, size, paired=paired, efficiency=_RANKS)
    efficiency = _RANKS if paired else _MEDIAN
    by_interval = _runs(ALPHA, POWER, size, paired=paired, efficiency=efficiency)
    return max(by_test, by_interval, LEAST_PAIRS if paired else LEAST_RUNS)


def runs_for_same(*, margin: float, deviation: float, paired: bool) -> int:
    """Return the runs of each side that show equality in 80 % of experiments on equal sides.

    Args:
        margin: 0.03 where ratios from 1/1.03 to 1.03 count as no difference.
        deviation: Of the logarithm from run to run.
        paired: Whether the runs are interleaved.
    """
    efficiency = _RANKS if paired else _MEDIAN
    size = deviation / math.log1p(margin)
    both = 1 - (1 - POWER) / 2
    needed = _runs(2 * ALPHA, both, size, paired=paired, efficiency=efficiency)
    return max(needed, LEAST_PAIRS if paired else LEAST_RUNS)


def _runs(alpha: float, power: float, size: float, *, paired: bool, efficiency: float) -> int:
    """Return the runs for a deviation of `size` times the effect."""
    normal = NormalDist()
    critical = normal.inv_cdf(1 - alpha / 2)
    z = critical + normal.inv_cdf(power)
    large = 2 * (z * size) ** 2 / efficiency
    return math.ceil(large + critical**2 / (2 if paired else 4) - 1e-9)
