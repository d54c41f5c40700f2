"""A store in a bucket: of S3, of Google, of Azure, of what speaks like them, or in memory."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchkit.errors import InputError, UsageError
from benchkit.stores.clients import located, trouble, troubles
from benchkit.stores.store import ForbiddenError, Listed, Store, ThereAlreadyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from obstore import ObjectMeta


class Objects(Store):
    """A store below `s3://BUCKET/PREFIX` or the like: the environment says where and who."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self._client, self._prefix = located(self.address)

    def put(self, name: str, data: bytes) -> None:
        """Create an object by one request that fails where it is there (`If-None-Match: *`).

        Raises:
            ThereAlreadyError: it is there already.
            UsageError: it cannot be written.
        """
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            obstore.put(self._client, self._key(name), data, mode="create", use_multipart=False)
        except AlreadyExistsError as error:
            raise ThereAlreadyError(
                f"{self._at(name)} is there already, and what is saved is never changed"
            ) from error
        except troubles() as error:
            raise self._unwritable(error) from error

    def replace(self, name: str, data: bytes | Path) -> None:
        """Write an object, a large file in parts, which are there once all of them are.

        Raises:
            UsageError: it cannot be written.
        """
        import obstore

        try:
            obstore.put(self._client, self._key(name), data)
        except troubles() as error:
            raise self._unwritable(error) from error

    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order, without those in folders below.

        Raises:
            InputError: the bucket cannot be read.
        """
        import obstore

        folder, _, start = prefix.rpartition("/")
        try:
            objects = obstore.list_with_delimiter(self._client, self._key(folder) or None)
        except troubles() as error:
            raise self._unreadable(folder, error) from error
        names = [listed.name for listed in self._listed(objects["objects"])]
        return sorted(name for name in names if name.rpartition("/")[2].startswith(start))

    def walk(self, folder: str = "") -> Sequence[Listed]:
        """Return the objects of a folder and below it that are not hidden, by name.

        Raises:
            InputError: the bucket cannot be read.
        """
        import obstore

        try:
            pieces = obstore.list(self._client, self._key(folder) or None)
            objects = [each for piece in pieces for each in piece]
        except troubles() as error:
            raise self._unreadable(folder, error) from error
        listed = sorted(self._listed(objects))
        return [each for each in listed if "/." not in f"/{each.name[len(folder) :].lstrip('/')}"]

    def read(self, name: str, *, start: int = 0, count: int | None = None) -> bytes:
        """Return an object.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """
        import obstore

        key = self._key(name)
        try:
            if count is not None:
                return bytes(obstore.get_range(self._client, key, start=start, length=count))
            if start:
                rest = obstore.get(self._client, key, options={"range": {"offset": start}})
                return bytes(rest.bytes())
            return bytes(obstore.get(self._client, key).bytes())
        except FileNotFoundError:
            raise
        except troubles() as error:
            raise self._unreadable(name, error) from error

    def size_of(self, name: str) -> int | None:
        """Return how many bytes an object has, None where there is none.

        Raises:
            InputError: the bucket cannot be read.
        """
        import obstore

        try:
            return int(obstore.head(self._client, self._key(name))["size"])
        except FileNotFoundError:
            return None
        except troubles() as error:
            raise self._unreadable(name, error) from error

    def age_s(self, name: str) -> float:
        """Return how long ago an object was created; 0 where there is none."""
        import obstore

        try:
            created: datetime = obstore.head(self._client, self._key(name))["last_modified"]
        except troubles():
            return 0.0
        return (datetime.now(UTC) - created).total_seconds()

    def delete(self, name: str) -> None:
        """Remove an object, which need not be there.

        Raises:
            UsageError: it cannot be removed.
        """
        import obstore

        try:
            with suppress(FileNotFoundError):
                obstore.delete(self._client, self._key(name))
        except troubles() as error:
            raise self._unwritable(error) from error

    def _key(self, name: str) -> str:
        return "/".join(filter(None, (self._prefix, name)))

    def _at(self, name: str) -> str:
        return f"{self.address}/{name}".rstrip("/")

    def _listed(self, objects: Iterable[ObjectMeta]) -> Iterable[Listed]:
        start = len(self._prefix) + 1 if self._prefix else 0
        return (Listed(str(each["path"])[start:], int(each["size"])) for each in objects)

    def _unwritable(self, error: Exception) -> UsageError:
        reason, hint = trouble(error)
        more = f"; {hint}" if hint else ""
        return UsageError(f"cannot write to the store {self.address}: {reason}{more}")

    def _unreadable(self, name: str, error: Exception) -> InputError:
        from obstore.exceptions import PermissionDeniedError

        reason, hint = trouble(error)
        kind = ForbiddenError if isinstance(error, PermissionDeniedError) else InputError
        return kind("what can be read", actual=reason, hint=hint, source=self._at(name))
