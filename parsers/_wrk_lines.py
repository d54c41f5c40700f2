"""The lines of a report in wrk's layout, and where a report begins and ends.

wrk, wrk2 and Hyperfoil's imitation print the same skeleton; this module finds
the reports of all three in a text and says whose each one is.

Source: wg/wrk 2.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`;
Hyperfoil 9247c26, `WrkAbstract.java`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Literal

from benchkit.parsers._wrk_pieces import Piece, pieces
from benchkit.text import Text

Flavour = Literal["wrk", "wrk2", "hyperfoil"]


class Kind(IntEnum):
    """What a line is; a report prints them in this order."""

    RUNNING = 0
    THREADS = 1
    CALIBRATION = 2
    HEADER = 3
    LATENCY = 4
    RATE = 5
    DISTRIBUTION = 6
    QUANTILE = 7
    SPECTRUM = 8
    COLUMNS = 9
    STEP = 10
    FOOTER = 11
    RULE = 12
    SUMMARY = 13
    SOCKET = 14
    STATUS = 15
    THROUGHPUT = 16
    TRANSFER = 17


#: Numbers are matched loosely: what stands where a number belongs and is none is an error.
_PATTERNS: Final = {
    Kind.RUNNING: re.compile(r"Running ([0-9]\S*) test @ (\S+)"),
    Kind.THREADS: re.compile(r"([0-9]+) threads and ([0-9]+) connections$"),
    Kind.CALIBRATION: re.compile(
        r"Thread calibration: mean lat\.: (\S+? ?[mu]s)(?:ec)?, "
        r"rate sampling interval: (\S+? ?ms)(?:ec)?$"
    ),
    Kind.HEADER: re.compile(
        r"Thread Stats\s+(Avg\s+Stdev\s+(?:Max|[0-9][0-9](?:\.[0-9]+)?%)\s+\+/- Stdev)$"
    ),
    Kind.LATENCY: re.compile(r"Latency\s+(?!Distribution)(\S.*)"),
    Kind.RATE: re.compile(r"Req/Sec\s+(\S.*)"),
    Kind.DISTRIBUTION: re.compile(r"Latency Distribution(?:\s*\(HdrHistogram(?:\s*-\s*(.*))?\))?$"),
    Kind.QUANTILE: re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?)%\s+(\S.*)"),
    Kind.SPECTRUM: re.compile(r"Detailed Percentile ([Ss])pectrum:?$"),
    Kind.COLUMNS: re.compile(r"Value\s+Percentile\s+TotalCount\b"),
    Kind.STEP: re.compile(
        r"([0-9]+\.[0-9]+)\s+([01]\.[0-9]+)\s+([0-9]+)(?:\s+(?:[0-9]+\.[0-9]+|inf))?$"
    ),
    Kind.FOOTER: re.compile(r"#\[(.*)\]$"),
    Kind.RULE: re.compile(r"-{20,}$"),
    Kind.SUMMARY: re.compile(r"(\S.*?) requests in (\S+),\s+(\S.*?)\s+read$"),
    Kind.SOCKET: re.compile(r"Socket errors:\s*(\S.*)"),
    Kind.STATUS: re.compile(r"Non-2xx or 3xx responses:\s*(\S+)$"),
    Kind.THROUGHPUT: re.compile(r"Requests/sec:\s*(\S.*)"),
    Kind.TRANSFER: re.compile(r"Transfer/sec:\s*(\S.*)"),
}
_REPEATED: Final = {Kind.CALIBRATION, Kind.QUANTILE, Kind.STEP, Kind.FOOTER}
_ELIDED: Final = re.compile(r"[.…]{2,}$|…$")
#: What a terminal shows of keys that were pressed: interrupt, arrows.
_ECHO: Final = re.compile(r"(?:\^(?:\[\[[A-D0-9;~FH]{1,5}|[@-_]))+\s*")
_LONGEST: Final = 500
_LONGEST_URL: Final = 20_000
#: So many foreign or blank lines may stand between two lines of a report.
_FOREIGN: Final = 3
_BLANK: Final = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A recognised line: its number from 0, its kind, and its parts."""

    number: int
    kind: Kind
    match: re.Match[str]

    def __getitem__(self, group: int) -> str:
        return self.match[group] or ""


@dataclass
class Block:
    """The recognised lines of one report, in order."""

    lines: list[Line] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """First and last line, from 0."""
        return self.lines[0].number, self.lines[-1].number

    def get(self, kind: Kind) -> Line | None:
        """Return the first line of a kind."""
        return next(self.all(kind), None)

    def all(self, kind: Kind) -> Iterator[Line]:
        """Yield the lines of a kind."""
        return (line for line in self.lines if line.kind is kind)

    @property
    def flavour(self) -> Flavour:
        """Whose report it is, by what only that tool prints."""
        if _is_hyperfoil(self):
            return "hyperfoil"
        return "wrk2" if _is_wrk2(self) else "wrk"


def blocks(text: Text) -> Iterator[Block]:
    """Yield every report in a text, whole or broken, of whichever of the three tools.

    A report begins with `Running …` and the line of threads below it, or, where
    those were cut away, with the header row and a row of figures below it.
    """
    found = pieces(text)
    at = 0
    while at < len(found):
        if _may_start(found[at].shown) and _starts(found, at):
            block, at = _gather(found, at)
            yield block
        else:
            at += 1


def classify(piece: Piece) -> Line | None:
    """Return what a piece of text is within a report, None where it belongs to none."""
    line = _ECHO.sub("", piece.shown, count=1)
    limit = _LONGEST_URL if line.startswith("Running ") else _LONGEST
    if not line or len(line) > limit:
        return None
    for kind, pattern in _PATTERNS.items():
        matched = pattern.match(line)
        if matched:
            return Line(piece.number, kind, matched)
    return None


def _may_start(line: str) -> bool:
    return "Running " in line or "threads and" in line or "Thread Stats" in line


def _starts(found: Sequence[Piece], at: int) -> bool:
    line = classify(found[at])
    if line is None or line.kind not in {Kind.RUNNING, Kind.THREADS, Kind.HEADER}:
        return False
    below = next((piece for piece in found[at + 1 : at + 4] if piece.shown), None)
    after = classify(below) if below is not None else None
    if after is None:
        return False
    if line.kind is Kind.RUNNING:
        return after.kind is Kind.THREADS
    if line.kind is Kind.THREADS:
        return after.kind in {Kind.CALIBRATION, Kind.HEADER}
    return after.kind in {Kind.LATENCY, Kind.RATE}


def _gather(found: Sequence[Piece], start: int) -> tuple[Block, int]:
    """Return the report that begins at a piece, and the piece behind it."""
    block, end = Block(), start + 1
    foreign = blank = 0
    for at in range(start, len(found)):
        shown = found[at].shown
        line = classify(found[at])
        before = block.lines[-1].kind if block.lines else Kind.RUNNING
        if line is not None:
            if block.lines and not _follows(block, line, foreign=foreign):
                break
            block.lines.append(line)
            end = at + 1
            foreign = blank = 0
        elif not shown or _ELIDED.match(shown):
            blank += 1
        else:
            foreign += 1
        if shown.startswith(("```", "~~~")) or _too_far(before, foreign=foreign, blank=blank):
            break
    return block, end


def _follows(block: Block, line: Line, *, foreign: int) -> bool:
    """Whether a line continues the report, or belongs to what comes after it."""
    before = block.lines[-1].kind
    if line.kind in {Kind.SOCKET, Kind.STATUS}:
        # Hyperfoil prints them at the very end.
        return before >= Kind.SUMMARY and block.get(line.kind) is None and not foreign
    if before >= Kind.THROUGHPUT:
        late = line.kind is Kind.TRANSFER and before is Kind.THROUGHPUT
        return late and not foreign
    if before <= Kind.CALIBRATION and foreign:
        # A script may print while the run lasts; then the table must come.
        return line.kind in {Kind.CALIBRATION, Kind.HEADER}
    if line.kind is Kind.DISTRIBUTION:
        return before < Kind.SUMMARY
    return line.kind > before or (line.kind == before and line.kind in _REPEATED)


def _too_far(before: Kind, *, foreign: int, blank: int) -> bool:
    if before <= Kind.CALIBRATION:
        return False
    if before >= Kind.THROUGHPUT:
        return foreign > 0 or blank > 1
    return foreign > _FOREIGN or blank > _BLANK


def _is_hyperfoil(block: Block) -> bool:
    rate, size = block.get(Kind.RATE), block.get(Kind.SUMMARY)
    transfer, socket = block.get(Kind.TRANSFER), block.get(Kind.SOCKET)
    return bool(
        (rate and len(rate[1].split()) == 4 and not rate[1].endswith("%"))
        or (size and size[3].endswith("kB"))
        or (transfer and transfer[1].endswith("kB"))
        or (socket and "connectionErrors" in socket[1])
        or any(line[1] == "S" for line in block.all(Kind.SPECTRUM))
    )


def _is_wrk2(block: Block) -> bool:
    # Quantiles have three decimals; and wrk2 divides by the empty histogram's
    # count where wrk prints 0.00.
    empty = (block.get(Kind.LATENCY), block.get(Kind.RATE))
    return (
        any(line.kind in {Kind.CALIBRATION, Kind.SPECTRUM, Kind.FOOTER} for line in block.lines)
        or any("HdrHistogram" in line.match[0] for line in block.all(Kind.DISTRIBUTION))
        or any(line[1][-4:-3] == "." for line in block.all(Kind.QUANTILE))
        or any(row and "nan" in row[1].split()[0] for row in empty)
    )
