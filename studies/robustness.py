"""The page that holds what studies of damage and of cut outputs count."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parent.parent / "docs" / "robustness.md"


def write_section(begin: str, end: str, lines: Iterable[str]) -> None:
    """Put lines between two marks of the page, each a line of it."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    section = "\n".join(lines).strip("\n")
    after = rest.partition(end)[2]
    PAGE.write_text(f"{before}{begin}\n{section}\n{end}{after}", encoding="utf-8")
