"""Names of places on the page: the same for the same input, and told from what they are of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from benchkit.figures import look

_LONGEST: Final = 18
#: Where names begin alike.
_LONGER: Final = 40
#: A shorter cut is made within a word.
_LEAST: Final = 7
#: Places that every page has, symbols among them.
_TAKEN: Final = frozenset(
    {
        *("method", "provenance", "skipped", "content", "library", "dark", "hatch"),
        *look.SYMBOLS,
    }
)


def anchors(names: Iterable[str]) -> list[str]:
    """Return an anchor for each name, such as `coalescing`; equal ones are numbered.

    None holds a point: what comes after one is a place within the section.
    """
    listed = list(names)
    short = [_slug(name, _LONGEST) for name in listed]
    unique: list[str] = []
    for name, cut in zip(listed, short, strict=True):
        base = cut if short.count(cut) == 1 else _slug(name, _LONGER)
        number = 1
        anchor = base
        while anchor in unique or anchor in _TAKEN:
            number += 1
            anchor = f"{base}-{number}"
        unique.append(anchor)
    return unique


def _slug(name: str, longest: int) -> str:
    """Return the letters and digits of a name, words joined by hyphens, as far as they fit."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    joined = "-".join(re.findall(r"[a-z0-9]+", plain))
    cut = joined[: longest + 1].rpartition("-")[0] if len(joined) > longest else joined
    return (cut if len(cut) >= _LEAST else joined[:longest].strip("-")) or "comparison"
