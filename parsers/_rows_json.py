"""Rows as JSON lines: an object per request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from benchkit.parsing import Source

from ._rows import BadRowError, NotPlainError, RowLayout, Rows, values_of
from ._rows_windows import Window

if TYPE_CHECKING:
    import pyarrow as pa

    from ._rows_columns import Arrays
    from ._rows_compiled import Scanner
    from ._texts import TextCodes


@dataclass(frozen=True, kw_only=True)
class JsonObjects(Rows):
    """A JSON object per line, of whose values some are read; others may be anything."""

    ended = b""

    def layout(self, source: Source) -> RowLayout:  # noqa: ARG002 - the same for every file
        """Return how the columns lie in the objects."""
        return _ObjectLayout(self)


class _ObjectLayout(RowLayout):
    def __init__(self, rows: JsonObjects) -> None:
        super().__init__(rows)
        self.rows = rows
        self.scanner: tuple[Scanner, Mapping[str, int]] | None = None
        texts = rows.only.values()
        #: What stands in each row that counts, to leave others out unread.
        self.mark = max((json.dumps(text).encode() for text in texts), key=len, default=b"")

    def plain(self, window: Window, names: Mapping[str, TextCodes]) -> Arrays:
        if self.scanner is None:
            from ._rows_compiled import of_objects

            only = {_path(name): text for name, text in self.rows.only.items()}
            self.scanner = of_objects(self.rows.columns, only)
        if self.scanner is None:
            return super().plain(window, names)
        if not window.data.isascii():
            raise NotPlainError
        scanner, counts = self.scanner
        arrays, (*_, seen) = scanner.arrays(window, names)
        missing = [c.field for c in self.rows.columns if not seen[counts[c.field]]]
        return {field: array for field, array in arrays.items() if field not in missing}

    def quick(self, data: bytes, *, exact: bool) -> pa.Table | None:
        import pyarrow as pa
        from pyarrow import compute
        from pyarrow import json as fast

        data = lines_with(self.mark, data) if self.mark else data
        if not data or data.isspace():
            return None
        kinds: dict[str, Any] = {}
        for column in self.rows.columns:
            kind = pa.string() if column.kind.is_text else column.kind.arrow(exact=exact)
            _put(kinds, column.path, kind)
        only = {_path(name): text for name, text in self.rows.only.items()}
        for path in only:
            _put(kinds, path, pa.string())
        table = fast.read_json(
            pa.BufferReader(data),
            read_options=fast.ReadOptions(block_size=len(data) + 1, use_threads=False),
            parse_options=fast.ParseOptions(
                explicit_schema=pa.schema(list(_struct(kinds))), unexpected_field_behavior="ignore"
            ),
        )
        for path, text in only.items():
            table = table.filter(compute.equal(_at(table, path), text))
        columns = {}
        for column in self.rows.columns:
            values = _at(table, column.path)
            if column.absent is None or values.null_count < len(values):
                columns[column.field] = values
        return pa.table(columns) if len(table) else None

    def careful(self, data: bytes, names: Mapping[str, TextCodes]) -> Iterator[Mapping[str, int]]:
        for line, raw in enumerate(data.split(b"\n")):
            if not raw.strip() or self.mark not in raw:
                continue
            try:
                value = json.loads(raw.decode("utf-8", "backslashreplace"), parse_float=Decimal)
            except (ArithmeticError, ValueError, RecursionError):
                actual = raw[-40:].decode("utf-8", "replace")
                raise BadRowError(line, "a JSON object", actual) from None
            if not isinstance(value, dict):
                raise BadRowError(line, "a JSON object", type(value).__name__)
            if all(_within(value, _path(n)) == text for n, text in self.rows.only.items()):
                there = ((c, _within(value, c.path)) for c in self.rows.columns)
                yield values_of(there, names, line)


def lines_with(mark: bytes, data: bytes) -> bytes:
    """Return the lines in which something stands."""
    lines: list[bytes] = []
    start = 0
    while (at := data.find(mark, start)) >= 0:
        end = data.find(b"\n", at) + 1 or len(data)
        lines.append(data[data.rfind(b"\n", start, at) + 1 or start : end])
        start = end
    return b"".join(lines)


def _path(name: str | tuple[str, ...]) -> tuple[str, ...]:
    return (name,) if isinstance(name, str) else name


def _put(kinds: dict[str, Any], path: tuple[str, ...], kind: pa.DataType) -> None:
    *above, last = path
    for key in above:
        kinds = kinds.setdefault(key, {})
    kinds[last] = kind


def _struct(kinds: Mapping[str, Any]) -> Iterator[pa.Field]:
    import pyarrow as pa

    for name, kind in kinds.items():
        yield pa.field(name, pa.struct(list(_struct(kind))) if isinstance(kind, dict) else kind)


def _at(table: pa.Table, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - pyarrow's column
    from pyarrow import compute

    column = table.column(path[0])
    return compute.struct_field(column, list(path[1:])) if len(path) > 1 else column


def _within(value: object, path: tuple[str, ...]) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
