"""What tells a large file from others: a hash of parts of it, or of all by a thread."""

from __future__ import annotations

import contextlib
import hashlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PARTS: Final = 64
_PART: Final = 2**16
_PIECE: Final = 2**21  # about a millisecond, for which the thread needs no lock of Python's
_SWITCH_S: Final = 0.00005


def hash_of_parts(path: Path, size: int) -> str:
    """Return a hash of a file's size and of parts of it, at even distances up to its end.

    Raises:
        OSError: the file cannot be read.
    """
    total = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        for part in range(_PARTS):
            file.seek(max(size - _PART, 0) * part // (_PARTS - 1))
            total.update(file.read(_PART))
    return total.hexdigest()


class Hashing:
    """The SHA-256 of a file; a thread reads and hashes it from now on."""

    def __init__(self, path: Path) -> None:
        self._path = path
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
                while count := file.readinto(piece):
                    total.update(piece[:count])
        except OSError as error:
            self._failure = error
        self._sum = total.hexdigest()


@contextlib.contextmanager
def quick_turns() -> Iterator[None]:
    """Let threads take turns quickly: one that hashes needs Python's lock often, for a moment."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, _SWITCH_S))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
