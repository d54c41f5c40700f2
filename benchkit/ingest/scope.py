"""What a call and the configuration say of the files: left alone, labelled, named by a pattern."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Final

from benchkit.errors import InputError, UsageError
from benchkit.ingest.config import NAME as CONFIG_NAME
from benchkit.ingest.config import Config, of_folder, of_project
from benchkit.ingest.paths import Input, three
from benchkit.ingest.sources import STDIN

#: So many folders above a file tell it apart from files named elsewhere.
_MOST_FOLDERS: Final = 4


@dataclass(frozen=True)
class Scope:
    """The files of a call, and the scenario of those whose names tell none."""

    inputs: Sequence[Input | InputError]
    scenario: str | None


def scope_of(entries: Iterable[Input | InputError], given: Config) -> Scope:
    """Return the files with what is configured for each, several named folders told apart.

    Args:
        entries: What the arguments name.
        given: What the call says, which goes before the configuration.

    Raises:
        UsageError: a glob fits no file.
        InputError: the configuration is none.
    """
    project, known = of_project(), dict[str, Config]()
    inputs: list[Input | InputError] = []
    for entry in entries:
        if isinstance(entry, Input) and entry.path != STDIN:
            if PurePath(entry.path).name == CONFIG_NAME:
                continue
            if entry.top not in known:
                known[entry.top] = of_folder(entry.top)
            inputs.append(_configured(entry, given.over(known[entry.top]).over(project)))
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
    ignored = next((text for text in config.ignore if _fits(file, text)), None)
    pairs = ((label, text) for label, texts in config.labels.items() for text in texts)
    label = file.label or next((label for label, text in pairs if _fits(file, text)), None)
    named = file.named or label != file.label
    return replace(file, ignored=ignored, label=label, named=named, patterns=config.names)


def _fits(file: Input, text: str) -> bool:
    return fnmatchcase(file.below, text) or fnmatchcase(PurePath(file.name).name, text)


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
    absolute = {top: Path(top).absolute() for top in tops}
    try:
        common = Path(os.path.commonpath(absolute.values()))
    except ValueError:  # on different drives
        return list(entries)
    return [
        _below(entry, absolute[entry.top].relative_to(common).parts, str(common))
        if isinstance(entry, Input) and _counts(entry)
        else entry
        for entry in entries
    ]


def _counts(file: Input) -> bool:
    return file.label is None and file.path != STDIN


def _below(file: Input, above: tuple[str, ...], common: str) -> Input:
    parts = (*above[-_MOST_FOLDERS:], *file.parts)
    short = file.short if file.named else PurePath(*parts, PurePath(file.name).name).as_posix()
    return replace(file, parts=parts, short=short, top=common)
