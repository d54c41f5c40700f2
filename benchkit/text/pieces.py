"""What repair hands to parsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Final, NamedTuple

#: So many lines that are shorter, at the mean, are numbers or damage: those of reports have 17.6 or
#: more, where blank ones, which cost less to look at, count for less.
MANY_LINES: Final = 30_000
_LEAST_WIDTH: Final = 17
_BLANKS_PER_LINE: Final = 3
#: What a piece says; as a name in a loop it takes five times as long.
_TEXT: Final = itemgetter(1)


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
    return "\n".join(map(_TEXT, pieces))


def are_thin(lines: int, whole: str) -> bool:
    """Whether so many lines are too many for a text, and not looked into."""
    if lines <= MANY_LINES:
        return False
    length = len(whole) - 3 * whole.count("\\x")  # a byte that is no character has four
    return length < _LEAST_WIDTH * lines


def weight(lines: Sequence[str]) -> int:
    """Return how many lines there are, of blank ones a part."""
    written = sum(map(bool, map(str.strip, lines)))
    return written + (len(lines) - written) // _BLANKS_PER_LINE


def stretches(numbers: Sequence[int], reach: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of numbers, below a count, that reach so far around some, in order."""
    if len(numbers) == count:
        yield 0, count
        return
    start = stop = 0
    for number in numbers:
        if number - reach > stop:
            if stop:
                yield start, stop
            start = number - reach
        stop = number + reach
    if stop:
        yield start, min(stop, count)


def changed(
    pieces: Sequence[Piece],
    whole: str,
    pattern: re.Pattern[str],
    change: Callable[[str], str],
    known: dict[str, str],
) -> Sequence[Piece]:
    """Return the pieces, changed where a pattern is found in them; the same ones if none is.

    Args:
        pieces: The pieces.
        whole: What they say as one text.
        pattern: What has to be in a line that `change` would change.
        change: Returns what a piece says instead.
        known: What it made of lines before; more is added.
    """
    shown: list[Piece] | None = None
    at = counted = 0
    matched = pattern.search(whole)
    while matched is not None:
        at += whole.count("\n", counted, matched.start())
        counted = matched.start()
        line = pieces[at].text
        other = known.get(line)
        if other is None:
            other = known[line] = change(line)
        if other != line:
            shown = shown or list(pieces)
            shown[at] = Piece(pieces[at].number, other)
        end = whole.find("\n", counted)
        matched = pattern.search(whole, end + 1) if end >= 0 else None
    return pieces if shown is None else shown
