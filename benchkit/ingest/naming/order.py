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
        counts = [name.repeat for name in members if name.repeat is not None]
        counted = len(counts) == len(members) == len(set(counts)) == max(counts) - min(counts) + 1
        order = [number for _, number in moments] if dated else counts if counted else []
        for name, number in zip(members, order, strict=False):
            name.order = number


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
