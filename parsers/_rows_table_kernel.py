"""The inner loop of reading tables: rows between delimiters to columns.

Source: RFC 4180.
"""

# Loops without calls, in the terms of a compiler:
# ruff: noqa: ANN401, C901, PLR0911, PLR0912, PLR0915, PLR0917, PLR1714, SIM109

from __future__ import annotations

from functools import cache
from typing import Any, Final

from benchkit.runtime import jit

from ._gob_compiled import same
from ._rows_kernel import ARGUMENTS, BAD, HELPERS, INLINED, NUMBER, PLAIN, SKIP, TEXT, put

#: Digits that surely fit.
_DIGITS: Final = 18


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
    table, and the seed; from PLAIN on, 0 for each column of `codes`. By column of the table there
    are, in `actions`, what to do; in `slots`, which column of `out` or `codes` that is; in
    `decimals`, how many digits behind the point a number may have, which is multiplied so that they
    count, and then by one of `scales`, for which it must not be above one of `mosts`; in `absents`,
    what an empty value is, or NEEDED; in `firsts`, where the text that an ONLY must be begins in
    `marks`, and at last where these end. `out` (int64) and `codes` (int32, -1 for none) are
    written, column by column; `last` to `used` are as for the `names` of `_gob_compiled.coded`.

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
            action, slot = actions[field], slots[field]
            taken = False
            if counts == 1 and action == TEXT:
                # Most often the text above stands here again, which had no quotes around it.
                size = last[3 * slot + 1] + 0
                if size > 0 and numbers[PLAIN + slot] == 1 and pos + size < end:
                    after = buf[pos + size] + 0
                    if (after == delimiter or after == 10) and same(
                        buf, pos, store, last[3 * slot], size, end
                    ):
                        codes[slot * room + row] = last[3 * slot + 2]
                        pos += size
                        taken = True
            elif counts == 1 and action == NUMBER and decimals[field] == 0:
                value = 0
                while pos < end and pos < start + _DIGITS and 48 <= buf[pos] <= 57:
                    value = 10 * value + (buf[pos] - 48)
                    pos += 1
                if pos > start and pos < end and value <= mosts[field]:
                    after = buf[pos] + 0
                    if after == delimiter or after == 10:
                        out[slot * room + row] = value * scales[field]
                        taken = True
                if not taken:
                    pos = start
            stop, quoted = pos, 0
            if taken:
                pass
            elif pos < end and buf[pos] == quote:
                quoted = 1
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
            if counts == 1 and action != SKIP and not taken:
                if action == TEXT and stop > start:
                    numbers[PLAIN + slot] = 1 - quoted
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
