"""The inner loop of reading tables: rows between delimiters to columns.

Source: RFC 4180.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0917, SIM109

from __future__ import annotations

from functools import cache
from typing import Any

from benchkit import jit

from ._rows_kernel import ARGUMENTS, BAD, HELPERS, INLINED, SKIP, put


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
            return BAD
        counts, field = 1, 0
        while True:
            if field >= width:
                return BAD
            start = pos
            if pos < end and buf[pos] == quote:
                start = pos + 1
                pos = start
                while pos < end and buf[pos] != quote:
                    pos += 1
                if pos >= end:
                    return BAD
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
                    return BAD
            if pos < end and buf[pos] == delimiter:
                pos += 1
                field += 1
                continue
            if pos < end and buf[pos] == 13:
                pos += 1
                if pos < end and buf[pos] != 10:
                    return BAD
            if pos < end and buf[pos] != 10:
                return BAD
            pos += 1
            break
        if field + 1 != width:
            return BAD
        row += counts
    return row


@cache
def load() -> jit.Code | None:
    """Return `table` as machine code, None where there is no compiler or it fails."""
    return jit.load("table", jit.Loop(table, ARGUMENTS, helpers=HELPERS, inlined=INLINED))
