from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.counting import varints

WHOLE = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(WHOLE, max_size=40))
def test_numbers_come_back(numbers: list[int]) -> None:
    given_numbers = np.array(numbers, np.int64)

    assert varints.read(varints.written(given_numbers)).tolist() == numbers


def test_numbers_that_lie_close_together_take_a_byte_each() -> None:
    numbers = np.array([10**12, *range(10**12 + 1, 10**12 + 1000, 3)])

    assert len(varints.written(numbers)) == 6 + len(numbers) - 1


def test_few_numbers_are_written_as_they_look() -> None:
    assert varints.written(np.array([1, 0, 64])) == bytes([2, 1, 0x80, 1])
    assert varints.written(np.array([], np.int64)) == b""


@pytest.mark.parametrize(
    "data",
    [b"\x80", b"\x01\xff", b"\x80" * 10 + b"\x01", b"\x80" * 9 + b"\x02"],
    ids=["cut off", "cut off behind a number", "eleven bytes", "65 bits"],
)
def test_what_is_no_number_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="a number"):
        varints.read(data)
