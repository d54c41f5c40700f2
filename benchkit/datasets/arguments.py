"""Which arguments of a command are datasets."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from benchkit.errors import InputError
from benchkit.stores import store_at
from benchkit.stores.addresses import is_url, is_web
from benchkit.stores.store import DATASET_MARK


@dataclass(frozen=True)
class Named:
    """A dataset as an argument names it.

    Attributes:
        label: What its runs are called; empty for the names that they have.
    """

    address: str
    label: str = ""


def named_in(argument: str | os.PathLike[str]) -> Named | None:
    """Return the dataset of `DATASET` or `label=DATASET`, None for what is none."""
    try:
        text = os.fsdecode(argument)
    except TypeError:  # what is no path is refused by who reads files
        return None
    if text and is_dataset(text):
        return Named(text)
    label, _, address = text.partition("=")
    return Named(address, label) if label and address and is_dataset(address) else None


def is_dataset(address: str | os.PathLike[str]) -> bool:
    """Return whether a folder or a bucket's is a dataset, be it in the making.

    Raises:
        UsageError: nothing can be read there.
    """
    text = os.fspath(address)
    if is_url(text):
        try:
            return not is_web(text) and bool(store_at(text).list(DATASET_MARK))
        except InputError:  # who reads or writes there tells what is wrong
            return False
    try:
        return (Path(text) / DATASET_MARK).is_file()
    except (OSError, ValueError):
        return False
