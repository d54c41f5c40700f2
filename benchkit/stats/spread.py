"""The spread of a sample that one outlier does not ruin."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats.pairs import thinned

if TYPE_CHECKING:
    from benchkit.stats import Floats, Whole

_NORMAL: Final = 2.2219
#: Makes the mean right for so many normal values (Croux and Rousseeuw 1992).
_SMALL: Final = {2: 0.399, 3: 0.994, 4: 0.512, 5: 0.844, 6: 0.611, 7: 0.857, 8: 0.669, 9: 0.872}


def robust_deviation(values: Floats) -> float:
    """Return Qn, which estimates the standard deviation of normal values; 0 of a single one.

    It is the lower quartile of the distances between all two values; up to half of them may be
    outliers (Rousseeuw and Croux 1993).
    """
    ordered = thinned(values)
    n = len(ordered)
    if n < 2:
        return 0.0
    first, second = _couples(n)
    half = n // 2 + 1
    rank = half * (half - 1) // 2 - 1
    distance = float(np.partition(ordered[second] - ordered[first], rank)[rank])
    return _NORMAL * distance * _SMALL.get(n, n / (n + (1.4 if n % 2 else 3.8)))


@lru_cache(maxsize=16)
def _couples(n: int) -> tuple[Whole, Whole]:
    """Return the places of both in each couple of `n` values."""
    return np.triu_indices(n, 1)
