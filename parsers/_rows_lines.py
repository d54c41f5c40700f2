"""Rows as lines of a form of their own, such as Influx has: its parts are the columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit.parsing import Source

from ._rows import BadRowError, RowLayout, Rows, values_of
from ._rows_windows import head_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ._texts import TextCodes

#: Stands between the parts of a line for pyarrow; no tool prints it.
_BETWEEN: Final = "\x1f"


@dataclass(frozen=True, kw_only=True)
class Lines(Rows):
    """Lines that a pattern matches, from `^` to `$`, with a named group per column.

    Attributes:
        header: Pattern of what stands above the first row.
    """

    pattern: re.Pattern[bytes]
    header: re.Pattern[bytes] = re.compile(b"")

    def matches(self, source: Source) -> bool:
        """Whether a file begins with the header and a row."""
        head = head_of(source)
        above = self.header.match(head)
        return above is not None and self.pattern.match(head, above.end()) is not None

    def layout(self, source: Source) -> RowLayout:
        """Return where the rows begin."""
        head = head_of(source)
        above = self.header.match(head)
        start = above.end() if above is not None else 0
        return _LineLayout(self, start, head.count(b"\n", 0, start) + 1)


class _LineLayout(RowLayout):
    def __init__(self, lines: Lines, start: int, line: int) -> None:
        super().__init__(lines, start, line)
        self.lines = lines
        self.names = list(lines.pattern.groupindex)
        parts = (rb"\g<%b>" % name.encode() for name in self.names)
        self.template = _BETWEEN.encode().join(parts)

    def quick(self, data: bytes, *, exact: bool) -> pa.Table | None:
        import pyarrow as pa
        from pyarrow import csv as fast

        data = data.rstrip(b"\r\n")
        if not data:
            return None
        parts, count = self.lines.pattern.subn(self.template, data)
        if count != data.count(b"\n") + 1 or _BETWEEN.encode() in data:
            msg = f"{count} rows"
            raise ValueError(msg)
        columns = [column for column in self.lines.columns if str(column.name) in self.names]
        kinds = {str(column.name): column.kind.arrow(exact=exact) for column in columns}
        table = fast.read_csv(
            pa.BufferReader(parts),
            read_options=fast.ReadOptions(
                column_names=self.names, block_size=len(parts) + 1, use_threads=False
            ),
            parse_options=fast.ParseOptions(delimiter=_BETWEEN, quote_char=False),
            convert_options=fast.ConvertOptions(
                column_types=kinds,
                include_columns=list(kinds),
                null_values=[""],
                strings_can_be_null=False,
            ),
        )
        return pa.table({column.field: table.column(str(column.name)) for column in columns})

    def careful(self, data: bytes, names: Mapping[str, TextCodes]) -> Iterator[Mapping[str, int]]:
        for line, raw in enumerate(data.split(b"\n")):
            if not raw.strip():
                continue
            row = self.lines.pattern.fullmatch(raw)
            if row is None:
                raise BadRowError(line, "a row", raw[:60].decode("utf-8", "backslashreplace"))
            given = {
                name: text.decode("utf-8", "backslashreplace")
                for name, text in row.groupdict().items()
                if text is not None
            }
            there = ((column, given.get(str(column.name))) for column in self.lines.columns)
            yield values_of(there, names, line)
