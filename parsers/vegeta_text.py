"""vegeta's text report: `vegeta report`, of every version since 1.0.

From 12.8 on times are rounded to the next smaller unit: `2m0s` may be half a second off.

Up to 5.0.0 the duration is from first to last send. The share of successes counted
status 200 to 299 only in the first versions; where the counts tell otherwise, they
win and the printed figure is kept as such.

Source: vegeta 1.0, 1.1, 5.0.1, 5.6.3, 12.6, 12.8 and 12.13 `lib/reporters.go` and
`lib/metrics.go`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import zip_longest
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where, printable
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.text.pieces import Piece

from . import _vegeta, _vegeta_report
from . import _vegeta_lines as lines
from ._candidates import LinePart
from ._grammar import Report
from ._line import ReportLine, share

_COLUMNS: Final = {
    ("Requests", "total"): ("requests",),
    ("Requests", "throughput"): ("goodput_rps",),
    ("Duration", "total"): ("duration_s",),
    ("Duration", "wait"): ("wait_s",),
    ("Latencies", "min"): ("latency_min_s",),
    ("Latencies", "mean"): ("latency_mean_s",),
    ("Latencies", "max"): ("latency_max_s",),
    ("Bytes In", "total"): ("received_bytes", "body_bytes"),
    ("Bytes Out", "total"): ("sent_bytes",),
    ("Success", "ratio"): ("success_ratio",),
}
#: Figures that are kept as such, and their units.
_FIGURES: Final = {
    ("Requests", "rate"): "1/s",
    ("Requests", "throughput"): "1/s",
    ("Duration", "attack"): "s",
    ("Bytes In", "mean"): "B",
    ("Bytes Out", "mean"): "B",
}
_ABOVE_ERRORS: Final = (lines.STATUSES, lines.ERROR_SET)
#: Errors and ends of errors behind which nothing stands.
_REASONS: Final = frozenset(f"{status.value} {status.phrase}" for status in HTTPStatus)
_LAST_WORDS: Final = ("EOF", "connection refused", "connection reset by peer", ")")
_READERS: Final[Mapping[str, Callable[[str], float]]] = {
    "Duration": lines.duration,
    "Latencies": lines.duration,
    "Success": share,
}
_PERCENTILE: Final = re.compile(r"p?([0-9]{1,2}(?:\.[0-9]{1,9})?)(?:th)?")
#: Where a table has a new cell.
_CELLS: Final = re.compile(r":\s{2,}")
#: With what Go's errors begin, before the URL.
_METHOD: Final = re.compile(r"[A-Z][a-z]+")
_END_OF_ERRORS: Final = re.compile(
    r"```|~~~|[\W_]++$|!\[|,|\[Verbose\]|Bucket\s+#|Value\(ms\)"
    r"|(?:[$%❯➜]|PS [^>]{0,200}>|\[?[\w.-]+@\S{1,100}[#$%])(?:\s|$)"
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield every report in a text; an InputError where it is cut or garbled."""
    for report, errors, earlier in _latest(text):
        yield report.run(_figures, partial(_add_errors, listed=errors, earlier=earlier))


def _add_errors(
    record: RunRecord, report: Report, *, listed: Sequence[Piece], earlier: int
) -> None:
    kept, loss = _errors(record, report, listed)
    errors = [piece for piece in kept if not any(line.match(piece) for line in _ABOVE_ERRORS)]
    record.errors = dict.fromkeys(_CELLS.sub(": ", piece.text) for piece in errors)
    if len(errors) < len(kept):
        record.damaged("a line that is printed above the errors stands among them: left out")
    elif report.has(lines.ERROR_SET) and not report.has(lines.STATUSES):
        record.damaged("the line 'Status Codes' is missing")
    if loss is not None:
        record.damaged(loss)
    record.lines = (report.span[0], _last(report, listed))
    if earlier:
        record.notes.append(f"the last of {earlier + 1} reports that `-every` wrote of one attack")


def _latest(text: Text) -> Iterator[tuple[Report, Sequence[Piece], int]]:
    """Yield the reports with their errors, and how many before each told of the same attack.

    Before each report but the last `-every` clears the screen.
    """
    beginnings = (lines.REQUESTS, lines.DURATION, lines.LATENCIES)
    reports = []
    for report in lines.REPORT.reports(text):
        if any(map(report.get, beginnings)):
            reports.append(report)
        else:
            text.leave(report.span)
    earlier, before = 0, -1
    for report, after in zip_longest(reports, reports[1:]):
        first, errors = report.lines[0].number, list(_listed(report))
        _take_above(report, before)
        before = _last(report, errors)
        above = "".join(text.lines[max(first - 1, 0) : first + 1]) if after else ""
        if after and "\f" in above and not any(text.bare[before + 1 : after.span[0]]):
            after.start = report.start
            earlier += 1
            continue
        yield report, errors, earlier
        earlier = 0


def _take_above(report: Report, before: int) -> None:
    """Let a report begin with its end where that stands above it, too."""
    for at in range(report.start - 1, -1, -1):
        piece = report.pieces[at]
        if piece.number <= before or not piece.text or _END_OF_ERRORS.match(piece.text):
            return
        if lines.STATUSES.match(piece):
            report.start = at
            return


def _figures(record: RunRecord, report: Report) -> None:
    for line in report.lines:
        if line.line in lines.LABELS:
            _take(record, line, lines.LABELS[line.line])
        elif line.line is lines.STATUSES:
            record.statuses = _statuses(line)
    if report.get(lines.LATENCIES) is None or "latency_max_s" not in record.columns:
        raise report.broken_off(
            "the line 'Latencies' of vegeta's report", "the report is cut off here"
        )
    if report.loss is not None and not _takes_cut(record, report.cut):
        record.damaged(report.loss)
    _vegeta_report.complete(record, has_wait="wait_s" in record.columns)


def _takes_cut(record: RunRecord, line: ReportLine | None) -> bool:
    """Take the last line of a text that may be cut: status codes that have every request."""
    if line is None or line.line is not lines.STATUSES or not line.strict:
        return False
    statuses = _statuses(line)
    if sum(statuses.values()) != record.columns.get("requests"):
        return False
    record.statuses = statuses
    return True


def _take(record: RunRecord, line: ReportLine, label: str) -> None:
    items = [item.strip() for item in line["items"].split(",")]
    values = "".join(line["values"].split()).split(",")
    if len(values) != len(items):
        listed = ", ".join(items)
        raise InputError(
            f"{len(items)} figures after {printable(f'{label} [{listed}]')}",
            actual=f"{len(values)}",
            where=Where(line=line.number + 1),
            hint="the line seems to be cut or edited",
        )
    for item, printed in zip(items, values, strict=True):
        read = _READERS.get(label) or (units.whole if item == "total" else units.number)
        value = line.figure(printed, f"a figure as {printable(item)} of {label}", read)
        record.columns |= dict.fromkeys(_COLUMNS.get((label, item), ()), value)
        if (label, item) in _FIGURES:
            record.figure(label, item, value, unit=_FIGURES[label, item], printed=printed)
        if label == "Latencies" and (percentile := _PERCENTILE.fullmatch(item)):
            record.quantile(units.scaled(percentile[1], "1e-2"), value)


def _statuses(line: ReportLine) -> dict[int, int]:
    """Return the counts per status code of `0:2  200:58`."""
    statuses: dict[int, int] = {}
    for pair in line["pairs"].replace(",", " ").split():
        matched = re.fullmatch(r"(\d{1,3}):(\d{1,18})", pair, re.ASCII)
        if matched is None or int(matched[1]) in statuses:
            raise line.error("pairs of status code and count", pair)
        statuses[int(matched[1])] = int(matched[2])
    return statuses


def _errors(
    record: RunRecord, report: Report, listed: Sequence[Piece]
) -> tuple[Sequence[Piece], str | None]:
    """Return the errors that are whole, and what is lost of the others."""
    if listed and isinstance(report.pieces[report.stop], LinePart):
        return (), "the errors stand in a paragraph and are left out: where one ends is not told"
    end = report.stop + len(listed) + 1
    below = report.pieces[end : end + 3]
    if listed and not below and not _is_ended(listed[-1].text):
        return listed[:-1], f"line {listed[-1].number + 1} may be cut off and is left out"
    if any(map(_is_broken, listed)):
        return (), "errors that lost their quotation marks are left out"
    kinds = sum(code < 200 or code >= 400 for code in record.statuses)
    if len(listed) < kinds and not any(piece.text for piece in below):
        return listed, f"the errors break off below line {report.pieces[end - 1].number + 1}"
    return listed, None


def _is_broken(error: Piece) -> bool:
    """Whether a quotation mark, or what stood behind it, was taken for that of a string."""
    text = error.text  # none of Go's begins with a quotation mark
    return text.count('"') % 2 > 0 or text[:1] == '"' or _METHOD.fullmatch(text) is not None


def _is_ended(error: str) -> bool:
    """Whether nothing can be cut off behind an error."""
    quoted = error.count('"') % 2
    return error in _REASONS or (error.endswith(_LAST_WORDS) and not quoted)


def _listed(report: Report) -> Iterator[Piece]:
    """Yield the errors below `Error Set:`, a line each, in order of first appearance.

    They end at a blank line, a fence, a prompt or another report, and there are
    at most as many as requests that failed.
    """
    statuses = report.get(lines.STATUSES)
    if report.get(lines.ERROR_SET) is None or report.cut is not None:
        return
    counts = (
        re.findall(r"(?<![0-9])([0-9]{1,3}):([0-9]{1,18})", statuses["pairs"]) if statuses else ()
    )
    failed = sum(int(count) for code, count in counts if not 200 <= int(code) < 300)
    for number, piece in enumerate(report.below()):
        full = statuses is not None and number >= failed
        if full or not piece.text or _END_OF_ERRORS.match(piece.text):
            return
        yield piece


def _last(report: Report, errors: Sequence[Piece]) -> int:
    return errors[-1].number if errors else report.span[1]


PARSERS: Final = (
    TextParser(
        name="vegeta-text",
        reads="the text report of `vegeta report`, anywhere in a text",
        versions="1.0 to 12",
        fills=("latency_max_s",),
        may_fill=_vegeta_report.MAY_FILL,
        when=_vegeta_report.SINCE,
        detail=40,
        steps=_vegeta_report.STEPS,
        **_vegeta.SUMMARY,
        markers=("[total", "Latencies"),
        scan=scan,
    ),
)
