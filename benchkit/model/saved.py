"""Saved tables to runs; whoever saved them may have meant no good."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import UsageError
from benchkit.format import clean
from benchkit.frames import rows_of
from benchkit.model.run import RequestsReader, Run
from benchkit.model.tables import STORED, check_counts, runs_of_frames
from benchkit.schema import TABLES, Table

if TYPE_CHECKING:
    import pandas as pd

#: What reading a file, which may be no saved table, raises.
NO_TABLE: Final = (OSError, ValueError, LookupError, TypeError, ArithmeticError, Warning)


def saved_runs(
    read: Callable[[Table], pd.DataFrame],
    where: str | PathLike[str],
    supplements: Mapping[str, Mapping[str, Any]] | None = None,
    readers: Mapping[str, RequestsReader] | None = None,
) -> tuple[tuple[Run, ...], list[dict[str, Any]]]:
    """Return the runs of saved tables, and the rows of `files`.

    Args:
        read: Returns one of the tables.
        where: What an error says that they were read from.
        supplements: Per `run_id` what tables do not have.
        readers: Per `run_id` what reads its requests.

    Raises:
        UsageError: they are no tables of the schema.
    """
    frames = saved_frames(read, where)
    try:
        return runs_of_frames(frames, supplements, readers), rows_of(frames["files"])
    except NO_TABLE as error:
        raise _no_table(where, "runs", error) from error


def saved_frames(
    read: Callable[[Table], pd.DataFrame],
    where: str | PathLike[str],
    names: Iterable[str] = STORED,
) -> dict[str, pd.DataFrame]:
    """Return saved tables, validated; `runs` is the first of those asked for.

    Raises:
        UsageError: they are no tables of the schema.
    """
    frames: dict[str, pd.DataFrame] = {}
    for name in names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # numbers that do not fit
                frames[name] = _typed(TABLES[name], read(TABLES[name]))
                _check_runs(frames[name], frames["runs"])
                if name in {"latencies", "histogram"}:
                    check_counts(frames[name])
        except NO_TABLE as error:
            raise _no_table(where, name, error) from error
    return frames


def _typed(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    typed = frame[list(table.names)].astype({c.name: c.dtype for c in table.columns})
    table.validate(typed)
    return typed


def _check_runs(frame: pd.DataFrame, runs: pd.DataFrame) -> None:
    if "run_id" in frame and not bool(frame["run_id"].isin(runs["run_id"]).all()):
        raise ValueError("rows of no run")


def _no_table(where: str | PathLike[str], name: str, error: Exception) -> UsageError:
    reason = clean(" ".join(str(error).split()))
    return UsageError(f"{fspath(where)}: no saved table '{name}' of this version: {reason}")
