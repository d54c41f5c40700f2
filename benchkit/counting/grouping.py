"""Equal numbers taken together: each once, in ascending order, with what belongs to it.

`np.unique` would do, but imports masked arrays, a tenth of what numpy takes to start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchkit.counting.gathering import ENOUGH, gathered

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Whole


def firsts_of(ascending: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
    """Return where each number stands first among ascending ones."""
    new = np.empty(len(ascending), bool)
    new[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    return np.flatnonzero(new)


def counted(numbers: npt.NDArray[np.integer]) -> tuple[Whole, Whole]:
    """Return each number once, and how often it occurs."""
    ascending = np.sort(numbers)
    firsts = firsts_of(ascending)
    return ascending[firsts].astype(np.int64), np.diff(firsts, append=len(ascending))


def summed(keys: Whole, values: Whole) -> tuple[Whole, Whole]:
    """Return each key once, and the sum of its values."""
    quickly = gathered(keys.copy(), values) if len(keys) >= ENOUGH else None
    if quickly is not None:
        return quickly
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    firsts = firsts_of(ascending)
    sums: Whole = np.add.reduceat(values[order], firsts) if len(firsts) else values
    return ascending[firsts], sums
