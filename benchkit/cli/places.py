"""Where the arguments of a command may lead, also where none of them could be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic

from benchkit.config import NAME as CONFIG_NAME
from benchkit.history.saves import inputs_of
from benchkit.ingest.beside import NAMES
from benchkit.output import is_free, is_input
from benchkit.stores.addresses import folder_of, is_url, within


def stays_clear(path: str, arguments: Sequence[str]) -> bool:
    """Whether an output can be written although nothing tells for certain what the inputs are.

    What is there already and may be read stays as it is, and so do stores.
    """
    return is_free(path, _places(arguments)) and not is_input(_stores(arguments), path)


def _places(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the files and folders that arguments may stand for, and what may lie beside a file."""
    for text in _meanings(arguments):
        fitting = glob(text, recursive=True) if _is_glob(text) else ()  # noqa: PTH207 - of any root
        for place in (text, *fitting):
            yield place
            yield from (within(folder_of(place), name) for name in (*NAMES, CONFIG_NAME))


def _stores(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the folders of the stores that may stand before an `@`."""
    for text in _meanings(arguments):
        for at, letter in enumerate(text):
            if letter == "@" and at:
                yield from inputs_of(text[:at])


def _meanings(arguments: Iterable[str]) -> Iterator[str]:
    """Yield each argument as it is, and without the label that it may have."""
    for argument in arguments:
        yield argument
        label, equals, rest = argument.partition("=")
        if label and equals and rest:
            yield rest


def _is_glob(text: str) -> bool:
    return has_magic(text) and not is_url(text) and "\0" not in text
