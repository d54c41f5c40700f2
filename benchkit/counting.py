"""Counting requests into bins and slices as a loop for a compiler.

It gives what the numpy of `summary` gives, twenty times as fast, and is used for
large input.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0912, PLR0915, PLR0917, PLR1730

from __future__ import annotations

from functools import cache
from typing import Any, Final

from benchkit import machine
from benchkit.distribution import PRECISION
from benchkit.slices import (
    BIN_BITS,
    ENDED,
    ENDPOINT_BITS,
    MOST_BYTES,
    RECEIVED,
    SLICE_AT,
    SLICE_PRECISION,
    SLOWEST,
)

#: Bins of every latency below 2**62 ns.
BINS: Final = (62 - PRECISION + 1) << PRECISION
#: Latencies, and status codes, that the loop takes; others are counted by numpy.
LATENCIES: Final = 2**62
STATUSES: Final = 1024

#: Sums per outcome.
SUMS: Final = 10
#: Room of the hash table, and how much of it is used before it is emptied.
SLOTS: Final = 2**18
FULL: Final = SLOTS // 2

_LOW: Final = 0xFFFF_FFFF
_KIND_AT: Final = BIN_BITS + ENDPOINT_BITS
_COARSER: Final = PRECISION - SLICE_PRECISION
_HASH_SHIFT: Final = 44  # leaves 18 bits of 62


def place(keys: Any, values: Any, key: Any) -> Any:
    """Return where a key stands in the hash table; where it is new, it is put there.

    Its value is then -1, for the caller to see.
    """
    mask = SLOTS - 1
    at = ((key ^ (key >> 21)) * 0x1E37_79B9_7F4A_7C15) >> _HASH_SHIFT & mask
    while keys[at] != key:
        if keys[at] < 0:
            keys[at] = key
            values[at] = -1
            break
        at = (at + 1) & mask
    return at


def count(
    latency: Any,
    started: Any,
    status: Any,
    method: Any,
    url: Any,
    received: Any,
    options: Any,
    endpoints: Any,
    fine: Any,
    sums: Any,
    statuses: Any,
    keys: Any,
    values: Any,
    numbers: Any,
) -> int:
    """Count requests until the hash table is full or an endpoint has no number yet.

    Args:
        latency: int64, 0 to LATENCIES.
        started: int64 instants; one element where there are none.
        status: int32, 0 to STATUSES; one element where there are none.
        method: int32 codes; one element where all are -1.
        url: int32 codes; one element where all are -1.
        received: int64 bytes; one element where there are none.
        options: (first row, row after the last, length of a slice, whether there are
            started, status, method, url, received, columns of `endpoints`, its length).
        endpoints: Number of the endpoint by (method + 1) * columns + url + 1; -1 unknown.
        fine: Counts by outcome and bin.
        sums: By outcome: of latencies, and of the three parts of their squares, the
            lower 32 bits and the rest each; smallest, largest.
        statuses: Counts by status.
        keys: Hash table of `Slices`' keys; -1 is free.
        values: Their values.
        numbers: (slots in use, first start, last start, last end).

    Returns:
        The first row that is not counted.
    """
    o = machine.carray(options, (10,))
    row, stop, length, columns = o[0], o[1], o[2], o[8]
    timed, told, with_method, with_url, sized = o[3], o[4], o[5], o[6], o[7]
    latency_of = machine.carray(latency, (stop,))
    started_of = machine.carray(started, (stop,))
    status_of = machine.carray(status, (stop,))
    method_of = machine.carray(method, (stop,))
    url_of = machine.carray(url, (stop,))
    received_of = machine.carray(received, (stop,))
    number_of = machine.carray(endpoints, (o[9],))
    fine_of = machine.carray(fine, (4, BINS))
    sum_of = machine.carray(sums, (4, SUMS))
    status_counts = machine.carray(statuses, (STATUSES,))
    key_at = machine.carray(keys, (SLOTS,))
    value_at = machine.carray(values, (SLOTS,))
    n = machine.carray(numbers, (4,))
    used, first, last, latest = n[0], n[1], n[2], n[3]
    low, high, end_low, end_high = 0, 0, 0, 0
    base = 0
    slowest_at, received_at, ended_at = 0, 0, 0
    kind, code, endpoint, pair = 3, -1, number_of[0], 0
    while row < stop:
        if used >= FULL:
            break
        if with_method or with_url:
            now = (method_of[row] + 1) * columns * with_method + (url_of[row] + 1) * with_url
            if now != pair:
                pair = now
                endpoint = number_of[now]
        if endpoint < 0:
            break
        ns = latency_of[row]
        if told:
            now = status_of[row]
            status_counts[now] += 1
            if now != code:
                code = now
                kind = 2 if code == 0 else (0 if 200 <= code < 400 else 1)
        # The bin: linear at first, then exponent and leading bits.
        shift, left = 0, ns >> PRECISION
        for step in (32, 16, 8, 4, 2, 1):
            if left >> step:
                left >>= step
                shift += step
        fine_of[kind, (shift << PRECISION) + (ns >> shift)] += 1
        sum_of[kind, 0] += ns & _LOW
        sum_of[kind, 1] += ns >> 32
        b = ns & 0x7FFF_FFFF
        square = b * b
        sum_of[kind, 2] += square & _LOW
        sum_of[kind, 3] += square >> 32
        if ns >> 31:
            a = ns >> 31
            square = a * b
            sum_of[kind, 4] += square & _LOW
            sum_of[kind, 5] += square >> 32
            square = a * a
            sum_of[kind, 6] += square & _LOW
            sum_of[kind, 7] += square >> 32
        if ns < sum_of[kind, 8]:
            sum_of[kind, 8] = ns
        if ns > sum_of[kind, 9]:
            sum_of[kind, 9] = ns
        if timed:
            begin = started_of[row]
            end = begin + ns
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
                slowest_at = place(key_at, value_at, base | (SLOWEST << _KIND_AT))
                if value_at[slowest_at] < 0:
                    value_at[slowest_at] = 0
                    used += 1
                if sized:
                    received_at = place(key_at, value_at, base | (RECEIVED << _KIND_AT))
                    if value_at[received_at] < 0:
                        value_at[received_at] = 0
                        used += 1
            if ns > value_at[slowest_at]:
                value_at[slowest_at] = ns
            if sized:
                value_at[received_at] += min(max(received_of[row], 0), MOST_BYTES)
            if end < end_low or end >= end_high:
                now = end // length
                end_low = now * length
                end_high = end_low + length
                ended_at = place(key_at, value_at, (now << SLICE_AT) | (ENDED << _KIND_AT))
                if value_at[ended_at] < 0:
                    value_at[ended_at] = 0
                    used += 1
            value_at[ended_at] += 1
        if shift:
            shift += _COARSER
        else:
            left = ns >> SLICE_PRECISION
            for step in (4, 2, 1):
                if left >> step:
                    left >>= step
                    shift += step
        key = base | (kind << _KIND_AT) | (endpoint << BIN_BITS)
        at = place(key_at, value_at, key | ((shift << SLICE_PRECISION) + (ns >> shift)))
        if value_at[at] < 0:
            value_at[at] = 0
            used += 1
        value_at[at] += 1
        row += 1
    n[0], n[1], n[2], n[3] = used, first, last, latest
    return row  # type: ignore[no-any-return]


@cache
def load() -> machine.Call | None:
    """Return `count` as machine code, None where there is no compiler or it fails."""
    arguments = "i8* i8* i4* i4* i4* i8* i8* i8* i8* i8* i8* i8* i8* i8*"
    loops = machine.load("counting", {"count": machine.Loop(count, arguments, (place,))})
    return loops["count"] if loops else None
