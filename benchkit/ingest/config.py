"""Configuration: what holds for each call, in `benchkit.toml` or `[tool.benchkit]`.

`[tool.benchkit]` of the working folder's `pyproject.toml` holds for every call there,
`benchkit.toml` for the folder of results in which it lies, and before it; what a call says goes
before both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from benchkit.errors import InputError

NAME: Final = "benchkit.toml"
PROJECT: Final = "pyproject.toml"


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
