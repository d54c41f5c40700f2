"""siege's report in words: the only one up to 4.0.4.

From 4.1.2 on latencies are printed in milliseconds, of the same clock.

Source: JoeDog/siege 3.1.4, 4.0.4, 4.0.7 and 4.1.7 `src/main.c`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from . import _siege
from ._grammar import Grammar, Report, note_loss
from ._line import FAR, Line, Slot

_FIGURE: Final = r"[0-9]++\.[0-9]{2}(?![0-9])"
_SLOTS: Final = {
    "figure": Slot("a figure", _FIGURE, units.number, ended=r"\.[0-9]{2}$"),
    "percent": Slot("a percentage", _FIGURE + r"\s?%", units.percent, ended="%$"),
    "version": Slot("a version", r"[0-9][\w.]*+", exact=True),
    "total": Slot("a count", "[0-9]++", units.whole),
    "ms": Slot("a figure", _FIGURE, partial(units.scaled, factor="1e-3")),
    "mb": Slot("a figure", _FIGURE, partial(units.scaled, factor="1048576")),
}

VERSION = Line(r"(?:\*\* )?SIEGE {version:version}", slots=_SLOTS)
PREPARING = Line(r"(?:\*\* )?Preparing {users:count} concurrent users for battle\.")
TRANSACTIONS = Line("Transactions: {transactions:total} hits", slots=_SLOTS, foreign=FAR)
AVAILABILITY = Line("Availability: {availability:percent}", slots=_SLOTS)
ELAPSED = Line("Elapsed time: {elapsed_time:figure} secs", slots=_SLOTS)
DATA = Line("Data transferred: {data_transferred:mb} ?MB", slots=_SLOTS)
RESPONSE = Line(
    "Response time: {response_time:ms} ?ms",
    "Response time: {response_time:figure} secs",
    slots=_SLOTS,
)
RATE = Line("Transaction rate: {transaction_rate:figure} trans/sec", slots=_SLOTS)
THROUGHPUT = Line("Throughput: {throughput:mb} ?MB/sec", slots=_SLOTS)
CONCURRENCY = Line("Concurrency: {concurrency:figure}", slots=_SLOTS)
SUCCESSFUL = Line("Successful transactions: ?{successful_transactions:total}", slots=_SLOTS)
OKAY = Line("HTTP OK received: ?{okay:total}", slots=_SLOTS)
FAILED = Line("Failed transactions: ?{failed_transactions:total}", slots=_SLOTS)
LONGEST = Line(
    "Longest transaction: {longest_transaction:ms} ?ms",
    "Longest transaction: {longest_transaction:figure}",
    slots=_SLOTS,
)
SHORTEST = Line(
    "Shortest transaction: {shortest_transaction:ms} ?ms",
    "Shortest transaction: {shortest_transaction:figure}",
    slots=_SLOTS,
    ended=r"\.[0-9]{2}(?>(?:\s?ms)?)$",
)
_LINES: Final = (
    *(TRANSACTIONS, AVAILABILITY, ELAPSED, DATA, RESPONSE, RATE, THROUGHPUT, CONCURRENCY),
    *(SUCCESSFUL, OKAY, FAILED, LONGEST, SHORTEST),
)

REPORT: Final = Grammar(
    VERSION,
    PREPARING,
    *_LINES,
    begins={
        VERSION: (PREPARING,),
        PREPARING: (),
        TRANSACTIONS: (AVAILABILITY,),
        AVAILABILITY: (ELAPSED,),
    },
    head=PREPARING,
    end=SHORTEST,
    closes=(SHORTEST,),
    markers=("concurrent users for battle", "Transactions:", "Availability:"),
    whole=(TRANSACTIONS, SHORTEST),
    marks=(TRANSACTIONS, ELAPSED, RATE),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of siege in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if report.has(TRANSACTIONS) or report.has(ELAPSED):
            yield report.run(_version, _figures, note_loss)
        elif not any(piece.text.startswith("{") for piece in report.below()):
            yield report.broken_off(
                "the rest of the report, from its line 'Transactions:' on",
                "siege has its result elsewhere, as JSON on stdout, or was ended before it",
            )


def _version(record: RunRecord, report: Report) -> None:
    version = report.get(VERSION)
    if version is not None:
        record.columns["tool_version"] = version["version"]


def _figures(record: RunRecord, report: Report) -> None:
    figures: dict[str, float] = {}
    printed: dict[str, str] = {}
    for line in report.lines:
        if line.line not in _LINES or line.line is OKAY:
            continue
        name = next(iter(line.form.slots))
        figures[name], printed[name] = line.read(name), line[name]
    _siege.add(record, figures, printed)


PARSERS: Final = (
    TextParser(
        name="siege-text",
        tool=_siege.TOOL,
        reads="the report in words, anywhere in a text",
        versions="3.1 to 4.1",
        may_fill=(*_siege.MAY_FILL, "tool_version"),
        when={**_siege.WHEN, "tool_version": "without -q"},
        constants=_siege.CONSTANTS,
        markers=REPORT.markers,
        scan=scan,
    ),
)
