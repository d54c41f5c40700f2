"""The inner loop of reading gob: messages to columns.

It is written in the part of Python that numba compiles, and runs as it stands too:
over bytes with lists as tables, or compiled over pointers, where `_gob_compiled` has
quicker forms of the smallest functions. Integers stay below 2**63, so both give the same.

Source: Go 1.26 `encoding/gob` (documentation of the wire format), `time.Time.MarshalBinary`.
"""

# Loops without calls, over arrays or lists, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0915, PLR0917

from __future__ import annotations

from typing import Any, Final

# How a scan ended.
END: Final = 0  # at the end of the buffer, between two messages
FULL: Final = 1  # no room for another row
CUT: Final = 2  # within a message that goes on beyond the buffer
OTHER: Final = 3  # before a message of another type
BAD: Final = 4  # at a byte that cannot stand there
LARGE: Final = 5  # before a message longer than the limit

# What to do with a field.
UINT: Final = 0
INT: Final = 1
TIME: Final = 2
TEXT: Final = 3
DATA: Final = 4  # a length and as many bytes
NUMBER: Final = 5
NESTED: Final = 6
REST: Final = 7  # a map, and no field that we want comes after it
STATUS: Final = 8  # an unsigned number, of which only the small ones matter
SIGNED_STATUS: Final = 9

# Kinds of types, for skipping.
K_NUMBER: Final = 0
K_PAIR: Final = 1
K_DATA: Final = 2
K_LIST: Final = 3  # first: the elements' type
K_MAP: Final = 4  # first, second: types of keys and of elements
K_STRUCT: Final = 5  # first: where its members begin; second: how many
K_UNKNOWN: Final = 6

#: Deepest nesting that is skipped, times three.
STACK: Final = 96

#: Stands for an instant that nanoseconds since 1970 in 64 bits cannot tell.
NO_TIME: Final = -(2**63)

#: Stands for every status above.
MOST_STATUS: Final = 1000

_EPOCH: Final = 62_135_596_800  # seconds from year 1 to 1970
_SPAN: Final = 9_223_372_032  # seconds that 63 bits of nanoseconds reach, and four bytes more
_SECOND: Final = 1_000_000_000


def wide(buf: Any, pos: int, stop: int, end: int) -> tuple[int, int]:
    """Return a number that begins at `pos`, and the position after it.

    Bytes up to `end` may be looked at, those before `stop` are the number's. The
    position is -1 where the number goes on beyond `stop`, -2 where it is none or
    needs more than 63 bits.
    """
    del end  # the compiled form takes eight bytes at once where there are as many
    if pos >= stop:
        return 0, -1
    first = buf[pos]
    if first < 128:
        return first, pos + 1
    count = 256 - first
    if count > 8:
        return 0, -2
    if pos + count >= stop:
        return 0, -1
    value = int.from_bytes(buf[pos + 1 : pos + 1 + count], "big")
    return (0, -2) if value >= 2**63 else (value, pos + 1 + count)


def signed(buf: Any, pos: int) -> int:
    """Return a number of eight bytes."""
    return int.from_bytes(buf[pos : pos + 8], "big", signed=True)


def four(buf: Any, pos: int) -> int:
    """Return a number of four bytes without a sign."""
    return int.from_bytes(buf[pos : pos + 4], "big")


def coded(buf: Any, pos: int, size: int, slot: int, names: Any, end: int) -> int:
    """Return the code of a text; `names` are a column's by slot, as the caller keeps them."""
    del end
    return int(names[slot].code(buf[pos : pos + size]))


def skip(
    buf: Any,
    pos: int,
    stop: int,
    end: int,
    value_type: Any,
    types: Any,
    stack: Any,
) -> int:
    """Return the position after a value of type `value_type`, -1 where it is broken.

    Bytes up to `end` may be looked at. `types` are (kinds, firsts, seconds, members);
    `stack` has room for STACK numbers.
    """
    kinds, firsts, seconds, members = types
    depth = 0
    now = value_type
    while True:
        kind = kinds[now]
        if kind == K_UNKNOWN:
            return -1
        if kind == K_STRUCT:
            left = -1
        else:
            value, pos = wide(buf, pos, stop, end)
            if pos < 0:
                return -1
            left = 0
            if kind == K_DATA:
                if value > stop - pos:
                    return -1
                pos += value
            elif kind == K_PAIR:
                value, pos = wide(buf, pos, stop, end)
                if pos < 0:
                    return -1
            elif kind == K_LIST:
                left = value
            elif kind == K_MAP:
                if value > stop - pos:
                    return -1
                left = 2 * value
            if left > stop - pos:  # an element takes a byte or more
                return -1
        if left != 0:
            if depth + 3 > STACK:
                return -1
            stack[depth] = now
            stack[depth + 1] = left
            depth += 3
        # the next value: of the innermost open list, map or struct
        while True:
            if depth == 0:
                return pos
            open_type = stack[depth - 3]
            left = stack[depth - 2]
            if kinds[open_type] == K_STRUCT:
                delta, pos = wide(buf, pos, stop, end)
                if pos < 0:
                    return -1
                if delta == 0:
                    depth -= 3
                    continue
                if delta >= seconds[open_type] - left:  # no sum: it may need more than 63 bits
                    return -1
                left += delta
                stack[depth - 2] = left
                now = members[firsts[open_type] + left]
                break
            if left == 0:
                depth -= 3
                continue
            stack[depth - 2] = left - 1
            is_key = kinds[open_type] == K_MAP and left % 2 == 0
            now = firsts[open_type]
            if kinds[open_type] == K_MAP and not is_key:
                now = seconds[open_type]
            break


def scan(
    buf: Any,
    span: tuple[int, int],
    rows: tuple[int, int],
    layout: Any,
    types: Any,
    stack: Any,
    out: Any,
    codes: Any,
    names: Any,
) -> tuple[int, int, int, int]:
    """Decode messages into columns until something else than a row comes.

    Args:
        buf: Bytes, in which positions count.
        span: Where to begin, and where the buffer ends.
        rows: The row to write first, and the one not to write any more.
        layout: (number that opens a message of this type, longest message, how many
            fields; and by field the action, the slot, where in `out` or `codes` its
            column begins, the type).
        types: As for `skip`.
        stack: As for `skip`.
        out: int64, column by column: numbers and instants; zeros before.
        codes: int32, column by column: codes of texts, -1 before; status codes, 0 before.
        names: As for `coded`.

    Returns:
        Position of the first message not decoded, rows written up to, how it
        ended, and the position or length that tells more.
    """
    pos, end = span
    row, last = rows
    opening, longest, fields, actions, slots, columns, kinds = layout
    while pos < end:
        if row >= last:
            return pos, row, FULL, 0
        length, start = wide(buf, pos, end, end)
        if start == -2 or (start > 0 and length == 0):
            return pos, row, BAD, pos
        if start < 0:
            return pos, row, CUT, 0
        if length > longest:
            return pos, row, LARGE, length
        stop = start + length
        if stop > end:
            return pos, row, CUT, stop - pos
        value, here = wide(buf, start, stop, end)
        if here < 0:
            return pos, row, BAD, start
        if value != opening:
            return pos, row, OTHER, length
        field = -1
        while True:
            if here >= stop:
                return pos, row, BAD, here
            delta = buf[here]
            here += 1
            if delta == 0:
                break
            field += delta
            if field >= fields:  # also for a delta of two bytes, which starts at 128
                return pos, row, BAD, here - 1
            action = actions[field]
            begin = here
            if begin >= stop:
                return pos, row, BAD, begin
            value = buf[begin] + 0
            if value < 128:
                here = begin + 1
            else:
                value, here = wide(buf, begin, stop, end)
                if here < 0:
                    return pos, row, BAD, begin
            if action == UINT:
                out[columns[field] + row] = value
            elif action == INT:
                out[columns[field] + row] = (value >> 1) ^ -(value & 1)
            elif action == TEXT:
                if value > stop - here:
                    return pos, row, BAD, begin
                if value > 0:
                    code = coded(buf, here, value, slots[field], names, end)
                    codes[columns[field] + row] = code
                here += value
            elif action == STATUS:
                codes[columns[field] + row] = min(value, MOST_STATUS)
            elif action == SIGNED_STATUS:
                value = (value >> 1) ^ -(value & 1)
                codes[columns[field] + row] = max(min(value, MOST_STATUS), -1)
            elif action == DATA:
                if value > stop - here:
                    return pos, row, BAD, begin
                here += value
            elif action == TIME:
                if value > stop - here or value < 15 or value > 16 or buf[here] != value - 14:
                    return pos, row, BAD, begin
                instant = NO_TIME
                seconds = signed(buf, here + 1) - _EPOCH
                if -_SPAN < seconds < _SPAN:
                    instant = seconds * _SECOND + four(buf, here + 9)
                out[columns[field] + row] = instant
                here += value
            elif action == REST:
                # An entry takes two bytes or more, and the struct's end is a zero.
                if value == 0 or value > (stop - here) // 2 or buf[stop - 1] != 0:
                    return pos, row, BAD, begin
                here = stop
                break
            elif action == NESTED:
                here = skip(buf, begin, stop, end, kinds[field], types, stack)
                if here < 0:
                    return pos, row, BAD, begin
        if here != stop:
            return pos, row, BAD, here
        pos = stop
        row += 1
    return pos, row, END, 0
