"""Pieces of Markdown that show a text as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from benchkit import format as show


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", show.clean(text))


def bulleted(texts: Iterable[str]) -> str:
    """Return a list of plain texts."""
    return "\n".join(f"- {escaped(text)}" for text in texts)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int]) -> str:
    """Return a table of cells that are Markdown; `right` are columns of numbers."""
    rule = "".join("--:|" if place in right else "---|" for place in range(len(headings)))
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(headings)} |", f"|{rule}", *lines])
