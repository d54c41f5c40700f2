"""Cells in the order of their keys put together: those of two parts, or of neighbouring slices.

As a loop for a compiler, in time linear in the cells.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, PLR0917

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from benchkit.counting.gathering import ENOUGH
from benchkit.runtime import jit

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole


def blend(
    keys: Any,
    values: Any,
    at: Any,
    stop: Any,
    other_keys: Any,
    other_values: Any,
    other: Any,
    end: Any,
    to_keys: Any,
    to_values: Any,
    to: Any,
    low: Any,
    high: Any,
    mask: Any,
    largest: Any,
) -> Any:
    """Merge the cells from `at` to `stop` and the others from `other` to `end`.

    Of keys only the bits of `low` are looked at; the new ones have those of `high` beside them.
    Returns how many cells there are, with the `to` before them.
    """
    while at < stop and other < end:
        ours, theirs = keys[at] & low, other_keys[other] & low
        key = min(ours, theirs)
        mine, yours = values[at] * (ours == key), other_values[other] * (theirs == key)
        at += ours == key
        other += theirs == key
        to_keys[to] = key | high
        to_values[to] = max(mine, yours) if (key & mask) == largest else mine + yours
        to += 1
    while at < stop:
        to_keys[to], to_values[to] = (keys[at] & low) | high, values[at]
        at += 1
        to += 1
    while other < end:
        to_keys[to], to_values[to] = (other_keys[other] & low) | high, other_values[other]
        other += 1
        to += 1
    return to


def merge(
    keys: Any,
    values: Any,
    other_keys: Any,
    other_values: Any,
    to_keys: Any,
    to_values: Any,
    numbers: Any,
) -> int:
    """Merge cells with others; each have ascending keys, of which none stands twice.

    `numbers` are how many cells there are, and how many others; a mask of the keys, and what
    stands under it where the greatest value counts and not the sum; where in a key its slice
    begins, or 0. Where that is told there are no others: every two slices, an even one and the
    next, become one of half the number.

    Returns how many keys there are; they stand in `to_keys`, which has room for all.
    """
    size, others, mask, largest, shift = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    if shift == 0:
        return blend(  # type: ignore[no-any-return]
            keys, values, 0, size, other_keys, other_values, 0, others,
            to_keys, to_values, 0, -1, 0, mask, largest,
        )  # fmt: skip
    low, cells, at = (1 << shift) - 1, 0, 0
    while at < size:
        now = keys[at] >> shift
        middle = at + 1
        while middle < size and keys[middle] >> shift == now:
            middle += 1
        stop = middle
        if now & 1 == 0:
            while stop < size and keys[stop] >> shift == now + 1:
                stop += 1
        cells = blend(
            keys, values, at, middle, keys, values, middle, stop,
            to_keys, to_values, cells, low, (now >> 1) << shift, mask, largest,
        )  # fmt: skip
        at = stop
    return cells


@cache
def load() -> jit.Code | None:
    """Return `merge` as machine code, None where there is no compiler or it fails."""
    return jit.load("merging", jit.Loop(merge, " ".join(["i8*"] * 7), inlined=(blend,)))


def merged(
    cells: tuple[Whole, Whole], others: tuple[Whole, Whole], mask: int = 0, largest: int = -1
) -> tuple[Whole, Whole] | None:
    """Return each key of two parts once, in ascending order, with the sum of its values.

    The keys of each part ascend, and none stands twice. Of keys that under a mask are `largest`
    it is the greatest value. None where the machine code was not loaded before, as few cells wait
    for no compiler.
    """
    return _called(cells, others, [mask, largest, 0])


def halved(
    cells: tuple[Whole, Whole], shift: int, mask: int = 0, largest: int = -1
) -> tuple[Whole, Whole] | None:
    """Return cells with every two slices, an even one and the next, as one of half the number.

    In the keys, which ascend and of which none stands twice, the slice begins at the bit `shift`;
    for all else see `merged`.
    """
    nothing = np.empty(0, np.int64)
    return _called(cells, (nothing, nothing), [mask, largest, shift])


def _called(
    cells: tuple[Whole, Whole], others: tuple[Whole, Whole], options: list[int]
) -> tuple[Whole, Whole] | None:
    size = len(cells[0]) + len(others[0])
    if size < ENOUGH or not load.cache_info().currsize or (code := load()) is None:
        return None
    given = [np.ascontiguousarray(column) for column in (*cells, *others)]
    if any(column.dtype != np.int64 for column in given):
        return None
    keys, values = np.empty(size, np.int64), np.empty(size, np.int64)
    numbers = np.array([len(cells[0]), len(others[0]), *options], np.int64)
    count = code.caller()(*given, keys, values, numbers)
    return keys[:count], values[:count]
