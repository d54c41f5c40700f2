"""What the lines of a report in wrk's layout mean.

Source: wg/wrk 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`, `src/stats.c`, `src/units.c`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import RunOrError, RunRecord
from benchkit.schema import QUANTILE_COLUMNS

from . import _wrk_lines as lines
from ._grammar import Fill, Report, note_loss
from ._line import ReportLine

#: What follows from the tool alone, of wrk2 and of wrk.
OPEN: Final = {"load_model": "open", "correction": "none", "clock": "due-to-last-byte"}
CLOSED: Final = {
    "load_model": "closed",
    "correction": "backfilled",
    "resolution_s": 1e-6,
    "clock": "send-to-last-byte",
}
LATENCY_COLUMNS: Final = {
    "mean": "latency_mean_s",
    "stdev": "latency_std_s",
    "max": "latency_max_s",
}
#: Columns that every report in this layout may fill, and those of wrk and wrk2 besides.
LAYOUT: Final = (
    *("url", "duration_s", "threads", "connections", "requests", "errors", "timeouts", "non2xx"),
    *LATENCY_COLUMNS.values(),
    *QUANTILE_COLUMNS.values(),
)
REPORT: Final = ("tool_version", *LAYOUT, "received_bytes", "goodput_rps", "success_ratio")
#: Quantiles that are printed where they are asked for.
ASKED: Final = ("latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_p99_s")
_STATISTICS: Final = {"Avg": "mean", "Stdev": "stdev", "Min": "min", "Max": "max"}
_LABEL: Final = re.compile(r"(?:\+/-|±) ?Stdev|\S+")
_DEFAULT_LABELS: Final = "Avg Stdev Max +/- Stdev"
_VERSION: Final = re.compile(r"wrk (\S+) \[\w+\] Copyright \(C\) 2012 Will Glozer$")
#: Where one stands behind another line, it could not be read.
_FAILURES: Final = re.compile("Socket errors|Non-2xx")
_SOCKET: Final = ("connect", "read", "write", "timeout")


def record_of(report: Report, *fills: Fill) -> RunOrError:
    """Return the run of one report, or the error where it is cut off or garbled.

    Args:
        report: The report.
        fills: What reads the parts, called in turn; may raise InputError.
    """
    if lines.is_alone(report):
        return report.broken_off(
            "a report with its line 'Requests/sec:'", actual="only its distribution of latencies"
        )
    end = report.get(lines.THROUGHPUT)
    if end is None and not any(map(report.get, (lines.LATENCY, lines.QUANTILE))):
        return _cut(report)
    return report.run(_at_once, *fills, note_loss if end is not None else _note_end)


def _at_once(record: RunRecord, report: Report) -> None:
    if report.at_once > 1:
        # Nor which of several commands.
        record.columns |= dict.fromkeys(("url", "threads", "connections"))
        record.notes.append(
            f"one of {report.at_once} reports printed at once: which head is its own is not told"
        )


def _note_end(record: RunRecord, report: Report) -> None:
    last = report.lines[-1].number + 1
    record.damaged(f"the report breaks off at line {last}: what it prints below is missing")


def _cut(report: Report) -> InputError:
    """Return the error of a report of which nothing but its head is there."""
    below = report.pieces[report.stop + 1 : report.stop + 4]
    actual = next((piece.text for piece in below if piece.text), "the end of the text")
    return report.broken_off(
        "the rest of the report, to its line 'Requests/sec:'",
        actual=report.cut.text if report.cut else actual,
    )


def head(record: RunRecord, report: Report) -> None:
    """Read target, threads and connections.

    wrk opens connections / threads on each thread, rounded down, and prints
    what was asked for.
    """
    target(record, report)
    if (line := report.get(lines.THREADS)) is None:
        return
    threads, asked = int(line.read("threads")), int(line.read("connections"))
    opened = asked // threads * threads if threads else 0
    if not opened:
        raise line.error("at least as many connections as threads", line.text)
    record.columns |= {"threads": threads, "connections": opened}
    if opened != asked:
        record.figure("connections", "value", asked, printed=line["connections"])
        record.notes.append(
            f"{opened} connections opened of {asked}: {threads} threads share evenly"
        )


def target(record: RunRecord, report: Report) -> None:
    """Read the URL, and what was asked for: a time, or with wrk 1 a number of requests.

    wrk 1 to 3 print the samples as measured.
    """
    running = report.get(lines.RUNNING)
    if running and "time" in running.form.slots:
        running.keep(record, "Running", "value", "time", unit="s")
    elif running:
        running.keep(record, "Making", "value", "count")
        record.columns["correction"] = "none"
    if line := report.get(lines.RESULTS) or running:
        record.columns["url"] = line["url"]
    above = report.pieces[report.start - 1].text if report.start else ""
    if version := _VERSION.match(above):
        record.columns["tool_version"] = version[1]
        if re.match(r"[123]\.", version[1]):
            record.columns["correction"] = "none"


def thread_stats(record: RunRecord, report: Report) -> None:
    """Read the rows Latency (of requests) and Req/Sec (of one thread, every 100 ms).

    A row with nan had no sample; the zeros beside it are none either.
    """
    below = report.get(lines.HEADER_BELOW)
    header = below or report.get(lines.HEADER)
    labels = _LABEL.findall(header["labels"] if header else _DEFAULT_LABELS)
    if latency := report.get(lines.LATENCY_BELOW if below else lines.LATENCY):
        values = _row(labels, latency, "a time", units.seconds)
        if not any(value for s, (value, _) in values.items() if s in LATENCY_COLUMNS):
            record.notes.append("no latency sample: the zeros in the output stand for none")
            values = {}
        for statistic, (value, printed) in values.items():
            if statistic in LATENCY_COLUMNS:
                record.columns[LATENCY_COLUMNS[statistic]] = value
            elif statistic in {"within_stdev", "min"}:
                unit = "s" if statistic == "min" else "ratio"
                record.figure("Latency", statistic, value, unit=unit, printed=printed)
            else:
                record.quantile(units.scaled(statistic[1:], "1e-2"), value)
    if rate := report.get(lines.RATE_BELOW if below else lines.RATE):
        for statistic, (value, printed) in _row(labels, rate, "a rate", units.count).items():
            unit = "ratio" if statistic == "within_stdev" else "1/s"
            record.figure("Req/Sec", statistic, value, unit=unit, printed=printed)


def _row(
    labels: Sequence[str], line: ReportLine, expected: str, convert: Callable[[str], float]
) -> dict[str, tuple[float, str]]:
    """Return value and characters per statistic; nothing where the row has no sample."""
    cells = line["cells"].split()
    if len(cells) != len(labels):
        raise line.error(f"{len(labels)} figures", line["cells"])
    if any("nan" in cell.lower() for cell in cells):
        return {}
    values = {}
    for label, cell in zip(labels, cells, strict=True):
        if label.startswith(("+", "±")):
            share = line.figure(f"{cell.removesuffix('%')}%", "a percentage", units.percent)
            values["within_stdev"] = (share, cell)
        else:
            statistic = _STATISTICS.get(label) or "p" + label.removesuffix("%")
            values[statistic] = (line.figure(cell, expected, convert), cell)
    return values


def quantiles(
    record: RunRecord, report: Report, latencies: Mapping[float, float] | None = None
) -> None:
    """Add quantiles in order, those of the rows if none are given.

    A zero above a lower one is none, and where the Latency row has no sample, all are.
    """
    latencies = rounded(report) if latencies is None else latencies
    no_sample = report.get(lines.LATENCY) is not None and "latency_mean_s" not in record.columns
    if no_sample or not any(latencies.values()):
        return
    highest = 0.0
    for q, value in sorted(latencies.items()):
        if value == 0 and highest > 0:
            record.notes.append(f"the {100 * q:g}% quantile is printed as 0 and left out")
            continue
        highest = max(highest, value)
        record.quantile(q, value)


def rounded(report: Report) -> dict[float, float]:
    """Return the latencies in s of the rows `99.9%  6.43ms` by quantile."""
    return {line.read("share"): line.read("latency") for line in report.all(lines.QUANTILE)}


def step(line: ReportLine) -> tuple[float, float]:
    """Return quantile and latency in s of a row of the spectrum, which prints ms."""
    latency = line.figure(line["latency"], "a time", lambda ms: units.scaled(ms, "1e-3"))
    return min(line.read("share"), 1.0), latency


def totals(record: RunRecord, report: Report, *, answers_late: bool = True) -> None:
    """Read what the whole run did: requests, time, bytes, errors, throughput.

    `requests` counts responses of any status. A counter that is printed only
    where it is not zero is 0 if the summary it would follow is there. Sizes
    count in 1024. What does not fit a C int is printed negative: left out.

    `answers_late` tells whether a timeout is an answer that came late, which is counted among the
    requests too.
    """
    report.fill(record, lines.SUMMARY, requests="requests", duration="duration_s")
    if summary := report.get(lines.SUMMARY):
        record.columns["received_bytes"] = round(summary.read("size"))
    rates(record, report)
    _failures(record, report)
    if not answers_late and record.columns.get("timeouts"):
        record.columns.pop("success_ratio", None)


def rates(record: RunRecord, report: Report) -> None:
    """Read the rate of requests, and keep that of bytes as a figure."""
    report.fill(record, lines.THROUGHPUT, rate="throughput_rps")
    if line := report.get(lines.TRANSFER):
        line.keep(record, "Transfer/sec", "rate", "size", unit="B/s")


def _failures(record: RunRecord, report: Report) -> None:
    """Read the error lines, and what follows from them.

    wrk counts a late answer among both requests and timeouts; statuses from 400
    up are `Non-2xx or 3xx`. Where the report is complete, what it does not print is 0.
    """
    line, status = report.get(lines.SOCKET), report.get(lines.STATUS)
    unread = report.gaps.intersection((lines.SOCKET, lines.STATUS, lines.THROUGHPUT))
    torn = any(_FAILURES.search(known.match.string, known.match.end()) for known in report.lines)
    complete = report.has(lines.SUMMARY, lines.THROUGHPUT) and not (unread or torn)
    kinds = dict.fromkeys(_SOCKET, 0)
    if line:
        counts = named_counts(line, *_SOCKET, least=-math.inf)
        for kind, count in counts.items():
            if kind != "timeout" and count >= 0:
                record.figure(f"Socket errors: {kind}", "total", count, printed=str(count))
        kinds = {kind: counts[kind] for kind in _SOCKET}
        record.errors = {kind: count for kind, count in kinds.items() if count > 0}
    counted = min(kinds.values()) >= 0 and (line or complete)
    if counted:
        record.columns["errors"] = sum(kinds.values())
        record.columns["timeouts"] = kinds["timeout"]
    non2xx = int(status.read("count", least=-math.inf)) if status else 0
    if non2xx >= 0 and (status or complete):
        record.columns["non2xx"] = non2xx
        success(record, unanswered=sum(kinds.values()) - kinds["timeout"] if counted else None)
    if min(*kinds.values(), non2xx) < 0:
        record.notes.append("a counter overflowed in the tool and is left out")


def named_counts(line: ReportLine, *names: str, least: float = 0) -> dict[str, int]:
    """Return the counts of the line of socket errors by name; forks add some of their own.

    Raises:
        InputError: one of `names` is not among them, or a count is none.
    """
    pairs = re.findall(
        r"(?<!\w)[^\WA-Za-z]*+([A-Za-z]\w*+) ((?>(?:[^\s,]|,(?!\s))+))(?:,\s++|$)",
        " ".join(line["counts"].split()),
    )
    counts = {
        name: int(line.figure(printed, "a count", units.whole, least=least))
        for name, printed in pairs
    }
    if not counts.keys() >= set(names):
        raise line.error(f"counts of {', '.join(names[:-1])} and {names[-1]}", line["counts"])
    return counts


def success(record: RunRecord, *, unanswered: int | None) -> None:
    """Add goodput and success ratio; the latter only where the unanswered requests are known."""
    columns = record.columns
    requests, throughput = columns.get("requests"), columns.get("throughput_rps")
    if requests is None or columns["non2xx"] > requests:
        return
    good = requests - columns["non2xx"]
    if throughput is not None:
        columns["goodput_rps"] = throughput * (good / requests) if requests else 0.0
    if unanswered is not None and requests + unanswered:
        columns["success_ratio"] = good / (requests + unanswered)
