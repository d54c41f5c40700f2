"""`resources.csv`: samples of processes that a harness lays beside the output."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchkit.errors import InputError, Where
from benchkit.frames import Column
from benchkit.ingest.found import FoundRun
from benchkit.ingest.meta import wanted
from benchkit.ingest.sources import STDIN
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
    """Return one row; an empty cell is None.

    Raises:
        InputError: there are too many cells, one is no such value, or one that must be there is
            not.
    """
    if None in cells:
        many = f"{len(cells[None])} cells too many"
        raise InputError("as many cells as the header has", actual=many)
    row = {}
    for column in RESOURCES.columns[1:]:
        text = cells.get(column.name) or ""
        if not text and column.name in _NEEDED:
            raise InputError(f"'{column.name}' to be {wanted(column)}", actual="nothing")
        try:
            row[column.name] = _value(column, text) if text else None
        except ValueError:
            raise InputError(f"'{column.name}' to be {wanted(column)}", actual=text) from None
    return row


def _value(column: Column, text: str) -> Any:  # noqa: ANN401 - of the column's kind
    if column.kind == "string":
        return text
    value = float(text)
    if not 0 <= value < 2**63 or (column.kind == "int" and value != int(value)):
        raise ValueError
    return int(value) if column.kind == "int" else value


class SampleReader:
    """Reads the samples of each folder once; it is made for one call of `read`."""

    def __init__(self) -> None:
        self._known: dict[Path, Sequence[_Row] | InputError | None] = {}

    def lying_in(self, folder: Path) -> Sequence[_Row] | InputError | None:
        """Return the samples that lie in a folder, None where none of ours do."""
        if folder not in self._known:
            path = folder / NAME
            self._known[folder] = read_resources(path) if is_resources(path) else None
        return self._known[folder]


def samples_of(runs: Sequence[FoundRun], reader: SampleReader) -> Mapping[int, Sequence[_Row]]:
    """Return the samples of each run, by its number among the runs.

    They belong to the one run of their folder; where several lie there, nothing tells whose they
    are.
    """
    folders = [_folder(run) for run in runs]
    many = Counter(folders)
    samples: dict[int, Sequence[_Row]] = {}
    for at, folder in enumerate(folders):
        if folder is None or many[folder] > 1:
            continue
        rows = reader.lying_in(folder)
        if rows is not None and not isinstance(rows, InputError):
            samples[at] = rows
    return samples


def _folder(run: FoundRun) -> Path | None:
    return None if run.file.input.path == STDIN else Path(run.file.input.path).parent
