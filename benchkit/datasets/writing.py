"""Runs to a dataset: all its files first, the manifest that names them last."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchkit.datasets.addition import addition, once
from benchkit.datasets.arguments import is_dataset
from benchkit.datasets.manifest import (
    OUTCOMES_AT,
    SHARDS_AT,
    SUPPLEMENT_AT,
    TABLES_AT,
    Manifest,
    StoredFile,
    name_of,
)
from benchkit.datasets.reading import rows_there
from benchkit.datasets.requests import write_requests
from benchkit.datasets.storage import (
    MARK,
    MARK_TEXT,
    check_inside,
    last_manifest,
    manifest_numbers,
    put,
    remove_unnamed,
)
from benchkit.datasets.supplements import read_supplements, supplement_text
from benchkit.datasets.tables import partition_of, stored_tables
from benchkit.errors import UsageError
from benchkit.ingest.combination import Reading
from benchkit.model.tables import STORED
from benchkit.schema import FILES, REQUESTS, RUNS
from benchkit.stores import Store, ThereAlreadyError, store_at
from benchkit.stores.addresses import is_url
from benchkit.stores.files import lock, sweep
from benchkit.stores.folder import Folder
from benchkit.validity.sending import lateness

if TYPE_CHECKING:
    from benchkit.model.run import Run

_FOLDERS: Final = (TABLES_AT, SUPPLEMENT_AT, OUTCOMES_AT, SHARDS_AT)
#: Of a dataset that has nothing yet.
EMPTY: Final = Manifest(0, "", {}, ())
#: As what is in the making is called, so that it is swept.
_SCRATCH: Final = (".benchkit-", ".tmp")


def write(reading: Reading, address: str | os.PathLike[str], *, requests: bool = False) -> int:
    """Write runs as a dataset, or add them to one; return how many were not there.

    The folder is made. Until the new manifest stands, a dataset that was there is as it was.
    With `requests` there is a row per request, too.

    Raises:
        UsageError: the folder is no dataset, or cannot be written to.
        InputError: the dataset cannot be read.
    """
    store = store_at(os.fspath(address))
    with alone(store):
        before = last_manifest(store)
        manifest = EMPTY if before is None else before
        reading = replace(reading, files=tuple(_of_others(store, reading.files)))
        added = addition(reading, *rows_there(store, manifest, RUNS.name, FILES.name))
        for stored in manifest.supplements:  # nothing is added to what cannot be read again
            read_supplements(store, stored)
        if added.runs or added.files:
            manifest = tables_of(store, manifest, added)
        if requests:
            manifest = _with_requests(store, manifest, reading.runs)
        if before is None or manifest != before:
            publish(store, manifest)
        else:
            tidy(store, manifest)
    return len(added.runs)


def publish(store: Store, manifest: Manifest) -> None:
    """Write the next manifest, whose files are there, and remove what it does not name.

    Raises:
        UsageError: another process has written one.
    """
    following = replace(manifest, number=manifest.number + 1, benchkit=version("benchkit"))
    check_inside(store, following.name)
    try:
        store.put(following.name, following.text())
    except ThereAlreadyError as error:
        raise _taken(store) from error
    tidy(store, following)


def tables_of(store: Store, manifest: Manifest, reading: Reading) -> Manifest:
    """Return a manifest with the tables of further runs, which are written."""
    runs = [_examined(run) for run in reading.runs]
    tables = dict(manifest.tables)
    for written in stored_tables(runs, reading.files, lacking={*STORED} - tables.keys()):
        below = "/".join(filter(None, (TABLES_AT, written.table, written.folder)))
        stored = put(store, below, "parquet", written.content, rows=written.rows)
        tables[written.table] = (*tables.get(written.table, ()), stored)
    supplement = put(store, SUPPLEMENT_AT, "json", supplement_text(runs), rows=len(runs))
    return replace(
        manifest,
        tables=tables,
        supplements=(*manifest.supplements, supplement),
        naming=tuple(dict.fromkeys((*manifest.naming, *reading.naming))),
        inputs=(*manifest.inputs, *_inputs(reading.files)),
    )


def _with_requests(store: Store, manifest: Manifest, runs: Sequence[Run]) -> Manifest:
    """Return a manifest with the requests of runs that have none there yet."""
    there = {stored.run_id for stored in manifest.of_table(REQUESTS.name)}
    added = _put_requests(store, [run for run in once(runs) if run.run_id not in there])
    listed = (*manifest.of_table(REQUESTS.name), *added)
    return replace(manifest, tables={**manifest.tables, REQUESTS.name: listed})


def _put_requests(store: Store, runs: Sequence[Run]) -> Iterator[StoredFile]:
    for run in runs:
        if run.requests is None:
            continue
        below = f"{TABLES_AT}/{REQUESTS.name}/{partition_of(run)}"
        with _scratch(store) as path:
            with path.open("wb") as file:
                rows = write_requests(run, file)
            stored = put(store, below, "parquet", path, rows=rows)
        yield replace(stored, run_id=run.run_id)


@contextmanager
def _scratch(store: Store) -> Iterator[Path]:
    """Yield the path of a file that goes away, on the disk of the dataset if it has one."""
    start, end = _SCRATCH
    folder = store.folder if isinstance(store, Folder) else None
    number, name = tempfile.mkstemp(end, start, folder)  # a new file, whatever links are there
    os.close(number)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _examined(run: Run) -> Run:
    """Return a run with what a check would read of its requests."""
    return run if run.requests is None else replace(run, lateness=lateness(run))


def _of_others(store: Store, files: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield what became of files, but not that this very dataset lies among them."""
    own = store.folder.resolve() if isinstance(store, Folder) else store.address
    for row in files:
        source = str(row["source"])
        there = source if is_url(source) else Path(os.path.realpath(source))
        if row["state"] != "foreign" or there != own:
            yield row


def _inputs(files: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str | None]]:
    for row in files:
        if row["state"] != "foreign":
            yield {name: row[name] for name in ("source", "state", "sha256")}


# --- the folder ---


@contextmanager
def alone(store: Store) -> Iterator[None]:
    """Make the folder a dataset, if it is none, and keep other writers out of it.

    Raises:
        UsageError: it holds something else, or another process writes there.
    """
    claim(store)
    if not isinstance(store, Folder):
        yield
        return
    with (store.folder / MARK).open("rb") as file:
        try:
            lock(file.fileno())
        except OSError as error:
            raise _taken(store) from error
        yield


def claim(store: Store) -> None:
    """Make a folder a dataset, if it is none.

    Raises:
        UsageError: it holds something else, or lies in a dataset.
    """
    check_claim(store)
    if not is_dataset(store.address):
        store.replace(MARK, MARK_TEXT)


def check_claim(store: Store) -> None:
    """Make sure that a folder is a dataset, or can be made one.

    Raises:
        UsageError: it holds something else, lies in a dataset, or a link in it leads out.
    """
    for top in _FOLDERS:
        check_inside(store, top)
    above = store.folder.resolve().parents if isinstance(store, Folder) else ()
    if outer := next((folder for folder in above if is_dataset(folder)), None):
        raise UsageError(f"{store.address} lies in the dataset {outer}; name another folder")
    if not is_dataset(store.address) and _holds_something(store):
        raise UsageError(f"{store.address} is no dataset and not empty; name another folder")


def _taken(store: Store) -> UsageError:
    return UsageError(f"{store.address}: another process writes to this dataset")


def _holds_something(store: Store) -> bool:
    if not isinstance(store, Folder):
        return bool(store.walk())
    try:
        return any(not name.startswith(".") for name in os.listdir(store.folder))  # noqa: PTH208 - names
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UsageError(f"cannot write {store.address}: {error.strerror or error}") from error


def tidy(store: Store, manifest: Manifest) -> None:
    """Remove what no manifest names any more, and what killed writers left."""
    for number in manifest_numbers(store):
        if number < manifest.number:
            store.delete(name_of(number))
    named = {stored.file for stored in manifest.files}
    for top in (TABLES_AT, SUPPLEMENT_AT):
        remove_unnamed(store, top, named)
    if isinstance(store, Folder):
        sweep(store.folder)
