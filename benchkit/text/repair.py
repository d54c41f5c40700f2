"""Undoes what pages, logs and editors do to printed reports, whatever tool printed them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A clean line: the line of the file it begins on, from 0, and what it says."""

    number: int
    text: str


def pieces(lines: Sequence[str]) -> list[Piece]:
    """Return the lines of a text as pieces, in order."""
    return [Piece(number, line) for number, line in enumerate(lines)]
