"""Where HTML puts a run: in a comment, which a page does not show, or in a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from benchkit.ingest.headings import LONGEST, caption_of

_OPEN, _CLOSE, _FENCES = "<!--", "-->", ("```", "~~~")
_TAG: Final = re.compile(r"<(/?)(table|tr|th|td)\b([^<>]{0,400}+)>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^<>]{1,400}+>")
_END: Final = re.compile(r"</?t[hdr]\b", re.IGNORECASE)
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


class _Table:
    """A table as far as it was looked at; none with cells over several rows or columns is named.

    Attributes:
        heads: What heads the columns, those of its first row with such cells.
        row: What heads the row.
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
            if name == "th":
                self._add_head(_head(line[tag.end() : tag.end() + LONGEST]))

    def _add_head(self, head: str | None) -> None:
        if len(self.heads) > self.column:
            self.row = self.row or head
            return
        self.heads += [None] * (self.column - len(self.heads))
        self.heads.append(head)

    @property
    def names(self) -> Sequence[str]:
        """What heads the row and the column of the cell."""
        if self.spanned or not 0 <= self.column < len(self.heads):
            return ()
        return [*filter(None, (self.row, self.heads[self.column]))]


def cells(
    lines: Sequence[str], numbers: Collection[int], fenced: Sequence[bool]
) -> Mapping[int, Sequence[str]]:
    """Return what heads the row and column of a cell of a table, for those of some lines in one.

    Args:
        lines: The page.
        numbers: The lines, from 0.
        fenced: For each line of the page whether it is code.
    """
    table, named = _Table(), dict[int, Sequence[str]]()
    for number, line in enumerate(lines):
        for tag in _TAG.finditer(line) if "<" in line and not fenced[number] else ():
            if tag[2].lower() == "table":
                table = _Table()
            else:
                table.add(tag, line)
        if number in numbers and table.names:
            named[number] = table.names
    return named


def _head(behind: str) -> str | None:
    """Return what a cell says whose begin stands before a text."""
    end = _END.search(behind)
    return caption_of(_ANY_TAG.sub(" ", behind[: end.start()] if end else behind))
