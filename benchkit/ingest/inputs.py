"""What is looked at: one file of an argument."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from benchkit.stores.addresses import folder_of


@dataclass(frozen=True)
class Input:
    """One file to look at.

    Attributes:
        path: Where it lies, a path or a URL; `-` is standard input. A URL of the web may hold a
            signature: what is kept or shown is `name`, which holds none.
        name: How messages and tables call it.
        short: Its path below the folder that was named, or as it was named.
        label: The label given for it on the command line.
        parts: Folders between the given path, or what holds several of them, and the file.
        named: Whether the file itself was named, not a folder above it.
        again: Whether it is listed before, under another label.
        dataset: Whether it is a folder that holds a dataset, which is read where it is named.
        ignored: The glob by which it is left alone.
        top: The folder that was named, of a file the one in which it lies.
        patterns: Patterns that its name may follow.
        size_bytes: Its size, where the listing of a bucket has told it.
        neighbours: Which files of ours lie in its folder, likewise; no other is asked for.
    """

    path: str
    name: str
    short: str
    label: str | None = None
    parts: tuple[str, ...] = ()
    named: bool = True
    again: bool = False
    dataset: bool = False
    ignored: str | None = None
    top: str = ""
    patterns: tuple[str, ...] = ()
    size_bytes: int | None = None
    neighbours: tuple[str, ...] | None = None

    @cached_property
    def file(self) -> str:
        """The name of the file without its folders."""
        return PurePath(self.name).name

    @property
    def below(self) -> str:
        """Its path below the folder that was named."""
        return "/".join((*self.parts, self.file))

    @cached_property
    def folder(self) -> str:
        """The address of the folder in which it lies."""
        return folder_of(self.path)


def three(names: Iterable[str]) -> str:
    """Return the first three of some names, for a message."""
    listed = list(names)
    return ", ".join(listed[:3]) + (", …" if len(listed) > 3 else "") or "none"
