"""Where builds and scratch files lie, and how folders are removed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from benchkit.errors import UsageError
from benchkit.stores.files import lock

#: Names another folder for builds.
VARIABLE: Final = "BENCHKIT_CACHE"
_PREFIX: Final = "benchkit-run-"
_OWNER: Final = "owner"


def cache() -> Path:
    """Return the folder for builds: BENCHKIT_CACHE, or benchkit in the platform's cache folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "benchkit"


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield the folder of a run, which is gone afterwards, whatever happened in it.

    Other users may enter it: a database server refuses to run as root. What a run left behind
    that was killed together with its runner goes too.
    """
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        (folder / _OWNER).write_text(_identity(os.getpid()), encoding="utf-8")
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make(folder: Path) -> None:
    """Make a folder and those above it, if it is not there.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror or error}") from error


@contextmanager
def alone(results: Path) -> Iterator[None]:
    """Keep other runs out of a results folder: both would measure each other, and mix their files.

    Raises:
        UsageError: another process runs benchmarks into it, or it cannot be made.
    """
    is_new = not results.exists()
    make(results)
    if sys.platform == "win32":  # where no folder can be opened
        yield
        return
    number = os.open(results, os.O_RDONLY)
    try:
        try:
            lock(number)
        except BlockingIOError:
            raise UsageError(
                f"another benchkit run is at work in {results}: wait for its end"
            ) from None
        except OSError:  # no locks there
            pass
        yield
    finally:
        os.close(number)
        if is_new:
            with suppress(OSError):
                results.rmdir()  # of which nothing came


def remove(folder: Path) -> None:
    """Remove a folder if it is there; of a link the link alone.

    Raises:
        UsageError: it cannot be removed.
    """
    try:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise UsageError(f"cannot remove {folder}: {error.strerror or error}") from error


def sweep() -> None:
    """Remove scratch folders whose process has ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError, ValueError):
            owner = (folder / _OWNER).read_text(encoding="utf-8")
            mine = not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
            if mine and _identity(int(owner.split()[0])) != owner:
                shutil.rmtree(folder, ignore_errors=True)


def _identity(pid: int) -> str:
    """Return a text that a later process with the same number does not have."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{pid} -"
    return f"{pid} {fields.rpartition(')')[2].split()[19]}"
