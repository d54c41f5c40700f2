"""Configuration: which files are left alone, how they are labelled and how names are read.

`[tool.benchkit]` of the working folder's `pyproject.toml` holds for every call there,
`benchkit.toml` for the folder of results in which it lies, and before it; what a call says goes
before both.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any, Final

from benchkit.errors import InputError, UsageError
from benchkit.ingest.paths import Input, three
from benchkit.ingest.sources import STDIN

NAME: Final = "benchkit.toml"
PROJECT: Final = "pyproject.toml"
#: So many folders above a file tell it apart from files named elsewhere.
_MOST_FOLDERS: Final = 4


def _text(value: Any) -> str:  # noqa: ANN401 - a value of TOML
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - a value of TOML
    return tuple(map(_text, value if isinstance(value, list) else [value]))


def _labels(value: Any) -> Mapping[str, tuple[str, ...]]:  # noqa: ANN401 - a value of TOML
    if not isinstance(value, dict):
        raise TypeError
    return {label: _texts(globs) for label, globs in value.items()}


def _key(read: Callable[[Any], Any], wanted: str, **default: Any) -> Any:  # noqa: ANN401
    return field(metadata={"read": read, "wanted": wanted}, **default)


@dataclass(frozen=True)
class Config:
    """What is configured; each attribute is a key of the file.

    Attributes:
        names: Patterns of names, the first of which that fits a path names it.
        scenario: The scenario of runs whose names tell none.
        ignore: Globs of files to leave alone.
        labels: Per label the globs of its files.
    """

    names: tuple[str, ...] = _key(_texts, "a text or several", default=())
    scenario: str | None = _key(_text, "a text", default=None)
    ignore: tuple[str, ...] = _key(_texts, "a text or several", default=())
    labels: Mapping[str, tuple[str, ...]] = _key(_labels, "a table of texts", default_factory=dict)

    def over(self, other: Config) -> Config:
        """Return this with what it leaves open taken from another."""
        mine = {f.name: getattr(self, f.name) or getattr(other, f.name) for f in fields(self)}
        return Config(**mine)


def of_project() -> Config:
    """Return what the working folder's `pyproject.toml` says.

    Raises:
        InputError: it says something that is no configuration.
    """
    return _read(Path(PROJECT), table=("tool", "benchkit"))


def of_folder(folder: str) -> Config:
    """Return what lies in a folder of results.

    Raises:
        InputError: it is no configuration.
    """
    return _read(Path(folder) / NAME)


def _read(path: Path, table: Iterable[str] = ()) -> Config:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except (OSError, ValueError) as error:
        if table:  # somebody else's file
            return Config()
        raise InputError("TOML", actual=str(error), source=path.as_posix()) from None
    for key in table:
        content = content.get(key, {})
        if not isinstance(content, dict):
            raise InputError("a table", actual=str(content), source=f"{path.as_posix()}: {key}")
    return _config(content, ": ".join([path.as_posix(), *([".".join(table)] if table else [])]))


def _config(content: Mapping[str, Any], source: str) -> Config:
    keys = {key.name: key.metadata for key in fields(Config)}
    values = {}
    for name, value in content.items():
        if name not in keys:
            near = get_close_matches(name, keys, n=1, cutoff=0.5)
            hint = f"did you mean '{near[0]}'?" if near else None
            raise InputError(
                f"one of the keys {', '.join(keys)}", actual=name, hint=hint, source=source
            )
        try:
            values[name] = keys[name]["read"](value)
        except TypeError:
            raise InputError(
                f"'{name}' to be {keys[name]['wanted']}", actual=str(value), source=source
            ) from None
    return Config(**values)


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
    project, known = of_project(), dict[str, Config]()
    inputs: list[Input | InputError] = []
    for entry in entries:
        if isinstance(entry, Input) and entry.path != STDIN:
            if PurePath(entry.path).name == NAME:
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
    short = file.short if file.named else PurePath(*parts, file.file).as_posix()
    return replace(file, parts=parts, short=short, top=common)
