"""The loops over a gob stream as machine code, where numba is installed."""

# The terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0917

from __future__ import annotations

import contextlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np

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


class Compiled(NamedTuple):
    """The loops as machine code."""

    scan: Any
    intern: Any


@cache
def load() -> Compiled | None:
    """Return the loops compiled by numba, None where it is missing or fails.

    Machine code is kept in a folder of numba's choice (NUMBA_CACHE_DIR, beside
    this file, or the user's cache), so that only the first use translates.
    """
    try:
        from numba import njit
        from numba.extending import register_jitable
    except ImportError:
        return None
    for helper in (wide, skip, same):
        register_jitable(helper)
    for keep in (True, False):
        with contextlib.suppress(Exception):  # no folder, a full disk, a damaged cache
            loops = Compiled(*(njit(cache=keep, nogil=True)(loop) for loop in (scan, intern)))
            _try_out(loops)
            return loops
    return None


def _try_out(loops: Compiled) -> None:
    """Call the loops with nothing to do: translates them, or loads their machine code."""
    buf, numbers = np.frombuffer(b"\0", np.uint8), np.zeros(1, np.int64)
    grid, codes = np.zeros((1, 1), np.int64), np.zeros(1, np.int32)
    types = (numbers, numbers, numbers, numbers)
    layout = (0, 0, numbers, numbers, numbers)
    loops.scan(buf, (0, 0), (0, 0), layout, types, numbers, grid, grid, grid)
    names = (np.zeros(1, np.uint8), numbers, codes)
    loops.intern(buf, (0, 0), (numbers, numbers), codes, names, (0, 0))
