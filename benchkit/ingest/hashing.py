"""What tells a large file from others: a hash of parts of it, or of all by a thread."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from benchkit.stores.reading import RemoteFile

_PARTS: Final = 64
_PART: Final = 2**16
_PIECE: Final = 2**21  # about a millisecond, for which the thread needs no lock of Python's


def hash_of_parts(path: Path, size: int) -> str:
    """Return a hash of a file's size and of parts of it, at even distances up to its end.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return _hash(size, (_part(file, start) for start in _starts(size)))


def hash_of_remote_parts(file: RemoteFile) -> str:
    """Return the same of a file that lies elsewhere.

    Raises:
        OSError: the file cannot be read.
    """
    return _hash(file.size, file.parts(_starts(file.size), _PART))


def _starts(size: int) -> list[int]:
    return [max(size - _PART, 0) * part // (_PARTS - 1) for part in range(_PARTS)]


def _part(file: IO[bytes], start: int) -> bytes:
    file.seek(start)
    return file.read(_PART)


def _hash(size: int, parts: Iterable[bytes]) -> str:
    total = hashlib.blake2b(str(size).encode(), digest_size=32)  # no whole file is hashed so
    for part in parts:
        total.update(part)
    return total.hexdigest()


class Hashing:
    """The SHA-256 of the first `size` bytes of a file; a thread hashes them from now on."""

    def __init__(self, path: Path, size: int) -> None:
        self._path, self._left = path, size
        self._sum = ""
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def result(self) -> str:
        """Wait for the thread, and return the hash.

        Raises:
            OSError: the file cannot be read.
        """
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._sum

    def _run(self) -> None:
        total, piece = hashlib.sha256(), memoryview(bytearray(_PIECE))
        try:
            with self._path.open("rb", buffering=0) as file:
                while count := file.readinto(piece[: self._left]):
                    total.update(piece[:count])
                    self._left -= count
        except OSError as error:
            self._failure = error
        self._sum = total.hexdigest()
