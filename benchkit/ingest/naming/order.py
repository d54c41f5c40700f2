"""In which order runs were made, as far as their names say: by dates and times, or by one count."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from benchkit.ingest.naming.names import Names

_DATE: Final = re.compile(r"(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d{8})")
_EPOCH: Final = re.compile(r"1[4-9]\d{8}")
_CLOCK: Final = re.compile(r"[T_ .-]?(\d{1,2})\D?(\d\d)\D?(\d\d)?")

#: What a moment is made of, which is alike in names that can be ordered, and its number.
_Moment = tuple[str, int]


def order_by_names(names: Sequence[Names]) -> None:
    """Give the runs of each scenario their order, where the names of all say it.

    That is by when they were made; or by one count that goes through all variants, `01-A`, `02-B`.
    """
    scenarios: defaultdict[tuple[str | None, str], list[Names]] = defaultdict(list)
    for name in names:
        scenarios[name.scenario, name.tool].append(name)
    for members in scenarios.values():
        moments = [moment for name in members if (moment := _moment(name.when)) is not None]
        dated = len(moments) == len(members) and len({form for form, _ in moments}) == 1
        order = [number for _, number in moments] if dated else _count_through(members)
        for name, number in zip(members, order, strict=False):
            name.order = number


def _count_through(names: Sequence[Names]) -> Sequence[int]:
    """Return the numbers of one count through all names; what counts beside it are repeats."""
    rows = [name.counts or ((name.repeat,) if name.repeat is not None else ()) for name in names]
    if len(set(map(len, rows))) > 1:
        return ()
    for column, numbers in enumerate(zip(*rows, strict=True)):
        if len(numbers) == len(set(numbers)) == max(numbers) - min(numbers) + 1:
            for name in names:
                if len(name.counts) == 2:
                    name.repeat = name.counts[1 - column]
            return numbers
    return ()


def _moment(texts: Sequence[str]) -> _Moment | None:
    """Return the moment that dates and times in a name are; None where it is not plain."""
    if not texts:
        return None
    first, *rest = texts
    if _EPOCH.match(first):
        return "epoch", int(first[:10])
    date = _DATE.match(first)
    day = "".join(date.groups()) if date else ""
    clock = _CLOCK.match(first[date.end() :] if date else first) or _CLOCK.match("".join(rest))
    if not (date or clock):
        return None
    time = "".join(part.zfill(2) for part in clock.groups(default="0")) if clock else ""
    return f"{'date' if date else ''}{'time' if clock else ''}", int(day + time)
