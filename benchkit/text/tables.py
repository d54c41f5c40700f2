"""Rows of tables drawn with characters: Markdown pipes and box-drawing lines."""

from __future__ import annotations

import re
from typing import Final

_BAR: Final = re.compile(r"(?<!\\)[|│┃║]")
_EMPHASIS: Final = re.compile(r"^(\*\*|__|[*_`])(.+)\1$")


def cells(line: str) -> list[str]:
    """Return the cells of one row, stripped, without its edges and without emphasis."""
    parts = _BAR.split(line.strip())
    if line.strip()[:1] and _BAR.match(line.strip()):
        parts = parts[1:]
    if parts and not parts[-1].strip():
        parts = parts[:-1]
    return [_EMPHASIS.sub(r"\2", part.strip()).strip().replace("\\|", "|") for part in parts]
