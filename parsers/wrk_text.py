"""wrk's report, as it prints it.

wrk 4 adds samples that it never measured before it prints (`correction`), drops
those over the timeout, and prints nothing of the requests still unanswered at
the end. Minutes never become hours; a unit begins at 0.85 of itself. The report
does not tell its version: where the output of -v does not precede, 4 is assumed,
and `correction` is wrong for 2 and 3, which print the same and add nothing; 1 has a
first line of its own.

What a Lua `done()` prints below the report is read where it is a percentile on
a line (`99%,5678`): as a figure of metric `done()`, a plain number unless the
script prints the unit. Its other lines have no form to rely on, and are passed
over, up to two blank lines, the end of a fence, a heading, or another output.

Source: wg/wrk 1.0.0 to 4.2.0, `src/wrk.c`, `src/units.c`, `scripts/report.lua`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _wrk_lines as lines
from ._grammar import Report
from ._wrk_rules import (
    ASKED,
    CLOSED,
    REPORT,
    head,
    quantiles,
    record_of,
    thread_stats,
    totals,
)

#: So far a count and a time, both rounded, may be from the rate that is printed.
_SAME_RATE: Final = 0.02
# The reason is what strerror says: a capital letter, no full stop.
_REFUSED: Final = re.compile(
    r"unable to (?:connect to|resolve) (?=\S[^\s:]*+:)\S++ [A-Z(][^.;!?]{0,60}$"
    r"|unable to create thread [0-9]++:? [A-Z][^.;!?]{0,60}$"
)
#: Lines of go-wrk, whose others are wrk's; its rate leaves out the time of what failed.
#: Source: tsliwowicz/go-wrk 0.1 (0562c8d), `go-wrk.go` (main); `task(s)` are its imitations'.
_OTHERS: Final = re.compile(
    r"(?<![0-9])[0-9]++ (?:goroutine|task)\(s\) running concurrently"
    r"|(?:Avg Req Time|Fastest Request|Number of Errors):"
)
_HINT: Final = "go-wrk prints such lines, and its output is not read"


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of wrk in a text, and what is left of broken ones."""
    yield from _refusals(text)
    for report in lines.reports(text, "wrk"):
        other = None if report.has(lines.THREADS) else report.of_another("wrk", _OTHERS, _HINT)
        fills = (_whose, head, thread_stats, quantiles, totals, partial(_whole, text), _done)
        yield other or record_of(report, *fills)


def _refusals(text: Text) -> Iterator[InputError]:
    for number, line in text.repaired:
        if line.startswith("unable to ") and _REFUSED.match(line):
            yield InputError(
                "a report of wrk",
                actual=line,
                where=Where(line=number + 1),
                hint="wrk could not start: there is no result to read",
            )


def _whose(record: RunRecord, report: Report) -> None:
    """Leave out what follows from the tool where the lines are the same in wrk and wrk2."""
    if report.lines[0].line is lines.SUMMARY:
        record.columns |= dict.fromkeys(("load_model", "correction", "clock"))
        record.notes.append("only the end of a report, which may be wrk's or wrk2's")


def _whole(text: Text, record: RunRecord, report: Report) -> None:
    """Leave out a count with which a text begins, unless the rate confirms it: it may be cut.

    wrk prints two blanks before it.
    """
    if report.lines[0].line is not lines.SUMMARY or not text.lines[0][:1].isdigit():
        return
    requests, duration, rate = map(record.columns.get, ("requests", "duration_s", "throughput_rps"))
    if report.lines[0].number or not requests or not duration:
        return
    if rate is None or abs(requests / duration / rate - 1) > _SAME_RATE:
        for column in ("requests", "success_ratio"):
            record.columns.pop(column, None)
        record.damaged("the count with which line 1 begins may be cut off and is left out")


def _done(record: RunRecord, report: Report) -> None:
    for line in report.all(lines.DONE) if report.has(lines.THROUGHPUT) else ():
        unit, statistic = line["unit"], "p" + line["share"].removesuffix("%")
        value = units.seconds(f"{line['value']}{unit}") if unit else line.read("value")
        record.figure("done()", statistic, value, unit=unit and "s", printed=line.text)


def _step_s(seconds: float) -> float:
    """Return one hundredth of the unit in which wrk prints a time: from 0.85 of it, s from 1 s."""
    if seconds >= 1:
        return 0.6 if seconds >= 0.85 * 60 else 0.01
    return 1e-5 if seconds >= 0.85e-3 else 1e-8


PARSERS: Final = (
    TextParser(
        name="wrk-text",
        tool="wrk",
        reads="the report, with or without --latency, anywhere in a text",
        versions="1.0 to 4.2",
        may_fill=("throughput_rps", *REPORT),
        when={
            "throughput_rps": "where the report has its end",
            "tool_version": "where the output of -v precedes",
            "correction": "where nothing tells the version, 4 is assumed: 1 to 3 add nothing",
            **dict.fromkeys(ASKED, "--latency"),
        },
        constants=CLOSED,
        step_s=_step_s,
        markers=(*lines.WRK.markers, "unable to "),
        scan=scan,
    ),
)
