"""Finds JSON objects in a text, and what Node's console prints of them, wherever they stand."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.ingest.literals import CutLiteralError, NoLiteralError, literal
from benchkit.text import Text

#: An object, or an array of objects or arrays: `[2024-01-02] started` begins no JSON. Before it
#: stands what the pattern below may end with: that spares a look at most brackets within others.
_START: Final = re.compile(
    r"""(?<![^\s=:>,;|])(?:\{(?=\s*(?:["}]|'\w{1,60}'\s*:|[A-Za-z]\w{0,60}:\s))|\[(?=\s*[\[{]))"""
)
#: What may stand before it on its line: marks, words as in `Result: {`, `null {`, `[x] a={`, a line
#: of a report; but no code, as in `let x = {` and `run(a, {`.
_BEFORE: Final = re.compile(r"(?:(?>(?:[^\"'`\n=()]++|\([^()\n]*+\))*)(?:=|(?<=[\s:>,;|])))?")
_MAX_BEFORE: Final = 80
#: A bracket or blank more than these, and it is no object of a console.
_LITERAL: Final = re.compile(r"[\[{\s]{0,200}+['A-Za-z]")
#: A bracket; or a string, so that those within it are passed over.
_BRACKET: Final = re.compile(r'"(?>(?:[^"\\\n]++|\\.)*)"?+|[\[\]{}]')
#: What a cut leaves of a number or a word, which may be nothing.
_TOKEN: Final = re.compile(r"[\w.+-]{0,40}+\s*+")
#: Most values are short, and an error in a short piece is cheap: it counts lines from its start.
_PIECE: Final = 4096
#: Characters of pieces that may be looked at in vain, where a look takes as long as so many; and so
#: many times the length of a text those of longer values.
_MAX_WASTED: Final = 2**27
_MAX_TIMES: Final = 4
_LOOK: Final = 2**11
_MAX_SHOWN: Final = 20_000
#: By so many calls a place where brackets are read may differ from one where they are counted.
_FRAMES: Final = 4


@dataclass(frozen=True)
class JsonValue:
    """A JSON object and the lines it covers, counted from 0."""

    value: Mapping[str, Any]
    first: int
    last: int


@dataclass(frozen=True)
class BrokenJson:
    """What begins like JSON and is none: what is wrong, and the text understood before that."""

    error: InputError
    text: str


class _BadJsonError(ValueError):
    """Well-formed text that is not a JSON value to be trusted."""


def json_values(text: Text) -> Iterator[JsonValue | BrokenJson]:
    """Yield every outermost object or array element that begins a line, or follows a few words.

    Objects inside arrays are yielded one by one. Whatever begins a line with a
    bracket and is no JSON yields a BrokenJson; that is most often no wonder.
    """
    whole = "\n".join(text.lines)
    end = at = line = understood = looks = in_vain = 0
    cut = False
    opened: set[int] = set()  # brackets open where something shows to be broken: it is from them
    for matched in _START.finditer(whole):
        start = matched.start()
        if start < end or start in opened or not _begins(whole, start):
            continue
        if looks > _MAX_WASTED or in_vain > _MAX_TIMES * len(whole):
            much = "many brackets" if looks > _MAX_WASTED else "long texts"
            text.unread.append(
                f"very {much} that begin no JSON: below line {line + 1:,} none is looked for"
            )
            return
        first = line + whole.count("\n", at, start)
        at, line = start, first
        try:
            value, end = _decoded(whole, start)
        except NoLiteralError as error:
            looks += error.at - start
            opened.update(error.opened)
            if isinstance(error, CutLiteralError) and not cut:
                cut = True  # what is inside it is cut, too
                yield _cut(whole, start, first)
            continue
        except (ValueError, RecursionError) as error:
            broken = _broken(error, whole, start, first)
            opened.update(_hopeless(error, broken.text, whole, start))
            length = _read_in_vain(error, broken.text, whole, start)
            looks += max(_LOOK, min(length, _PIECE))
            in_vain += length if length > _PIECE else 0
            if start >= understood:  # what is broken within it is broken with it
                yield broken
            understood = max(understood, start + len(broken.text))
            continue
        last = first + whole.count("\n", start, end)
        if isinstance(value, dict):
            yield JsonValue(value, first, last)
        elif isinstance(value, list):
            yield from (JsonValue(item, first, last) for item in value if isinstance(item, dict))


def _begins(whole: str, start: int) -> bool:
    """Whether nothing stands before a bracket on its line but marks and a few words."""
    earliest = max(start - _MAX_BEFORE, 0)
    line = whole.rfind("\n", earliest, start) + 1
    return (line > 0 or not earliest) and _BEFORE.fullmatch(whole, line, start) is not None


def _cut(whole: str, start: int, first: int) -> BrokenJson:
    problem = InputError(
        "the end of an object",
        actual="the end of the text",
        where=Where(line=first + 1),
        hint="the file seems to be cut off",
    )
    return BrokenJson(problem, whole[start : start + _MAX_SHOWN])


def _decoded(whole: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at `start`, and where it ends.

    Raises:
        ValueError: it is no JSON.
        NoLiteralError: it is neither that nor an object of Node's console.
        RecursionError: it is nested too deep.
    """
    if _LITERAL.match(whole, start):
        return literal(whole, start)
    piece = whole[start : start + _PIECE]
    try:
        value, end = _DECODER.raw_decode(piece)
    except json.JSONDecodeError as error:
        at_end = error.msg.startswith("Unterminated") or not piece[error.pos + 16 :].strip()
        if not (at_end and len(piece) == _PIECE):
            raise
        return _DECODER.raw_decode(whole, start)
    return value, start + end


def strict_json(text: str) -> Any:  # noqa: ANN401 - JSON values
    """Return the value of a text that is JSON from end to end.

    Raises:
        ValueError: it is none, or one not to be trusted: NaN, a number out of range,
            a key twice in one object.
        RecursionError: it is nested too deep.
    """
    return _DECODER.decode(text)


def nested(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects directly within a JSON object, also those in its arrays."""
    for inner in value.values():
        if isinstance(inner, dict):
            yield inner
        elif isinstance(inner, list):
            yield from (item for item in inner if isinstance(item, dict))


def nesting(text: Text) -> tuple[int, int]:
    """Return how deep brackets are nested, and in which line, from 1.

    0 for a text that does not begin with one.
    """
    deepest = depth = at = 0
    whole = "\n".join(text.lines)
    if not whole.lstrip().startswith(("{", "[")):
        return 0, 0
    for matched in _BRACKET.finditer(whole):
        bracket = matched[0]
        depth += (bracket in "{[") - (bracket in "}]")
        if depth > deepest:
            deepest, at = depth, matched.start()
    return deepest, whole.count("\n", 0, at) + 1


def _read_in_vain(error: ValueError | RecursionError, broken: str, whole: str, start: int) -> int:
    """Return how many characters were read of what is no JSON, or up to twice as many."""
    if isinstance(error, json.JSONDecodeError):
        return len(broken)
    length = _PIECE
    while length < len(whole) - start and not _is_bad(whole[start : start + length]):
        length *= 2
    return length


def _is_bad(piece: str) -> bool:
    """Whether a value, of which this is the beginning, is not to be trusted, or too deep."""
    try:
        _DECODER.raw_decode(piece)
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return False


def _hopeless(error: ValueError | RecursionError, broken: str, whole: str, start: int) -> list[int]:
    """Return the places of brackets from which a text is as broken as from `start`."""
    if isinstance(error, json.JSONDecodeError):
        return [start + bracket for bracket in _opened(broken)]
    return _too_deep(whole, start, _deepest()) if isinstance(error, RecursionError) else []


def _too_deep(whole: str, start: int, most: int) -> list[int]:
    """Return the places of the brackets from `start` on that have `most` below them, or more."""
    deep: list[int] = []
    places: list[int] = []
    for matched in _BRACKET.finditer(whole, start):
        if matched[0] in "{[":
            places.append(matched.start())
            if len(places) > most:
                deep.append(places[-most - 1])
        elif matched[0] in "}]":
            places.pop()
            if not places:
                break
    return deep


def _deepest() -> int:
    """Return how many brackets within each other can be read here, or a few more."""
    most = 1
    while not _is_bad("[" * most):
        most *= 2
    return bisect_left(range(most), 1, lo=most // 2, key=lambda n: _is_bad("[" * n)) + _FRAMES


def _opened(text: str) -> list[int]:
    """Return the places of the brackets that are open at the end of a text."""
    places: list[int] = []
    for matched in _BRACKET.finditer(text):
        if matched[0] in "{[":
            places.append(matched.start())
        elif matched[0] in "}]" and places:
            places.pop()
    return places


def _broken(error: ValueError | RecursionError, whole: str, start: int, first: int) -> BrokenJson:
    """Return what is wrong with the text from `start`, which stands on line `first`, from 0."""
    if not isinstance(error, json.JSONDecodeError):
        deep = isinstance(error, RecursionError)
        actual = "nesting deeper than Python reads" if deep else str(error)
        problem = InputError("JSON", actual=actual, where=Where(line=first + 1))
        return BrokenJson(problem, whole[start : start + _MAX_SHOWN])
    pos = error.pos - (start if error.doc is whole else 0)
    understood = whole[start : start + pos]
    cut = error.msg.startswith("Unterminated") or _TOKEN.fullmatch(error.doc, error.pos)
    hint = "the file seems to be cut off" if cut else None
    where = Where(line=first + understood.count("\n") + 1)
    return BrokenJson(InputError("JSON", actual=error.msg, where=where, hint=hint), understood)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise _BadJsonError(f"the key {twice[:40]!r} twice in one object")
    return result


def _constant(name: str) -> float:
    raise _BadJsonError(f"{name}, which is not JSON")


def _float(text: str) -> float:
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        raise _BadJsonError(f"a number out of range, {text[:20]}")
    return value


def _int(text: str) -> int:
    if len(text) > 40:
        raise _BadJsonError(f"a number of {len(text)} digits")
    return int(text)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int
)
