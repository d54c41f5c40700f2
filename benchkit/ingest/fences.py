"""Code fences of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

#: At the begin of a line, maybe of a list or a quote.
_FENCE: Final = re.compile(r"\s*+(?>(?:(?:[-*+](?=\s)|>)\s*+)*)(```+|~~~+)")


def match(line: str) -> re.Match[str] | None:
    """Return the marks of a fence at the begin of a line, the first group; None without any."""
    return _FENCE.match(line)


def has_any(text: str) -> bool:
    """Whether a line of a text has marks of a fence."""
    return any(map(match, text.split("\n")))


def opening(line: str) -> str | None:
    """Return the marks of a fence that opens with a line, None where none does.

    Backticks with others behind them on their line are code in a sentence.
    """
    matched = match(line)
    if matched is None or (matched[1][0] == "`" and "`" in line[matched.end() :]):
        return None
    return matched[1]


def closes(line: str, marks: str) -> bool:
    """Whether a fence of some marks ends with a line."""
    matched = match(line)
    return matched is not None and matched[1].startswith(marks)


def stretches(lines: Sequence[str]) -> Iterator[tuple[bool, Sequence[str]]]:
    """Yield a page in parts, and whether each stands in a fence, the lines of the fence included.

    One that never ends goes to the end of the page.
    """
    marks: str | None = None
    begin = 0
    for number, line in enumerate(lines):
        if marks is None:
            marks = opening(line)
            if marks is not None:
                yield False, lines[begin:number]
                begin = number
        elif closes(line, marks):
            yield True, lines[begin : number + 1]
            marks, begin = None, number + 1
    yield marks is not None, lines[begin:]
