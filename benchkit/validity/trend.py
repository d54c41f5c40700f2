"""Whether values rise or fall in their order: the test of Mann (1945), Kendall's of one ranking."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Final

#: Of more values the number of inversions is about normal.
_MOST_EXACT: Final = 30


def trend_p(values: Sequence[float]) -> float:
    """Return how often values without a trend look as steady or steadier, two-sided.

    Equal ones count against a trend.
    """
    n = len(values)
    pairs = n * (n - 1) // 2
    before: list[float] = []
    rising = falling = 0
    for value in values:
        rising += bisect_left(before, value)
        falling += len(before) - bisect_right(before, value)
        insort(before, value)
    against = pairs - max(rising, falling)
    if n > _MOST_EXACT:
        spread = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
        return min(1.0, math.erfc((pairs - 2 * against - 1) / spread / math.sqrt(2)))
    return min(1.0, 2 * sum(_inversions(n)[: against + 1]) / math.factorial(n))


@cache
def _inversions(n: int) -> tuple[int, ...]:
    """Return how many orders of `n` values have no, one, two, … inversions."""
    if n < 2:
        return (1,)
    before = _inversions(n - 1)
    sums = [0, *accumulate((*before, *[0] * (n - 1)))]
    return tuple(sums[k + 1] - sums[max(k + 1 - n, 0)] for k in range(len(before) + n - 1))
