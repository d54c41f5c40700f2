"""Which level of words is the scenario, and which the variant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from benchkit.ingest.naming.tokens import words_of

#: Words that set two states of one thing against each other: they are what is compared.
_COMPARED: Final = words_of(
    "before after old new base baseline head main master candidate current previous prev "
    "control treatment patched unpatched orig original fixed optimized pr"
)


class Levels(NamedTuple):
    """What levels of words are, if any; `file` tells files of one variant apart."""

    scenario: str | None = None
    variant: str = ""
    file: str | None = None


def arrange(levels: Sequence[Sequence[str]]) -> list[Levels]:
    """Return what each level of words is, of the folders and last of the file of each run.

    The variant is the innermost level, or one of words such as before and after; what is above
    it is the scenario. Below two folders, scenario and variant, a file's words are its own.
    """
    telling = _without_plain_files(levels)
    shapes: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for at, (words, file) in enumerate(telling):
        shapes[len(words), file].append(at)
    arranged = [Levels()] * len(telling)
    for (depth, has_file), members in shapes.items():
        columns = list(zip(*(telling[at][0] for at in members), strict=True))
        chosen = _chosen(columns, has_file=has_file)
        for at in members if depth else ():
            words = telling[at][0]
            below = has_file and chosen == depth - 2 > 0
            kept = words[:-1] if below else words
            others = [word for level, word in enumerate(kept) if level != chosen]
            arranged[at] = Levels(
                "/".join(others) or None, words[chosen], words[-1] if below else None
            )
    return arranged


def _without_plain_files(levels: Sequence[Sequence[str]]) -> list[tuple[list[str], bool]]:
    """Return the words, and whether the last is a file's, where that says more than its folder."""
    files: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for words in levels:
        files[tuple(words[:-1])].add(words[-1])
    several = {file for names in files.values() if len(names) > 1 for file in names}
    telling = []
    for *folders, file in levels:
        kept = [word for word in folders if word]
        own = bool(file) and not (kept and file not in several) and [file] != kept[-1:]
        telling.append(([*kept, file] if own else kept, own))
    return telling


def _chosen(columns: Sequence[Sequence[str]], *, has_file: bool) -> int:
    """Return which level is the variant."""
    varying = [len(set(column)) > 1 for column in columns]
    for number, column in enumerate(columns):
        if varying[number] and all(word.lower() in _COMPARED for word in column):
            return number
    below = has_file and len(columns) > 2 and any(varying[:-1])
    return len(columns) - (2 if below else 1)
