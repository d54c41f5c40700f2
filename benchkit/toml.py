"""TOML of strangers, read in a time that grows with its length."""

from __future__ import annotations

import tomllib
from typing import Any, Final

#: The time that a key takes grows with the square of its parts (tomllib of Python 3.11 to 3.14).
_MOST_DOTS: Final = 300


def parse(text: str) -> dict[str, Any]:
    """Return what a text says.

    Raises:
        ValueError: it is no TOML, or none that is read: lines of very many dots, or brackets.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if (dots := line.count(".")) > _MOST_DOTS:
            raise ValueError(f"{dots:,} dots, over {_MOST_DOTS}, in line {number:,}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets too deep within each other") from None
