"""Numbers that are names, as something else counts the runs at each: `rc1_3`, `jdk-17/2`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchkit.ingest.naming.path_names import At, Name, counts, key_before


class _Run(NamedTuple):
    """A run whose name has a number, and another that may count it among those with that number."""

    words: tuple[str, ...]
    value: int
    number: int
    is_printed: bool


def are_counted_apart(known: Sequence[tuple[Name, At, int]], *, behind: bool = False) -> bool:
    """Whether something else counts the runs at each of some numbers, which are names then.

    It stands behind the number, or, unless it has to, is no number at a word. What outputs print
    counts nothing.
    """
    columns: defaultdict[int, list[_Run]] = defaultdict(list)
    for name, at, value in known:
        words = tuple(t.lower for each, t in name.tokens("word", "load") if each != at)
        for column, number in enumerate(_counts_at(name, at, behind=behind)):
            run = _Run(words, value, number, number in name.printed.values())
            columns[column].append(run)
    return any(len(runs) == len(known) and _count_apart(runs) for runs in columns.values())


def _counts_at(name: Name, at: At, *, behind: bool) -> Iterator[int]:
    """Yield what may count the runs at a number of a name."""
    for (part, number), token in name.tokens("number", "repeat"):
        bare = token.kind == "repeat" or not key_before(name.parts[part], number)
        counting = (part, number) > at or (bare and not behind and (part, number) != at)
        if counting and token.value is not None:
            yield token.value


def _count_apart(runs: Sequence[_Run]) -> bool:
    """Whether numbers count anew, or on, at each of several others in names of the same words."""
    numbers: defaultdict[tuple[str, ...], dict[int, set[int]]] = defaultdict(dict)
    for run in runs:
        numbers[run.words].setdefault(run.value, set()).add(run.number)
    if not counts({run.number for run in runs}) or all(run.is_printed for run in runs):
        return False
    several = [[*own.values()] for own in numbers.values() if len(own) > 1]
    return any(set.intersection(*own) or min(map(len, own)) > 1 for own in several)
