"""The lines of a report in wrk's layout.

wrk, wrk2 and Hyperfoil's imitation print the same skeleton; this module tells what
a line is within it, and whose report its lines make.

Source: wg/wrk 2.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`;
Hyperfoil 9247c26, `WrkAbstract.java`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Literal

from benchkit.parsers._wrk_edits import in_english, unmarked, without_remark
from benchkit.parsers._wrk_pieces import Piece

#: A text with none of these has no line by which a report, or the rest of one, begins.
MARKERS: Final = (
    *("threads and", "Thread Stats", "Req/Sec", "Latency Distribution", "1/(1-Percentile)"),
    " requests in ",
)
Flavour = Literal["wrk", "wrk2", "hyperfoil"]


class Token(IntEnum):
    """What a line is; a report prints them in this order."""

    RUNNING = 0
    THREADS = 1
    CALIBRATION = 2
    RESULTS = 3
    HEADER = 4
    LATENCY = 5
    RATE = 6
    DISTRIBUTION = 7
    QUANTILE = 8
    SPECTRUM = 9
    COLUMNS = 10
    STEP = 11
    FOOTER = 12
    RULE = 13
    SUMMARY = 14
    SOCKET = 15
    STATUS = 16
    THROUGHPUT = 17
    TRANSFER = 18


#: Numbers are matched loosely: what stands where a number belongs and is none is an error.
_PATTERNS: Final = {
    Token.RUNNING: re.compile(
        r"(?:Running (?P<time>[0-9]\S*) test @|Making (?P<count>[0-9]\S*) requests to) (?P<url>\S+)"
    ),
    Token.THREADS: re.compile(r"([0-9]+) threads and ([0-9]+) connections$"),
    Token.CALIBRATION: re.compile(
        r"Thread calibration: mean lat\.: (\S+? ?[mu]s)(?:ec)?, "
        r"rate sampling interval: (\S+? ?ms)(?:ec)?$"
    ),
    Token.RESULTS: re.compile(r"Test Results @ (\S+)$"),  # DeathStarBench's wrk2
    Token.HEADER: re.compile(
        r"Thread Stats\s+(Avg\s+Stdev\s+(?:Max|[0-9][0-9](?:\.[0-9]+)?%)\s+(?:\+/-|±) ?Stdev)$"
    ),
    Token.LATENCY: re.compile(r"Latency\s+(?!Distribution)(\S.*)"),
    Token.RATE: re.compile(r"Req/Sec\s+(\S.*)"),
    Token.DISTRIBUTION: re.compile(
        r"Latency Distribution(?:\s*\(HdrHistogram(?:\s*-\s*(.*))?\))?$"
    ),
    Token.QUANTILE: re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?)%\s+(\S.*)"),
    Token.SPECTRUM: re.compile(r"Detailed Percentile ([Ss])pectrum:?$"),
    Token.COLUMNS: re.compile(r"Value\s+Percentile\s+TotalCount\b"),
    Token.STEP: re.compile(
        r"([0-9]+\.[0-9]+)\s+([01]\.[0-9]+)\s+([0-9]+)(?:\s+(?:[0-9]+\.[0-9]+|inf))?$"
    ),
    Token.FOOTER: re.compile(r"#\[(.*)\]$"),
    Token.RULE: re.compile(r"-{20,}$"),
    Token.SUMMARY: re.compile(r"(\S.*?) requests in (\S+(?: [a-z]+)?),\s+(\S.*?)\s+read\.?$"),
    Token.SOCKET: re.compile(r"Socket errors:\s*(\S.*)"),
    Token.STATUS: re.compile(r"Non-2xx or 3xx responses:\s*(\S+)$"),
    Token.THROUGHPUT: re.compile(r"Requests/sec:\s*(\S.*)"),
    Token.TRANSFER: re.compile(r"Transfer/sec:\s*(\S.*)"),
}
#: Lines that end as the tool prints them, or not at all.
_BARE_OF_REMARKS: Final = frozenset(
    (
        Token.RUNNING,
        Token.RESULTS,
        Token.DISTRIBUTION,
        Token.SPECTRUM,
        Token.COLUMNS,
        Token.STEP,
        Token.FOOTER,
        Token.RULE,
    )
)
_LONGEST: Final = 500
_LONGEST_URL: Final = 20_000


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A recognised line: its number from 0, its kind, and its parts."""

    number: int
    kind: Token
    match: re.Match[str]

    def __getitem__(self, group: int) -> str:
        return self.match[group] or ""


@dataclass
class WrkBlock:
    """The recognised lines of one report, in order.

    Attributes:
        lines: The lines.
        batch_size: How many were printed at once; lines that tell them apart are missing.
        first: The line where the report begins, if not with the first of `lines`.
    """

    lines: list[ReportLine] = field(default_factory=list)
    batch_size: int = 1
    first: int | None = None

    @property
    def span(self) -> tuple[int, int]:
        """First and last line, from 0."""
        first = self.lines[0].number if self.first is None else self.first
        return first, self.lines[-1].number

    def get(self, kind: Token) -> ReportLine | None:
        """Return the first line of a kind."""
        return next(self.all(kind), None)

    def all(self, kind: Token) -> Iterator[ReportLine]:
        """Yield the lines of a kind."""
        return (line for line in self.lines if line.kind is kind)

    @property
    def flavour(self) -> Flavour:
        """Whose report it is, by what only that tool prints."""
        if _is_hyperfoil(self):
            return "hyperfoil"
        return "wrk2" if _is_wrk2(self) else "wrk"


def classify(piece: Piece) -> ReportLine | None:
    """Return a piece of text as the line of a report, None where it is none."""
    line = unmarked(piece.shown)
    limit = _LONGEST_URL if line.startswith(("Running ", "Making ")) else _LONGEST
    if not line or len(line) > limit:
        return None
    shown = in_english(without_remark(line))
    for kind, pattern in _PATTERNS.items():
        matched = pattern.match(line if kind in _BARE_OF_REMARKS else shown)
        if matched:
            return ReportLine(piece.number, kind, matched)
    return None


def _is_hyperfoil(block: WrkBlock) -> bool:
    rate, size = block.get(Token.RATE), block.get(Token.SUMMARY)
    transfer, socket = block.get(Token.TRANSFER), block.get(Token.SOCKET)
    return bool(
        (rate and len(rate[1].split()) == 4 and not rate[1].endswith("%"))
        or (size and size[3].endswith("kB"))
        or (transfer and transfer[1].endswith("kB"))
        or (socket and "connectionErrors" in socket[1])
        or any(line[1] == "S" for line in block.all(Token.SPECTRUM))
    )


def _is_wrk2(block: WrkBlock) -> bool:
    # Quantiles have three decimals; and wrk2 divides by the empty histogram's
    # count where wrk prints 0.00.
    empty = (block.get(Token.LATENCY), block.get(Token.RATE))
    return (
        any(line.kind in {Token.CALIBRATION, Token.SPECTRUM, Token.FOOTER} for line in block.lines)
        or any("HdrHistogram" in line.match[0] for line in block.all(Token.DISTRIBUTION))
        or any(line[1][-4:-3] == "." for line in block.all(Token.QUANTILE))
        or any(row and "nan" in row[1].split()[0] for row in empty)
    )
