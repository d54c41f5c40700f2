"""The inner loop of reading JSON lines: an object per row to columns.

Source: RFC 8259.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0915, PLR0917, PLR1714

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from benchkit.runtime import jit

from ._gob_compiled import eight
from ._rows_kernel import (
    ARGUMENTS,
    BAD,
    HELPERS,
    INLINED,
    INSTANT,
    NEEDED,
    NUMBER,
    ONLY,
    TEXT,
    put,
)

#: Deepest nesting.
DEEPEST: Final = 32

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

    A key is a wanted value or an object with such within it. Where the longest text that an ONLY
    must be is another, the rest of the line is not looked at: who reads without machine code looks
    only at lines in which that text is.

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
    longest = 0
    for key in range(count):
        if actions[key] == ONLY:
            longest = max(longest, firsts[key + 1] - firsts[key])
    pos, row, line = 0, 0, 0
    while pos < end:
        pos = blanks(buf, pos, end)
        if pos >= end:
            break
        if buf[pos] == 10:
            pos += 1
            continue
        if buf[pos] != 123 or row >= room:
            return BAD
        pos += 1
        line += 1
        depth, counts, is_first, is_passed = 1, 1, True, False
        stack[0] = 0
        while depth > 0:
            node = stack[depth - 1]
            pos = blanks(buf, pos, end)
            if pos >= end:
                return BAD
            key = -1
            closes = 93 if node == _ARRAY else 125
            ended = is_first and buf[pos] == closes
            if not ended:
                if node != _ARRAY:
                    if buf[pos] != 34:
                        return BAD
                    start = pos + 1
                    stop, escaped = text_end(buf, start, end)
                    if stop < 0 or escaped:
                        return BAD
                    pos = blanks(buf, stop + 1, end)
                    if pos >= end or buf[pos] != 58:
                        return BAD
                    pos = blanks(buf, pos + 1, end)
                    if node >= 0:
                        key = child_of(buf, start, stop, node, tree)
                    if pos >= end:
                        return BAD
                byte = buf[pos] + 0
                if byte == 123 or byte == 91:
                    if depth >= DEEPEST or (key >= 0 and (byte == 91 or nodes[key] == 0)):
                        return BAD
                    if key >= 0:
                        if seen[key] == line:
                            return BAD
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
                        return BAD
                    pos = stop + 1
                    is_text = True
                elif byte == 45 or 48 <= byte <= 57:
                    pos = number_end(buf, pos, end)
                    stop = pos
                else:
                    pos = word_end(buf, pos, end)
                    is_null = byte == 110
                    if key >= 0 and not is_null:
                        return BAD
                if pos < 0:
                    return BAD
                if key >= 0:
                    if seen[key] == line:
                        return BAD
                    seen[key] = line
                    if nodes[key] > 0:
                        if not is_null:
                            return BAD
                    elif is_null:
                        seen[key] = -line
                    else:
                        action = actions[key]
                        if is_text == (action == NUMBER) or (start == stop and action == INSTANT):
                            return BAD
                        good = 1
                        if counts == 1:
                            good = put(buf, start, stop, key, row, plan, columns, names, end)
                        if good < 0:
                            return BAD
                        if good == 0:
                            counts = 0
                            is_passed = firsts[key + 1] - firsts[key] == longest
                            if is_passed:
                                break
            else:
                pos += 1
                depth -= 1
            is_first = False
            # Behind a value: another one, or the end of what it is in.
            while depth > 0:
                pos = blanks(buf, pos, end)
                if pos >= end:
                    return BAD
                if buf[pos] == 44:
                    pos += 1
                    break
                if buf[pos] != (93 if stack[depth - 1] == _ARRAY else 125):
                    return BAD
                pos += 1
                depth -= 1
        if is_passed:
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
                return BAD
            elif actions[key] == TEXT:
                codes[slots[key] * room + row] = -1
            else:
                out[slots[key] * room + row] = absents[key]
        row += counts
        pos = blanks(buf, pos, end)
        if pos < end and buf[pos] != 10:
            return BAD
    return row


@cache
def load() -> jit.Code | None:
    """Return `objects` as machine code, None where there is no compiler or it fails."""
    arguments = ARGUMENTS + " i8* i8* i8* u1* i8* i8*"
    helpers = (*HELPERS, line_end, text_end, number_end, word_end, child_of)
    loop = jit.Loop(objects, arguments, helpers=helpers, inlined=(*INLINED, blanks))
    return jit.load("objects", loop)
