r"""Gatling's console: the block `Global Information`, or without reports (-nr) the counts.

    ---- Global Information --------------------------------------------------------
    > request count                                        160 (OK=151    KO=9     )
    > response time 95th percentile                        460 (OK=463    KO=394   )

From 3.13.5 the figures stand in columns `Total`, `OK`, `KO`. Above it the counts so far are printed
every five seconds, below it come the errors and what became of assertions:

    Global: 95th percentile of response time is less than 500.0 : false (actual : 1926.0)

Source: Gatling 2.0.3 to 3.15.0 `charts/template/ConsoleTemplate.scala`,
`charts/report/StatsReportGenerator.scala`, `ReportsGenerator.scala`;
`core/stats/writer/ConsoleSummary.scala`, `ConsoleStatsFormat.scala`; `app/Runner.scala`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _gatling
from ._grammar import Grammar, Report
from ._line import Line, ReportLine, Slot

_FIGURE: Final = r"(?:[0-9]{1,3}(?>(?:,[0-9]{3})+)|[0-9]++)(?:\.[0-9]++)?"


def _number(printed: str) -> float:
    return units.number(printed.replace(",", ""))


_SLOTS: Final = {
    "figure": Slot("a number", _FIGURE, _number, ended=""),
    "other": Slot("a number", rf"(?:{_FIGURE}|-)", exact=True),
    "statistic": Slot(
        "a statistic", r"(?:[0-9.]++(?:st|nd|rd|th) percentile|min|max|mean)", exact=True
    ),
    "share": Slot("a percentile", r"[0-9]++(?:\.[0-9]++)?(?=(?:st|nd|rd|th) )", units.number),
}
#: Of all, of OK and of KO, in columns or in brackets.
_OLD: Final = r"{total:figure} \(OK={ok:other} ?KO={ko:other} ?\)"
_NEW: Final = r"(?:\| )?{total:figure} (?:\| )?{ok:other} (?:\| )?{ko:other}"


def _line(name: str, *, repeats: bool = False) -> Line:
    return Line(f"{name} {_OLD}", f"{name} {_NEW}", slots=_SLOTS, repeats=repeats, ended="")


STARTED: Final = Line(r"Simulation {name:word} started\.\.\.")
PROGRESS: Final = Line(
    r"Global \(OK={ok:other} ?KO={ko:other} ?\)",
    f"Global {_NEW}",
    slots=_SLOTS,
    again=True,
    foreign=1000,
    blank=50,
)
COUNT: Final = Line(
    f"request count {_OLD}", f"request count {_NEW}", slots=_SLOTS, foreign=1000, blank=50
)
MIN: Final = _line(r"min response time(?>(?: \(ms\))?)")
MAX: Final = _line(r"max response time(?>(?: \(ms\))?)")
MEAN: Final = _line(r"mean response time(?>(?: \(ms\))?)")
STD: Final = _line(r"(?>(?:response time )?)std deviation(?>(?: \(ms\))?)")
QUANTILE: Final = _line(
    r"response time {share:share}(?:st|nd|rd|th) percentile(?>(?: \(ms\))?)", repeats=True
)
RATE: Final = _line(r"(?:mean requests/sec|mean throughput \(rps\))")
ASSERTION: Final = Line(
    r"Global: {statistic:statistic} of response time is [a-z0-9 .,]{1,80}: (?:true|false) "
    r"\(actual : {actual:figure}\)",
    slots=_SLOTS,
    repeats=True,
    foreign=200,
    blank=20,
)

REPORT: Final = Grammar(
    *(STARTED, PROGRESS, COUNT, MIN, MAX, MEAN, STD, QUANTILE, RATE, ASSERTION),
    begins={STARTED: (), PROGRESS: (), COUNT: (MIN,)},
    head=STARTED,
    markers=("request count", "Global", "Simulation"),
    marks=(COUNT, MIN, MAX, MEAN),
)
_ERRORS: Final = re.compile(r"-{4} Errors -{8}")
_COUNT: Final = re.compile(r"[0-9][0-9,]*+")
_RULE: Final = re.compile(r"={40}")
_LONGEST: Final = 1000
_LATENCIES: Final = {
    "latency_min_s": MIN,
    "latency_max_s": MAX,
    "latency_mean_s": MEAN,
    "latency_std_s": STD,
}
_ASSERTED: Final = {"min": "latency_min_s", "max": "latency_max_s", "mean": "latency_mean_s"}


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of a text, and what was stopped before there were figures."""
    for report in REPORT.reports(text):
        if report.has(COUNT):
            yield report.run(_all_figures)
        elif report.has(PROGRESS):
            yield report.run(_counts_only)
        elif _began(report):
            yield report.broken_off(
                "the figures of a run of Gatling",
                hint="the run broke off, or its output was kept without them",
                actual="only its beginning",
            )


def _began(report: Report) -> bool:
    """Whether what begins like a run is not a word of prose."""
    below = [piece.text for piece in report.below()]
    return not any(below) or any(_RULE.match(text) for text in below[:3])


def _all_figures(record: RunRecord, report: Report) -> None:
    """Read the block of global figures."""
    count = report.get(COUNT)
    assert count is not None  # noqa: S101 - of what is asked for here
    if report.lines[-1] is count:  # whose figures may be cut off
        raise report.broken_off("the figures of a run of Gatling, below their count")
    requests = int(count.read("total"))
    failed = _part(count, "ko")
    errors, listed = _errors(report, count)
    ended = listed or (failed > 0 and sum(errors.values()) == failed)
    _gatling.fill_errors(record, errors, failed)
    if _gatling.fill_counts(record, requests, failed):
        for column, kind in _LATENCIES.items():
            if (line := report.get(kind)) is not None:
                record.columns[column] = _milliseconds(line, "total")
        for line in report.all(QUANTILE):
            share = units.scaled(line["share"], "1e-2")
            if 0 < share < 1:
                record.quantile(share, _milliseconds(line, "total"))
        if (rate := report.get(RATE)) is not None and (ended or not failed):
            _gatling.fill_rates(record, rate.read("total"))
    if not (ended and report.has(MIN, MAX, MEAN, STD, QUANTILE, RATE)):
        record.damaged(f"the block of figures breaks off at line {report.span[1] + 1}")


def _counts_only(record: RunRecord, report: Report) -> None:
    """Read the last counts, and what assertions say."""
    last = list(report.all(PROGRESS))[-1]
    ok, failed = _part(last, "ok"), _part(last, "ko")
    if not _ended(report):
        raise report.broken_off(
            "the figures of a run of Gatling",
            hint="the run broke off; use its simulation.log",
            actual="only counts of the run so far",
        )
    _gatling.fill_errors(record, _errors(report, last)[0], failed)
    means = _gatling.fill_counts(record, ok + failed, failed)
    for line in report.all(ASSERTION) if means else ():
        share = line["statistic"]
        if share in _ASSERTED:
            record.columns[_ASSERTED[share]] = _milliseconds(line, "actual")
        else:
            quantile = units.scaled(re.sub(r"[a-z].*", "", share), "1e-2")
            record.quantile(quantile, _milliseconds(line, "actual"))
    if not report.has(ASSERTION):
        record.notes.append("without reports (-nr) there are no latencies: use simulation.log")


def _ended(report: Report) -> bool:
    """Whether no user is left, as far as that is told, below the last counts."""
    last = list(report.all(PROGRESS))[-1]
    users = [
        piece.text
        for piece in report.between(last)
        if "active:" in piece.text and "done:" in piece.text
    ]
    return bool(users) and all(
        re.search(r"active: ++0\b", text) and not re.search(r"waiting: ++[1-9]", text)
        for text in users
    )


def _errors(report: Report, above: ReportLine) -> tuple[dict[str, int], bool]:
    """Return the errors below a line, and whether the list has its end."""
    errors: dict[str, int] = {}
    listed = False
    for piece in report.between(above):
        if len(piece.text) > _LONGEST:
            continue
        if _ERRORS.match(piece.text):
            listed = True
        elif _RULE.match(piece.text) or (listed and piece.text.startswith("----")):
            return errors, True
        elif listed and (error := _error(piece.text)):
            errors[error[0]] = errors.get(error[0], 0) + error[1]
    return errors, False


def _error(line: str) -> tuple[str, int] | None:
    """Return the message and the count of a line `message 6 (50%)`, None for another."""
    before, bracket, share = line.removeprefix("> ").rpartition("(")
    words = before.rsplit(None, 1)
    if not bracket or not share.rstrip().endswith("%)") or len(words) < 2:
        return None
    message, count = words
    return (message, int(count.replace(",", ""))) if _COUNT.fullmatch(count) else None


def _part(line: ReportLine, slot: str) -> int:
    """Return the count of OK or KO, where `-` is none."""
    return 0 if line[slot] == "-" else int(line.figure(line[slot], "a count", _number))


def _milliseconds(line: ReportLine, slot: str) -> float:
    line.read(slot)
    return units.scaled(line[slot].replace(",", ""), "1e-3")


PARSERS: Final = (
    TextParser(
        name="gatling-text",
        reads="the block 'Global Information', or the counts, on the console",
        versions="2.0 on",
        may_fill=_gatling.MAY_FILL,
        when={**_gatling.WHEN, "throughput_rps": "with reports", "latency_std_s": "with reports"},
        detail=1,
        markers=REPORT.markers,
        scan=scan,
        **_gatling.SUMMARY,
    ),
)
