"""The inner loops of reading rows of text: bytes of a window to columns.

They are written for numba, run over pointers, and take only what is plain: at anything else
(an escape within a text, an exponent, a line that is broken) they stop, and pyarrow reads the
window. What they take has the same meaning there.

Source: RFC 4180; RFC 8259; RFC 3339.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0915, PLR0917, PLR1714, PLR1730, SIM109

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from benchkit import jit

from ._gob_compiled import bytewise, eight, hashed, looked_up, same

# What to do with a value.
SKIP: Final = 0
NUMBER: Final = 1
INSTANT: Final = 2
TEXT: Final = 3
ONLY: Final = 4  # a text that must be the given one for the row to count

#: What stands where a value is missing, if none may be.
NEEDED: Final = -(2**63)
#: Deepest nesting of JSON.
DEEPEST: Final = 32

_BAD: Final = -1
_TENTH: Final = (2**63 - 10) // 10
_DAY: Final = 86_400
_SECOND: Final = 1_000_000_000
_LINES: Final = np.uint64(0x0A0A_0A0A_0A0A_0A0A)
_ONES: Final = np.uint64(0x0101_0101_0101_0101)
_TOPS: Final = np.uint64(0x8080_8080_8080_8080)
_ARRAY: Final = -2
_UNKNOWN: Final = -1


def line_end(buf: Any, pos: Any, end: Any) -> Any:
    """Return where the next line end stands, or the end."""
    while pos + 8 <= end:
        different = eight(buf, pos) ^ _LINES
        if (different - _ONES) & ~different & _TOPS:
            break
        pos += 8
    while pos < end and buf[pos] != 10:
        pos += 1
    return pos


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
            return _BAD
        out[slot * room + row] = absents[at]
        return 1
    if action == NUMBER:
        value, good = scaled(buf, start, stop, decimals[at])
        if not good or value > mosts[at] or value < -mosts[at]:
            return _BAD
        out[slot * room + row] = value * scales[at]
        return 1
    value, good = instant(buf, start, stop)
    if not good:
        return _BAD
    out[slot * room + row] = value
    return 1


def table(
    buf: Any,
    numbers: Any,
    actions: Any,
    slots: Any,
    decimals: Any,
    scales: Any,
    mosts: Any,
    absents: Any,
    firsts: Any,
    marks: Any,
    out: Any,
    codes: Any,
    last: Any,
    store: Any,
    stops: Any,
    entries: Any,
    used: Any,
) -> int:
    """Read rows between delimiters into columns.

    `buf` has whole rows. `numbers` are how many bytes, rows that there is room for, columns of the
    table, delimiter, quote or -1; then, for the texts, room for bytes, for texts, in the hash
    table, and the seed. By column of the table there are, in `actions`, what to do; in `slots`,
    which column of `out` or `codes` that is; in `decimals`, how many digits behind the point a
    number may have, which is multiplied so that they count, and then by one of `scales`, for which
    it must not be above one of `mosts`; in `absents`, what an empty value is, or NEEDED; in
    `firsts`, where the text that an ONLY must be begins in `marks`, and at last where these end.
    `out` (int64) and `codes` (int32, -1 for none) are written, column by column; `last` to `used`
    are as for the `names` of `_gob_compiled.coded`.

    Returns how many rows count, -1 where something is not plain.
    """
    end, room, width = numbers[0], numbers[1], numbers[2]
    delimiter, quote = numbers[3], numbers[4]
    plan = (actions, slots, decimals, scales, mosts, absents, firsts, marks)
    columns = (room, out, codes)
    sizes = (numbers[5], numbers[6], numbers[7], numbers[8])
    names = (last, store, stops, entries, used, *sizes)
    pos, row = 0, 0
    while pos < end:
        if buf[pos] == 10:
            pos += 1
            continue
        if row >= room:
            return _BAD
        counts, field = 1, 0
        while True:
            if field >= width:
                return _BAD
            start = pos
            if pos < end and buf[pos] == quote:
                start = pos + 1
                pos = start
                while pos < end and buf[pos] != quote:
                    pos += 1
                if pos >= end:
                    return _BAD
                stop = pos
                pos += 1
            else:
                while pos < end:
                    byte = buf[pos] + 0
                    if byte == delimiter or byte <= 13 or byte == quote:
                        break
                    pos += 1
                stop = pos
            if counts == 1 and actions[field] != SKIP:
                counts = put(buf, start, stop, field, row, plan, columns, names, end)
                if counts < 0:
                    return _BAD
            if pos < end and buf[pos] == delimiter:
                pos += 1
                field += 1
                continue
            if pos < end and buf[pos] == 13:
                pos += 1
                if pos < end and buf[pos] != 10:
                    return _BAD
            if pos < end and buf[pos] != 10:
                return _BAD
            pos += 1
            break
        if field + 1 != width:
            return _BAD
        row += counts
    return row


def blanks(buf: Any, pos: Any, end: Any) -> Any:
    """Return where the next byte stands that is no blank; a line end is none."""
    while pos < end and (buf[pos] == 32 or buf[pos] == 9 or buf[pos] == 13):
        pos += 1
    return pos


def text_end(buf: Any, pos: Any, end: Any) -> Any:
    """Return (where a JSON text ends, whether it has escapes); the end is -1 for none."""
    escaped = False
    while pos < end:
        byte = buf[pos] + 0
        if byte == 34:
            return pos, escaped
        if byte < 32:
            return -1, escaped
        if byte == 92:
            escaped = True
            pos += 1
            if pos >= end:
                return -1, escaped
            byte = buf[pos] + 0
            if byte == 117:
                for step in range(1, 5):
                    if pos + step >= end:
                        return -1, escaped
                    digit = buf[pos + step] | 32
                    if not (48 <= buf[pos + step] <= 57 or 97 <= digit <= 102):
                        return -1, escaped
            elif not (
                byte == 34 or byte == 47 or byte == 92 or byte == 98
                or byte == 102 or byte == 110 or byte == 114 or byte == 116
            ):  # fmt: skip
                return -1, escaped
        pos += 1
    return -1, escaped


def number_end(buf: Any, pos: Any, end: Any) -> Any:
    """Return where a JSON number ends, -1 for none."""
    if pos < end and buf[pos] == 45:
        pos += 1
    first = pos
    while pos < end and 48 <= buf[pos] <= 57:
        pos += 1
    if pos == first or (buf[first] == 48 and pos > first + 1):
        return -1
    if pos < end and buf[pos] == 46:
        first = pos + 1
        pos = first
        while pos < end and 48 <= buf[pos] <= 57:
            pos += 1
        if pos == first:
            return -1
    if pos < end and (buf[pos] | 32) == 101:
        pos += 1
        if pos < end and (buf[pos] == 43 or buf[pos] == 45):
            pos += 1
        first = pos
        while pos < end and 48 <= buf[pos] <= 57:
            pos += 1
        if pos == first:
            return -1
    return pos


def word_end(buf: Any, pos: Any, end: Any) -> Any:
    """Return where `null`, `true` or `false` ends, -1 for none."""
    if pos + 4 <= end and buf[pos + 1] == 117 and buf[pos + 2] == 108 and buf[pos + 3] == 108:
        return pos + 4 if buf[pos] == 110 else -1
    if pos + 4 <= end and buf[pos + 1] == 114 and buf[pos + 2] == 117 and buf[pos + 3] == 101:
        return pos + 4 if buf[pos] == 116 else -1
    if pos + 5 <= end and buf[pos] == 102 and buf[pos + 1] == 97 and buf[pos + 2] == 108:
        return pos + 5 if buf[pos + 3] == 115 and buf[pos + 4] == 101 else -1
    return -1


def child_of(buf: Any, start: Any, stop: Any, node: Any, tree: Any) -> Any:
    """Return which key of a node a text is, -1 for none."""
    parents, key_firsts, keys, count = tree
    for key in range(count):
        if parents[key] == node and key_firsts[key + 1] - key_firsts[key] == stop - start:
            step = 0
            while step < stop - start and buf[start + step] == keys[key_firsts[key] + step]:
                step += 1
            if step == stop - start:
                return key
    return -1


def objects(
    buf: Any,
    numbers: Any,
    actions: Any,
    slots: Any,
    decimals: Any,
    scales: Any,
    mosts: Any,
    absents: Any,
    firsts: Any,
    marks: Any,
    out: Any,
    codes: Any,
    last: Any,
    store: Any,
    stops: Any,
    entries: Any,
    used: Any,
    parents: Any,
    nodes: Any,
    key_firsts: Any,
    keys: Any,
    stack: Any,
    seen: Any,
) -> int:
    """Read an object per line into columns.

    A key is a wanted value or an object with such within it. Behind a text that an ONLY must be
    and is not, the rest of the line is not looked at.

    `buf` has whole lines of ASCII. `numbers` to `used` are as for `table`, by key instead of by
    column, SKIP for one with others below; there are no delimiter and quote. By key, `parents` has
    the node in whose object it is, 0 for the outermost, `nodes` the node that it is, 0 for a value,
    and `key_firsts` where its name begins in `keys`, and at last where these end. `stack` is room
    for DEEPEST nodes and one. `seen` has by key the last row, from 1, that has it, then by key how
    many do, and is all zeros before.

    Returns as `table`.
    """
    end, room, count = numbers[0], numbers[1], numbers[2]
    plan = (actions, slots, decimals, scales, mosts, absents, firsts, marks)
    columns = (room, out, codes)
    sizes = (numbers[5], numbers[6], numbers[7], numbers[8])
    names = (last, store, stops, entries, used, *sizes)
    tree = (parents, key_firsts, keys, count)
    pos, row, line = 0, 0, 0
    while pos < end:
        pos = blanks(buf, pos, end)
        if pos >= end:
            break
        if buf[pos] == 10:
            pos += 1
            continue
        if buf[pos] != 123 or row >= room:
            return _BAD
        pos += 1
        line += 1
        depth, counts, is_first = 1, 1, True
        stack[0] = 0
        while depth > 0:
            node = stack[depth - 1]
            pos = blanks(buf, pos, end)
            if pos >= end:
                return _BAD
            key = -1
            closes = 93 if node == _ARRAY else 125
            ended = is_first and buf[pos] == closes
            if not ended:
                if node != _ARRAY:
                    if buf[pos] != 34:
                        return _BAD
                    start = pos + 1
                    stop, escaped = text_end(buf, start, end)
                    if stop < 0 or escaped:
                        return _BAD
                    pos = blanks(buf, stop + 1, end)
                    if pos >= end or buf[pos] != 58:
                        return _BAD
                    pos = blanks(buf, pos + 1, end)
                    if node >= 0:
                        key = child_of(buf, start, stop, node, tree)
                    if pos >= end:
                        return _BAD
                byte = buf[pos] + 0
                if byte == 123 or byte == 91:
                    if depth >= DEEPEST or (key >= 0 and (byte == 91 or nodes[key] == 0)):
                        return _BAD
                    if key >= 0:
                        if seen[key] == line:
                            return _BAD
                        seen[key] = line
                    stack[depth] = _ARRAY if byte == 91 else (nodes[key] if key >= 0 else _UNKNOWN)
                    depth += 1
                    pos += 1
                    is_first = True
                    continue
                start, stop, is_text, is_null = pos, pos, False, False
                if byte == 34:
                    start = pos + 1
                    stop, escaped = text_end(buf, start, end)
                    if stop < 0 or (escaped and key >= 0):
                        return _BAD
                    pos = stop + 1
                    is_text = True
                elif byte == 45 or 48 <= byte <= 57:
                    pos = number_end(buf, pos, end)
                    stop = pos
                else:
                    pos = word_end(buf, pos, end)
                    is_null = byte == 110
                    if key >= 0 and not is_null:
                        return _BAD
                if pos < 0:
                    return _BAD
                if key >= 0:
                    if seen[key] == line:
                        return _BAD
                    seen[key] = line
                    if nodes[key] > 0:
                        if not is_null:
                            return _BAD
                    elif is_null:
                        seen[key] = -line
                    else:
                        action = actions[key]
                        if is_text == (action == NUMBER) or (start == stop and action == INSTANT):
                            return _BAD
                        good = put(buf, start, stop, key, row, plan, columns, names, end)
                        if good < 0:
                            return _BAD
                        if good == 0:
                            counts = 0
                            break
            else:
                pos += 1
                depth -= 1
            is_first = False
            # Behind a value: another one, or the end of what it is in.
            while depth > 0:
                pos = blanks(buf, pos, end)
                if pos >= end:
                    return _BAD
                if buf[pos] == 44:
                    pos += 1
                    break
                if buf[pos] != (93 if stack[depth - 1] == _ARRAY else 125):
                    return _BAD
                pos += 1
                depth -= 1
        if counts == 0:
            pos = line_end(buf, pos, end)
            continue
        for key in range(count):
            if actions[key] == ONLY and seen[key] != line:
                counts = 0
        for key in range(count):
            if counts == 0 or nodes[key] > 0 or actions[key] == ONLY:
                continue
            if seen[key] == line:
                seen[count + key] += 1
            elif absents[key] == NEEDED:
                return _BAD
            elif actions[key] == TEXT:
                codes[slots[key] * room + row] = -1
            else:
                out[slots[key] * room + row] = absents[key]
        row += counts
        pos = blanks(buf, pos, end)
        if pos < end and buf[pos] != 10:
            return _BAD
    return row


_INLINED: Final = (eight, same, hashed, number_of, code_of, blanks)
_ARGUMENTS: Final = "u1*" + " i8*" * 8 + " u1* i8* i4* i8* u1* i8* i4* i8*"


@cache
def load_table() -> jit.Code | None:
    """Return `table` as machine code, None where there is no compiler or it fails."""
    helpers = (put, scaled, instant, looked_up, bytewise)
    return jit.load("table", jit.Loop(table, _ARGUMENTS, helpers=helpers, inlined=_INLINED))


@cache
def load_objects() -> jit.Code | None:
    """Return `objects` as machine code, None where there is no compiler or it fails."""
    arguments = _ARGUMENTS + " i8* i8* i8* u1* i8* i8*"
    helpers = (
        *(put, scaled, instant, looked_up, bytewise, line_end, text_end, number_end, word_end),
        child_of,
    )
    return jit.load("objects", jit.Loop(objects, arguments, helpers=helpers, inlined=_INLINED))
