"""Where a page puts a run: in a comment, which it does not show, or in a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress, zip_longest
from typing import Final, NamedTuple

from benchkit.ingest.headings import LONGEST, caption_of, plain

_OPEN, _CLOSE, _FENCES = "<!--", "-->", ("```", "~~~")
_TAG: Final = re.compile(r"<(/?)(table|tr|th|td)\b([^<>]{0,400}+)>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^<>]{1,400}+>")
_END: Final = re.compile(r"</?t[hdr]\b", re.IGNORECASE)
_RULE: Final = re.compile(r"\s*\|(?>(?:\s*:?-++:?\s*\|)+)\s*+")
_BAR: Final = re.compile(r"(?<!\\)\|")
_DATE: Final = re.compile(r"(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]")
#: Cells of a row of which any may tell runs apart.
_MOST_CELLS: Final = 200
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
    """A table as far as it was looked at.

    None is named with cells over several rows or columns, or with more than a reader looks at.

    Attributes:
        heads: What the cells of its first row say.
        row: The same of the row, as far as it was looked at.
    """

    def __init__(self) -> None:
        self.heads: list[str | None] = []
        self.row: list[str | None] = []
        self.rows = 0
        self.spanned = False

    def add(self, tag: re.Match[str], line: str) -> None:
        """Go on to a row or a cell."""
        if tag[2].lower() == "tr":
            self.rows += self.row != []
            self.row = []
        elif len(self.row) >= _MOST_CELLS:
            self.spanned = True
        elif not tag[1]:
            self.spanned |= _SPAN.search(tag[3]) is not None
            behind = line[tag.end() : tag.end() + LONGEST]
            head = _head(behind) if tag[2].lower() == "th" or _END.search(behind) else None
            self.row.append(head)
            if not self.rows:
                self.heads.append(head)

    @property
    def cell(self) -> _Cell:
        """That which was looked at last."""
        if self.spanned or not self.row:
            return _Cell((), None)
        column = len(self.row) - 1
        head = self.heads[column] if self.rows and column < len(self.heads) else None
        return _Cell(tuple(self.row[:-1]), head)


class _Cell(NamedTuple):
    """What the other cells of its row say, from the left, and what heads its column."""

    beside: Sequence[str | None]
    head: str | None


def cells(
    lines: Sequence[str], numbers: Collection[int], fenced: Sequence[bool]
) -> Mapping[int, Sequence[str]]:
    """Return what tells the cells of tables apart that begin on some lines, by these.

    That is what stands beside them in their rows, and what heads their columns.

    Args:
        lines: The page.
        numbers: The lines, from 0.
        fenced: For each line of the page whether it is code.
    """
    table, known = _Table(), dict[int, _Cell]()
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
            known[number] = _in_row(lines[first], line) if in_row else table.cell
    return _telling(known)


def _telling(known: Mapping[int, _Cell]) -> Mapping[int, Sequence[str]]:
    """Return of each cell what differs between them, but for figures and dates."""
    columns = [*zip_longest(*(cell.beside for cell in known.values()))]
    telling = [len({*column}) > 1 for column in columns]
    heads = len({cell.head for cell in known.values()}) > 1
    return {
        number: [
            *filter(None, compress(cell.beside, telling)),
            *filter(None, [cell.head if heads else None]),
        ]
        for number, cell in known.items()
    }


def _in_row(heading: str, line: str) -> _Cell:
    """Return what the longest cell of a row of a table of Markdown has beside and above it."""
    row, heads = _cells(line), _cells(heading)
    column = max(range(len(row)), key=lambda at: len(row[at]))
    beside = tuple(_named(cell) for at, cell in enumerate(row) if at != column)
    return _Cell(beside, _named(heads[column]) if column < len(heads) else None)


def _cells(line: str) -> Sequence[str]:
    return [cell.strip() for cell in _BAR.split(line.strip().strip("|"))]


def _named(cell: str) -> str | None:
    """Return what a cell says, None of figures and dates."""
    text = plain(cell[:LONGEST])
    return None if _DATE.match(text) else caption_of(text)


def _head(behind: str) -> str | None:
    """Return what a cell says whose begin stands before a text."""
    end = _END.search(behind)
    return _named(_ANY_TAG.sub(" ", behind[: end.start()] if end else behind))
