"""The centre of paired differences: Hodges–Lehmann estimate and signed-rank interval.

The estimate is the median of the means of all two differences (Hodges and Lehmann 1963); the
interval holds the centres that the exact signed-rank test does not reject (Tukey 1949). Beyond
200 pairs the test's normal approximation takes its place; beyond 1,000 the sorted differences are
thinned evenly to 1,000, which moves the estimate by far less than its interval is wide.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from benchkit.stats import Floats, Whole

_EXACT: Final = 200
_MOST: Final = 1000


def centre(differences: Floats) -> float:
    """Return the Hodges–Lehmann estimate of the centre of 1-D differences."""
    means = _means(differences)
    half = len(means) // 2
    ordered = np.partition(means, (half, len(means) - 1 - half))
    return float(ordered[half] + ordered[-1 - half]) / 2


def interval(differences: Floats, level: float) -> tuple[float, float, float] | None:
    """Return bounds of the centre and the level they attain, the smallest not below `level`.

    None where so few differences cannot give it.
    """
    outside, attained = _outside(len(differences), level)
    if attained < level:
        return None
    means = _means(differences)
    cut = int(outside * len(means))
    ordered = np.partition(means, (cut, len(means) - 1 - cut))
    return float(ordered[cut]), float(ordered[-1 - cut]), attained


def thinned(values: Floats) -> Floats:
    """Return the values, sorted; where they are very many, evenly spaced quantiles of them."""
    if len(values) <= _MOST:
        return np.sort(values)
    return np.asarray(np.quantile(values, (np.arange(_MOST) + 0.5) / _MOST))


@lru_cache(maxsize=64)
def _outside(n: int, level: float) -> tuple[float, float]:
    """Return the share of the means that stays outside on each side, and the level attained."""
    total = n * (n + 1) / 2
    if n > _EXACT:
        spread = math.sqrt(total * (2 * n + 1) / 12)
        z = NormalDist().inv_cdf(0.5 + level / 2)
        return max(math.floor(total / 2 - z * spread), 0) / total, level
    below = np.cumsum(_likely(n))
    count = max(int(np.searchsorted(below, (1 - level) / 2 + 1e-12, side="right")) - 1, 0)
    return (count + 1e-6) / total, 1 - 2 * float(below[count])


def _likely(n: int) -> Floats:
    """Return P(S = s) for the sum S of those ranks of 1 to n that a fair coin picks."""
    likely = np.zeros(n * (n + 1) // 2 + 1)
    likely[0] = 1.0
    for rank in range(1, n + 1):
        likely[rank:] += likely[:-rank].copy()
        likely /= 2
    return likely


def _means(differences: Floats) -> Floats:
    values = thinned(differences)
    first, second = _couples(len(values))
    return np.asarray((values[first] + values[second]) / 2)


@lru_cache(maxsize=16)
def _couples(n: int) -> tuple[Whole, Whole]:
    """Return the places of both in each couple of `n` values, each with itself too."""
    return np.triu_indices(n)
