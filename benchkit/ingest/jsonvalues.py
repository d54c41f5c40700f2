"""Finds JSON objects in a text, wherever they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.text import Text

_START: Final = re.compile(r"^[^\S\n]*(?:[>#*-][^\S\n]+)?([\[{])", re.MULTILINE)
_MAX_DEPTH: Final = 64
_MAX_STARTS: Final = 200_000


@dataclass(frozen=True)
class JsonValue:
    """A JSON object and the lines it covers, counted from 0."""

    value: Mapping[str, Any]
    first: int
    last: int


class _BadJsonError(ValueError):
    """Well-formed text that is not a JSON value to be trusted."""


def json_values(text: Text) -> Iterator[JsonValue | InputError]:
    """Yield every outermost JSON object or array element that begins a line.

    Objects inside arrays are yielded one by one, and so are objects within an
    object, outermost first: `consumed` is the caller's matter. A text that is
    JSON from its first character but broken yields an InputError.
    """
    whole = "\n".join(text.lines)
    decoder = json.JSONDecoder(
        object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int
    )
    end = 0
    for tried, matched in enumerate(_START.finditer(whole)):
        start = matched.start(1)
        if start < end:
            continue
        if tried > _MAX_STARTS:
            return
        try:
            value, end = decoder.raw_decode(whole, start)
        except (ValueError, RecursionError) as error:
            if not whole[:start].strip():
                yield _broken(error, whole)
            continue
        first, last = whole.count("\n", 0, start), whole.count("\n", 0, end)
        if isinstance(value, dict):
            yield JsonValue(value, first, last)
        elif isinstance(value, list):
            yield from (JsonValue(item, first, last) for item in value if isinstance(item, dict))


def nested(value: Mapping[str, Any], *, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield the objects directly within a JSON object, also those in its arrays."""
    if depth > _MAX_DEPTH:
        return
    for inner in value.values():
        if isinstance(inner, dict):
            yield inner
        elif isinstance(inner, list):
            yield from (item for item in inner if isinstance(item, dict))


def _broken(error: ValueError | RecursionError, whole: str) -> InputError:
    if isinstance(error, json.JSONDecodeError):
        cut = error.pos >= len(whole.rstrip()) - 1
        hint = "the file seems to be cut off" if cut else None
        return InputError("JSON", found=error.msg, where=Where(line=error.lineno), hint=hint)
    found = "nesting deeper than Python reads" if isinstance(error, RecursionError) else str(error)
    return InputError("JSON", found=found)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        msg = f"the key {twice[:40]!r} twice in one object"
        raise _BadJsonError(msg)
    return result


def _constant(name: str) -> float:
    msg = f"{name}, which is not JSON"
    raise _BadJsonError(msg)


def _float(text: str) -> float:
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        msg = f"a number out of range, {text[:20]}"
        raise _BadJsonError(msg)
    return value


def _int(text: str) -> int:
    if len(text) > 40:
        msg = f"a number of {len(text)} digits"
        raise _BadJsonError(msg)
    return int(text)
