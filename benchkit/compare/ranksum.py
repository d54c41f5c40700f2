"""The exact rank-sum (Mann–Whitney) test of two small samples, and the interval it implies.

The p-value is that of the permutation distribution of the rank sum given the observed ranks,
tied values sharing their mean rank: exact with ties as well. The interval is the set of shifts
that the test does not reject, read from the ordered pairwise differences; its confidence is the
attained one, exact without ties and a lower bound with them, as the interval is closed.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

#: Beyond so many values in all, the normal approximation takes the place of the exact counts.
EXACT_UP_TO: Final = 200


class Interval(NamedTuple):
    """Two bounds, both inside, and the level that the interval attains."""

    low: float
    high: float
    confidence: float


def p_value(x: Floats, y: Floats) -> float:
    """Return the two-sided p-value of the hypothesis that `x` and `y` come from one place."""
    ranks = doubled_ranks(np.concatenate([x, y]))
    observed = int(ranks[: len(x)].sum())
    if len(ranks) > EXACT_UP_TO:
        return _normal_p(ranks, len(x), observed)
    return doubled_tail(_likely(tuple(sorted(ranks.tolist())), len(x)), observed)


def least_p(m: int, n: int) -> float:
    """Return the smallest p-value that `m` against `n` values can give: complete separation."""
    return min(1.0, 2.0 / math.comb(m + n, m))


def shift(x: Floats, y: Floats) -> float:
    """Return the Hodges–Lehmann estimate: the median of all differences of a y and an x."""
    return float(np.median(_differences(x, y)))


def interval(x: Floats, y: Floats, level: float) -> Interval:
    """Return the interval for the shift from `x` to `y` at `level`, or the widest there is.

    Its confidence is the smallest attainable one that is not below `level`; where the samples
    are too small for that, it is the largest attainable one.
    """
    differences = np.sort(_differences(x, y))
    outside, confidence = _left_out(len(x), len(y), level)
    return Interval(float(differences[outside]), float(differences[-1 - outside]), confidence)


def doubled_ranks(values: Floats) -> npt.NDArray[np.int64]:
    """Return twice the rank of each value, ties sharing their mean: whole numbers."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    twice: npt.NDArray[np.int64] = (2 * last - counts + 1)[where]
    return twice


def doubled_tail(likely: Floats, observed: int) -> float:
    """Return twice the smaller tail of a distribution over 0, 1, …, the observed value included."""
    tails = likely[: observed + 1].sum(), likely[observed:].sum()
    return min(1.0, 2.0 * float(min(tails)))


@lru_cache(maxsize=64)
def _left_out(m: int, n: int, level: float) -> tuple[int, float]:
    """Return how many differences are outside on each side, and the level that this attains."""
    if m + n > EXACT_UP_TO:
        spread = math.sqrt(m * n * (m + n + 1) / 12)
        z = NormalDist().inv_cdf(0.5 + level / 2)
        return max(math.floor(m * n / 2 - z * spread), 0), level
    below = _untied(m, n)
    outside = max(int(np.searchsorted(below, (1 - level) / 2 + 1e-12, side="right")) - 1, 0)
    return outside, 1 - 2 * float(below[outside])


@lru_cache(maxsize=64)
def _untied(m: int, n: int) -> Floats:
    """Return P(U <= u) for u from 0 to m·n."""
    likely = _likely(tuple(range(2, 2 * (m + n) + 1, 2)), m)
    return np.asarray(np.cumsum(likely[m * (m + 1) :: 2]))


@lru_cache(maxsize=256)
def _likely(ranks: tuple[int, ...], size: int) -> Floats:
    """Return P(S = s) for the sum S of `size` of the ranks, all choices being equally likely."""
    top = sum(ranks[-size:])
    ways = np.zeros((size + 1, top + 1))
    ways[0, 0] = 1.0
    for rank in ranks:
        ways[1:, rank:] += ways[:-1, : top + 1 - rank].copy()
    return np.asarray(ways[size] / ways[size].sum())


def _normal_p(ranks: npt.NDArray[np.int64], size: int, observed: int) -> float:
    total = len(ranks)
    halves = ranks / 2
    other = total - size
    variance = size * other / (total * (total - 1)) * float(((halves - halves.mean()) ** 2).sum())
    if not variance:
        return 1.0
    off = max(abs(observed / 2 - size * (total + 1) / 2) - 0.5, 0.0)
    return min(1.0, 2 * NormalDist().cdf(-off / math.sqrt(variance)))


def _differences(x: Floats, y: Floats) -> Floats:
    return np.subtract.outer(y, x).ravel()
