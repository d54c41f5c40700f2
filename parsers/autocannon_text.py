"""autocannon's tables and the lines around them, of every version, wherever they stand in a text.

What is missing below or between the tables stays missing; the counts that autocannon prints only
when they are not zero are 0 where the summary line is there. Refused are an announced run without
a table, a row that is cut off, a unit that is none, Req/Sec cells that can be read in two ways,
and tables that somebody typed anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, TextParser
from benchkit.text import Text

from . import _autocannon_lines as lines
from ._autocannon import CONSTANTS, MAY_FILL, TOOL
from ._autocannon_rules import record_of
from ._grammar import Report


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs whose tables, or summary, stand in a text, and what is left of broken ones."""
    yield from _retyped(text)
    if not lines.TELLING.search(text.shown):
        return
    reports = _paired(text, lines.REPORT.reports(text))
    for at, report in enumerate(reports):
        if _is_warmup(report):
            continue
        above = reports[at - 1] if at else report
        belongs = _is_warmup(above) and above.touches(report)
        whole = replace(report, start=above.start) if belongs else report
        yield record_of(whole, text.lines)


def _retyped(text: Text) -> Iterator[InputError]:
    every = text.repaired if "97.5%" in text.shown else ()
    for piece in (piece for piece in every if "97.5%" in piece[1]):
        cells = re.split(r"\s{2,}", piece.text)
        own = lines.TABLE.match(piece)
        if {"2.5%", "97.5%"}.issubset(cells) and not (own and own.strict):
            yield InputError(
                "autocannon's own table, with 'Stat' and 'Avg' in its heading",
                actual=" | ".join(cells),
                where=Where(line=piece.number + 1),
                hint="a table typed anew is not read; keep autocannon's output or its -j result",
            )
            return


def _is_warmup(report: Report) -> bool:
    """Whether a report is that of a warm-up, of which only the head is printed."""
    head = report.lines[0]
    return head.line is lines.RUNNING and head["kind"] == "warmup" and not report.has(lines.TABLE)


def _paired(text: Text, reports: Sequence[Report]) -> Sequence[Report]:
    """Return the reports, where a page shows every Req/Sec table above its Latency table, whole."""
    pairs = list(zip(reports[::2], reports[1::2], strict=False))
    if 2 * len(pairs) != len(reports) or not all(_are_halves(text, *pair) for pair in pairs):
        return reports
    return [
        replace(latency, lines=[*rates.lines, *latency.lines], start=rates.start)
        for rates, latency in pairs
    ]


def _are_halves(text: Text, rates: Report, latency: Report) -> bool:
    between = text.lines[rates.span[1] + 1 : latency.span[0]]
    return (
        rates.lines[0].line is lines.TABLE
        and rates.lines[-1].line in {lines.RATES, lines.SIZES}
        and {line.line for line in latency.lines} == {lines.TABLE, lines.LATENCY}
        and not rates.has(lines.LATENCY)
        and not any(line.lstrip().startswith("#") for line in between)
    )


PARSERS = (
    TextParser(
        name="autocannon-text",
        tool=TOOL,
        reads="autocannon's tables, printed, pasted or as Markdown",
        versions="0.1 to 9",
        may_fill=(*MAY_FILL, "throughput_rps", "latency_p95_s"),
        when={
            "threads": "7.0 on, with workers",
            "requests": "where the count is exact",
            "latency_p50_s": "3.0 on, or -l",
            "latency_p75_s": "-l",
            "latency_p90_s": "-l",
            "latency_p99_s": "3.0 on, or -l",
            "latency_p999_s": "-l",
        },
        detail=10,
        constants=CONSTANTS,
        markers=lines.REPORT.markers,
        scan=scan,
    ),
)
