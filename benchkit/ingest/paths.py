"""Arguments to files: `label=path`, globs, folders, URLs, and standard input."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from glob import glob, has_magic
from pathlib import Path, PurePath

from benchkit.errors import InputError, UsageError
from benchkit.ingest.beside import NAMES
from benchkit.ingest.elsewhere import remote_inputs
from benchkit.ingest.inputs import Input, three
from benchkit.ingest.sources import STDIN
from benchkit.names import natural
from benchkit.stores.addresses import checked, is_url, public
from benchkit.stores.store import DATASET_MARK

__all__ = ["Input", "find_inputs", "named_sources", "three"]


def find_inputs(arguments: Iterable[str | os.PathLike[str]]) -> list[Input | InputError]:
    """Return the files that the arguments name, in path order.

    An argument is a file, a folder (searched whole, except hidden entries), `-`, a glob, a URL
    of any of these, or one of them behind `label=`. What does not exist or may not be looked
    into becomes an InputError.

    Raises:
        UsageError: standard input is named twice, an argument is no path, a glob fits nothing,
            nothing of an address's kind can be read here.
    """
    entries: list[Input | InputError] = []
    labels: dict[str, str | None] = {}
    folder_of = cache(os.path.realpath)  # of the many files of a folder, once
    for argument in arguments:
        for entry in _inputs_of(_text(argument)):
            if isinstance(entry, InputError):
                entries.append(entry)
                continue
            key = _identity(entry.path, folder_of)
            if key not in labels:
                labels[key] = entry.label
                entries.append(entry)
            elif key == STDIN:
                raise UsageError("standard input ('-') can be read only once")
            elif entry.named and entry.label not in {None, labels[key]}:
                entries.append(replace(entry, again=True))
    return entries


def with_datasets(
    arguments: Iterable[str | os.PathLike[str]],
) -> Iterator[str | os.PathLike[str]]:
    """Yield the arguments, of a glob that fits a dataset what it fits, as if that was named.

    Raises:
        UsageError: an argument is no path, or names nothing.
    """
    for argument in arguments:
        label, path = _split(_text(argument))
        if is_url(path) or not has_magic(path) or os.path.lexists(path):
            yield argument
            continue
        paths = sorted(glob(path, recursive=True), key=natural)  # noqa: PTH207 - of any root
        datasets = {str(Path(each)) for each in paths if (Path(each) / DATASET_MARK).is_file()}
        if not datasets:
            yield argument
            continue
        above = {str(folder) for each in datasets for folder in Path(each).parents}
        for each in paths:
            # `**` fits the folders above and what lies in a dataset as well.
            if str(Path(each)) not in above and datasets.isdisjoint(map(str, Path(each).parents)):
                yield each if label is None else f"{label}={each}"


def named_sources(arguments: Iterable[str | os.PathLike[str]]) -> set[str]:
    """Return what files that are named themselves are called in messages and tables."""
    paths = [public(_split(_text(argument))[1]) for argument in arguments]
    posix = [PurePath(path).as_posix() for path in paths]
    return {*paths, *posix, *(["standard input"] if STDIN in paths else [])}


def _identity(path: str, folder_of: Callable[[str], str]) -> str:
    """Return what is the same for two paths of one file; `folder_of` resolves a folder."""
    if path == STDIN or is_url(path):
        return path
    try:
        folder, name = os.path.split(path)
        is_link = os.path.islink(path)  # noqa: PTH114 - a text
        whole = os.path.realpath(path) if is_link else os.path.join(folder_of(folder), name)  # noqa: PTH118
        return os.path.normcase(whole)
    except OSError:  # a link that may not be followed, as some below /proc
        return os.path.abspath(path)  # noqa: PTH100 - a text


def _text(argument: str | os.PathLike[str]) -> str:
    try:
        path = os.fsdecode(argument)
    except TypeError:
        raise UsageError(f"expected a path, not {argument!r:.40}") from None
    if not path:
        raise UsageError("a path is empty; '.' is this folder")
    return path


def _inputs_of(argument: str) -> Iterator[Input | InputError]:
    label, path = _split(argument)
    if path == STDIN:
        yield Input(STDIN, "standard input", "standard input", label)
        return
    path = checked(path)
    if is_url(path):
        yield from remote_inputs(path, label, folder=argument.endswith("/"))
        return
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError) as error:
        gone = isinstance(error, (FileNotFoundError, NotADirectoryError))
        if gone and has_magic(path):
            yield from _globbed(path, label, argument)
            return
        reason = "nothing there" if gone else getattr(error, "strerror", None) or str(error)
        # Whole: `token=…` is no label where nothing lies behind it, and is redacted.
        yield InputError("a file or folder", actual=reason, source=argument)
        return
    yield from _entries(path, label, folder=stat.S_ISDIR(mode))


def _entries(path: str, label: str | None, *, folder: bool) -> Iterator[Input | InputError]:
    if folder:
        yield from _walk(Path(path), label)
        return
    name = PurePath(path).as_posix()
    yield Input(path, name, name, label, top=str(PurePath(path).parent))


def _globbed(text: str, label: str | None, argument: str) -> Iterator[Input | InputError]:
    paths = sorted(glob(text, recursive=True), key=natural)  # noqa: PTH207 - of any root
    if not paths:
        folder = Path(text).parent
        beside = sorted(map(str, (folder if folder.is_dir() else Path()).glob("*")))
        raise UsageError(f"'{argument}' fits no file; there are {three(beside)}")
    for path in paths:
        yield from _entries(path, label, folder=Path(path).is_dir())


def _split(argument: str) -> tuple[str | None, str]:
    label, equals, path = argument.partition("=")
    if not equals or not label or os.path.lexists(argument):
        return None, argument
    if is_url(label) and not os.path.lexists(path):  # its query has the equals sign
        return None, argument
    if not path:
        raise UsageError(f"'{argument}' names no file; write label=path")
    return label, path


def _dataset(folder: Path, label: str | None, parts: tuple[str, ...], top: Path) -> Input:
    path, short = str(folder), "/".join(parts)
    name = folder.as_posix()
    return Input(path, name, short, label, parts[:-1], named=False, top=str(top), dataset=True)


def _walk(top: Path, label: str | None) -> Iterator[Input | InputError]:
    closed: list[OSError] = []
    named = str(top)
    above = "" if named == os.curdir else named
    for root, folders, files in os.walk(top, onerror=closed.append):
        folders[:] = _shown(folders)
        parts = tuple(filter(None, root.removeprefix(named).split(os.sep)))  # noqa: PTH206 - of many
        if parts and DATASET_MARK in files:
            folders.clear()
            yield _dataset(Path(root), label, parts, top)
            continue
        beside = tuple(name for name in NAMES if name in files)
        for name in _shown(files):
            path = os.path.join(above, *parts, name)  # noqa: PTH118 - of many
            posix, short = path.replace(os.sep, "/"), "/".join((*parts, name))
            yield Input(path, posix, short, label, parts, named=False, top=named, neighbours=beside)
    for error in closed:
        name = PurePath(error.filename or top).as_posix()
        yield InputError("a readable folder", actual=error.strerror or str(error), source=name)


def _shown(names: Iterable[str]) -> list[str]:
    """Return the names that are not hidden, in their order."""
    return sorted((name for name in names if not name.startswith(".")), key=natural)
