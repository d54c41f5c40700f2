"""A dataset to the runs that were written, without the files that they came from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from benchkit.datasets.arguments import Named
from benchkit.datasets.manifest import INGEST_AGAIN, Manifest, StoredFile
from benchkit.datasets.requests import StoredRequests
from benchkit.datasets.runrows import RunRows
from benchkit.datasets.storage import (
    last_manifest,
    read_stored,
    require_there,
)
from benchkit.datasets.supplements import read_supplements
from benchkit.datasets.tables import frame_from, no_table, rows_from
from benchkit.errors import InputError, NothingToReportError
from benchkit.frames import rows_of
from benchkit.ingest.combination import Reading
from benchkit.model.saved import NO_TABLE, saved_frames
from benchkit.model.supplement import supplemented
from benchkit.model.tables import STORED, cells_of, runs_of_frames, timeline_of
from benchkit.model.variant import called
from benchkit.schema import FILES, REQUESTS, RUNS, TABLES, Table
from benchkit.stores import Store, store_at
from benchkit.stores.addresses import is_url, within
from benchkit.stores.parquet import Expansion

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.counting.cells import Cells
    from benchkit.model.run import Run

#: Tables of which a run reads its rows when it is asked for what they hold; the others are small.
_LAZY: Final = ("histogram", "timeline")
_SMALL: Final = tuple(name for name in STORED if name not in _LAZY)


def read_beside(
    datasets: Mapping[int, Named],
    files: Mapping[int, Reading],
    *,
    scenario: str | None,
) -> Reading:
    """Return the runs of datasets and those of files that were named with them.

    Runs of a dataset that does not stand alone are called by it. One that is named twice, without
    another label, is read once, as a file is.

    Args:
        datasets: By the position among the arguments.
        files: What was read of all other arguments, by the position of the first of them.
        scenario: That of runs that have none.

    Raises:
        NothingToReportError: there is not one run.
        InputError: a dataset is not complete, or a file of it is missing or another.
        UsageError: a file of it holds no table of the schema.
    """
    datasets = _once(datasets)
    alone = len(datasets) == 1 and not files
    names = _names(list(datasets.values()))
    parts = dict(files)
    for (at, dataset), name in zip(datasets.items(), names, strict=True):
        reading = read(dataset.address)
        runs = [_within(run, scenario) for run in reading.runs]
        if dataset.label or not alone:
            runs = [_with_own_requests(run) for run in called(runs, name)]
        parts[at] = replace(reading, runs=tuple(runs))
    ordered = [parts[at] for at in sorted(parts)]
    if not any(part.runs for part in ordered):
        listed = ", ".join(each.address for each in datasets.values())
        raise NothingToReportError(f"no runs in {listed}")
    return Reading(
        tuple(run for part in ordered for run in part.runs),
        tuple(row for part in ordered for row in part.files),
        tuple(dict.fromkeys(line for part in ordered for line in part.naming)),
        tuple(path for part in ordered for path in part.inputs),
    )


def _once(datasets: Mapping[int, Named]) -> dict[int, Named]:
    """Return the datasets without those that are named before with the same label."""
    first: dict[tuple[str, str], int] = {}
    for at, dataset in datasets.items():
        where = dataset.address if is_url(dataset.address) else os.path.realpath(dataset.address)
        first.setdefault((where.rstrip("/"), dataset.label), at)
    return {at: datasets[at] for at in first.values()}


def _names(datasets: Sequence[Named]) -> list[str]:
    """Return what the runs of each dataset are called: its label, folder, or address."""
    short = [each.label or PurePath(each.address).name or each.address for each in datasets]
    return [
        each.address if short.count(name) > 1 else name
        for each, name in zip(datasets, short, strict=True)
    ]


def _with_own_requests(run: Run) -> Run:
    """Return a run whose requests bear its `run_id`, which may not be that of the dataset."""
    if not isinstance(run.requests, StoredRequests):
        return run
    return replace(run, requests=replace(run.requests, run_id=run.run_id))


def _within(run: Run, scenario: str | None) -> Run:
    return (
        run if scenario is None or run.scenario is not None else run.with_columns(scenario=scenario)
    )


def read(address: str) -> Reading:
    """Return the runs of a dataset, as they were when they were written.

    Raises:
        InputError: it is not complete, or a file of it is missing or not what was written.
        UsageError: a file holds no table of the schema.
    """
    store = store_at(address)
    manifest = last_manifest(store)
    if manifest is None:
        raise InputError(
            "a complete dataset",
            actual="no manifest",
            source=store.address,
            hint="writing it was interrupted, or goes on: ingest the inputs again",
        )
    return reading_of(store, manifest)


def reading_of(store: Store, manifest: Manifest) -> Reading:
    """Return the runs that a manifest names.

    Raises:
        InputError: a file of it is missing or not what was written.
        UsageError: a file holds no table of the schema.
    """
    readers = {
        stored.run_id: StoredRequests(stored.run_id, store.address, stored)
        for stored in manifest.of_table(REQUESTS.name)
        if stored.run_id is not None
    }
    supplements: dict[str, Mapping[str, Any]] = {}
    for stored in manifest.supplements:
        supplements |= read_supplements(store, stored)
    frames = saved_frames(partial(_frame, store, manifest), store.address, _SMALL)
    run_ids = {*frames[RUNS.name]["run_id"]}
    _require_complete(store, manifest, run_ids, supplements)
    large = {
        name: RunRows(TABLES[name], store.address, manifest.of_table(name), run_ids)
        for name in _LAZY
    }
    try:
        read = runs_of_frames(frames, readers=readers)
        runs = tuple(_whole(run, supplements[run.run_id], large) for run in read)
    except NO_TABLE as error:
        raise _unreadable(store, manifest, str(error)) from error
    files = rows_of(frames[FILES.name])
    # All of its folder: a new file, too, may be what the next reader takes for its manifest.
    return Reading(runs, tuple(files), manifest.naming, (store.address,))


def _require_complete(
    store: Store, manifest: Manifest, runs: Iterable[str], supplements: Mapping[str, object]
) -> None:
    """Make sure that what a manifest names belongs together, and is there.

    Raises:
        InputError: that is not so.
    """
    run_ids = {*runs}
    if run_ids != supplements.keys():
        apart = sorted(run_ids ^ supplements.keys())
        raise _unreadable(store, manifest, f"run {apart[0]} in a table or a supplement only")
    for stored in manifest.of_table(REQUESTS.name):
        if stored.run_id not in run_ids:
            raise _unreadable(store, manifest, f"requests of a run {stored.run_id}, not in 'runs'")
    for name in (*_LAZY, REQUESTS.name):
        for stored in manifest.of_table(name):
            require_there(store, stored)


def _unreadable(store: Store, manifest: Manifest, actual: str) -> InputError:
    return InputError(
        "tables that belong together",
        actual=" ".join(actual.split()),
        source=within(store.address, manifest.name),
        hint=INGEST_AGAIN,
    )


def _whole(run: Run, given: Mapping[str, Any], large: Mapping[str, RunRows]) -> Run:
    """Return a run with what no table has, and what it reads of large ones when it is asked."""
    counts = replace(
        run.counts,
        make_cells=partial(_cells, large["histogram"], run.run_id),
        make_timeline=partial(_timeline, large["timeline"], run.run_id),
    )
    return supplemented(replace(run, counts=counts), given)


def _cells(rows: RunRows, run_id: str) -> Cells | None:
    return cells_of(rows.frame(run_id))


def _timeline(rows: RunRows, run_id: str) -> Sequence[Mapping[str, Any]]:
    return timeline_of(rows.frame(run_id))


def rows_there(store: Store, manifest: Manifest, *names: str) -> list[list[dict[str, Any]]]:
    """Return the rows of some tables, of which `runs` is the first.

    Raises:
        InputError: a file of it is missing or not what was written.
        UsageError: a file holds no table of the schema.
    """
    frames = saved_frames(partial(_frame, store, manifest), store.address, names)
    return [rows_of(frames[name]) for name in names]


def _frame(store: Store, manifest: Manifest, table: Table) -> pd.DataFrame:
    files = manifest.of_table(table.name)
    expansion = Expansion()
    frame = frame_from(table, [_rows(store, table, stored, expansion) for stored in files])
    for name in ("run_id", "label") if table is RUNS else ():
        if not frame[name].is_unique:
            raise ValueError(f"two runs with one {name}")
    return frame


def _rows(store: Store, table: Table, stored: StoredFile, expansion: Expansion) -> Any:  # noqa: ANN401 - of pyarrow
    try:
        rows = rows_from(stored, read_stored(store, stored))
        expansion.add(stored.file, stored.size_bytes, rows)
    except ValueError as error:
        raise no_table(table, store.address, stored, error) from error
    return rows
