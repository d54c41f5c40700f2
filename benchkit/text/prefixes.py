"""What stands before every line of a stretch and is the same but for its digits.

No list of what logs write is needed: `[  12.345] `, `stdout: `, `12: `, `+` are
prefixes if behind them lines go on with different words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Final

from benchkit.text.pieces import Piece

_NUMBER: Final = re.compile(r"[0-9]+")
_BLANKS: Final = re.compile(r" [^\S\n]+|[^\S\n ][^\S\n]*")
#: The first word of a line, that of no tag.
_WORD: Final = re.compile(r"(?>(?:<[^<>]*+>|[^\w<]++|[_<])*)([^\W_]\w*)")
#: Up to a string, a tag, an entity or the frame of a table: they are not taken apart.
_NO_BEGIN: Final = re.compile("[\"'`<&│┃║┌├└╔╠╚]")
_BEGIN: Final = re.compile(
    rf"^((?>(?:[^\n{_NO_BEGIN.pattern[1:]}++|([\"'`])\w{{1,20}}\2)*)).*+", re.MULTILINE
)
#: Where a prefix does not end: in a word or a number, behind a bracket, within a path or emphasis.
_NO_END: Final = re.compile(r"(?<![\w(\[{@/.&$~^*])[\w(\[{@/.&$~^*]++$")
_NO_ENDS: Final = re.compile(r"[\w(\[{@/.&$~^*]*+")
#: A prefix that ends so may be the first figures of a row.
_FIGURE: Final = re.compile(
    r"[0%][ *_,]*+$|^[^A-Za-z0]*+0(?>(?:[^A-Za-z|]++|\|(?![ *_]*+$))*)\|[ *_]*+$"
)
#: Figures beside each other: the last counts up where a row is of the next request.
_ROW: Final = re.compile(r"[0.]++(?: [0.]++)+ *+")
#: Something else than words, blanks and the bars of a table.
_TELLING: Final = re.compile(r"[0-9]|[^\w\s|]")
_DIGITS: Final = frozenset("0123456789")
_BRACKETS: Final = ("()", "[]", "{}")
#: A word within two of these is not taken apart.
_PAIRED: Final = '"`'
_LONGEST: Final = 160
_FEWEST: Final = 4
_FEWEST_WORDS: Final = 3


def without_prefixes(pieces: Sequence[Piece], _: str, known: dict[str, str]) -> Sequence[Piece]:
    """Return the lines without what stands before each of at least four in a row."""
    shown: list[Piece] | None = None
    for stretch in _alike(pieces):
        lines = [pieces[at].text for at in stretch]
        if (together := "\n".join(lines)) in known:
            continue
        prefixed = list(_prefixed(lines, known))
        if not prefixed:
            known[together] = ""
        for numbers, prefix in prefixed:
            shown = shown or list(pieces)
            pattern = _pattern(prefix)
            for at in (stretch[number] for number in numbers):
                end = _end(pattern, pieces[at].text)
                shown[at] = Piece(pieces[at].number, pieces[at].text[end:])
    return shown or pieces


def _alike(pieces: Sequence[Piece]) -> Iterator[list[int]]:
    """Yield stretches of lines that begin alike, with a digit or one character."""
    stretch: list[int] = []
    kind = ""
    for at, line in enumerate(map(itemgetter(1), pieces)):
        if not line:
            continue
        begin = "0" if line[0] in _DIGITS else line[0]
        if begin != kind or begin in " \t":
            if len(stretch) >= _FEWEST:
                yield stretch
            stretch, kind = [], begin
        stretch.append(at)
    if len(stretch) >= _FEWEST:
        yield stretch


def _prefixed(lines: Sequence[str], known: dict[str, str]) -> Iterator[tuple[range, str]]:
    """Yield the lines that have a prefix in common, and its shape."""
    first, (shared, *shapes) = 0, _shapes(lines, known)
    least = _least(shared)
    for at, shape in enumerate([*shapes, ""], 1):
        # A line that was blank is nothing but the prefix.
        if shape.startswith(shared) or (shape and shape == shared.rstrip()):
            common = shared
        else:
            common = _common(shared, shape) if shape.startswith(least) else ""
        goes_on = common == shared and at - first > 1
        if at < len(lines) and (goes_on or _trimmed(common)):
            if common is not shared:
                shared, least = common, _least(common)
            continue
        prefix = _trimmed(shared) if at - first >= _FEWEST else ""
        if prefix and _is_prefix(prefix, lines[first:at]):
            yield range(first, at), prefix
        first, shared, least = at, shape, _least(shape)


@lru_cache(maxsize=1024)
def _least(shape: str) -> str:
    """Return what at least two shapes begin with if that may be a prefix."""
    telling = _TELLING.search(shape)
    within = telling and _NO_ENDS.match(shape, telling.start())
    return shape[: within.end() + 1] if within else shape


def _common(shape: str, other: str) -> str:
    """Return what two shapes begin with."""
    least, most = 0, min(len(shape), len(other))
    while least < most:
        length = (least + most + 1) // 2
        if other.startswith(shape[:length]):
            least = length
        else:
            most = length - 1
    return shape[:least]


def _shapes(lines: Sequence[str], known: dict[str, str]) -> Sequence[str]:
    """Return what each line begins with, with 0 for its numbers and a blank for its blanks.

    Those that are known are not made again; the others are kept.
    """
    begins = [line[:_LONGEST] for line in lines]
    # A difference of sets would go through all that is known.
    if unknown := {begin for begin in begins if begin not in known}:
        joined = "\n".join(unknown)
        if _NO_BEGIN.search(joined):
            joined = _BEGIN.sub(itemgetter(1), joined)  # quicker than a template
        shapes = _BLANKS.sub(" ", _NUMBER.sub("0", joined)).split("\n")
        known.update(zip(unknown, shapes, strict=True))
    return [known[begin] for begin in begins]


@lru_cache(maxsize=1024)
def _trimmed(shape: str) -> str:
    """Return what of a shape may be a prefix."""
    prefix = _NO_END.sub("", shape)
    if not _TELLING.search(prefix):
        return ""
    whole = all(prefix.count(opened) <= prefix.count(closed) for opened, closed in _BRACKETS)
    return prefix if whole and not any(prefix.count(mark) % 2 for mark in _PAIRED) else ""


def _is_prefix(prefix: str, lines: Sequence[str]) -> bool:
    """Whether lines go on behind a prefix in different ways."""
    pattern = _pattern(prefix)
    ends = {line: _end(pattern, line) for line in set(lines)}
    if len({line[end:] for line, end in ends.items()}) < 2:
        return False
    firsts = (_WORD.match(line, end) for line, end in ends.items())
    begins = {word[1] for word in firsts if word}
    words = {word for word in begins if word[0] not in _DIGITS}
    if prefix.strip("0 ") and len(words) >= _FEWEST_WORDS:
        return True
    if _FIGURE.search(prefix):
        counted = prefix.rstrip().endswith("0") and not _ROW.fullmatch(prefix)
        return counted and _counted([line[: ends[line]] for line in lines])
    return 0 < len(words) < len(begins)


def _counted(prefixes: Sequence[str]) -> bool:
    """Whether the last number of each prefix is that of its line."""
    numbers = [_NUMBER.findall(prefix) for prefix in prefixes]
    counts = [int(own[-1][-18:]) for own in numbers if own]
    steps = (below - above for above, below in pairwise(counts))
    return len(counts) == len(prefixes) and all(0 < step < _FEWEST for step in steps)


@lru_cache(maxsize=1024)
def _pattern(prefix: str) -> re.Pattern[str]:
    """Return the pattern of a prefix of a shape."""
    pattern = re.escape(prefix.rstrip()).replace("\\ ", r"\s+").replace("0", "[0-9]+")
    return re.compile(pattern + (r"(?:\s+|$)" if prefix.endswith(" ") else ""))


def _end(pattern: re.Pattern[str], line: str) -> int:
    """Return where a line's prefix ends."""
    matched = pattern.match(line)
    return matched.end() if matched else 0
