"""Tables to CSV, JSON and Parquet, piece by piece."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.errors import unknown
from benchkit.schema import REQUESTS, Table, table

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.model.views import Tables

#: What a spreadsheet takes for the beginning of a formula, the full-width forms included.
_FORMULA: Final = tuple("=+-@\t\n＝＋－＠")  # noqa: RUF001 - these are meant
#: Of a piece at most, which is a row group.
ROWS: Final = 50_000


def write_table(results: Tables, name: str, *, form: str, to: IO[bytes]) -> None:
    """Write one table to a binary stream; missing is null in JSON, nothing in CSV.

    `requests` is read and written in pieces; the stream need not be seekable.

    Raises:
        UsageError: no such table or format.
    """
    described = table(name)
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    FORMATS[form](described, _pieces(results, described), to)


def write_records(records: Sequence[Mapping[str, Any]], *, form: str, to: IO[bytes]) -> None:
    """Write records of equal keys as CSV or as a JSON array; None is missing."""
    if form == "json":
        _json_array(records, to)
        return
    import csv

    with _text(to) as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(records[0] if records else ())
        for record in records:
            writer.writerow(map(_csv_cell, record.values()))


def write_pieces(described: Table, pieces: Iterable[pd.DataFrame], to: IO[bytes]) -> int:
    """Write validated pieces of one table as Parquet, a row group each; return the rows."""
    return _write_parquet(described, pieces, to)


def _pieces(results: Tables, described: Table) -> Iterator[pd.DataFrame]:
    if described is not REQUESTS:
        yield results.table(described.name)
        return
    empty = True
    for part in results.request_parts():
        for start in range(0, len(part), ROWS):
            yield part.iloc[start : start + ROWS]
            empty = False
    if empty:
        yield described.frame()


# --- CSV ---


def _write_csv(described: Table, pieces: Iterable[pd.DataFrame], to: IO[bytes]) -> None:
    with _text(to) as out:
        out.write(",".join(described.names) + "\n")
        for piece in pieces:
            ready = piece.copy()
            for column in described.columns:
                series = ready[column.name]
                if column.kind == "string":
                    ready[column.name] = series.map(_neutral, na_action="ignore")
                elif column.kind in {"instant", "bool"}:
                    ready[column.name] = series.astype(object).map(_csv_cell, na_action="ignore")
            ready.to_csv(out, index=False, header=False, lineterminator="\n")


def _csv_cell(value: object) -> object:
    if isinstance(value, str):
        return _neutral(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _instant(value)
    if isinstance(value, (list, dict)):
        return show.json_text(value)
    return value


def _neutral(text: str) -> str:
    """Return `text` so that no spreadsheet takes it for a formula, and no terminal acts upon it."""
    shown = show.escaped(text, keep="\t\n")
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


# --- JSON ---


def _write_json(described: Table, pieces: Iterable[pd.DataFrame], to: IO[bytes]) -> None:
    names = described.names
    columns = (
        [[_plain(value) for value in piece[name].array] for name in names] for piece in pieces
    )
    rows = (
        dict(zip(names, row, strict=True)) for piece in columns for row in zip(*piece, strict=True)
    )
    _json_array(rows, to)


def _json_array(records: Iterable[Mapping[str, Any]], to: IO[bytes]) -> None:
    with _text(to) as out:
        before = "[\n"
        for record in records:
            out.write(before + show.json_text(record))
            before = ",\n"
        out.write("[]\n" if before == "[\n" else "\n]\n")


def _plain(value: Any) -> Any:  # noqa: ANN401 - a cell of any type
    import pandas as pd

    if value is pd.NA or value is pd.NaT or value is None:
        return None
    if isinstance(value, datetime):
        return _instant(value)
    if hasattr(value, "item"):
        value = value.item()
    return value if not isinstance(value, float) or math.isfinite(value) else None


def _instant(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


# --- Parquet ---


def arrow_schema(described: Table) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the types of a table's columns in a file."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "instant": pa.timestamp("ns", tz="UTC"),
    }
    return pa.schema([(column.name, types[column.kind]) for column in described.columns])


def _write_parquet(described: Table, pieces: Iterable[pd.DataFrame], to: IO[bytes]) -> int:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    schema, rows = arrow_schema(described), 0
    with ParquetWriter(_Counting(to), schema) as writer:
        for piece in pieces:
            rows += len(piece)
            part = pa.Table.from_pandas(piece, schema=schema, preserve_index=False)
            writer.write_table(part.replace_schema_metadata(None))
    return rows


class _Counting(io.RawIOBase):
    """A stream that knows how far it is, as a pipe does not."""

    def __init__(self, to: IO[bytes]) -> None:
        super().__init__()
        self._to = to
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:  # noqa: ANN401 - any buffer
        self._to.write(data)
        self._at += len(data)
        return len(data)


@contextmanager
def _text(to: IO[bytes]) -> Iterator[io.TextIOWrapper]:
    """Yield a UTF-8 text stream on a binary one, which stays open."""
    # A file name may hold bytes that are not UTF-8, which no encoder takes.
    out = io.TextIOWrapper(to, "utf-8", errors="backslashreplace", newline="")
    try:
        yield out
    finally:
        out.detach()


_Writer = Callable[[Table, "Iterable[pd.DataFrame]", "IO[bytes]"], object]
FORMATS: Final[Mapping[str, _Writer]] = {
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
}
