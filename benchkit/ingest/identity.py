"""Which files hold the same run: told by their figures, never by their place.

A generator's run is often written down several times: vegeta's binary beside its
text and JSON reports, ab's report beside its `-e` and `-g` files, a raw output
quoted in a page. Two records are one run where every figure that both give
agrees (`agreement` has the rule), and where that is enough to be no coincidence.
Where the figures say little (whole milliseconds of a fast server), they must
also lie in one folder, and names must not speak against it. Of several records
that would do equally well, none is taken: to count a run twice is better than to
lose one. What is one run with any of a group is one with all of it, unless a
figure differs from each of them that gives it.

Two that look like one run and count as two are told, with the figure that differs.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import PurePath
from typing import Final

from benchkit import registry
from benchkit.ingest import lookalikes
from benchkit.ingest.agreement import Agreement, Key, Print, agreement, says_the_same
from benchkit.ingest.candidates import of_different_kinds, with_equal_figures
from benchkit.ingest.fileruns import FileOutcome, FileRun
from benchkit.ingest.unfinished import ends_elsewhere

#: Digits that agree by chance in no folder of repeated runs: of all figures, or of one.
_ENOUGH_DIGITS: Final = 9.0
_ENOUGH_IN_ONE: Final = 5.5
#: The same for two outputs of one kind, all of whose figures are the same.
_ENOUGH_IF_EQUAL: Final = 7.0
#: Figures that must agree where their digits say little.
_ENOUGH_FIGURES: Final = 4
#: How near names are that are the same but for words that tell a format: two formats of one name
#: in one folder that contradict each other in nothing are one run, however little they say.
_SAME_NAME: Final = 3
#: Copies of a record that are looked at to see where it lies.
_MOST_COPIES: Final = 8

#: Words of file names that tell a format, not a run.
_PLAIN: Final = frozenset(
    (
        *("report", "reports", "result", "results"),
        *("percentiles", "percentile", "pct", "requests", "request", "gnuplot", "values", "raw"),
        *("out", "output", "data", "hist", "histogram", "hdrplot", "buckets", "table", "summary"),
        *("stats", "history", "global", "simulation", "console"),
        *("csv", "tsv", "txt", "json", "jsonl", "bin", "gob", "log", "stdout", "stderr", "err"),
        *("bench", "benchmark", "run", "test", "e", "g", ""),
    )
)

#: Two outputs of one kind that do not say the same: no third makes them one run.
_OUTPUT: Final[Key] = ("what two outputs of one kind say", "")
_OF_TWO_RUNS: Final = Agreement(differ=frozenset({_OUTPUT}))

_Near = tuple[int, int, int]


@cache
def _plain_words() -> frozenset[str]:
    """Return these and the names of tools and their programs."""
    return _PLAIN | registry.tools().keys() | registry.programs().keys()


@dataclass(frozen=True)
class _Match:
    """Two records that may be one run; likelier pairs have a higher rank."""

    rank: tuple[bool, _Near, float]
    record: FileRun
    other: FileRun


def merge_same(
    runs: Sequence[FileRun],
) -> tuple[list[FileRun], dict[FileRun, FileRun], list[str]]:
    """Return the runs, each once, and a line for those that look like one and count as two.

    Each is its most detailed record, the others attached to it. Between them: what a tool wrote
    before the end of a run, each with the run.
    """
    by_tool: defaultdict[str, list[FileRun]] = defaultdict(list)
    for run in runs:
        by_tool[run.parser.tool].append(run)
    lines: list[str] = []
    unfinished: dict[FileRun, FileRun] = {}
    for candidates in by_tool.values():
        matching = _Matching(candidates)
        matching.merge()
        lines += matching.lookalikes()
        unfinished |= matching.unfinished()
    absorbed = {other for run in runs for other in run.others} | unfinished.keys()
    return [run for run in runs if run not in absorbed], unfinished, lines


@dataclass(frozen=True)
class _Location:
    """Where a record lies: its folder, its file's name, and the words that may tell the run."""

    folder: str
    stem: str
    words: frozenset[str]


def _location(run: FileRun) -> _Location:
    path = PurePath(run.file.input.name.removesuffix(".gz"))
    words = frozenset(re.split(r"[\W_]+", path.stem.lower())) - _plain_words()
    folder = path.parent
    if folder.name and folder.name == run.parser.folder:
        folder = folder.parent
    return _Location(folder.as_posix(), path.stem, words)


def _leads(file: FileOutcome) -> dict[str, int]:
    """Return what is larger for the formats that come first in a file."""
    return {run.parser.name: -run.number for run in reversed(file.runs)}


class _Matching:
    """The records of one tool, and which of them are the same run.

    What several of one format say alike is one record here, that of the first of them.
    """

    def __init__(self, runs: Sequence[FileRun]) -> None:
        self.runs = runs
        self.print, self.location, self.leads = cache(Print), cache(_location), cache(_leads)
        self.known: dict[frozenset[FileRun], Agreement] = {}
        self.order = {run: number for number, run in enumerate(runs)}
        self.copies: dict[FileRun, list[FileRun]] = {}
        self.first_of = {run: run for run in runs}
        alike = [pair for twins in _that_say_the_same(runs) for pair in self._once(twins)]
        self.records = [run for run in runs if self.first_of[run] is run]
        groups = {run: [run] for run in self.records}
        self.groups = {run: groups[self.first_of[run]] for run in runs}
        self.pairs = sorted(self._pairs(alike), key=lambda pair: pair.rank, reverse=True)
        self.of_run: defaultdict[FileRun, list[_Match]] = defaultdict(list)
        for pair in self.pairs:
            self.of_run[pair.record].append(pair)
            self.of_run[pair.other].append(pair)

    @cached_property
    def in_folder(self) -> Counter[tuple[str, str]]:
        """How many records of each format lie in each folder."""
        return Counter((self.location(run).folder, run.parser.name) for run in self.runs)

    def merge(self) -> None:
        """Join the records that are one run, the likeliest pairs first."""
        for pair in self.pairs:
            group, other = self.groups[pair.record], self.groups[pair.other]
            if group is other or not self._compatible(group, other) or self._has_rival(pair):
                continue
            group += other
            for run in other:
                self.groups.update((copy, group) for copy in self.copies.get(run, [run]))
        for run in self.records:
            if self.groups[run][0] is run:
                group = [copy for r in self.groups[run] for copy in self.copies.get(r, [r])]
                group.sort(key=lambda run: (-run.parser.detail, self.order[run]))
                group[0].others = group[1:]

    def lookalikes(self) -> list[str]:
        """Return a line for those that look like one run and count as two."""
        if len({run.parser.name for run in self.records}) < 2:
            return []
        groups = [self.groups[run] for run in self.records if self.groups[run][0] is run]
        return lookalikes.notes(groups, self.print, self._differing)

    def unfinished(self) -> dict[FileRun, FileRun]:
        """Return per run that its tool wrote before its end the one that has it whole."""
        if not any(run.parser.lags for run in self.runs):
            return {}
        absorbed = {other for run in self.runs for other in run.others}
        places = {
            run: (self.location(run).folder, self.location(run).words)
            for run in self.runs
            if run not in absorbed
        }
        return ends_elsewhere(places)

    def _once(self, twins: Sequence[FileRun]) -> Iterator[tuple[FileRun, FileRun]]:
        """Take copies of one record together; yield what else may be one run among `twins`."""
        by_content: defaultdict[Hashable, list[FileRun]] = defaultdict(list)
        for run in twins:
            by_content[_content(run)].append(run)
        records: list[FileRun] = []
        for copies in by_content.values():
            if len(copies) > 1 and not self._agreement(copies[0], copies[1]).differ:
                self.copies[copies[0]] = copies
                self.first_of.update((run, copies[0]) for run in copies)
                records.append(copies[0])
            elif len(copies) == 1:  # several that say too little are runs like any others
                records += copies
        for at, before in with_equal_figures([run.known_figures for run in records]):
            yield records[at], records[before]

    def _pairs(self, alike: Iterable[tuple[FileRun, FileRun]]) -> Iterator[_Match]:
        pairs = {tuple(sorted(self.order[run] for run in pair)) for pair in alike}
        if len({run.parser.name for run in self.records}) > 1:
            prints = [self.print(run) for run in self.records]
            locations = [self.location(run) for run in self.records]
            folders, words = [each.folder for each in locations], [each.words for each in locations]
            for at, before in of_different_kinds(prints, folders, words):
                pairs.add((self.order[self.records[before]], self.order[self.records[at]]))
        for before, at in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
            record, other = self.runs[at], self.runs[before]
            agreed = self._agreement(record, other)
            if agreed.differ:
                continue
            certain = agreed.digits >= _ENOUGH_DIGITS or agreed.best >= _ENOUGH_IN_ONE
            kindred = agreed.possible >= _ENOUGH_FIGURES
            copies = (self.copies.get(run, [run])[:_MOST_COPIES] for run in (record, other))
            for a, b in product(*copies):
                near = self._nearness(a, b)
                likely = agreed.figures >= _ENOUGH_FIGURES or (near[1] >= 2 and kindred)
                likely |= near[1] == _SAME_NAME and agreed.figures > 0
                if certain or (near[0] and likely):
                    yield _Match((certain, near, agreed.digits), a, b)

    def _agreement(self, record: FileRun, other: FileRun) -> Agreement:
        key = frozenset((record, other))
        if key not in self.known:
            self.known[key] = self._compared(record, other)
        return self.known[key]

    def _compared(self, record: FileRun, other: FileRun) -> Agreement:
        alike = record.parser is other.parser
        if alike and not says_the_same(record, other):
            return _OF_TWO_RUNS
        agreed = agreement(self.print(record), self.print(other))
        if agreed.differ or not alike:
            return agreed
        # Two outputs of one kind: what little they say may be the same by chance.
        enough = agreed.digits >= _ENOUGH_IF_EQUAL
        return Agreement(agreed.figures, _ENOUGH_DIGITS + agreed.digits) if enough else _OF_TWO_RUNS

    def _nearness(self, record: FileRun, other: FileRun) -> _Near:
        """Return how near two records lie: by folder, words and letters of their names.

        The words: 3 where they are the same, 2 where they are kindred, 1 where they say nothing,
        0 where they speak of different runs. In one file it counts which follows which.
        """
        if record.file is other.file:
            return (1, 2, self._in_page(record, other))
        a, b = self.location(record), self.location(other)
        kindred = bool(a.words & b.words) and (a.words <= b.words or b.words <= a.words)
        words = 2 if kindred else 1 if not (a.words and b.words) else 0
        words = _SAME_NAME if kindred and a.words == b.words else words
        ends = ([a.stem, b.stem], [a.stem[::-1], b.stem[::-1]])
        letters = sum(len(os.path.commonprefix(each)) for each in ends)  # noqa: RUF071 - letters
        return (int(a.folder == b.folder), words, letters)

    def _in_page(self, record: FileRun, other: FileRun) -> int:
        """Return 2 for a record right below one of the leading kind, 1 right above it, else 0.

        What comes first in the file says which of two kinds leads. Several of a kind
        in a row may belong to several before them.
        """
        first, second = sorted((record, other), key=lambda run: run.number)
        if second.number != first.number + 1:
            return 0
        runs = first.file.runs
        after = runs[second.number] if second.number < len(runs) else None
        if after is not None and after.parser is second.parser:
            return 0
        leads = self.leads(first.file)
        return 2 if leads[first.parser.name] >= leads[second.parser.name] else 1

    def _compatible(self, group: Sequence[FileRun], other: Sequence[FileRun]) -> bool:
        return next(self._differing(group, other), None) is None

    def _differing(self, group: Sequence[FileRun], other: Sequence[FileRun]) -> Iterator[Key]:
        """Yield the figures in which no record of a group agrees with any of another."""
        pairs = list(product(group, other))
        differ = {key for pair in pairs for key in self._agreement(*pair).differ}
        for key in differ:
            giving = (pair for pair in pairs if all(self.print(run).gives(key) for run in pair))
            if key == _OUTPUT or all(key in self._agreement(*pair).differ for pair in giving):
                yield key

    def _has_rival(self, pair: _Match) -> bool:
        """Whether another record would do as well for either side, and is not the same run."""
        certain, (_, words, _), _ = pair.rank
        if not certain and not words and not self._told_apart(pair):
            return True
        for mine, theirs in ((pair.record, pair.other), (pair.other, pair.record)):
            for rival in self.of_run[mine]:
                # Where neither digits nor names decide, any other candidate is a rival.
                alike = rival.rank == pair.rank or (not certain and words < 2)
                if rival is pair or not alike:
                    continue
                third = rival.other if rival.record is mine else rival.record
                group, other = self.groups[third], self.groups[theirs]
                if group is not other and not self._compatible(group, other):
                    return True
        return False

    def _told_apart(self, pair: _Match) -> bool:
        """Whether each side has been held against others of its kind here, and they differed."""
        return all(
            self.in_folder[self.location(run).folder, run.parser.name] > 1
            for run in (pair.record, pair.other)
        )


def _that_say_the_same(runs: Iterable[FileRun]) -> Iterator[list[FileRun]]:
    """Yield the runs of one format that have the same columns, quantiles and status codes."""
    by_content: defaultdict[Hashable, list[FileRun]] = defaultdict(list)
    for run in runs:
        record = run.record
        columns, statuses = frozenset(record.columns.items()), frozenset(record.statuses.items())
        by_content[run.parser.name, columns, tuple(record.quantiles), statuses].append(run)
    yield from (twins for twins in by_content.values() if len(twins) > 1)


def _content(run: FileRun) -> Hashable:
    """Return what else a record says."""
    figures = frozenset(
        (figure.metric, figure.statistic, figure.value) for figure in run.record.figures
    )
    if run.summary is None:
        return figures
    rows = run.summary.distribution
    return figures, rows.bins.tobytes(), rows.counts.tobytes(), rows.squares_ns2
