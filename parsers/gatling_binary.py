"""Gatling's `simulation.log` from 3.13 on, which is binary.

It begins with the record of the run: a byte 0, the version, the class, the start (int64, ms since
1970), a description, the scenarios, the assertions. Then come records of one byte, their kind, and
big-endian fields; times are ms since that start (int32). A text that comes often has a number: a
new one, above 0, stands before the text itself, later on its negative stands for it. A text is its
length in bytes (int32), the bytes, and how they are coded: 0 is Latin 1, 1 UTF-16 as the machine
has it; an empty one is its length only.

Source: Gatling 3.13.0 to 3.15.0 `core/stats/writer/LogFileDataWriter.scala`, `RecordHeader.scala`;
`charts/stats/LogFileReader.scala`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Final

import numpy as np

from benchkit.errors import InputError, Where
from benchkit.parsing import RequestBatch, RowsParser, Source

from ._gatling_rows import OK, ROWS, status_of, with_requests
from ._rows_columns import MS
from ._texts import TextCodes

_HEAD: Final = re.compile(rb"\0\0\0\0[\x05-\x1e][0-9]{1,2}\.[0-9]{1,3}[\w.-]*+\0", re.DOTALL)
_INT: Final = struct.Struct(">i")
_LONG: Final = struct.Struct(">q")
#: Of a request behind its name: start, end, whether it is OK.
_TIMES: Final = struct.Struct(">iib")
_CHUNK: Final = 2**20
_TOGETHER: Final = 2**16
#: More than any text, or list, of a log.
_LONGEST: Final = 2**26
_MOST: Final = 100_000


class _Short(Exception):  # noqa: N818 - no error: more is to be read
    """The record goes on behind what has been read."""


class _SimulationLog:
    """Reads a log record by record, as its bytes come.

    Attributes:
        data: What has been read and not yet been taken apart, from `at` on.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._reached = 0
        self.data, self.at = b"", 0
        self._texts: dict[int, bytes] = {}
        self.errors, self.names = TextCodes(), TextCodes()
        self.start = 0
        self.rows: list[tuple[int, int, int, int, int]] = []

    def more(self) -> bool:
        """Read on; whether there was anything."""
        piece = self._source.content.read(self._reached, _CHUNK)
        self._reached += len(piece)
        self.data, self.at = self.data[self.at :] + piece, 0
        return bool(piece)

    @property
    def offset(self) -> int:
        """The byte of the file at which the record begins."""
        return self._reached - len(self.data) + self.at

    def record(self) -> None:
        """Take the next record apart, and keep it if it is a request.

        Raises:
            _Short: it is not all there.
            InputError: it is none.
        """
        before = self.at
        try:
            self._record()
        except (_Short, struct.error, IndexError):
            self.at = before
            raise _Short from None

    def _record(self) -> None:
        kind = self.data[self.at]
        begun, self.at = self.at, self.at + 1
        if kind == 1:
            self._request()
        elif kind == 2:
            self._skip(9)
        elif kind == 3:
            self._groups()
            self._skip(13)
        elif kind == 4:
            self._cached()
            self._skip(4)
        elif kind == 0 and self.offset == 1:
            self._run()
        else:
            self.at = begun
            raise InputError(
                "a record of Gatling's log",
                actual=f"the byte {kind}",
                where=Where(byte=self.offset),
                hint="the file is damaged, or was written by a version that is not known",
            )

    def _run(self) -> None:
        self._text()
        self._text()
        (self.start,) = _LONG.unpack_from(self.data, self.at)
        self._skip(8)
        self._text()
        for _ in range(self._count()):
            self._text()
        for _ in range(self._count()):
            self._skip(self._length())

    def _request(self) -> None:
        self._groups()
        name = self._cached()
        start, end, good = _TIMES.unpack_from(self.data, self.at)
        self._skip(_TIMES.size)
        message = self._cached()
        self.rows.append((start, end, good, name, message))

    def _groups(self) -> None:
        for _ in range(self._count()):
            self._cached()

    def _cached(self) -> int:
        """Return the number of a text, and learn it if it is new."""
        number = self._int()
        if number > 0:
            self._texts[number] = self._text()
            return number
        if -number not in self._texts:
            raise self._error("the number of a text", number)
        return -number

    def _text(self) -> bytes:
        """Return a text as UTF-8."""
        length = self._length()
        if length == 0:
            return b""
        raw = self.data[self.at : self.at + length]
        self._skip(length)
        coder = self.data[self.at]
        self._skip(1)
        if coder not in {0, 1}:
            raise self._error("the coding of a text, 0 or 1", coder)
        return raw.decode("utf-16-le" if coder else "latin-1", "replace").encode()

    def _int(self) -> int:
        number: int = _INT.unpack_from(self.data, self.at)[0]
        self._skip(4)
        return number

    def _length(self) -> int:
        length = self._int()
        if not 0 <= length <= _LONGEST:
            raise self._error("the length of a text", length)
        return length

    def _count(self) -> int:
        count = self._int()
        if not 0 <= count <= _MOST:
            raise self._error("how many there are", count)
        return count

    def _skip(self, count: int) -> None:
        if self.at + count > len(self.data):
            raise _Short
        self.at += count

    def _error(self, expected: str, actual: int) -> InputError:
        return InputError(
            f"{expected} in Gatling's log",
            actual=str(actual),
            where=Where(byte=self.offset),
            hint="the file is damaged",
        )

    def batch(self) -> RequestBatch | None:
        """Return the requests so far, None without any, and forget them."""
        rows, self.rows = self.rows, []
        if not rows:
            return None
        start, end, good, name, message = np.array(rows, np.int64).T
        is_good = good != 0
        numbers = np.unique(message).tolist()
        texts = [self._texts[number].decode() for number in numbers]
        meant = np.array([status_of(text) for text in texts])
        coded = np.array([self.errors.code(t.encode()) if t else -1 for t in texts], np.int32)
        at = np.searchsorted(numbers, message)
        names = np.unique(name).tolist()
        urls = np.array([self.names.code(self._texts[number]) for number in names], np.int32)
        return RequestBatch(
            latency_ns=(end - start) * MS,
            started_ns=(self.start + start) * MS,
            status=np.where(is_good, OK, meant[at]).astype(np.int32),
            error=np.where(is_good, -1, coded[at]).astype(np.int32),
            errors=self.errors.texts,
            url=urls[np.searchsorted(names, name)],
            urls=self.names.texts,
        )


def sniff(source: Source) -> bool:
    """Whether a file begins with the record of a run: 0, the version, how it is coded."""
    return _HEAD.match(source.head[:80]) is not None


def rows(source: Source) -> Iterator[RequestBatch]:
    """Yield the requests in file order, that in which they ended.

    Raises:
        InputError: the log breaks off, all before it have been yielded; there is no request.
    """
    yield from with_requests(_batches(_SimulationLog(source)))


def _batches(log: _SimulationLog) -> Iterator[RequestBatch]:
    failure: InputError | None = None
    while failure is None:
        try:
            log.record()
        except _Short:
            if log.more():
                continue
            if log.at < len(log.data):
                failure = InputError(
                    "an end of the last record",
                    actual="the end of the file",
                    where=Where(byte=log.offset),
                    hint="the file is cut off here; the requests before it were read",
                )
            break
        except InputError as error:
            failure = error
        if len(log.rows) >= _TOGETHER and (batch := log.batch()):
            yield batch
    if batch := log.batch():
        yield batch
    if failure is not None:
        raise failure


PARSERS: Final = (
    RowsParser(
        name="gatling-binary",
        reads="simulation.log as it is from 3.13 on",
        versions="3.13 on",
        sniff=sniff,
        rows=rows,
        **ROWS,
    ),
)
