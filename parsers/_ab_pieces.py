"""Takes a line of a page apart into the lines that ab printed.

Pages glue lines together or let a whole report run on as a paragraph; they
wrap it in tags, in a table's cells, in emphasis, or in a string of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ._ab_lines import LABELS, NUMBER, ROW, labelled

_LONGEST: Final = 20_000
_LABEL: Final = r"(?<!HTML )(?:" + "|".join(LABELS.values()) + ")"
_BEGINS: Final = (
    rf"(?:{_LABEL})\s*:|{ROW}:\s+-?[0-9]+\s+-?[0-9]"
    r"|Conn+ection Times \(ms\)|Percentage of the requests served"
)
#: Where a line was glued to the end of something else.
_GLUED: Final = re.compile(rf"(?<=[\w\])>%\u2026])(?={_BEGINS})")
#: Where a line begins in a paragraph.
_FLOWING: Final = re.compile(
    rf"(?<=[\s*_`])(?=[*_`]{{0,3}}(?:{_BEGINS}|[0-9]{{1,3}}%\s+[0-9]|\(Connect: [0-9]"
    r"|This is ApacheBench, V|Benchmarking \S+ \(be p|Completed [0-9]+ req|Finished [0-9]+ req"
    r"|WARNING: The med|ERROR: The med|[0-9]+\.?[0-9]* kb/s (?:sent|total)))"
)
_PART: Final = re.compile(rf"(?:{_LABEL})\s*:|{ROW}:\s+-?[0-9]|[0-9]{{1,3}}%\s+[0-9]")

_TABLE_ROW: Final = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_CELL: Final = re.compile(r"\s*</?t[hd]\b[^<>]*>\s*", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:table|tbody|thead|tr|body|html|ul|ol|li|dl|dt|dd|i|b|u|em|strong|font|small|center)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
_MARKDOWN_ESCAPE: Final = re.compile(r"\\(?=[\[\]#*_|<>])")
_EMPHASIS: Final = re.compile(r"[*`]{1,3}(?=[-+]?[0-9])|(?<=[0-9%:])[*`]{1,3}")
_LINE_END: Final = re.compile(r"(?:\\r)?\\n")
_CELL_LABEL: Final = re.compile(rf"(?:{_LABEL}):?", re.IGNORECASE)
_CELL_PERCENT: Final = re.compile(r"[0-9]{1,3} ?%")


def pieces(line: str) -> Iterator[str]:
    """Yield what ab printed as lines of their own, in order."""
    for unfolded in _LINE_END.split(line) if line.count("\\n") > 2 else (line,):
        for part in _TABLE_ROW.split(unfolded) if "<" in unfolded else (unfolded,):
            plain = _plain(part)
            for piece in _split(plain) if len(plain) < _LONGEST else ():
                if piece.strip():
                    yield piece.strip()


def _plain(part: str) -> str:
    """Return a line without tags, emphasis and a table's bars."""
    text = part
    if "<" in text:
        text = _TAG.sub(" ", text).strip()
        if _CELL.match(text):
            text = f"|{_CELL.sub('|', text)}|"
    if "\\" in text:
        text = _MARKDOWN_ESCAPE.sub("", text)
    text = text.strip()
    if text.startswith("|") and text.endswith("|"):
        text = _row(text)
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub("", text).strip(" *`")
    return text


def _split(text: str) -> list[str]:
    several = len(text) > 20 and sum(1 for _ in _PART.finditer(text)) > 1
    parts = _FLOWING.split(text) if several else [text]
    return [piece for part in parts for piece in _GLUED.split(part)]


def _row(text: str) -> str:
    """Return a row of a drawn table as the line that ab printed, or nothing.

    A row with figures of several runs is none: it cannot be told whose they are.
    """
    cells = [cell.strip(" *_`") for cell in text.strip("|").split("|")]
    whole = [cell for cell in cells if (value := labelled(cell)) and value[1]]
    if any(sum(1 for _ in _PART.finditer(cell)) > 2 for cell in whole):
        return " ".join(whole)  # each cell holds a report of its own
    if whole:
        return whole[0] if len(whole) == 1 else ""
    for at, cell in enumerate(cells):
        is_label = _CELL_LABEL.fullmatch(cell) is not None
        if is_label or _CELL_PERCENT.fullmatch(cell):
            values = [value for value in cells[at + 1 :] if value]
            if not values:
                return f"{cell.rstrip(':')}:" if is_label else ""
            if sum(1 for value in values if NUMBER.match(value)) > 1:
                return ""
            return f"{cell.rstrip(':')}: {values[0]}" if is_label else f"{cell} {values[0]}"
    return " ".join(cell for cell in cells if cell)
