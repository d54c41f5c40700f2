"""Typed access to the fields of autocannon's JSON, by path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from benchkit import units
from benchkit.errors import InputError, printable


def share(key: str) -> tuple[float, str] | None:
    """Return the quantile that a key names, as 0..1 and as a percentage.

    `p97_5` is 97.5 %; in the older spelling, which has no separator, the first
    two digits are the whole part: `p999` is 99.9 %.
    """
    matched = re.fullmatch(r"p([0-9]{1,2})(?:_?([0-9]{1,6}))?", key)
    if matched is None:
        return None
    percent = f"{matched[1]}.{matched[2]}" if matched[2] else matched[1]
    return float(Decimal(percent) / 100), percent


def _shown(path: str) -> str:
    """Return a path of keys, which an input chooses, fit for a message."""
    return printable(path).strip("'")


class Fields:
    """An object of a result.

    Numbers may be given as strings, as autocannon's own test data has them. A
    null counts as missing.
    """

    def __init__(self, value: Mapping[str, Any], path: str = "") -> None:
        self._value = value
        self._path = path

    def names(self, part: str = "") -> list[str]:
        """Return the keys of the object, or of one within it."""
        inner = self._value.get(part) if part else self._value
        return list(inner) if isinstance(inner, Mapping) else []

    def text(self, path: str) -> str | None:
        """Return a number's digits, None where it is missing.

        Raises:
            InputError: there is something else than a finite number.
        """
        value: object = self._value
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is None:
            return None
        text = _digits(value)
        if text is None:
            name = _shown(f"{self._path}.{path}".lstrip("."))
            raise InputError(f"a number for {name} of an autocannon result", actual=repr(value))
        return text

    def need(self, path: str, other: str) -> str:
        """Return a number that may stand in either of two places.

        Raises:
            InputError: it stands in neither.
        """
        text = self.text(path)
        text = self.text(other) if text is None else text
        if text is None:
            raise InputError(f"{path} in an autocannon result", actual="nothing")
        return text

    def number(self, path: str) -> float | None:
        """Return a number that is not negative, None where it is missing."""
        text = self.text(path)
        if text is not None and text.startswith("-"):
            raise InputError(f"no negative {_shown(path)} in an autocannon result", actual=text)
        return None if text is None else units.number(text)

    def milliseconds(self, path: str) -> float | None:
        """Return milliseconds in seconds, None where they are missing."""
        return None if self.number(path) is None else units.scaled(self.text(path) or "", "1e-3")

    def count(self, path: str) -> int | None:
        """Return a whole number that is not negative, None where it is missing."""
        value = self.number(path)
        if value is None:
            return None
        if value != int(value) or value >= 2**63:
            raise InputError(
                f"a whole number for {_shown(path)} of an autocannon result", actual=self.text(path)
            )
        return int(Decimal(self.text(path) or "0"))

    def plain(self, key: str) -> str | None:
        """Return the digits of a number given as such, None for anything else."""
        value = self._value.get(key)
        return None if isinstance(value, str) else _digits(value)

    def repeats_mean(self, part: str) -> bool:
        """Whether `mean` only repeats `average`."""
        return self.text(f"{part}.mean") == self.text(f"{part}.average") is not None


def _digits(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    text = value if isinstance(value, str) else repr(value)
    try:
        units.number(text)
    except ValueError:
        return None
    return text.strip()
