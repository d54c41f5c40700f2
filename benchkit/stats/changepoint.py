"""Where a series changed its level: the rank-sum test over all splits, and then within the parts.

Each split of a series into what came before and what came after is asked by Wilcoxon's rank sum how
far the two sides lie apart; the furthest split is a change where chance alone would hardly reach
it, and both parts are searched in turn (binary segmentation). Ranks know neither the shape nor the
spread of the noise, so that single outliers make no change. But a dozen of them prove little: where
all values of one side lie beyond all of the other, or the ranks well apart, Student's t may speak
instead, and finds a large step after a few values.

Both are put on one scale, that of a normal deviate, by the chance of each: that of a rank sum is
exact for short sides (counts of partitions), by Edgeworth's series for long ones. On that scale one
bound serves for every length, and it is set for a series that is looked at again after each new
value (`studies/changepoints.py` has what comes of it). Nothing is drawn by lot.
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats.statistic import normal_deviate

if TYPE_CHECKING:
    from benchkit.stats import Floats, Whole

#: Values of a level at least: fewer are outliers.
LEAST: Final = 3
#: The chance of a split, over both directions, below which it is a change.
BOUND: Final = 5e-5
#: Sides so short have their chances counted.
_COUNTED: Final = 16
#: Below it the series is as good as the count.
_NEAR: Final = 2.0
#: Where ranks lie so far apart, Student's t may speak: two outliers on one side do not reach it.
_RANKED: Final = 3.5
_NORMAL: Final = NormalDist()
_TINY: Final = 1e-300


def bound(tests: int = 1) -> float:
    """Return the normal deviate beyond which a split is a change, in one of so many series."""
    return _deviate_of(BOUND / tests)


def change_points(values: Floats, *, tests: int = 1, step: float = 0.0) -> list[int]:
    """Return where the level changes, ascending: the index of the first value of each new level.

    Args:
        values: In their order, any unit, finite; ties are allowed.
        tests: So many series are looked at; all of them together keep the chance of a false
            alarm that one alone has (Bonferroni).
        step: Step of the clock in the unit of the values; 0 where none matters.
    """
    limit = bound(tests)
    edges = [0, *sorted(_segmented(values, step, limit)), len(values)]
    # A first cut was made with further changes on its sides: each is made again between the others.
    for n in range(1, len(edges) - 1):
        low, high = edges[n - 1], edges[n + 1]
        edges[n] = low + _furthest(values[low:high], step)[0]
    return edges[1:-1]


def _segmented(values: Floats, step: float, limit: float) -> list[int]:
    starts: list[int] = []
    waiting = [(0, values)]
    while waiting:
        start, part = waiting.pop()
        if len(part) < 2 * LEAST:
            continue
        at, deviate = _furthest(part, step)
        if deviate > limit:
            starts.append(start + at)
            waiting += [(start, part[:at]), (start + at, part[at:])]
    return starts


def _furthest(values: Floats, step: float) -> tuple[int, float]:
    """Return the length of the first side of the split that lies furthest apart, and how far."""
    apart = deviates(values, step)
    at = int(np.argmax(apart))
    return at + LEAST, float(apart[at])


def deviates(values: Floats, step: float = 0.0) -> Floats:
    """Return how far the sides of each split lie apart, as a normal deviate, never below 0.

    The first is of the split after `LEAST` values, the last of the one before as many.
    """
    n = len(values)
    first = np.arange(LEAST, n - LEAST + 1)
    pairs = first * (n - first)
    sums = np.cumsum(_ranks(values))[first - 1]
    below = sums - first * (first + 1) / 2  # pairs in which the first side has the larger value
    z = np.maximum(np.abs(below - pairs / 2) - 0.5, 0) / np.sqrt(pairs * (n + 1) / 12)
    # Excess kurtosis of the rank sum, and Cornish and Fisher's inversion of Edgeworth's series.
    excess = -1.2 * (n * (n + 1) - pairs) / (pairs * (n + 1))
    apart = np.where(z > 1, z - excess / 24 * (z**3 - 3 * z), z)
    # Ties put half a pair on either side: rounded up, their chance is rather too large.
    tail = np.ceil(np.minimum(below, pairs - below)).astype(int)
    short = np.minimum(first, n - first)
    for at in np.flatnonzero((short <= _COUNTED) & (z > _NEAR)):
        chances = _chances(int(short[at]), int(n - short[at]))
        apart[at] = _deviate_of(chances[tail[at]])
    either = np.maximum(apart, _student(values, first, step))
    return np.asarray(np.where((tail == 0) | (apart > _RANKED), either, apart))


def _student(values: Floats, first: Whole, step: float) -> Floats:
    """Return Student's t of each split as a normal deviate; a step of the clock adds its spread."""
    n = len(values)
    centred = values - np.median(values)
    sums, squares = np.cumsum(centred), np.cumsum(centred**2)
    ahead, behind = sums[first - 1], sums[-1] - sums[first - 1]
    within = squares[-1] - ahead**2 / first - behind**2 / (n - first)
    variance = np.maximum(within, 0) / (n - 2) + step**2 / 12
    least = np.finfo(float).eps * squares[-1] + _TINY  # what is left of equal values is rounding
    difference = ahead / first - behind / (n - first)
    t_squared = difference**2 / (np.maximum(variance, least) * (1 / first + 1 / (n - first)))
    return np.asarray(normal_deviate(t_squared, np.full(len(first), float(n - 2))))


def _ranks(values: Floats) -> Floats:
    """Return the rank of each value from 1; equal values share the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which])


@lru_cache(maxsize=4096)
def _chances(short: int, long: int) -> Floats:
    """Return the chance of at most 0, 1, … pairs in the wrong order, of either direction.

    As many pairs of a side of `short` and one of `long` values are in the wrong order as there are
    partitions of a number into at most `short` parts of at most `long` (Mann and Whitney 1947).
    """
    half = short * long // 2 + 1
    ways = np.zeros(half + 1)
    ways[0] = 1.0
    for part in range(1, short + 1):
        if long + part <= half:
            ways[long + part :] -= ways[: half + 1 - long - part].copy()
        for start in range(part):
            ways[start::part] = np.cumsum(ways[start::part])
    total = float(np.prod([(long + part) / part for part in range(1, short + 1)]))
    return np.minimum(2 * np.cumsum(ways) / total, 1.0)


def _deviate_of(chance: float) -> float:
    return -_NORMAL.inv_cdf(chance / 2)
