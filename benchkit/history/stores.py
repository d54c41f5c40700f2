"""Where saves lie: named bytes that are created once, listed and read, and never changed."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchkit.errors import InputError, UsageError
from benchkit.output import whole_file

#: What the address of an object store begins with, and what tells one of another kind.
_S3: Final = "s3://"
_REMOTE: Final = "://"


class Store(ABC):
    """Named bytes; a name is parts joined by `/`."""

    address: str

    @abstractmethod
    def put(self, name: str, data: bytes) -> None:
        """Create an object, whole or not at all.

        Raises:
            UsageError: it is there already, or cannot be written.
        """

    @abstractmethod
    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order.

        Raises:
            InputError: the store cannot be read.
        """

    @abstractmethod
    def read(self, name: str) -> bytes:
        """Return an object.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """

    @abstractmethod
    def age_s(self, name: str) -> float:
        """Return how long ago an object was created; 0 where there is none."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove an object, which need not be there."""


class Folder(Store):
    """A store in a folder of this machine, or of one that it shares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = str(folder)

    def put(self, name: str, data: bytes) -> None:
        """Create a file by a temporary one and a rename; it is on the disk before it has its name.

        Raises:
            UsageError: it is there already, or cannot be written.
        """
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"cannot write to the store {self.address}: {reason}") from error
        if path.exists():
            raise UsageError(f"{path} is there already, and what is saved is never changed")
        with whole_file(path, durable=True) as file:
            file.write(data)

    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order; files in the making are none."""
        folder, _, start = prefix.rpartition("/")
        try:
            names = os.listdir(self.folder / folder)  # noqa: PTH208 - names, not paths
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unreadable(folder, error) from error
        chosen = sorted(name for name in names if name.startswith(start) and name[0] != ".")
        return [f"{folder}/{name}" if folder else name for name in chosen]

    def read(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._unreadable(name, error) from error

    def age_s(self, name: str) -> float:
        """Return how long ago a file was written; 0 where there is none."""
        try:
            return time.time() - (self.folder / name).stat().st_mtime
        except OSError:
            return 0.0

    def delete(self, name: str) -> None:
        """Remove a file, which need not be there."""
        with suppress(FileNotFoundError):
            (self.folder / name).unlink()

    def _unreadable(self, name: str, error: OSError) -> InputError:
        return InputError(
            "a store that can be read",
            actual=str(error.strerror or error),
            source=str(self.folder / name),
        )


class Bucket(Store):
    """A store in a bucket of S3, or of what speaks like it: `AWS_…` say where and who."""

    def __init__(self, address: str) -> None:
        from obstore.store import S3Store

        self.address = address.rstrip("/")
        # A server of one's own may have no certificate; then its address begins with http.
        try:
            self._objects = S3Store.from_url(
                self.address,
                client_options={"allow_http": True, "timeout": "60s"},
                retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=30)},
            )
        except self._trouble as error:
            raise UsageError(f"{address} is no store: {_reason(error)}") from error

    def put(self, name: str, data: bytes) -> None:
        """Create an object by one request that fails where it is there (`If-None-Match: *`).

        Raises:
            UsageError: it is there already, or cannot be written.
        """
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            obstore.put(self._objects, name, data, mode="create", use_multipart=False)
        except AlreadyExistsError as error:
            raise UsageError(
                f"{self.address}/{name} is there already, and what is saved is never changed"
            ) from error
        except self._trouble as error:
            reason = _reason(error)
            raise UsageError(f"cannot write to the store {self.address}: {reason}") from error

    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order.

        Raises:
            InputError: the bucket cannot be read.
        """
        import obstore

        folder, _, start = prefix.rpartition("/")
        try:
            objects = obstore.list_with_delimiter(self._objects, folder or None)["objects"]
        except self._trouble as error:
            raise self._unreadable(folder, error) from error
        names = (str(each["path"]) for each in objects)
        return sorted(name for name in names if name.rpartition("/")[2].startswith(start))

    def read(self, name: str) -> bytes:
        """Return an object.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """
        import obstore

        try:
            return bytes(obstore.get(self._objects, name).bytes())
        except FileNotFoundError:
            raise
        except self._trouble as error:
            raise self._unreadable(name, error) from error

    def age_s(self, name: str) -> float:
        """Return how long ago an object was created; 0 where there is none."""
        import obstore

        try:
            created: datetime = obstore.head(self._objects, name)["last_modified"]
        except self._trouble:
            return 0.0
        return (datetime.now(UTC) - created).total_seconds()

    def delete(self, name: str) -> None:
        """Remove an object, which need not be there."""
        import obstore

        with suppress(FileNotFoundError):
            obstore.delete(self._objects, name)

    @property
    def _trouble(self) -> tuple[type[Exception], ...]:
        from obstore.exceptions import BaseError

        return OSError, BaseError

    def _unreadable(self, name: str, error: Exception) -> InputError:
        where = f"{self.address}/{name}"
        return InputError("a store that can be read", actual=_reason(error), source=where)


def _reason(error: Exception) -> str:
    """Return what went wrong, without the details for who develops."""
    return str(error).partition("\n")[0]


def store_at(address: str) -> Store:
    """Return the store at an address, which need not be there yet.

    Raises:
        UsageError: no store can be there.
    """
    if not address:
        raise UsageError("a store needs an address: name a folder")
    if address.startswith(_S3):
        try:
            return Bucket(address)
        except ImportError as error:
            raise UsageError(
                f"{address}: this needs obstore; install it with `pip install 'benchkit[s3]'`"
            ) from error
    if _REMOTE in address:
        raise UsageError(f"{address}: a store is a folder, or s3://BUCKET/…")
    path = Path(address)
    if path.exists() and not path.is_dir():
        raise UsageError(f"{address}: a store is a folder, and this is a file")
    return Folder(path)
