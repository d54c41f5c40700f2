"""URLs to files: what lies in a bucket, in the order that a folder with the same names gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import has_magic
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError, UsageError
from benchkit.ingest.beside import NAMES
from benchkit.ingest.inputs import Input, three
from benchkit.names import natural
from benchkit.stores.addresses import folder_of, is_web, public, split, within
from benchkit.stores.store import DATASET_MARK

if TYPE_CHECKING:
    from benchkit.stores import Listed, Store

#: What the name of the file ends in that makes a folder a dataset.
_IN_DATASET: Final = f"/{DATASET_MARK}"


def remote_inputs(address: str, label: str | None, *, folder: bool) -> Iterator[Input | InputError]:
    """Yield the files at a URL: an object, all below a prefix, what a glob fits.

    Args:
        address: As `addresses.checked` returns it.
        label: The label given for it.
        folder: Whether only what lies below it is meant.

    Raises:
        UsageError: nothing of that kind can be read here; a glob fits nothing.
    """
    shown = public(address)
    if is_web(address):
        yield Input(address, shown, shown, label, top=folder_of(address))
        return
    from benchkit.stores import store_at

    root, key = split(address)
    store = store_at(root)
    try:
        yield from _in_bucket(store, key, label, folder=folder or not key)
    except InputError as error:
        yield InputError("a file or folder", actual=error.actual, hint=error.hint, source=shown)


def _in_bucket(
    store: Store, key: str, label: str | None, *, folder: bool
) -> Iterator[Input | InputError]:
    size = None if folder else store.size_of(key)
    if size is not None:
        yield _named(store, key, label, size)
        return
    listed = store.walk(key)
    if listed:
        yield from _walked(store, key, label, listed)
    elif has_magic(key):
        yield from _globbed(store, key, label)
    else:
        source = within(store.address, key)
        yield InputError("a file or folder", actual="nothing there", source=source)


def _named(store: Store, key: str, label: str | None, size: int) -> Input:
    address = within(store.address, key)
    return Input(address, address, address, label, top=folder_of(address), size_bytes=size)


def _walked(
    store: Store, folder: str, label: str | None, listed: Sequence[Listed]
) -> Iterator[Input]:
    top = within(store.address, folder)
    start = len(folder) + 1 if folder else 0
    names = {each.name[start:]: each.size_bytes for each in listed}
    folders = {name[:at] for name in names for at, mark in enumerate(name) if mark == "/"}
    datasets = {name.removesuffix(_IN_DATASET) for name in names if name.endswith(_IN_DATASET)}
    passed: set[str] = set()
    for name in sorted(names, key=_as_in_folders):
        above = _and_above(name) if datasets else ()
        dataset = next((each for each in above if each in datasets), None)
        if dataset is not None:
            if dataset not in passed:
                passed.add(dataset)
                yield _dataset(top, dataset, label)
            continue
        if not names[name] and name in folders:  # with which some programs mark a folder
            continue
        path, parts = within(top, name), tuple(name.split("/")[:-1])
        file = Input(path, path, name, label, parts, named=False, top=top, size_bytes=names[name])
        beside = tuple(each for each in NAMES if "/".join((*parts, each)) in names)
        yield replace(file, neighbours=beside)


def _dataset(top: str, name: str, label: str | None) -> Input:
    """Return a dataset below an address, which is read where it is named itself."""
    path, parts = within(top, name), tuple(name.split("/")[:-1])
    return Input(path, path, name, label, parts, named=False, top=top, dataset=True)


def _and_above(name: str) -> Iterator[str]:
    """Yield the folders above a name, the outermost first, and the name itself."""
    yield from (name[:at] for at, mark in enumerate(name) if mark == "/")
    yield name


def _as_in_folders(name: str) -> tuple[tuple[bool, tuple[str, str]], ...]:
    """Return a key by which the files of each folder stand before its folders."""
    *above, last = name.split("/")
    return (*((True, natural(part)) for part in above), (False, natural(last)))


def _globbed(store: Store, pattern: str, label: str | None) -> Iterator[Input]:
    """Yield what a glob fits, files and all of folders, by name as a local one does."""
    parts = pattern.split("/")
    first = next(at for at, part in enumerate(parts) if has_magic(part))
    base = "/".join(parts[:first])
    listed = {each.name: each for each in store.walk(base)}
    fitting: dict[str, list[Listed]] = {}
    for name, each in listed.items():
        names = name.split("/")
        for depth in range(len(names), 0, -1):
            if _fits(names[:depth], parts):
                fitting.setdefault("/".join(names[:depth]), []).append(each)
    if not fitting:
        beside = sorted({"/".join(name.split("/")[: first + 1]) for name in listed})
        address = within(store.address, pattern)
        raise UsageError(f"'{address}' fits no file; there are {three(beside)}")
    datasets = {name.removesuffix(_IN_DATASET) for name in listed if name.endswith(_IN_DATASET)}
    passed: set[str] = set()
    for name in sorted(fitting, key=natural):
        dataset = next((each for each in _and_above(name) if each in datasets), None)
        if dataset is not None:
            if dataset not in passed:
                passed.add(dataset)
                yield _dataset(store.address, dataset, label)
        elif name in listed:
            yield _named(store, name, label, listed[name].size_bytes)
        else:
            yield from _walked(store, name, label, fitting[name])


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the parts of a name fit those of a glob, in which `**` stands for any folders."""
    ends = {0}  # how many parts of the glob the names so far may have used
    for name in names:
        ends = {
            after
            for end in _passing(ends, parts)
            if end < len(parts)
            for after in ([end] if parts[end] == "**" else [end + 1])
            if parts[end] == "**" or fnmatchcase(name, parts[end])
        }
    return len(parts) in _passing(ends, parts)


def _passing(ends: set[int], parts: Sequence[str]) -> set[int]:
    """Return the same with what follows each `**`, which may stand for nothing."""
    passed = set(ends)
    for end in sorted(ends):
        while end < len(parts) and parts[end] == "**":
            end += 1  # noqa: PLW2901 - the loop goes on
            passed.add(end)
    return passed
