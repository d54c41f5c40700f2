"""A histogram as HdrHistogram packs it into text: base64, zlib, and counts of varying length.

Source: HdrHistogram 2.2.1, `AbstractHistogram.java` (encodeIntoByteBuffer, valueFromIndex,
fillCountsArrayFromSourceBuffer), `ZigZagEncoding.java`, `DoubleHistogram.java`.
"""

from __future__ import annotations

import binascii
import math
import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

_PACKED: Final = 0x1C849314
_PLAIN: Final = 0x1C849313
_OF_FRACTIONS: Final = 0x0C72124F
_OLDER: Final = {0x1C849302: "1", 0x1C849309: "0"}
_HEADER: Final = struct.Struct(">IIIIQQd")
#: Beyond it a histogram of five digits over all of 64 bits does not go.
_MOST_BYTES: Final = 2**26
_MOST_DIGITS: Final = 5
_MOST_BITS: Final = 63


class CountBin(NamedTuple):
    """Values from `low` to `high`, what stands for them, and how many samples they have."""

    low: float
    middle: float
    high: float
    samples: int


def buckets(text: str) -> Iterator[CountBin]:
    """Yield the buckets of a packed histogram that hold something, ascending.

    Raises:
        ValueError: it is none, or one of another version; the text says which.
    """
    try:
        packed = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error as error:
        raise ValueError(f"no base64: {error}") from error
    whole = True
    if packed[:4] == _OF_FRACTIONS.to_bytes(4, "big"):
        packed, whole = packed[16:], False
    cookie, length = _words(packed)
    if cookie & ~0xF0 in _OLDER:
        raise ValueError(f"a histogram of the encoding V{_OLDER[cookie & ~0xF0]}")
    if cookie != _PACKED or len(packed) != 8 + length:
        raise ValueError("no packed histogram of the encoding V2")
    yield from _unpacked(_inflated(packed[8:]), whole=whole)


def _words(data: bytes) -> tuple[int, int]:
    if len(data) < 8:
        raise ValueError("no packed histogram, as it is too short")
    cookie, length = struct.unpack(">II", data[:8])
    return cookie, length


def _inflated(data: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, _MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"no zlib stream: {error}") from error
    if not stream.eof:
        raise ValueError("a zlib stream that ends early, or never")
    return content


def _unpacked(content: bytes, *, whole: bool) -> Iterator[CountBin]:
    if len(content) < _HEADER.size:
        raise ValueError("a histogram without a header")
    cookie, length, offset, digits, lowest, _, ratio = _HEADER.unpack_from(content)
    payload = content[_HEADER.size :]
    if cookie != _PLAIN or len(payload) != length:
        raise ValueError("no histogram of the encoding V2")
    if digits > _MOST_DIGITS or lowest < 1 or (whole and offset) or not 0 < ratio < math.inf:
        raise ValueError("a histogram with a header that cannot be")
    scale = 1 if whole else ratio
    layout = _Bucketing(digits, lowest)
    for index, count in _counts(payload):
        low, size = layout.values(index)
        middle, high = low + size // 2, low + size - 1
        yield CountBin(low * scale, middle * scale, high * scale, count)


class _Bucketing:
    """Which values the counts of a histogram are of."""

    def __init__(self, digits: int, lowest: int) -> None:
        self.unit = lowest.bit_length() - 1
        self.half = max(math.ceil(math.log2(2 * 10**digits)), 1) - 1

    def values(self, index: int) -> tuple[int, int]:
        """Return the lowest value of a count, and how many values it is of."""
        bucket = (index >> self.half) - 1
        position = (index & ((1 << self.half) - 1)) + (1 << self.half)
        if bucket < 0:
            bucket, position = 0, position - (1 << self.half)
        if bucket + self.unit + self.half > _MOST_BITS:
            raise ValueError("a histogram with more counts than 64 bits have")
        return position << (bucket + self.unit), 1 << (bucket + self.unit)


def _counts(payload: bytes) -> Iterator[tuple[int, int]]:
    """Yield (index, count) of what is not 0; a negative number is so many zeros."""
    index = at = 0
    while at < len(payload):
        number, at = _zigzag(payload, at)
        if number < 0:
            index -= number
            continue
        if number:
            yield index, number
        index += 1


def _zigzag(payload: bytes, at: int) -> tuple[int, int]:
    """Return a number of up to nine bytes, of which the last has all its bits, and what follows."""
    value = 0
    for number in range(9):
        if at >= len(payload):
            raise ValueError("a count that breaks off")
        byte = payload[at]
        at += 1
        value |= (byte if number == 8 else byte & 0x7F) << (7 * number)
        if byte < 0x80:
            break
    return (value >> 1) ^ -(value & 1), at
