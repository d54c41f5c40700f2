"""Writing files of this machine so that each is whole, old or absent, never half."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from benchkit.errors import UsageError

_TEMPORARY: Final = ".benchkit-*.tmp"


def writable(path: str | os.PathLike[str]) -> None:
    """Make sure that a file can be written at `path`, before the work that ends with it.

    Raises:
        UsageError: it is a folder, or its folder is none or may not be written to.
    """
    target, shown = Path(os.path.realpath(path)), os.fspath(path)
    if target.is_dir():
        raise UsageError(f"cannot write {shown}: it is a folder; name a file in it")
    if Path(path).exists() and not Path(path).is_file():
        return
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {shown}: there is no folder {target.parent}")
    # By trying: of file systems of the kernel, such as /sys, `os.access` says yes to root.
    from tempfile import TemporaryFile

    try:
        with TemporaryFile(dir=target.parent):
            pass
    except OSError:
        raise UsageError(f"cannot write {shown}: {target.parent} may not be written to") from None


def regular(path: str | os.PathLike[str] | int) -> os.stat_result | None:
    """Return what the system knows of a regular file, of an open one by its number."""
    try:
        status = os.stat(path)  # noqa: PTH116 - of a number too
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, private: bool = False, durable: bool = False
) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of `path` once everything is written.

    It lies beside `path` until then, and goes away on any error. What is no
    regular file, such as `/dev/null`, is written to directly. A private one nobody but its owner
    may read; a durable one is on the disk before it has its name, and so is its name afterwards.

    Raises:
        UsageError: it cannot be written; the message says why.
    """
    target = Path(os.path.realpath(path))
    try:
        # By its own name: `/dev/stdout` leads to a pipe that has none.
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            with Path(path).open("wb") as device:
                yield device
            return
        with _beside(target, path, private=private, durable=durable) as file:
            yield file
        if durable:
            _settle(target.parent)
    except OSError as error:
        raise UsageError(f"cannot write {os.fspath(path)}: {error.strerror or error}") from error


@contextmanager
def _beside(
    target: Path, path: str | os.PathLike[str], *, private: bool, durable: bool
) -> Iterator[IO[bytes]]:
    writable(path)
    sweep(target.parent)
    temporary, file = _temporary(target, private=private)
    try:
        with file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
            if sys.platform == "win32":
                file.close()  # nothing is moved there that is open
            elif not file.closed:
                file.flush()
            if target.exists() and not private:
                shutil.copymode(target, temporary)
            temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _temporary(target: Path, *, private: bool) -> tuple[Path, IO[bytes]]:
    """Return a new file beside `target`, locked, so that nobody sweeps it."""
    while True:
        temporary = target.with_name(_TEMPORARY.replace("*", secrets.token_hex(6)))
        file = open(temporary, "xb", opener=_private if private else None)  # noqa: SIM115
        try:
            lock(file.fileno())
        except BlockingIOError:  # another process sweeps it at this very moment
            file.close()
            continue
        except OSError:  # not every file system has locks
            return temporary, file
        if temporary.exists():
            return temporary, file
        file.close()


def _settle(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system has this for folders
            os.fsync(number)
    finally:
        os.close(number)


def sweep(folder: Path) -> None:
    """Remove what writers left that were killed; who still writes has it locked, or open."""
    for left in folder.glob(_TEMPORARY):
        with suppress(OSError):
            if sys.platform != "win32" and regular(left) is not None and not left.is_symlink():
                with left.open("rb") as file:
                    lock(file.fileno())
                    left.unlink()
            elif sys.platform == "win32":
                left.unlink()


def lock(number: int) -> None:
    """Lock an open file until it is closed.

    Raises:
        OSError: another process has locked it, or there are no locks.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
