"""How many runs of each variant a question needs.

The formulas are those of two normal samples of logarithms, with the efficiency of a rank test
against them (3/π) and the correction for small samples that a t test needs (Guenther 1981).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from benchkit.compare import ranksum

#: Share of repetitions of the whole experiment that should find what is there.
POWER: Final = 0.8
ALPHA: Final = 0.05
#: Fewer runs than this reach no verdict at all, whatever they say.
LEAST_RUNS: Final = 4
_SEARCH: Final = 1000


def least_runs(tests: int) -> int:
    """Return the fewest runs of each variant that can be significant among so many tests."""
    fitting = (n for n in range(LEAST_RUNS, _SEARCH) if tests * ranksum.least_p(n, n) <= ALPHA)
    return next(fitting, _SEARCH)


def runs_for_effect(effect: float, *, margin: float, deviation: float, tests: int) -> int | None:
    """Return the runs of each variant that find an effect, None where the margin hides it.

    Args:
        effect: 0.05 asks about a ratio of 1.05.
        margin: The interval must lie beyond 1 + margin.
        deviation: Of the logarithm of the metric from run to run.
        tests: How many tests share the 5 %.
    """
    beyond = math.log1p(effect) - math.log1p(margin)
    if beyond <= 0:
        return None
    adjusted = _runs(ALPHA / tests, math.log1p(effect), deviation, POWER)
    outside = _runs(ALPHA, beyond, deviation, POWER)
    return max(adjusted, outside, least_runs(tests))


def runs_for_same(*, margin: float, deviation: float) -> int:
    """Return the runs of each variant that show equality where there is no difference at all."""
    both_sides = 1 - (1 - POWER) / 2
    return max(_runs(2 * ALPHA, math.log1p(margin), deviation, both_sides), LEAST_RUNS)


def _runs(alpha: float, distance: float, deviation: float, power: float) -> int:
    normal = NormalDist()
    critical = normal.inv_cdf(1 - alpha / 2)
    z = critical + normal.inv_cdf(power)
    large = 2 * (z * deviation / distance) ** 2 * math.pi / 3
    return math.ceil(large + critical**2 / 4 - 1e-9)
