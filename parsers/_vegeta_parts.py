"""Where a gob stream of vegeta's results can be cut: between two of them.

A message says how long it is and of which type, and nothing marks where one begins. A place from
which some messages follow one another without a flaw is nearly always one; that the part before
ends exactly there proves it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit.parsing import HEAD_BYTES, Content, Part

from . import _gob
from ._vegeta_columns import Decoder

#: How far behind a place that was asked for a cut is looked for.
_SEARCHED: Final = 2**20
#: Bytes that must be messages for a place to count, and how many at least.
_TRIED: Final = 2**14
_FEWEST: Final = 2
#: Bytes that the length of a message may take.
_LENGTHS: Final = (1, 2, 3, 4)


def cut(content: Content, count: int) -> Sequence[Part]:
    """Return at most so many parts of a stream, none where it does not begin with definitions."""
    head, opening = _head_of(content.read(0, HEAD_BYTES))
    if not head:
        return ()
    starts = [len(head)]
    for number in range(1, count):
        at = _cut_behind(content, content.size * number // count, head, opening)
        if at > starts[-1]:
            starts.append(at)
    stops = [*starts[1:], None]
    return [Part(start, stop, head, len(starts)) for start, stop in zip(starts, stops, strict=True)]


def _head_of(data: bytes) -> tuple[bytes, bytes]:
    """Return the definitions that a stream begins with, and what opens a value of their type."""
    reader = _gob.Reader(data)
    try:
        while True:
            at = reader.pos
            length = reader.uint()
            start, reader.pos = reader.pos, reader.pos + length
            if reader.pos > len(data):
                break
            if _gob.read_definition(data[start : reader.pos]) is None:
                value = _gob.Reader(data[start : reader.pos])
                value.int()
                return data[:at], value.data[: value.pos]
    except _gob.GobError:
        pass
    return b"", b""


def _cut_behind(content: Content, target: int, head: bytes, opening: bytes) -> int:
    """Return where a message begins behind a place, 0 where none is found."""
    window = content.read(target, _SEARCHED)
    for at in _candidates(window, opening):
        for stop in (at + _TRIED, len(window)):
            decoder = Decoder(compiled=False)
            deque(decoder.feed(head), 0)
            deque(decoder.feed(window[at:stop]), 0)
            if decoder.failure is not None:
                break
            if decoder.total >= _FEWEST:
                return target + at
    return 0


def _candidates(window: bytes, opening: bytes) -> Iterator[int]:
    """Yield where a message of a type may begin: its length, and what opens it."""
    at = window.find(opening)
    while at >= 0:
        for size in _LENGTHS:
            reader = _gob.Reader(window[max(at - size, 0) : at])
            try:
                reader.uint()
            except _gob.GobError:
                continue
            if at >= size and reader.pos == size:
                yield at - size
        at = window.find(opening, at + 1)
