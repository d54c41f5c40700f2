"""Tables in text, and reports side by side: with bars between the cells, drawn lines, or tabs.

Of reports side by side one follows the other. A row of any other table becomes one
line, its cells two blanks apart; its rules become blank lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import Final

from benchkit.text.markup import without_marks
from benchkit.text.pieces import Piece, joined

_RULE: Final = re.compile(r"[-+|:=~\s─━┄┼├┤┌┐└┘┬┴╞╡╪═│┃║╔╗╚╝╠╣╦╩╬╭╮╯╰]*+")
_FRAME: Final = re.compile(r"(?=[^-=─━═]*[-=─━═])(?=[-=\s]*[^-=\s])" + _RULE.pattern)
_FRAMES: Final = re.compile(r"[─━═+|](?:(?<=[─━═])| ?[-=:])")
#: Lines of a wiki's table that are no rows.
_WIKI: Final = re.compile(r"\{\||\|\}|\|-")
#: A rule of a drawn table, whose rows have a bar for each of its joints.
_DRAWN: Final = re.compile(r"[┌├└╔╠╚](?<!\S.)[─┬┼┴═╦╬╩]++[┐┤┘╗╣╝](?!\S)")
#: Two rules of tables that stand side by side.
_RULES: Final = re.compile(r"^[^\w\n]*([┌├└╔╠╚])[^\w\n]*\1", re.MULTILINE)
#: A row of a drawn table that does not stand on a line of its own.
_TORN: Final = re.compile(
    r"^(?![^\S\n]*+[│║┃┌├└╔╠╚].*[│║┃┐┤┘╗╣╝][^\S\n]*+$)(?=.*[│║┃┌├└╔╠╚])", re.MULTILINE
)
_JOINT: Final = re.compile("[^─═]")
_BAR: Final = re.compile("[│║┃]")
_SEPARATORS: Final = (
    ("\t", re.compile(r"\t")),
    ("║", re.compile(r"[║┃]")),
    ("|", re.compile(r"(?<!\\)\|\|?")),
    ("│", re.compile(r"│")),
)
_DIGITS: Final = re.compile(r"[0-9]++(?:\.[0-9]++)?")
_WHOLE_LINE: Final = re.compile(r"(?=\D*\d)(?=.*?[^\W\d_]{2})\S+\s+\S")
_MOST_COLUMNS: Final = 20
_FEWEST: Final = 3
#: Behind so many words of a log a line begins at the latest.
_MOST_WORDS: Final = 6


def in_one_column(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the lines without bars and tabs between cells."""
    whole = joined(pieces)
    shown = pieces
    if _DRAWN.search(whole) and _TORN.search(whole) and not _RULES.search(whole):
        shown = list(_unwrapped(pieces, whole))
    if _FRAMES.search(whole):
        shown = [p for p in shown if p.text[:1].isalnum() or not _FRAME.fullmatch(p.text)]
    for character, separator in _SEPARATORS:
        if character in whole:
            blocks = _blocks(shown, separator)
            shown = [piece for block in blocks for piece in _taken_apart(block, separator)]
    return shown if shown != pieces else pieces


def _unwrapped(pieces: Sequence[Piece], whole: str) -> Iterator[Piece]:
    """Yield the lines, those of drawn tables that were run together or wrapped row by row."""
    starts = list(accumulate((len(piece.text) + 1 for piece in pieces), initial=0))
    start = joints = 0
    for rule in (*_DRAWN.finditer(whole), None):
        part = whole[start : rule.start() if rule else len(whole)]
        first, parts = bisect_right(starts, start) - 1, part.split("\n")
        lines = list(zip(pieces[first : first + len(parts)], parts, strict=True))
        bars = [bar.start() for bar in _BAR.finditer(part)]
        rows = bars[::joints] if joints and len(bars) % joints == 0 else []
        if rows and any(len(_BAR.findall(line)) not in {0, joints} for line in parts):
            for begin, end in pairwise([0, *rows, len(part)]):
                number = pieces[bisect_right(starts, start + begin) - 1].number
                yield Piece(number, part[begin:end].replace("\n", " ").strip())
        else:
            yield from (Piece(p.number, line) for p, line in lines if line.strip() or not p.text)
        if rule:
            start, joints = rule.end(), len(_JOINT.findall(rule[0]))


def _blocks(pieces: Sequence[Piece], separator: re.Pattern[str]) -> Iterator[list[Piece]]:
    """Yield stretches of lines with a separator, with the rules between, and all other lines."""
    block: list[Piece] = []
    rows = 0
    for piece in pieces:
        if separator.search(piece.text):
            block.append(piece)
            rows = len(block)
        elif block and _is_rule(piece.text):
            block.append(piece)
        else:
            yield block[:rows]
            yield from ([other] for other in block[rows:])
            yield [piece]
            block, rows = [], 0
    yield block[:rows]
    yield from ([other] for other in block[rows:])


def _is_rule(line: str) -> bool:
    """Whether a line is blank, or drawn between the rows of a table."""
    return _RULE.fullmatch(line) is not None


def _taken_apart(block: Sequence[Piece], separator: re.Pattern[str]) -> Iterator[Piece]:
    if not block or not separator.search(block[0].text):
        yield from block
        return
    rows = [[] if _no_row(p.text) else _cells(p.text, separator) for p in block]
    several = [row for row in rows if sum(map(bool, row)) > 1]
    whole = sum(map(_is_beside, several))
    if whole >= _FEWEST and 2 * whole >= len(several):
        numbers = [piece.number for piece in block]
        for column in list(zip_longest(*rows, fillvalue=""))[:_MOST_COLUMNS]:
            yield from map(Piece, numbers, column)
    elif (
        len(block) == 1
        and not block[0].text.startswith(("|", "│", "║"))
        and "\t" not in block[0].text
    ):
        yield from block
    else:
        for piece, row in zip(block, rows, strict=True):
            yield Piece(piece.number, "  ".join(filter(None, row)).replace(":  ", ": "))


def _no_row(line: str) -> bool:
    return _is_rule(line) or _WIKI.match(line) is not None


def _cells(line: str, separator: re.Pattern[str]) -> list[str]:
    cells = [without_marks(cell.strip()) for cell in separator.split(line)]
    framed = separator.match(line) is not None
    if framed and len(cells) > 1:
        cells = cells[1:]
    return cells[:-1] if framed and not cells[-1] else cells


def _is_beside(row: Sequence[str]) -> bool:
    """Whether a row is a line of a report and beside it one of another, or the same one."""
    first, *others = filter(None, row)
    whole, begin = _WHOLE_LINE.match(first), _begins(first)[:1]
    if not whole and not begin:
        return False
    return any(
        (whole and _WHOLE_LINE.match(cell)) or (begin and begin[0] in _begins(cell))
        for cell in others
    )


def _begins(cell: str) -> list[str]:
    """Return the first words of a cell of several, with 0 for their numbers."""
    words = cell.lstrip("|│║* ").split(maxsplit=_MOST_WORDS)
    return [_DIGITS.sub("0", word) for word in words[:_MOST_WORDS]] if len(words) > 1 else []
