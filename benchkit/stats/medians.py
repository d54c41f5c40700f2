"""The difference of two medians, with an interval that assumes no shape and no equal spread.

Each side's median lies between two of its order statistics with a known probability, whatever
the distribution (Thompson 1936); between two such levels the bounds are interpolated
(Hettmansperger and Sheather 1986). The two intervals are combined by the method of variance
estimates recovery (Donner and Zou 2012), so the difference of the sample medians is always
inside.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats.contrast import LEAST_RUNS

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: How much more doubt than asked for is taken: five values have 6.25 %, and 5 % are asked for.
_SLACK: Final = 1.26


def interval(baseline: Floats, variant: Floats, level: float) -> tuple[float, float, float] | None:
    """Return bounds of the median of `variant` minus that of `baseline` (1-D), and the level.

    None where a side has too few values for this level.
    """
    base_bounds, bounds = median_bounds(baseline, level), median_bounds(variant, level)
    if base_bounds is None or bounds is None:
        return None
    base_low, base, base_high = base_bounds
    low, centre, high = bounds
    difference = centre - base
    return (
        difference - math.hypot(centre - low, base_high - base),
        difference + math.hypot(high - centre, base - base_low),
        level,
    )


def median_bounds(values: Floats, level: float) -> tuple[float, float, float] | None:
    """Return lower bound, median, upper bound; None where so few values cannot give the level."""
    rank = _rank(len(values), level)
    if rank is None:
        return None
    outside, share = rank
    ordered = np.sort(values)
    low = ordered[outside] + share * (ordered[outside + 1] - ordered[outside])
    high = ordered[-1 - outside] + share * (ordered[-2 - outside] - ordered[-1 - outside])
    return float(low), float(np.median(ordered)), float(high)


@lru_cache(maxsize=256)
def _rank(n: int, level: float) -> tuple[int, float] | None:
    """Return how many values stay outside on each side, and the share of the way to the next.

    Five values reach 93.75 %, which is taken for 95 %: a quarter more doubt, no more at any level.
    """
    if n < LEAST_RUNS:
        return None
    below = _binomial(n)  # P(fewer than or exactly k of n values are below the median)
    levels = 1 - 2 * below[: (n + 1) // 2]
    if levels[0] < level:
        return (0, 0.0) if 1 - levels[0] <= _SLACK * (1 - level) else None
    outside = int(np.nonzero(levels >= level)[0][-1])
    if outside + 1 >= len(levels):
        return outside, 0.0
    part = (levels[outside] - level) / (levels[outside] - levels[outside + 1])
    first = outside + 1
    return outside, float((n - first) * part / (first + (n - 2 * first) * part))


def _binomial(n: int) -> Floats:
    """Return P(X <= k) for k from 0 to n, X the heads of n fair coins."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    return np.asarray(np.cumsum(np.exp(logs[-1] - logs - logs[::-1] - n * math.log(2))))
