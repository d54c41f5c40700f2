"""`--names '{variant}_c{connections}_{repeat}.txt'`: names read as somebody says they are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from benchkit.errors import UsageError
from benchkit.ingest.naming.names import short
from benchkit.ingest.naming.tokens import stem_of
from benchkit.ingest.paths import Input

_FIELD: Final = re.compile(r"\{([^{}]*)\}")
_NUMBERS: Final = frozenset({"repeat", "connections", "threads", "pipelining", "rate"})
_UNNAMED: Final = frozenset({"", "*"})
_SAME: Final = {"offered_rate_rps": "rate"}


@cache
def pattern_of(text: str) -> Pattern:
    """Return a pattern.

    Raises:
        UsageError: it has no field, one twice, or two without a text between them.
    """
    pieces = _FIELD.split(text)
    fields = pieces[1::2]
    named = [name for name in fields if name not in _UNNAMED]
    if not named or len(set(named)) < len(named) or not all(pieces[2:-1:2]):
        raise UsageError(
            f"names {text}: no fields, one twice, or two with nothing between them; "
            "write for example '{variant}_c{connections}_{repeat}.txt'"
        )
    return Pattern(text, tuple(zip(pieces[::2], [*fields, ""], strict=True)))


def fitting_pattern(file: Input) -> tuple[str, Mapping[str, Any]] | None:
    """Return the first pattern given for a file that its path fits, and the value per field."""
    if file.label is not None:
        return None
    matches = ((text, pattern_of(text).match(file.below)) for text in file.patterns)
    return next(((text, values) for text, values in matches if values is not None), None)


@dataclass(frozen=True)
class Pattern:
    """A pattern for the end of a path: texts and, between them, the names of fields."""

    text: str
    parts: tuple[tuple[str, str], ...]

    def match(self, path: str) -> Mapping[str, Any] | None:
        """Return the value per field of a path below the named folder; None where it is another.

        The pattern is held against the end of the path, without its ending where the pattern has
        none. A field spans no `/`; the first ones are as short as can be.
        """
        folders, slash, file = path.rpartition("/")
        bare = f"{folders}{slash}{stem_of(file)}"
        first, second = (path, bare) if stem_of(self.text) != self.text else (bare, path)
        return self._from_end(first) or self._from_end(second)

    def _from_end(self, path: str) -> dict[str, Any] | None:
        folders = self.text.count("/")
        parts = path.split("/")
        if len(parts) <= folders:
            return None
        end = "/".join(parts[-1 - folders :])

        @cache
        def rest(number: int, at: int) -> tuple[Any, ...] | None:
            text, field = self.parts[number]
            if not end.startswith(text, at):
                return None
            at += len(text)
            if number == len(self.parts) - 1:
                return () if at == len(end) else None
            for stop in range(at + 1, len(end) + 1):
                if end[stop - 1] == "/":
                    return None
                value = _typed(field, end[at:stop])
                if value is not None and (values := rest(number + 1, stop)) is not None:
                    return (value, *values)
            return None

        values = rest(0, 0)
        if values is None:
            return None
        pairs = zip((field for _, field in self.parts), values, strict=False)
        return {_SAME.get(field, field): value for field, value in pairs if field not in _UNNAMED}


def _typed(field: str, text: str) -> Any:  # noqa: ANN401 - a number or a text
    """Return the value of a field, None for what it cannot be."""
    if _SAME.get(field, field) not in _NUMBERS:
        return text if field in {"scenario", "variant"} else short(text)
    if not re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]{1,9})?", text):
        return None
    value = short(float(text))
    return value if isinstance(value, int) or _SAME.get(field, field) == "rate" else None
