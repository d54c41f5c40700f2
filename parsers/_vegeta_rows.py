"""Results that are written as lines of text: windows of whole rows, and columns.

A window is read by pyarrow; where that fails, row by row, so that the rows before
a broken one are kept and its line is known.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import HEAD_BYTES, Bytes, RequestBatch, Source
from benchkit.text import decode

if TYPE_CHECKING:
    import pyarrow as pa

    from ._vegeta_names import TextCodes

#: Bytes that are read together; the longest row.
WINDOW: Final = 2**23
LONGEST: Final = 2**26

NUMBERS: Final = ("timestamp", "code", "latency", "bytes_out", "bytes_in", "seq")
TEXTS: Final = ("error", "attack", "method", "url")
NEEDED: Final = ("timestamp", "code", "latency")

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Window:
    """Whole rows: their bytes, and the number of their first line, from 1."""

    data: bytes
    line: int


class BadRowError(ValueError):
    """A row that cannot be read: its line within the window, from 0, and what stands there."""

    def __init__(self, line: int, expected: str, actual: str) -> None:
        super().__init__(expected)
        self.line = line
        self.expected = expected
        self.actual = actual


@dataclass(frozen=True)
class Way:
    """How a format is read.

    Attributes:
        quote: The byte between which a line break does not end a row, or b"".
        quick: Bytes to a table with columns of NUMBERS (integers) and TEXTS
            (dictionaries of bytes); raises what it likes.
        careful: Bytes to rows, mappings by column; raises BadRowError.
        ended: What the last row has to end with: else it is cut off.
    """

    quote: bytes
    ended: bytes
    quick: Callable[[bytes], pa.Table]
    careful: Callable[[bytes], Iterator[Mapping[str, Any]]]


def utf8(source: Source) -> Callable[[int, int], bytes]:
    """Return a reader (start, count) of the content as UTF-8 without a byte-order mark."""
    head = source.head[:4096]
    if head.startswith(_BOM):
        return lambda start, count: source.content.read(start + len(_BOM), count)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head:
        whole = (decode(source.data) or "").encode("utf-8", "surrogatepass")
        return Bytes(whole).read
    return source.content.read


def head_of(source: Source) -> bytes:
    """Return the first bytes as UTF-8 without a byte-order mark, for recognising."""
    return utf8(Source.of(source.head))(0, HEAD_BYTES)


def batches(source: Source, way: Way) -> Iterator[RequestBatch]:
    """Yield the results in file order, a batch per window.

    Raises:
        InputError: a row cannot be read; all before it have been yielded.
    """
    from ._vegeta_names import TextCodes

    names = {name: TextCodes() for name in TEXTS}
    for window in windows(utf8(source), quote=way.quote):
        ended = window.data.rstrip(b" \t\r").endswith(way.ended)
        end = len(window.data) if ended else _last_end(window.data, way.quote)
        rows, cut = Window(window.data[:end], window.line), window.data[end:]
        yield from _batches_of(rows, way, names)
        if cut.strip():
            raise InputError(
                "an end of the last row",
                actual=cut[-60:].decode("utf-8", "backslashreplace"),
                where=Where(line=rows.line + rows.data.count(b"\n")),
                hint="the file is cut off here; the results before it were read",
            )


def _batches_of(window: Window, way: Way, names: Mapping[str, TextCodes]) -> Iterator[RequestBatch]:
    with contextlib.suppress(Exception):  # whatever it stumbles over, we look ourselves
        yield _from_table(way.quick(window.data), names)
        return
    good: list[Mapping[str, Any]] = []
    try:
        good.extend(way.careful(window.data))
    except BadRowError as error:
        if good:
            yield _from_rows(good, names)
        raise InputError(
            error.expected,
            actual=error.actual,
            where=Where(line=window.line + error.line),
            hint="the results before it were read",
        ) from None
    if good:
        yield _from_rows(good, names)


def windows(read: Callable[[int, int], bytes], *, quote: bytes) -> Iterator[Window]:
    """Yield the content in windows that end with a row; the last may end within one."""
    start, room, line = 0, WINDOW, 1
    while data := read(start, room):
        end = len(data) if len(data) < room else _last_end(data, quote)
        if end == 0 and room < LONGEST:
            room *= 2
            continue
        part = data[:end] if end else data
        yield Window(part, line)
        start, room, line = start + len(part), WINDOW, line + part.count(b"\n")


def _last_end(data: bytes, quote: bytes) -> int:
    """Return the end of the last whole row, 0 where there is none."""
    end = data.rfind(b"\n") + 1
    odd = data.count(quote, 0, end) % 2 if quote else 0
    while odd and end:
        earlier = data.rfind(b"\n", 0, end - 1) + 1
        odd ^= data.count(quote, earlier, end) % 2
        end = earlier
    return end


def _from_table(table: pa.Table, names: Mapping[str, TextCodes]) -> RequestBatch:
    import numpy as np

    columns: dict[str, Any] = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if name in NUMBERS:
            if column.null_count:
                msg = f"{name} missing in a row"
                raise ValueError(msg)
            columns[name] = column.to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
        else:
            columns[name] = _recoded(column, names[name])
    return _batch(columns, names)


def _recoded(column: Any, names: TextCodes) -> Any:  # noqa: ANN401
    """Return the codes of a dictionary column in the file's own list of texts."""
    import numpy as np

    texts = [text or b"" for text in column.dictionary.to_pylist()]
    codes = np.array([*(names.code(text) if text else -1 for text in texts), -1], np.int32)
    at = column.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    return codes[at]


def _from_rows(rows: Sequence[Mapping[str, Any]], names: Mapping[str, TextCodes]) -> RequestBatch:
    import numpy as np

    columns: dict[str, Any] = {}
    for name in NUMBERS:
        if any(name in row for row in rows):
            columns[name] = np.array([row.get(name, 0) for row in rows], np.int64)
    for name in TEXTS:
        if any(name in row for row in rows):
            texts = (row.get(name, b"") for row in rows)
            codes = [names[name].code(text) if text else -1 for text in texts]
            columns[name] = np.array(codes, np.int32)
    return _batch(columns, names)


def _batch(columns: Mapping[str, Any], names: Mapping[str, TextCodes]) -> RequestBatch:
    import numpy as np

    return RequestBatch(
        latency_ns=columns["latency"],
        started_ns=columns["timestamp"],
        status=np.clip(columns["code"], -1, 1000).astype(np.int32),
        received_bytes=columns.get("bytes_in"),
        sent_bytes=columns.get("bytes_out"),
        seq=columns.get("seq"),
        attack=columns.get("attack"),
        error=columns.get("error"),
        method=columns.get("method"),
        url=columns.get("url"),
        attacks=names["attack"].texts,
        errors=names["error"].texts,
        methods=names["method"].texts,
        urls=names["url"].texts,
    )
