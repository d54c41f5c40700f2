"""Streams of gob: written from any fields, and changed message by message.

Source: Go 1.26 `encoding/gob`, documentation of the wire format.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from studies.fuzz.mutations import BYTEWISE

_NEEDED: Final = ("Code", "Timestamp", "Latency", "BytesOut", "BytesIn", "Error")
_OTHERS: Final = ("Attack", "Seq", "Body", "Method", "URL", "Headers", "Nested", "")
_FIRST: Final = 65
#: Messages with which a stream of vegeta's begins before results come.
_DEFINING: Final = 5
_NUMBERS: Final = (
    *(0, 1, 2, 127, 128, 200, 255, 256, 503, 65535, 2**31, 2**32, 2**62, 2**63 - 1, 2**63),
    2**64 - 1,
)
_EPOCH: Final = 62_135_596_800


def uint(number: int) -> bytes:
    """Return an unsigned number."""
    raw = number.to_bytes((number.bit_length() + 7) // 8 or 1, "big")
    return raw if number < 128 else bytes((256 - len(raw),)) + raw


def sint(number: int) -> bytes:
    """Return a signed number."""
    return uint(~number << 1 | 1 if number < 0 else number << 1)


def text(value: bytes) -> bytes:
    """Return bytes with their length: a text, or a message."""
    return uint(len(value)) + value


def messages(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the messages of a stream without their lengths, and what is left at its end."""
    listed, at = [], 0
    while at < len(data):
        first, start = data[at], at + 1
        if first >= 128:
            width = 256 - first
            if width > 8:
                break
            first, start = int.from_bytes(data[start : start + width], "big"), start + width
        if not first or start + first > len(data):
            break
        listed.append(data[start : start + first])
        at = start + first
    return listed, data[at:]


def joined(listed: Sequence[bytes]) -> bytes:
    """Return messages as a stream."""
    return b"".join(map(text, listed))


def fewer_messages(data: bytes, most: int, drawn: Random) -> bytes:
    """Leave out messages behind the first few until it is small enough."""
    listed, rest = messages(data)
    size = len(data)
    while size > most and len(listed) > _DEFINING:
        first = drawn.randrange(_DEFINING, len(listed))
        stop = first + 1 + int(drawn.expovariate(8 / len(listed)))
        size -= sum(len(message) + 2 for message in listed[first:stop])
        del listed[first:stop]
    return joined(listed) + rest[: max(most, 0)]


def other_messages(data: bytes, drawn: Random) -> bytes:
    """Change a message and its length with it, or leave out, repeat or swap messages."""
    listed, rest = messages(data)
    if not listed:
        return data
    at, other = drawn.randrange(len(listed)), drawn.randrange(len(listed))
    match drawn.randrange(6):
        case 0:
            del listed[at]
        case 1:
            listed[other:other] = [listed[at]] * drawn.choice((1, 2, 40))
        case 2:
            listed[at], listed[other] = listed[other], listed[at]
        case _:
            listed[at] = drawn.choice((*BYTEWISE, other_number))(listed[at], drawn)
    return joined(listed) + rest


def other_number(data: bytes, drawn: Random) -> bytes:
    """Put a number in the place of a byte or of a number."""
    if not data:
        return data
    at = drawn.randrange(len(data))
    length = 257 - data[at] if data[at] >= 248 else 1
    return data[:at] + uint(drawn.choice(_NUMBERS)) + data[at + length :]


def stream(_data: bytes, drawn: Random) -> bytes:
    """Return a stream of results with any fields of any types, whatever was given."""
    types = range(_FIRST + 2, _FIRST + 2 + drawn.randrange(4))
    names = [*_NEEDED, *drawn.sample(_OTHERS, drawn.randrange(len(_OTHERS)))]
    drawn.shuffle(names)
    if drawn.random() < 0.1:
        del names[0]
    kinds = [drawn.choice((2, 3, 6, 6, 5, _FIRST + 1, *range(1, 8), *types)) for _ in names]
    usual = {"Timestamp": _FIRST + 1, "Latency": 2, "Code": 3, "Error": 6, "URL": 6, "Attack": 6}
    if drawn.random() < 0.7:
        kinds = [usual.get(name, kind) for name, kind in zip(names, kinds, strict=True)]
    listed = [_struct(_FIRST, b"Result", list(zip(names, kinds, strict=True)))]
    listed += [_definition(number, drawn) for number in types]
    listed.append(_time())
    for _ in range(drawn.randrange(1, 12)):
        listed.append(sint(_FIRST) + _result(kinds, drawn) + b"\0")
    return joined(listed)


def _struct(number: int, name: bytes, fields: Sequence[tuple[str, int]]) -> bytes:
    members = b"".join(
        b"\x01" + text(name.encode()) + b"\x01" + sint(kind) + b"\0" for name, kind in fields
    )
    common = b"\x01" + text(name) + b"\x01" + sint(number) + b"\0"
    return sint(-number) + b"\x03\x01" + common + b"\x01" + uint(len(fields)) + members + b"\0\0"


def _time() -> bytes:
    number = _FIRST + 1
    return sint(-number) + b"\x05\x01\x01" + text(b"Time") + b"\x01" + sint(number) + b"\0\0\0"


def _definition(number: int, drawn: Random) -> bytes:
    """Return the definition of an array, a slice, a map or a struct of any others."""
    inner = [drawn.choice((*range(1, 8), *range(_FIRST, _FIRST + 6))) for _ in range(2)]
    head = b"\x01\x02" + sint(number) + b"\0"
    match drawn.randrange(4):
        case 0:
            return sint(-number) + b"\x01\x01" + head + b"\x01" + sint(inner[0]) + b"\x01\x04\0\0"
        case 1:
            return sint(-number) + b"\x02\x01" + head + b"\x01" + sint(inner[0]) + b"\0\0"
        case 2:
            pair = b"\x01" + sint(inner[0]) + b"\x01" + sint(inner[1])
            return sint(-number) + b"\x04\x01" + head + pair + b"\0\0"
        case _:
            return _struct(number, b"Inner", [("a", inner[0]), ("b", inner[1])])


def _result(kinds: Sequence[int], drawn: Random) -> bytes:
    body, last = b"", -1
    for at, kind in enumerate(kinds):
        if drawn.random() < 0.8:
            body += uint(at - last) + _value(kind, drawn, depth=0)
            last = at
    return body


def _value(kind: int, drawn: Random, depth: int) -> bytes:
    number = drawn.choice(_NUMBERS) if drawn.random() < 0.3 else int(drawn.expovariate(1e-6))
    if kind == _FIRST + 1:
        version = drawn.choice((1, 1, 1, 2))
        seconds = _EPOCH + drawn.choice((1_600_000_000, 1_600_000_000, -(2**40), 2**34, 0))
        raw = bytes((version,)) + seconds.to_bytes(8, "big", signed=True)
        nanoseconds = drawn.choice((number % 10**9, 2**32 - 1))
        return text(raw + nanoseconds.to_bytes(4, "big") + b"\xff\xff" + b"\0" * (version - 1))
    if kind in {5, 6}:
        letters = drawn.choice((b"", b"a", b"GET", b"http://h/", b"\xff\xfe", b"b" * 200, b"\x1b"))
        return text(letters * drawn.choice((1, 1, 3)))
    if kind == 7:
        return uint(number) * 2
    if kind < 8:
        return uint(number)
    inner = b"".join(
        _value(drawn.randrange(1, 8), drawn, depth + 1) for _ in range(drawn.randrange(4))
    )
    return drawn.choice((uint(drawn.randrange(4)) + inner, b"\x01" + inner + b"\0", b"\0"))
