"""Arguments to files: `label=path`, folders, and standard input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from benchkit.errors import InputError, UsageError
from benchkit.ingest.sources import STDIN


@dataclass(frozen=True)
class Input:
    """One file to look at.

    Attributes:
        path: Where it lies; `-` is standard input.
        name: How messages and tables call it.
        short: Its path below the folder that was named, or as it was named.
        label: The label given for it on the command line.
        parts: Folders between the given path and the file.
        named: Whether the file itself was named, not a folder above it.
    """

    path: str
    name: str
    short: str
    label: str | None = None
    parts: tuple[str, ...] = ()
    named: bool = True


def find_inputs(arguments: Iterable[str | os.PathLike[str]]) -> list[Input | InputError]:
    """Return the files that the arguments name, in path order.

    An argument is a file, a folder (searched whole, except hidden entries), `-`,
    or any of these behind `label=`. What does not exist becomes an InputError.

    Raises:
        UsageError: standard input is named twice.
    """
    found: list[Input | InputError] = []
    seen: set[str] = set()
    for argument in arguments:
        for one in _of(os.fspath(argument)):
            key = one.path if isinstance(one, Input) else ""
            if key == STDIN and key in seen:
                msg = "standard input ('-') can be read only once"
                raise UsageError(msg)
            if key and os.path.realpath(key) in seen:
                continue
            seen.update({key, os.path.realpath(key)} if key else ())
            found.append(one)
    return found


def _of(argument: str) -> Iterator[Input | InputError]:
    label, path = _split(argument)
    if path == STDIN:
        yield Input(STDIN, "standard input", "standard input", label)
    elif Path(path).is_dir():
        yield from _walk(Path(path), label)
    elif Path(path).exists():
        yield Input(path, PurePath(path).as_posix(), PurePath(path).as_posix(), label)
    else:
        yield InputError("a file or folder", found="nothing there", source=path)


def _split(argument: str) -> tuple[str | None, str]:
    label, equals, path = argument.partition("=")
    if not equals or not label or Path(argument).exists():
        return None, argument
    return label, path


def _walk(top: Path, label: str | None) -> Iterator[Input]:
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        parts = Path(folder).relative_to(top).parts
        for name in sorted(files):
            path = Path(folder) / name
            if not name.startswith(".") and path.is_file():
                short = PurePath(*parts, name).as_posix()
                yield Input(str(path), path.as_posix(), short, label, parts, named=False)
