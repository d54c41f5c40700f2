"""What lies beside outputs: metadata and samples, each folder's read once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.ingest.inputs import Input
from benchkit.ingest.meta import NAME as META_NAME
from benchkit.ingest.meta import Meta, read_meta
from benchkit.ingest.resources import NAME as RESOURCES_NAME
from benchkit.ingest.resources import Samples, read_resources
from benchkit.ingest.sources import STDIN
from benchkit.runtime.forks import WORTH_A_FORK, mapped

#: What files of ours are called that may lie in a folder of outputs.
NAMES: Final = (META_NAME, RESOURCES_NAME)


@dataclass(frozen=True)
class Beside:
    """What lies beside the outputs of one folder; an InputError for what cannot be read.

    Attributes:
        samples: Rows of the table `resources`, without `run_id`; None where none of ours lie there.
        lost: What is missing of them.
    """

    meta: Meta | InputError = field(default_factory=Meta)
    samples: Sequence[Mapping[str, Any]] | InputError | None = None
    lost: str | None = None

    @property
    def problems(self) -> list[InputError]:
        """What cannot be read."""
        return [each for each in (self.meta, self.samples) if isinstance(each, InputError)]


#: What lies beside standard input.
NOTHING: Final = Beside()


def folder_of(file: Input) -> str | None:
    """Return the folder in which a file lies, None for standard input."""
    return None if file.path == STDIN else file.folder


class Folders:
    """What lies beside some outputs, read once for each folder."""

    def __init__(self, files: Iterable[Input]) -> None:
        folders = [*dict.fromkeys(folder for file in files if (folder := _named(file))[0])]
        contents = mapped(_read, folders, least=WORTH_A_FORK)
        self._beside = {folders[number]: beside for number, beside in contents}

    def beside(self, file: Input) -> Beside:
        """Return what lies beside one of the outputs."""
        named = _named(file)
        return self._beside[named] if named[0] else NOTHING

    def lost(self, file: Input) -> str | None:
        """Return what is missing of a file of ours that could be read, None of any other."""
        samples = os.path.basename(file.path) == RESOURCES_NAME  # noqa: PTH119 - of many
        return self.beside(file).lost if samples else None

    def own(self, file: Input) -> object:
        """Return what a file of ours holds or why it cannot be read, None for any other."""
        if is_meta(file):
            return self.beside(file).meta
        name = os.path.basename(file.path)  # noqa: PTH119 - for each of many files
        return self.beside(file).samples if name == RESOURCES_NAME else None


def is_meta(file: Input) -> bool:
    """Whether a file of a folder holds its metadata."""
    return os.path.basename(file.path) == META_NAME and not file.named  # noqa: PTH119 - of many


def _named(file: Input) -> tuple[str, tuple[str, ...]]:
    """Return the folder of a file and what lies there beside it; no folder of standard input."""
    return folder_of(file) or "", NAMES if file.neighbours is None else file.neighbours


def _read(named: tuple[str, tuple[str, ...]]) -> Beside:
    folder, names = named
    meta = read_meta(folder) if META_NAME in names else Meta()
    samples = read_resources(folder) if RESOURCES_NAME in names else None
    if isinstance(samples, Samples):
        return Beside(meta, samples.rows, samples.lost)
    return Beside(meta, samples)
