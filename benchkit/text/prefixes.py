"""What stands before every line of a stretch and is the same but for its digits.

No list of what logs write is needed: `[  12.345] `, `stdout: `, `12: `, `+` are
prefixes if behind them lines go on with different words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from benchkit.text.pieces import Piece

_TOKEN: Final = re.compile(r"[0-9]+|\s+|[^\W\d_]+|.")
#: The first word of a line, that of no tag.
_WORD: Final = re.compile(r"(?:<[^<>]*+>|[^\w<]|[_<])*+([^\W_]\w*)")
_NUMBER: Final = re.compile(r"[0-9]+")
#: A prefix that ends so may be the first figures of a row.
_FIGURE: Final = re.compile(r"[0%][ *_,]*$|^[^A-Za-z]*0[^A-Za-z]*\|[ *_]*$")
_LONGEST: Final = 160
_FEWEST: Final = 4
_FEWEST_WORDS: Final = 3
#: Behind these a prefix does not end: a quote, a bracket, a part of a number or of a path.
_NO_END: Final = frozenset("([{<@/.&$~^_*")
_DIGITS: Final = frozenset("0123456789")
#: What opens a string, a tag or an entity, and the frames of tables: they are not taken apart.
_OPENING: Final = frozenset("\"'`<&│┃║┌├└╔╠╚")
_BRACKETS: Final = ("()", "[]", "{}", "<>")
_BARS: Final = frozenset("|│┃║ ")


def without_prefixes(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the lines without what stands before each of at least four in a row."""
    shown: list[Piece] | None = None
    for first, last in _alike(pieces):
        for at, end in _prefixed(pieces, first, last):
            shown = shown or list(pieces)
            shown[at] = Piece(pieces[at].number, pieces[at].text[end:])
    return shown or pieces


def _alike(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) of stretches whose lines begin alike: with a digit, or one character."""
    first, kind, count = 0, "", 0
    for at, (_, line) in enumerate([*pieces, Piece(0, "\0")]):
        if not line:
            continue
        begins = "0" if line[0] in _DIGITS else line[0]
        if begins != kind or begins.isspace():
            if count >= _FEWEST:
                yield first, at
            first, kind, count = at, begins, 0
        count += 1


def _prefixed(pieces: Sequence[Piece], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield per line of a stretch where its prefix ends."""
    stretch: list[tuple[int, list[int]]] = []
    shared: list[str] = []
    for at in range(first, last):
        if not pieces[at].text:
            continue
        shapes, ends = _tokens(pieces[at].text)
        common = _common(shared, shapes) if stretch else shapes
        if not _trimmed(common):
            yield from _settled(pieces, stretch, shared)
            stretch, common = [], shapes
        stretch.append((at, ends))
        shared = common
    yield from _settled(pieces, stretch, shared)


def _settled(
    pieces: Sequence[Piece], stretch: Sequence[tuple[int, list[int]]], shapes: Sequence[str]
) -> Iterator[tuple[int, int]]:
    length = _trimmed(shapes)
    if not length or len(stretch) < _FEWEST:
        return
    prefix = "".join(shapes[:length])
    ended = [(at, ends[min(length, len(ends)) - 1]) for at, ends in stretch]
    begins = {word[1] for at, end in ended if (word := _WORD.match(pieces[at].text, end))}
    words = {word for word in begins if word[0] not in _DIGITS}
    if not prefix.strip("0 "):
        known = _counted(pieces, ended)
    elif len(words) >= _FEWEST_WORDS:
        known = True
    elif _FIGURE.search(prefix):
        known = prefix.rstrip().endswith("0") and _counted(pieces, ended)
    else:
        known = 0 < len(words) < len(begins)
    if known:
        yield from ended


def _counted(pieces: Sequence[Piece], ended: Sequence[tuple[int, int]]) -> bool:
    """Whether the last number before each line is the line's number."""
    numbers = [_NUMBER.findall(pieces[at].text[:end]) for at, end in ended]
    counts = [int(shown[-1][-18:]) for shown in numbers if shown]
    return all(0 < below - above < _FEWEST for above, below in pairwise(counts))


def _tokens(line: str) -> tuple[list[str], list[int]]:
    """Return the shapes of the tokens that a line begins with, and where each ends."""
    shapes, ends = [], []
    for token in _TOKEN.finditer(line, 0, _LONGEST):
        text = token[0]
        if text in _OPENING:
            break
        shapes.append("0" if text[0] in _DIGITS else " " if text[0].isspace() else text)
        ends.append(token.end())
    return shapes, ends


def _common(shared: list[str], shapes: list[str]) -> list[str]:
    """Return what two lines begin with; one that ends there has nothing behind its prefix."""
    length = min(len(shared), len(shapes))
    same = next((at for at in range(length) if shared[at] != shapes[at]), length)
    if same == len(shapes) and " " not in shared[same : same + 1]:
        same = length
    at_end = same == len(shapes) and shared[same:] in ([], [" "])
    return shared if at_end else shared[:same]


def _trimmed(shapes: Sequence[str]) -> int:
    """Return of how many tokens a prefix is, 0 where it is none."""
    length = len(shapes)
    while length and (shapes[length - 1][-1].isalnum() or shapes[length - 1] in _NO_END):
        length -= 1
    prefix = "".join(shapes[:length])
    whole = all(prefix.count(opened) <= prefix.count(closed) for opened, closed in _BRACKETS)
    tells = [token for token in shapes[:length] if token not in _BARS]
    return length if whole and any(not token.isalpha() for token in tells) else 0
