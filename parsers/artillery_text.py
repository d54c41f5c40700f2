"""Artillery's console: the summary report at its end, which is the run.

Above it stand reports of the same form for every ten seconds. A name that is too long for the
line is cut off, and left out here. How long the run took is not printed, but to whole seconds
from the first report on.

Source: Artillery 2.0.34 `lib/console-reporter.ts`, `lib/util.ts` (padded); 1.7.9
`lib/console-reporter.js`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from ._artillery import (
    CONSTANTS,
    MAY_FILL,
    TOOL,
    Metrics,
    add_latencies,
    add_requests,
    add_statuses,
    fill,
)
from ._grammar import Grammar, Report, note_loss
from ._line import Line, Slot

_DOTS: Final = r"\.{2,}+"
_STATISTIC: Final = r"(?:min|max|mean|median|p95|p99)"
#: Counters, of which nothing but a figure stands behind the name.
_COUNTER: Final = (
    r"(?:[^\s:]{0,80}?\.codes\.|http\.(?:dow|req|responses)|errors\.|vusers\.(?!session))"
)
#: What stands behind the colon at the end of a name, and not behind one in it.
_ENDING: Final = rf" \.\.|$|\s{{1,9}}+{_STATISTIC}:"
_MOST_COLONS: Final = 12
_SLOTS: Final = {
    # Up to the dots behind it, or to the colon at its end.
    "metric": Slot(
        "a metric",
        rf"(?!Scenario (?:counts|duration):|{_STATISTIC}:)[A-Za-z]"
        # Where no name ends after a few colons, its characters need not be looked at one by one.
        rf"(?=(?>[^:\n]{{0,64}}+(?::(?!{_ENDING})[^:\n]{{0,64}}+){{0,{_MOST_COLONS}}}):(?:{_ENDING}))"
        rf"(?>(?:[^:\n]|:(?!{_ENDING})){{0,64}})",
        exact=True,
        first="[A-Za-z]",
    ),
    "figure": Slot(
        "a figure", r"[0-9]++(?>(?:\.[0-9]++)?)(?>(?:e\+[0-9]++)?)", units.number, exact=True
    ),
    "statistic": Slot("a statistic", _STATISTIC, exact=True, first="[mp]"),
    "clock": Slot("a time", r"[0-9]{2}:[0-9]{2}:[0-9]{2}\S*+(?>(?: [0-9-]++)?)", exact=True),
    "code": Slot("a status", r"[1-9][0-9]{2}", units.whole, exact=True),
}


def _line(*templates: str, again: bool = False, repeats: bool = False, foreign: int = 3) -> Line:
    return Line(*templates, slots=_SLOTS, again=again, repeats=repeats, foreign=foreign)


PERIOD = _line(
    r"Metrics for period to: {end:clock}(?>(?: \(width: [^()]*+\))?)", "Report @ {end:clock}"
)
SUMMARY = _line("Summary report @ {end:clock}")
#: Version 1.
LAUNCHED = _line("Scenarios launched: ?{count:count}")
COMPLETED = _line("Scenarios completed: ?{count:count}")
RESPONSES = _line("Requests completed: ?{count:count}")
RATE = _line("(?:Mean response/sec|RPS sent): ?{rate:figure}")
LATENCY = _line(r"(?:Response time|Request latency)(?>(?: \(msec\))?):")
LATENCY_PART = _line("{statistic:statistic}: {value:figure}", repeats=True, foreign=0)
SPAN = _line("Scenario duration:")
SPAN_PART = _line("{statistic:statistic}: {value:figure}", repeats=True, foreign=0)
CODES = _line("Codes:", foreign=40)
CODE = _line("{code:code}: {count:whole}", repeats=True, foreign=0)
ERRORS = _line("Errors:")
ERROR = _line(r"(?P<error>[A-Z][^:\n]{1,64}+): {count:whole}", repeats=True, foreign=0)
#: Version 2.
STATISTIC = _line(rf"{{statistic:statistic}}: {_DOTS} {{value:figure}}", again=True)
COUNT = Line(
    rf"{{name:metric}}: {_DOTS} {{value:figure}}(?>(?P<rate>/sec)?)",
    slots=_SLOTS,
    again=True,
    ended="/sec$",
)
NAME = _line(rf"(?=[A-Za-z])(?!{_COUNTER}){{name:metric}}:", again=True)

REPORT: Final = Grammar(
    *(PERIOD, SUMMARY, LAUNCHED, COMPLETED, RESPONSES, RATE, LATENCY, LATENCY_PART),
    *(SPAN, SPAN_PART, CODES, CODE, ERRORS, ERROR, STATISTIC, COUNT, NAME),
    begins={PERIOD: (), SUMMARY: ()},
    head=SUMMARY,
    markers=("Summary report @", "Metrics for period to:", "Report @", "Test run id:"),
)
_NAMELESS: Final = "the name of a metric is missing, and its statistics"
_BEGUN: Final = re.compile(r"Test run id: \w++\s*+$|Phase started: [^\n]*\(index: ")
#: Errors of a connection, which are of requests without a response.
_OF_CONNECTION: Final = re.compile(r"E[A-Z_]{3,}")


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the summary of every run; an InputError for periods of one without a summary."""
    last: Report | None = None
    is_any = False
    for report in REPORT.reports(text):
        if not any(map(report.has, (LAUNCHED, COUNT))):
            continue
        last, is_any = report, True
        if report.has(SUMMARY):
            yield report.run(_first if report.has(LAUNCHED) else _second, note_loss)
            last = None
    if last is not None:
        yield InputError(
            "the summary report of Artillery",
            actual="reports of periods alone",
            where=Where(line=last.span[1] + 1),
            hint="the run was interrupted, or the output is cut off",
        )
    if not is_any:
        yield from _failures(text)


def _failures(text: Text) -> Iterator[InputError]:
    """Yield that a run only began."""
    begun = next((at for at, line in enumerate(text.lines) if _BEGUN.match(line)), None)
    if begun is None:
        return
    below = (line.strip() for line in text.lines[begun + 1 :])
    words = next((line for line in below if line), "nothing")
    yield InputError(
        "the summary report of Artillery",
        actual=f"its start, and {words[:200]}",
        where=Where(line=begun + 1),
        hint="the run was interrupted or never began; run it again",
    )


def _second(record: RunRecord, report: Report) -> None:
    metrics = Metrics(summaries=_summaries(record, report))
    for line in report.all(COUNT):
        part = metrics.rates if line.match["rate"] else metrics.counts
        part[line["name"]] = line.read("value")
    if not metrics.has_requests:
        raise InputError(
            "HTTP requests, 'http.requests', in Artillery's summary report",
            actual=f"{len(metrics.counts)} other counters",
            where=Where(line=report.span[0] + 1),
            hint="the script sent none over HTTP, or the report is cut off here",
        )
    fill(record, metrics)
    _note_end(record, report, metrics)


def _summaries(record: RunRecord, report: Report) -> dict[str, dict[str, float]]:
    """Return the statistics by the name above them.

    Where one stands again, the name above these is lost, and they are another metric's.
    """
    summaries: dict[str, dict[str, float]] = {}
    name, seen = "", set[str]()
    for line in report.lines:
        if line.line is not STATISTIC:
            name, seen = line["name"] if line.line is NAME else "", set()
        elif line["statistic"] in seen or not name:
            if name or not seen:
                record.damaged(f"{_NAMELESS} of line {line.number + 1} on are left out")
            name, seen = "", {*seen, line["statistic"]}
        else:
            seen.add(line["statistic"])
            summaries.setdefault(name, {})[line["statistic"]] = line.read("value")
    return summaries


def _note_end(record: RunRecord, report: Report, metrics: Metrics) -> None:
    """Note that counters are missing: they stand in the order of their names."""
    ended = "p99" in metrics.summaries.get("vusers.session_length", {})
    ended = ended or (
        "vusers.failed" in metrics.counts and "vusers.completed" not in metrics.counts
    )
    if not ended and report.loss is None:
        record.damaged(f"the report breaks off below line {report.span[1] + 1}")


def _first(record: RunRecord, report: Report) -> None:
    add_statuses(record, {int(x["code"]): int(x.read("count")) for x in report.all(CODE)})
    record.errors = {x.match["error"]: int(x.read("count")) for x in report.all(ERROR)}
    responses, created = report.read(RESPONSES, "count"), report.read(LAUNCHED, "count")
    ended = sum(record.statuses.values()) == responses
    if responses is not None and ended and all(map(_OF_CONNECTION.fullmatch, record.errors)):
        requests = int(responses) + sum(n or 0 for n in record.errors.values())
        add_requests(record, requests, int(responses))
        if requests == created:
            record.columns["load_model"] = "open"
    add_latencies(record, {x["statistic"]: x.read("value") for x in report.all(LATENCY_PART)})
    for line, name in ((LAUNCHED, "scenariosCreated"), (COMPLETED, "scenariosCompleted")):
        count = report.read(line, "count")
        if count is not None:
            record.figure(name, "total", count)


PARSERS: Final = (
    TextParser(
        name="artillery-text",
        tool=TOOL,
        reads="the summary report on the console, anywhere in a text",
        versions="1.3 to 2",
        may_fill=MAY_FILL,
        when={
            "load_model": "where each virtual user sends one request",
            "clock": "2.0 on",
        },
        constants=CONSTANTS,
        rank=None,
        markers=REPORT.markers,
        scan=scan,
    ),
)
