"""The test statistic under every permutation: a studentised difference of winsorised logarithms.

Studentised by each side's own variance, a permutation test keeps its level where the spreads
differ (Janssen 1997). Winsorised first, so that one outlier among eight runs does not hide an
effect; the bounds are the same for every permutation, which keeps the test exact. Every t value is
turned into the normal deviate of equal probability (Wallace 1959), which makes few and many runs,
equal and unequal spreads comparable in one maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats.permutations import flips, splits

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Differences of pairs are cut off at so many times the median of their sizes.
PAIR_BOUND: Final = 2.5
#: Values are cut off at so many robust standard deviations from the median of all.
VALUE_BOUND: Final = 1.5
#: Share of the whole variance that no variance falls below: what rounding leaves of 0.
_FLOOR: Final = 1e-10
#: Of logarithms: values that agree to twelve digits are equal.
_LEAST_VARIANCE: Final = 1e-24
_NORMAL: Final = 1.4826


def of_pairs(differences: Floats) -> Floats:
    """Return the statistic of each permutation and contrast (ways × contrasts).

    Args:
        differences: Logarithms, pairs × contrasts.
    """
    n = len(differences)
    typical = np.median(np.abs(differences), axis=0)
    bound = np.where(typical > 0, PAIR_BOUND * typical, np.inf)
    values = np.clip(differences, -bound, bound)
    squares = (values**2).sum(axis=0)
    share = (flips(n) @ values) ** 2 / np.where(squares > 0, n * squares, 1.0)
    t_squared = (n - 1) * share / np.maximum(1 - share, _FLOOR)
    return normal_deviate(t_squared, np.asarray(n - 1.0))


def of_sides(baseline: Floats, variant: Floats) -> Floats:
    """Return the statistic of each permutation and contrast (ways × contrasts).

    Args:
        baseline: Logarithms, runs × contrasts.
        variant: The same of the other side.
    """
    sizes = len(baseline), len(variant)
    values = _winsorised(np.concatenate([baseline, variant]))
    chosen = splits(*sizes)
    first, squares = chosen @ values, chosen @ values**2
    second, others = values.sum(axis=0) - first, (values**2).sum(axis=0) - squares
    floor = np.maximum(_FLOOR * (values**2).mean(axis=0), _LEAST_VARIANCE)
    left = np.maximum((squares - first**2 / sizes[0]) / (sizes[0] - 1), floor) / sizes[0]
    right = np.maximum((others - second**2 / sizes[1]) / (sizes[1] - 1), floor) / sizes[1]
    t_squared = (first / sizes[0] - second / sizes[1]) ** 2 / (left + right)
    freedom = (left + right) ** 2 / (left**2 / (sizes[0] - 1) + right**2 / (sizes[1] - 1))
    return normal_deviate(t_squared, freedom)


def normal_deviate(t_squared: Floats, freedom: Floats) -> Floats:
    """Return the size of the normal deviate that is as rare as a t value (Wallace 1959).

    Args:
        t_squared: Squares of t values.
        freedom: Their degrees of freedom; need not be whole.
    """
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    return np.asarray(scale * np.sqrt(freedom * np.log1p(t_squared / freedom)))


def _winsorised(values: Floats) -> Floats:
    """Return values around their median, per column, with those far away brought nearer."""
    centred = values - np.median(values, axis=0)
    typical = _NORMAL * np.median(np.abs(centred), axis=0)
    bound = np.where(typical > 0, VALUE_BOUND * typical, np.inf)
    return np.asarray(np.clip(centred, -bound, bound))
