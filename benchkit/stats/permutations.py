"""How runs could have changed sides: all ways where they are few, else a sample of them.

A row is one way; the first row is what was done. The sample is drawn with a fixed seed, so that
the same runs always give the same p-value.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Up to so many ways they are all taken; eight against eight runs have 6,435.
MOST_EXACT: Final = 6500
_DRAWS: Final = 5000
_FEWEST_DRAWS: Final = 1000
#: Numbers in a matrix; beyond it the sample is smaller, as thousands of runs have no need of it.
_CELLS: Final = 1_000_000
_SEED: Final = 20_240


@lru_cache(maxsize=4)
def flips(pairs: int) -> Floats:
    """Return signs of pairs (ways × pairs), each 1 or -1.

    The first pair keeps its sign: turning all of them round leaves a two-sided statistic alone.
    """
    if 2 ** (pairs - 1) <= MOST_EXACT:
        signs = itertools.product((1.0, -1.0), repeat=pairs - 1)
        return np.array([(1.0, *rest) for rest in signs])
    drawn = np.random.default_rng(_SEED).choice((1.0, -1.0), (_draws(pairs), pairs))
    drawn[0] = 1.0
    return np.asarray(drawn)


@lru_cache(maxsize=4)
def splits(baseline: int, variant: int) -> Floats:
    """Return who is baseline (ways × runs of both sides): 1 for a run that is, else 0.

    Where the sides are of equal size the first run always is, as naming them the other way round
    leaves a two-sided statistic alone.
    """
    total = baseline + variant
    fixed = int(baseline == variant)
    if math.comb(total, baseline) <= MOST_EXACT * (1 + fixed):
        rest = itertools.combinations(range(fixed, total), baseline - fixed)
        rows = np.array([(*range(fixed), *row) for row in rest])
    else:
        draws = np.random.default_rng(_SEED).random((_draws(total), total))
        draws[0] = np.arange(total)
        rows = np.argpartition(draws, baseline - 1, axis=1)[:, :baseline]
    chosen = np.zeros((len(rows), total))
    np.put_along_axis(chosen, rows, 1.0, axis=1)
    return chosen


def _draws(columns: int) -> int:
    return min(max(_CELLS // columns, _FEWEST_DRAWS), _DRAWS)
