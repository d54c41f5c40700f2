"""The loops over a gob stream as machine code, where numba is installed."""

# The terms of a compiler:
# ruff: noqa: ANN401, PLR0917, SIM110

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from benchkit.runtime import jit

from . import _gob_kernel as kernel
from ._gob_kernel import scan, skip

# --- numbers: a load and a swap of bytes instead of a loop ---


def eight(buf: Any, pos: int) -> Any:
    """Return eight bytes as an unsigned number, the first as its highest."""
    high = (np.uint64(buf[pos]) << np.uint64(56)) | (np.uint64(buf[pos + 1]) << np.uint64(48))
    high |= (np.uint64(buf[pos + 2]) << np.uint64(40)) | (np.uint64(buf[pos + 3]) << np.uint64(32))
    low = (np.uint64(buf[pos + 4]) << np.uint64(24)) | (np.uint64(buf[pos + 5]) << np.uint64(16))
    return high | low | (np.uint64(buf[pos + 6]) << np.uint64(8)) | np.uint64(buf[pos + 7])


def signed(buf: Any, pos: int) -> int:
    """Do what the kernel's does."""
    return np.int64(eight(buf, pos))  # type: ignore[return-value]


def four(buf: Any, pos: int) -> int:
    """Do what the kernel's does."""
    high = (np.uint32(buf[pos]) << np.uint32(24)) | (np.uint32(buf[pos + 1]) << np.uint32(16))
    low = (np.uint32(buf[pos + 2]) << np.uint32(8)) | np.uint32(buf[pos + 3])
    return np.int64(high | low)  # type: ignore[return-value]


def wide(buf: Any, pos: int, stop: int, end: int) -> tuple[int, int]:
    """Do what the kernel's does."""
    if pos >= stop:
        return 0, -1
    first = buf[pos] + 0
    if first < 128:
        return first, pos + 1
    count = 256 - first
    if count > 8:
        return 0, -2
    if pos + count >= stop:
        return 0, -1
    if pos + 9 > end:
        bits = bytewise(buf, pos + 1, count)
    else:
        bits = eight(buf, pos + 1) >> np.uint64(64 - 8 * count)
    value = np.int64(bits)
    if value < 0:
        return 0, -2
    return value, pos + 1 + count  # type: ignore[return-value]


def bytewise(buf: Any, pos: int, count: int) -> Any:
    """Return a number of one to eight bytes, near the end of the buffer."""
    bits = np.uint64(0)
    for at in range(pos, pos + count):
        bits = (bits << np.uint64(8)) | np.uint64(buf[at])
    return bits


# --- texts: a table of hashes, and the text before, which most are equal to ---


def same(a: Any, at: int, b: Any, where: int, size: int, end: int) -> bool:
    """Whether texts are equal: one in `a`, which ends at `end`, one in `b`, with eight more."""
    if size >= 8:
        different = eight(a, at + size - 8) ^ eight(b, where + size - 8)
        for i in range(0, size - 8, 8):
            different |= eight(a, at + i) ^ eight(b, where + i)
        return bool(different == np.uint64(0))
    if at + 8 <= end:
        different = eight(a, at) ^ eight(b, where)
        return bool(different >> np.uint64(64 - 8 * size) == np.uint64(0))
    for i in range(size):
        if a[at + i] != b[where + i]:
            return False
    return True


def coded(buf: Any, pos: int, size: int, slot: int, names: Any, end: int) -> int:
    """Do what the kernel's does.

    Args:
        buf: As for `scan`.
        pos: Where the text begins.
        size: Its length, not 0.
        slot: The column.
        names: By column: of the last text where its bytes begin, its length and its code; bytes
            of the distinct texts one after another, and eight more; where each ends; a
            hash table of codes + 1, its length a power of two and twice the room or more;
            how many texts and bytes there are. Then the room for bytes, texts and codes, and
            an odd number that nobody can foresee, for the hashes.
            From the first text on for which there is no room, new ones get the code after
            the last there can be.
        end: Where the buffer ends.
    """
    last, store = names[0], names[1]
    if size == last[3 * slot + 1] and same(buf, pos, store, last[3 * slot], size, end):
        return last[3 * slot + 2]  # type: ignore[no-any-return]
    return looked_up(buf, pos, size, slot, names, end)


def looked_up(buf: Any, pos: int, size: int, slot: int, names: Any, end: int) -> int:
    """Return the code of a text by the hash table."""
    last, store, stops, table, used, room_bytes, room, entries, seed = names
    bytes_at, stops_at, table_at = slot * (room_bytes + 8), slot * room, slot * entries
    at = hashed(buf, pos, size, seed) & (entries - 1)
    while True:
        code = table[table_at + at] - 1
        if code < 0:
            break
        first = stops[stops_at + code - 1] if code > 0 else 0
        length = stops[stops_at + code] - first
        if length == size and same(buf, pos, store, bytes_at + first, size, end):
            break
        at = (at + 1) & (entries - 1)
    if code < 0:
        code, first = used[2 * slot], used[2 * slot + 1]
        if code >= room or first + size > room_bytes:
            used[2 * slot + 1] = room_bytes + 1  # from here on nothing is new
            return room  # type: ignore[no-any-return]
        for i in range(size):
            store[bytes_at + first + i] = buf[pos + i]
        stops[stops_at + code] = first + size
        table[table_at + at] = code + 1
        used[2 * slot], used[2 * slot + 1] = code + 1, first + size
    last[3 * slot], last[3 * slot + 1], last[3 * slot + 2] = bytes_at + first, size, code
    return code  # type: ignore[no-any-return]


def hashed(buf: Any, pos: int, size: int, seed: int) -> int:
    """Return a number from 0 on that depends on all bytes of a text."""
    factor = np.uint64(seed)
    mixed = np.uint64(size) * factor
    whole = size & ~7
    for i in range(0, whole, 8):
        mixed = (mixed ^ eight(buf, pos + i)) * factor
        mixed ^= mixed >> np.uint64(29)
    for i in range(whole, size):
        mixed = (mixed ^ np.uint64(buf[pos + i])) * factor
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed >> np.uint64(33))  # type: ignore[return-value]


def decode(
    buf: Any,
    numbers: Any,
    actions: Any,
    slots: Any,
    columns: Any,
    field_types: Any,
    kinds: Any,
    firsts: Any,
    seconds: Any,
    members: Any,
    stack: Any,
    out: Any,
    codes: Any,
    last: Any,
    store: Any,
    stops: Any,
    table: Any,
    used: Any,
) -> int:
    """Do what `scan` does; compiled, this is what Python calls.

    `numbers` has position, end of the buffer, first row, row not to write, opening, longest,
    fields, room for bytes of texts, for texts, in the hash table, and the seed; position, row,
    how and more are written over the first four. `actions` to `field_types` are as in the
    `layout` of `scan`, `kinds` to `members` the `types` of `skip`, `last` to `used` the first of
    the `names` of `coded`; all others as for `scan`.
    """
    layout = (numbers[4], numbers[5], numbers[6], actions, slots, columns, field_types)
    types = (kinds, firsts, seconds, members)
    room = (numbers[7], numbers[8], numbers[9])
    names = (last, store, stops, table, used, room[0], room[1], room[2], numbers[10])
    span, rows = (numbers[0], numbers[1]), (numbers[2], numbers[3])
    pos, row, how, more = scan(buf, span, rows, layout, types, stack, out, codes, names)
    numbers[0], numbers[1], numbers[2], numbers[3] = pos, row, how, more
    return 0


@cache
def load() -> jit.Code | None:
    """Return `decode` as machine code, None where there is no compiler or it fails."""
    arguments = "u1*" + " i8*" * 10 + " i8* i4* i8* u1* i8* i4* i8*"
    loop = jit.Loop(
        decode,
        arguments,
        helpers=(scan, skip, looked_up, bytewise),
        inlined=(eight, same, hashed),
        instead={
            kernel.wide: wide,
            kernel.signed: signed,
            kernel.four: four,
            kernel.coded: coded,
        },
    )
    return jit.load("gob", loop)
