"""vegeta's text report: `vegeta report`, of every version since 1.0.

A line is a label, the list of what its figures are, and the figures; the list has
changed over time (1.0 `[mean, 95, 99, max]`, 12.8 `[min, mean, 50, 90, 95, 99,
max]`), so figures are read by it. From 12.8 on times are rounded to the next
smaller unit: `2m0s` may be half a second off.

Up to 5.0.0 the duration is from first to last send. The share of successes counted
status 200 to 299 only in the first versions; where the counts tell otherwise, they
win and the printed figure is kept as such.

Source: vegeta 1.0, 1.1, 5.0.1, 5.6.3, 12.6, 12.8 and 12.13 `lib/reporters.go` and
`lib/metrics.go`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, TextParser
from benchkit.text import Text

from . import _vegeta, _vegeta_report
from ._vegeta_lines import LABELS, LabelledLine, read

_ITEM: Final = (
    r"(?:total|rate|throughput|attack|wait|min|mean|max|ratio|code:count|p?[0-9][0-9.]*(?:th)?)"
)
_LABEL: Final = re.compile(
    rf"\b({'|'.join(label.replace(' ', chr(92) + 's+') for label in LABELS)})"
    rf"[\s|*`]*\\?\[({_ITEM}(?:,\s*{_ITEM})*)\\?\][\s|*`]*"
)
_PREFIX: Final = re.compile(r"(?:\S{0,60}\s*\|)?[\s*`]*")
_EDGE: Final = " \t|*`"
#: The rest of a line of durations: `4ms, 6.1s`, `.5µs`, `, 7s`, `s`.
_FIGURES: Final = re.compile(r"[0-9.hmnuµμ]*s?(?:,\s*[0-9][0-9.hmnuµμ]*s?)*,?")
_HEADS: Final = LABELS[:3]
_ERROR_SET: Final = re.compile(r"Error Set:")
_END_OF_ERRORS: Final = re.compile(
    r"```|~~~|!\[|\[Verbose\]|Bucket\s+#|Value\(ms\)"
    r"|(?:[$%❯➜]|PS [^>]{0,200}>|\[?[\w.-]+@\S{1,100}[#$%])(?:\s|$)"
)
#: Blank lines that a page may put between two lines of a report.
_BLANKS: Final = 2


@dataclass
class _Report:
    first: int
    lines: list[LabelledLine] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    last: int = 0

    def add(self, line: LabelledLine) -> None:
        self.lines.append(line)
        self.last = line.last

    def near(self, number: int) -> bool:
        return number - self.last <= _BLANKS + 1

    def takes(self, line: LabelledLine) -> bool:
        """Whether a line can follow: labels come in order, and close together.

        Somebody's list may have the latencies last.
        """
        if not self.near(line.first) or line.label in {known.label for known in self.lines}:
            return False
        before = LABELS.index(self.lines[-1].label)
        last = line.label == "Latencies" and self.lines[0].label not in _HEADS
        return last or LABELS.index(line.label) > before


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield every report in a text; an InputError where it is cut or garbled."""
    for report, earlier in _latest(text):
        try:
            record = read(report.lines)
        except InputError as error:
            yield error
            continue
        if "latency_max_s" not in record.columns:
            yield InputError(
                "the line 'Latencies' of vegeta's report",
                actual="the end of the report",
                where=Where(line=report.last + 1),
                hint="the report is cut off here",
            )
            continue
        record.errors = dict.fromkeys(report.errors)
        record.lines = (report.first, report.last)
        if earlier:
            record.notes.append(
                f"the last of {earlier + 1} reports that `-every` wrote of one attack"
            )
        yield record


def _latest(text: Text) -> Iterator[tuple[_Report, int]]:
    """Yield the reports, each with how many before it told of the same attack.

    Before each report but the last `-every` clears the screen.
    """
    # The end of a report that has no beginning is none.
    reports = [r for r in _reports(text) if any(line.label in _HEADS for line in r.lines)]
    earlier, before = 0, -1
    for report, after in zip_longest(reports, reports[1:]):
        report.first = _first(text, report.first, before)
        before = report.last
        above = text.lines[max(report.lines[0].first - 1, 0) : report.lines[0].first + 1]
        if after and "\f" in "".join(above) and not any(text.bare[report.last + 1 : after.first]):
            after.first = report.first
            earlier += 1
            continue
        yield report, earlier
        earlier = 0


def _first(text: Text, first: int, before: int) -> int:
    """Return the first line of a report: its end may stand above it, too."""
    for number in range(first - 1, before, -1):
        line = text.bare[number]
        if not line or _END_OF_ERRORS.match(line):
            break
        if line.startswith("Status Codes") and any(_labelled(text.bare, number)):
            return number
    return first


def _reports(text: Text) -> Iterator[_Report]:
    """Yield the lines that belong together, and the errors below them."""
    lines, report, number = text.bare, None, 0
    while number < len(lines):
        labelled = list(_labelled(lines, number))
        for line in labelled:
            if report is not None and not report.takes(line):
                yield report
                report = None
            report = report or _Report(line.first)
            report.add(line)
        if labelled:
            number = labelled[-1].last
        elif report is not None and lines[number]:
            if _ERROR_SET.match(lines[number]) and report.near(number):
                _take_errors(report, text, number)
                number = report.last
            yield report
            report = None
        number += 1
    if report is not None:
        yield report


def _labelled(lines: Sequence[str], number: int) -> Iterator[LabelledLine]:
    """Yield what stands on one line: a label with its figures, or several of them."""
    line = lines[number]
    matches = list(_LABEL.finditer(line)) if "[" in line else []
    if not matches or not _PREFIX.fullmatch(line[: matches[0].start()]):
        return
    stops = [*(matched.start() for matched in matches[1:]), len(line)]
    for matched, stop in zip(matches, stops, strict=True):
        items = [item.strip() for item in matched[2].split(",")]
        values, last = line[matched.end() : stop].partition("Error Set:")[0].strip(_EDGE), number
        while last + 1 < len(lines) and _goes_on(matched[1], items, values, lines[last + 1]):
            last += 1  # a page or a terminal broke the line
            values += lines[last].rstrip(_EDGE)
        if re.match(r"[-+]?\.?[0-9]", values):
            yield LabelledLine(number, last, " ".join(matched[1].split()), items, values)


def _goes_on(label: str, items: Sequence[str], values: str, below: str) -> bool:
    """Whether the line below has the rest of some figures."""
    if label not in {"Duration", "Latencies"} or not _FIGURES.fullmatch(below):
        return values.endswith(",") and below[:1].isdigit()
    figures = values.split(",")
    return len(figures) < len(items) or not figures[-1].endswith("s") or below == "s"


def _take_errors(report: _Report, text: Text, number: int) -> None:
    """Take the errors below `Error Set:`, a line each, in order of first appearance.

    They end at a blank line, a fence, a prompt or another report, and there are
    at most as many as requests that failed.
    """
    report.last = number
    left = _failed(report.lines)
    for at in range(number + 1, len(text)):
        line = text.bare[at]
        if not line or left == 0 or _END_OF_ERRORS.match(text.lines[at].strip()):
            return
        if _END_OF_ERRORS.match(line) or list(_labelled(text.bare, at)) or _ERROR_SET.match(line):
            return
        report.errors.append(line)
        report.last = at
        left -= 1


def _failed(lines: Sequence[LabelledLine]) -> int:
    """Return the number of failed requests, -1 where the status codes are not there."""
    if lines[-1].label != "Status Codes":
        return -1
    pairs = re.findall(r"([0-9]+):([0-9]{1,18})", lines[-1].values)
    return sum(int(count) for code, count in pairs if not 200 <= int(code) < 300)


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
