"""In which order runs were made, as far as their names say: by dates and times, or by one count."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Final

from benchkit.ingest.naming.names import Founded, Names

_DATE: Final = re.compile(r"((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d{8})")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[-.](\d\d)[-.](20\d\d)")
_WEEK: Final = re.compile(r"(20\d\d)[-_.]?w(\d\d)", re.IGNORECASE)
_ZONE: Final = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")
_EPOCH: Final = re.compile(r"1[4-9]\d{8}")
_CLOCK: Final = re.compile(r"[T_ .-]?(\d{1,2})\D?(\d\d)\D?(\d\d)?")

#: What a moment is made of, which is alike in names that can be ordered, and its number.
_Moment = tuple[str, int]


def order_by_names(names: Sequence[Names]) -> None:
    """Give runs their days, and those of each scenario their order, where the names of all say it.

    That is by when they were made; or by one count that goes through all variants, `01-A`, `02-B`.
    """
    scenarios: defaultdict[tuple[str | None, str], list[Names]] = defaultdict(list)
    for name in names:
        scenarios[name.scenario, name.tool].append(name)
        name.day = _day(name.when)
    for members in scenarios.values():
        order = _dated(members) or _count_through(members)
        for name, number in zip(members, order, strict=True) if order else ():
            name.order = number


def _dated(names: Sequence[Names]) -> Sequence[int]:
    """Return when each run was made; nothing where names do not say which variant came first."""
    moments = [moment for name in names if (moment := _moment(name.when)) is not None]
    if len(moments) < len(names) or len({form for form, _ in moments}) > 1:
        return ()
    variants: defaultdict[int, set[str]] = defaultdict(set)
    for name, (_, number) in zip(names, moments, strict=True):
        variants[number].add(name.variant)
    return [number for _, number in moments] if max(map(len, variants.values())) == 1 else ()


def _count_through(names: Sequence[Names]) -> Sequence[int]:
    """Return the numbers of one count through all variants, some of which may be missing.

    It numbers no repetitions: what counts beside it does, or else they are numbered in its order.
    """
    rows = [name.counts for name in names if name.founded is Founded.PATH]
    runs = Counter(name.variant for name in names)
    shaped = len(rows) == len(names) and len(set(map(len, rows))) == 1
    if not shaped or len(runs) < 2 or min(runs.values()) < 2:
        return ()
    for column, numbers in enumerate(zip(*rows, strict=True)):
        if len(set(numbers)) == len(numbers) and max(numbers) - min(numbers) < 2 * len(numbers):
            for name in names:
                others = [n for at, n in enumerate(name.counts) if at != column]
                name.repeat = others[0] if len(others) == 1 else None
            return numbers
    return ()


def _day(texts: Sequence[str]) -> int | None:
    """Return the day that a name has, since 1970; None where it is not plain."""
    form, number = _moment(texts) or ("", 0)
    if form == "epoch":
        return number // 86_400
    digits = f"{number if form == 'date' else number // 10**6:08}"
    try:
        return (date.fromisoformat(digits) - date(1970, 1, 1)).days
    except ValueError:  # no day of the calendar, or a week
        return None


def _moment(texts: Sequence[str]) -> _Moment | None:
    """Return the moment that dates and times in a name are; None where it is not plain."""
    if not texts:
        return None
    first, *rest = texts
    if _EPOCH.match(first):
        return "epoch", int(first[:10])
    if week := _WEEK.match(first):
        return "week", int("".join(week.groups()))
    if day := _DAY_FIRST.match(first):
        parts = [part.zfill(2) for part in reversed(day.groups())]
    elif day := _DATE.match(first):
        parts = [*day.groups()]
    else:
        return None
    clock = _CLOCK.match(first, day.end()) or _CLOCK.match("".join(rest))
    if clock is None:
        return "date", int("".join(parts))
    zone = _ZONE.search(texts[-1])
    parts += [part.zfill(2) for part in clock.groups(default="0")]
    return f"time{zone[0] if zone else ''}", int("".join(parts))
