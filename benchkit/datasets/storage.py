"""The files of a dataset: written whole, named by content, read only as they were written."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from benchkit.datasets.manifest import Manifest, Shard, manifest_of, name_of, number_of
from benchkit.errors import InputError, UsageError
from benchkit.output import whole_file

#: Says that a folder is a dataset, or is to be one.
MARK: Final = "benchkit-dataset.json"
MARK_TEXT: Final = b'{"benchkit_dataset": "docs/datasets.md has the layout"}\n'
_HASH: Final = 20  # hexadecimal digits in the name of a file
_PIECE: Final = 2**20


def is_dataset(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder is a dataset, be it in the making."""
    try:
        return (Path(path) / MARK).is_file()
    except (OSError, ValueError):
        return False


def last_manifest(folder: Path) -> Manifest | None:
    """Return the manifest that holds, None where there is none yet.

    Raises:
        InputError: it cannot be read.
    """
    number = max(manifest_numbers(folder), default=None)
    if number is None:
        return None
    path = folder / name_of(number)
    try:
        return manifest_of(path.read_bytes(), number, source=str(path))
    except OSError as error:
        raise unreadable(path, error) from error


def manifest_numbers(folder: Path) -> list[int]:
    """Return the numbers of all manifests.

    Raises:
        InputError: the folder cannot be read.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names, not paths
    except FileNotFoundError:
        return []
    except OSError as error:
        raise unreadable(folder, error) from error
    return [number for name in names if (number := number_of(name)) is not None]


def open_shard(folder: Path, shard: Shard) -> IO[bytes]:
    """Return a file of a dataset, open, after it was looked at whether it is as it was written.

    Raises:
        InputError: it is missing, elsewhere, or another.
    """
    path = folder / shard.file
    try:
        inside = path.resolve(strict=True).is_relative_to(folder.resolve(strict=True))
        file = path.open("rb") if inside and path.is_file() else None
    except OSError as error:
        raise unreadable(path, error) from error
    if file is None:
        raise _changed(path, "something else than a file of it")
    try:
        actual = _difference(file, shard)
    except OSError as error:
        actual = error.strerror or str(error)
    if actual:
        file.close()
        raise _changed(path, actual)
    return file


def _difference(file: IO[bytes], shard: Shard) -> str:
    """Return in what a file is not as it was written, nothing for one that is."""
    size = os.fstat(file.fileno()).st_size
    if size != shard.size_bytes:
        return f"{size} bytes, not {shard.size_bytes}"
    same = hash_of(file) == shard.sha256
    file.seek(0)
    return "" if same else "other bytes"


def read_shard(folder: Path, shard: Shard) -> bytes:
    """Return the bytes of a file of a dataset.

    Raises:
        InputError: it is missing, elsewhere, or another.
    """
    with open_shard(folder, shard) as file:
        return file.read()


def hash_of(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file from its beginning."""
    file.seek(0)
    total = hashlib.sha256()
    while piece := file.read(_PIECE):
        total.update(piece)
    return total.hexdigest()


def put(folder: Path, below: str, suffix: str, file: IO[bytes], *, rows: int) -> Shard:
    """Write a file below a folder of the dataset, under a name made of its content.

    One that is there already stays as it is.

    Raises:
        UsageError: it cannot be written.
    """
    sha256 = hash_of(file)
    name = f"{below}/{sha256[:_HASH]}.{suffix}"
    shard = Shard(name, sha256, file.seek(0, os.SEEK_END), rows)
    path = folder / name
    with suppress(InputError):
        open_shard(folder, shard).close()
        return shard
    make_folder(path.parent)
    file.seek(0)
    with whole_file(path, durable=True) as to:
        while piece := file.read(_PIECE):
            to.write(piece)
    return shard


def make_folder(path: Path) -> None:
    """Make a folder with those above it.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error of a file of a dataset that cannot be read."""
    gone = isinstance(error, (FileNotFoundError, NotADirectoryError))
    reason = "nothing there" if gone else error.strerror or str(error)
    return InputError("a file of a dataset", actual=reason, source=str(path), hint=_AGAIN)


def _changed(path: Path, actual: str) -> InputError:
    return InputError("what the manifest names", actual=actual, source=str(path), hint=_AGAIN)


_AGAIN: Final = "ingest the inputs again, into another folder"
