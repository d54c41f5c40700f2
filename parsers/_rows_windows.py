"""A file of rows as text, window by window: whole rows in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from benchkit.parsing import HEAD_BYTES, Bytes, Source
from benchkit.text import decode

#: Bytes that are read together; the longest row.
WINDOW: Final = 2**20
LONGEST: Final = 2**26

#: Bytes of which lines are counted together: they lie in a processor's cache.
_COUNTED: Final = 2**17
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Window:
    """Whole rows: their bytes, the number of their first line, from 1, and how many end in it."""

    data: bytes
    line: int
    ends: int


def is_recoded(head: bytes) -> bool:
    """Whether a file is read as a whole, as it is no UTF-8."""
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:4096]


def up_to(stop: int | None, read: Callable[[int, int], bytes]) -> Callable[[int, int], bytes]:
    """Return a reader of the content before a place."""
    if stop is None:
        return read
    return lambda start, count: read(start, min(count, stop - start))


def utf8(source: Source) -> Callable[[int, int], bytes]:
    """Return a reader (start, count) of the content as UTF-8 without a byte-order mark."""
    head = source.head
    if head.startswith(_BOM):
        return lambda start, count: source.content.read(start + len(_BOM), count)
    if is_recoded(head):
        whole = (decode(source.data) or "").encode("utf-8", "surrogatepass")
        return Bytes(whole).read
    return source.content.read


def head_of(source: Source) -> bytes:
    """Return the first bytes as UTF-8 without a byte-order mark, for recognising."""
    head = source.head
    if is_recoded(head):
        return utf8(Source.from_bytes(head))(0, HEAD_BYTES)
    return head.removeprefix(_BOM)


def windows(
    read: Callable[[int, int], bytes], quote: bytes, start: int = 0, line: int = 1
) -> Iterator[Window]:
    """Yield the content from a row on in windows that end with one; the last may end within."""
    room = WINDOW
    while data := read(start, room):
        end = len(data) if len(data) < room else last_end(data, quote)
        if end == 0 and room < LONGEST:
            room *= 2
            continue
        part = data[:end] if end else data
        ends = line_ends(part)
        yield Window(part, line, ends)
        start, room, line = start + len(part), WINDOW, line + ends


def line_ends(data: bytes, start: int = 0) -> int:
    """Return how many there are from a place on; numpy counts several times as fast as Python."""
    import numpy as np

    bytes_of = np.frombuffer(data, np.uint8)
    pieces = range(start, len(data), _COUNTED)
    return sum(int(np.count_nonzero(bytes_of[at : at + _COUNTED] == 10)) for at in pieces)


def last_end(data: bytes, quote: bytes) -> int:
    """Return the end of the last whole row, 0 where there is none."""
    end = data.rfind(b"\n") + 1
    odd = data.count(quote, 0, end) % 2 if quote and quote in data else 0
    while odd and end:
        earlier = data.rfind(b"\n", 0, end - 1) + 1
        odd ^= data.count(quote, earlier, end) % 2
        end = earlier
    return end
