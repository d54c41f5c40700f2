"""The files of many ingests to as few as one would have written; what a dataset holds stays."""

from __future__ import annotations

from dataclasses import replace

from benchkit.datasets.arguments import is_dataset
from benchkit.datasets.reading import reading_of
from benchkit.datasets.storage import last_manifest
from benchkit.datasets.writing import EMPTY, alone, publish, tables_of, tidy
from benchkit.errors import UsageError
from benchkit.schema import REQUESTS
from benchkit.stores import Store


def compact(store: Store) -> tuple[int, int]:
    """Put the files of each table together; return how many files there were, and are.

    Rows per request stay as they are, a file for each run. Killed at any moment it leaves the
    dataset as it was, or as it is to be.

    Raises:
        UsageError: it is no dataset, or another process writes to it.
        InputError: it cannot be read.
    """
    if not is_dataset(store.address):
        raise UsageError(f"{store.address} is no dataset")
    with alone(store):
        before = last_manifest(store)
        if before is None:
            return 0, 0
        if len(before.supplements) < 2:
            tidy(store, before)  # of one that was killed when its manifest stood
            count = sum(1 for _ in before.files)
            return count, count
        reading = reading_of(store, before)
        manifest = tables_of(store, replace(EMPTY, number=before.number), reading)
        after = replace(
            manifest,
            tables={**manifest.tables, REQUESTS.name: before.of_table(REQUESTS.name)},
            naming=before.naming,
            inputs=before.inputs,
        )
        publish(store, after)
    return sum(1 for _ in before.files), sum(1 for _ in after.files)
