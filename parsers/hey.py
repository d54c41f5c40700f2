r"""hey: its command line, and the report that it prints.

A latency is the time from before a request is handed to Go's client until the last byte of its
body, with what came between: resolving, connecting, redirects. Only answers have one; a request
that failed, or timed out, is counted by its error. A body that breaks off is an answer.

Times are printed in seconds with four decimals: most latencies on one machine are 0.0000 to
0.0010. Of n sorted latencies the p-th percentile is that with 0-based index ceil(n*p/100), one
above the nearest rank, and above that of the percentile before; those for which n is too small are
printed as `0% in 0.0000 secs`, and are none.

`Requests/sec` counts failed requests, too. `Total data` sums up the lengths that headers announce:
of a HEAD as well, and nothing of bodies in chunks or unpacked on the way; at 0 it is not printed.
Above a million answers hey keeps the first million, for all but the sums, which it divides by a
million: `Average`, `Size/request` and the averages below are too large. In 0.1.4 the fastest and
slowest of `DNS+dialup` are those of the whole request.

Source: rakyll/hey 0.1.1 to 0.1.5 and 8985827, `hey.go`, `requester/requester.go` (makeRequest,
runWorkers), `requester/report.go` (runReporter, latencies), `requester/print.go` (defaultTmpl).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import Text
from benchkit.text.pieces import Piece
from benchkit.tool import Tool

from . import _options
from ._candidates import LinePart
from ._grammar import Grammar, Report
from ._line import Line, ReportLine, Slot
from .oha_text import REPORT as OHA

#: Flags that are true where they stand alone; all others take the next argument.
_SWITCHES: Final = frozenset(
    {"h2", "disable-compression", "disable-keepalive", "disable-redirects"}
)
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_PERCENTS: Final = (10, 25, 50, 75, 90, 95, 99)
#: So many answers are kept for statuses and percentiles.
KEPT: Final = 1_000_000
_BUCKETS: Final = 11
#: Half the last of four decimals.
_HALF_STEP: Final = 0.5e-4
#: What follows from the tool alone.
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": 2 * _HALF_STEP,
    "clock": "connect-to-last-byte",
}

# --- the command line ---


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with hey's defaults.

    Each of -c workers sends one request after the other, at most -q a second. Over HTTP/2
    they share a connection.
    """
    given = dict(options(arguments))
    if "url" not in given:
        return {}
    workers = _options.number(given.get("c", "50"), units.number)
    rate = _options.number(given.get("q", "0"), units.number)
    columns: dict[str, Any] = {
        "url": given["url"],
        "method": given.get("m", "GET").upper(),
        "keepalive": given.get("disable-keepalive", "false") not in _TRUE,
        "load_model": "closed",
        "timeout_s": _options.number(given.get("t", "20"), units.number),
    }
    if workers and "h2" not in given:
        columns["connections"] = int(workers)
    if workers and rate:
        columns["offered_rate_rps"] = workers * rate
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (flag, value), and the target as ("url", …), as Go's flag package takes them apart."""
    yield from _options.go_flags(arguments, switches=_SWITCHES)


TOOLS: Final = (
    Tool(
        name="hey",
        programs=("hey", "hey_linux_amd64", "hey_darwin_amd64", "hey_windows_amd64"),
        opening=r"Summary:\s+Total:",
        read=read,
        options=options,
        asks={"n": "requests", "c": "connections", "z": "duration_s"},
        voids={"z": "requests"},
        credentials={"a": ":"},
        loops=("closed",),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="left out",
    ),
)

# --- the report ---


def _percent(text: str) -> float:
    """Return a percentage, of which 0.1.5 prints the sign twice."""
    return units.percent(f"{text.rstrip('%')}%")


_DECIMALS: Final = r"[0-9]++\.[0-9]{4}(?![0-9])"
_SLOTS: Final = {
    "secs": Slot("seconds", rf"(?:{_DECIMALS}|NaN)", units.number),
    "decimals": Slot("a rate", _DECIMALS, units.number, ended=r"\.[0-9]{4}$"),
    "mark": Slot("seconds", r"[0-9]++\.[0-9]{3}(?![0-9])", units.number, exact=True),
    "code": Slot("a status code", "[1-9][0-9]{2}", units.whole, exact=True),
    "share": Slot("a percentage", "[0-9]{1,2}%%?", _percent, exact=True),
}


def _secs(label: str) -> Line:
    return Line(f"{label}: ?{{time:secs}} secs", slots=_SLOTS)


SUMMARY = Line("Summary:")
TOTAL = _secs("Total")
SLOWEST = _secs("Slowest")
FASTEST = _secs("Fastest")
AVERAGE = _secs("Average")
RATE = Line(r"Requests/sec: ?{rate:decimals}(?>(?: \[[^\[\]]{1,40}+\])?)", slots=_SLOTS)
DATA = Line("Total data: ?{size:count} bytes")
SIZE = Line("Size/request: ?{size:count} bytes")
HISTOGRAM = Line("Response time histogram:")
BUCKET = Line(
    r"{mark:mark} \[{count:whole}\](?>(?: ?[|│])?)(?>(?: ?[■∎]++)?)",
    slots=_SLOTS,
    repeats=True,
    foreign=0,
)
DISTRIBUTION = Line("Latency distribution:")
QUANTILE = Line("{share:share} in {latency:secs} secs", slots=_SLOTS, repeats=True, foreign=0)
DETAILS = Line(r"Details \(average, fastest, slowest\):")
PARTS: Final = {
    name: Line(
        re.escape(name).replace(r"\ ", " ")
        + ": ?{mean:secs} secs, {min:secs} secs, {max:secs} secs",
        slots=_SLOTS,
    )
    for name in ("DNS+dialup", "DNS-lookup", "req write", "resp wait", "resp read")
}
STATUSES = Line("Status code distribution:")
STATUS = Line(r"\[{code:code}\] {count:count} responses", slots=_SLOTS, repeats=True, foreign=0)
ERRORS = Line("Error distribution:")
#: A request as it is named in an error, and what is known of its message. Source: Go
#: net/url/url.go (Error), net/net.go (OpError).
_WHOLE: Final = re.compile(
    r'(?P<request>[A-Z][a-z]++ (?:"[^"\\]*+"|[^"\s]++):) '
    r"(?!(?:dial|read|write) (?:tcp|udp)\b(?! [^ ]++(?<=:) .))\S.*+(?<!:)"
)
#: As Go's client puts it: `Get "http://…": EOF`.
ERROR = Line(
    r"\[{count:whole}\] (?P<request>[A-Z][a-z]++ \S++) {reason:rest}",
    repeats=True,
    foreign=0,
    ended=r"(?:EOF|connection refused|connection reset by peer|\))$",
)

REPORT: Final = Grammar(
    *(SUMMARY, TOTAL, SLOWEST, FASTEST, AVERAGE, RATE, DATA, SIZE),
    *(HISTOGRAM, BUCKET, DISTRIBUTION, QUANTILE, DETAILS, *PARTS.values()),
    *(STATUSES, STATUS, ERRORS, ERROR),
    begins={
        SUMMARY: (TOTAL,),
        TOTAL: (SLOWEST,),
        SLOWEST: (FASTEST,),
        DISTRIBUTION: (QUANTILE,),
    },
    head=SUMMARY,
    markers=("Requests/sec", "Latency distribution", "Slowest"),
    whole=(TOTAL, STATUSES),
    marks=(TOTAL, SLOWEST, AVERAGE, RATE),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of hey in a text, and what is left of broken ones."""
    OHA.reports(text)  # which looks like this one: its lines are its own
    for report in REPORT.reports(text):
        if report.has(RATE) or report.has(QUANTILE):
            yield report.run(_sizes, _counts, _latencies, _histogram, _details, _note_end)
        else:
            yield report.broken_off("the rest of the report, to its line 'Requests/sec:'")


def _note_end(record: RunRecord, report: Report) -> None:
    if not report.has(STATUSES):
        lost = ", so the rate, which counts requests that failed, is left out"
        last = report.span[1] + 1
        record.damaged(f"no statuses below line {last}{lost if report.has(RATE) else ''}")


def _sizes(record: RunRecord, report: Report) -> None:
    report.fill(record, DATA, size="body_bytes")
    size = report.get(SIZE)
    if size and not _is_capped(report):
        size.keep(record, "Size/request", "mean", "size", unit="B")


def _counts(record: RunRecord, report: Report) -> None:
    """Read time, rate, statuses and errors, and what follows where these are all requests."""
    report.fill(record, TOTAL, time="duration_s")
    rate = report.get(RATE)
    torn = _torn(report)
    for line in report.all(ERROR):
        if line not in torn:
            error = f"{line['request']} {line['reason']}"
            record.errors[error] = (record.errors.get(error) or 0) + int(line.read("count"))
    if torn:
        first = min(line.number for line in torn)
        record.damaged(f"errors of whose text a part is missing are left out: line {first + 1}")
    if _is_capped(report):
        record.notes.append(
            "hey keeps the first million answers: percentiles are of these; their statuses and "
            "extremes are left out, and so are the means, for which it divides the sum of all by "
            "a million"
        )
        if rate is not None and not report.has(ERROR):
            record.columns["throughput_rps"] = rate.read("rate")
        return
    record.statuses = {int(line["code"]): int(line.read("count")) for line in report.all(STATUS)}
    if rate is not None and not torn and _is_complete(report):
        _add_counts(record, rate.read("rate"))
    elif report.has(TOTAL, RATE, STATUSES) and not torn:
        record.damaged("the statuses and errors are not as many as the requests of the rate")


def _torn(report: Report) -> set[ReportLine]:
    """Return the errors of whose text something may be missing, or stand in the line below."""
    if not report.has(ERROR):
        return set()
    shown = [*report.pieces[report.start : report.stop + 2], Piece(-1, "")]
    run_on = {
        (piece.number, piece.text)
        for piece, below in pairwise(shown)
        if isinstance(piece, LinePart) or (below.text and not ERROR.match(below))
    }
    return {
        line
        for line in report.all(ERROR)
        if not _WHOLE.fullmatch(f"{line['request']} {line['reason']}")
        or not (line.is_ended or (line.number, line.match.string) not in run_on)
    }


def _is_capped(report: Report) -> bool:
    """Whether there may have been more answers than hey keeps."""
    sent, slack = _sent(report)
    kept = sum(int(line.read("count")) for line in report.all(STATUS))
    return max(sent - slack, kept + 1) > KEPT and not _is_complete(report)


def _is_complete(report: Report) -> bool:
    """Whether statuses and errors are as many as were sent."""
    sent, slack = _sent(report)
    counted = sum(int(line.read("count")) for line in (*report.all(STATUS), *report.all(ERROR)))
    return report.has(TOTAL, RATE, STATUSES) and abs(sent - counted) <= slack


def _sent(report: Report) -> tuple[float, float]:
    """Return how many requests rate and time make, and how far their digits leave that open."""
    total, rate = report.get(TOTAL), report.get(RATE)
    if total is None or rate is None:
        return 0.0, 0.0
    seconds, per_second = total.read("time"), rate.read("rate")
    return seconds * per_second, _HALF_STEP * (seconds + per_second) + 1e-9


def _add_counts(record: RunRecord, rate: float) -> None:
    """Add what is known with every status and error; the rate is that of all requests."""
    statuses, lost = record.statuses, sum(filter(None, record.errors.values()))
    answered = sum(statuses.values())
    timeouts = [n or 0 for text, n in record.errors.items() if "Client.Timeout" in text]
    record.columns |= {
        "requests": answered + lost,
        "errors": lost,
        "timeouts": sum(timeouts),
        "non2xx": sum(n for code, n in statuses.items() if not 200 <= code < 300),
    }
    if answered + lost:
        ratio = sum(n for code, n in statuses.items() if 200 <= code < 400) / (answered + lost)
        record.columns |= {
            "throughput_rps": rate * (answered / (answered + lost)),
            "goodput_rps": rate * ratio,
            "success_ratio": ratio,
        }


def _latencies(record: RunRecord, report: Report) -> None:
    """Read the latencies; without an answer the zeros printed for them are none.

    Then each mean is `NaN`.
    """
    columns = {"latency_min_s": FASTEST, "latency_mean_s": AVERAGE, "latency_max_s": SLOWEST}
    lines = {column: line for column, kind in columns.items() if (line := report.get(kind))}
    parts = [line["mean"] for kind in PARTS.values() if (line := report.get(kind))]
    if "NaN" in {*parts, *(line["time"] for line in lines.values())}:
        record.notes.append("no answer: the zeros in the output stand for no latency")
        return
    zeros = not any(line.read("time") for line in lines.values())
    if lines and zeros and not (report.has(AVERAGE) or report.has(QUANTILE)):
        record.damaged("the average is missing: whether the zeros beside it are latencies, too")
        return
    if not _is_capped(report):
        record.columns |= {column: line.read("time") for column, line in lines.items()}
    for line in report.all(QUANTILE):
        if line.read("share"):
            record.quantile(line.read("share"), line.read("latency"))


def _histogram(record: RunRecord, report: Report) -> None:
    """Keep the buckets by number: their bounds have too few digits to tell them apart."""
    buckets = list(report.all(BUCKET))
    if len(buckets) != _BUCKETS:
        return
    for number, line in enumerate(buckets, start=1):
        metric = f"Response time histogram, {number}"
        line.keep(record, metric, "max", "mark", unit="s")
        line.keep(record, metric, "total", "count")


def _details(record: RunRecord, report: Report) -> None:
    """Keep what the parts of a request took, where it is known how many answers there were."""
    if _is_capped(report) or not (report.has(TOTAL, RATE) or report.has(STATUS)):
        return
    extremes = [line["time"] for line in map(report.get, (FASTEST, SLOWEST)) if line is not None]
    for name, kind in PARTS.items():
        line = report.get(kind)
        if line is None or line["mean"] == "NaN":
            continue
        is_own = name != "DNS+dialup" or (
            len(extremes) == 2 and extremes != [line["min"], line["max"]]
        )
        for statistic in ("mean", "min", "max") if is_own else ("mean",):
            line.keep(record, name, statistic, statistic, unit="s")


def _rank(quantile: float, n: int) -> int:
    """Return the rank at which hey reads a percentile of n latencies."""
    at = -1
    for percent in (*(p for p in _PERCENTS if p < 100 * quantile - 1e-9), 100 * quantile):
        at = max(at + 1, math.ceil(percent * n / 100 - 1e-9 * n))
    return min(at, n - 1)


PARSERS: Final = (
    TextParser(
        name="hey-text",
        tool="hey",
        reads="the report, anywhere in a text",
        versions="0.1.1 on",
        may_fill=(
            *("duration_s", "requests", "errors", "timeouts", "non2xx", "body_bytes"),
            *("throughput_rps", "goodput_rps", "success_ratio"),
            *("latency_min_s", "latency_mean_s", "latency_max_s"),
            *(column for q, column in QUANTILE_COLUMNS.items() if round(100 * q, 6) in _PERCENTS),
        ),
        when={
            "body_bytes": "where headers announce lengths",
            "requests": "up to a million answers",
            "latency_mean_s": "up to a million answers",
            "latency_p90_s": "from 10 answers on",
            "latency_p95_s": "from 20 answers on",
            "latency_p99_s": "from 100 answers on",
        },
        constants=CONSTANTS,
        rank=_rank,
        step_s=lambda _: 2 * _HALF_STEP,
        markers=REPORT.markers,
        scan=scan,
    ),
)
