"""Tables drawn with characters: Markdown pipes and box-drawing lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from benchkit.text import Text

_BAR: Final = re.compile(r"(?<!\\)[|│┃║]")
_RULE: Final = re.compile(r"[-+|:=\s─━┼├┤┌┐└┘┬┴╞╡╪═│┃║╔╗╚╝╠╣╦╩╬]*")
_FRAME: Final = re.compile(r"[┌└╔╚]")
_EMPHASIS: Final = re.compile(r"^(\*\*|__|[*_`])(.+)\1$")


@dataclass
class DrawnRow:
    """One row: its line (from 0) and its cells, stripped."""

    line: int
    cells: list[str]


@dataclass
class DrawnTable:
    """A header and rows below it; lines count from 0."""

    first: int
    last: int
    header: list[str]
    rows: list[DrawnRow] = field(default_factory=list)


def drawn_tables(text: Text) -> Iterator[DrawnTable]:
    """Yield every table of a text, Markdown or drawn with lines.

    A table is a row of cells, a rule, and further rows; it ends at the first
    other line, or at the upper or lower edge of a drawn frame.
    """
    rows: list[DrawnRow] = []
    ruled = False
    for number, line in enumerate([*text.bare, ""]):
        rule = _is_rule(line)
        if not rule and _BAR.search(line):
            rows.append(DrawnRow(number, cells(line)))
        elif rule and not _FRAME.search(line):
            ruled = ruled or len(rows) == 1
        elif rows:
            if ruled and len(rows) > 1:
                yield DrawnTable(rows[0].line, rows[-1].line, rows[0].cells, rows[1:])
            rows, ruled = [], False


def _is_rule(line: str) -> bool:
    return bool(line) and _RULE.fullmatch(line) is not None and any(c in line for c in "-─━═=")


def cells(line: str) -> list[str]:
    """Return the cells of one row, stripped, without its edges and without emphasis."""
    parts = _BAR.split(line.strip())
    if line.strip()[:1] and _BAR.match(line.strip()):
        parts = parts[1:]
    if parts and not parts[-1].strip():
        parts = parts[:-1]
    return [_EMPHASIS.sub(r"\2", part.strip()).strip().replace("\\|", "|") for part in parts]
