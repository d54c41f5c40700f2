"""Hyperfoil's imitation of wrk's report.

Hyperfoil's commands `wrk` and `wrk2` print wrk's layout with figures of their
own: Req/Sec is of the whole run per second and its last column has no per cent
sign, K is a small k, and `read` adds what was sent to what was received. Error
lines come last, so that a report without them may be one that was cut: missing,
not 0. Which of the two commands it was is not printed.

Source: Hyperfoil 9247c26, `cli/…/WrkAbstract.java`, `api/…/Util.java`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _wrk_lines as lines
from ._grammar import Report
from ._wrk_rules import (
    LAYOUT,
    named_counts,
    quantiles,
    rates,
    record_of,
    rounded,
    step,
    target,
    thread_stats,
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of Hyperfoil's imitation in a text."""
    for report in lines.reports(text, "hyperfoil"):
        yield record_of(report, _head, thread_stats, _latency, _totals, _errors)


def _head(record: RunRecord, report: Report) -> None:
    record.notes.append("printed by Hyperfoil in wrk's layout")
    target(record, report)
    report.fill(record, lines.THREADS, threads="threads", connections="connections")


def _latency(record: RunRecord, report: Report) -> None:
    exact = dict(map(step, report.all(lines.STEP)))
    quantiles(record, report, rounded(report) | exact)
    for line in report.all(lines.QUANTILE):
        share, latency = line.read("share"), line.read("latency")
        if share in exact and record.quantiles:
            name = f"p{100 * share:.10g}"
            printed = line["latency"]
            record.figure("Latency Distribution", name, latency, unit="s", printed=printed)


def _totals(record: RunRecord, report: Report) -> None:
    report.fill(record, lines.SUMMARY, requests="requests", duration="duration_s")
    if line := report.get(lines.SUMMARY):
        line.keep(record, "read", "total", "size", unit="B")
    rates(record, report)


def _errors(record: RunRecord, report: Report) -> None:
    if line := report.get(lines.SOCKET):
        counts = named_counts(line, "connectionErrors", "requestTimeouts")
        connection, late = counts["connectionErrors"], counts["requestTimeouts"]
        record.columns |= {"errors": connection + late, "timeouts": late}
        record.errors = {name: count for name, count in counts.items() if count}
        record.figure("connectionErrors", "total", connection, printed=str(connection))
    report.fill(record, lines.STATUS, count="non2xx")


PARSERS: Final = (
    TextParser(
        name="hyperfoil-text",
        tool="hyperfoil",
        reads="what Hyperfoil's commands wrk and wrk2 print in wrk's layout",
        versions="0.22 and later",
        may_fill=("throughput_rps", *LAYOUT),
        when={"throughput_rps": "where the report has its end"},
        markers=lines.WRK.markers,
        scan=scan,
    ),
)
