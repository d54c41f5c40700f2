"""Parquet files of strangers: what is read takes no more memory than their size lets one expect.

A row that is repeated takes next to nothing in a file, and in memory as much as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any, Final

from benchkit.stores.parquet_pages import unpacked_bytes

#: What tables take in memory, below which any file is harmless.
FREE_BYTES: Final = 32 * 2**20
#: How many times the size of its file a table takes at most, as far as it is read at once.
MAX_RATIO: Final = 200
#: Likewise all of a table that is read a row group at a time.
MAX_RATIO_IN_PIECES: Final = 2_000
_CELL: Final = 8  # bytes; of a text without what it says


class Expansion:
    """What has been read of several files, against what their size lets one expect."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    def add(self, name: str, size: int, table: Any) -> None:  # noqa: ANN401 - of pyarrow
        """Count one more table that was read.

        Raises:
            ValueError: together they take too much.
        """
        self._sizes[name] = size
        self._bytes += table.nbytes
        _check(self._bytes, sum(self._sizes.values()), MAX_RATIO)


class BoundedParquet:
    """A Parquet file of flat columns.

    Attributes:
        size: Of the file, in bytes.
        rows: How many it has.
        groups: How many row groups.
    """

    def __init__(self, source: IO[bytes], size: int, *, in_pieces: bool = False) -> None:
        """Open a file; one that is read in pieces is never in memory as a whole.

        Raises:
            ValueError: it is none, or takes too much.
        """
        from pyarrow.parquet import ParquetFile

        metadata = ParquetFile(source).metadata
        self._columns = metadata.schema.to_arrow_schema()
        texts = [name for name, kind in _kinds(self._columns) if _is_text(kind)]
        # A text is kept once until it is known how often it stands there.
        self._file = ParquetFile(source, metadata=metadata, read_dictionary=texts)
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        self._rows = [group.num_rows for group in groups]
        self.size, self.groups = size, len(groups)
        self.rows: int = metadata.num_rows
        ratio = MAX_RATIO_IN_PIECES if in_pieces else MAX_RATIO
        _check(unpacked_bytes(source, size, groups), size, ratio)
        _check(sum(self._rows) * len(self._columns) * _CELL, size, ratio)

    def read(
        self, groups: Iterable[int] | None = None, columns: Sequence[str] | None = None
    ) -> Any:  # noqa: ANN401 - of pyarrow
        """Return the rows of some row groups, by default of all.

        Raises:
            ValueError: they take too much.
            IndexError: there is no such row group.
        """
        chosen = [*range(self.groups)] if groups is None else [*groups]
        if not all(0 <= number < self.groups for number in chosen):
            raise IndexError(f"row group {max(chosen)} of {self.groups}")
        width = len(self._columns if columns is None else columns)
        cells = sum(self._rows[number] for number in chosen) * width * _CELL
        _check(cells, self.size, MAX_RATIO)
        table = self._file.read_row_groups(chosen, columns=columns)
        self._check_texts(table, cells)
        return _plain(table)

    def _check_texts(self, table: Any, cells: int) -> None:  # noqa: ANN401 - of pyarrow
        from pyarrow import types

        columns = [column for column in table.columns if types.is_dictionary(column.type)]
        chunks = [chunk for column in columns for chunk in column.chunks]
        most = cells + sum(chunk.dictionary.nbytes * len(chunk) for chunk in chunks)
        if most > FREE_BYTES:  # mostly not, which is told in no time
            _check(cells + sum(map(_text_bytes, chunks)), self.size, MAX_RATIO)


def _check(count: int, size: int, ratio: int) -> None:
    if count > max(FREE_BYTES, ratio * size):
        raise ValueError(f"{count:,} bytes in memory, over {ratio:,} times its size")


def _kinds(columns: Any) -> Iterable[tuple[str, Any]]:  # noqa: ANN401 - of pyarrow
    """Yield the columns with their types.

    Raises:
        ValueError: one holds more than a number or a text in a cell.
    """
    from pyarrow import types

    for column in columns:
        kind = column.type
        is_small = types.is_primitive(kind) and kind.bit_width <= 8 * _CELL
        if not (is_small or types.is_null(kind) or _is_text(kind)):
            raise ValueError(f"column {column.name} of {kind}")
        yield column.name, kind


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - of pyarrow
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _text_bytes(chunk: Any) -> int:  # noqa: ANN401 - of pyarrow
    """Return what the texts of a part of a column take written out."""
    from pyarrow import compute

    lengths = compute.binary_length(chunk.dictionary)
    return compute.sum(lengths.take(chunk.indices)).as_py() or 0


def _plain(table: Any) -> Any:  # noqa: ANN401 - of pyarrow
    """Return a table with its texts written out."""
    import pyarrow as pa

    fields = [
        pa.field(each.name, each.type.value_type) if pa.types.is_dictionary(each.type) else each
        for each in table.schema
    ]
    return table.cast(pa.schema(fields))
