"""Writing files so that each is whole, old or absent, never half."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from benchkit.errors import UsageError


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of `path` once everything is written.

    It lies beside `path` until then, and goes away on any error. What is no
    regular file, such as `/dev/null`, is written to directly.

    Raises:
        UsageError: it cannot be written; the message says why.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as device:
                yield device
            return
        with _beside(target, path) as file:
            yield file
    except OSError as error:
        raise UsageError(f"cannot write {os.fspath(path)}: {error.strerror or error}") from error


@contextmanager
def _beside(target: Path, path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    if target.is_dir():
        raise UsageError(f"cannot write {os.fspath(path)}: it is a folder; name a file in it")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {os.fspath(path)}: there is no folder {target.parent}")
    temporary = target.with_name(f".benchkit-{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
