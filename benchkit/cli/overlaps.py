"""Where the arguments of a command may lead, also where none of them could be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from glob import glob, has_magic

from benchkit.config import NAME as CONFIG_NAME
from benchkit.datasets.arguments import is_dataset
from benchkit.errors import UsageError
from benchkit.history.saves import inputs_of
from benchkit.ingest.beside import NAMES
from benchkit.output import is_free, is_input
from benchkit.stores.addresses import checked, folder_of, is_url, within


def stays_clear(path: str, arguments: Sequence[str]) -> bool:
    """Whether an output can be written although nothing tells for certain what the inputs are.

    What is there already and may be read stays as it is, and so do stores and datasets.
    """
    return is_free(path, _places(arguments)) and not is_input(_kept_whole(arguments), path)


def _places(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the files and folders that arguments may stand for, and what may lie beside a file."""
    for text in _meanings(arguments):
        fitting = glob(text, recursive=True) if _is_glob(text) else ()  # noqa: PTH207 - of any root
        for path in (text, *fitting):
            yield path
            yield from (within(folder_of(path), name) for name in (*NAMES, CONFIG_NAME))


def _kept_whole(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the folders of datasets, and those of the stores that may stand before an `@`."""
    for text in _meanings(arguments):
        if not is_url(text) and is_dataset(text):
            yield text
        for at, letter in enumerate(text):
            if letter == "@" and at:
                yield from inputs_of(text[:at])


def _meanings(arguments: Iterable[str]) -> Iterator[str]:
    """Yield each argument, also without the label that it may have, and of `file://` the path."""
    for argument in arguments:
        label, equals, rest = argument.partition("=")
        for text in (argument, rest) if label and equals and rest else (argument,):
            yield text
            with suppress(UsageError, ValueError):
                path = checked(text)
                if path != text:
                    yield path


def _is_glob(text: str) -> bool:
    return has_magic(text) and not is_url(text) and "\0" not in text
