"""HTML in and around printed reports: tags, entities, rows of tables, lines that are breaks.

And what stands before single lines: quote and comment marks, bullets, arrows.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.text.pieces import Piece, joined

_BREAKS: Final = (
    "(?:article|blockquote|br|caption|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section"
    r"|summary|table|tbody|tfoot|thead|tr|ul)\b"
)
_BREAK: Final = re.compile(rf"</?{_BREAKS}[^<>]*+>", re.IGNORECASE)
_OPENED: Final = re.compile(f"<{_BREAKS}|&(?:#0*+10|#x0*+a|newline);", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|body|center|code|col|colgroup|del|em|figure|font|head|html|i|ins|kbd|main"
    r"|mark|s|samp|small|span|strike|strong|sub|sup|td|th|tt|u|ul|var)\b[^<>]*+>",
    re.IGNORECASE,
)
#: A bar between what is marked up, or one thing that is and another: reports side by side.
_BESIDE: Final = re.compile(
    r"^(?!.*<br)(?=.*(?:> *+[|\t][ \t]*+\S|\S *+[|\t][ \t]*+<))", re.IGNORECASE
)
_CELL: Final = re.compile(r"<t[dh]\b[^<>]*+>", re.IGNORECASE)
_BAR: Final = re.compile(r"(?<!\\)\|")
# With its semicolon only: `?a=1&copy=2` is a query. What was escaped twice has `&amp;` for its `&`.
_ENTITY: Final = re.compile(r"&(?:amp;){0,3}(#\d{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z]\w{1,30};)")
_MARKUP: Final = re.compile(r"</?[A-Za-z]")
_MARKS: Final = re.compile(
    r"(?>(?:\s|//++|#++(?=\s|$)|(?:--|[*;-])(?=\s)|[-=~]{0,3}+>|[→⇒➜➤►▶▸‣•·»\u203a❯](?=\s)"
    r"|:[a-z][a-z0-9_+-]{1,30}+:\s)+)"
)
_MOST_LINES_OF_A_ROW: Final = 400
#: How a break in HTML is told from the end of a line, until both are ends of pieces.
_BROKEN: Final = "\v"
#: A text without any of these is one line as it stands.
_MARKED_UP: Final = re.compile(rf"[<&\n{_BROKEN}]")


def breaks(text: str) -> int:
    """Return how many lines HTML begins; a tag that closes ends the one that another opened."""
    return sum(1 for _ in _OPENED.finditer(text))


def without_marks(line: str) -> str:
    """Return a line without the quote and comment marks, bullets, arrows and `:tada:` before it."""
    matched = None if line[:1].isalnum() else _MARKS.match(line)
    return line[matched.end() :] if matched else line


def without_tags(pieces: Sequence[Piece], whole: str, sound: dict[str, str]) -> Sequence[Piece]:
    """Return the lines that HTML shows; a row of a table as cells with bars between them."""
    if not (_MARKUP.search(whole) or _ENTITY.search(whole)):
        return pieces
    listed: list[Piece] = []
    done = 0
    for first, stop in _rows(pieces, whole):
        row = pieces[first:stop]
        source = row[0].text if len(row) == 1 else joined(row)
        tagged = "<" in source and (">" in source or _BROKEN in source)
        if not (tagged or "&" in source) or source in sound:
            continue
        numbers = [number for number, _ in row]
        cells = _cells(source) if "<" in source else [source]
        lines = list(_row(numbers, cells)) if len(cells) > 1 else _lines(numbers, source)
        if lines == row:
            sound[source] = source
            continue
        listed += pieces[done:first]
        listed += lines
        done = stop
    return [*listed, *pieces[done:]] if done else pieces


def _cells(source: str) -> Sequence[str]:
    """Return the cells of a row, in HTML, or with bars where a cell has several lines."""
    if source.lstrip().startswith("|") and _BREAK.search(source):
        return _BAR.split(source)
    return _CELL.split(source)


def _rows(pieces: Sequence[Piece], whole: str) -> Iterator[tuple[int, int]]:
    """Yield where lines that may be HTML begin and end, those of one row of a table together."""
    marked = [at for at, (_, text) in enumerate(pieces) if "<" in text or "&" in text]
    if "</tr" not in whole.lower():
        yield from ((at, at + 1) for at in marked)
        return
    closing = [at for at, piece in enumerate(pieces) if "</tr" in piece.text.lower()]
    closing.reverse()
    end = 0
    for at in marked:
        if at < end:
            continue
        while closing and closing[-1] < at:
            closing.pop()
        source = pieces[at].text.lower()
        opened = source.rfind("<tr")
        stop = closing[-1] + 1 if closing and opened >= 0 else at
        of_several = "</tr" not in source[opened:] and at < stop <= at + _MOST_LINES_OF_A_ROW
        end = stop if of_several else at + 1
        yield at, end


def _row(numbers: Sequence[int], cells: Sequence[str]) -> Iterator[Piece]:
    """Yield a row: on one line, or, where a cell has several, cell by cell."""
    columns: list[list[Piece]] = []
    first = 0
    for cell in cells:
        columns.append([piece for piece in _lines(numbers[first:], cell) if piece.text.strip()])
        first += cell.count("\n")
    if all(len(column) < 2 for column in columns):
        shown = " | ".join(column[0].text if column else "" for column in columns[1:])
        yield from columns[0]
        yield Piece(numbers[-1], f"| {shown} |")
        return
    for column in columns:
        yield from column


def _lines(numbers: Sequence[int], source: str) -> list[Piece]:
    """Return the lines that a piece of HTML shows."""
    if not _MARKED_UP.search(source):
        return [Piece(numbers[0], source)]
    shown = source
    if "<" in shown and ">" in shown:
        beside = _BESIDE.search(shown) is not None
        shown = _TAG.sub("", _BREAK.sub("" if beside else _BROKEN, shown))
    if "&" in shown:
        shown = _ENTITY.sub(lambda entity: html.unescape(f"&{entity[1]}"), shown)
    return [
        Piece(numbers[min(at, len(numbers) - 1)], part)
        for at, line in enumerate(shown.split("\n"))
        # A break at an end of a line is the end of that line.
        for part in line.strip(_BROKEN).split(_BROKEN)
    ]
