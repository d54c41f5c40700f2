"""Objects as Node's console prints them: `console.log(result)`.

Keys stand without quotes, strings between single ones, and there are `undefined`,
dates and names of what is not shown. Nothing is computed: what is no literal ends
the reading, so that source code yields nothing.

Source: Node 10 to 24 `lib/internal/util/inspect.js`.
"""

from __future__ import annotations

import re
from typing import Any, Final

_MAX_DEPTH: Final = 64
_KEY: Final = re.compile(r"\s*(?:([A-Za-z_$][\w$]{0,200}|[0-9]{1,15})|(?=['\"]))")
_STRING: Final = re.compile(
    r"\s*('(?:[^'\\\n]++|\\.)*'|\"(?:[^\"\\\n]++|\\.)*\"|`(?:[^`\\]++|\\.)*`)"
)
_NEXT: Final = re.compile(r"\s*\+(?=\s*['\"`])")
_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]{0,39})(?:\.[0-9]{1,40})?(?:e[-+]?[0-9]{1,3})?(?!\w)"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z")
_WORD: Final = re.compile(r"(?:true|false|null|undefined|-?Infinity|NaN)(?![\w$])")
#: What stands for something that is not shown: `[Object]`, `[Function: onResponse]`.
_HIDDEN: Final = re.compile(
    r"\[(?:Object|Array|(?:Async)?(?:Generator)?Function|Circular|Getter|Setter|class)\b[^\]\n]{0,99}\]"
    r"(?!\s*\{)|<ref \*[0-9]{1,4}>|Invalid Date"
)
_CLASS: Final = re.compile(
    r"(?:\[Object: null prototype\]|[A-Z]\w{0,60}(?:\([0-9]{1,9}\))?)\s*(?=[{\[])"
)
_REST: Final = re.compile(r"\s*\.\.\. [0-9]{1,15} more items?")
_BLANKS: Final = re.compile(r"\s*")
_WORDS: Final = {"true": True, "false": False}


class NoLiteralError(ValueError):
    """What begins like an object and is none.

    Attributes:
        at: Where that shows.
        opened: The brackets that are open there: from none of them there is a literal either.
    """

    def __init__(self, at: int) -> None:
        super().__init__(f"no literal at {at}")
        self.at = at
        self.opened: list[int] = []


class CutLiteralError(NoLiteralError):
    """An object whose end is missing."""


def literal(text: str, start: int) -> tuple[Any, int]:
    """Return the object or array that begins at `start`, and where it ends.

    Undefined keys are left out; what is not shown, and what is no number, is None.

    Raises:
        NoLiteralError: there is something else than literals, or it is nested too deep.
        CutLiteralError: the text ends before the object.
    """
    return _value(text, start, 0)


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    at = _skip(text, at)
    hidden = _HIDDEN.match(text, at)
    if hidden:
        return None, hidden.end()
    named = _CLASS.match(text, at)
    at = named.end() if named else at
    if text[at] in "{[":
        if depth >= _MAX_DEPTH:
            raise NoLiteralError(at)
        try:
            return (_object if text[at] == "{" else _array)(text, at + 1, depth + 1)
        except NoLiteralError as error:
            error.opened.append(at)
            raise
    if text[at] in "'\"`":
        return _string(text, at)
    return _plain(text, at)


def _plain(text: str, at: int) -> tuple[Any, int]:
    date = _DATE.match(text, at)
    if date:
        return date[0], date.end()
    number = _NUMBER.match(text, at)
    if number:
        digits = number[0]
        return (int(digits) if digits.lstrip("-").isdigit() else float(digits)), number.end()
    word = _WORD.match(text, at)
    if word:
        return _WORDS.get(word[0]), word.end()
    raise NoLiteralError(at)


def _string(text: str, at: int) -> tuple[str, int]:
    parts = []
    while True:
        matched = _STRING.match(text, at)
        if matched is None:
            raise NoLiteralError(at)
        parts.append(re.sub(r"\\(.)", r"\1", matched[1][1:-1]))
        further = _NEXT.match(text, matched.end())
        if further is None:
            return "".join(parts), matched.end()
        at = further.end()


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    entries: dict[str, Any] = {}
    while True:
        at = _skip(text, at)
        if text[at] == "}":
            return entries, at + 1
        key, at = _key(text, at)
        at = _skip(text, at)
        if text[at] != ":" or key in entries:
            raise NoLiteralError(at)
        at = _skip(text, at + 1)
        value, end = _value(text, at, depth)
        if text[at:end] != "undefined":
            entries[key] = value
        at = _comma(text, end)


def _array(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while True:
        at = _skip(text, at)
        if text[at] == "]":
            return items, at + 1
        rest = _REST.match(text, at)
        if rest:
            at = rest.end()
            continue
        value, end = _value(text, at, depth)
        items.append(value)
        at = _comma(text, end)


def _key(text: str, at: int) -> tuple[str, int]:
    matched = _KEY.match(text, at)
    if matched is None:
        raise NoLiteralError(at)
    return (matched[1], matched.end()) if matched[1] else _string(text, at)


def _comma(text: str, at: int) -> int:
    at = _skip(text, at)
    if text[at] == ",":
        return at + 1
    if text[at] in "}]":
        return at
    raise NoLiteralError(at)


def _skip(text: str, at: int) -> int:
    matched = _BLANKS.match(text, at)
    end = matched.end() if matched else at
    if end >= len(text):
        raise CutLiteralError(end)
    return end
