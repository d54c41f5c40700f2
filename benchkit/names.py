"""The order of names, and names short enough to stand beside a mark or in a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from benchkit import format as show

_LONGEST: Final = 30
_LONG: Final = 22
_ELLIPSIS: Final = "…"
#: So much of what long names have alike stays before that in which they differ.
_LED: Final = 8
_FEW: Final = 3
_BETWEEN: Final = " ,;"
_CIRCLED: Final = 10  # common fonts have no more
_MARKS: Final = re.compile(r" (?:[①-⑩]|\(\d+\))+$")


def natural(name: str) -> tuple[str, str]:
    """Return a key by which run-10 comes after run-9, and v1.10 after v1.9."""
    return re.sub(r"[0-9]{1,18}", lambda number: number[0].zfill(18), name), name


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """Return each label without the words that all share, clean and cut to fit.

    `With request coalescing` and `Without request coalescing` become `With` and `Without`; of
    long ones go the words in between too: `old, connections 10` becomes `old, 10`. Labels that
    would become equal stay as they are.
    """
    split = [label.split(" ") for label in labels]
    first = last = 0
    if len(labels) > 1:
        last = _common([list(reversed(words)) for words in split])
        kept = [words[: len(words) - last] for words in split]
        first = _common(kept) if min(map(len, kept)) > 1 else 0
        first = first if min(len(words) for words in kept) > first else 0
    split = [words[first : len(words) - last] for words in split]
    if max(len(" ".join(words)) for words in split) > _LONG:
        split = _without_shared(split)
    names = [" ".join(words).strip(_BETWEEN) for words in split]
    if len(set(names)) < len(set(labels)) or any(len(name) < 2 for name in names):
        names = list(labels)
    return dict(zip(labels, _cut_apart(names), strict=True))


def _cut_apart(names: Sequence[str]) -> list[str]:
    """Return names cut at their end, or where these are alike in the middle, or not at all."""
    number = len(set(names))
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))
    begun = max(len([*alike]) - _LED, 0)
    for cut in (
        [show.clean(name, limit=_LONGEST) for name in names],
        [show.clean(_ELLIPSIS + name[begun:], limit=_LONGEST) for name in names],
        [_halved(show.clean(name, limit=0)) for name in names],
    ):
        if len(set(cut)) == number:
            return cut
    return [show.clean(name, limit=0) for name in names]


def _halved(name: str) -> str:
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}{_ELLIPSIS}{name[-half:]}"


def _without_shared(split: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the words that are not the same in the same place of each label."""
    if len({len(words) for words in split}) > 1:
        return [list(words) for words in split]
    apart = [len(set(words)) > 1 for words in zip(*split, strict=True)]
    return [
        [word for word, kept in zip(words, apart, strict=True) if kept or len(split) == 1]
        for words in split
    ]


def _common(split: Sequence[Sequence[str]]) -> int:
    """Return how many leading words all share, leaving each at least one."""
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*split, strict=False))
    return min(len(list(alike)), min(map(len, split)) - 1)


def some(names: Sequence[str]) -> str:
    """Return a few names as a list, many as their number."""
    return show.listed(names) if len(names) <= _FEW else show.plural(len(names), "variant")


def with_marks(text: str, numbers: Sequence[int]) -> str:
    """Return a label with the numbers of the findings that qualify it."""
    marks = "".join(map(circled, numbers))
    return f"{text} {marks}" if text and marks else text or marks


def without_marks(text: str) -> str:
    """Return a text without the circled numbers of findings that it ends in."""
    return _MARKS.sub("", text)


def circled(number: int) -> str:
    """Return ① for 1, (11) where common fonts have no such character."""
    return chr(0x245F + number) if number <= _CIRCLED else f"({number})"
