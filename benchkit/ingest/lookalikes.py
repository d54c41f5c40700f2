"""Runs that look like one and count as two: which they are, and what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit.ingest.agreement import Key, Print
from benchkit.ingest.fileruns import FileRun
from benchkit.ingest.precision import apart, digits_of

_SAME: Final[tuple[Key, ...]] = (
    ("count", "requests"),
    ("measured", "latency_min_s"),
    ("quantile", 1.0),
)
_ERRORS: Final[Key] = ("count", "errors")
#: Digits of minimum and maximum together that two runs hardly have in common.
_TELLING: Final = 5.0
#: Which figure is named first, by its kind.
_ORDER: Final = ("count", "measured", "quantile", "figure")
_MOST_LINES: Final = 3

Group = Sequence[FileRun]


def notes(
    groups: Iterable[Group],
    printed: Callable[[FileRun], Print],
    differing: Callable[[Group, Group], Iterable[Key]],
) -> list[str]:
    """Return a line for each two runs that have the same requests, errors, minimum and maximum.

    Args:
        groups: The records of each run of one tool.
        printed: What identifies a record.
        differing: The figures in which two groups differ.
    """
    lines = []
    for group, other in _pairs(groups, printed):
        a, b = _named(group[0]), _named(other[0])
        reason = _reason([*map(printed, group)], [*map(printed, other)], differing(group, other))
        lines.append(
            f"{a} and {b} count as two runs: requests, errors, minimum and maximum are the same, "
            f"but {reason}"
        )
    more = len(lines) - _MOST_LINES
    return (
        [*lines[:_MOST_LINES], f"likewise {show.plural(more, 'more pair')}"] if more > 0 else lines
    )


def _pairs(
    groups: Iterable[Group], printed: Callable[[FileRun], Print]
) -> Iterator[tuple[Group, Group]]:
    """Yield groups that look alike; among many those whose maxima follow one another."""
    alike: defaultdict[float, list[tuple[float, Print, Group]]] = defaultdict(list)
    for group in groups:
        telling = (p for p in map(printed, group) if all(map(p.gives, _SAME)))
        if (first := next(telling, None)) is not None:
            requests, _, maximum = (first.known(key).value for key in _SAME)
            alike[requests].append((maximum, first, group))
    for runs in alike.values():
        runs.sort(key=lambda run: run[0])
        for (_, a, group), (_, b, other) in pairwise(runs):
            if a.run.parser is not b.run.parser and _looks_like(a, b):
                yield group, other


def _looks_like(record: Print, other: Print) -> bool:
    digits = 0.0
    for key in (*_SAME, _ERRORS):
        if not (record.gives(key) and other.gives(key)):
            continue
        known = record.known(key)
        half = apart(known, other.known(key))
        if half is None:
            return False
        digits += digits_of(known.value, half) if key[0] != "count" else 0.0
    return digits >= _TELLING


def _reason(side: Sequence[Print], other: Sequence[Print], differ: Iterable[Key]) -> str:
    """Return why two groups count as two runs, naming the first figure that differs."""
    ranks = {kind: rank for rank, kind in enumerate(_ORDER)}
    keys = sorted(differ, key=lambda key: (ranks.get(key[0], len(ranks)), str(key[1])))
    if not keys:
        return "too little else tells whether they are one, or others would do as well"
    kind, name = key = keys[0]
    if kind not in ranks:
        return f"they differ in {kind}"
    a, b = (next(p.known(key).value for p in prints if p.gives(key)) for prints in (side, other))
    what = show.percentile(name) if kind == "quantile" and isinstance(name, float) else ""
    what = what or (" ".join(map(str, name)) if isinstance(name, tuple) else str(name))
    return f"{what} is {a:.10g} in the one and {b:.10g} in the other"


def _named(run: FileRun) -> str:
    name = run.file.input.name
    return f"{name} (run {run.number})" if run.many else name
