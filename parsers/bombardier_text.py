"""bombardier's report, as it prints it.

The line that names the target stands above it unless `-p r` is given, and the bar of its progress
unless `-p i,r` is; percentiles are there with `-l`. Nothing tells how long the run took: the
throughput is the mean of `Reqs/sec`, less the requests that failed.

Source: codesenberg/bombardier 1.2 to 2.0.2 `templates.go` (plainTextTemplate), `bombardier.go`
(printIntro), `format.go` (formatTimeUs); 1.0 to 1.1.2 `bombardier.go` (printIntro, printStats),
`stats.go` (rpsString).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _bombardier
from ._grammar import Grammar, Report, note_loss
from ._line import FAR, Line, Slot

_FIGURE: Final = r"[0-9]++\.[0-9]{2}(?![0-9])"
#: A time goes on to the next unit from 0.85 of it.
_LEAST: Final = {"m": 0.85, "h": 0.85}
_MOST: Final = {"m": 51.0}


def _time(printed: str) -> float:
    """Return a time; `68.14m`, more minutes than are printed, is `68.14ms` cut off."""
    amount, unit = printed[:-1], printed[-1:]
    if unit in _LEAST and not _LEAST[unit] <= units.number(amount) <= _MOST.get(unit, math.inf):
        raise units.QuantityError(f"not a time of bombardier: {printed[:40]!r}")
    return units.seconds(printed)


_SLOTS: Final = {
    "rate": Slot("a rate", _FIGURE, units.number, ended=r"\.[0-9]{2}$"),
    "time": Slot("a time", _FIGURE + "(?:[um]?s|m|h)", _time, ended="(?:s|h)$"),
    "share": Slot("a percentage", "[1-9][0-9]%", units.percent, exact=True),
    "length": Slot("a time", r"[0-9.hmnuµs]++", units.go_duration, exact=True),
}
_S: Final = r"(?:\(s\)|s)"  # before 1.2 without parentheses
_CONNECTIONS: Final = "using {connections:count} connection" + _S
INTRO = Line(
    f"Bombarding {{url:url}} with {{asked:count}} request{_S} {_CONNECTIONS}",
    "Bombarding {url:url} for {length:length} " + _CONNECTIONS,
    slots=_SLOTS,
)
STATISTICS = Line("Statistics Avg Stdev Max", foreign=FAR)
RATE = Line(
    "Reqs/sec {mean:rate} {stdev:rate} {max:rate}",
    "Reqs/sec {mean:rate} {stdev:rate} {max:whole}",  # before 1.1
    slots=_SLOTS,
)
NO_RATE = Line("There wasn't enough data to compute statistics for requests.")
LATENCY = Line("Latency {mean:time} {stdev:time} {max:time}", slots=_SLOTS)
NO_LATENCY = Line("There wasn't enough data to compute statistics for latencies.")
DISTRIBUTION = Line("Latency Distribution")
QUANTILE = Line("{share:share} {latency:time}", slots=_SLOTS, repeats=True, foreign=0)
CODES = Line("HTTP codes:")
CLASSES = Line(", ".join(f"{n}xx - {{c{n}:count}}" for n in range(1, 6)))
OTHERS = Line("others - {count:count}")
ERRORS = Line("Errors:", foreign=0)
#: Errors are in words of any kind, as many lines as there are kinds of them.
END = Line("Throughput: {size:rate}(?:[KMGTP]?B)?/s", slots=_SLOTS, foreign=FAR, ended="/s$")
#: How far figures with two decimals may differ from what they follow from.
_SLACK: Final = 1.02
_ERROR: Final = re.compile(r"(\S.*) - ([0-9]{1,18})")

REPORT: Final = Grammar(
    *(INTRO, STATISTICS, RATE, NO_RATE, LATENCY, NO_LATENCY, DISTRIBUTION, QUANTILE),
    *(CODES, CLASSES, OTHERS, ERRORS, END),
    begins={
        INTRO: (),
        STATISTICS: (RATE, NO_RATE),
        CODES: (CLASSES,),
    },
    head=INTRO,
    end=END,
    closes=(END,),
    markers=("Bombarding http", "Reqs/sec", "HTTP codes:"),
    whole=(STATISTICS, CLASSES, OTHERS, END),
    marks=(RATE, LATENCY, CLASSES),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of bombardier in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if report.has(RATE) or report.has(LATENCY) or report.has(CLASSES):
            yield report.run(_set_up, _errors, _counts, _latencies, note_loss)
        elif not any(piece.text.startswith("{") for piece in report.below()):
            yield report.broken_off(
                "the rest of the report, from its line 'Statistics' on",
                "bombardier was ended before it had a result; run it again",
            )


def _set_up(record: RunRecord, report: Report) -> None:
    intro = report.get(INTRO)
    if intro is not None:
        record.columns["url"] = intro["url"]
        record.columns["connections"] = int(intro.read("connections"))


def _errors(record: RunRecord, report: Report) -> None:
    """Read the lines between `Errors:` and the end: a text and how often it was met."""
    errors, end = report.get(ERRORS), report.get(END)
    if errors is None or end is None:
        return
    for piece in report.between(errors, end):
        if known := _ERROR.fullmatch(piece.text):
            words = " ".join(known[1].split())
            if words in record.errors:  # it is printed of a map
                record.damaged(
                    f"line {piece.number + 1} has an error once more: how often it was is left out"
                )
            record.errors[words] = None if words in record.errors else int(known[2])


def _counts(record: RunRecord, report: Report) -> None:
    """Read the responses; the rate is that of all requests, failed ones too."""
    rate, line, others = report.get(RATE), report.get(CLASSES), report.get(OTHERS)
    if rate is not None:
        for statistic in ("mean", "stdev", "max"):
            rate.keep(record, "Reqs/sec", statistic, statistic, unit="1/s")
    if line is None or others is None:
        return
    classes = {number: int(line.read(f"c{number}")) for number in range(1, 6)}
    answered = _bombardier.add_counts(record, classes, int(others.read("count")))
    requests = record.columns["requests"]
    counts = record.errors.values()
    if None not in counts and sum(filter(None, counts)) < record.columns["errors"]:
        record.damaged("the texts of errors are not as many as the failed requests")
    if not report.has(END):
        record.columns.pop("timeouts", None)
    if rate is not None and requests:
        _bombardier.add_rates(record, rate.read("mean") * (answered / requests), classes)


def _latencies(record: RunRecord, report: Report) -> None:
    """Read the latencies, where it is known that they are not all of failed requests.

    Minutes at the end of a line may be milliseconds that are cut off: they are read where the
    latencies of all requests together, or the maximum, are as long.
    """
    line, requests = report.get(LATENCY), record.columns.get("requests")
    if requests is None:
        record.damaged("how many requests had an answer is missing, and so are latencies")
        return
    if requests and requests == record.columns["errors"]:
        _bombardier.note_no_answer(record)
        return
    if line is not None:
        record.columns["latency_mean_s"] = line.read("mean")
        record.columns["latency_max_s"] = line.read("max")
        line.keep(record, "Latency", "stdev", "stdev", unit="s")
        if line["max"].endswith("m") and line.read("max") > _SLACK * requests * line.read("mean"):
            record.columns.pop("latency_max_s")
            record.damaged(f"line {line.number + 1} is cut off: its maximum is left out")
    most = record.columns.get("latency_max_s", 0)
    for quantile in report.all(QUANTILE):
        if quantile["latency"].endswith("m") and quantile.read("latency") > _SLACK * most:
            record.damaged(f"line {quantile.number + 1} may be cut off and is left out")
        else:
            record.quantile(quantile.read("share"), quantile.read("latency"))


def _step_s(seconds: float) -> float:
    """Return one hundredth of the unit in which a time is printed: the next from 0.85 of it."""
    if seconds >= 0.85 * 60:
        return 36.0 if seconds >= 0.85 * 3600 else 0.6
    if seconds >= 0.85:
        return 0.01
    return 1e-5 if seconds >= 0.85e-3 else 1e-8


PARSERS: Final = (
    TextParser(
        name="bombardier-text",
        tool=_bombardier.TOOL,
        reads="the report, anywhere in a text",
        versions="1.0 to 2.0",
        may_fill=(
            *("url", "connections", "throughput_rps"),
            *(*_bombardier.COUNTS, *_bombardier.LATENCIES),
        ),
        when={
            **_bombardier.WHEN,
            **dict.fromkeys(("url", "connections"), "where the line that names the target is"),
            "throughput_rps": "the mean of samples of 20 ms",
        },
        constants=_bombardier.CONSTANTS,
        rank=_bombardier.rank,
        step_s=_step_s,
        markers=REPORT.markers,
        scan=scan,
    ),
)
