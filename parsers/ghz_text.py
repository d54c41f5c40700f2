"""ghz's report, as it prints it.

Times are in whole nanoseconds up to 10 us, else with two decimals in milliseconds, and from a
second on in seconds. Without a call that is OK there is no latency, and 0 ns are printed.

Source: bojand/ghz 0.93 and 0.121 `printer/template.go` (defaultTmpl), `printer/printer.go`
(formatNanoUnit).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _ghz
from ._grammar import Grammar, Report
from ._line import Line, Slot, time_in

_SLOTS: Final = {
    "time": Slot(
        "a time", r"[0-9]++(?>(?:\.[0-9]{2})?)\s?+(?:ns|ms|s)", time_in("ns", "ms", "s"), ended="s$"
    ),
    "rate": Slot("a rate", r"[0-9]++\.[0-9]{2}(?![0-9])", units.number, ended=r"\.[0-9]{2}$"),
    "mark": Slot("a time", r"[0-9]++\.[0-9]{3}(?![0-9])", units.number, exact=True, first="[0-9]"),
    "percent": Slot("a percentage", r"[0-9]{1,2}\s?+%", units.percent, exact=True, first="[0-9]"),
    "status": Slot("a status", r"[A-Z]\w*+(?:\([0-9]++\))?", exact=True),
}
SUMMARY = Line("Summary:")
NAME = Line("Name: {name:rest}", foreign=0)
COUNT = Line("Count: ?{count:count}")
TOTAL = Line("Total: ?{time:time}", slots=_SLOTS)
SLOWEST = Line("Slowest: ?{time:time}", slots=_SLOTS)
FASTEST = Line("Fastest: ?{time:time}", slots=_SLOTS)
AVERAGE = Line("Average: ?{time:time}", slots=_SLOTS)
RATE = Line("Requests/sec: ?{rate:rate}", slots=_SLOTS)
HISTOGRAM = Line("Response time histogram:")
BUCKET = Line(
    r"{mark:mark} \[{count:whole}\](?>(?: ?[|│])?)(?>(?: ?∎++)?)",
    slots=_SLOTS,
    repeats=True,
    foreign=0,
)
DISTRIBUTION = Line("Latency distribution:")
QUANTILE = Line("{share:percent} in {latency:time}", slots=_SLOTS, repeats=True, foreign=0)
STATUSES = Line("Status code distribution:")
STATUS = Line(r"\[{status:status}\] {count:count} responses", slots=_SLOTS, repeats=True, foreign=0)
ERRORS = Line("Error distribution:")
ERROR = Line(r"\[{count:whole}\] rpc error: code = {error:rest}", repeats=True, foreign=0)

REPORT: Final = Grammar(
    *(SUMMARY, NAME, COUNT, TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, HISTOGRAM, BUCKET),
    *(DISTRIBUTION, QUANTILE, STATUSES, STATUS, ERRORS, ERROR),
    begins={SUMMARY: (COUNT, NAME), COUNT: (TOTAL,)},
    head=SUMMARY,
    markers=("Requests/sec", "Count:"),
    whole=(COUNT, TOTAL, STATUSES),
    marks=(COUNT, TOTAL, AVERAGE, RATE),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of ghz in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if report.has(COUNT, RATE):
            yield report.run(_summary, _latencies)
        else:
            yield report.broken_off("the rest of the report, to its line 'Requests/sec:'")


def _summary(record: RunRecord, report: Report) -> None:
    name = report.get(NAME)
    record.name = None if name is None else name["name"]
    if seconds := report.read(TOTAL, "time"):
        record.columns["duration_s"] = seconds
    for line in report.all(ERROR):
        words = line["error"]
        if words.count('"') % 2:  # that of a string around the report
            words = words.removesuffix('"')
        error = f"rpc error: code = {words}"
        record.errors[error] = (record.errors.get(error) or 0) + int(line.read("count"))
    calls, rate = int(report.read(COUNT, "count") or 0), report.read(RATE, "rate")
    statuses = {line["status"]: int(line.read("count")) for line in report.all(STATUS)}
    failed = sum(statuses.values()) - statuses.get("OK", 0)
    if sum(filter(None, record.errors.values())) < failed:
        record.damaged("the errors are not as many as the calls that are not OK: some are missing")
    elif sum(filter(None, record.errors.values())) > failed and sum(statuses.values()) == calls:
        record.errors = dict.fromkeys(record.errors)
        record.damaged("more errors than calls that are not OK: how many of each is left out")
    if sum(statuses.values()) == calls:
        _ghz.add_counts(record, calls, rate, statuses)
        return
    record.columns["requests"] = calls
    record.damaged("the statuses are not as many as the calls: some are missing")


def _latencies(record: RunRecord, report: Report) -> None:
    average = report.get(AVERAGE)
    if average is not None and average.read("time"):
        if record.columns.get("errors") == 0:
            record.columns["latency_mean_s"] = average.read("time")
        elif not record.lost:
            average.keep(record, "Average", "mean", "time", unit="s")
    for kind, column in ((FASTEST, "latency_min_s"), (SLOWEST, "latency_max_s")):
        if seconds := report.read(kind, "time"):
            record.columns[column] = seconds
    for line in report.all(QUANTILE):
        if line.read("share"):
            record.quantile(line.read("share"), line.read("latency"))
    buckets = list(report.all(BUCKET))
    held = sum(int(line.read("count")) for line in buckets)
    fine = sum(int(line.read("count")) for line in report.all(STATUS) if line["status"] == "OK")
    if held not in {record.columns["requests"], fine, _ghz.KEPT}:
        record.damaged("the histogram has not as many calls as there were: a part is missing")
        return
    for number, line in enumerate(buckets, start=1):
        metric = f"Response time histogram, {number}"
        mark, printed = line.read("mark"), line["mark"]
        record.figure(metric, "max", round(mark / 1000, 9), unit="s", printed=printed)
        line.keep(record, metric, "total", "count")


def _step_s(seconds: float) -> float:
    if seconds >= 1:
        return 0.01
    return 1e-5 if seconds >= 1e-5 else 1e-9


PARSERS: Final = (
    TextParser(
        name="ghz-text",
        tool=_ghz.TOOL,
        reads="the report, anywhere in a text",
        versions="0.60 to 0.121",
        fills=("requests",),
        may_fill=tuple(column for column in _ghz.MAY_FILL if column != "requests"),
        when=_ghz.WHEN,
        constants={**_ghz.CONSTANTS, "resolution_s": 1e-5},
        step_s=_step_s,
        markers=REPORT.markers,
        scan=scan,
    ),
)
