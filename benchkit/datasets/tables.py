"""Runs to Parquet files of bounded row groups, and back."""

from __future__ import annotations

import io
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from benchkit.datasets.manifest import INGEST_AGAIN, StoredFile
from benchkit.errors import InputError
from benchkit.export import ROWS, write_pieces
from benchkit.model.bounds import require_possible
from benchkit.model.run import Run
from benchkit.model.tables import LARGE, STORED, frame_of
from benchkit.schema import TABLES, Table
from benchkit.stores.addresses import within
from benchkit.stores.parquet import BoundedParquet

if TYPE_CHECKING:
    import pandas as pd

#: Runs whose rows are made at a time, at most.
_RUNS: Final = 32
#: Folders below a table of many rows; engines read them as columns.
_PARTITIONS: Final = ("scenario", "tool")
#: What engines read as NULL.
_MISSING: Final = "__HIVE_DEFAULT_PARTITION__"
_LONGEST: Final = 120
_KEPT: Final = 12  # characters, each of which may need twelve


def partition_of(run: Run) -> str:
    """Return the folder of a run's rows below a large table."""
    return "/".join(f"{name}={_escaped(run.get(name))}" for name in _PARTITIONS)


def _escaped(value: str | None) -> str:
    """Return a value as part of a path, as Hive escapes it; a long one is cut."""
    if value is None:
        return _MISSING
    text = quote(value, safe="", errors="backslashreplace").replace("~", "%7E")
    if len(text) <= _LONGEST:
        return text
    number = sha256(value.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return f"{quote(value[:_KEPT], safe='', errors='backslashreplace')}~{number}"


class Written(NamedTuple):
    """A Parquet file in memory: its table, the folder below that, and its rows."""

    table: str
    folder: str
    content: bytes
    rows: int


def stored_tables(
    runs: Sequence[Run], files: Sequence[Mapping[str, Any]], *, lacking: Container[str] = ()
) -> Iterator[Written]:
    """Yield every table but `requests`, one with many rows per run in several files.

    Of a table without rows nothing is yielded, unless it is `lacking`: engines want a file.
    """
    parts = {name: list(own) for name, own in groupby(sorted(runs, key=partition_of), partition_of)}
    for name in STORED:
        if name not in LARGE:
            files_of_table = iter([_written(name, "", cut(frame_of(name, runs, files)))])
        else:
            files_of_table = (
                _written(name, folder, _pieces(name, own)) for folder, own in parts.items()
            )
        yield from _filled(files_of_table, lacking=name in lacking)


def _filled(written: Iterable[Written], *, lacking: bool) -> Iterator[Written]:
    """Yield the files that have rows, or else the first if there must be one."""
    empty = None
    for each in written:
        if each.rows:
            lacking = False
            yield each
        elif empty is None:
            empty = each
    if lacking and empty is not None:
        yield empty


def _pieces(name: str, runs: Sequence[Run]) -> Iterator[pd.DataFrame]:
    for some in _groups(name, runs):
        yield from cut(frame_of(name, some, ()))


def _groups(name: str, runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Yield runs so many at a time that there is about a row group of rows, or a few."""
    some: list[Run] = []
    rows = 0
    for run in map(_apart, runs):
        some.append(run)
        if name == "histogram" and run.counts.cells is not None:
            rows += len(run.counts.cells.counts)
        if len(some) == _RUNS or rows >= ROWS:
            yield some
            some, rows = [], 0
    if some:
        yield some


def _apart(run: Run) -> Run:
    """Return a run that keeps nothing of what is made of it for the others."""
    return replace(run, counts=replace(run.counts))


def cut(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield a table in pieces, each a row group."""
    for start in range(0, len(frame), ROWS):
        yield frame.iloc[start : start + ROWS]


def _written(name: str, folder: str, pieces: Iterable[pd.DataFrame]) -> Written:
    out = io.BytesIO()
    rows = write_pieces(TABLES[name], pieces, out)
    return Written(name, folder, out.getvalue(), rows)


def rows_from(stored: StoredFile, data: bytes) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the rows of a Parquet file as a table of pyarrow.

    Raises:
        ValueError: it holds none, or not as many as the manifest says.
    """
    import pyarrow as pa

    try:
        rows = BoundedParquet(io.BytesIO(data), len(data)).read()
    except pa.ArrowException as error:
        raise ValueError(str(error)) from error
    require_rows(stored, len(rows))
    return rows


def frame_from(table: Table, parts: Sequence[Any]) -> pd.DataFrame:
    """Return a table from the rows of its files, validated.

    Raises:
        ValueError: they are of no such table.
    """
    import pyarrow as pa

    if not parts:
        return table.frame()
    try:
        return typed(table, pa.concat_tables(parts))
    except pa.ArrowException as error:
        raise ValueError(str(error)) from error


def no_table(table: Table, address: str, stored: StoredFile, error: Exception) -> InputError:
    """Return the error of a file that holds no such table."""
    return InputError(
        f"a file of the table '{table.name}'",
        actual=" ".join(str(error).split()),
        source=within(address, stored.file),
        hint=INGEST_AGAIN,
    )


def require_rows(stored: StoredFile, rows: int) -> None:
    """Make sure that a file has as many rows as the manifest says.

    Raises:
        ValueError: it has not.
    """
    if rows != stored.rows:
        raise ValueError(f"{rows} rows, not {stored.rows} as the manifest says")


def typed(table: Table, rows: Any) -> pd.DataFrame:  # noqa: ANN401 - pyarrow has no types
    """Return a table of pyarrow as one of pandas, validated.

    Raises:
        ValueError: it is not of this schema.
    """
    if tuple(rows.column_names) != table.names:
        raise ValueError(f"columns are {', '.join(rows.column_names)}")
    frame = table.typed(rows.to_pandas(types_mapper=_nullable, ignore_metadata=True))
    require_possible(table, frame)
    return frame


def _nullable(kind: Any) -> Any:  # noqa: ANN401 - types of pyarrow and pandas
    """Return the pandas type that can hold NA, None for what is mapped anyway."""
    import pandas as pd

    known = {
        "int64": pd.Int64Dtype,
        "double": pd.Float64Dtype,
        "bool": pd.BooleanDtype,
        "string": pd.StringDtype,
    }
    dtype = known.get(str(kind))
    return None if dtype is None else dtype()
