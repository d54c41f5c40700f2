"""What repair hands to parsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import NamedTuple


class Piece(NamedTuple):
    """A clean line: the line of the file it begins on, from 0, and what it says."""

    number: int
    text: str

    @classmethod
    def numbered(cls, lines: Sequence[str]) -> list[Piece]:
        """Return the lines of a file."""
        return list(map(tuple.__new__, repeat(cls), enumerate(lines)))


def joined(pieces: Iterable[Piece]) -> str:
    """Return what pieces say as one text, to look for something in all of them at once."""
    return "\n".join([text for _, text in pieces])


def changed(
    pieces: Sequence[Piece], whole: str, pattern: re.Pattern[str], change: Callable[[str], str]
) -> Sequence[Piece]:
    """Return the pieces, changed where a pattern is found in them; the same ones if none is.

    Args:
        pieces: The pieces.
        whole: What they say as one text.
        pattern: What has to be in a line that `change` would change.
        change: Returns what a piece says instead.
    """
    shown: list[Piece] | None = None
    at = counted = 0
    matched = pattern.search(whole)
    while matched is not None:
        at += whole.count("\n", counted, matched.start())
        counted = matched.start()
        number, line = pieces[at]
        if (other := change(line)) != line:
            shown = shown or list(pieces)
            shown[at] = Piece(number, other)
        end = whole.find("\n", counted)
        matched = pattern.search(whole, end + 1) if end >= 0 else None
    return pieces if shown is None else shown
