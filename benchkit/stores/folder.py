"""A store in a folder of this machine."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Sequence
from pathlib import Path

from benchkit.errors import InputError, UsageError
from benchkit.stores.files import whole_file
from benchkit.stores.store import Listed, Store, ThereAlreadyError


class Folder(Store):
    """A store in a folder of this machine, or of one that it shares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = str(folder)

    def put(self, name: str, data: bytes) -> None:
        """Create a file by a temporary one and a rename; it is on the disk before it has its name.

        Raises:
            ThereAlreadyError: it is there already.
            UsageError: it cannot be written.
        """
        path = self._made(name)
        if path.exists():
            raise ThereAlreadyError(f"{path} is there already, and what is saved is never changed")
        with whole_file(path, durable=True) as file:
            file.write(data)

    def replace(self, name: str, data: bytes | Path) -> None:
        """Write a file likewise, in the place of what was there.

        Raises:
            UsageError: it cannot be written.
        """
        with whole_file(self._made(name), durable=True) as file:
            if isinstance(data, bytes):
                file.write(data)
            else:
                with data.open("rb") as source:
                    shutil.copyfileobj(source, file)

    def list(self, prefix: str) -> list[str]:
        """Return the names that begin so, in order; files in the making are none."""
        folder, _, start = prefix.rpartition("/")
        try:
            with os.scandir(self.folder / folder) as entries:
                names = [entry.name for entry in entries if not entry.is_dir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unreadable(folder, error) from error
        chosen = sorted(name for name in names if name.startswith(start) and name[0] != ".")
        return [f"{folder}/{name}" if folder else name for name in chosen]

    def walk(self, folder: str = "") -> Sequence[Listed]:
        """Return the files in a folder and below it that are not hidden, by name.

        Raises:
            InputError: a folder cannot be read.
        """
        closed: list[OSError] = []
        listed = []
        for root, folders, names in os.walk(self.folder / folder, onerror=closed.append):
            folders[:] = [name for name in folders if name[0] != "."]
            for name in names:
                path = Path(root) / name
                if name[0] != ".":
                    relative = path.relative_to(self.folder).as_posix()
                    listed.append(Listed(relative, self.size_of(relative) or 0))
        for error in closed:
            if not isinstance(error, FileNotFoundError):
                raise self._unreadable(folder, error) from error
        return sorted(listed)

    def read(self, name: str, *, start: int = 0, count: int | None = None) -> bytes:
        """Return the bytes of a file.

        Raises:
            FileNotFoundError: there is none of that name.
            InputError: it cannot be read.
        """
        path = self.folder / name
        try:
            if stat.S_ISREG(path.stat().st_mode):  # opening a FIFO waits for a writer
                with path.open("rb") as file:
                    file.seek(start)
                    return file.read(-1 if count is None else count)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._unreadable(name, error) from error
        raise self._unreadable(name, OSError("no regular file"))

    def size_of(self, name: str) -> int | None:
        """Return how many bytes a file has, None where there is none."""
        try:
            return (self.folder / name).stat().st_size
        except OSError:
            return None

    def age_s(self, name: str) -> float:
        """Return how long ago a file was written; 0 where there is none."""
        try:
            return time.time() - (self.folder / name).stat().st_mtime
        except OSError:
            return 0.0

    def delete(self, name: str) -> None:
        """Remove a file, which need not be there.

        Raises:
            UsageError: it cannot be removed.
        """
        path = self.folder / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"cannot remove {path}: {error.strerror or error}") from error

    def _made(self, name: str) -> Path:
        """Return the path of a name, after making its folder."""
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"cannot write to the store {self.address}: {reason}") from error
        return path

    def _unreadable(self, name: str, error: OSError) -> InputError:
        return InputError(
            "a store that can be read",
            actual=str(error.strerror or error),
            source=str(self.folder / name),
        )
