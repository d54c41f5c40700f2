"""HTML in and around printed reports: tags, entities, rows of tables, lines that are breaks.

And what stands before single lines: quote and comment marks, bullets, arrows.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.text.pieces import Piece, joined

_BREAK: Final = re.compile(
    r"</?(?:article|blockquote|br|caption|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section"
    r"|summary|table|tbody|tfoot|thead|tr|ul)\b[^<>]*+>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|body|center|code|col|colgroup|del|em|figure|font|head|html|i|ins|kbd|main"
    r"|mark|s|samp|small|span|strike|strong|sub|sup|td|th|tt|u|ul|var)\b[^<>]*+>",
    re.IGNORECASE,
)
_CELL: Final = re.compile(r"<t[dh]\b[^<>]*+>", re.IGNORECASE)
_BAR: Final = re.compile(r"(?<!\\)\|")
# With its semicolon only: `?a=1&copy=2` is a query.
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_MARKUP: Final = re.compile(r"</?[A-Za-z]")
_MARKS: Final = re.compile(
    r"(?:\s|//++|#++(?=\s|$)|(?:--|[*;-])(?=\s)|[-=~]{0,3}+>|[→⇒➜➤►▶▸‣•·»\u203a❯](?=\s))++"
)
_MOST_LINES_OF_A_ROW: Final = 400
#: How a break in HTML is told from the end of a line, until both are ends of pieces.
_BROKEN: Final = "\v"


def without_marks(line: str) -> str:
    """Return a line without the quote and comment marks, bullets and arrows before it."""
    matched = _MARKS.match(line)
    return line[matched.end() :] if matched else line


def without_tags(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the lines that HTML shows; a row of a table as cells with bars between them."""
    whole = joined(pieces)
    if not (_MARKUP.search(whole) or _ENTITY.search(whole)):
        return pieces
    listed: list[Piece] = []
    for number, source in _rows(pieces):
        cells = _cells(source) if "<" in source else [source]
        if len(cells) > 1:
            listed += _row(number, cells)
        elif "<" in source or "&" in source:
            listed += _lines(number, source)
        else:
            listed.append(Piece(number, source))
    return listed if listed != pieces else pieces


def _cells(source: str) -> Sequence[str]:
    """Return the cells of a row, in HTML, or with bars where a cell has several lines."""
    if source.lstrip().startswith("|") and _BREAK.search(source):
        return _BAR.split(source)
    return _CELL.split(source)


def _rows(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the lines, those of one row of a table as one."""
    closing = [at for at, piece in enumerate(pieces) if "</tr" in piece.text.lower()]
    closing.reverse()
    at = 0
    while at < len(pieces):
        number, source = pieces[at]
        while closing and closing[-1] < at:
            closing.pop()
        opened = source.lower().rfind("<tr")
        if opened >= 0 and "</tr" not in source[opened:].lower() and closing:
            end = closing[-1]
            if end - at < _MOST_LINES_OF_A_ROW:
                yield Piece(number, "\n".join(piece.text for piece in pieces[at : end + 1]))
                at = end + 1
                continue
        yield Piece(number, source)
        at += 1


def _row(number: int, cells: Sequence[str]) -> Iterator[Piece]:
    """Yield a row: on one line, or, where a cell has several, cell by cell."""
    columns: list[list[Piece]] = []
    for cell in cells:
        columns.append(list(_lines(number, cell, blank=False)))
        number += cell.count("\n")
    if all(len(column) < 2 for column in columns):
        shown = " | ".join(column[0].text if column else "" for column in columns[1:])
        yield from columns[0]
        yield Piece(columns[-1][0].number if columns[-1] else number, f"| {shown} |")
        return
    for column in columns:
        yield from column


def _lines(number: int, source: str, *, blank: bool = True) -> Iterator[Piece]:
    """Yield the lines that a piece of HTML shows."""
    shown = _TAG.sub("", _BREAK.sub(_BROKEN, source)) if "<" in source else source
    shown = _ENTITY.sub(lambda entity: html.unescape(entity[0]), shown)
    for line in shown.split("\n"):
        # A break at an end of a line is the end of that line.
        for part in line.strip(_BROKEN).split(_BROKEN):
            if blank or part.strip():
                yield Piece(number, part)
        number += 1
