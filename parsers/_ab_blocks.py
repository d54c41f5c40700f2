"""Gathers ab's lines into blocks, one for each run.

A block begins with the banner, with `Benchmarking …`, or, where those were cut
off, with any line of the report. It ends where a line comes that it has
already, at a heading, at another command line, or where too many lines follow
that are not ab's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.text import Text

from . import _ab_lines as lines
from . import _ab_prefix
from ._ab_block import AbBlock, LabelValue
from ._ab_pieces import pieces

_MAY_OVERFLOW: Final = {"received", "sent", "body"}  # 32-bit counts of old versions
_MAX_FOREIGN: Final = 8
_MAX_FOREIGN_AFTER_ABORT: Final = 12
_MAX_FOREIGN_BEFORE_REPORT: Final = 5000  # -v prints whole responses
_MAX_ROW: Final = 24
#: Blanks of web pages, and what they put between letters without showing it.
_BLANKS: Final = (
    dict.fromkeys(range(0x2000, 0x200B), " ")
    | {0xA0: " ", 0x202F: " "}
    | dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF))
)


def blocks(text: Text) -> Iterator[AbBlock]:
    """Yield every block of a text in order."""
    gatherer = _Gatherer(text)
    printed = [line if line.isascii() else line.translate(_BLANKS) for line in text.bare]
    for number, line in _whole_rows(_ab_prefix.without(printed)):
        if not line or (gatherer.block is None and not lines.may_begin(line)):
            continue
        for piece in pieces(line):
            done = gatherer.take(number, piece)
            if done is not None:
                yield done
    if gatherer.block is not None:
        yield _ended(gatherer.block, len(text) - 1)


def _whole_rows(bare: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (number, line), with a table's row in HTML that goes over several lines as its last."""
    open_row: list[str] = []
    for number, line in enumerate(bare):
        opens = "<tr" in line and "</tr" not in line[line.rindex("<tr") :]
        if not open_row and not opens:
            yield number, line
            continue
        open_row.append(line)
        if "</tr" in line or len(open_row) == _MAX_ROW:
            yield number, " ".join(open_row)
            open_row = []
    if open_row:
        yield len(bare) - 1, " ".join(open_row)


def _ended(block: AbBlock, last: int) -> AbBlock:
    """Return the last block of a text, without a number that may lack its last digits."""
    block.at_end, block.open_end = True, block.last == last
    if not block.open_end:
        return block
    if block.percents and block.percents[-1][0] < 100:
        block.percents.pop()
    elif block.values and not block.rows and not block.percents:
        key, value = next(reversed(block.values.items()))
        if value.line == last and lines.NUMBER.fullmatch(value.text):
            block.values.pop(key)
    return block


class _Gatherer:
    """Takes lines one by one and hands out a block when it is complete."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.block: AbBlock | None = None
        self.waiting: list[int] = []
        self.open_value: str | None = None
        self.open_row: str | None = None

    def take(self, line: int, piece: str) -> AbBlock | None:
        """Take a line; return the block that ends before it, if one does."""
        drawn = self.text.bare[line].startswith("|")
        fresh = AbBlock(line, line, drawn=drawn)
        if self.block is not None and self._absorb(self.block, line, piece):
            self.block.foreign += self.waiting
            self.block.last = line
            self.block.drawn = self.block.drawn and drawn
            self.waiting = []
            return None
        self.open_value = self.open_row = None
        if _absorb_new(fresh, line, piece):
            done, self.block, self.waiting = self.block, fresh, []
            self._remember(fresh)
            if done is not None:
                done.replaced = fresh.version is not None
            return done
        return self._pass_over(line, piece)

    def _pass_over(self, line: int, piece: str) -> AbBlock | None:
        block = self.block
        if block is None:
            return None
        self.waiting.append(line)
        limit = _MAX_FOREIGN if block.has_report else _MAX_FOREIGN_BEFORE_REPORT
        if block.abort and not block.has_report:
            limit = _MAX_FOREIGN_AFTER_ABORT
        closes = lines.is_heading(self.text.lines[line]) or lines.COMMAND.search(piece)
        if not closes and len(self.waiting) <= limit:
            return None
        self.block, self.waiting = None, []
        return block

    def _absorb(self, block: AbBlock, line: int, piece: str) -> bool:
        if self._continue_value(block, line, piece):
            return True
        taken = _absorb(block, line, piece)
        if taken:
            self._remember(block)
        return taken

    def _remember(self, block: AbBlock) -> None:
        """Note a value that a wrapped line leaves to the next one."""
        self.open_value = self.open_row = None
        if block.values and not block.rows:
            key, value = next(reversed(block.values.items()))
            if not value.text and key != "software":
                self.open_value = key
        if block.rows and not block.percentiles:
            row, value = next(reversed(block.rows.items()))
            if len(value.text.split()) < len(block.statistics):
                self.open_row = row

    def _continue_value(self, block: AbBlock, line: int, piece: str) -> bool:
        key, row = self.open_value, self.open_row
        if key is not None and not block.values[key].text and re.match(r"[0-9]|/|https?:", piece):
            block.values.pop(key)
            self.open_value = None
            return _take_value(block, key, LabelValue(line, piece))
        if row is not None and re.fullmatch(r"-?[0-9][-0-9.\s]*", piece):
            joined = f"{block.rows[row].text} {piece}".strip()
            if len(joined.split()) <= len(block.statistics):
                block.rows[row] = LabelValue(line, joined)
                return True
        return False


def _absorb_new(block: AbBlock, line: int, piece: str) -> bool:
    """Whether a line can be the first of a block."""
    if lines.INTERRUPT.match(piece) or lines.NOISE.match(piece) or lines.ABORT.match(piece):
        return False
    return _absorb(block, line, piece)


def _absorb(block: AbBlock, line: int, piece: str) -> bool:
    """Take a line into a block; False where it is not ab's, or is not this block's."""
    return (
        _absorb_start(block, line, piece)
        or _absorb_value(block, line, piece)
        or _absorb_times(block, line, piece)
        or _absorb_percentiles(block, piece)
        or (_known(block) and lines.NOISE.match(piece) is not None)
    )


def _known(block: AbBlock) -> bool:
    return block.version is not None or block.started is not None or block.has_report


def _absorb_start(block: AbBlock, line: int, piece: str) -> bool:
    if block.has_report:
        return False
    if (matched := lines.BANNER.search(piece)) and not _known(block):
        block.version, block.revision = matched[1], matched[2]
        return True
    if (matched := lines.START.match(piece)) and block.started is None:
        rest = matched[1].strip()
        block.started = LabelValue(line, rest)
        block.finished = rest.endswith("done")
        if lines.ABORT.match(rest.lstrip(". ")):
            block.abort.append(LabelValue(line, rest.lstrip(". ")))
        return True
    if lines.PROGRESS.match(piece):
        block.progress = True
    elif lines.FINISHED.match(piece):
        block.finished = True
    elif _known(block) and lines.INTERRUPT.match(piece):
        block.interrupted = True
    elif _known(block) and lines.ABORT.match(piece):
        block.abort.append(LabelValue(line, piece))
    else:
        return False
    return _known(block)


def _absorb_value(block: AbBlock, line: int, piece: str) -> bool:
    labelled = lines.labelled(piece)
    if labelled is not None:
        key, text = labelled
        if key == "per_request" and (key in block.values or "across" in text):
            key = "per_request_all"
        return _take_value(block, key, LabelValue(line, text))
    if matched := lines.BREAKDOWN.match(piece):
        if block.breakdown is not None or not block.values:
            return False
        block.breakdown = {k: int(v[:18]) for k, v in matched.groupdict().items() if v}
        return True
    if (matched := lines.MORE_RATE.match(piece)) and "rate" in block.values:
        return _take_value(block, f"rate_{matched['kind']}", LabelValue(line, matched["value"]))
    return False


def _take_value(block: AbBlock, key: str, value: LabelValue) -> bool:
    if key not in lines.WORDS:
        value = LabelValue(value.line, lines.ungrouped(value.text, whole=key in lines.COUNTS))
    if key in block.values or any(key == broken for broken, _ in block.broken):
        return False
    if block.times is not None or block.percentiles:
        return False
    negative = value.text.startswith("-") and key not in _MAY_OVERFLOW
    if key in lines.WORDS or not value.text or (lines.NUMBER.match(value.text) and not negative):
        block.values[key] = value
    elif lines.BROKEN.match(value.text):
        block.broken.append((key, value))
    elif key == "length" and value.text.lower().startswith("variable"):
        block.values[key] = value
    else:
        return False
    return True


def _absorb_times(block: AbBlock, line: int, piece: str) -> bool:
    if heading := lines.TIMES.match(piece):
        if block.times is not None or block.percentiles:
            return False
        block.times = line
        block.statistics = lines.statistics(piece[heading.end() :])
        return True
    if block.times is None or block.percentiles:
        return False
    if not block.rows and not block.statistics and (names := lines.statistics(piece)):
        block.statistics = names
        return True
    matched = lines.TIMES_ROW.match(piece)
    if matched is None or matched["row"].capitalize() in block.rows:
        return False
    block.rows[matched["row"].capitalize()] = LabelValue(line, _numbers(block, piece, matched))
    return True


def _numbers(block: AbBlock, piece: str, matched: re.Match[str]) -> str:
    """Return the numbers of a row; with -S the last two can touch and are cut by position.

    Source: httpd 2.4 `support/ab.c`: label in 12 columns, then `%5d %5d%5d`.
    """
    numbers = " ".join(lines.unslipped(matched["numbers"] or "").split())
    touching = re.match(r".{12}([ 0-9]{5}) ([ 0-9]{4}[0-9])([0-9]{5,})$", piece)
    if block.statistics == ("min", "mean", "max") and len(numbers.split()) == 2 and touching:
        return " ".join(part.strip() for part in touching.groups())
    return numbers


def _absorb_percentiles(block: AbBlock, piece: str) -> bool:
    if lines.PERCENTILES.match(piece):
        if block.percentiles:
            return False
        block.percentiles = True
        return True
    matched = lines.PERCENT.match(piece) if block.percentiles else None
    before = block.percents[-1][0] if block.percents else -1
    if matched is None or not before < int(matched[1]) <= 100:
        return False
    block.percents.append((int(matched[1]), matched[2]))
    return True
