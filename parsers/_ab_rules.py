"""What the lines of ab's report mean.

Meanings of the counters, as httpd 2.4 `support/ab.c` counts them: `Complete
requests` are finished connections, failed ones included; `Failed requests` is
the sum of the failures by kind, and one request can be counted under several;
a length failure is a body of another length than the first one's, which is no
error of the server, or a connection closed before any answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import units
from benchkit.parsing import RunRecord

from . import _ab_lines as lines
from ._grammar import Report, note_loss
from ._line import Line, ReportLine

#: Lines that have a column.
_COLUMNS: Final = {
    lines.WORKERS: "threads",
    lines.CONCURRENCY: "connections",
    lines.COMPLETE: "requests",
    lines.NON2XX: "non2xx",
    lines.RATE: "throughput_rps",
}
#: Counts of bytes that have a column: of 32 bits in old versions.
_BYTES: Final = {
    lines.RECEIVED: "received_bytes",
    lines.SENT: "sent_bytes",
    lines.BODY: "body_bytes",
}
#: Lines kept as figures: (metric, statistic, unit).
_FIGURES: Final = {
    lines.LENGTH: ("Document Length", "value", "B"),
    lines.ACHIEVED: ("Concurrency achieved", "value", ""),
    lines.ASKED: ("Number of requests", "value", ""),
    lines.FAILED: ("Failed requests", "total", ""),
    lines.WRITE: ("Write errors", "total", ""),
    lines.PIPE: ("Broken pipe errors", "total", ""),
    lines.KEPT: ("Keep-Alive requests", "total", ""),
    lines.KEPT_ABORTS: ("Keep-Alive aborts", "total", ""),
    lines.RAMPUP: ("Rampup delay", "value", "s"),
    lines.PER_REQUEST: ("Time per request", "mean", "s"),
    lines.PER_REQUEST_ALL: ("Time per request, across all concurrent requests", "mean", "s"),
}
_RATES: Final = {
    lines.TRANSFER: "Transfer rate",
    lines.TRANSFER_SENT: "Transfer rate sent",
    lines.TRANSFER_TOTAL: "Transfer rate total",
}
_KINDS: Final = ("connect", "receive", "length", "exceptions")
#: Columns that the row Total fills, and those that all rows of times may.
_TOTAL_COLUMNS: Final = {
    "min": "latency_min_s",
    "mean": "latency_mean_s",
    "stdev": "latency_std_s",
    "max": "latency_max_s",
}
TIMES_COLUMNS: Final = (*_TOTAL_COLUMNS.values(), "latency_p50_s")
#: Lines that end with a unit, in the same report.
_TIMED: Final = frozenset({lines.PER_REQUEST, lines.PER_REQUEST_ALL})
_WITH_WORDS: Final = _TIMED | {lines.TIME, lines.RECEIVED, lines.BODY, lines.RATE}
_STATISTICS: Final = ("min", "mean", "stdev", "median", "max")
_ROWS: Final = tuple(lines.ROWS.values())
_STATISTIC: Final = re.compile(lines.STATISTIC, re.IGNORECASE)
_IN_UNIT: Final = re.compile(lines.IN_UNIT + "$", re.IGNORECASE)
_NAMES: Final = {"average": "mean", "avg": "mean", "med": "median"}
_UNITS: Final = {"msec": "ms", "milliseconds": "ms", "millisecond": "ms"}
_AROUND: Final = re.compile(r"\+/-|±|[\[\]()]")
_EMPTY: Final = frozenset(("-", "–", "—", "n/a", "na"))


def is_report(report: Report) -> bool:
    """Whether a report is whole: how many, how long, how fast, how concurrently.

    ab leaves out the rates where nothing was completed or no time went by.
    """
    if not report.has(lines.COMPLETE, lines.CONCURRENCY, lines.TIME):
        return False
    if report.has(lines.RATE):
        return True
    rows = any(map(report.get, _ROWS))
    nothing = _is_zero(report, lines.COMPLETE) or (_is_zero(report, lines.TIME) and rows)
    return nothing and report.has(lines.BODY)


def is_excerpt(report: Report) -> bool:
    """Whether a part of a report holds figures of its own."""
    if is_report(report):
        return False
    rate = report.get(lines.RATE)
    if rate and ("#/sec" in rate.text or report.has(lines.COMPLETE)):
        return True
    rows = [line for line in map(report.get, _ROWS) if line and line.strict]
    return len(rows) > 1 or len(_percentiles(report)) > 1


def without_torn(report: Report) -> tuple[Report, Sequence[ReportLine]]:
    """Return a report without the lines that lost their last words, and these.

    Who takes units away takes all; up to 1.3, and as HTML, the rate has none.

    Source: httpd 1.3, 2.0 and 2.4 `support/ab.c` (output_results, output_html_results).
    """
    own = [line for line in report.lines if line.line in _WITH_WORDS]
    whole = {line.line for line in own if line.form is line.line.forms[0]}
    torn = [
        line
        for line in own
        if line.line not in whole and whole & (_TIMED if line.line is lines.RATE else _WITH_WORDS)
    ]
    if not torn:
        return report, ()
    places = {line.at for line in torn}
    kept = [line for line in report.lines if line.at not in places]
    return replace(report, lines=kept), torn


def _is_zero(report: Report, line: Line) -> bool:
    printed = report.get(line)
    return printed is not None and not printed["value"].strip("0.")


def _target(record: RunRecord, report: Report) -> None:
    if banner := report.get(lines.BANNER):
        record.columns["tool_version"] = banner["version"]
        if revision := banner["revision"]:
            record.figure("Revision", "value", units.number(revision), printed=revision)
    host, port, path = map(report.get, (lines.HOST, lines.PORT, lines.PATH))
    if path and not path["path"].startswith("/"):
        record.columns["url"] = path["path"]
    elif host and port and path:
        scheme = "https" if report.has(lines.TLS) else "http"
        name = host["host"]
        name = f"[{name}]" if ":" in name and not name.startswith("[") else name
        number = int(port.read("value"))
        shown = "" if number == {"http": 80, "https": 443}[scheme] else f":{number}"
        record.columns["url"] = f"{scheme}://{name}{shown}{path['path']}"


def _counts(record: RunRecord, report: Report) -> None:
    for line, column in _COLUMNS.items():
        report.fill(record, line, value=column)
    for line, column in _BYTES.items():
        count = report.read(line, "value", least=-math.inf)
        if count is not None and count < 0:
            record.damaged(f"{count} is no count and left out")
        elif count is not None:
            record.columns[column] = count
    for line, (metric, statistic, unit) in _FIGURES.items():
        if printed := report.get(line):
            printed.keep(record, metric, statistic, "value", unit=unit)
    if report.has(lines.KEPT):
        record.columns["keepalive"] = not _is_zero(report, lines.KEPT)
    elif _is_whole(report):
        record.columns["keepalive"] = False


def _is_whole(report: Report) -> bool:
    """Whether the counters stand as ab printed them, so that an absent one is 0."""
    if not is_report(report) or not report.has(lines.FAILED, lines.RECEIVED):
        return False
    return not report.gaps.intersection(lines.COUNTERS)


def _duration(record: RunRecord, report: Report) -> None:
    if (line := report.get(lines.TIME)) is None:
        return
    plain, padded = line.read("value"), _padded(line["value"])
    version = str(record.columns.get("tool_version", ""))
    old = padded != plain and (not version or version.startswith("2.0"))
    old = old and _fits(record, padded) and (bool(version) or not _fits(record, plain))
    record.columns["duration_s"] = padded if old else plain
    if old:
        record.notes.append(
            f"'Time taken' {line['value']} is {padded:.6f} s: this ab prints microseconds without "
            "leading zeros"
        )


def _padded(printed: str) -> float:
    """Return seconds whose microseconds lack their leading zeros: 10.1002 is 10.001002.

    Source: httpd 2.0 and 2.2 `support/ab.c` (ab 2.0.40-dev, 2.0.41-dev).
    """
    whole, _, micros = printed.partition(".")
    return units.number(f"{whole}.{micros:>06}" if micros else whole)


def _fits(record: RunRecord, seconds: float) -> bool:
    rate, done = map(record.columns.get, ("throughput_rps", "requests"))
    if rate is None or done is None or not seconds:
        return True
    return bool(abs(done / seconds - rate) <= 0.0051 + 1e-5 * rate)


def _failures(record: RunRecord, report: Report) -> None:
    for kind, count in _kinds(report).items():
        name = f"Failed requests: {kind.capitalize()}"
        record.figure(name, "total", count, printed=str(count))
    lost = _lost(report)
    if lost is not None:
        record.errors = {kind: count for kind, count in lost.items() if count}
        record.columns["errors"] = min(sum(lost.values()), record.columns.get("requests", math.inf))
    if "non2xx" not in record.columns and _is_whole(report):
        record.columns["non2xx"] = 0


def _kinds(report: Report) -> dict[str, int]:
    """Return the failures by kind, nothing where ab prints no such line."""
    line = report.get(lines.KINDS)
    return {kind: units.whole(line[kind]) for kind in _KINDS if line[kind]} if line else {}


def _lost(report: Report) -> dict[str, int] | None:
    """Return the failures without those of length by kind; None where the kinds are not printed.

    With -r a connection that breaks is counted when ab reads from it and again, as an
    exception, when it sees the error of the socket: `Receive` and `Exceptions` are one failure.
    With -w what was received is not printed, but counted.
    """
    kinds, failed = _kinds(report), report.read(lines.FAILED, "value")
    if failed == 0:
        return {}
    if not kinds:
        return None
    received = kinds.get("receive", max(int(failed or 0) - sum(kinds.values()), 0))
    exceptions = max(kinds["exceptions"] - received, 0)
    return {"Connect": kinds["connect"], "Receive": received, "Exceptions": exceptions}


def _rates(record: RunRecord, report: Report) -> None:
    kilo = _kilo(record, report)
    for line, metric in _RATES.items():
        if printed := report.get(line):
            value = printed.figure(printed["value"], "a rate", lambda r: units.scaled(r, kilo))
            record.figure(metric, "rate", value, unit="B/s", printed=printed["value"])


def _kilo(record: RunRecord, report: Report) -> str:
    """Return the K of the transfer rate: 1000 in ab 1.3, 1024 since.

    Source: httpd 1.3 `src/support/ab.c`, which divides bytes by milliseconds. Without
    the version, the bytes per request decide.
    """
    version = record.columns.get("tool_version", "")
    names = ("received_bytes", "throughput_rps", "requests")
    received, rps, requests = map(record.columns.get, names)
    rate = report.read(lines.TRANSFER, "value")
    if version and not version.startswith("1."):
        return "1024"
    if rate and received and rps and requests:
        per_k = received * rps / requests / rate  # the time is printed to 1 ms only
        return "1000" if abs(per_k - 1000) < abs(per_k - 1024) else "1024"
    return "1000" if version else "1024"


def times(record: RunRecord, report: Report) -> None:
    """Read the rows of the connection times.

    The row Total is the latency of the requests and goes to the run's columns; the other
    rows become figures. A negative time, which ab prints after the clock was set back, is
    left out. The median of the percentiles wins.
    """
    header = report.get(lines.STATISTICS)
    columns = [*_columns(header)] if header else [(name, "ms") for name in _STATISTICS]
    widths = [len(_AROUND.sub(" ", row["cells"]).split()) for row in map(report.get, _ROWS) if row]
    if max(widths, default=0) > len(columns):
        record.damaged("the connection times are left out: there are more figures than columns")
        return
    has_median = any(line["percent"] == "50" for line in report.all(lines.PERCENT))
    negative = 0
    for row, kind in lines.ROWS.items():
        line = report.get(kind)
        cells = _cells(line, columns) if line else {}
        if line and not cells:
            record.damaged(f"the row {row} lacks numbers and is left out")
        for statistic, (printed, seconds) in cells.items():
            if seconds < 0:
                negative += 1
            elif row != "Total" or (statistic == "median" and has_median):
                record.figure(row, statistic, seconds, unit="s", printed=printed)
            elif statistic == "median":
                record.quantile(0.5, seconds)
            else:
                record.columns[_TOTAL_COLUMNS[statistic]] = seconds
    if negative:
        record.notes.append(
            f"connection times below 0, {negative}, are left out: the clock was set back"
        )


def _columns(header: ReportLine) -> Iterator[tuple[str, str]]:
    """Yield (statistic, unit) per column.

    `mean[+/-sd]` has two figures. Where the mean has a column of its own before, `mean +/-sd`
    is the deviation. A unit behind the name of the rows is that of all columns, and so is
    that of some columns for the others.
    """
    names = _STATISTIC.findall(header["names"])
    own = [_unit(name) for name in names]
    shared = {unit for unit in own if unit}
    general = _unit(header["label"].rstrip()) or (shared.pop() if len(shared) == 1 else "ms")
    statistics = [_statistic(_IN_UNIT.sub("", name).lower()) for name in names]
    for at, statistic in enumerate(statistics):
        again = statistic == "mean" and "mean" in statistics[:at] + statistics[at + 1 :]
        if not (again and statistics[at + 1 : at + 2] == ["stdev"]):
            yield statistic, own[at] or general


def _statistic(name: str) -> str:
    plain = name.removesuffix("imum")
    return _NAMES.get(plain, plain if plain in _STATISTICS else "stdev")


def _unit(name: str) -> str:
    matched = _IN_UNIT.search(name)
    unit = matched[0].strip(" ,()[]").removeprefix("in ").lower() if matched else ""
    return _UNITS.get(unit, "s" if unit.startswith("sec") else unit)


def _cells(line: ReportLine, columns: list[tuple[str, str]]) -> dict[str, tuple[str, float]]:
    """Return characters and seconds by statistic; nothing where the row lacks numbers."""
    cells = _AROUND.sub(" ", line["cells"]).split()
    names = [statistic for statistic, _ in columns]
    # With -S the last two can touch: the label has 12 columns, then `%5d %5d%5d` follow.
    touching = re.match(r".{12}([ 0-9]{5}) ([ 0-9]{4}[0-9])([0-9]{5,})$", line.match.string)
    if names == ["min", "mean", "max"] and len(cells) == 2 and touching:
        cells = [cell.strip() for cell in touching.groups()]
    if len(cells) != len(columns):
        return {}
    times = {}
    for (statistic, unit), cell in zip(columns, cells, strict=True):
        if cell.lower() not in _EMPTY:
            read = partial(units.seconds, default=unit)
            times[statistic] = cell, line.figure(cell, "a time", read, least=-math.inf)
    return times


def _percentiles(report: Report) -> list[ReportLine]:
    """Return the rows of the percentiles up to 100 %, as far as they ascend."""
    rows: list[ReportLine] = []
    if report.has(lines.PERCENTILES):
        for line in report.all(lines.PERCENT):
            if not rows or int(rows[-1]["percent"]) < int(line["percent"]):
                rows.append(line)
        rows += report.all(lines.LONGEST)
    return rows


def _quantiles(record: RunRecord, report: Report) -> None:
    """Add the percentiles; one below the one before it is none, as a cut number makes it."""
    highest = 0.0
    below: list[int] = []
    for line in _percentiles(report):
        percent = int(line["percent"]) if line.line is lines.PERCENT else 100
        latency = line.read("latency")
        if latency < highest:
            below.append(percent)
            continue
        highest = latency
        record.quantile(percent / 100, latency)
        if percent == 100:
            record.columns.setdefault("latency_max_s", latency)
    if len(below) == 1:
        record.damaged(f"the {below[0]} % row is below the one before it and left out")
    elif below:
        record.damaged(
            f"{len(below)} rows of {below[0]} % to {below[-1]} % are below one before them and "
            "left out"
        )


def _success(record: RunRecord, report: Report) -> None:
    columns = record.columns
    clean = columns.get("non2xx") == 0 and columns.get("errors") == 0
    lost = report.read(lines.WRITE, "value") or report.read(lines.PIPE, "value")
    if clean and not lost and columns.get("requests") and _all_answered(record, report):
        columns["success_ratio"] = 1.0
        if "throughput_rps" in columns:
            columns["goodput_rps"] = columns["throughput_rps"]


def _all_answered(record: RunRecord, report: Report) -> bool:
    """Whether length failures cannot be connections that closed without an answer.

    ab counts both alike. Answers of one kind have headers of one length: all were
    answered where the header bytes divide evenly among all requests, and the
    failures brought bytes of a body, or the division among the others is uneven.
    """
    odd = _kinds(report).get("length", 0)
    if not odd:
        return True
    done, received, body = map(record.columns.get, ("requests", "received_bytes", "body_bytes"))
    if done is None or received is None or body is None or odd >= done:
        return False
    headers, length = received - body, report.read(lines.LENGTH, "value")
    theirs = length is not None and body > (done - odd) * length
    return bool(headers > 0 and headers % done == 0 and (theirs or headers % (done - odd) != 0))


def _notes(record: RunRecord, report: Report) -> None:
    done, kinds = record.columns.get("requests"), _kinds(report)
    start = report.get(lines.START)
    unfinished = report.has(lines.PROGRESS) or (start and start["dots"])
    finished = report.has(lines.FINISHED) or (start and start["finished"])
    possible = {
        "interrupted: ab did not print that it finished; the figures are of a part": (
            report.has(lines.INTERRUPTED) or (unfinished and not finished)
        ),
        "no request was completed": done == 0,
        "a single request: ab prints no percentiles": done == 1,
        "an excerpt: not all of ab's report is there": not is_report(report),
        f"length failures, {kinds.get('length')}: answers of another length than the first, or "
        "none at all; ab does not tell which": not _all_answered(record, report),
        "ab may count one failed request under several kinds of failure": (
            bool(record.columns.get("errors")) and sum(map(bool, kinds.values())) > 1
        ),
        "ab was told to accept answers of any length (-l)": report.has(lines.VARIABLE),
        "keep-alive was asked for and no connection was kept": _is_zero(report, lines.KEPT),
    }
    record.notes += [note for note, holds in possible.items() if holds]
    rows = _percentiles(report)
    if done and is_report(report) and not report.has(lines.ROWS["Total"]):
        record.damaged("no row 'Total' of the connection times: the report is cut or shortened")
    elif rows and rows[-1].line is lines.PERCENT:
        record.damaged(f"the percentiles end at {rows[-1]['percent']} %: the report is cut")
    elif report.loss is not None:
        note_loss(record, report)
    elif not rows and done and done > 1:
        record.notes.append("no percentiles: ab was told to print none (-d), or broke off")


FILLS: Final = (
    *(_target, _counts, _duration, _failures, _rates, times, _quantiles, _success, _notes),
)
