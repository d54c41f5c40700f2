"""autocannon's responses, counted by second, status and latency.

autocannon itself keeps whole milliseconds. A program that uses it as a library gets an event for
each response, with its latency as a fraction of a millisecond, and can count these: `sent_ms` is
the second in which the request was sent, in ms since 1970, `latency_us` has four significant
digits. `status` is empty where some requests got no response: these have no latency, and the
rows that there are must not pass for all.

Source: autocannon 9.0 `lib/run.js` (event `response`), `lib/pipelinedRequestsQueue.js`
(`process.hrtime`); benchkit `scenarios/tools/autocannon.js`, which writes this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import RequestBatch, RowsParser, Source
from benchkit.schema import QUANTILE_COLUMNS

from ._autocannon import CONSTANTS, TOOL

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_HEADER: Final = b"sent_ms,status,latency_us,count"
_ROW: Final = re.compile(rb"(\d{12,13}),(\d{3})?,(\d{1,12}),(\d{1,9})\r?\Z")
_ROWS: Final = re.compile(rb"(?>(?:\d{12,13},(?:\d{3})?,\d{1,12},\d{1,9}\r?\n)+)")
_MOST: Final = 2**28  # responses: more are in no run, and a file of few bytes may claim any number


def sniff(source: Source) -> bool:
    """Whether a file begins with the header."""
    return source.head.split(b"\n", 1)[0].rstrip() == _HEADER


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the responses, those of one row beside each other.

    Raises:
        InputError: a row that is none; all before it have been yielded.
    """
    whole = _table(source.data)
    if whole is not None:
        yield from _batch(whole)
        return
    counted: list[tuple[int, int, int, int]] = []
    total = 0
    lines = source.data.split(b"\n")
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        row = _ROW.fullmatch(line) if number < len(lines) else None  # else no end of it is there
        total += int(row[4]) if row else 0
        if row is None or total > _MOST:
            yield from _batch(counted)
            raise InputError(
                "a row of sent_ms, status, latency_us and count",
                actual=line[:60].decode("utf-8", "backslashreplace"),
                where=Where(line=number),
                hint="the file is cut off or was edited",
            )
        counted.append((int(row[1]), int(row[2] or -1), int(row[3]), int(row[4])))
    yield from _batch(counted)
    if not total:
        raise InputError("rows below the header", actual="none", where=Where(line=2))


def _table(data: bytes) -> npt.NDArray[np.int64] | None:
    """Return the rows of a file at once, None where a line is no row."""
    import numpy as np

    body = data[data.find(b"\n") + 1 :]
    if not _ROWS.fullmatch(body):
        return None
    text = body.replace(b"\r", b"").replace(b",,", b",-1,").replace(b"\n", b",")
    table = np.fromstring(text.decode("ascii"), np.int64, sep=",").reshape(-1, 4)
    return table if 0 < table[:, 3].sum() <= _MOST else None


def _batch(
    counted: list[tuple[int, int, int, int]] | npt.NDArray[np.int64],
) -> Iterator[RequestBatch]:
    import numpy as np

    table = np.array(counted, np.int64).reshape(-1, 4)
    sent, status, latency, count = table[table[:, 3] > 0].T
    if not len(count):
        return
    yield RequestBatch(
        latency_ns=latency * 1000,
        started_ns=sent * 1_000_000,
        started_step_ns=1_000_000_000,
        status=status.astype(np.int32) if (status >= 0).all() else None,
        repeats=count,
    )


PARSERS = (
    RowsParser(
        name="autocannon-responses",
        tool=TOOL,
        reads="autocannon's responses counted by second, status and latency, by `benchkit run`",
        versions="9",
        fills=(
            *("requests", "started_at", "latency_min_s", "latency_mean_s", "latency_std_s"),
            *QUANTILE_COLUMNS.values(),
            "latency_max_s",
        ),
        may_fill=("errors", "non2xx", "success_ratio"),
        detail=30,
        constants={**CONSTANTS, "resolution_s": 1e-6, "correction": "none"},
        # So near is what autocannon itself says, which cuts every latency to milliseconds.
        steps={
            **dict.fromkeys(("latency_mean_s", "latency_std_s", "latency_min_s"), 2e-3),
            **dict.fromkeys(("latency_p50_s", "latency_max_s"), 2e-3),
        },
        sniff=sniff,
        rows=rows,
    ),
)
