"""The files of a dataset: written whole, named by content, read only as they were written."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from benchkit.datasets.manifest import (
    INGEST_AGAIN,
    Manifest,
    StoredFile,
    manifest_of,
    name_of,
    number_of,
)
from benchkit.errors import BenchkitError, InputError
from benchkit.stores import Store, inside
from benchkit.stores.addresses import within
from benchkit.stores.files import sweep
from benchkit.stores.folder import Folder
from benchkit.stores.store import DATASET_MARK

MARK: Final = DATASET_MARK
MARK_TEXT: Final = b'{"benchkit_dataset": "docs/datasets.md has the layout"}\n'
_MANIFESTS: Final = "manifest-"
_DIGITS: Final = 20  # hexadecimal digits in the name of a file
_PIECE: Final = 2**20
#: What may be removed once no manifest names it.
_OURS: Final = re.compile(rf"[0-9a-f]{{{_DIGITS}}}\.(?:parquet|json)")
_BEGIN_AGAIN: Final = "the dataset was written meanwhile: begin again"


def last_manifest(store: Store) -> Manifest | None:
    """Return the manifest that holds, None where there is none yet.

    Raises:
        InputError: it cannot be read.
        UsageError: it leads out of the dataset.
    """
    number = None
    while (highest := max(manifest_numbers(store), default=None)) != number:
        number = highest  # another one where a writer has just put it in the place of the last
        if number is not None and (manifest := _manifest(store, number)) is not None:
            return manifest
    if number is None:
        return None
    raise InputError(
        "a manifest",
        actual="no file",
        source=within(store.address, name_of(number)),
        hint=INGEST_AGAIN,
    )


def _manifest(store: Store, number: int) -> Manifest | None:
    """Return a manifest, None where it is not there, or is no file."""
    name = name_of(number)
    check_inside(store, name)
    if isinstance(store, Folder) and not (store.folder / name).is_file():
        return None
    try:
        return manifest_of(store.read(name), number, source=within(store.address, name))
    except FileNotFoundError:
        return None


def manifest_numbers(store: Store) -> list[int]:
    """Return the numbers of all manifests.

    Raises:
        InputError: the store cannot be read.
    """
    names = store.list(_MANIFESTS)
    return [number for name in names if (number := number_of(name)) is not None]


def read_stored(store: Store, stored: StoredFile) -> bytes:
    """Return the bytes of a file of a dataset.

    Raises:
        InputError: it is missing, elsewhere, or another.
    """
    _require_inside(store, stored)
    try:
        data = store.read(stored.file, count=stored.size_bytes + 1)
    except FileNotFoundError as error:
        raise _changed(store, stored, "nothing there") from error
    if len(data) != stored.size_bytes or hashlib.sha256(data).hexdigest() != stored.sha256:
        raise _changed(store, stored, "other bytes")
    return data


def open_stored(store: Store, stored: StoredFile) -> IO[bytes]:
    """Return a file of a dataset of any size, after it was read once to see whether it is whole.

    Raises:
        InputError: it is missing, elsewhere, or another.
    """
    file = part_of_stored(store, stored)
    total = hashlib.sha256()
    while piece := file.read(_PIECE):
        total.update(piece)
    if total.hexdigest() != stored.sha256:
        raise _changed(store, stored, "other bytes")
    file.seek(0)
    return file


def part_of_stored(store: Store, stored: StoredFile) -> IO[bytes]:
    """Return a file of a dataset, of which some part is wanted, and the whole known to be right.

    Raises:
        InputError: it is missing, elsewhere, or of another size.
    """
    _require_inside(store, stored)
    return io.BufferedReader(_Ranges(store, stored), _PIECE)


def require_there(store: Store, stored: StoredFile) -> None:
    """Make sure that a file of a dataset is there, without reading it.

    Raises:
        InputError: it is missing, elsewhere, or of another size.
    """
    _require_inside(store, stored)
    if not isinstance(store, Folder) and store.size_of(stored.file) != stored.size_bytes:
        raise _changed(store, stored, "nothing there, or another size")


class _Ranges(io.RawIOBase):
    """A file of a store, read part by part."""

    def __init__(self, store: Store, stored: StoredFile) -> None:
        super().__init__()
        self._store, self._stored, self._at = store, stored, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._stored.size_bytes}
        self._at = origin[whence] + offset
        return self._at

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any buffer
        count = min(len(buffer), self._stored.size_bytes - self._at)
        if count <= 0:
            return 0
        try:
            data = self._store.read(self._stored.file, start=self._at, count=count)
        except FileNotFoundError as error:
            raise _changed(self._store, self._stored, "nothing there") from error
        if not data:
            raise _changed(self._store, self._stored, f"only {self._at} bytes")
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def put(store: Store, below: str, suffix: str, data: bytes | Path, *, rows: int) -> StoredFile:
    """Write data, or a file of any size, under a name made of the content.

    What is there already as it should be stays.

    Raises:
        UsageError: it cannot be written.
    """
    sha256, size_bytes = _hash_of(data)
    stored = StoredFile(f"{below}/{sha256[:_DIGITS]}.{suffix}", sha256, size_bytes, rows)
    check_inside(store, stored.file)
    if not _is_there(store, stored):
        store.replace(stored.file, data)
    return stored


def check_inside(store: Store, name: str) -> None:
    """Make sure that a name of a dataset lies in it, whatever is a link there.

    Raises:
        UsageError: it leads out.
    """
    inside.check_inside(store, name, what="dataset")


def _is_there(store: Store, stored: StoredFile) -> bool:
    if store.size_of(stored.file) != stored.size_bytes:
        return False
    try:
        open_stored(store, stored).close()
    except BenchkitError:
        return False
    return True


def _hash_of(data: bytes | Path) -> tuple[str, int]:
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest(), len(data)
    with data.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), os.fstat(file.fileno()).st_size


def remove_unnamed(
    store: Store, top: str, named: Container[str], *, ours: re.Pattern[str] = _OURS
) -> None:
    """Remove the files below a folder that we wrote and nothing names, and empty folders.

    `ours` is what their names look like.

    Raises:
        UsageError: the folder leads out of the dataset.
        InputError: the store cannot be read.
    """
    if not isinstance(store, Folder):
        for listed in store.walk(top):
            if listed.name not in named and ours.fullmatch(listed.name.rpartition("/")[2]):
                store.delete(listed.name)
        return
    check_inside(store, top)
    for root, _, files in os.walk(store.folder / top, topdown=False):
        folder = Path(root)
        sweep(folder)
        for name in files:
            below = (folder / name).relative_to(store.folder).as_posix()
            if below not in named and ours.fullmatch(name):
                store.delete(below)
        with suppress(OSError):  # it is not empty
            folder.rmdir()


def _require_inside(store: Store, stored: StoredFile) -> None:
    """Make sure that a file lies in the dataset, whatever is a link there.

    Raises:
        InputError: it is none, or lies elsewhere.
    """
    if not isinstance(store, Folder):
        return
    path = store.folder / stored.file
    try:
        top = store.folder.resolve(strict=True)
        if not path.resolve(strict=True).is_relative_to(top) or not path.is_file():
            raise _changed(store, stored, "no file of this folder")
        if (size := path.stat().st_size) != stored.size_bytes:
            raise _changed(store, stored, f"{size} bytes, not {stored.size_bytes}")
    except (OSError, RuntimeError) as error:
        raise _changed(store, stored, "nothing there") from error


def _changed(store: Store, stored: StoredFile, actual: str) -> InputError:
    return InputError(
        "the file that the manifest names",
        actual=actual,
        source=within(store.address, stored.file),
        hint=INGEST_AGAIN if _is_named(store, stored) else _BEGIN_AGAIN,
    )


def _is_named(store: Store, stored: StoredFile) -> bool:
    """Whether a file belongs to the dataset still: a writer may have put others in its place."""
    with suppress(BenchkitError):
        manifest = last_manifest(store)
        return manifest is None or stored in manifest.files
    return True
