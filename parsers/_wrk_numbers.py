"""The numbers of a report in wrk's layout, as tools print and people edit them."""

from __future__ import annotations

import re
from typing import Final

from benchkit import units

_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,5}(?:\.[0-9]+)?")
_PER_SECOND: Final = re.compile(r"\s*(?:(?:req(?:uests|s)?)?/s(?:ec)?|rps)?\s*$", re.IGNORECASE)
_MOST_BYTES: Final = 2.0**63


def whole(text: str) -> int:
    """Return a count, with commas between the thousands or without.

    Raises:
        ValueError: it is none.
    """
    return units.whole(_without_commas(text))


def number(text: str) -> float:
    """Return a rate: with commas between the thousands, a unit behind it, k or M, or without.

    Raises:
        ValueError: it is none.
    """
    return units.count(_without_commas(_PER_SECOND.sub("", text)))


def _without_commas(text: str) -> str:
    # The tool prints none; people and pages put them in.
    return text.replace(",", "") if _THOUSANDS.fullmatch(text.strip()) else text


def kilo(text: str) -> float:
    """Return a size with K = 1024 in bytes.

    Raises:
        ValueError: it is none.
    """
    plain = _PER_SECOND.sub("", text)
    if not plain.endswith("B"):
        raise ValueError(text)
    size = units.octets(plain, base=1024)
    if size >= _MOST_BYTES:
        raise ValueError(text)
    return size
