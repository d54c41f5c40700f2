"""Reads autocannon's tables, of every version, wherever they stand in a text.

Source: autocannon 0.1 to 9.0, `lib/progressTracker.js` and, from 4.0 on,
`lib/printResult.js`. The layouts: up to 2.x one table without borders (Avg,
Stdev, Max); from 3.0 two tables (Latency; Req/Sec and Bytes/Sec), from 3.2 drawn
with box characters; from 7.1 a table of status codes on demand; from 7.14 Req/Sec
in the machine's notation; from 8.0 a summary without tables on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit.errors import InputError
from benchkit.parsing import RunOrError, TextParser
from benchkit.text import Text

from ._autocannon import CONSTANTS, MAY_FILL, TOOL
from ._autocannon_printouts import Printout, printouts
from ._autocannon_record import record

MARKERS: Final = ("Latency", "Req/Sec", "Req/sec", " requests in ", " connections")


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield every run whose tables, or summary, stand in a text.

    What is missing below or between the tables stays missing; the counts that
    autocannon prints only when they are not zero are 0 where the summary line is
    there. Latencies come in seconds, sizes in bytes.

    Yields:
        A run, or an InputError for an announced run without a table, a row that
        is cut off, a unit that is none, Req/Sec cells that can be read in two
        ways, and tables that somebody typed anew.
    """
    for printout in printouts(text):
        yield _run(printout)


def _run(printout: Printout | InputError) -> RunOrError:
    if isinstance(printout, InputError):
        return printout
    try:
        return record(printout)
    except InputError as error:
        return error


PARSERS = (
    TextParser(
        name="autocannon-text",
        tool=TOOL,
        reads="autocannon's tables, printed, pasted or as Markdown",
        versions="0.1 to 9",
        may_fill=(*MAY_FILL, "throughput_rps", "latency_p95_s"),
        when={
            "threads": "7.0 on, with workers",
            "requests": "where the count is exact",
            "latency_p50_s": "3.0 on, or -l",
            "latency_p75_s": "-l",
            "latency_p90_s": "-l",
            "latency_p99_s": "3.0 on, or -l",
            "latency_p999_s": "-l",
        },
        detail=10,
        constants=CONSTANTS,
        markers=MARKERS,
        scan=scan,
    ),
)
