"""oha's report: the text that it prints at the end.

All times but the rate are in one unit that follows from the slowest answer, or is asked for by
`-u`, with four decimals. Without an answer they are NaN or infinite. Before 1.0 the unit is
`secs`, and the success rate a share. Sizes have two decimals, too few for a column.

Source: hatoo/oha 1.16.0 `src/printer.rs` (print_summary), `src/timescale.rs`; 0.5.9 the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from ._grammar import Grammar, Report
from ._line import Line, ReportLine, Slot
from .oha import CONSTANTS, COUNTED, add_counts, rank

_UNITS: Final = {
    unit: Decimal(seconds)
    for unit, seconds in {
        "ns": "1e-9",
        "us": "1e-6",
        "ms": "1e-3",
        "sec": "1",
        "secs": "1",
        "min": "60",
        "hr": "3600",
    }.items()
}
_DECIMALS: Final = r"(?:[0-9]++\.[0-9]{4}(?![0-9])|NaN|-?inf)"
_MARK: Final = r"(?:[0-9]++\.[0-9]{3}|NaN|-?inf)"
#: Printed where there is no sample.
_NONE: Final = ("NaN", "inf", "-inf")


_SECONDS: Final = re.compile(rf"({_DECIMALS})\s?+(ns|us|ms|secs?|min|hr)")


def _parts(printed: str) -> tuple[str, str]:
    """Return the number and the unit of a time."""
    matched = _SECONDS.fullmatch(printed)
    if matched is None:
        raise ValueError(printed)
    return matched[1], matched[2]


def _step_s(printed: str) -> float:
    """Return the step to which a time is printed, in s: four decimals of its unit."""
    return float(_UNITS[_parts(printed)[1]] * Decimal("1e-4"))


def _span(printed: str) -> float:
    number, unit = _parts(printed)
    units.number(number)  # or it is none
    return float(Decimal(number) * _UNITS[unit])


_SPAN: Final = Slot(
    "a time",
    rf"{_DECIMALS}\s?+(?:ns|us|ms|secs?|min|hr)(?!\w)",
    _span,
    ended="(?:ns|us|ms|min|hr)$",
)
_SLOTS: Final = {
    "span": _SPAN,
    "mark": Slot("a time", rf"{_MARK}(?:\s?+(?:ns|us|ms|secs?|min|hr))?(?!\w)", exact=True),
    "share": Slot("a percentage", r"[0-9]{1,2}(?:\.[0-9]{2})?%", units.percent, exact=True),
    "decimals": Slot("a rate", r"[0-9]++\.[0-9]{4}(?![0-9])", units.number, ended=r"\.[0-9]{4}$"),
    "code": Slot("a status code", "[1-9][0-9]{2}", units.whole, exact=True),
    "octets": Slot("a size", r"[0-9]++(?:\.[0-9]++)?\s?+(?:[KMGTP]i)?B", None, ended="B$"),
}


def _timed(label: str) -> Line:
    return Line(f"{label}: ?{{time:span}}", slots=_SLOTS)


SUMMARY = Line("Summary:")
SUCCESS = Line("Success rate: ?{rate:number}%?")
TOTAL = _timed("Total")
SLOWEST = _timed("Slowest")
FASTEST = _timed("Fastest")
AVERAGE = _timed("Average")
RATE = Line("Requests/sec: ?{rate:decimals}", slots=_SLOTS)
DATA = Line("Total data: ?{size:octets}", slots=_SLOTS)
SIZE = Line("Size/request: ?(?:{size:octets}|NaN)", slots=_SLOTS)
SPEED = Line("Size/sec: ?{size:octets}", slots=_SLOTS)
HISTOGRAM = Line("Response time histogram:")
BUCKET = Line(
    r"{mark:mark} \[{count:whole}\](?>(?: ?[|│])?)(?>(?: ?[■∎]++)?)",
    slots=_SLOTS,
    again=True,
    foreign=0,
)
DISTRIBUTION = Line("Response time distribution:", "Latency distribution:")
QUANTILE = Line("{share:share} in {latency:span}", slots=_SLOTS, again=True, foreign=0)
#: Of a part of the answers: what stands below is none of the run's.
PART = Line(
    r"Response time histogram \((?:2xx|4xx \+ 5xx) only\):",
    r"Response time distribution \((?:2xx|4xx \+ 5xx) only\):",
    again=True,
)
DETAILS = Line(r"Details \(average, fastest, slowest\):")
PARTS: Final = {
    name: Line(f"{pattern}: ?{{mean:span}}, {{min:span}}, {{max:span}}", slots=_SLOTS)
    for name, pattern in {"DNS+dialup": r"DNS\+dialup", "DNS-lookup": "DNS-lookup"}.items()
}
STATUSES = Line("Status code distribution:")
STATUS = Line(r"\[{code:code}\] {count:count} responses", slots=_SLOTS, repeats=True, foreign=0)
ERRORS = Line("Error distribution:")
#: As oha, hyper and the system put it.
ERROR = Line(
    r"\[{count:whole}\] {reason:rest}",
    repeats=True,
    foreign=0,
    ended=r"(?:to deadline|timeout|\(os error [0-9]++\)|message completed|has reached|from DNS)$",
)

REPORT: Final = Grammar(
    *(SUMMARY, SUCCESS, TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, DATA, SIZE, SPEED),
    *(HISTOGRAM, BUCKET, DISTRIBUTION, QUANTILE, PART, DETAILS, *PARTS.values()),
    *(STATUSES, STATUS, ERRORS, ERROR),
    begins={SUMMARY: (SUCCESS,), SUCCESS: (TOTAL,)},  # from its time on hey's is the same
    head=SUMMARY,
    markers=("Success rate",),
    whole=(TOTAL, STATUSES),
    marks=(SUCCESS, TOTAL, RATE),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of oha in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if not report.has(SUCCESS):  # hey prints the rest of it, too
            continue
        if report.has(TOTAL, RATE):
            yield report.run(_counts, _latencies, _details, _note_end)
        else:
            yield report.broken_off("the rest of the report, to its line 'Requests/sec:'")


def _counts(record: RunRecord, report: Report) -> None:
    """Read the time, statuses and errors; these are all where they are as many as the rate says."""
    total, rate = report.get(TOTAL), report.get(RATE)
    if total is None or rate is None:
        return
    seconds, per_second = total.read("time"), rate.read("rate")
    record.columns["duration_s"] = seconds
    record.statuses = {int(line["code"]): int(line.read("count")) for line in report.all(STATUS)}
    if report.has(ERRORS):
        for line in report.all(ERROR):
            # In a paragraph the bar of a cell may stand behind it.
            record.errors[line["reason"].rstrip(" |")] = int(line.read("count"))
    if not report.has(STATUSES):
        return
    counted = sum(record.statuses.values()) + sum(filter(None, record.errors.values()))
    step = 0.5e-4 * float(_UNITS[_parts(total["time"])[1]])
    if abs(seconds * per_second - counted) <= step * per_second + 0.5e-4 * seconds + 1e-6 * counted:
        add_counts(record, per_second)
    else:
        record.damaged("the statuses and errors are not as many as the requests of the rate")


def _latencies(record: RunRecord, report: Report) -> None:
    for column, kind in (
        ("latency_min_s", FASTEST),
        ("latency_mean_s", AVERAGE),
        ("latency_max_s", SLOWEST),
    ):
        line = report.get(kind)
        if line is not None and _is_figure(line, "time"):
            record.columns[column] = line.read("time")
    average = report.get(AVERAGE)
    if average is not None and not _is_figure(average, "time"):
        record.notes.append("no answer: there is no latency")
    for line in report.lines:
        if line.line is PART:
            break
        if line.line is QUANTILE and _is_figure(line, "latency"):
            record.quantile(round(line.read("share"), 6), line.read("latency"))
    if average is not None and _is_figure(average, "time"):  # all others are in its unit
        record.columns["resolution_s"] = _step_s(average["time"])


def _details(record: RunRecord, report: Report) -> None:
    for name, kind in PARTS.items():
        line = report.get(kind)
        for statistic in ("mean", "min", "max") if line is not None else ():
            if line is not None and _is_figure(line, statistic):
                line.keep(record, name, statistic, statistic, unit="s")


def _is_figure(line: ReportLine, slot: str) -> bool:
    return not line[slot].startswith(_NONE)


def _note_end(record: RunRecord, report: Report) -> None:
    if not report.has(STATUSES):
        record.damaged(f"the report breaks off at line {report.span[1] + 1}")


PARSERS: Final = (
    TextParser(
        name="oha-text",
        tool="oha",
        reads="the report, anywhere in a text",
        versions="0.5 on",
        may_fill=(*COUNTED, "resolution_s"),
        constants={name: value for name, value in CONSTANTS.items() if name == "correction"},
        rank=rank,
        markers=REPORT.markers,
        scan=scan,
    ),
)
