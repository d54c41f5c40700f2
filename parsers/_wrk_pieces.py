"""The pieces of text that the lines of a report became.

As a tool prints it, every line is one piece. A web page, a comment or a table may
have run the lines of a report together, and wrapped them anew: there a paragraph is
taken apart where a line of the report can begin. Of columns with reports side by
side, with bars or tabs between, one follows the other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from benchkit.parsers._wrk_edits import ROW
from benchkit.text import Text

_N: Final = r"[0-9][0-9,]{0,30}"
_SIZE: Final = r"[0-9][0-9.,]{0,20}\s?[kKMGTP]?B"
#: What each line of a report is when nothing is left of its ends.
_LINES: Final = {
    "running": (
        r"(?:Running\s+[0-9]\S{0,10}\s+test\s+@|Making\s+[0-9]{1,12}\s+requests\s+to)\s+[^\s|]+"
    ),
    "threads": r"[0-9]{1,6}\s+threads\s+and\s+[0-9]{1,9}\s+connections",
    "calibration": (
        r"Thread\s+calibration:\s+mean\s+lat\.:\s+\S+?\s?[mu]s(?:ec)?,\s+"
        r"rate\s+sampling\s+interval:\s+\S+?\s?ms(?:ec)?"
    ),
    "results": r"Test\s+Results\s+@\s+[^\s|]+",
    "header": (
        r"Thread\s+Stats\s+Avg\s+Stdev\s+(?:Max|[0-9][0-9](?:\.[0-9]+)?%)\s+(?:\+/-|±)\s*Stdev"
    ),
    "latency": rf"Latency\s+{ROW}",
    "rate": rf"Req/Sec\s+{ROW}",
    "distribution": (
        r"Latency\s+Distribution"
        r"(?:\s*\(HdrHistogram(?:\s*-\s*[^()]{0,40}(?:\([^()]{0,90}\))?)?\))?"
    ),
    "quantile": r"[0-9]{1,3}(?:\.[0-9]+)?%\s+[0-9]+\.[0-9]+\s?(?:us|ms|s|m|h)\b",
    "spectrum": r"Detailed\s+Percentile\s+[Ss]pectrum:?",
    "columns": r"Value\s+Percentile\s+TotalCount\s+1/\(1-Percentile\)",
    "step": r"[0-9]+\.[0-9]{3}\s+[01]\.[0-9]{6,12}\s+[0-9]{1,18}\s+(?:[0-9]+\.[0-9]{2}|inf)\b",
    "footer": r"#\[[^\[\]]{1,120}\]",
    "rule": r"-{20,90}",
    "summary": rf"{_N}\s+requests\s+in\s+[0-9]\S{{0,20}},\s+{_SIZE}\s+read",
    "socket": (
        r"Socket\s+errors:\s*connect\s+-?[0-9]+,\s+read\s+-?[0-9]+,\s+"
        r"write\s+-?[0-9]+,\s+timeout\s+-?[0-9]+"
    ),
    "status": r"Non-2xx\s+or\s+3xx\s+responses:\s*-?[0-9]+",
    "throughput": r"Requests/sec:\s*[0-9][0-9.,]{0,30}",
    "transfer": rf"Transfer/sec:\s*{_SIZE}",
}
_ANY: Final = re.compile(
    r"(?<![\w./-])(?:" + "|".join(f"(?P<{name}>{line})" for name, line in _LINES.items()) + ")"
)
_TABLE: Final = frozenset(("running", "threads", "header", "summary", "throughput"))
_RULE: Final = re.compile(r"[|:\s-]+")
_BAR: Final = re.compile(r"[|│\t]")
_MOST_COLUMNS: Final = 20
_MARKED: Final = re.compile("Running |threads and|Thread Stats|requests in|Requests/sec:")
_LONGEST: Final = 200_000
_ESCAPED: Final = re.compile(r"\\+[nrt]")


class Piece(NamedTuple):
    """A piece of text: the line it begins on, from 0, and what it says."""

    number: int
    shown: str


def pieces(text: Text) -> list[Piece]:
    """Return the pieces of a text, in order, that may be lines of reports."""
    listed: list[Piece] = []
    for first, paragraph in _paragraphs(text.bare):
        lines, apart = paragraph, []
        if any(map(_MARKED.search, paragraph)):
            lines = _untabled(paragraph)
            apart = _apart(first, lines)
        listed += apart or [Piece(first + at, line) for at, line in enumerate(lines)]
    return listed


def _untabled(lines: list[str]) -> list[str]:
    """Return the rows of a Markdown table that somebody made of the figures as lines."""
    if not any(line.startswith("|") and "Thread Stats" in line for line in lines):
        return lines
    return [
        "" if _RULE.fullmatch(line) else " ".join(_BAR.sub(" ", line).split()) for line in lines
    ]


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line and the lines of each stretch without a blank line or a fence."""
    current: list[str] = []
    for number, line in enumerate(lines):
        if line and not line.startswith(("```", "~~~")):
            current.append(line)
            continue
        if current:
            yield number - len(current), current
            current = []
        yield number, [line]
    if current:
        yield len(lines) - len(current), current


def _apart(first: int, lines: Sequence[str]) -> list[Piece]:
    """Return the lines of reports in a paragraph that was filled anew, else nothing."""
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    if starts[-1] > _LONGEST:
        return []
    joined = _unescaped(" ".join(lines))
    matches = list(_ANY.finditer(joined))
    if _side_by_side(matches):
        return _columns(first, lines)
    if not _filled(matches, frozenset(starts)):
        return []
    listed, last = [], 0
    for matched in matches:
        between = (last, joined[last : matched.start()].strip())
        for start, shown in (between, (matched.start(), matched[0])):
            if shown:
                number = first + bisect_right(starts, start) - 1
                listed.append(Piece(number, " ".join(shown.split())))
        last = matched.end()
    return listed


def _side_by_side(matches: Sequence[re.Match[str]]) -> bool:
    kinds = [matched.lastgroup for matched in matches]
    twice = {kind for kind, below in pairwise(kinds) if kind == below}
    return len(twice & _TABLE) > 2


def _columns(first: int, lines: Sequence[str]) -> list[Piece]:
    """Return the cells of lines, column by column."""
    rows = [_BAR.split(line.strip("|")) for line in lines]
    return [
        Piece(first + at, cells[column].strip())
        for column in range(min(max(map(len, rows)), _MOST_COLUMNS))
        for at, cells in enumerate(rows)
        if column < len(cells)
    ]


def _filled(matches: Sequence[re.Match[str]], starts: Container[int]) -> bool:
    """Whether lines of a report begin within lines, one report behind the other."""
    within = {matched.lastgroup for matched in matches if matched.start() not in starts}
    return len(within) > 1 and not _TABLE.isdisjoint(within)


def _unescaped(line: str) -> str:
    """Return a line without the line ends of a quoted string, as long as before."""
    return _ESCAPED.sub(lambda end: " " * len(end[0]), line) if "\\" in line else line
