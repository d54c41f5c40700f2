"""Welch's t test of two sides, with outliers of each side brought nearer.

A permutation test takes both sides for equally spread when it builds its distribution; with five
runs that vary by 2 % against five that vary by 15 % it errs too often. This test uses each side's
own spread (Welch 1938). A value further from its side's median than so many robust deviations is
left out of the mean, and brought back to there for the variance (Yuen 1974).

Welch's degrees of freedom are an estimate, and far out in the tails of five runs it is too large as
often as not; the harmonic mean with their lower bound, the smaller side's own, kept the level in
simulations of nine tests where the lower bound alone would cost needless runs.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats.spread import robust_deviation
from benchkit.stats.statistic import normal_deviate

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Robust standard deviations from the median of its side beyond which a value is an outlier.
BOUND: Final = 4.0
_TINY: Final = 1e-300


def p_value(baseline: Floats, variant: Floats) -> float:
    """Return the two-sided p-value of equal centres (1-D logarithms, at least two a side)."""
    base, base_error, base_freedom = _centre(baseline)
    centre, error, freedom = _centre(variant)
    both = error + base_error + _TINY
    welch = both**2 / (error**2 / freedom + base_error**2 / base_freedom + _TINY)
    least = min(freedom, base_freedom)
    between = 2 / (1 / max(welch, least) + 1 / least)
    t_squared = np.asarray((centre - base) ** 2 / both)
    return math.erfc(float(normal_deviate(t_squared, np.asarray(between))) / math.sqrt(2))


def _centre(values: Floats) -> tuple[float, float, float]:
    """Return trimmed mean, its squared standard error, and the degrees of freedom."""
    middle = np.median(values)
    bound = BOUND * robust_deviation(values)
    # Where most runs agree to the step of a clock, the others are no outliers.
    near = np.clip(values, middle - bound, middle + bound) if bound else values
    kept = values[near == values]
    if 4 * len(kept) < 3 * len(values):  # so many are a shape, not outliers
        near = kept = values
    squares = float(((near - near.mean()) ** 2).sum())
    return float(kept.mean()), squares / (len(kept) * (len(kept) - 1)), len(kept) - 1.0


def holm_sidak(p_values: dict[int, float], tests: int) -> dict[int, float]:
    """Return p-values adjusted for so many tests in all, step by step (Holm 1979, Šidák 1967).

    Args:
        p_values: By index.
        tests: At least as many as there are p-values.
    """
    ordered = sorted(p_values, key=p_values.__getitem__)
    each = (
        -math.expm1((tests - rank) * math.log1p(-min(p_values[index], 1 - 1e-16)))
        for rank, index in enumerate(ordered)
    )
    return dict(zip(ordered, accumulate(each, max), strict=True))
