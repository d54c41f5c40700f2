"""Typed access to the fields of a JSON result, by path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, printable

#: More than any count; a few of them together fit into 64 bits.
_MOST: Final = 2**60
#: Less than the largest number that `units` reads.
_LARGEST: Final = 1e299


def _shown(path: str) -> str:
    """Return a path of keys, which an input chooses, fit for a message."""
    return printable(path).strip("'")


class Fields:
    """An object of a result.

    Numbers may be given as strings, as autocannon's own test data has them. A null counts as
    missing.

    Args:
        value: The object.
        result: What it is a part of, for messages: "a bombardier result".
        path: The keys that lead to it.
    """

    def __init__(self, value: Mapping[str, Any], result: str, path: str = "") -> None:
        self._value, self._result, self._path = value, result, path
        self._texts: dict[str, str | None] = {}  # a number is asked for as text, number and count

    def names(self, part: str = "") -> list[str]:
        """Return the keys of the object, or of one within it."""
        inner = self._value.get(part) if part else self._value
        return list(inner) if isinstance(inner, Mapping) else []

    def part(self, path: str) -> Fields:
        """Return an object within it, empty where there is none."""
        value = self._at(path)
        inner = value if isinstance(value, Mapping) else {}
        return Fields(inner, self._result, self._full(path))

    def parts(self, path: str) -> Iterator[Fields]:
        """Yield the objects of an array within it."""
        value = self._at(path)
        for number, inner in enumerate(value if isinstance(value, list) else ()):
            if isinstance(inner, Mapping):
                yield Fields(inner, self._result, f"{self._full(path)}[{number}]")

    def words(self, path: str) -> str | None:
        """Return a string, None where it is missing or empty."""
        value = self._at(path)
        return value if isinstance(value, str) and value else None

    def holds(self, path: str) -> bool | None:
        """Return a truth value, None where it is missing."""
        value = self._at(path)
        return value if isinstance(value, bool) else None

    def text(self, path: str) -> str | None:
        """Return a number's digits, None where it is missing.

        Raises:
            InputError: there is something else than a finite number.
        """
        if path in self._texts:
            return self._texts[path]
        value = self._at(path)
        text = None if value is None else _digits(value)
        if text is None and value is not None:
            name = _shown(self._full(path))
            raise InputError(f"a number for {name} of {self._result}", actual=repr(value))
        self._texts[path] = text
        return text

    def need(self, *paths: str) -> str:
        """Return a number that may stand in either of several places.

        Raises:
            InputError: it stands in none.
        """
        text = next((text for path in paths if (text := self.text(path)) is not None), None)
        if text is None:
            raise InputError(f"{self._full(paths[0])} in {self._result}", actual="nothing")
        return text

    def number(self, path: str) -> float | None:
        """Return a number that is not negative, None where it is missing."""
        text = self.text(path)
        if text is not None and text.startswith("-"):
            raise InputError(f"no negative {_shown(path)} in {self._result}", actual=text)
        return None if text is None else units.number(text)

    def scaled(self, path: str, factor: str) -> float | None:
        """Return a number that is not negative times a factor, None where it is missing."""
        return None if self.number(path) is None else units.scaled(self.text(path) or "", factor)

    def count(self, path: str) -> int | None:
        """Return a whole number that is not negative, None where it is missing."""
        value = self.number(path)
        if value is None:
            return None
        if value != int(value) or value >= _MOST:
            expected = f"a whole number for {_shown(path)} of {self._result}"
            raise InputError(expected, actual=self.text(path))
        return int(Decimal(self.text(path) or "0"))

    def need_count(self, path: str) -> int:
        """Return a whole number that is not negative.

        Raises:
            InputError: it is missing, or something else.
        """
        self.need(path)
        return self.count(path) or 0

    def plain(self, key: str) -> str | None:
        """Return the digits of a number given as such, None for anything else."""
        value = self._value.get(key)
        return None if isinstance(value, str) else _digits(value)

    def _at(self, path: str) -> object:
        if path in self._value:  # a key may have a point in it: `P99.9`
            return self._value[path]
        value: object = self._value
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def _full(self, path: str) -> str:
        return f"{self._path}.{path}".strip(".")


def _digits(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, (int, float)) and abs(value) < _LARGEST:
        return repr(value)  # as below, and much quicker; no `nan` is less than anything
    text = value if isinstance(value, str) else repr(value)
    try:
        units.number(text)
    except ValueError:
        return None
    return text.strip()
