"""Which files hold the same run: told by their figures, never by their place.

A generator's run is often written down several times: vegeta's binary beside its
text and JSON reports, ab's report beside its `-e` and `-g` files, a raw output
quoted in a page. Two records are one run where every figure that both give
agrees within what was printed, and where that is enough to be no coincidence.
Where the figures say little (whole milliseconds of a fast server), they must
also lie beside each other under kindred names. Of several records that would do
equally well, none is taken.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from benchkit.ingest.agreement import Agreement, agreement, says_the_same
from benchkit.ingest.found import FoundRun

#: Digits that must agree before it is no coincidence, wherever the files lie.
_ENOUGH_DIGITS: Final = 12
#: The same for two outputs of one kind, whose figures are the same throughout.
_ENOUGH_IF_EQUAL: Final = 20
#: The same for neighbours without a word in common in their names.
_SOME_DIGITS: Final = 6
#: Figures that must agree where their digits say little.
_ENOUGH_FIGURES: Final = 4
_MANY_WORDS: Final = 99

_Near = tuple[int, int, int]


@dataclass(frozen=True)
class _Pair:
    """Two records that may be one run; likelier pairs have a higher rank."""

    rank: tuple[bool, _Near, int]
    one: FoundRun
    other: FoundRun


def merge_same(runs: Sequence[FoundRun]) -> list[FoundRun]:
    """Return the runs, each once: the most detailed record, the others attached to it."""
    by_tool: defaultdict[str, list[FoundRun]] = defaultdict(list)
    for run in runs:
        by_tool[run.parser.tool].append(run)
    for candidates in by_tool.values():
        _Matching(candidates).merge()
    absorbed = {id(other) for run in runs for other in run.others}
    return [run for run in runs if id(run) not in absorbed]


class _Matching:
    """The records of one tool, and which of them are the same run."""

    def __init__(self, runs: Sequence[FoundRun]) -> None:
        self.runs = runs
        self.groups = {id(run): [run] for run in runs}
        self.in_folder = Counter((_folder(run), run.parser.name) for run in runs)
        self.pairs = sorted(self._pairs(), key=lambda pair: pair.rank, reverse=True)

    def merge(self) -> None:
        """Join the records that are one run, the likeliest pairs first."""
        for pair in self.pairs:
            one, other = self._groups_of(pair)
            if one is other or not _compatible(one, other) or self._has_rival(pair):
                continue
            one += other
            for run in other:
                self.groups[id(run)] = one
        for run in self.runs:
            group = sorted(self.groups[id(run)], key=lambda one: -one.parser.detail)
            if group[0] is run:
                run.others = group[1:]

    def _groups_of(self, pair: _Pair) -> tuple[list[FoundRun], list[FoundRun]]:
        return self.groups[id(pair.one)], self.groups[id(pair.other)]

    def _pairs(self) -> Iterable[_Pair]:
        for at, one in enumerate(self.runs):
            for other in self.runs[:at]:
                found = _agreement(one, other)
                if found is None:
                    continue
                near = self._nearness(one, other)
                certain = found.digits >= _ENOUGH_DIGITS
                kindred = bool(near[1]) or found.digits >= _SOME_DIGITS
                if certain or (found.figures >= _ENOUGH_FIGURES and near[0] and kindred):
                    yield _Pair((certain, near, found.digits), one, other)

    def _nearness(self, one: FoundRun, other: FoundRun) -> _Near:
        """Return how near two records lie: by folder, words and letters of their names."""
        if one.file is other.file:
            return (1, _MANY_WORDS, 0)
        a, b = _stem(one), _stem(other)
        words = set(re.split(r"[\W_]+", a)) & set(re.split(r"[\W_]+", b)) - {""}
        letters = _shared(a, b) + _shared(a[::-1], b[::-1])
        same_folder = _folder(one) == _folder(other)
        # Names need no word in common where a folder has one file of each format.
        alone = all(self.in_folder[_folder(run), run.parser.name] == 1 for run in (one, other))
        return (int(same_folder), _MANY_WORDS if same_folder and alone else len(words), letters)

    def _has_rival(self, pair: _Pair) -> bool:
        """Whether another record would do as well for either side, and is not the same run."""
        for rival in self.pairs:
            # By figures alone, and these few, no other record may come into question at all.
            lonely = not pair.rank[0] and not pair.rank[1][1]
            if rival is pair or (rival.rank != pair.rank and not lonely):
                continue
            for mine, theirs in ((pair.one, pair.other), (pair.other, pair.one)):
                if mine is not rival.one and mine is not rival.other:
                    continue
                third = rival.other if rival.one is mine else rival.one
                one, other = self.groups[id(third)], self.groups[id(theirs)]
                if one is not other and not _compatible(one, other):
                    return True
        return False


def _compatible(group: Sequence[FoundRun], other: Sequence[FoundRun]) -> bool:
    return all(_agreement(a, b) is not None for a in group for b in other)


def _agreement(one: FoundRun, other: FoundRun) -> Agreement | None:
    found = agreement(one, other)
    if found is not None and one.parser is other.parser:
        # Two runs of one kind of output are one only where all is equal, and not next to nothing.
        equal = says_the_same(one, other) and found.digits >= _ENOUGH_IF_EQUAL
        return found if equal else None
    return found


def _folder(run: FoundRun) -> str:
    return PurePath(run.file.input.name).parent.as_posix()


def _stem(run: FoundRun) -> str:
    return PurePath(run.file.input.name.removesuffix(".gz")).stem


def _shared(one: str, other: str) -> int:
    return next(
        (n for n, (x, y) in enumerate(zip(one, other, strict=False)) if x != y),
        min(len(one), len(other)),
    )
