"""Where HTML puts a run: in a comment, which a page does not show, or in a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from benchkit.ingest.headings import caption_of

_OPEN, _CLOSE = "<!--", "-->"
_TAG: Final = re.compile(r"<(/?)(table|tr|th|td)\b[^<>]{0,400}+>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^<>]{1,400}+>")


def comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines of comments of several lines; one that never ends is none."""
    opened: int | None = None
    for number, line in enumerate(lines):
        if opened is not None and _CLOSE in line:
            yield opened, number
            opened = None
        begin = line.rfind(_OPEN) if opened is None else -1
        if begin >= 0 and _CLOSE not in line[begin:]:
            opened = number


def columns(lines: Sequence[str], numbers: Collection[int]) -> Mapping[int, str]:
    """Return, for those of some lines that stand in a cell of a table, what heads its column."""
    heads: list[str | None] = []
    column, named = -1, dict[int, str]()
    for number, line in enumerate(lines):
        for tag in _TAG.finditer(line) if "<" in line else ():
            name = tag[2].lower()
            if name == "table":
                heads, column = [], -1
            elif name == "tr":
                column = -1
            elif not tag[1]:
                column += 1
                if name == "th" and len(heads) <= column:  # those of rows below head the rows
                    heads += [None] * (column - len(heads))
                    heads.append(_head(line[tag.end() :]))
        head = heads[column] if number in numbers and 0 <= column < len(heads) else None
        if head is not None:
            named[number] = head
    return named


def _head(behind: str) -> str | None:
    """Return what a cell says whose begin stands before a text."""
    cell = re.split("</t[hdr]", behind, maxsplit=1, flags=re.IGNORECASE)[0]
    return caption_of(_ANY_TAG.sub("", cell))
