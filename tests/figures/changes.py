"""Results changed in one respect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from benchkit.api import Results
from benchkit.frames import rows_of
from benchkit.model.run import Run
from benchkit.model.tables import STORED

Row = Mapping[str, Any]


def with_columns(results: Results, change: Callable[[Run], Row]) -> Results:
    """The same with other values in columns of each run."""
    return Results(run.with_columns(**change(run)) for run in results)


def with_rows(results: Results, table: str, change: Callable[[Row], Row | None]) -> Results:
    """The same with other rows in one table; None leaves a row out."""
    rows = {name: rows_of(getattr(results, name)) for name in STORED}
    changed = (change(row) for row in rows[table])
    return Results.from_tables({**rows, table: [row for row in changed if row is not None]})


def without_samples(results: Results, gone: Callable[[Run, Row], bool]) -> Results:
    """The same without some samples of the processes."""
    return Results(
        replace(run, samples=tuple(sample for sample in run.samples if not gone(run, sample)))
        for run in results
    )
