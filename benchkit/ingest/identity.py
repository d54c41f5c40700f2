"""Which files hold the same run: told by their figures, never by their place.

A generator's run is often written down several times: vegeta's binary beside its
text and JSON reports, ab's report beside its `-e` and `-g` files, a raw output
quoted in a page. Two records are one run where every figure that both give
agrees within what was printed, and where that is enough to be no coincidence.
Where the figures say little (whole milliseconds of a fast server), they must
also lie in one folder, and names must not speak against it. Of several records
that would do equally well, none is taken: to count a run twice is better than to
lose one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from benchkit.ingest.agreement import Agreement, Print, agreement, says_the_same
from benchkit.ingest.found import FoundRun

#: Digits that agree by chance in no folder of repeated runs: of all figures, or of one.
_ENOUGH_DIGITS: Final = 9.0
_ENOUGH_IN_ONE: Final = 5.5
#: The same for two outputs of one kind, all of whose figures are the same.
_ENOUGH_IF_EQUAL: Final = 7.0
#: Figures that must agree where their digits say little.
_ENOUGH_FIGURES: Final = 4

#: Words of file names that tell a format, not a run.
_PLAIN: Final = frozenset(
    (
        *("ab", "wrk", "wrk2", "vegeta", "autocannon", "report", "reports", "result", "results"),
        *("percentiles", "percentile", "pct", "requests", "request", "gnuplot", "values", "raw"),
        *("out", "output", "data", "hist", "histogram", "hdrplot", "buckets", "table", "summary"),
        *("csv", "tsv", "txt", "json", "jsonl", "bin", "gob", "log", "stdout", "stderr", "err"),
        *("bench", "benchmark", "run", "test", "e", "g", ""),
    )
)

_Near = tuple[int, int, int]


@dataclass(frozen=True)
class _Pair:
    """Two records that may be one run; likelier pairs have a higher rank."""

    rank: tuple[bool, _Near, float]
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


@dataclass(frozen=True)
class _Place:
    """Where a record lies: its folder, its file's name, and the words that may tell the run."""

    folder: str
    stem: str
    words: frozenset[str]

    @classmethod
    def of(cls, run: FoundRun) -> _Place:
        path = PurePath(run.file.input.name.removesuffix(".gz"))
        words = frozenset(re.split(r"[\W_]+", path.stem.lower())) - _PLAIN
        return cls(path.parent.as_posix(), path.stem, words)


class _Matching:
    """The records of one tool, and which of them are the same run."""

    def __init__(self, runs: Sequence[FoundRun]) -> None:
        self.runs = runs
        self.prints = {id(run): Print(run) for run in runs}
        self.known: dict[tuple[int, int], Agreement | None] = {}
        self.groups = {id(run): [run] for run in runs}
        self.places = {id(run): _Place.of(run) for run in runs}
        self.in_folder = Counter((self.places[id(run)].folder, run.parser.name) for run in runs)
        self.order = {id(run): place for place, run in enumerate(runs)}
        self.pairs = sorted(self._pairs(), key=lambda pair: pair.rank, reverse=True)
        self.of_run: defaultdict[int, list[_Pair]] = defaultdict(list)
        for pair in self.pairs:
            self.of_run[id(pair.one)].append(pair)
            self.of_run[id(pair.other)].append(pair)

    def merge(self) -> None:
        """Join the records that are one run, the likeliest pairs first."""
        for pair in self.pairs:
            one, other = self.groups[id(pair.one)], self.groups[id(pair.other)]
            if one is other or not self._compatible(one, other) or self._has_rival(pair):
                continue
            one += other
            for run in other:
                self.groups[id(run)] = one
        for run in self.runs:
            group = self.groups[id(run)]
            group.sort(key=lambda one: (-one.parser.detail, self.order[id(one)]))
            if group[0] is run:
                run.others = group[1:]

    def _pairs(self) -> Iterable[_Pair]:
        for at, one in enumerate(self.runs):
            for other in self.runs[:at]:
                found = self._agreement(one, other)
                if found is None:
                    continue
                certain = found.digits >= _ENOUGH_DIGITS or found.best >= _ENOUGH_IN_ONE
                near = self._nearness(one, other)
                kindred = near[1] == 2 and found.possible >= _ENOUGH_FIGURES
                if certain or (near[0] and (found.figures >= _ENOUGH_FIGURES or kindred)):
                    yield _Pair((certain, near, found.digits), one, other)

    def _agreement(self, one: FoundRun, other: FoundRun) -> Agreement | None:
        key = (id(one), id(other)) if id(one) < id(other) else (id(other), id(one))
        if key not in self.known:
            self.known[key] = self._compared(one, other)
        return self.known[key]

    def _compared(self, one: FoundRun, other: FoundRun) -> Agreement | None:
        alike = one.parser is other.parser
        if alike and not says_the_same(one, other):
            return None
        found = agreement(self.prints[id(one)], self.prints[id(other)])
        if found is None or not alike:
            return found
        # Two outputs of one kind: what little they say may be the same by chance.
        enough = found.digits >= _ENOUGH_IF_EQUAL
        return Agreement(found.figures, _ENOUGH_DIGITS + found.digits) if enough else None

    def _nearness(self, one: FoundRun, other: FoundRun) -> _Near:
        """Return how near two records lie: by folder, words and letters of their names.

        The words: 2 where they are kindred, 1 where they say nothing, 0 where they
        speak of different runs. In one file it counts which follows which.
        """
        if one.file is other.file:
            return (1, 2, self._in_page(one, other))
        a, b = self.places[id(one)], self.places[id(other)]
        kindred = bool(a.words & b.words) and (a.words <= b.words or b.words <= a.words)
        words = 2 if kindred else 1 if not (a.words and b.words) else 0
        letters = _shared(a.stem, b.stem) + _shared(a.stem[::-1], b.stem[::-1])
        return (int(a.folder == b.folder), words, letters)

    def _in_page(self, one: FoundRun, other: FoundRun) -> int:
        """Return 2 for a record right below one of the leading kind, 1 right above it, else 0.

        What comes first in the file says which of two kinds leads. Several of a kind
        in a row may belong to several before them.
        """
        first, second = sorted((one, other), key=lambda run: run.number)
        after = [run.parser for run in first.file.runs if run.number == second.number + 1]
        if second.number != first.number + 1 or second.parser in after:
            return 0
        kinds = {first.parser.name, second.parser.name}
        leader = next(run for run in first.file.runs if run.parser.name in kinds)
        return 2 if leader.parser is first.parser else 1

    def _compatible(self, group: Sequence[FoundRun], other: Sequence[FoundRun]) -> bool:
        return all(self._agreement(a, b) is not None for a in group for b in other)

    def _has_rival(self, pair: _Pair) -> bool:
        """Whether another record would do as well for either side, and is not the same run."""
        certain, (_, words, _), _ = pair.rank
        if not certain and not words and not self._told_apart(pair):
            return True
        for mine, theirs in ((pair.one, pair.other), (pair.other, pair.one)):
            for rival in self.of_run[id(mine)]:
                # Where neither digits nor names decide, any other candidate is a rival.
                alike = rival.rank == pair.rank or (not certain and words < 2)
                if rival is pair or not alike:
                    continue
                third = rival.other if rival.one is mine else rival.one
                one, other = self.groups[id(third)], self.groups[id(theirs)]
                if one is not other and not self._compatible(one, other):
                    return True
        return False

    def _told_apart(self, pair: _Pair) -> bool:
        """Whether each side has been held against others of its kind here, and they differed."""
        return all(
            self.in_folder[self.places[id(run)].folder, run.parser.name] > 1
            for run in (pair.one, pair.other)
        )


def _shared(one: str, other: str) -> int:
    return next(
        (n for n, (x, y) in enumerate(zip(one, other, strict=False)) if x != y),
        min(len(one), len(other)),
    )
