"""Cells of one key put together: sorted by radix and added up, as a loop for a compiler."""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0917

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.runtime import jit

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole

#: Bits of a key that are sorted by at once, and the passes that all of a key may need.
_DIGIT: Final = 11
_PASSES: Final = 6
_SIZE: Final = 1 << _DIGIT
#: Fewer cells are put together by numpy.
ENOUGH: Final = 2**12


def gather(
    keys: Any, values: Any, spare_keys: Any, spare_values: Any, starts: Any, numbers: Any
) -> int:
    """Sort cells by their keys, and add up the values of each.

    `keys`, none below 0, and `values` are overwritten; `spare_keys` and `spare_values` are as
    long, `starts` has room for the `_SIZE` values of a digit. `numbers` are how many cells there
    are, a mask of the keys, what stands under it where the greatest value counts and not the
    sum, and room for whether the keys that are left stand in the spare arrays.

    Returns how many keys there are.
    """
    size, mask, largest = numbers[0], numbers[1], numbers[2]
    first, varying, descending = keys[0] + 0, 0, 0
    before = first
    for at in range(size):
        key = keys[at] + 0
        varying |= key ^ first
        if key < before:
            descending += 1
        before = key
    swapped = 0
    for step in range(_PASSES if descending else 0):
        shift = step * _DIGIT
        if (varying >> shift) & (_SIZE - 1) == 0:
            continue
        for digit in range(_SIZE):
            starts[digit] = 0
        for at in range(size):
            starts[(keys[at] >> shift) & (_SIZE - 1)] += 1
        total = 0
        for digit in range(_SIZE):
            many = starts[digit] + 0
            starts[digit] = total
            total += many
        for at in range(size):
            digit = (keys[at] >> shift) & (_SIZE - 1)
            to = starts[digit] + 0
            spare_keys[to] = keys[at]
            spare_values[to] = values[at]
            starts[digit] = to + 1
        keys, spare_keys = spare_keys, keys
        values, spare_values = spare_values, values
        swapped = 1 - swapped
    last, distinct = -1, 0
    for at in range(size):
        key, value = keys[at] + 0, values[at] + 0
        if key != last:
            keys[distinct] = key
            values[distinct] = value
            distinct += 1
            last = key
        elif (key & mask) != largest:
            values[distinct - 1] += value
        elif value > values[distinct - 1]:
            values[distinct - 1] = value
    numbers[3] = swapped
    return distinct


@cache
def load() -> jit.Code | None:
    """Return `gather` as machine code, None where there is no compiler or it fails."""
    return jit.load("gathering", jit.Loop(gather, "i8* i8* i8* i8* i8* i8*"))


def gathered(
    keys: Whole, values: Whole, mask: int = 0, largest: int = -1
) -> tuple[Whole, Whole] | None:
    """Return each key once, in ascending order, with the sum of its values.

    Of keys that under a mask are `largest` it is the greatest. The keys are given away. None, and
    they stay, where the machine code was not loaded before, as few cells wait for no compiler, and
    where a key is below 0.
    """
    if len(keys) < ENOUGH or not load.cache_info().currsize or (code := load()) is None:
        return None
    whole = keys.dtype == values.dtype == np.int64
    if not whole or int(keys.min()) < 0 or not keys.flags.c_contiguous:
        return None
    size, own_values = len(keys), values.copy()
    spare_keys, spare_values = np.empty(size, np.int64), np.empty(size, np.int64)
    numbers = np.array([size, mask, largest, 0], np.int64)
    starts = np.empty(_SIZE, np.int64)
    count = code.caller()(keys, own_values, spare_keys, spare_values, starts, numbers)
    if numbers[3]:
        return spare_keys[:count], spare_values[:count]
    return keys[:count], own_values[:count]
