"""Files with a line of text per request: windows of whole rows, and batches.

A format is declared by its columns (`_rows_columns.py`) and by how its lines are written
(`_rows_csv.DelimitedRows`, `_rows_json.JsonObjects`). A window is read by pyarrow; where that
fails, row by row, so that the rows before a broken one are kept and its line is known.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import InseparableError, Part, RequestBatch, Source
from benchkit.runtime.jit import COMPILE_FROM

from ._rows_columns import CodedText, Number, RowField, arrays_of, arrays_of_rows
from ._rows_windows import WINDOW, Window, is_recoded, last_end, up_to, utf8, windows

if TYPE_CHECKING:
    import pyarrow as pa

    from ._rows_columns import Arrays
    from ._texts import TextCodes

#: Bytes of rows from which a table is worth setting up.
_FEW: Final = 2048
#: Fields of a batch that are codes, and the field with their texts.
_CODED: Final = {"error": "errors", "attack": "attacks", "method": "methods", "url": "urls"}
_NUMBERS: Final = {item.name for item in fields(RequestBatch)} - {*_CODED, *_CODED.values()}


class NotPlainError(Exception):
    """Rows have something that machine code does not take."""


class BadRowError(ValueError):
    """A row that cannot be read: its line within the window, from 0, and what stands there."""

    def __init__(self, line: int, expected: str, actual: str) -> None:
        super().__init__(expected)
        self.line = line
        self.expected = expected
        self.actual = actual


@dataclass(frozen=True, kw_only=True)
class Rows(ABC):
    """Which columns the rows have.

    Attributes:
        columns: Those that are read.
        only: Rows count only where these columns have these texts; the others are passed over.
        finish: Makes of the arrays by field those of a batch: computes one of others, leaves
            rows out. It is given the texts by field, too, which it may add to.
        constants: Fields of `RequestBatch` that are the same for each batch.
        announced: Counts in whole rows the requests that others than theirs tell of.
    """

    columns: Sequence[RowField]
    only: Mapping[str | tuple[str, ...], str] = field(default_factory=dict)
    finish: Callable[[Arrays, Mapping[str, TextCodes]], Arrays] | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    announced: Callable[[bytes], int] | None = None

    #: What the last row ends with where no line end follows; b"" where its cut is seen as it
    #: is read, a line end where it never is.
    ended = b"\n"

    @abstractmethod
    def layout(self, source: Source) -> RowLayout:
        """Return how the lines of a file are written, as its beginning tells.

        Raises:
            InputError: a column is missing.
        """

    def parts(self, source: Source, count: int) -> Sequence[Part]:
        """Cut a file at line ends into at most so many parts."""
        layout = self.layout(source)
        starts = [layout.start]
        if is_recoded(source.head):
            return ()
        read = utf8(source)
        for number in range(1, count):
            target = source.content.size * number // count
            at = target + layout.row_within(read(target, WINDOW))
            if target < at and at > starts[-1]:
                starts.append(at)
        stops = [*starts[1:], None]
        return [
            Part(start, stop, share=len(starts)) for start, stop in zip(starts, stops, strict=True)
        ]

    def batches(self, source: Source, part: Part | None = None) -> Iterator[RequestBatch]:
        """Yield the requests in file order, a batch per window.

        Raises:
            InputError: a row cannot be read, all before it have been yielded; or there is none.
            InseparableError: a part ends within a row, there is more in it than can be added, or
                it tells of requests and has none.
        """
        from ._texts import TextCodes

        names = {column.field: TextCodes() for column in self.columns}
        layout = self.layout(source)
        layout.compiled = source.content.size >= COMPILE_FROM
        is_empty = part is None
        quotes = announced = reported = 0
        last: Arrays = {}
        read = utf8(source)
        start, line = layout.start, layout.line
        if part is not None:
            read, start, line = up_to(part.stop, read), part.start, 1
        reached = start
        for window in windows(read, layout.quote, start, line):
            reached += len(window.data)
            if part is not None and layout.quote and layout.quote in window.data:
                quotes += window.data.count(layout.quote)
            whole = window.data.rstrip(b" \t\r").endswith((b"\n", self.ended))
            end = len(window.data) if whole else last_end(window.data, layout.quote)
            rows, cut = replace(window, data=window.data[:end]), window.data[end:]
            announced += 0 if self.announced is None else self.announced(rows.data)
            for arrays in self._arrays(rows, layout, names):
                made = arrays if self.finish is None else self.finish(arrays, names)
                if len(made["latency_ns"]):
                    is_empty = False
                    last, reported = made, announced
                    yield self._batch(made, names, announced)
            _require_end(rows, cut)
            if part is not None and any(texts.crowded(part.share) for texts in names.values()):
                raise InseparableError
        if part is not None and (quotes % 2 or part.stop not in {None, reached}):
            raise InseparableError
        if is_empty:
            kinds = f" ({', '.join(self.only.values())})" if self.only else ""
            raise InputError(
                f"rows of requests{kinds}", actual="none", where=Where(line=layout.line)
            )
        if announced > reported:
            yield self._rest(last, names, announced)

    def _arrays(
        self, window: Window, layout: RowLayout, names: Mapping[str, TextCodes]
    ) -> Iterator[Arrays]:
        if layout.compiled:
            try:
                plain = layout.plain(window, names)
            except NotPlainError:
                pass
            else:
                if len(plain.get("latency_ns", ())):
                    yield plain
                return
        # Of a few rows a table costs more to set up than to read each.
        for exact in tuple(layout.exactness) if len(window.data) > _FEW else ():
            with contextlib.suppress(Exception):  # whatever it stumbles over, we look ourselves
                table = layout.quick(window.data, exact=exact)
                arrays = None if table is None else arrays_of(table, self.columns, names)
                layout.exactness.sort(key=lambda other: other is not exact)
                if arrays is not None:
                    yield arrays
                return
        good: list[Mapping[str, int]] = []
        try:
            good.extend(layout.careful(window.data, names))
        except BadRowError as error:
            if good:
                yield arrays_of_rows(good, self.columns)
            raise InputError(
                error.expected,
                actual=error.actual,
                where=Where(line=window.line + error.line),
                hint="the results before it were read",
            ) from None
        if good:
            yield arrays_of_rows(good, self.columns)

    def _rest(self, last: Arrays, names: Mapping[str, TextCodes], announced: int) -> RequestBatch:
        """Return a batch without requests that tells how many there are."""
        if not last:  # of what columns it would be, nobody knows
            raise InseparableError
        return self._batch({name: array[:0] for name, array in last.items()}, names, announced)

    def _batch(
        self, arrays: Arrays, names: Mapping[str, TextCodes], announced: int
    ) -> RequestBatch:
        import numpy as np

        given: dict[str, Any] = {
            name: array for name, array in arrays.items() if name in {*_NUMBERS, *_CODED}
        }
        if "status" in given:
            given["status"] = np.clip(given["status"], -1, 1000).astype(np.int32)
        texts: dict[str, Any] = {
            lists: names[name].texts for name, lists in _CODED.items() if name in names
        }
        count = None if self.announced is None else announced
        return RequestBatch(**given, **texts, **self.constants, announced=count)


def _require_end(rows: Window, cut: bytes) -> None:
    """Raise an InputError where something stands behind the last whole row of a file."""
    if cut.strip():
        raise InputError(
            "an end of the last row",
            actual=cut[-60:].decode("utf-8", "backslashreplace"),
            where=Where(line=rows.line + rows.data.count(b"\n")),
            hint="the file is cut off here; the results before it were read",
        )


class RowLayout(ABC):
    """How the rows of a file are written.

    Attributes:
        start: Where the first row begins, in bytes, and `line` its line, from 1.
        quote: The byte between which a line break does not end a row, or b"".
        exactness: Whether decimals are read exactly, which fails where there are more digits
            than are kept, or as floats: what is tried first, and then.
        compiled: Whether rows are plain enough for machine code.
    """

    def __init__(self, rows: Rows, start: int = 0, line: int = 1, quote: bytes = b"") -> None:
        self.start, self.line, self.quote = start, line, quote
        self.compiled = False
        decimals = any(isinstance(c.kind, Number) and not c.kind.whole for c in rows.columns)
        self.exactness = [True, False] if decimals else [True]

    def row_within(self, data: bytes) -> int:
        """Return where a row seems to begin behind a line end, 0 where none is found."""
        return data.find(b"\n") + 1

    def plain(self, window: Window, names: Mapping[str, TextCodes]) -> Arrays:
        """Return whole rows as arrays by field, read by machine code.

        Raises:
            NotPlainError: it does not take them.
        """
        del window, names
        self.compiled = False
        raise NotPlainError

    @abstractmethod
    def quick(self, data: bytes, *, exact: bool) -> pa.Table | None:
        """Return whole rows as a table with columns by field, None without any; may raise."""

    @abstractmethod
    def careful(self, data: bytes, names: Mapping[str, TextCodes]) -> Iterator[Mapping[str, int]]:
        """Yield rows as numbers by field.

        Raises:
            BadRowError: a row cannot be read.
        """


def values_of(
    columns: Iterable[tuple[RowField, object]], names: Mapping[str, TextCodes], line: int
) -> dict[str, int]:
    """Return what a row has as numbers by field; None and empty are missing.

    Raises:
        BadRowError: a value cannot be read.
    """
    values = {}
    for column, raw in columns:
        is_missing = raw is None or raw == ""
        if is_missing and column.absent is not None and not isinstance(column.kind, CodedText):
            if raw is not None:
                values[column.field] = column.absent
            continue
        if raw is None and isinstance(column.kind, CodedText):
            continue
        value = column.kind.value(raw, names[column.field])
        if value is None:
            name = ".".join(column.path)
            raise BadRowError(line, f"{column.kind.expected} as {name}", str(raw)[:60])
        values[column.field] = value
    return values
