"""fortio's report, which it prints to stderr between the lines of its log.

Histograms of sleeping, calls, failed calls and connecting have the same form; only `Aggregated
Function Time` is of the latency. With -quiet lines are left out, the time that the run took
among them.

Source: fortio/fortio 1.68.0 `cli/fortio_main.go` (fortioLoad), `periodic/periodic.go` (Run),
`stats/stats.go` (Print), `fhttp/httprunner.go`, `fgrpc/grpcrunner.go`, `tcprunner/tcprunner.go`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _fortio
from ._grammar import Grammar, Report, note_loss
from ._line import FAR, Line, ReportLine, Slot, go_time

_G: Final = r"-?[0-9]++(?:\.[0-9]++)?(?:e[-+][0-9]{2,3})?"  # as Go's %g
_SLOTS: Final = {
    "g": Slot("a number", _G, units.number),
    "code": Slot("a code", "-?[0-9]{1,3}", units.whole, exact=True),
    "took": Slot("a time", "[0-9.hmnuµs]++", go_time),
    "share": Slot("a percentage", r"[0-9]++(?:\.[0-9]++)?%", units.percent, exact=True),
    "name": Slot("a status", "[A-Z_]++", exact=True),
    "truth": Slot("true or false", "(?:true|false)", exact=True),
}
_COUNTER: Final = (
    r" : count {count:count} avg {mean:g} \+/- {std:g} min {min:g} max {max:g} sum {sum:g}"
)


def _counter(name: str) -> Line:
    return Line(name + _COUNTER, f"{name} : no data", slots=_SLOTS, again=True, foreign=FAR)


RUNNING = Line(
    "Fortio {version:word} running at {rate:g} queries per second, [0-9]++->[0-9]++ procs, "
    r"(?:for [0-9.hmnuµs]++|for [0-9]++ calls|until interrupted): {url:url}",
    slots=_SLOTS,
)
STARTING = Line(
    r"Starting at (?:max qps|[0-9.e+-]++ qps) with {threads:count} thread\(s\) {more:rest}",
    foreign=FAR,
)
ABORTING = Line("Aborting because of {error:rest}", foreign=FAR)
ENDED = Line(
    "Ended after {elapsed:took} : {count:count} calls. qps={rate:g}", slots=_SLOTS, foreign=FAR
)
SLEEP = _counter("(?:Aggregated Sleep Time|Sleep times)")
FUNCTION = _counter("Aggregated Function Time")
FAILED = _counter("Error cases")
CONNECTION = _counter(r"Connection time (?:histogram )?\(s\)")
HEADERS = _counter("Response Header Sizes(?: Histogram)?")
SIZES = _counter("Response Body/Total Sizes(?: Histogram)?")
#: The rows below it, `> 0.001 <= 0.002 , …`, look like quotations and are passed over.
RANGES = Line("(?:# )?range, mid point, percentile, count", again=True)
TARGET = Line("(?:# )?target {share:share} {value:g}", slots=_SLOTS, again=True, foreign=FAR)
EACH = Line("(?:# )?Socket and IP used for each connection:")
SOCKETS = Line(
    "Sockets used: {sockets:count}"
    r"(?>(?: \(for perfect (?:keepalive|no error run), would be [0-9]++\))?)",
    foreign=FAR,
)
UNIFORM = Line(
    "Uniform: {uniform:truth}, Jitter: {jitter:truth}, Catchup allowed: {catches:truth}",
    slots=_SLOTS,
)
CODE = Line(
    r"Code {code:code} : {count:count} \([0-9.]++ ?%\)", slots=_SLOTS, repeats=True, foreign=FAR
)
OTHER_CODE = Line(
    r"(?:Health|Ping|tcp|udp) {name:name} : {count:count}(?>(?: \([0-9.]++ ?%\))?)",
    slots=_SLOTS,
    repeats=True,
    foreign=FAR,
    has="Health|Ping|tcp|udp",
)
DONE = Line(
    r"All done {count:count} calls \(plus [0-9]++ warmup\) {mean:g} ?ms avg, {rate:g} qps",
    slots=_SLOTS,
    foreign=FAR,
    ended="qps$",
)

REPORT: Final = Grammar(
    *(RUNNING, STARTING, ABORTING, ENDED, SLEEP, FUNCTION, FAILED, RANGES, TARGET),
    *(EACH, CONNECTION, SOCKETS, UNIFORM, CODE, OTHER_CODE, HEADERS, SIZES, DONE),
    begins={
        RUNNING: (),
        ENDED: (SLEEP, FUNCTION),
        FUNCTION: (RANGES, TARGET, FAILED),
    },
    head=STARTING,
    end=DONE,
    closes=(DONE,),
    markers=("Fortio", "Aggregated Function Time"),
    whole=(FUNCTION, DONE),
    marks=(ENDED, FUNCTION),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of fortio in a text, and what is left of broken and aborted ones."""
    for report in REPORT.reports(text):
        aborting = report.get(ABORTING)
        if report.has(FUNCTION):
            yield report.run(_set_up, _counts, _latencies, note_loss, _note_end)
        elif aborting is not None:
            yield InputError(
                "a result of fortio",
                actual=f"Aborting because of {aborting['error']}",
                where=Where(line=aborting.number + 1),
                hint="fortio ended the run with its first error: it has none",
            )
        elif not any(piece.text.startswith("{\n") or piece.text == "{" for piece in report.below()):
            yield report.broken_off(
                "the rest of the report, to its line 'Aggregated Function Time'"
            )


def _set_up(record: RunRecord, report: Report) -> None:
    running, starting, ended = report.get(RUNNING), report.get(STARTING), report.get(ENDED)
    sockets, uniform = report.get(SOCKETS), report.get(UNIFORM)
    if running is not None:
        record.columns |= {"tool_version": running["version"], "url": running["url"]}
        if (rate := running.read("rate", least=-math.inf)) > 0:  # -1 is as fast as it goes
            record.columns["offered_rate_rps"] = rate
    if ended is not None:
        record.columns["duration_s"] = ended.read("elapsed")
    if starting is not None:
        record.columns["threads"] = int(starting.read("threads"))
        if sockets is not None:
            record.columns["connections"] = record.columns["threads"]
    if sockets is not None:
        sockets.keep(record, "Sockets used", "total", "sockets")
    skips = uniform is not None and uniform["catches"] == "false"
    if skips and "offered_rate_rps" in record.columns:
        _fortio.note_skipped(record)


def _counts(record: RunRecord, report: Report) -> None:
    function, ended, done = report.get(FUNCTION), report.get(ENDED), report.get(DONE)
    if function is None or "count" not in function.form.slots:
        return
    calls = int(function.read("count"))
    timed = ended or done
    rate = None if timed is None else timed.read("rate")
    codes = {int(line["code"]): int(line.read("count")) for line in report.all(CODE)}
    others = {line["name"]: int(line.read("count")) for line in report.all(OTHER_CODE)}
    if others and not codes:
        _fortio.add_other_codes(record, calls, rate, others)
    else:
        _fortio.add_codes(record, calls, rate, codes)
    failed = report.get(FAILED)
    if failed is not None:
        if "count" in failed.form.slots:
            failed.keep(record, "Error cases", "total", "count")
        else:
            record.figure("Error cases", "total", 0)


def _latencies(record: RunRecord, report: Report) -> None:
    function = report.get(FUNCTION)
    if function is None or "count" not in function.form.slots or not function.read("count"):
        return
    if _fortio.without_answer(record):
        return
    if "errors" not in record.columns and not _some_are_fine(report, function):
        record.damaged("whether any call had an answer is missing, and so are latencies")
        return
    for name in ("min", "mean", "std", "max"):
        record.columns[f"latency_{name}_s"] = function.read(name)
    for line in _section(report, TARGET):
        if line["value"].endswith("."):
            record.damaged(f"line {line.number + 1} breaks off and is left out")
        elif line.read("share") < 1:
            record.quantile(line.read("share"), line.read("value"))


def _note_end(record: RunRecord, report: Report) -> None:
    if not report.has(DONE) and report.loss is None:
        record.damaged(f"the report breaks off below line {report.span[1] + 1}")


def _some_are_fine(report: Report, function: ReportLine) -> bool:
    """Whether fewer calls than all are among the failed ones."""
    failed = report.get(FAILED)
    if failed is None:
        return False
    return "count" not in failed.form.slots or failed.read("count") < function.read("count")


def _section(report: Report, wanted: Line) -> Iterator[ReportLine]:
    """Yield the lines of one kind that belong to the latency.

    Where the line above the next histogram is lost, its percentiles begin anew.
    """
    within, ranges, share = False, 0, 0.0
    for line in report.lines:
        if line.line is FUNCTION:
            within = True
        elif line.line not in {RANGES, TARGET}:
            within = False
        elif within:
            ranges += line.line is RANGES
            before, share = share, line.read("share") if line.line is TARGET else share
            if ranges > 1 or (line.line is TARGET and share <= before):
                return
            if line.line is wanted:
                yield line


PARSERS: Final = (
    TextParser(
        name="fortio-text",
        tool=_fortio.TOOL,
        reads="the report on stderr, between the lines of its log, anywhere in a text",
        versions="1.3 to 1.75",
        fills=("requests",),
        may_fill=tuple(column for column in _fortio.MAY_FILL if column != "requests"),
        when={
            **_fortio.WHEN,
            **dict.fromkeys(("threads", "duration_s"), "without -quiet"),
            "connections": "of HTTP, TCP and UDP, without -quiet",
        },
        constants=_fortio.CONSTANTS,
        rank=None,
        steps=_fortio.STEPS,
        markers=REPORT.markers,
        scan=scan,
    ),
)
