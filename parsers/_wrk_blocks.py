"""Where reports in wrk's layout begin and end in a text.

Source: wg/wrk 2.0.0 to 4.2.0 and giltene/wrk2 44a94c1, `src/wrk.c`;
Hyperfoil 9247c26, `WrkAbstract.java`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.parsers._wrk_edits import is_row
from benchkit.parsers._wrk_lines import ReportLine, Token, WrkBlock, classify
from benchkit.parsers._wrk_parallel import apart
from benchkit.parsers._wrk_pieces import Piece, pieces
from benchkit.text import Text

_REPEATED: Final = {Token.CALIBRATION, Token.QUANTILE, Token.STEP, Token.FOOTER}
#: What a report, or the rest of one, may begin with, and what must then stand below.
_BELOW: Final = {
    Token.RUNNING: {Token.THREADS, Token.CALIBRATION, Token.RESULTS, Token.HEADER},
    Token.THREADS: {Token.CALIBRATION, Token.HEADER},
    Token.RESULTS: {Token.HEADER},
    Token.HEADER: {Token.LATENCY, Token.RATE},
    Token.LATENCY: {Token.RATE},
    Token.DISTRIBUTION: {Token.QUANTILE},
    Token.SPECTRUM: {Token.COLUMNS},
    Token.COLUMNS: {Token.STEP},
    Token.SUMMARY: {Token.SOCKET, Token.STATUS, Token.THROUGHPUT},
}
_MARKED: Final = re.compile(
    r"Running |Making |threads and|Test Results|Thread Stats|Latency|Percentile|requests in "
)
#: So many lines may stand between two parts of a report, and none of these.
_BETWEEN: Final = 12
_APART: Final = re.compile(r"\s{0,3}#{1,6}\s|\s*(?:[^|]{0,60}[$#%>❯➜]\s+)?(?:\S*/)?wrk2?\s")
#: What may stand there where the part above is all head, or has its end.
_NOTHING: Final = re.compile(r"\s*(?:(?:```|~~~)\w*|[|:\s-]*)")
_ELIDED: Final = re.compile(r"[.…]{2,}$|…$")
_DIGITS: Final = "0123456789"
#: So many foreign or blank lines may stand between two lines of a report.
_FOREIGN: Final = 3
_BLANK: Final = 3


def blocks(text: Text) -> list[WrkBlock]:
    """Return every report in a text, whole or broken, of whichever of the three tools.

    A report begins with `Running …` and the line of threads below it, or, where
    those were cut away, with the header row or the two rows of figures. What
    begins further down is the end of a report, and has to have that end; where its
    beginning stands just above, with words between, the two are one. A part of a
    report that is there in whole, quoted to explain it, is no other.
    """
    reports: list[WrkBlock] = []
    for report in _stretches(text, pieces(text)):
        if reports and _continues(text, reports[-1], report):
            reports[-1] = WrkBlock(reports[-1].lines + report.lines)
        elif report.lines[0].kind <= Token.LATENCY or _is_an_end(report):
            reports.append(report)
    reports = apart(text, reports)
    return [report for report in reports if not _is_quoted(report, reports)]


def _is_quoted(block: WrkBlock, blocks: Sequence[WrkBlock]) -> bool:
    """Whether a part of a report stands elsewhere with more of its lines, or the same above."""
    own = _marks(block)
    if _is_whole(block) or not own:
        return False
    return any(
        own <= _marks(other)
        and (_is_whole(other) or len(other.lines) > len(block.lines) or other.span < block.span)
        for other in blocks
        if other is not block and len(other.lines) >= len(block.lines)
    )


def _is_whole(block: WrkBlock) -> bool:
    return None not in {block.get(Token.LATENCY), block.get(Token.THROUGHPUT)}


def _is_an_end(block: WrkBlock) -> bool:
    figures = block.get(Token.SUMMARY) or block.get(Token.QUANTILE) or block.get(Token.STEP)
    return None not in {block.get(Token.THROUGHPUT), figures}


def _marks(block: WrkBlock) -> set[str]:
    """Return the lines of a report whose figures together no other run has."""
    lines = (block.get(Token.LATENCY), block.get(Token.RATE), block.get(Token.SUMMARY))
    return {" ".join(line.match[0].split()) for line in lines if line is not None}


def _stretches(text: Text, listed: Sequence[Piece]) -> Iterator[WrkBlock]:
    """Yield the lines of reports that stand together."""
    at = 0
    while at < len(listed):
        if _may_start(listed[at].shown) and _starts(listed, at):
            block, at = _gather(text, listed, at)
            yield block
        else:
            at += 1


def _continues(text: Text, before: WrkBlock, block: WrkBlock) -> bool:
    """Whether what begins in the middle is the rest of the report above it."""
    between = text.lines[before.span[1] + 1 : block.span[0]]
    if before.get(Token.LATENCY) is None or before.get(Token.THROUGHPUT) is not None:
        close = all(_NOTHING.fullmatch(line) for line in between)
    else:
        close = len(between) <= _BETWEEN and not any(_APART.match(line) for line in between)
    first, last = block.lines[0].kind, before.lines[-1].kind
    if first is Token.DISTRIBUTION and last >= Token.THROUGHPUT:
        # Some forks print it last; further down it would be another run's.
        return before.get(first) is None and not any(map(str.strip, between)) and len(between) < 2
    return close and first > last


def _divides(text: Text, number: int, block: WrkBlock) -> bool:
    """Whether a line is a heading or a command, below which another report begins."""
    commented = text.lines[block.span[0]].lstrip().startswith("#")
    return not commented and _APART.match(text.lines[number]) is not None


def _may_start(shown: str) -> bool:
    return _MARKED.search(shown) is not None


def _starts(listed: Sequence[Piece], at: int) -> bool:
    line = classify(listed[at])
    if line is None or line.kind not in _BELOW:
        return False
    below = next((piece for piece in listed[at + 1 : at + 4] if piece.shown), None)
    after = classify(below) if below is not None else None
    if after is None or after.kind not in _BELOW[line.kind]:
        return False
    return bool(is_row(line[1]) and is_row(after[1]) if line.kind is Token.LATENCY else True)


def _gather(text: Text, listed: Sequence[Piece], start: int) -> tuple[WrkBlock, int]:
    """Return the report that begins at a piece, and the piece behind it."""
    block, end = WrkBlock(), start + 1
    foreign = blank = 0
    for at in range(start, len(listed)):
        shown = listed[at].shown
        line = classify(listed[at])
        before = block.lines[-1].kind if block.lines else Token.RUNNING
        if line is not None and line.kind is Token.RULE and before <= Token.CALIBRATION:
            continue  # DeathStarBench's wrk2 has one above its results
        if line is not None:
            if block.lines and not _follows(block, line, foreign=foreign):
                break
            block.lines.append(line)
            end = at + 1
            foreign = blank = 0
        elif not shown or _ELIDED.match(shown):
            blank += 1
        elif before > Token.CALIBRATION and _divides(text, listed[at].number, block):
            break
        else:
            foreign += 1
        if shown.startswith(("```", "~~~")) or _too_far(before, foreign=foreign, blank=blank):
            break
    return block, end


def _follows(block: WrkBlock, line: ReportLine, *, foreign: int) -> bool:
    """Whether a line continues the report, or belongs to what comes after it."""
    before = block.lines[-1].kind
    if line.kind in {Token.SOCKET, Token.STATUS}:
        # Hyperfoil prints them at the very end.
        return before >= Token.SUMMARY and block.get(line.kind) is None and not foreign
    if before >= Token.THROUGHPUT:
        late = line.kind is Token.TRANSFER and before is Token.THROUGHPUT
        return late and not foreign
    if before <= Token.CALIBRATION and foreign:
        # A script may print while the run lasts; then the table must come.
        return line.kind in {Token.CALIBRATION, Token.RESULTS, Token.HEADER}
    if line.kind is Token.DISTRIBUTION:
        return bool(before < Token.SUMMARY)
    if (
        line.kind is Token.QUANTILE
        and foreign
        and (before is Token.QUANTILE or line[2][0] not in _DIGITS)
    ):
        return False
    return bool(line.kind > before or (line.kind == before and line.kind in _REPEATED))


def _too_far(before: Token, *, foreign: int, blank: int) -> bool:
    if before <= Token.CALIBRATION:
        return False
    if before >= Token.THROUGHPUT:
        return foreign > 0 or blank > 1
    return foreign > _FOREIGN or blank > _BLANK
