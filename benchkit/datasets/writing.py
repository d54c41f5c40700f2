"""Runs to a dataset: all its files first, the manifest that names them last."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchkit.datasets.manifest import SUPPLEMENT_AT, TABLES_AT, Manifest, Shard, name_of
from benchkit.datasets.requests import write_requests
from benchkit.datasets.storage import (
    MARK,
    MARK_TEXT,
    is_dataset,
    last_manifest,
    make_folder,
    manifest_numbers,
    put,
)
from benchkit.datasets.tables import partition_of, stored_tables, supplement_text
from benchkit.errors import UsageError
from benchkit.ingest import Reading
from benchkit.schema import REQUESTS
from benchkit.stores.files import lock, sweep, whole_file
from benchkit.validity.sending import lateness

if TYPE_CHECKING:
    from benchkit.model.run import Run


def write(reading: Reading, address: str | os.PathLike[str], *, requests: bool = False) -> Manifest:
    """Write runs as a dataset, with a row per request if that is asked for.

    The folder is made. Until the manifest stands, a dataset that was there is as it was.

    Raises:
        UsageError: the folder is no dataset, holds other runs, or cannot be written to.
    """
    folder = Path(address)
    with _alone(folder):
        before = last_manifest(folder)
        inputs = tuple(_inputs(reading.files))
        if before is not None and not _same(before.inputs, inputs):
            raise UsageError(
                f"{folder} holds other inputs; ingest all of them together, into another folder"
            )
        runs = [_examined(run) for run in reading.runs]
        tables: dict[str, tuple[Shard, ...]] = {}
        for name, partition, content, rows in stored_tables(runs, reading.files):
            below = "/".join(filter(None, (TABLES_AT, name, partition)))
            shard = put(folder, below, "parquet", io.BytesIO(content), rows=rows)
            tables[name] = (*tables.get(name, ()), shard)
        if requests:
            tables[REQUESTS.name] = tuple(_put_requests(folder, runs))
        text = supplement_text(runs)
        manifest = Manifest(
            number=1 if before is None else before.number + 1,
            benchkit=version("benchkit"),
            tables=tables,
            supplement=put(folder, SUPPLEMENT_AT, "json", io.BytesIO(text), rows=len(runs)),
            naming=tuple(reading.naming),
            inputs=inputs,
        )
        with whole_file(folder / manifest.name, durable=True) as file:
            file.write(manifest.text())
        _tidy(folder, manifest)
    return manifest


def _put_requests(folder: Path, runs: Sequence[Run]) -> Iterator[Shard]:
    for run in runs:
        if run.requests is None:
            continue
        # On the disk of the dataset: a row takes some 30 bytes, and memory stays as it is.
        with tempfile.TemporaryFile(dir=folder) as file:
            rows = write_requests(run, file)
            below = f"{TABLES_AT}/{REQUESTS.name}/{partition_of(run)}"
            shard = put(folder, below, "parquet", file, rows=rows)
        yield replace(shard, run_id=run.run_id)


def _examined(run: Run) -> Run:
    """Return a run with what a check would read of its requests."""
    return run if run.requests is None else replace(run, lateness=lateness(run))


def _inputs(files: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str | None]]:
    for row in files:
        if row["state"] != "foreign":
            yield {name: row[name] for name in ("source", "state", "sha256")}


def _same(
    one: Sequence[Mapping[str, str | None]], other: Sequence[Mapping[str, str | None]]
) -> bool:
    return [entry.get("sha256") for entry in one] == [entry.get("sha256") for entry in other]


# --- the folder ---


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Make the folder a dataset, if it is none, and keep other writers out of it.

    Raises:
        UsageError: it holds something else, or another process writes there.
    """
    make_folder(folder)
    if not is_dataset(folder):
        if any(not name.startswith(".") for name in os.listdir(folder)):  # noqa: PTH208 - names
            raise UsageError(f"{folder} is no dataset and not empty; name another folder")
        with whole_file(folder / MARK, durable=True) as file:
            file.write(MARK_TEXT)
    with (folder / MARK).open("rb") as file:
        try:
            lock(file.fileno())
        except OSError as error:
            raise UsageError(f"{folder}: another process writes to this dataset") from error
        yield


def _tidy(folder: Path, manifest: Manifest) -> None:
    """Remove what no manifest names any more, and what killed writers left."""
    for number in manifest_numbers(folder):
        if number < manifest.number:
            (folder / name_of(number)).unlink(missing_ok=True)
    named = {folder / shard.file for shard in manifest.shards}
    sweep(folder)
    for top in (TABLES_AT, SUPPLEMENT_AT):
        for root, _, files in os.walk(folder / top, topdown=False):
            below = Path(root)
            sweep(below)
            for name in files:
                if below / name not in named and not name.startswith("."):
                    (below / name).unlink(missing_ok=True)
            with suppress(OSError):  # it is not empty
                below.rmdir()
