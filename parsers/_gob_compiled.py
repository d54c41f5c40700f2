"""The loops over a gob stream as machine code, where numba is installed."""

# The terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0917

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from benchkit import machine

from . import _gob_kernel as kernel
from ._gob_kernel import scan, skip, wide


def same(a: Any, at: int, b: Any, where: int, count: int) -> bool:
    """Whether `count` bytes are equal; for compiled use only.

    Without a jump in the loop, and with positions that cannot be negative, it
    becomes vector instructions.
    """
    x, y = np.uint64(at), np.uint64(where)
    different = np.uint8(0)
    for i in range(count):
        different |= a[x + np.uint64(i)] ^ b[y + np.uint64(i)]
    return bool(different == 0)


def intern(
    buf: Any,
    rows: tuple[int, int],
    texts: Any,
    codes: Any,
    names: Any,
    used: tuple[int, int],
) -> tuple[int, int]:
    """Give each text of a column its code, -1 for an empty one.

    Args:
        buf: As for `scan`.
        rows: First row and the one after the last.
        texts: (where they begin, their lengths), by row.
        codes: int32 by row: written.
        names: (bytes of the distinct texts one after another, where each ends,
            hash table of codes + 1, its length a power of two and twice the room
            or more). From the first text on for which there is no room, new ones
            get the code after the last there can be.
        used: Distinct texts so far, and bytes of them.

    Returns:
        The same after these rows.
    """
    at, size = texts
    store, ends, table = names
    mask = len(table) - 1
    count, filled = used
    code = -1
    begin = 0
    length = -1
    for row in range(rows[0], rows[1]):
        n = size[row]
        p = at[row]
        if n == 0:
            codes[row] = -1
            continue
        if n == length and same(buf, p, store, begin, n):
            codes[row] = code
            continue
        h = n + 0
        for i in range(p, p + n):
            h = ((h ^ buf[i]) * 16_777_619) & 0xFFFF_FFFF
        slot = (h ^ (h >> 15)) & mask
        while True:
            found = table[slot] - 1
            if found < 0:
                break
            first = ends[found - 1] if found > 0 else 0
            if ends[found] - first == n and same(buf, p, store, first, n):
                break
            slot = (slot + 1) & mask
        if found < 0:
            if count >= len(ends) or filled + n > len(store):
                filled = len(store) + 1  # from here on nothing is new
                codes[row] = len(ends)
                continue
            found = count
            for i in range(n):
                store[filled + i] = buf[p + i]
            filled += n
            ends[count] = filled
            count += 1
            table[slot] = count
        code = found
        codes[row] = code
        begin = ends[found - 1] if found > 0 else 0
        length = n
    return count, filled


def decode(
    buf: Any,
    numbers: Any,
    layout: Any,
    types: Any,
    members: Any,
    stack: Any,
    out: Any,
    texts: Any,
    codes: Any,
    has: Any,
    store: Any,
    ends: Any,
    table: Any,
    used: Any,
) -> int:
    """Scan a window and give its texts their codes, until it ends or the rows are full.

    Compiled, this is what Python calls: all but `numbers` are arrays of the shapes
    that these tell.

    Args:
        buf: As for `scan`.
        numbers: (position, end of the buffer, first row, row not to write, opening,
            longest, fields, types, members, slots of numbers, slots of texts, rows,
            rows to scan at a time, room for bytes of texts, for texts, in the hash
            table); position, row, how and more are written over the first four.
        layout: Actions, slots and types of the fields, one after another.
        types: Kinds, firsts and seconds, one after another.
        members: As for `scan`.
        stack: As for `scan`.
        out: As for `scan`.
        texts: `at` and `size`, one after the other.
        codes: Codes by slot and row: written.
        has: Whether there are texts, by slot.
        store: The first of `names` for `intern`, by slot.
        ends: The second.
        table: The third.
        used: `used` for `intern`, by slot.
    """
    n = machine.carray(numbers, (16,))
    slots, rows, block = n[10], n[11], n[12]
    bytes_of = machine.carray(buf, (n[1],))
    fields_of = machine.carray(layout, (3, n[6]))
    types_of = machine.carray(types, (3, n[7]))
    places = machine.carray(texts, (2, slots, rows))
    columns = machine.carray(out, (n[9], rows))
    code_of = machine.carray(codes, (slots, rows))
    there = machine.carray(has, (slots,))
    store_of = machine.carray(store, (slots, n[13]))
    end_of = machine.carray(ends, (slots, n[14]))
    table_of = machine.carray(table, (slots, n[15]))
    used_of = machine.carray(used, (slots, 2))
    about = (n[4], n[5], fields_of[0], fields_of[1], fields_of[2])
    kinds = (types_of[0], types_of[1], types_of[2], machine.carray(members, (n[8],)))
    scratch = machine.carray(stack, (kernel.STACK,))
    pos, row, last, how, more = n[0], n[2], n[3], kernel.FULL, 0
    while how == kernel.FULL and row < last:
        first = row
        pos, row, how, more = scan(
            bytes_of,
            (pos, n[1]),
            (first, min(first + block, last)),
            about,
            kinds,
            scratch,
            columns,
            places[0],
            places[1],
        )
        for slot in range(slots):
            if there[slot]:
                names = (store_of[slot], end_of[slot], table_of[slot])
                known = (used_of[slot, 0], used_of[slot, 1])
                where = (places[0, slot], places[1, slot])
                found = intern(bytes_of, (first, row), where, code_of[slot], names, known)
                used_of[slot, 0], used_of[slot, 1] = found
    n[0], n[1], n[2], n[3] = pos, row, how, more
    return 0


@cache
def load() -> machine.Call | None:
    """Return `decode` as machine code, None where there is no compiler or it fails."""
    arguments = "u1* i8* i8* i8* i8* i8* i8* i8* i4* u1* u1* i8* i4* i8*"
    loop = machine.Loop(decode, arguments, (wide, skip, scan, same, intern))
    loops = machine.load("gob", {"decode": loop})
    return loops["decode"] if loops else None
