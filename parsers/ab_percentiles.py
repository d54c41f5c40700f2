"""ab's `-e`: the latency that each per cent of the requests stayed below.

Row i holds the sorted sample with index trunc(0.5 + n*i/100), which for the
last rows before 100 lies one past the end of the array: those hold 0 or
whatever stood in memory. Rows 0 and 100 are the smallest and largest sample.

Source: httpd 2.4 `support/ab.c`, `output_results`; before 2.2 the times are
printed with `%e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import FileParser, RunOrError, RunRecord, Source
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import decode

from . import ab

_HEADER: Final = re.compile(
    r"\s*+\"?Percentage served\"?\s*+,\s*+\"?Time in ms\"?\s*+$", re.IGNORECASE
)
#: More than a year; what is above is memory, not time.
_LONGEST_S: Final = 4e7
#: The first row that ab may read past its samples: with one request.
_PAST: Final = 50

#: How a row ends of which nothing is cut off.
_ENDED: Final = re.compile(r"\.[0-9]{3}\"?$|e[-+][0-9]{2}\"?$")

#: (line from 1, per cent, seconds)
_Percentage = tuple[int, int, float]


def sniff(source: Source) -> bool:
    """Whether a file begins with the header that ab writes."""
    text = decode(source.head[:400]) or ""
    lines = text.lstrip("\ufeff").lstrip().splitlines()
    return bool(lines) and _HEADER.match(lines[0]) is not None


def parse(source: Source) -> Iterator[RunOrError]:
    """Yield the run of a file."""
    try:
        rows = list(_rows((decode(source.data) or "").lstrip("\ufeff")))
        yield _run(rows)
    except InputError as error:
        yield error


def _rows(text: str) -> Iterator[_Percentage]:
    last = -1
    lines = text.splitlines()
    headers = [number for number, line in enumerate(lines, 1) if _HEADER.match(line)]
    if not headers:
        raise InputError("the header of a table of percentages", actual="none", where=Where(line=1))
    if len(headers) > 1:
        raise InputError(
            "one table of percentages",
            actual="a second header",
            where=Where(line=headers[1]),
            hint="split the file: each -e table is a run of its own",
        )
    for number, line in enumerate(lines, 1):
        if number <= headers[0] or not line.strip():
            continue
        row = _row(number, line, last=last)
        ended = row is not None and _ENDED.search(line)
        if not ended and number == len(lines) and not text.endswith("\n"):
            return
        if row is None:
            raise InputError(
                f"a percentage above {last} and a time in ms" if last >= 0 else "0,<time in ms>",
                actual=line,
                where=Where(line=number),
                hint="restore the file as ab -e wrote it",
            )
        last = row[1]
        yield row


def _row(number: int, line: str, *, last: int) -> _Percentage | None:
    percent, comma, time = line.replace('"', "").partition(",")
    try:
        row = (number, units.whole(percent), units.scaled(time, "1e-3"))
    except ValueError:
        return None
    return row if comma and last < row[1] <= 100 and (last >= 0 or row[1] == 0) else None


def _run(rows: list[_Percentage]) -> RunRecord:
    if not rows or not 0 <= rows[0][2] <= _LONGEST_S:
        raise InputError(
            "rows 0 to 100 of percentages and times",
            actual="none that is whole" if not rows else f"a smallest time of {rows[0][2]:g} s",
            where=Where(line=rows[0][0] if rows else 1),
            hint="the run was stopped before ab wrote them; repeat it",
        )
    record = RunRecord(columns={"latency_min_s": rows[0][2]})
    complete = rows[-1][1] == 100
    largest = rows[-1][2] if complete else _LONGEST_S
    if largest < rows[0][2]:
        raise InputError(
            f"a largest time not below the smallest, {rows[0][2]:g} s",
            actual=f"{largest:g} s",
            where=Where(line=rows[-1][0]),
        )
    refused = _add_quantiles(record, rows, largest=largest)
    if refused and refused[0] >= _PAST and refused == [*range(refused[0], 100)]:
        # Of up to 50 requests ab always writes this: nothing is lost that was there.
        record.notes.append(f"ab read rows {_ranges(refused)} past its samples; they are left out")
    elif refused:
        record.damaged(f"rows {_ranges(refused)} are out of order and left out")
    absent = sorted({*range(rows[-1][1])} - {percent for _, percent, _ in rows})
    if absent:
        record.damaged(f"there are no rows {_ranges(absent)}")
    if complete:
        record.columns["latency_max_s"] = largest
    else:
        record.damaged(f"the file ends after row {rows[-1][1]}: the largest time is missing")
    return record


def _add_quantiles(record: RunRecord, rows: list[_Percentage], *, largest: float) -> list[int]:
    refused, before = [], rows[0][2]
    for _, percent, seconds in rows:
        if before <= seconds <= largest:
            record.quantile(percent / 100, seconds)
            before = seconds
        else:
            refused.append(percent)
    return refused


def _ranges(numbers: list[int]) -> str:
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in parts)


def _rank(quantile: float, n: int) -> int:
    """Return the rank at which the table reads a percentile."""
    return min(int(0.5 + quantile * n + 1e-9 * n), n - 1)


PARSERS = (
    FileParser(
        name="ab-percentiles",
        tool=ab.TOOL,
        reads="the table of percentages that -e writes",
        versions="1.3d to 2.4, and trunk",
        fills=("latency_min_s",),
        may_fill=(
            "latency_max_s",
            *(column for q, column in QUANTILE_COLUMNS.items() if q != 0.999),
        ),
        detail=1,
        constants={**ab.MEANING, "resolution_s": 1e-6},
        rank=_rank,
        sniff=sniff,
        parse=parse,
    ),
)
