"""Rows as tables: columns between delimiters, quoted or not, with a header or without."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError, Where
from benchkit.parsing import HEAD_BYTES, Source

from ._rows import BadRowError, RowLayout, Rows, values_of
from ._rows_windows import Window, head_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ._rows_columns import Arrays, RowField
    from ._rows_compiled import Scanner
    from ._texts import TextCodes

#: Line ends of which one should be that of a row, where rows may have line breaks in them.
_TRIED: Final = 100
_LIMIT_LOCK: Final = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class DelimitedRows(Rows):
    """A table of requests.

    Attributes:
        delimiters: The first of these under which the first row has the columns is it.
        quote: Around a value with delimiters or line breaks in it; "" for none.
        headless: The names of the columns of a table without header; by how many there are
            where that tells the format's generation.
        begins: Only lines that begin so are rows, where rows of several kinds stand mixed.
    """

    delimiters: str = ","
    quote: str = '"'
    headless: Sequence[Sequence[str]] = ()
    begins: bytes = b""

    def matches(self, source: Source) -> bool:
        """Whether the file begins with a header that has the columns that each row has."""
        layout = self._layout_of(head_of(source))
        return layout is not None and layout.header is not None

    def layout(self, source: Source) -> RowLayout:
        """Return the delimiter and the names of the columns.

        Raises:
            InputError: there is no header where one should be, or it lacks a column.
        """
        head = head_of(source)
        layout = self._layout_of(head)
        if layout is None:
            wanted = [str(column.name) for column in self.columns if column.absent is None]
            raise InputError(
                f"a header with the columns {', '.join(wanted)}",
                actual=head.partition(b"\n")[0][:80].decode("utf-8", "backslashreplace"),
                where=Where(line=1),
            )
        return layout

    def _layout_of(self, head: bytes) -> _TableLayout | None:
        first = first_row(head, self.quote.encode())
        needed = {column.name for column in self.columns if column.absent is None} | {*self.only}
        for delimiter in self.delimiters:
            names = [name.strip() for name in _cells(first, delimiter, self.quote)]
            if needed <= {*names}:
                start = len(first) + (len(head) > len(first))
                line = 1 + first.count(b"\n") + 1
                return _TableLayout(self, delimiter, names, start, line)
            if any(len(titles) == len(names) for titles in self.headless):
                return _TableLayout(self, delimiter, None)
        return _TableLayout(self, self.delimiters[0], None) if self.headless else None


class _TableLayout(RowLayout):
    def __init__(
        self,
        table: DelimitedRows,
        delimiter: str,
        header: Sequence[str] | None,
        start: int = 0,
        line: int = 1,
    ) -> None:
        super().__init__(table, start, line, table.quote.encode())
        self.table = table
        self.scanner: Scanner | None = None
        self.delimiter = delimiter
        self.header = header

    def names_of(self, width: int) -> Sequence[str] | None:
        """Return the names of so many columns."""
        if self.header is not None:
            return self.header if len(self.header) == width else None
        return next((names for names in self.table.headless if len(names) == width), None)

    def row_within(self, data: bytes) -> int:
        at = super().row_within(data)
        for _ in range(_TRIED):
            first = first_row(data[at : at + HEAD_BYTES], self.quote)
            row = _cells(first, self.delimiter, self.table.quote)
            if not at or self.names_of(len(row)) is not None:
                return at
            at = data.find(b"\n", at) + 1
        return 0

    def plain(self, window: Window, names: Mapping[str, TextCodes]) -> Arrays:
        if self.scanner is None and not self.table.begins:
            self.scanner = self._scanner(window.data)
        if self.scanner is None:
            return super().plain(window, names)
        return self.scanner.arrays(window, names)[0]

    def _scanner(self, data: bytes) -> Scanner | None:
        from ._rows_compiled import of_table

        first = first_row(data, self.quote)
        header = self.names_of(len(_cells(first, self.delimiter, self.table.quote)))
        if header is None:
            return None
        wanted: list[RowField | str | None] = [None] * len(header)
        for column in self.table.columns:
            if column.name in header:
                wanted[header.index(str(column.name))] = column
        for name, text in self.table.only.items():
            wanted[header.index(str(name))] = text
        given = len(self.table.only) + sum(c.name in header for c in self.table.columns)
        if given > sum(item is not None for item in wanted):
            return None
        return of_table(wanted, self.delimiter, self.table.quote)

    def quick(self, data: bytes, *, exact: bool) -> pa.Table | None:
        import pyarrow as pa
        from pyarrow import csv as fast

        data = self._rows_in(data)
        if not data or data.isspace():
            return None
        row = _cells(first_row(data, self.quote), self.delimiter, self.table.quote)
        names = self.names_of(len(row))
        if names is None:
            msg = f"{len(row)} columns"
            raise ValueError(msg)
        # By their numbers: a file may call two columns the same.
        at = {name: str(number) for number, name in reversed([*enumerate(names)])}
        wanted = {c.field: (at[name], c) for c in self.table.columns if (name := str(c.name)) in at}
        kinds = {position: column.kind.arrow(exact=exact) for position, column in wanted.values()}
        text = pa.dictionary(pa.int32(), pa.binary())
        kinds |= {at[str(name)]: text for name in self.table.only}
        quoted = bool(self.quote) and self.quote in data
        table = fast.read_csv(
            pa.BufferReader(data),
            read_options=fast.ReadOptions(
                column_names=[str(number) for number in range(len(names))],
                block_size=len(data) + 1,
                use_threads=False,
            ),
            parse_options=fast.ParseOptions(
                delimiter=self.delimiter,
                quote_char=self.table.quote if quoted else False,
                newlines_in_values=quoted,
            ),
            convert_options=fast.ConvertOptions(
                column_types=kinds,
                include_columns=list(kinds),
                null_values=[""],
                strings_can_be_null=False,
            ),
        )
        for key, value in self.table.only.items():
            from pyarrow import compute  # slow to import

            table = table.filter(compute.equal(table.column(at[str(key)]), value.encode()))
        columns = {field: table.column(position) for field, (position, _) in wanted.items()}
        return pa.table(columns) if len(table) else None

    def careful(self, data: bytes, names: Mapping[str, TextCodes]) -> Iterator[Mapping[str, int]]:
        line = 0
        width = 0
        with _LIMIT_LOCK:  # the limit is the whole process's
            before = csv.field_size_limit(max(len(data), 2))
            try:
                text = self._rows_in(data, numbered=True).decode("utf-8", "backslashreplace")
                reader = _rows(text, self.delimiter, self.table.quote)
                for row in reader:
                    again = bool(row) and row == self.header
                    if again and self.table.constants.get("started_relative"):
                        # Rows below it count from the start of another run.
                        raise BadRowError(line, "a row of the table", "its header again")
                    if row and not again:
                        width = width or (len(self.header) if self.header else len(row))
                        values = self._values(row, width, line, names)
                        if values is not None:
                            yield values
                    line = reader.line_num
            except csv.Error as error:
                raise BadRowError(line, "a row of the table", str(error)) from None
            finally:
                csv.field_size_limit(before)

    def _values(
        self, row: Sequence[str], width: int, line: int, names: Mapping[str, TextCodes]
    ) -> Mapping[str, int] | None:
        header = self.names_of(width)
        if header is None or len(row) != width:
            widths = sorted({len(names) for names in self.table.headless})
            *most, last = map(str, widths if header is None else [width])
            expected = f"{', '.join(most)} or {last}" if most else last
            raise BadRowError(line, f"{expected} columns", f"{len(row)}")
        given = dict(reversed([*zip(header, row, strict=True)]))
        if any(given.get(str(name)) != text for name, text in self.table.only.items()):
            return None
        there = ((column, given.get(str(column.name))) for column in self.table.columns)
        return values_of(there, names, line)

    def _rows_in(self, data: bytes, *, numbered: bool = False) -> bytes:
        """Return the lines that are rows; with `numbered`, the others empty."""
        begins = self.table.begins
        if not begins:
            return data
        lines = data.split(b"\n")
        if numbered:
            return b"\n".join(line if line.startswith(begins) else b"" for line in lines)
        return b"\n".join([line for line in lines if line.startswith(begins)])


def first_row(data: bytes, quote: bytes) -> bytes:
    """Return the first row without its line end, or all where there is none."""
    start, quotes, blank = 0, 0, True
    while (end := data.find(b"\n", start)) >= 0:
        quotes += data.count(quote, start, end) if quote else 0
        blank = blank and not data[start:end].strip()
        if quotes % 2 == 0 and not blank:
            return data[:end]
        start = end + 1
    return data


def cells_of(text: str, delimiter: str = ",", quote: str = '"') -> list[str]:
    """Return the cells of the first row of a text, none where that is no row."""
    try:
        return next(filter(None, _rows(text, delimiter, quote)), [])
    except csv.Error:
        return []  # what is beyond csv's largest field is no header either


def _cells(data: bytes, delimiter: str, quote: str) -> list[str]:
    return cells_of(data.decode("utf-8", "backslashreplace"), delimiter, quote)


def _rows(text: str, delimiter: str, quote: str) -> Any:  # noqa: ANN401 - csv has no name for it
    return csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
