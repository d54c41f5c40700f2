"""What repair hands to parsers."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    """A clean line: the line of the file it begins on, from 0, and what it says."""

    number: int
    text: str
