"""Cells put together by machine code: the same as by numpy."""

from __future__ import annotations

import numpy as np
import pytest

from benchkit.counting import gathering
from benchkit.counting.grouping import summed

MASK, LARGEST = 7 << 19, 6 << 19


@pytest.fixture(autouse=True)
def _compiler() -> None:
    if gathering.load() is None:
        pytest.skip("no compiler")


@pytest.mark.parametrize("most", [10, 2**13, 2**30, 2**62])
@pytest.mark.parametrize("ascending", [True, False])
def test_each_key_has_the_sum_of_its_values(most: int, *, ascending: bool) -> None:
    rng = np.random.default_rng(1)
    keys = rng.integers(0, most, 20_000) & ~LARGEST
    keys = np.sort(keys) if ascending else keys
    values = rng.integers(0, 2**40, len(keys))
    wanted = summed(keys, values)
    before = values.copy()
    gathered = gathering.gathered(keys.copy(), values, MASK, LARGEST)
    assert gathered is not None
    np.testing.assert_array_equal(gathered[0], wanted[0])
    np.testing.assert_array_equal(gathered[1], wanted[1])
    np.testing.assert_array_equal(values, before)


def test_of_facts_the_greatest_counts() -> None:
    keys = np.tile(np.array([5 | LARGEST, 5, 3 | LARGEST]), 2000)
    gathered = gathering.gathered(keys, np.arange(6000), MASK, LARGEST)
    assert gathered is not None
    assert gathered[0].tolist() == [5, 3 | LARGEST, 5 | LARGEST]
    assert gathered[1].tolist() == [sum(range(1, 6000, 3)), 5999, 5997]


def test_few_cells_and_times_before_1970_are_left_to_numpy() -> None:
    few = np.arange(gathering.ENOUGH - 1)
    assert gathering.gathered(few, few, MASK, LARGEST) is None
    early = np.arange(-1, gathering.ENOUGH)
    assert gathering.gathered(early, early, MASK, LARGEST) is None
    assert early[0] == -1
