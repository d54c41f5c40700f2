"""`resources.csv`: samples of processes that a harness lays beside the output."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.ingest.meta import value_of, wanted
from benchkit.ingest.sources import address_of, read_beside
from benchkit.schema import RESOURCES

NAME: Final = "resources.csv"
_HEADER: Final = 4096
_NEEDED: Final = ("elapsed_s", "process")
#: Without the first, `run_id`.
_COLUMNS: Final = {column.name: column for column in RESOURCES.columns[1:]}
_Row = dict[str, Any]


def read_resources(folder: str) -> Sequence[_Row] | InputError | None:
    """Return the rows of the file in a folder, each with every column but `run_id`.

    None where there is none, or one that is not ours: its header has other columns.
    """
    try:
        head = read_beside(folder, NAME, count=_HEADER)
        if head is None or not _is_ours(head):
            return None
        data = read_beside(folder, NAME) or b""
        return _rows(data.decode("utf-8-sig"))
    except InputError as error:
        error.source = error.source or address_of(folder, NAME)
        return error
    except (OSError, ValueError, csv.Error) as error:
        return InputError("samples as CSV", actual=str(error), source=address_of(folder, NAME))


def _is_ours(head: bytes) -> bool:
    try:
        header = head.partition(b"\n")[0].decode("utf-8-sig")
        names = next(csv.reader([header]), [])
    except (ValueError, csv.Error):
        return False
    return {*_NEEDED} <= {*names} <= {*RESOURCES.names}


def _rows(text: str) -> list[_Row]:
    """Return the rows, or raise an InputError with the line of what does not fit."""
    reader = csv.reader(io.StringIO(text, newline=""))
    header = next(reader, [])
    rows: list[_Row] = []
    for cells in filter(None, reader):
        try:
            rows.append(_row(header, cells))
        except InputError as error:
            error.where = Where(line=reader.line_num)
            raise
    return rows


def _row(header: Sequence[str], cells: Sequence[str]) -> _Row:
    """Return one row, an empty cell as None, or raise an InputError for what does not fit."""
    if len(cells) > len(header):
        many = f"{len(cells) - len(header)} cells too many"
        raise InputError("as many cells as the header has", actual=many)
    texts = dict(zip(header, cells, strict=False))
    return {name: _value(name, texts.get(name, "")) for name in _COLUMNS}


@lru_cache(maxsize=2**14)  # most cells of many files are the same few
def _value(name: str, text: str) -> Any:  # noqa: ANN401 - of any column
    column = _COLUMNS[name]
    if not text:
        if name in _NEEDED:
            raise InputError(f"'{name}' to be {wanted(column)}", actual="nothing")
        return None
    try:
        return value_of(column, text if column.kind == "string" else float(text))
    except ValueError:
        raise InputError(f"'{name}' to be {wanted(column)}", actual=text) from None
