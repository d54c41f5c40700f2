"""Which level of words is the scenario, and which the variant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from benchkit.model.states import BASES, STATES

_PARTS: Final = re.compile(r"[^\W_]++")


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
    state = level_of_states(columns)
    if state is not None:
        return state
    varying = [len(set(column)) > 1 for column in columns]
    below = has_file and len(columns) > 2 and any(varying[:-1])
    return len(columns) - (2 if below else 1)


def level_of_states(columns: Sequence[Sequence[str]]) -> int | None:
    """Return which level tells states of one thing: by all of its words, or by one for a base."""
    varying = [at for at, column in enumerate(columns) if len(set(column)) > 1]
    compared = (at for at in varying if all(map(_is_compared, columns[at])))
    bases = (at for at in varying if any(word.lower() in BASES for word in columns[at]))
    return next(compared, next(bases, None))


def _is_compared(words: str) -> bool:
    """Whether words are of a state: `before`, `after-fix`, `without cache`."""
    return any(word in STATES for word in _PARTS.findall(words.lower()))
