"""Counting requests into bins and slices as a loop for a compiler.

It gives what the numpy of `summary` gives, twenty times as fast, and is used for
large input.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0912, PLR0915, PLR0917, PLR1730

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from benchkit.counting.distribution import PRECISION
from benchkit.counting.slices import (
    BIN_BITS,
    ENDED,
    ENDPOINT_BITS,
    MOST_BYTES,
    OUTCOMES,
    RECEIVED,
    SLICE_AT,
    SLICE_PRECISION,
    SLOWEST,
)
from benchkit.runtime import jit

#: Bins of every latency below 2**62 ns.
BINS: Final = (62 - PRECISION + 1) << PRECISION
#: Latencies, and status codes, that the loop takes; others are counted by numpy.
LATENCIES: Final = 2**62
STATUSES: Final = 1024

#: Sums per outcome.
SUMS: Final = 10
#: Room of the hash table, and how much of it is used before it is emptied: it lies in the cache of
#: a processor, as requests of one time come together.
SLOTS: Final = 2**15
FULL: Final = SLOTS // 2
#: Cells of slices in their order that are written, or wait for it, before they are fetched.
CELLS: Final = 2**19
#: Cells that a slice may have, and words of the marks of those that it has: a bit for each, a bit
#: for each word of these that is not 0, and once more.
WITHIN: Final = len(OUTCOMES) << BIN_BITS + ENDPOINT_BITS
MARKS: Final = (WITHIN >> 5) + (WITHIN >> 10) + (WITHIN >> 15)

_WORDS: Final = WITHIN >> 5
_WORDS_OF_WORDS: Final = WITHIN >> 10
_LOW: Final = 0xFFFF_FFFF
_KIND_AT: Final = BIN_BITS + ENDPOINT_BITS
_HASH_SHIFT: Final = np.uint64(52)  # leaves 12 bits for eight slots each
_LATEST: Final = 2**63 - 1
_NO_STATUS: Final = 2**31  # no 32 bits hold it: the first row is always looked at


def bits(value: Any) -> Any:
    """Return how many bits a number from 0 on has; compilers know this loop."""
    count = 0
    while value > 0:
        value >>= 1
        count += 1
    return count


def slot_of(table: Any, numbers: Any, key: Any) -> Any:
    """Return where the value of a key stands in the hash table, a new one's with 0.

    Neighbouring bins stand together in the processor's cache.
    """
    mixed = np.uint64(key >> 3) ^ (np.uint64(key) >> np.uint64(23))
    at = np.int64((mixed * np.uint64(numbers[9])) >> _HASH_SHIFT)
    at = 2 * (at << 3 | key & 7)
    while table[at] != key:
        if table[at] < 0:
            table[at] = key
            table[at + 1] = 0
            numbers[0] += 1
            break
        at = (at + 2) & (2 * SLOTS - 1)
    return at + 1


def emptied(table: Any, numbers: Any) -> int:
    """Move the cells of the hash table to its beginning, and return how many there are."""
    cells = 0
    for at in range(0, 2 * SLOTS, 2):
        if table[at] >= 0:
            table[2 * cells], table[2 * cells + 1] = table[at], table[at + 1]
            cells += 1
    numbers[0] = 0
    return cells


def mark(marks: Any, cell: Any) -> None:
    """Note that the newest slice has a cell."""
    marks[cell >> 5] |= 1 << (cell & 31)
    marks[_WORDS + (cell >> 10)] |= 1 << ((cell >> 5) & 31)
    marks[_WORDS + _WORDS_OF_WORDS + (cell >> 15)] |= 1 << ((cell >> 10) & 31)


def write(newest: Any, marks: Any, cells: Any, numbers: Any) -> None:
    """Write the cells of the newest slice in their order, and leave none in it."""
    base, written = numbers[10] << SLICE_AT, numbers[12] + 0
    for top in range(WITHIN >> 15):
        several = marks[_WORDS + _WORDS_OF_WORDS + top] + 0
        marks[_WORDS + _WORDS_OF_WORDS + top] = 0
        while several != 0:
            upper = 32 * top + bits(several & -several) - 1
            several &= several - 1
            words = marks[_WORDS + upper] + 0
            marks[_WORDS + upper] = 0
            while words != 0:
                lower = 32 * upper + bits(words & -words) - 1
                words &= words - 1
                left = marks[lower] + 0
                marks[lower] = 0
                while left != 0:
                    cell = 32 * lower + bits(left & -left) - 1
                    left &= left - 1
                    cells[written] = base | cell
                    cells[CELLS + written] = newest[cell]
                    newest[cell] = 0
                    written += 1
    numbers[12] = written


def count(
    latency: Any,
    started: Any,
    status: Any,
    method: Any,
    url: Any,
    error: Any,
    received: Any,
    sent: Any,
    seq: Any,
    options: Any,
    endpoints: Any,
    fine: Any,
    sums: Any,
    statuses: Any,
    errors: Any,
    order: Any,
    newest: Any,
    marks: Any,
    cells: Any,
    table: Any,
    numbers: Any,
) -> int:
    """Count requests until there is no room, an endpoint has no number, or one does not fit.

    Most requests come in the order of their slices: cells of the newest slice so far are counted
    in an array, and written where a newer one begins. Those of older slices, and what else is
    kept of a slice, are counted in a hash table.

    At a first row below 0 nothing is counted: the newest slice is written, and the cells of the
    table are moved to its beginning.
    What fits is a latency from 0 to LATENCIES, a status from 0 to STATUSES, a start from
    1970 on and an end that 63 bits hold.

    Args:
        latency: int64.
        started: int64 instants; this and the next have one element where there are none.
        status: int32.
        method: int32 codes.
        url: int32 codes.
        error: int32 codes.
        received: int64 bytes.
        sent: int64 bytes.
        seq: int64 numbers of the requests.
        options: (first row, row after the last, length of a slice, whether there are
            started, status, method, url, error, received, sent, seq, columns of `endpoints`).
        endpoints: Number of the endpoint by (method + 1) * columns + url + 1; -1 unknown.
        fine: Counts by outcome and bin.
        sums: By outcome: of latencies, and of the three parts of their squares, the
            lower 32 bits and the rest each; smallest, largest.
        statuses: Counts by status.
        errors: Counts by code.
        order: The numbers of the requests as they come: written.
        newest: Counts of the newest slice by outcome, endpoint and bin.
        marks: Which of them are not 0, see `MARKS`.
        cells: `Slices`' keys in ascending order, and behind `CELLS` their values: written.
        table: Hash table of further keys, each before its value; -1 is free.
        numbers: (slots in use, first start, last start, last end, numbers in `order`; bytes
            received, their lower 32 bits and the rest; bytes sent; an odd number that nobody
            can foresee, for the hashes; the newest slice, -1 before the first; cells that it
            has and that are written, together; those that are written).

    Returns:
        The first row that is not counted; of an emptied table, how many cells there were.
    """
    if options[0] < 0:
        write(newest, marks, cells, numbers)
        numbers[10] = -1
        return emptied(table, numbers)
    row, stop, length, pairs = options[0], options[1], options[2], options[11]
    timed, with_status = options[3] != 0, options[4] != 0
    with_method, with_url, with_error = options[5] != 0, options[6] != 0, options[7] != 0
    with_received, with_sent, numbered = options[8] != 0, options[9] != 0, options[10] != 0
    first, last, latest, kept = numbers[1], numbers[2], numbers[3], numbers[4]
    low, high, end_low, end_high = 0, 0, 0, 0
    base = 0
    slowest_at, received_at, ended_at = 0, 0, 0
    kind, code, endpoint, pair = 3, _NO_STATUS, endpoints[0], 0
    fine_at, sums_at = kind * BINS, kind * SUMS
    begin, end = 0, 0
    if not timed and numbers[10] < 0:
        numbers[10] = 0
    newest_low, newest_high = numbers[10] * length, (numbers[10] + 1) * length
    while row < stop:
        if numbers[0] >= FULL or numbers[11] >= CELLS:
            break
        if with_method or with_url:
            now = 0
            if with_method:
                now = (method[row] + 1) * pairs
            if with_url:
                now += url[row] + 1
            if now != pair:
                pair = now
                endpoint = endpoints[now]
        if endpoint < 0:
            break
        ns = latency[row]
        if ns < 0 or ns >= LATENCIES:
            break
        if timed:
            begin = started[row]
            if begin < 0 or begin > _LATEST - ns:
                break
            end = begin + ns
            if begin >= newest_high and begin // length > numbers[10]:
                write(newest, marks, cells, numbers)
                numbers[10] = begin // length
                newest_low, newest_high = numbers[10] * length, (numbers[10] + 1) * length
        if with_status:
            now = status[row] + 0
            if now != code:
                if now < 0 or now >= STATUSES:
                    break
                code = now
                kind = 2 if code == 0 else (0 if 200 <= code < 400 else 1)
                fine_at, sums_at = kind * BINS, kind * SUMS
            statuses[code] += 1
        if with_error and error[row] >= 0:
            errors[error[row]] += 1
        if with_received:
            numbers[5] += received[row] & _LOW
            numbers[6] += received[row] >> 32
        if with_sent:
            numbers[7] += sent[row] & _LOW
            numbers[8] += sent[row] >> 32
        if numbered:
            order[kept] = seq[row]
            kept += 1
        # The bin: linear at first, then exponent and leading bits.
        shift = bits(ns >> PRECISION) - 1
        if shift < 0:
            shift = 0
        fine[fine_at + (shift << PRECISION) + (ns >> shift)] += 1
        sums[sums_at] += ns & _LOW
        sums[sums_at + 1] += ns >> 32
        b = ns & 0x7FFF_FFFF
        square = b * b
        sums[sums_at + 2] += square & _LOW
        sums[sums_at + 3] += square >> 32
        if ns >> 31:
            a = ns >> 31
            square = a * b
            sums[sums_at + 4] += square & _LOW
            sums[sums_at + 5] += square >> 32
            square = a * a
            sums[sums_at + 6] += square & _LOW
            sums[sums_at + 7] += square >> 32
        if ns < sums[sums_at + 8]:
            sums[sums_at + 8] = ns
        if ns > sums[sums_at + 9]:
            sums[sums_at + 9] = ns
        if timed:
            if begin < first:
                first = begin
            if begin > last:
                last = begin
            if end > latest:
                latest = end
            if begin < low or begin >= high:
                now = begin // length
                low = now * length
                high = low + length
                base = now << SLICE_AT
                slowest_at = slot_of(table, numbers, base | (SLOWEST << _KIND_AT))
                if with_received:
                    received_at = slot_of(table, numbers, base | (RECEIVED << _KIND_AT))
            if ns > table[slowest_at]:
                table[slowest_at] = ns
            if with_received:
                table[received_at] += min(max(received[row], 0), MOST_BYTES)
            if end < end_low or end >= end_high:
                now = end // length
                end_low = now * length
                end_high = end_low + length
                ended_at = slot_of(table, numbers, (now << SLICE_AT) | (ENDED << _KIND_AT))
            table[ended_at] += 1
        shift = bits(ns >> SLICE_PRECISION) - 1
        if shift < 0:
            shift = 0
        cell = (kind << _KIND_AT) | (endpoint << BIN_BITS)
        cell |= (shift << SLICE_PRECISION) + (ns >> shift)
        if begin < newest_low:
            table[slot_of(table, numbers, base | cell)] += 1
        else:
            if newest[cell] == 0:
                mark(marks, cell)
                numbers[11] += 1
            newest[cell] += 1
        row += 1
    numbers[1], numbers[2], numbers[3], numbers[4] = first, last, latest, kept
    return row  # type: ignore[no-any-return]


@cache
def load() -> jit.Code | None:
    """Return `count` as machine code, None where there is no compiler or it fails."""
    arguments = "i8* i8*" + " i4*" * 4 + " i8*" * 15
    inlined = (bits, slot_of, emptied, mark, write)
    return jit.load("counting", jit.Loop(count, arguments, inlined=inlined))
