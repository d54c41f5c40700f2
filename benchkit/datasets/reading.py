"""A dataset to the runs that were written, without the files that they came from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchkit.datasets.manifest import Manifest, Shard
from benchkit.datasets.requests import StoredRequests
from benchkit.datasets.storage import MARK, last_manifest, read_shard
from benchkit.datasets.tables import frame_from
from benchkit.errors import InputError
from benchkit.ingest import Reading
from benchkit.model.saved import saved_runs
from benchkit.schema import REQUESTS, Table

if TYPE_CHECKING:
    import pandas as pd


def read(address: str | os.PathLike[str]) -> Reading:
    """Return the runs of a dataset, as they were when they were written.

    Raises:
        InputError: it is not complete, or a file of it is missing or not what was written.
        UsageError: a file holds no table of the schema.
    """
    folder = Path(address)
    manifest = manifest_at(folder)

    def table(described: Table) -> pd.DataFrame:
        shards = manifest.tables.get(described.name, ())
        return frame_from(described, [read_shard(folder, shard) for shard in shards])

    readers = {
        shard.run_id: StoredRequests(str(folder), shard)
        for shard in manifest.tables.get(REQUESTS.name, ())
        if shard.run_id is not None
    }
    supplements = _supplements(folder, manifest.supplement)
    runs, files = saved_runs(table, address, supplements, readers)
    names = (MARK, manifest.name, *(shard.file for shard in manifest.shards))
    return Reading(runs, tuple(files), manifest.naming, tuple(str(folder / name) for name in names))


def manifest_at(folder: Path) -> Manifest:
    """Return what a dataset consists of.

    Raises:
        InputError: it is not complete, or its manifest cannot be read.
    """
    manifest = last_manifest(folder)
    if manifest is None:
        raise InputError(
            "a complete dataset",
            actual="no manifest",
            source=str(folder),
            hint="writing it was interrupted, or goes on: ingest the inputs again",
        )
    return manifest


def _supplements(folder: Path, shard: Shard) -> Mapping[str, Mapping[str, Any]]:
    try:
        content = json.loads(read_shard(folder, shard))
        return {str(run_id): dict(given) for run_id, given in content.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            "what no table has of each run", actual=str(error), source=str(folder / shard.file)
        ) from error
