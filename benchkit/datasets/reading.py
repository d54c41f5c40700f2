"""A dataset to the runs that were written, without the files that they came from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from benchkit.datasets.manifest import Manifest, StoredFile
from benchkit.datasets.requests import StoredRequests
from benchkit.datasets.storage import MARK, is_dataset, last_manifest, read_stored
from benchkit.datasets.tables import frame_from
from benchkit.errors import InputError, NothingToReportError
from benchkit.frames import rows_of
from benchkit.ingest.combination import Reading
from benchkit.model.saved import saved_frames, saved_runs
from benchkit.model.variant import called
from benchkit.schema import REQUESTS, RUNS, Table
from benchkit.stores import Store, store_at
from benchkit.stores.addresses import is_url, within

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.model.run import Run


@dataclass(frozen=True)
class Named:
    """A dataset as an argument names it.

    Attributes:
        label: What its runs are called; empty for the names that they have.
    """

    address: str
    label: str = ""


def named_in(argument: str | os.PathLike[str]) -> Named | None:
    """Return the dataset of `DATASET` or `label=DATASET`, None for what is none."""
    try:
        text = os.fsdecode(argument)
    except TypeError:  # what is no path is refused by who reads files
        return None
    if text and is_dataset(text):
        return Named(text)
    label, _, address = text.partition("=")
    return Named(address, label) if label and address and is_dataset(address) else None


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
        supplements |= _supplements(store, stored)
    frames = partial(_frame, store, manifest)
    runs, files = saved_runs(frames, store.address, supplements, readers)
    names = (MARK, manifest.name, *(stored.file for stored in manifest.files))
    inputs = tuple(within(store.address, name) for name in names)
    return Reading(runs, tuple(files), manifest.naming, inputs)


def rows_there(store: Store, manifest: Manifest, *names: str) -> list[list[dict[str, Any]]]:
    """Return the rows of some tables, of which `runs` is the first.

    Raises:
        InputError: a file of it is missing or not what was written.
        UsageError: a file holds no table of the schema.
    """
    frames = saved_frames(partial(_frame, store, manifest), store.address, names)
    return [rows_of(frames[name]) for name in names]


def _frame(store: Store, manifest: Manifest, table: Table) -> pd.DataFrame:
    frame = frame_from(
        table, [read_stored(store, stored) for stored in manifest.of_table(table.name)]
    )
    for name in ("run_id", "label") if table is RUNS else ():
        if not frame[name].is_unique:
            raise ValueError(f"two runs with one {name}")
    return frame


def _supplements(store: Store, stored: StoredFile) -> Mapping[str, Mapping[str, Any]]:
    try:
        content = json.loads(read_stored(store, stored))
        return {str(run_id): dict(given) for run_id, given in content.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            "what no table has of each run",
            actual=str(error),
            source=within(store.address, stored.file),
        ) from error
