"""Which records may be one run: pairs that an index of their figures finds, not all with all.

A figure that two records of different kinds give must agree within what was printed, or
they are two runs. So each record is looked up by that figure, of those both kinds have,
which fewest of the other kind share with it.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import Final, NamedTuple

from benchkit.ingest.agreement import Key, Print
from benchkit.ingest.precision import SLACK, Known, agree

#: Figures that repetitions of one test share by design; no digits of theirs tell runs apart.
_BY_DESIGN: Final = "count"
#: The reach of a figure that is known exactly, as an exponent.
_EXACT: Final = -9999
#: Records of so many different figures, or so many with the same ones, that do not contradict each
#: other: nothing tells which of them are one run, and none is taken for another.
_MOST_SETS: Final = 64
_MOST_ALIKE: Final = 16
#: Records between which and another there are fewer are near it.
_NEAR: Final = 3
#: So many pairs are looked at, and so many more for each record.
_MOST_PAIRS, _PAIRS_PER_RECORD = 10_000, 4


class _Steps(NamedTuple):
    """Values of one figure that are known to about the same step, in ascending order."""

    reach: float
    values: list[float]
    records: list[int]


class _Index:
    """One figure of many records, by value."""

    def __init__(self, known: Iterable[tuple[int, Known]]) -> None:
        by_step: defaultdict[int, list[tuple[float, int, float]]] = defaultdict(list)
        for record, figure in known:
            if not math.isnan(figure.value):
                exponent = math.frexp(figure.reach)[1] if figure.reach else _EXACT
                by_step[exponent].append((figure.value, record, figure.reach))
        self._steps: list[_Steps] = []
        for rows in by_step.values():
            rows.sort()
            reach = max(reach for _, _, reach in rows)
            self._steps.append(_Steps(reach, [row[0] for row in rows], [row[1] for row in rows]))

    def near(self, known: Known) -> list[tuple[_Steps, int, int]]:
        """Return the stretches in which values may agree with one."""
        stretches = []
        for steps in self._steps:
            reach = (known.reach + steps.reach) * SLACK * SLACK + 1e-11 * abs(known.value)
            first = bisect_left(steps.values, known.value - reach)
            stop = bisect_right(steps.values, known.value + reach)
            if first < stop:
                stretches.append((steps, first, stop))
        return stretches


class _Kind:
    """Records of one format that give the same columns."""

    def __init__(self, prints: Sequence[Print], records: list[int]) -> None:
        self.prints, self.records = prints, records
        self.columns = prints[records[0]].strict.keys()
        self.rows = any(prints[at].distribution is not None for at in records)
        self.quantiles = any(prints[at].quantiles for at in records)
        self._indexes: dict[Key, _Index] = {}

    @cached_property
    def figures(self) -> set[Key]:
        """The further figures that all of them give."""
        first, *others = (self.prints[record].further.keys() for record in self.records)
        return set(first).intersection(*others)

    def by(self, key: Key) -> _Index:
        """Return the index of a figure that all of them give."""
        if key not in self._indexes:
            known = ((at, self.prints[at].known(key)) for at in self.records)
            self._indexes[key] = _Index(known)
        return self._indexes[key]


def of_different_kinds(
    prints: Sequence[Print], folders: Sequence[str], words: Sequence[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Yield positions, the later first, of records of two formats that may be one run.

    What is left out differs in a figure, or lies in two folders without any figure in
    common that could show that it is one run nevertheless. Of two kinds whose figures leave very
    many pairs, only those near each other or with the same words in their names are yielded.
    """
    by_kind: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, given in enumerate(prints):
        by_kind[given.run.parser.name, frozenset(given.strict)].append(at)
    kinds = [_Kind(prints, records) for records in by_kind.values()]
    if len(kinds) > _MOST_SETS:
        yield from _beside_each_other(prints, folders, words)
        return
    most = _MOST_PAIRS + _PAIRS_PER_RECORD * len(prints)
    left, crowded = 3 * most, set[tuple[int, int]]()
    for first, second in combinations(range(len(kinds)), 2):
        room = min(most, left)
        pairs = [*islice(_by_figures(kinds[first], kinds[second], folders), room + 1)]
        left -= min(len(pairs), room)
        if len(pairs) > room:
            crowded.add((first, second))
        else:
            yield from pairs
    kind_of = {at: number for number, kind in enumerate(kinds) for at in kind.records}
    for at, before in _beside_each_other(prints, folders, words) if crowded else ():
        first, second = sorted((kind_of[at], kind_of[before]))
        if (first, second) in crowded:
            yield at, before


def _beside_each_other(
    prints: Sequence[Print], folders: Sequence[str], words: Sequence[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Yield those of two formats near each other in the input, or of one name in a folder."""
    named: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, given in enumerate(prints):
        alike = named[folders[at], words[at]]
        few = alike if len(alike) < _MOST_ALIKE else ()
        for before in sorted({*range(max(at - _NEAR, 0), at), *few}):
            if prints[before].run.parser is not given.run.parser:
                yield at, before
        alike.append(at)


def _by_figures(kind: _Kind, other: _Kind, folders: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of two formats of which no figure says that they are two runs."""
    prints = kind.prints
    if prints[kind.records[0]].run.parser is prints[other.records[0]].run.parser:
        return
    few, many = (kind, other) if len(kind.records) < len(other.records) else (other, kind)
    keys = [*(few.columns & many.columns), *(few.figures & many.figures)]
    yield from _between(few, many, keys, folders)


def _between(
    few: _Kind, many: _Kind, keys: Sequence[Key], folders: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of two kinds in which all of some figures agree."""
    prints = few.prints
    by_folder: defaultdict[str, list[int]] = defaultdict(list)
    for record in many.records:
        by_folder[folders[record]].append(record)
    # Quantiles, and counts between latencies, can show more than that both may be one run.
    telling = few.rows or many.rows or (few.quantiles and many.quantiles)
    anywhere = telling or any(key[0] != _BY_DESIGN for key in keys)
    for record in few.records:
        printed, beside = prints[record], by_folder[folders[record]]
        nearest = _fewest(printed, many, keys, many.records if anywhere else beside)
        for other in nearest:
            apart = folders[record] != folders[other]
            if (anywhere or not apart) and all(
                agree(printed.known(key), prints[other].known(key)) for key in keys
            ):
                yield max(record, other), min(record, other)


def _fewest(
    printed: Print, many: _Kind, keys: Sequence[Key], fewest: Sequence[int]
) -> Sequence[int]:
    """Return the records that are near one in the figure that fewest share with it."""
    size, chosen = len(fewest), None
    for key in keys:
        if size < 2:
            break
        stretches = many.by(key).near(printed.known(key))
        total = sum(stop - first for _, first, stop in stretches)
        if total < size:
            size, chosen = total, stretches
    if chosen is None:
        return fewest
    return [record for steps, first, stop in chosen for record in steps.records[first:stop]]


def with_equal_figures(
    figures: Sequence[Mapping[tuple[str, str], float]],
) -> Iterator[tuple[int, int]]:
    """Yield positions, the later first, of those that give no figure differently.

    Of very many nothing is yielded that would hold all of them against each other.
    """
    return islice(_equal(figures), _MOST_PAIRS + _PAIRS_PER_RECORD * len(figures))


def _equal(figures: Sequence[Mapping[tuple[str, str], float]]) -> Iterator[tuple[int, int]]:
    by_keys: defaultdict[frozenset[tuple[str, str]], list[int]] = defaultdict(list)
    for at, given in enumerate(figures):
        by_keys[frozenset(given)].append(at)
    sets = list(by_keys)
    for at, keys in enumerate(sets):
        for others in sets[: at + 1] if len(sets) <= _MOST_SETS else [keys]:
            common = sorted(keys & others)
            equal: defaultdict[Hashable, list[int]] = defaultdict(list)
            for record in by_keys[others]:
                equal[tuple(figures[record][key] for key in common)].append(record)
            for record in by_keys[keys]:
                alike = equal[tuple(figures[record][key] for key in common)]
                for other in alike if len(alike) <= _MOST_ALIKE else ():
                    if keys is not others or other < record:
                        yield max(record, other), min(record, other)
