"""wrk's report, as it prints it.

wrk 4 adds samples that it never measured before it prints (`correction`), drops
those over the timeout, and prints nothing of the requests still unanswered at
the end. Minutes never become hours; a unit begins at 0.85 of itself. The report
does not tell its version: where the output of -v does not precede, 4 is assumed,
and `correction` is wrong for 2 and 3, which print the same and add nothing; 1 has a
first line of its own.

What a Lua `done()` prints below the report is read where it is a percentile on
a line (`99%,5678`): as a figure of metric `done()`, a plain number unless the
script prints the unit. Its other lines have no form to rely on, and are passed
over, up to two blank lines, the end of a fence, a heading, or another output.

Source: wg/wrk 1.0.0 to 4.2.0, `src/wrk.c`, `src/units.c`, `scripts/report.lua`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsers import _wrk_command
from benchkit.parsers._wrk_blocks import blocks
from benchkit.parsers._wrk_failures import failures
from benchkit.parsers._wrk_lines import MARKERS, Token, WrkBlock
from benchkit.parsers._wrk_record import (
    ASKED,
    REPORT,
    Fill,
    has_sample,
    head,
    quantiles,
    read,
    record_of,
    share,
    thread_stats,
    totals,
    version,
)
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

# The reason is what strerror says: a capital letter, no full stop.
_REFUSED: Final = re.compile(
    r"unable to (?:connect to|resolve) \S+:\S* [A-Z(][^.;!?]{0,60}$"
    r"|unable to create thread [0-9]+:? [A-Z][^.;!?]{0,60}$"
)
_DONE: Final = re.compile(
    r"([0-9]{1,3}(?:\.[0-9]+)?)%\s*[,:=]?\s*([0-9]{1,18}(?:\.[0-9]{1,6})?)\s*(us|ms|s)?$"
)
_END: Final = re.compile(
    r"```|~~~|\$ |Running |[0-9]+ threads and |Thread Stats|Latency Distribution"
    r"|This is ApacheBench|Benchmarking |Server |Concurrency Level|Percentage of the requests"
    r"|Connection Times|Requests\s+\[|Bucket\s"
)
_HEADING: Final = re.compile(r"\s{0,3}#{2,6}\s")


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of wrk in a text, and what is left of broken ones."""
    yield from _refusals(text)
    for block in text.once(blocks):
        if block.flavour == "wrk":
            yield record_of(
                text,
                block,
                _whose,
                head,
                version(text),
                thread_stats,
                _distribution,
                totals,
                failures,
                _done(text),
            )


def _refusals(text: Text) -> Iterator[InputError]:
    for number, line in enumerate(text.bare):
        if line.startswith("unable to ") and _REFUSED.match(line):
            yield InputError(
                "a report of wrk",
                actual=line,
                where=Where(line=number + 1),
                hint="wrk could not start: there is no result to read",
            )


def _whose(record: RunRecord, block: WrkBlock) -> None:
    """Leave out what follows from the tool where the lines are the same in wrk and wrk2."""
    if block.lines[0].kind is Token.SUMMARY:
        record.columns |= dict.fromkeys(("load_model", "correction", "clock"))
        record.notes.append("only the end of a report, which may be wrk's or wrk2's")


def _distribution(record: RunRecord, block: WrkBlock) -> None:
    latencies = {
        share(line): read(line, "a time", line[2], units.seconds)
        for line in block.all(Token.QUANTILE)
    }
    if has_sample(record, block) and any(latencies.values()):
        quantiles(record, latencies)


def _done(text: Text) -> Fill:
    def fill(record: RunRecord, block: WrkBlock) -> None:
        first, last = block.span
        if block.get(Token.THROUGHPUT) is None:
            return
        for number in range(last + 1, len(text)):
            line = text.bare[number]
            if _END.match(line) or _HEADING.match(text.lines[number]):
                return
            if not line and not text.bare[number - 1] and number > last + 1:
                return
            matched = _DONE.match(line)
            if matched is None:
                continue
            if matched[3]:
                value = units.seconds(matched[2] + matched[3])
                record.figure("done()", f"p{matched[1]}", value, unit="s", printed=line)
            else:
                record.figure("done()", f"p{matched[1]}", units.number(matched[2]), printed=line)
            record.lines = (first, number)

    return fill


def _step_s(seconds: float) -> float:
    """Return one hundredth of the unit in which wrk prints a time: from 0.85 of it, s from 1 s."""
    if seconds >= 1:
        return 0.6 if seconds >= 0.85 * 60 else 0.01
    return 1e-5 if seconds >= 0.85e-3 else 1e-8


PARSERS: Final = (
    TextParser(
        name="wrk-text",
        tool="wrk",
        reads="the report, with or without --latency, anywhere in a text",
        versions="1.0 to 4.2",
        may_fill=("throughput_rps", *REPORT),
        when={
            "throughput_rps": "where the report has its end",
            "tool_version": "where the output of -v precedes",
            "correction": "where nothing tells the version, 4 is assumed: 1 to 3 add nothing",
            **dict.fromkeys(ASKED, "--latency"),
        },
        constants=_wrk_command.CLOSED,
        step_s=_step_s,
        markers=(*MARKERS, "unable to "),
        scan=scan,
    ),
)
