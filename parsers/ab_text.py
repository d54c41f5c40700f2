"""ab's report, as it prints it or in HTML tables (`-w`), and parts of it.

Percentiles are those of the total time; entry p is the sorted sample with
0-based index floor(n*p/100), one above the nearest rank. Times are whole
milliseconds. `Time per request` follows from the throughput and is no mean of
samples: that is the row `Total`. Of a table of connection times in a page order
and spelling of the columns and the unit may differ.

Source: httpd 2.4 `support/ab.c`, `output_results` and `output_html_results`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _ab_lines as lines
from . import ab
from ._ab_rules import FILLS, TIMES_COLUMNS, is_excerpt, is_report, times, without_torn
from ._grammar import Report

_TABLE: Final = {lines.STATISTICS, *lines.ROWS.values()}
_SURE: Final = ("requests", "duration_s", "connections")
_PERHAPS: Final = (
    *("tool_version", "url", "threads", "keepalive", "errors", "non2xx"),
    *("received_bytes", "sent_bytes", "body_bytes"),
    *("throughput_rps", "goodput_rps", "success_ratio", *TIMES_COLUMNS),
    *("latency_p75_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"),
)


def scan_reports(text: Text) -> Iterator[RunOrError]:
    """Yield the whole reports in a text, and an error for each that cannot be read."""
    reports = lines.AB.reports(text)
    for at, report in enumerate(reports):
        if imitation := report.get(lines.HTML_RATE):
            yield InputError(
                "ab's report",
                actual="that of GoHttpBench, which prints ab's labels",
                where=Where(line=imitation.number + 1),
                hint="its means lie outside of what it measured; repeat the run with ab",
            )
        elif is_report(report):
            yield _run(report)
        elif not is_excerpt(report):
            below = reports[at + 1] if at + 1 < len(reports) else None
            yield from _broken(text, report, below)


def scan_excerpts(text: Text) -> Iterator[RunOrError]:
    """Yield the parts of reports in a text that hold figures of their own."""
    for report in lines.AB.reports(text):
        if is_excerpt(report) and not _is_table(report) and not report.has(lines.HTML_RATE):
            yield _run(report)


def _run(report: Report) -> RunOrError:
    whole, torn = without_torn(report)
    for line in torn:
        if line.line is lines.TIME:
            return line.error("a time in seconds", line.text)
    run = whole.run(*FILLS)
    if isinstance(run, RunRecord):
        for line in torn:
            run.damaged(f"line {line.number + 1} lost its last words, and is left out")
    return run


def scan_tables(text: Text) -> Iterator[RunOrError]:
    """Yield a run for every table of connection times that stands alone in a text."""
    needed = [lines.ROWS[name] for name in ("Connect", "Processing", "Waiting")]
    for report in lines.AB.reports(text):
        if _is_table(report) and report.has(lines.STATISTICS, *needed):
            yield report.run(times)


def _is_table(report: Report) -> bool:
    return _TABLE.issuperset(line.line for line in report.lines)


def _broken(text: Text, report: Report, below: Report | None) -> Iterator[InputError]:
    """Yield the error of what is ab's and no run; a table with its labels may be of anything."""
    begun = report.has(lines.START)
    figures = {line.line for line in report.lines}.intersection(lines.VALUES)
    messages = [line for line in report.lines if line.match.groupdict().get("message")]
    died = begun and (below is None or below.has(lines.BANNER))
    sure = (begun or report.has(lines.BANNER)) and (figures or report.has(lines.PATH))
    if all("|" in text.lines[line.number] for line in report.lines):
        return
    if len(figures) > 1 or sure or (died and not messages):
        yield _cut(report)
    elif messages:
        totals = [line for line in messages if line["done"]]
        reason = [*totals, *(line for line in messages if not line["done"])][-1]
        after = f" after {totals[0]['done'][:12]} requests" if totals else ""
        yield InputError(
            "ab's report",
            actual=reason["message"],
            where=Where(line=reason.number + 1, last=report.span[1] + 1),
            hint=f"ab gave up{after} and printed no figures; repeat the run, -r goes on after "
            "errors",
        )


def _cut(report: Report) -> InputError:
    ends = {"'Complete requests'": lines.COMPLETE, "'Requests per second'": lines.RATE}
    missing = [label for label, line in ends.items() if not report.has(line)]
    return report.broken_off(
        f"{' and '.join(missing) or 'the rest'} of ab's report",
        "the report is cut off: keep all of ab's output",
        "the end of it",
    )


def _rank(quantile: float, n: int) -> int:
    """Return the rank at which the report reads a percentile: one above nearest rank."""
    return min(int(quantile * n + 1e-9 * n), n - 1)


#: What the parsers of the report and of its parts declare alike; ab prints the mean in whole
#: milliseconds and the deviation with one decimal.
_PRINTED: Final[Mapping[str, Any]] = {
    "tool": ab.TOOL,
    "versions": "1.3 to 2.4, and trunk",
    "constants": {**ab.MEANING, "resolution_s": 1e-3},
    "rank": _rank,
    "steps": {"latency_mean_s": 1e-3, "latency_std_s": 1e-4},
}
PARSERS: Final = (
    TextParser(
        name="ab-text",
        reads="the report, plain or as HTML tables (-w)",
        fills=_SURE,
        may_fill=_PERHAPS,
        when={
            "keepalive": "-k, or a command line",
            "sent_bytes": "2.0 on, with a body",
            "success_ratio": "where every status is known",
            "latency_p50_s": "without -d, from two requests on",
            "latency_p99_s": "without -d, from two requests on",
        },
        detail=2,
        **_PRINTED,
        markers=lines.AB.markers,
        scan=scan_reports,
    ),
    TextParser(
        name="ab-excerpt",
        reads="parts of the report: its rates, connection times or percentiles",
        may_fill=(*_SURE, *_PERHAPS),
        **_PRINTED,
        markers=lines.AB.markers,
        scan=scan_excerpts,
    ),
    TextParser(
        name="ab-times-table",
        reads="its connection times as a table in a page",
        may_fill=TIMES_COLUMNS,
        **_PRINTED,
        markers=("Processing", "processing", "PROCESSING"),
        scan=scan_tables,
    ),
)
