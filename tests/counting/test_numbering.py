import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchkit.counting.numbering import Numbering

numbers = st.lists(st.integers(0, 40) | st.integers(0, 2**62))


def numbering(*values: int) -> Numbering:
    return Numbering.from_numbers(np.array(values, np.int64))


def test_what_comes_out_of_order_is_not_missing() -> None:
    whole = numbering(2, 0, 1) + numbering(5, 3) + numbering(4)
    assert (whole.starts.tolist(), whole.ends.tolist(), whole.missing) == ([0], [6], 0)


def test_a_gap_at_the_start_or_inside_is_missing() -> None:
    assert numbering(1, 2, 5).missing == 3
    assert Numbering().missing == 0


@given(numbers, numbers)
def test_the_same_as_a_set_in_any_order(first: list[int], other: list[int]) -> None:
    expected = max({*first, *other}, default=-1) + 1 - len({*first, *other})
    assert (numbering(*first) + numbering(*other)).missing == expected
    assert (numbering(*other) + numbering(*first)).missing == expected
    assert numbering(*first, *other).missing == expected


@given(numbers, numbers)
def test_what_occurs_again_is_counted(first: list[int], other: list[int]) -> None:
    expected = len(first) + len(other) - len({*first, *other})
    assert (numbering(*first) + numbering(*other)).repeated == expected
    assert numbering(*first, *other).repeated == expected
