"""Configuration: which files are left alone, how they are labelled and how names are read.

What the project's files say (`benchkit.config`) holds for every call there, a `benchkit.toml` for
the folder of results in which it lies, and before it; what a call says goes before both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Final

from benchkit.config import NAME, of_text, project_files, read_file
from benchkit.config import of_project as project_settings
from benchkit.errors import InputError, UsageError
from benchkit.ingest.paths import Input, three
from benchkit.ingest.sources import STDIN, address_of, read_beside
from benchkit.stores.addresses import common_parts, is_url, joined, parts_of

#: So many folders above a file tell it apart from files named elsewhere.
_MOST_FOLDERS: Final = 4


@dataclass(frozen=True)
class Config:
    """What is configured about reading; each attribute is a key of the file.

    Attributes:
        names: Patterns of names, the first of which that fits a path names it.
        scenario: The scenario of runs whose names tell none.
        ignore: Globs of files to leave alone.
        labels: Per label the globs of its files.
    """

    names: tuple[str, ...] = ()
    scenario: str | None = None
    ignore: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def over(self, other: Config) -> Config:
        """Return this with what it leaves open taken from another."""
        mine = {f.name: getattr(self, f.name) or getattr(other, f.name) for f in fields(self)}
        return Config(**mine)


_READING: Final = frozenset(key.name for key in fields(Config))


def of_project() -> Config:
    """Return what the files of the project say about reading.

    Raises:
        InputError: one says something that is no configuration.
    """
    known = project_settings()
    return Config(**{name: known[name].value for name in _READING & known.keys()})


def of_folder(folder: str) -> Config:
    """Return what lies in a folder of results.

    Raises:
        InputError: it is no configuration, or one that only the project's file may hold.
    """
    if is_url(folder):
        data = read_beside(folder, NAME)
        known = {} if data is None else of_text(data, address_of(folder, NAME))
    else:
        known = read_file(Path(folder) / NAME)
    beyond = [name for name in known if name not in _READING]
    if beyond and not _is_of_project(folder):
        raise InputError(
            f"one of the keys {', '.join(sorted(_READING))} in a folder of results",
            actual=beyond[0],
            hint=f"'{beyond[0]}' holds in the {NAME} of the working folder, or of one above it",
            source=address_of(folder, NAME),
        )
    return Config(**{name: value for name, value in known.items() if name in _READING})


def _is_of_project(folder: str) -> bool:
    """Whether the file in a folder is one of the project's."""
    if is_url(folder):
        return False
    path = (Path(folder) / NAME).resolve()
    return any(path == file.resolve() for file in project_files())


@dataclass(frozen=True)
class Scope:
    """The files of a call, and the scenario of those whose names tell none."""

    inputs: Sequence[Input | InputError]
    scenario: str | None


def scope_of(entries: Iterable[Input | InputError], given: Config) -> Scope:
    """Return the files with what is configured for each, several named folders told apart.

    What the call says, `given`, goes before the configuration.

    Raises:
        UsageError: a glob fits no file.
        InputError: the configuration is none.
    """
    project, known, whole = of_project(), dict[str, Config](), dict[str, Config]()
    inputs: list[Input | InputError] = []
    for entry in entries:
        if isinstance(entry, Input) and entry.path != STDIN:
            if os.path.basename(entry.path) == NAME:  # noqa: PTH119 - of many
                continue
            if entry.top not in known:
                known[entry.top] = of_folder(entry.top)
                whole[entry.top] = given.over(known[entry.top]).over(project)
            inputs.append(_configured(entry, whole[entry.top]))
        else:
            inputs.append(entry)
    files = [entry for entry in inputs if isinstance(entry, Input)]
    _check_globs(given.ignore, files)
    for top, config in known.items():
        globs = [text for texts in config.labels.values() for text in texts]
        _check_globs(globs, [file for file in files if file.top == top])
    scenarios = {config.scenario for config in known.values()} or {None}
    own = scenarios.pop() if len(scenarios) == 1 else None
    return Scope(_told_apart(inputs), given.scenario or own or project.scenario)


def _configured(file: Input, config: Config) -> Input:
    if not (config.ignore or config.labels or config.names):
        return file
    ignored = next((text for text in config.ignore if _fits(file, text)), None)
    pairs = ((label, text) for label, texts in config.labels.items() for text in texts)
    label = file.label or next((label for label, text in pairs if _fits(file, text)), None)
    named = file.named or label != file.label
    return replace(file, ignored=ignored, label=label, named=named, patterns=config.names)


def _fits(file: Input, text: str) -> bool:
    return fnmatchcase(file.below, text) or fnmatchcase(file.file, text)


def _check_globs(globs: Iterable[str], files: Sequence[Input]) -> None:
    for text in globs:
        if not any(_fits(file, text) for file in files):
            raise UsageError(f"'{text}' fits no file; there are {three(f.below for f in files)}")


def _told_apart(entries: Sequence[Input | InputError]) -> list[Input | InputError]:
    """Put what tells several named folders apart before the folders below them.

    `before/ after/` are two variants, `results/a results/b` the scenarios a and b, as if the
    folder that holds them had been named. What has a label, or is named alone, stays as it is.
    """
    tops = {entry.top for entry in entries if isinstance(entry, Input) and _counts(entry)}
    if len(tops) < 2:
        return list(entries)
    absolute = {top: parts_of(top) for top in tops}
    common = common_parts(absolute.values())
    if not common:  # on different drives, in different buckets
        return list(entries)
    return [
        _below(entry, absolute[entry.top][len(common) :], joined(common))
        if isinstance(entry, Input) and _counts(entry)
        else entry
        for entry in entries
    ]


def _counts(file: Input) -> bool:
    return file.label is None and file.path != STDIN


def _below(file: Input, above: tuple[str, ...], common: str) -> Input:
    parts = (*above[-_MOST_FOLDERS:], *file.parts)
    short = file.short if file.named else PurePath(*parts, file.file).as_posix()
    return replace(file, parts=parts, short=short, top=common)
