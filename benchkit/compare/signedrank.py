"""The exact signed-rank (Wilcoxon) test of paired differences, and the interval it implies.

Differences of 0 say nothing about a direction and are left out of the test; tied sizes share
their mean rank, and the p-value is that of all sign changes, exact with ties as well.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.compare.ranksum import EXACT_UP_TO, Interval, doubled_ranks, doubled_tail

if TYPE_CHECKING:
    from benchkit.compare.ranksum import Floats

#: From so many pairs on, pairing is worth what it costs; five pairs could never reach 5 %.
LEAST_PAIRS: Final = 12


def p_value(differences: Floats) -> float:
    """Return the two-sided p-value of the hypothesis that the differences scatter around 0."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    ranks = doubled_ranks(np.abs(moved))
    observed = int(ranks[moved > 0].sum())
    if len(moved) > EXACT_UP_TO:
        off = max(abs(observed - int(ranks.sum()) / 2) / 2 - 0.5, 0.0)
        spread: float = math.sqrt(sum(rank**2 for rank in ranks.tolist())) / 4
        return min(1.0, 2 * NormalDist().cdf(-off / spread))
    return doubled_tail(_likely(tuple(sorted(ranks.tolist()))), observed)


def least_p(pairs: int) -> float:
    """Return the smallest p-value that so many pairs can give: all in one direction."""
    return 2.0 ** (1 - pairs)


def shift(differences: Floats) -> float:
    """Return the Hodges–Lehmann estimate: the median of the means of all two differences."""
    return float(np.median(_walsh(differences)))


def interval(differences: Floats, level: float) -> Interval:
    """Return the interval for the centre of the differences, as `ranksum.interval` does."""
    averages = np.sort(_walsh(differences))
    outside, confidence = _left_out(len(differences), level)
    return Interval(float(averages[outside]), float(averages[-1 - outside]), confidence)


@lru_cache(maxsize=64)
def _left_out(n: int, level: float) -> tuple[int, float]:
    if n > EXACT_UP_TO:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        z = NormalDist().inv_cdf(0.5 + level / 2)
        return max(math.floor(n * (n + 1) / 4 - z * spread), 0), level
    below = np.cumsum(_likely(tuple(range(1, n + 1))))
    outside = max(int(np.searchsorted(below, (1 - level) / 2 + 1e-12, side="right")) - 1, 0)
    return outside, 1 - 2 * float(below[outside])


@lru_cache(maxsize=256)
def _likely(ranks: tuple[int, ...]) -> Floats:
    """Return P(S = s) for the sum S of the ranks that a fair coin picks."""
    ways = np.zeros(sum(ranks) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    return np.asarray(ways / 2.0 ** len(ranks))


def _walsh(differences: Floats) -> Floats:
    first, second = np.triu_indices(len(differences))
    return np.asarray((differences[first] + differences[second]) / 2)
