"""vegeta's binary results: `vegeta attack`'s own output, and `encode -to gob`.

A gob stream says what its messages look like before the first of them, so every
generation of vegeta's `Result` is read by the same code: 6 fields up to 6.x, 7
with the body in 7.x, 9 with attack and sequence number from 8.0, 12 with method,
URL and headers from 12.8. Fields are found by name. Streams written one after
another into a file, which vegeta refuses, are read as a single file.

Source: vegeta 12.13 `lib/results.go`; Go 1.26 `encoding/gob`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import (
    Content,
    InseparableError,
    Part,
    RequestBatch,
    RowsParser,
    Source,
    read_into,
)
from benchkit.runtime.jit import COMPILE_FROM

from . import _vegeta

if TYPE_CHECKING:
    from ._vegeta_columns import Failure

#: Bytes of the file that are looked at together.
WINDOW: Final = 2**21
_FIRST: Final = re.compile(
    rb"(?:[\x08-\x7f]|\xff[\x80-\xff]|\xfe[\x01-\xff]{2})"  # length
    rb"(?:\x7f|\xff[\x81\x83\x85])\x03\x01\x01\x06Result",  # a definition: the struct Result
    re.DOTALL,
)
_WHOLE: Final = Part(0)
_NAME: Final = b"\x03\x01\x01\x06Result"
_WIDE_NAMES: Final = tuple(
    _NAME.decode("ascii").encode(f"utf-16-{order}") for order in ("le", "be")
)


def sniff(source: Source) -> bool:
    """Whether the file begins with the definition of vegeta's results, even mangled."""
    return _FIRST.match(source.head) is not None or _mangled(source.head) is not None


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the results in file order.

    Raises:
        InputError: the file is cut off, damaged, or was rewritten as text; all
            results before that place have been yielded.
    """
    written_as = _mangled(source.head)
    if written_as is not None:
        raise InputError(
            "vegeta's binary results",
            actual=f"the same rewritten as {written_as}",
            where=Where(byte=0),
            hint="the shell's > did that (PowerShell's does) and it cannot be undone: "
            "run vegeta again with -output FILE",
        )
    yield from decode(source.content)


def parts(source: Source, count: int) -> Sequence[Part]:
    """Cut a stream between results, where that can be told, into at most so many parts."""
    from ._vegeta_parts import cut

    return cut(source.content, count)


def rows_of(source: Source, part: Part) -> Iterator[RequestBatch]:
    """Yield the results of a part in file order, each batch good until the next.

    Raises:
        InputError: as `rows`.
        InseparableError: the part does not end where a result does, or types are defined in it.
    """
    yield from decode(source.content, part=part)


def decode(
    content: Content, *, compiled: bool | None = None, part: Part = _WHOLE
) -> Iterator[RequestBatch]:
    """Yield the results of a gob stream as columns.

    Args:
        content: The stream.
        compiled: Whether to use machine code, by size if None; the results are
            the same.
        part: What is read of it; `given` are the definitions of its types.

    Raises:
        InputError: as `rows`.
        InseparableError: as `rows_of`.
    """
    from ._vegeta_columns import Decoder

    decoder = Decoder(
        compiled=content.size >= COMPILE_FROM if compiled is None else compiled,
        renewed=part is _WHOLE,
    )
    yield from decoder.feed(part.given)
    types = decoder.types
    base, room, stop = part.start, WINDOW, part.stop
    buffer = bytearray(min(room, content.size))
    while True:
        wanted = room if stop is None else min(room, stop - base)
        if wanted > len(buffer):
            buffer = bytearray(wanted)
        window = read_into(buffer, content, base, wanted)
        yield from decoder.feed(window)
        if part is not _WHOLE and decoder.crowded(part.share):
            raise InseparableError
        left = len(window) - decoder.done
        if decoder.failure is not None or len(window) < room:
            break
        base += decoder.done
        room = max(WINDOW, decoder.needed)
    yield from decoder.flush()
    if stop is not None:
        whole = base + len(window) == stop and not left
        if not whole or decoder.failure is not None or decoder.types != types:
            raise InseparableError
    if decoder.failure is not None:
        raise _error(decoder.failure, base, decoder.total)
    if left:
        raise _cut(left, base + decoder.done, decoder.total)
    if not decoder.total and part is _WHOLE:
        raise InputError("results", actual="only the description of their fields")


def _error(failure: Failure, base: int, total: int) -> InputError:
    where = Where(byte=base + failure.at)
    hint = failure.hint + _so_far(total)
    return InputError(failure.expected, actual=failure.actual, where=where, hint=hint)


def _cut(left: int, at: int, total: int) -> InputError:
    return InputError(
        "a complete result",
        actual=f"{left} bytes of one, then the end of the file",
        where=Where(byte=at),
        hint="the file is cut off" + _so_far(total),
    )


def _so_far(total: int) -> str:
    return f"; {total:,} results before it were read" if total else ""


def _mangled(head: bytes) -> str | None:
    """Return the encoding that a shell or editor has given the bytes, if one has."""
    start = head[:256]
    if _FIRST.match(start):
        return None
    if any(0 <= start.find(name) <= 24 for name in _WIDE_NAMES):
        return "UTF-16 text"
    at = start.find(_NAME)
    # \xef begins the replacement character and a byte-order mark, \xc2 a Latin-1 letter.
    if 0 < at <= 24 and any(
        sign in start[:at] for sign in (b"\xef\xbf\xbd", b"\xc2", b"\xef\xbb\xbf")
    ):
        return "UTF-8 text"
    return None


PARSERS: Final = (
    RowsParser(
        name="vegeta-gob",
        reads="binary results of `vegeta attack`, of every generation, also several appended",
        versions="1 to 12",
        detail=100,
        sniff=sniff,
        rows=rows,
        parts=parts,
        rows_of=rows_of,
        **_vegeta.ROWS,
    ),
)
