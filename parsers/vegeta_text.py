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
from benchkit.parsing import Found, TextParser
from benchkit.text import Text

from . import _vegeta, _vegeta_report
from ._vegeta_lines import LABELS, Line, read

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
class _Block:
    first: int
    lines: list[Line] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    last: int = 0

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self.last = line.last

    def near(self, number: int) -> bool:
        return number - self.last <= _BLANKS + 1

    def takes(self, line: Line) -> bool:
        """Whether a line can follow: labels come in order, and close together.

        Somebody's list may have the latencies last.
        """
        if not self.near(line.first) or line.label in {known.label for known in self.lines}:
            return False
        before = LABELS.index(self.lines[-1].label)
        last = line.label == "Latencies" and self.lines[0].label not in _HEADS
        return last or LABELS.index(line.label) > before


def scan(text: Text) -> Iterator[Found]:
    """Yield every report in a text; an InputError for one that is cut or garbled."""
    for block, earlier in _latest(text):
        try:
            record = read(block.lines)
        except InputError as error:
            yield error
            continue
        if "latency_max_s" not in record.columns:
            yield InputError(
                "the line 'Latencies' of vegeta's report",
                found="the end of the report",
                where=Where(line=block.last + 1),
                hint="the report is cut off here",
            )
            continue
        record.errors = dict.fromkeys(block.errors)
        record.lines = (block.first, block.last)
        if earlier:
            record.notes.append(
                f"the last of {earlier + 1} reports that `-every` wrote of one attack"
            )
        yield record


def _latest(text: Text) -> Iterator[tuple[_Block, int]]:
    """Yield the reports, each with how many before it told of the same attack.

    Before each report but the last `-every` clears the screen.
    """
    # The end of a report that has no beginning is none.
    blocks = [one for one in _blocks(text) if any(line.label in _HEADS for line in one.lines)]
    earlier, before = 0, -1
    for block, after in zip_longest(blocks, blocks[1:]):
        block.first = _first(text, block.first, before)
        before = block.last
        above = text.lines[max(block.lines[0].first - 1, 0) : block.lines[0].first + 1]
        if after and "\f" in "".join(above) and not any(text.bare[block.last + 1 : after.first]):
            after.first = block.first
            earlier += 1
            continue
        yield block, earlier
        earlier = 0


def _first(text: Text, first: int, before: int) -> int:
    """Return where a report begins: its end may stand above it, too."""
    for number in range(first - 1, before, -1):
        line = text.bare[number]
        if not line or _END_OF_ERRORS.match(line):
            break
        if line.startswith("Status Codes") and any(_labelled(text.bare, number)):
            return number
    return first


def _blocks(text: Text) -> Iterator[_Block]:
    """Yield the lines that belong together, and the errors below them."""
    lines, block, number = text.bare, None, 0
    while number < len(lines):
        found = list(_labelled(lines, number))
        for line in found:
            if block is not None and not block.takes(line):
                yield block
                block = None
            block = block or _Block(line.first)
            block.add(line)
        if found:
            number = found[-1].last
        elif block is not None and lines[number]:
            if _ERROR_SET.match(lines[number]) and block.near(number):
                _take_errors(block, text, number)
                number = block.last
            yield block
            block = None
        number += 1
    if block is not None:
        yield block


def _labelled(lines: Sequence[str], number: int) -> Iterator[Line]:
    """Yield what stands on one line: a label with its figures, or several of them."""
    line = lines[number]
    matches = list(_LABEL.finditer(line)) if "[" in line else []
    if not matches or not _PREFIX.fullmatch(line[: matches[0].start()]):
        return
    ends = [*(matched.start() for matched in matches[1:]), len(line)]
    for matched, end in zip(matches, ends, strict=True):
        items = [item.strip() for item in matched[2].split(",")]
        values, last = line[matched.end() : end].partition("Error Set:")[0].strip(_EDGE), number
        while last + 1 < len(lines) and _goes_on(matched[1], items, values, lines[last + 1]):
            last += 1  # a page or a terminal broke the line
            values += lines[last].rstrip(_EDGE)
        if re.match(r"[-+]?\.?[0-9]", values):
            yield Line(number, last, " ".join(matched[1].split()), items, values)


def _goes_on(label: str, items: Sequence[str], values: str, below: str) -> bool:
    """Whether the line below has the rest of some figures."""
    if label not in {"Duration", "Latencies"} or not _FIGURES.fullmatch(below):
        return values.endswith(",") and below[:1].isdigit()
    found = values.split(",")
    return len(found) < len(items) or not found[-1].endswith("s") or below == "s"


def _take_errors(block: _Block, text: Text, number: int) -> None:
    """Take the errors below `Error Set:`, a line each, in order of first appearance.

    They end at a blank line, a fence, a prompt or another report, and there are
    at most as many as requests that failed.
    """
    block.last = number
    left = _failed(block.lines)
    for at in range(number + 1, len(text)):
        line = text.bare[at]
        if not line or left == 0 or _END_OF_ERRORS.match(text.lines[at].strip()):
            return
        if _END_OF_ERRORS.match(line) or list(_labelled(text.bare, at)) or _ERROR_SET.match(line):
            return
        block.errors.append(line)
        block.last = at
        left -= 1


def _failed(lines: Sequence[Line]) -> int:
    """Return how many requests failed, -1 where the status codes are not there."""
    if lines[-1].label != "Status Codes":
        return -1
    pairs = re.findall(r"([0-9]+):([0-9]{1,18})", lines[-1].values)
    return sum(int(count) for code, count in pairs if not 200 <= int(code) < 300)


PARSERS: Final = (
    TextParser(
        name="vegeta-text",
        tool="vegeta",
        reads="the text report of `vegeta report`, anywhere in a text",
        versions="1.0 to 12",
        fills=("latency_max_s",),
        may_fill=_vegeta_report.MAY_FILL,
        when=_vegeta_report.SINCE,
        detail=40,
        place=None,  # vegeta estimates, by a t-digest
        steps=_vegeta_report.STEPS,
        constants=_vegeta.CONSTANTS,
        markers=("[total", "Latencies"),
        scan=scan,
    ),
)
