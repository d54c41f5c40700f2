"""Where a page puts a run: in a comment, which it does not show, or in a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from benchkit.ingest.headings import LONGEST, caption_of

_OPEN, _CLOSE, _FENCES = "<!--", "-->", ("```", "~~~")
_TAG: Final = re.compile(r"<(/?)(table|tr|th|td)\b([^<>]{0,400}+)>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^<>]{1,400}+>")
_END: Final = re.compile(r"</?t[hdr]\b", re.IGNORECASE)
_RULE: Final = re.compile(r"\s*\|(?>(?:\s*:?-++:?\s*\|)+)\s*+")
_SPAN: Final = re.compile(r"(?:col|row)span\s*+=\s*+[\"']?(?!1\b)", re.IGNORECASE)


def comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines of comments of several lines, those in code left out.

    One that never ends is none.
    """
    opened: int | None = None
    fenced = False
    for number, line in enumerate(lines):
        text = line.lstrip()
        if opened is not None and _CLOSE in line:
            yield opened, number
            opened = None
        elif opened is None and text.startswith(_FENCES):
            fenced = not fenced
        elif opened is None and not fenced and text.startswith(_OPEN) and _CLOSE not in line:
            opened = number


#: What heads a row and a column.
_Heads = tuple[str | None, str | None]


class _Table:
    """A table as far as it was looked at; none with cells over several rows or columns is named.

    Attributes:
        heads: What heads the columns, those of its first row with such cells.
        row: What heads the row, which may be an ordinary cell, its first.
        column: The cell, from 0.
    """

    def __init__(self) -> None:
        self.heads: list[str | None] = []
        self.row: str | None = None
        self.column = -1
        self.spanned = False

    def add(self, tag: re.Match[str], line: str) -> None:
        """Go on to a row or a cell."""
        name = tag[2].lower()
        if name == "tr":
            self.row, self.column = None, -1
        elif not tag[1]:
            self.column += 1
            self.spanned |= _SPAN.search(tag[3]) is not None
            behind = line[tag.end() : tag.end() + LONGEST]
            if name == "th":
                self._add_head(_head(behind))
            elif not self.column and _END.search(behind):
                self.row = _head(behind)

    def _add_head(self, head: str | None) -> None:
        if len(self.heads) > self.column:
            self.row = self.row or head
            return
        self.heads += [None] * (self.column - len(self.heads))
        self.heads.append(head)

    @property
    def names(self) -> _Heads:
        """What heads the row and the column of the cell."""
        if self.spanned or self.column < 0:
            return None, None
        heads = self.heads[self.column : self.column + 1]
        return self.row if self.column else None, heads[0] if heads else None


def cells(
    lines: Sequence[str], numbers: Collection[int], fenced: Sequence[bool]
) -> Mapping[int, Sequence[str]]:
    """Return what heads the row and column of a cell of a table, for those of some lines in one.

    Args:
        lines: The page.
        numbers: The lines, from 0.
        fenced: For each line of the page whether it is code.
    """
    table, named = _Table(), dict[int, _Heads]()
    first = 0  # line of a table of Markdown
    for number, line in enumerate(lines):
        first = first if line.lstrip().startswith("|") else number + 1
        for tag in _TAG.finditer(line) if "<" in line and not fenced[number] else ():
            if tag[2].lower() == "table":
                table = _Table()
            else:
                table.add(tag, line)
        if number in numbers:
            in_row = number - first > 1 and _RULE.fullmatch(lines[first + 1])
            named[number] = _in_row(lines[first], line) if in_row else table.names
    if len({head for _, head in named.values()}) == 1:  # that is of all of them
        named = {number: (row, None if row else head) for number, (row, head) in named.items()}
    return {number: [*filter(None, heads)] for number, heads in named.items()}


def _in_row(heading: str, line: str) -> _Heads:
    """Return what heads the longest cell of a row of a table of Markdown: its row, its column."""
    row, heads = _cells(line), _cells(heading)
    column = max(range(len(row)), key=lambda at: len(row[at]))
    own = caption_of(row[0][:LONGEST]) if column else None
    return own, caption_of(heads[column][:LONGEST]) if column < len(heads) else None


def _cells(line: str) -> Sequence[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _head(behind: str) -> str | None:
    """Return what a cell says whose begin stands before a text."""
    end = _END.search(behind)
    return caption_of(_ANY_TAG.sub(" ", behind[: end.start()] if end else behind))
