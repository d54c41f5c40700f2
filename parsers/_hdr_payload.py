"""A histogram as HdrHistogram packs it into text: base64, zlib, and counts of varying length.

Source: HdrHistogram 2.2.1, `AbstractHistogram.java` (encodeIntoByteBuffer, valueFromIndex,
fillCountsArrayFromSourceBuffer), `ZigZagEncoding.java`, `DoubleHistogram.java`.
"""

from __future__ import annotations

import binascii
import math
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

_PACKED: Final = 0x1C849314
_PLAIN: Final = 0x1C849313
_OF_FRACTIONS: Final = 0x0C72124F
_OLDER: Final = {0x1C849302: "1", 0x1C849309: "0"}
_HEADER: Final = struct.Struct(">IIIIQQd")
#: So many bytes a count has at most.
_MOST_PER_COUNT: Final = 9
_ZEROS: Final = re.compile(rb"\0*+")
_MOST_DIGITS: Final = 5
_MOST_BITS: Final = 63


class CountBin(NamedTuple):
    """Values from `low` to `high`, what stands for them, and how many samples they have."""

    low: float
    middle: float
    high: float
    samples: int


class Room:
    """How many bytes the histograms of a file may unpack to, all together.

    Those that programs record come to some times the size of their file; a few bytes that unpack
    to millions of counts, again and again, only cost time.
    """

    def __init__(self, file_bytes: int) -> None:
        self.left = 2**20 + 32 * file_bytes

    def take(self, data: bytes) -> None:
        """Count what was unpacked; raises ValueError where it is too much."""
        self.left -= len(data)
        if self.left < 0:
            raise ValueError("histograms that unpack to far too much")


def buckets(text: str, room: Room) -> Iterator[CountBin]:
    """Yield the buckets of a packed histogram that hold something, ascending.

    Args:
        text: The histogram.
        room: What it may unpack to, beside the others of its file.

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
    yield from _unpacked(_inflated(packed[8:], room), whole=whole)


def _words(data: bytes) -> tuple[int, int]:
    if len(data) < 8:
        raise ValueError("no packed histogram, as it is too short")
    cookie, length = struct.unpack(">II", data[:8])
    return cookie, length


def _inflated(data: bytes, room: Room) -> bytes:
    """Return what is in a zlib stream, as far as a histogram with its header can go."""
    stream = zlib.decompressobj()
    try:
        header = stream.decompress(data, _HEADER.size)
        most = min(_most_bytes(header), room.left + 1)
        payload = stream.decompress(stream.unconsumed_tail, most) if most else b""
    except zlib.error as error:
        raise ValueError(f"no zlib stream: {error}") from error
    room.take(payload)
    if not stream.eof and 0 < most <= len(payload):
        raise ValueError("a histogram that unpacks to more counts than its range has")
    if not stream.eof:
        raise ValueError("a zlib stream that ends early")
    return header + payload


def _most_bytes(header: bytes) -> int:
    """Return how long the counts may be, and one byte more; nothing behind half a header.

    Source: HdrHistogram 2.2.1, `AbstractHistogram.java` (getBucketsNeededToCoverValue,
    getLengthForNumberOfBuckets).
    """
    if len(header) < _HEADER.size:
        return 0
    _, _, _, digits, lowest, highest, _ = _HEADER.unpack(header)
    if digits > _MOST_DIGITS or lowest < 1:
        raise ValueError("a histogram with a header that cannot be")
    layout = _Bucketing(digits, lowest)
    bits: int = highest.bit_length()
    untracked = 1 << (layout.half + 1 + layout.unit)
    needed = 1 + max(bits - untracked.bit_length() + 1, 0)
    return _MOST_PER_COUNT * ((needed + 1) << layout.half) + 1


def _unpacked(content: bytes, *, whole: bool) -> Iterator[CountBin]:
    if len(content) < _HEADER.size:
        raise ValueError("a histogram without a header")
    cookie, length, offset, digits, lowest, _, ratio = _HEADER.unpack_from(content)
    payload = content[_HEADER.size :]
    if cookie != _PLAIN or len(payload) != length:
        raise ValueError("no histogram of the encoding V2")
    if (whole and offset) or not 0 < ratio < math.inf:
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
        if payload[at] == 0:
            end = _ZEROS.match(payload, at).end()  # type: ignore[union-attr]
            index, at = index + end - at, end
            continue
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
    for number in range(_MOST_PER_COUNT):
        if at >= len(payload):
            raise ValueError("a count that breaks off")
        byte = payload[at]
        at += 1
        value |= (byte if number == 8 else byte & 0x7F) << (7 * number)
        if byte < 0x80:
            break
    return (value >> 1) ^ -(value & 1), at
