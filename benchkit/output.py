"""Writing what was asked for so that each is whole, old or absent, never half.

An output is a file of this machine, or an object in a bucket: `-o s3://BUCKET/report.html`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, Final, TypeVar

from benchkit.config import project_files
from benchkit.errors import UsageError
from benchkit.stores import files
from benchkit.stores.addresses import checked, is_url, is_web, public, split
from benchkit.stores.files import sweep

__all__ = [
    "by_ending",
    "is_free",
    "is_input",
    "spare",
    "sweep",
    "target_of",
    "whole_file",
    "writable",
]

_Form = TypeVar("_Form")
#: Standard input among the inputs.
_STDIN: Final = "-"


def by_ending(path: str | os.PathLike[str], forms: Mapping[str, _Form], default: _Form) -> _Form:
    """Return the form of an output by what its name ends in, the default of one without an ending.

    Raises:
        UsageError: none of the forms has that ending.
    """
    ending = PurePath(os.fspath(path).partition("?")[0]).suffix.lower()
    if not ending:
        return default
    if ending[1:] not in forms:
        known = ", ".join(f".{each}" for each in forms)
        raise UsageError(
            f"cannot write {public(os.fspath(path))}: by its ending a file is one of {known}; "
            "name it so, or give the format too"
        )
    return forms[ending[1:]]


def spare(inputs: Iterable[str], path: str | os.PathLike[str]) -> None:
    """Make sure that no input lies at `path`, whichever names and links lead to it.

    Raises:
        UsageError: one does.
    """
    shown = os.fspath(path)
    if is_input(inputs, checked(shown)):
        raise UsageError(
            f"{public(shown)} is one of the inputs, and would be replaced; "
            "name another file to write"
        )


def is_input(inputs: Iterable[str], address: str) -> bool:
    """Whether one of the inputs lies at a path or an address, whichever names lead to it.

    Of a folder among them all is one, also what is not there yet. What the project configures
    every command reads.
    """
    if is_url(address):
        return any(address == each or address.startswith(f"{each}/") for each in inputs)
    here = [*(each for each in inputs if not is_url(each)), *map(str, project_files())]
    return _is_any(here, address) or _lies_below_any(here, address)


def _is_any(names: Iterable[str], path: str) -> bool:
    """Whether a path is one of some files."""
    target = files.regular(path)
    if target is None:
        return False
    listed = (0 if name == _STDIN else name for name in names)
    return any(
        there is not None and os.path.samestat(there, target)
        for there in map(files.regular, listed)
    )


def _lies_below_any(names: Iterable[str], path: str) -> bool:
    """Whether a path lies in one of some folders, or is a second name of a file there."""
    folders = [*filter(os.path.isdir, names)]
    if not folders:
        return False
    above = [parent for parent in Path(os.path.realpath(path)).parents if parent.is_dir()]
    if any(Path(folder).samefile(parent) for folder in folders for parent in above):
        return True
    target = files.regular(path)
    return target is not None and target.st_nlink > 1 and _is_any(_below(folders), path)


def _below(folders: Iterable[str]) -> Iterator[str]:
    for folder in filter(os.path.isdir, folders):
        for root, _, names in os.walk(folder):
            yield from (os.path.join(root, name) for name in names)  # noqa: PTH118 - of many


def path_text(path: object) -> str:
    """Return a path as a text.

    Raises:
        UsageError: it is none.
    """
    if isinstance(path, str | os.PathLike):
        return os.fsdecode(path)
    raise UsageError(f"expected a path, not {path!r:.40}")


def writable(path: str | os.PathLike[str]) -> None:
    """Make sure that something can be written at `path`, before the work that ends with it.

    Raises:
        UsageError: it is a folder, or its folder is none or may not be written to; of an address,
            nothing can be written to such, or what it needs is not installed.
    """
    address = checked(path_text(path))
    if not is_url(address):
        files.writable(address)
        return
    shown = public(address)
    if is_web(address):
        raise UsageError(f"cannot write {shown}: an address of the web can only be read")
    if os.fspath(path).endswith("/") or not split(address)[1]:
        raise UsageError(f"cannot write {shown}: it is a folder; name a file in it")
    from benchkit.stores.clients import client_of

    client_of(split(address)[0])


def target_of(path: str | os.PathLike[str]) -> str:
    """Return where an output lies, whichever names and links lead there: a path or an address."""
    address = checked(os.fspath(path))
    return address if is_url(address) else os.path.realpath(address)


def is_free(path: str | os.PathLike[str], inputs: Iterable[str]) -> bool:
    """Whether nothing is at `path` yet that is one of some inputs, lies in one, or leads there."""
    target, listed = target_of(path), [*inputs]
    lies_in_one = any(_lies_in(target, each) for each in listed)
    if not is_url(target):
        there = Path(target).exists()
        return not there or not (lies_in_one or _is_any((*listed, *_below(listed)), target))
    if not lies_in_one:
        return True
    from benchkit.stores import store_at

    root, key = split(target)
    return store_at(root).size_of(key) is None


def _lies_in(target: str, folder: str) -> bool:
    """Whether a path or an address is another, or below it."""
    try:
        top = target_of(folder)
    except (UsageError, ValueError):  # nothing can be there
        return False
    if is_url(target) or is_url(top):
        return target == top or target.startswith(f"{top.rstrip('/')}/")
    return Path(target).is_relative_to(top)


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, private: bool = False, durable: bool = False
) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of `path` once everything is written.

    Of a path it lies beside it until then, and goes away on any error. What is no regular file,
    such as `/dev/null`, is written to directly. A private one nobody but its owner may read; a
    durable one is on the disk before it has its name, and so is its name afterwards.

    Raises:
        UsageError: it cannot be written; the message says why.
    """
    address = checked(os.fspath(path))
    if not is_url(address):
        with files.whole_file(address, private=private, durable=durable) as file:
            yield file
        return
    writable(address)
    import tempfile

    with tempfile.TemporaryDirectory(prefix="benchkit-") as folder:
        waiting = Path(folder) / "output"
        with waiting.open("wb") as file:
            yield file
        from benchkit.stores import store_at

        root, key = split(address)
        store_at(root).replace(key, waiting)
