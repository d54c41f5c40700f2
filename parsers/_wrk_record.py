"""From the lines of one report in wrk's layout to one run.

Source: wg/wrk 4.2.0 `src/wrk.c`, `src/stats.c`, `src/units.c`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsers._wrk_lines import ReportLine, Token, WrkBlock
from benchkit.parsers._wrk_numbers import kilo, number, whole
from benchkit.parsing import RunOrError, RunRecord
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.text import Text

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
_STATISTICS: Final = {"Avg": "mean", "Stdev": "stdev", "Max": "max"}
_DEFAULT_LABELS: Final = "Avg Stdev Max +/- Stdev"
_TWO_DECIMALS: Final = re.compile(r"[0-9]+\.[0-9][0-9]$")
#: What no letter or digit can follow on a line of a report.
_ENDED: Final = re.compile(r"(?:%|[0-9]\.[0-9][0-9](?:us|ms|s)| read|\]|-{20,})$")
_UNIT_APART: Final = re.compile(r"(?<=[0-9]) (?=(?:[unmµμ]?s|[mkM%])(?:\s|$))")
_NAN: Final = re.compile(r"[-+]?nan", re.IGNORECASE)
_VERSION: Final = re.compile(r"wrk (\S+) \[\w+\] Copyright \(C\) 2012 Will Glozer$")

Fill = Callable[[RunRecord, WrkBlock], None]


class BadNumberError(Exception):
    """What stands on a line is not the figure that belongs there."""

    def __init__(self, line: ReportLine, expected: str, actual: str) -> None:
        super().__init__(expected)
        self.line, self.expected, self.actual = line, expected, actual


def record_of(text: Text, block: WrkBlock, *fills: Fill) -> RunOrError:
    """Return the run of one report, or the error where it is cut off or garbled.

    Args:
        text: The text the report stands in.
        block: The report.
        fills: What reads the parts, called in turn; may raise BadNumberError.
    """
    whole = _whole_lines(text, block)
    broken = whole.get(Token.THROUGHPUT) is None
    if broken and whole.get(Token.LATENCY) is None and whole.get(Token.QUANTILE) is None:
        return _cut(text, block)
    record = RunRecord(lines=block.span)
    if block.batch_size > 1:
        # Nor which of several commands.
        record.columns |= dict.fromkeys(("url", "threads", "connections"))
        record.notes.append(
            f"one of {block.batch_size} reports printed at once: which head is its own is not told"
        )
    try:
        for fill in fills:
            fill(record, whole)
    except BadNumberError as error:
        return InputError(
            f"{error.expected} in this line of the report",
            actual=error.actual,
            where=Where(line=error.line.number + 1),
            hint="the report is damaged; run the test again or restore the line",
        )
    if broken:
        last = whole.lines[-1]
        record.damaged(
            f"the report breaks off at line {last.number + 1}: what it prints below is missing"
        )
    return record


def _whole_lines(text: Text, block: WrkBlock) -> WrkBlock:
    """Return a report without its last line where the text may end in the middle of that line."""
    end, last = block.get(Token.THROUGHPUT), block.lines[-1]
    if end is not None:
        final = not any(line.strip() for line in text.lines[end.number + 1 : end.number + 4])
        half = final and not _TWO_DECIMALS.search(end[1].split()[0])
    else:
        half = last.number == len(text) - 1 and not _ENDED.search(last.match[0])
        end = last
    if not half:
        return block
    return replace(block, lines=[line for line in block.lines if line is not end])


def _cut(text: Text, block: WrkBlock) -> InputError:
    """Return the error of a report of which nothing but its head is there."""
    last = block.span[1]
    end = block.get(Token.THROUGHPUT)
    below = next((line for line in text.bare[last + 1 : last + 4] if line), "the end of the text")
    return InputError(
        "the rest of the report, to its line 'Requests/sec:'",
        actual=end.match[0] if end is not None else below,
        where=Where(line=last + 1),
        hint="the report is cut off here; use the whole output",
    )


def read(line: ReportLine, what: str, printed: str, convert: Callable[[str], float]) -> float:
    """Return a printed figure in base units.

    Raises:
        BadNumberError: it is none.
    """
    try:
        value = convert(printed)
    except ValueError:
        raise BadNumberError(line, what, printed) from None
    if value < 0:
        raise BadNumberError(line, what, printed)
    return value


def head(record: RunRecord, block: WrkBlock) -> None:
    """Read target, threads and connections.

    wrk opens connections / threads on each thread, rounded down, and prints
    what was asked for.
    """
    running, line = block.get(Token.RUNNING), block.get(Token.THREADS)
    results = block.get(Token.RESULTS)
    if running is not None:
        _running(record, running)
    if results is not None:
        record.columns["url"] = results[1]
    if line is None:
        return
    threads = int(read(line, "a number of threads", line[1], units.whole))
    asked = int(read(line, "a number of connections", line[2], units.whole))
    opened = asked // threads * threads if threads else 0
    if not opened:
        raise BadNumberError(line, "at least as many connections as threads", line.match[0])
    record.columns |= {"threads": threads, "connections": opened}
    if opened != asked:
        record.figure("connections", "value", asked, printed=line[2])
        record.notes.append(
            f"{opened} connections opened of {asked}: {threads} threads share evenly"
        )


def _running(record: RunRecord, line: ReportLine) -> None:
    record.columns["url"] = line.match["url"]
    printed, count = line.match["time"], line.match["count"]
    if count is not None:
        # wrk 1: so many requests instead of a time, and the samples as measured.
        asked = read(line, "a number of requests", count, whole)
        record.figure("Making", "value", asked, printed=count)
        record.columns["correction"] = "none"
    else:
        duration = read(line, "a duration", printed, units.seconds)
        record.figure("Running", "value", duration, unit="s", printed=printed)


def version(text: Text) -> Fill:
    """Return the reader of the line that `-v` prints above the report.

    wrk 1 to 3 print the samples as measured.
    """

    def fill(record: RunRecord, block: WrkBlock) -> None:
        above = block.span[0] - 1
        matched = _VERSION.match(text.bare[above]) if above >= 0 else None
        if matched:
            record.columns["tool_version"] = matched[1]
            if re.match(r"[123]\.", matched[1]):
                record.columns["correction"] = "none"

    return fill


def thread_stats(record: RunRecord, block: WrkBlock) -> None:
    """Read the rows Latency (of requests) and Req/Sec (of one thread, every 100 ms).

    A row with nan had no sample; the zeros beside it are none either.
    """
    latency, rate = block.get(Token.LATENCY), block.get(Token.RATE)
    if latency is not None:
        values = _row(block, latency, "a time", units.seconds)
        if not values or not any(value for s, (value, _) in values.items() if s in LATENCY_COLUMNS):
            record.notes.append("no latency sample: the zeros in the output stand for none")
            values = {}
        for statistic, (value, printed) in values.items():
            if statistic in LATENCY_COLUMNS:
                record.columns[LATENCY_COLUMNS[statistic]] = value
            elif statistic == "within_stdev":
                record.figure("Latency", statistic, value, unit="ratio", printed=printed)
            else:
                record.quantile(float(Decimal(statistic[1:]) / 100), value)
    if rate is not None:
        for statistic, (value, printed) in _row(block, rate, "a rate", units.count).items():
            unit = "ratio" if statistic == "within_stdev" else "1/s"
            record.figure("Req/Sec", statistic, value, unit=unit, printed=printed)


def _row(
    block: WrkBlock, line: ReportLine, what: str, convert: Callable[[str], float]
) -> dict[str, tuple[float, str]]:
    """Return value and characters per statistic; nothing where the row has no sample."""
    header = block.get(Token.HEADER)
    labels = re.findall(
        r"(?:\+/-|±) ?Stdev|\S+", header[1] if header is not None else _DEFAULT_LABELS
    )
    cells = _UNIT_APART.sub("", line[1]).split()
    if len(cells) != len(labels):
        raise BadNumberError(line, f"{len(labels)} figures", line[1])
    if any(_NAN.match(cell) for cell in cells):
        return {}
    values = {}
    for label, cell in zip(labels, cells, strict=True):
        if label.startswith(("+", "±")):
            share = cell if cell.endswith("%") else f"{cell}%"
            values["within_stdev"] = (read(line, "a percentage", share, units.percent), cell)
        else:
            statistic = _STATISTICS.get(label) or "p" + label.removesuffix("%")
            values[statistic] = (read(line, what, cell, convert), cell)
    return values


def quantiles(record: RunRecord, latencies: dict[float, float]) -> None:
    """Add quantiles in order; a zero above a lower quantile is none."""
    highest = 0.0
    for q, value in sorted(latencies.items()):
        if value == 0 and highest > 0:
            record.notes.append(f"the {100 * q:g}% quantile is printed as 0 and left out")
            continue
        highest = max(highest, value)
        record.quantile(q, value)


def has_sample(record: RunRecord, block: WrkBlock) -> bool:
    """Whether the report has latencies at all: its Latency row says so, if it has one."""
    return block.get(Token.LATENCY) is None or "latency_mean_s" in record.columns


def share(line: ReportLine) -> float:
    """Return the quantile of a row `99.9%  6.43ms` as a fraction.

    Raises:
        BadNumberError: it is over 100 %.
    """
    q = float(Decimal(line[1]) / 100)
    if q > 1:
        raise BadNumberError(line, "a percentage up to 100", line[1])
    return q


def step(line: ReportLine) -> tuple[float, float]:
    """Return quantile and latency in s of a row of the spectrum, which prints ms.

    Raises:
        BadNumberError: one of them is no number.
    """
    q = read(line, "a fraction", line[2], units.number)
    value = read(line, "a time", line[1], lambda printed: units.scaled(printed, "1e-3"))
    return min(q, 1.0), value


def totals(record: RunRecord, block: WrkBlock) -> None:
    """Read what the whole run did: requests, time, bytes, errors, throughput.

    `requests` counts responses of any status. A counter that is printed only
    where it is not zero is 0 if the summary it would follow is there. Sizes
    count in 1024. What does not fit a C int is printed negative: left out.
    """
    line = block.get(Token.SUMMARY)
    if line is not None:
        record.columns["requests"] = int(read(line, "a number of requests", line[1], whole))
        record.columns["duration_s"] = read(line, "a time", line[2], units.seconds)
        size = read(line, "a size", line[3], kilo)
        record.columns["received_bytes"] = round(size)
    end = block.get(Token.THROUGHPUT)
    if end is not None:
        record.columns["throughput_rps"] = read(end, "a rate", end[1], number)
    transfer = block.get(Token.TRANSFER)
    if transfer is not None:
        try:
            rate = kilo(transfer[1])
        except ValueError:
            record.damaged("the figure of 'Transfer/sec' is cut off and left out")
        else:
            record.figure("Transfer/sec", "rate", rate, unit="B/s", printed=transfer[1])
