"""Rows of tables drawn with characters."""

from benchkit.text.tables import cells


def test_emphasis_and_escapes_are_taken_off() -> None:
    assert cells(r"| **50%** | `13 ms` | _x_ | a \| b |") == ["50%", "13 ms", "x", "a | b"]
    assert cells("| a | | b |  |") == ["a", "", "b", ""]
    assert cells("a | b") == ["a", "b"]
