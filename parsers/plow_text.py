"""plow's report, as it prints it.

The line that names the target is printed to stderr. With --seconds times have no unit. Shares
stand behind the histogram of the last report of a run only, bars behind that of those before.

Source: six-ddc/plow 1.4.0 `print.go` (formatTableReports), `main.go` (desc).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _plow
from ._grammar import Grammar, Report, note_loss
from ._line import SLOTS, Line, ReportLine, Slot, go_time
from ._plow import Snapshot


def _seconds(text: str) -> float:
    return go_time(text) if text[-1:].isalpha() else units.number(text)


_TIME: Final = (
    r"(?>(?:[0-9]++(?:\.[0-9]++)?(?:[nuµμm]?s|m|h))+)(?<=s)|[0-9]++(?:\.[0-9]++)?(?![0-9.a-zµμ])"
)
_SLOTS: Final = {
    "time": Slot("a time", f"(?:{_TIME})", _seconds, ended="s$"),
    "rate": Slot("a rate", r"[0-9]++\.[0-9]{3}(?![0-9])", units.number, ended=r"\.[0-9]{3}$"),
    "class": Slot("a class of statuses", "[1-5]xx", exact=True, first="[1-5]"),
    "share": Slot("a percentage", r"[0-9]{1,3}\.[0-9]{2}%", units.percent, exact=True),
    "bin": Slot("a time", f"(?:{_TIME})", _seconds, exact=True, first="[0-9]"),
    # Quotes within it stand as they are; the last is at the end of its line.
    "quoted": Slot(
        "an error",
        r'"\S(?>(?:[^"]|"(?!$|\s(?:[0-9][0-9,]{0,19}\s"|Statistics\s))){0,600})"',
        exact=True,
    ),
    "whole": replace(SLOTS["whole"], first="[0-9]"),
}
_BAR: Final = r"(?>(?: ?[|/\\-][■ ]*+\|?+)?)"
BENCHMARKING = Line(
    r"Benchmarking {url:url} (?>(?:(?:with [0-9]++ request\(s\)|for [0-9a-zµ.]++"
    r"|with ramp up [0-9]++ pre second) )*)using {connections:count} connection\(s\)\."
)
SUMMARY = Line("Summary:")
ELAPSED = Line("Elapsed {elapsed:bin}" + _BAR, slots=_SLOTS)
COUNT = Line("Count {count:whole}" + _BAR, slots=_SLOTS)
CLASS = Line("{class:class} {count:whole}", slots=_SLOTS, repeats=True, foreign=0)
RATE = Line("RPS {rate:rate}", slots=_SLOTS)
CONCURRENCY = Line("Concurrency {concurrency:count}")
READS = Line("Reads ?{size:rate} ?MB/s", slots=_SLOTS)
WRITES = Line("Writes ?{size:rate} ?MB/s", slots=_SLOTS)
ERRORS = Line("Error:")
ERROR = Line("{count:whole} {error:quoted}", slots=_SLOTS, repeats=True, foreign=0)
STATISTICS = Line("Statistics Min Mean StdDev Max")
LATENCY = Line("Latency {min:time} {mean:time} {std:time} {max:time}", slots=_SLOTS)
RATES = Line("RPS {min:number} {mean:number} {stdev:number} {max:number}")
PERCENTILE = Line("Latency Percentile:")
NAMES = Line(" ".join(rf"P{name}" for name in _plow.QUANTILES).replace(".", r"\."))
VALUES = Line(
    " ".join(f"{{p{number}:time}}" for number, _ in enumerate(_plow.QUANTILES)),
    slots=_SLOTS,
    foreign=0,
)
HISTOGRAM = Line("Latency Histogram:")
BIN = Line(
    "{mean:bin} {count:whole} {share:share}(?>(?: ?[■]++)?)",
    "{mean:bin} {count:whole}(?>(?: ?[■]++)?)",
    slots=_SLOTS,
    repeats=True,
    foreign=0,
)

REPORT: Final = Grammar(
    *(BENCHMARKING, SUMMARY, ELAPSED, COUNT, CLASS, RATE, CONCURRENCY, READS, WRITES),
    *(ERRORS, ERROR, STATISTICS, LATENCY, RATES, PERCENTILE, NAMES, VALUES, HISTOGRAM, BIN),
    begins={
        BENCHMARKING: (),
        SUMMARY: (ELAPSED,),
        ELAPSED: (COUNT,),
        STATISTICS: (LATENCY,),
        PERCENTILE: (NAMES,),
    },
    head=BENCHMARKING,
    closes=(BIN,),
    markers=("Concurrency", "Latency Percentile:", "Elapsed"),
    whole=(SUMMARY, ELAPSED, COUNT, RATE, LATENCY, VALUES),
    marks=(COUNT, RATE, LATENCY),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of plow in a text, and what is left of broken ones."""
    whole: list[tuple[Report, Snapshot]] = []
    for report in REPORT.reports(text):
        if {line.line for line in report.lines} == {BENCHMARKING} and _is_json_below(report):
            continue
        try:
            whole.append((report, _snapshot(report)))
        except InputError as error:
            yield error
    for at, earlier in _plow.lasts(snapshot for _, snapshot in whole):
        report, snapshot = whole[at]
        first = whole[at - earlier][0]
        record = RunRecord(lines=(first.span[0], report.span[1]))
        named = first.get(BENCHMARKING)
        if named is not None:
            record.columns["url"] = named["url"]
        _plow.fill(record, snapshot, earlier=earlier)
        _keep_rates(record, report.get(RATES))
        note_loss(record, report)
        yield record


def _keep_rates(record: RunRecord, line: ReportLine | None) -> None:
    if line is None or not line.read("max"):
        return  # without a whole second behind them all are 0
    for statistic in ("min", "mean", "stdev", "max"):
        line.keep(record, "RPS", statistic, statistic, unit="1/s")


def _is_json_below(report: Report) -> bool:
    return any(piece.text.startswith("{") for piece in report.below())


def _snapshot(report: Report) -> Snapshot:
    """Return what a report says.

    Raises:
        InputError: a line that is needed is missing, or a figure is none.
    """
    count, rate = _need(report, COUNT, "Count"), _need(report, RATE, "RPS")
    latency = _need(report, LATENCY, "Latency")
    concurrency = report.get(CONCURRENCY)
    rows = [(_words(line), int(line.read("count"))) for line in report.all(ERROR)]
    errors: dict[str, int] = {}
    for words, times in dict.fromkeys(rows):
        errors[words] = errors.get(words, 0) + times
    values = report.get(VALUES) if report.has(NAMES) else None
    _check_times(latency, values)
    bins = list(report.all(BIN))
    return Snapshot(
        count=int(count.read("count")),
        rate=rate.read("rate"),
        concurrency=None if concurrency is None else int(concurrency.read("concurrency")),
        classes={int(line["class"][0]): int(line.read("count")) for line in report.all(CLASS)},
        errors=errors,
        times={name: latency.read(name) for name in ("min", "mean", "std", "max")},
        quantiles={}
        if values is None
        else {name: values.read(f"p{at}") for at, name in enumerate(_plow.QUANTILES)},
        is_last=any("share" in line.form.slots for line in bins) if bins else None,
        doubled=len({*rows}) < len(rows),
        lost=report.has(ERRORS) and not report.has(ERROR),
        lost_quantiles=values is None and report.loss is None,
    )


def _words(line: ReportLine) -> str:
    return line["error"].removeprefix('"').removesuffix('"')


def _check_times(latency: ReportLine, values: ReportLine | None) -> None:
    """Raise an InputError where the last time of a line is cut off in its middle.

    Then it has no unit, or is less than what it cannot be less than.
    """
    rows: list[tuple[ReportLine, Sequence[str]]] = [(latency, ("min", "mean", "max"))]
    rows += [] if values is None else [(values, tuple(values.form.slots))]
    for line, slots in rows:
        with_unit = {line[slot][-1:].isalpha() for slot in line.form.slots}
        times = [line.read(slot) for slot in slots]
        if len(with_unit) > 1 or times != sorted(times):
            raise line.error("times that rise, all with a unit or none", line[slots[-1]])


def _need(report: Report, line: Line, name: str) -> ReportLine:
    known = report.get(line)
    if known is None:
        raise report.broken_off(f"the rest of the report, to its line '{name}'")
    return known


PARSERS: Final = (
    TextParser(
        name="plow-text",
        tool=_plow.TOOL,
        reads="the report, anywhere in a text: of those printed until the end the last of each run",
        versions="1.0 to 1.4",
        fills=_plow.FILLS,
        may_fill=("url", *_plow.MAY_FILL),
        when={**_plow.WHEN, "url": "where stderr is in it, too"},
        constants=_plow.CONSTANTS,
        rank=None,
        markers=REPORT.markers,
        scan=scan,
    ),
)
