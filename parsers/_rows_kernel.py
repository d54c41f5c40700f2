"""Values in rows of text to columns, for the loops over tables and over objects.

They are written for numba, run over pointers, and take only what is plain: at anything else
(an escape within a text, an exponent, a line that is broken) they stop, and pyarrow reads the
window. What they take has the same meaning there.

Source: RFC 3339.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0917, PLR1714, PLR1730

from __future__ import annotations

from typing import Any, Final

from ._gob_compiled import bytewise, eight, hashed, looked_up, same

# What to do with a value.
SKIP: Final = 0
NUMBER: Final = 1
INSTANT: Final = 2
TEXT: Final = 3
ONLY: Final = 4  # a text that must be the given one for the row to count

#: What stands where a value is missing, if none may be.
NEEDED: Final = -(2**63)
#: What `put` returns for a value that it does not take.
BAD: Final = -1

_TENTH: Final = (2**63 - 10) // 10
_DAY: Final = 86_400
_SECOND: Final = 1_000_000_000


def scaled(buf: Any, start: Any, stop: Any, decimals: Any) -> Any:
    """Return (a plain decimal number times 10**decimals, whether it is one that fits)."""
    at = start
    negative = at < stop and buf[at] == 45
    if negative:
        at += 1
    value, digits, behind = 0, 0, -1
    while at < stop:
        byte = buf[at] + 0
        if 48 <= byte <= 57:
            if value > _TENTH:
                return 0, False
            value = 10 * value + (byte - 48)
            digits += 1
            if behind >= 0:
                behind += 1
        elif byte == 46 and behind < 0 and digits > 0:
            behind = 0
        else:
            return 0, False
        at += 1
    if digits == 0 or behind == 0 or behind > decimals:
        return 0, False
    if behind < 0:
        behind = 0
    while behind < decimals:
        if value > _TENTH:
            return 0, False
        value *= 10
        behind += 1
    return (-value if negative else value), True


def number_of(buf: Any, at: Any, count: Any) -> Any:
    """Return so many digits as a number, below 0 where one is none."""
    value = 0
    for step in range(count):
        byte = buf[at + step] + 0
        if byte < 48 or byte > 57:
            return -(2**30)
        value = 10 * value + (byte - 48)
    return value


def instant(buf: Any, start: Any, stop: Any) -> Any:
    """Return (ns since 1970 of an RFC 3339 instant from then until 2200, whether it is one)."""
    if stop - start < 20:
        return 0, False
    year, month = number_of(buf, start, 4), number_of(buf, start + 5, 2)
    day, hour = number_of(buf, start + 8, 2), number_of(buf, start + 11, 2)
    minute, second = number_of(buf, start + 14, 2), number_of(buf, start + 17, 2)
    if buf[start + 4] != 45 or buf[start + 7] != 45 or buf[start + 10] != 84:
        return 0, False
    if buf[start + 13] != 58 or buf[start + 16] != 58:
        return 0, False
    longest = 31
    if month == 4 or month == 6 or month == 9 or month == 11:
        longest = 30
    if month == 2:
        longest = 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    if year < 1971 or year > 2199 or month < 1 or month > 12 or day < 1 or day > longest:
        return 0, False
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 59:
        return 0, False
    at, fraction = start + 19, 0
    if buf[at] == 46:
        at += 1
        digits = 0
        while at < stop and 48 <= buf[at] <= 57:
            fraction = 10 * fraction + (buf[at] - 48)
            digits += 1
            at += 1
        if digits == 0 or digits > 9:
            return 0, False
        while digits < 9:
            fraction *= 10
            digits += 1
    offset = 0
    if at + 1 == stop and buf[at] == 90:
        offset = 0
    elif at + 6 == stop and (buf[at] == 43 or buf[at] == 45) and buf[at + 3] == 58:
        hours, minutes = number_of(buf, at + 1, 2), number_of(buf, at + 4, 2)
        if hours < 0 or hours > 23 or minutes < 0 or minutes > 59:
            return 0, False
        offset = 60 * (60 * hours + minutes)
        if buf[at] == 45:
            offset = -offset
    else:
        return 0, False
    # Days since 1970 of a year that begins in March, so that a leap day is its last.
    if month <= 2:
        year -= 1
        month += 12
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5
    days += day - 1 - 719_468
    seconds = _DAY * days + 3600 * hour + 60 * minute + second - offset
    return _SECOND * seconds + fraction, True


def code_of(buf: Any, pos: Any, size: Any, slot: Any, names: Any, end: Any) -> Any:
    """Return the code of a text, -1 of an empty one."""
    if size == 0:
        return -1
    last, store = names[0], names[1]
    if size == last[3 * slot + 1] and same(buf, pos, store, last[3 * slot], size, end):
        return last[3 * slot + 2]
    return looked_up(buf, pos, size, slot, names, end)


def put(
    buf: Any,
    start: Any,
    stop: Any,
    at: Any,
    row: Any,
    plan: Any,
    columns: Any,
    names: Any,
    end: Any,
) -> Any:
    """Put a value into its column; return 1, 0 where the row does not count, -1 for a bad one."""
    actions, slots, decimals, scales, mosts, absents, firsts, marks = plan
    room, out, codes = columns
    action, slot = actions[at], slots[at]
    if action == TEXT:
        codes[slot * room + row] = code_of(buf, start, stop - start, slot, names, end)
        return 1
    if action == ONLY:
        if stop - start != firsts[at + 1] - firsts[at]:
            return 0
        for step in range(stop - start):
            if buf[start + step] != marks[firsts[at] + step]:
                return 0
        return 1
    if start == stop:
        if absents[at] == NEEDED:
            return BAD
        out[slot * room + row] = absents[at]
        return 1
    if action == NUMBER:
        value, good = scaled(buf, start, stop, decimals[at])
        if not good or value > mosts[at] or value < -mosts[at]:
            return BAD
        out[slot * room + row] = value * scales[at]
        return 1
    value, good = instant(buf, start, stop)
    if not good:
        return BAD
    out[slot * room + row] = value
    return 1


#: What a loop over rows calls, and what is copied to where it is called.
HELPERS: Final = (put, scaled, instant, looked_up, bytewise)
INLINED: Final = (eight, same, hashed, number_of, code_of)
#: Of both loops the first arguments.
ARGUMENTS: Final = "u1*" + " i8*" * 8 + " u1* i8* i4* i8* u1* i8* i4* i8*"
