"""What repair hands to parsers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Piece(NamedTuple):
    """A clean line: the line of the file it begins on, from 0, and what it says."""

    number: int
    text: str


def joined(pieces: Iterable[Piece]) -> str:
    """Return what pieces say as one text, to look for something in all of them at once."""
    return "\n".join([text for _, text in pieces])
