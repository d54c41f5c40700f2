"""Names of places on the page: the same for the same input, and told from what they are of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 20
#: Places that every page has.
_TAKEN: Final = frozenset(
    {
        "method",
        "provenance",
        "skipped",
        "figures",
        "library",
        "dark",
        "baseline",
        "context",
        "hatch",
    }
)


def anchors(names: Iterable[str]) -> list[str]:
    """Return an anchor for each name, such as `request-coalescing`; equal ones are numbered."""
    found: list[str] = []
    for name in names:
        base = _slug(name)
        number = 1
        anchor = base
        while anchor in found or anchor in _TAKEN:
            number += 1
            anchor = f"{base}-{number}"
        found.append(anchor)
    return found


def _slug(name: str) -> str:
    """Return the letters and digits of a name, words joined by hyphens.

    It never ends in a digit: a number after it is that of a finding.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    kept = ""
    for word in words:
        longer = f"{kept}-{word}" if kept else word
        if len(longer) > _LONGEST:
            break
        kept = longer
    kept = kept or (words[0][:_LONGEST] if words else "comparison")
    return f"{kept}-" if kept[-1].isdigit() else kept
