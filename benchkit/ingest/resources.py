"""`resources.csv`: samples of processes that a harness lays beside the output."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.ingest.meta import value_of, wanted
from benchkit.schema import RESOURCES

NAME: Final = "resources.csv"
_NEEDED: Final = ("elapsed_s", "process")
_Row = dict[str, Any]


def is_resources(path: Path) -> bool:
    """Whether a file of that name is ours: its header has our columns and no others."""
    try:
        with path.open("rb") as file:
            header = file.readline(4096).decode("utf-8-sig")
            names = next(csv.reader([header]), [])
    except (OSError, ValueError, csv.Error):
        return False
    return {*_NEEDED} <= {*names} <= {*RESOURCES.names}


def read_resources(path: Path) -> Sequence[_Row] | InputError:
    """Return the rows of a file that is ours, each with every column but `run_id`."""
    rows: list[_Row] = []
    source = path.as_posix()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            for cells in reader:
                try:
                    rows.append(_row(cells))
                except InputError as error:
                    error.where, error.source = Where(line=reader.line_num), source
                    return error
    except (OSError, ValueError, csv.Error) as error:
        return InputError("samples as CSV", actual=str(error), source=source)
    return rows


def _row(cells: Mapping[str | None, Any]) -> _Row:
    """Return one row, an empty cell as None, or raise an InputError for what does not fit."""
    if None in cells:
        many = f"{len(cells[None])} cells too many"
        raise InputError("as many cells as the header has", actual=many)
    row = {}
    for column in RESOURCES.columns[1:]:
        text = cells.get(column.name) or ""
        if not text and column.name in _NEEDED:
            raise InputError(f"'{column.name}' to be {wanted(column)}", actual="nothing")
        try:
            value = text if column.kind == "string" else float(text or "nan")
            row[column.name] = value_of(column, value) if text else None
        except ValueError:
            raise InputError(f"'{column.name}' to be {wanted(column)}", actual=text) from None
    return row
