"""Hyperfoil's imitation of wrk's report.

Hyperfoil's commands `wrk` and `wrk2` print wrk's layout with figures of their
own: Req/Sec is of the whole run per second and its last column has no per cent
sign, K is a small k, and `read` adds what was sent to what was received. Error
lines come last, so that a report without them may be one that was cut: missing,
not 0. Which of the two commands it was is not printed.

Source: Hyperfoil 9247c26, `cli/…/WrkAbstract.java`, `api/…/Util.java`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.parsers._wrk_blocks import blocks
from benchkit.parsers._wrk_lines import MARKERS, ReportLine, Token, WrkBlock
from benchkit.parsers._wrk_numbers import kilo, number, whole
from benchkit.parsers._wrk_record import (
    LAYOUT,
    BadNumberError,
    has_sample,
    quantiles,
    read,
    record_of,
    share,
    step,
    thread_stats,
)
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

_SOCKET: Final = re.compile(r"connectionErrors ([0-9]{1,18}), requestTimeouts ([0-9]{1,18})$")
# Where the Greek letter did not survive, it is still the only unit of that look.
_MICRO: Final = re.compile(r"(?<=[0-9])(?:\?|�|\\xb5|\\xce\\xbc|Î¼|Âµ)s\b")


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of Hyperfoil's imitation in a text."""
    lines = [_MICRO.sub("us", line) for line in text.lines]
    readable = text if lines == text.lines else Text(lines)
    for block in readable.once(blocks):
        if block.flavour == "hyperfoil":
            yield record_of(readable, block, _head, thread_stats, _latency, _totals, _errors)


def _head(record: RunRecord, block: WrkBlock) -> None:
    record.notes.append("printed by Hyperfoil in wrk's layout")
    running, line = block.get(Token.RUNNING), block.get(Token.THREADS)
    if running is not None:
        record.columns["url"] = running.match["url"]
    if line is not None:
        record.columns["threads"] = int(read(line, "a number", line[1], units.whole))
        record.columns["connections"] = int(read(line, "a number", line[2], units.whole))


def _latency(record: RunRecord, block: WrkBlock) -> None:
    rounded = {
        share(line): (read(line, "a time", line[2], units.seconds), line[2])
        for line in block.all(Token.QUANTILE)
    }
    exact = dict(map(step, block.all(Token.STEP)))
    if has_sample(record, block):
        quantiles(record, {q: value for q, (value, _) in rounded.items()} | exact)
        for q in rounded.keys() & exact.keys():
            value, printed = rounded[q]
            record.figure(
                "Latency Distribution", f"p{100 * q:.10g}", value, unit="s", printed=printed
            )


def _totals(record: RunRecord, block: WrkBlock) -> None:
    line = block.get(Token.SUMMARY)
    if line is not None:
        record.columns["requests"] = int(read(line, "a number of requests", line[1], whole))
        record.columns["duration_s"] = read(line, "a time", line[2], units.seconds)
        size = read(line, "a size", line[3], kilo)
        record.figure("read", "total", size, unit="B", printed=line[3])
    end, transfer = block.get(Token.THROUGHPUT), block.get(Token.TRANSFER)
    if end is not None:
        record.columns["throughput_rps"] = read(end, "a rate", end[1], number)
    if transfer is not None:
        rate = read(transfer, "a size", transfer[1], kilo)
        record.figure("Transfer/sec", "rate", rate, unit="B/s", printed=transfer[1])


def _errors(record: RunRecord, block: WrkBlock) -> None:
    line, status = block.get(Token.SOCKET), block.get(Token.STATUS)
    if line is not None:
        connection, late = _counts(line)
        record.columns |= {"errors": connection + late, "timeouts": late}
        named = {"connectionErrors": connection, "requestTimeouts": late}
        record.errors = {name: count for name, count in named.items() if count}
        record.figure("connectionErrors", "total", connection, printed=str(connection))
    if status is not None:
        record.columns["non2xx"] = int(read(status, "a count", status[1], units.whole))


def _counts(line: ReportLine) -> tuple[int, int]:
    matched = _SOCKET.match(line[1])
    if matched is None:
        raise BadNumberError(line, "connectionErrors and requestTimeouts", line[1])
    return int(matched[1]), int(matched[2])


PARSERS: Final = (
    TextParser(
        name="hyperfoil-text",
        tool="hyperfoil",
        reads="what Hyperfoil's commands wrk and wrk2 print in wrk's layout",
        versions="0.22 and later",
        may_fill=("throughput_rps", *LAYOUT),
        when={"throughput_rps": "where the report has its end"},
        markers=MARKERS,
        scan=scan,
    ),
)
