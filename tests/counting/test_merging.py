"""Cells in order put together by machine code: the same as by sorting all of them."""

from __future__ import annotations

import numpy as np
import pytest

from benchkit.counting import merging
from benchkit.counting.arrays import Whole

#: In a key of these tests: the slice, three bits of a kind, five of a bin.
SHIFT = 8
MASK, LARGEST = 7 << 5, 6 << 5


@pytest.fixture(autouse=True)
def _compiler() -> None:
    if merging.load() is None:
        pytest.skip("no compiler")


def cells(seed: int, count: int, first: int, last: int) -> tuple[Whole, Whole]:
    rng = np.random.default_rng(seed)
    keys = np.unique(rng.integers(first << SHIFT, last << SHIFT, count))
    return keys, rng.integers(0, 2**40, len(keys))


def together(keys: Whole, values: Whole) -> list[tuple[int, int]]:
    totals: dict[int, int] = {}
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        known = totals.get(key, 0)
        totals[key] = max(known, value) if key & MASK == LARGEST else known + value
    return sorted(totals.items())


def pairs(merged: tuple[Whole, Whole] | None) -> list[tuple[int, int]]:
    assert merged is not None
    return list(zip(*(column.tolist() for column in merged), strict=True))


@pytest.mark.parametrize(
    "others", [(9000, 5, 60), (9000, 40, 90), (9000, 200, 300), (3, -4, 500), (0, 0, 1)]
)
def test_two_parts_become_one(others: tuple[int, int, int]) -> None:
    first, second = cells(1, 9000, -20, 60), cells(2, *others)
    keys, values = map(np.concatenate, zip(first, second, strict=True))
    assert pairs(merging.merged(first, second, MASK, LARGEST)) == together(keys, values)
    assert pairs(merging.merged(second, first, MASK, LARGEST)) == together(keys, values)


def test_every_two_slices_become_one() -> None:
    keys, values = cells(3, 9000, -21, 60)
    within = (1 << SHIFT) - 1
    doubled = (keys >> SHIFT >> 1 << SHIFT) | (keys & within)
    halved = merging.halved((keys, values), SHIFT, MASK, LARGEST)
    assert pairs(halved) == together(doubled, values)


def test_few_cells_are_left_to_numpy() -> None:
    few = cells(4, 50, 0, 10)
    assert merging.merged(few, few) is None
    assert merging.halved(few, SHIFT) is None
