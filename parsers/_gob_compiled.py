"""The loops over a gob stream as machine code, where numba is installed."""

# The terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0917

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

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


def scan_entry(
    buf: Any, numbers: Any, layout: Any, types: Any, members: Any, stack: Any, out: Any, texts: Any
) -> int:
    """Call `scan`; compiled, it is what Python calls.

    Args:
        buf: As for `scan`.
        numbers: (position, end of the buffer, first row, row not to write, opening,
            longest, fields, types, members, slots of numbers, slots of texts, rows);
            position, row, how and more are written over the first four.
        layout: Actions, slots and types of the fields, one after another.
        types: Kinds, firsts and seconds, one after another.
        members: As for `scan`.
        stack: As for `scan`.
        out: As for `scan`.
        texts: `at` and `size`, one after the other.
    """
    n = machine.carray(numbers, (12,))
    fields, kinds, slots, rows = n[6], n[7], n[10], n[11]
    fields_of = machine.carray(layout, (3, fields))
    types_of = machine.carray(types, (3, kinds))
    places = machine.carray(texts, (2, slots, rows))
    pos, row, how, more = scan(
        machine.carray(buf, (n[1],)),
        (n[0], n[1]),
        (n[2], n[3]),
        (n[4], n[5], fields_of[0], fields_of[1], fields_of[2]),
        (types_of[0], types_of[1], types_of[2], machine.carray(members, (n[8],))),
        machine.carray(stack, (kernel.STACK,)),
        machine.carray(out, (n[9], rows)),
        places[0],
        places[1],
    )
    n[0], n[1], n[2], n[3] = pos, row, how, more
    return 0


def intern_entry(
    buf: Any, numbers: Any, at: Any, size: Any, codes: Any, store: Any, ends: Any, table: Any
) -> int:
    """Call `intern`; compiled, it is what Python calls.

    Args:
        buf: As for `intern`.
        numbers: (length of the buffer, first row, row after the last, distinct texts,
            bytes of them, room for bytes, for texts, in the hash table); texts and
            bytes are written over the first two.
        at: Where the texts begin, by row.
        size: Their lengths.
        codes: As for `intern`.
        store: The first of `names`, as for `intern`.
        ends: The second.
        table: The third.
    """
    n = machine.carray(numbers, (8,))
    names = (
        machine.carray(store, (n[5],)),
        machine.carray(ends, (n[6],)),
        machine.carray(table, (n[7],)),
    )
    texts = (machine.carray(at, (n[2],)), machine.carray(size, (n[2],)))
    n[0], n[1] = intern(
        machine.carray(buf, (n[0],)),
        (n[1], n[2]),
        texts,
        machine.carray(codes, (n[2],)),
        names,
        (n[3], n[4]),
    )
    return 0


class Compiled(NamedTuple):
    """The loops as machine code, called as those in Python are."""

    scan: Any
    intern: Any


@cache
def load() -> Compiled | None:
    """Return the loops as machine code, None where there is no compiler or it fails."""
    loops = machine.load(
        "gob",
        {
            "scan": machine.Loop(scan_entry, "u1* i8* i8* i8* i8* i8* i8* i8*", (wide, skip, scan)),
            "intern": machine.Loop(intern_entry, "u1* i8* i8* i8* i4* u1* i8* i4*", (same, intern)),
        },
    )
    if loops is None:
        return None
    scan_code, intern_code = loops["scan"], loops["intern"]

    def call_scan(
        buf: Any, span: Any, rows: Any, layout: Any, types: Any, stack: Any, out: Any, texts: Any
    ) -> tuple[int, int, int, int]:
        numbers = np.array(
            [
                *(*span, *rows, *layout[:2], layout[2].shape[1], types[0].shape[1]),
                *(len(types[1]), len(out), *texts.shape[1:]),
            ],
            np.int64,
        )
        scan_code(buf, numbers, layout[2], *types, stack, out, texts)
        pos, row, how, more = numbers[:4].tolist()
        return pos, row, how, more

    def call_intern(
        buf: Any, rows: Any, texts: Any, codes: Any, names: Any, used: Any
    ) -> tuple[int, int]:
        numbers = np.array([len(buf), *rows, *used, *(len(part) for part in names)], np.int64)
        intern_code(buf, numbers, *texts, codes, *names)
        count, filled = numbers[:2].tolist()
        return count, filled

    return Compiled(call_scan, call_intern)
