"""Pieces of Markdown that show a text as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchkit import format as show


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", show.clean(text))


def table_row(cells: Iterable[str]) -> str:
    """Return a line of a table, of cells that are Markdown."""
    return f"| {' | '.join(cells)} |"
