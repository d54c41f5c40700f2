"""Configuration: every key declared once, and where its value comes from.

A key stands in `benchkit.toml`, or in `[tool.benchkit]` of `pyproject.toml`, in the working folder
or the nearest one above it; a variable `BENCHKIT_…` goes before the files, an option before both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from benchkit import toml
from benchkit.errors import InputError, UsageError, nearest, printable

NAME: Final = "benchkit.toml"
PROJECT: Final = "pyproject.toml"
PREFIX: Final = "BENCHKIT_"
#: Variables that are no keys: the cache, tracebacks, plug-ins, what our tests read.
_ELSEWHERE: Final = (
    *("BENCHKIT_CACHE", "BENCHKIT_DEBUG", "BENCHKIT_PLUGINS"),
    *("BENCHKIT_CORPUS", "BENCHKIT_TEST_"),
)
_TABLE: Final = ("tool", "benchkit")
#: Marks the uppermost folder of a project.
_TOP: Final = ".git"
#: Between the texts of a variable that holds several.
_BETWEEN: Final = ";"
#: A configuration is a page or two.
_MOST_BYTES: Final = 100_000
_LEVELS: Final = ("error", "warning")
_YES: Final = frozenset({"1", "true", "yes", "on"})
_NO: Final = frozenset({"0", "false", "no", "off", ""})

Value = Any  # a value of TOML, as the key reads it


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One key.

    Attributes:
        read: Returns the value of a value of TOML; a TypeError refuses it.
        wanted: What a value must be, in words.
        about: What it is for.
        schema: The JSON Schema of its values.
        written: Returns the value of TOML that the text of a variable stands for; None where no
            variable can say it.
        reads: Whether it is about reading, and so holds in a folder of results too.
    """

    name: str
    read: Callable[[Value], Value]
    wanted: str
    about: str
    schema: Mapping[str, Any]
    written: Callable[[str], Value] | None
    reads: bool = False

    @property
    def variable(self) -> str:
        """The name of its variable."""
        return PREFIX + self.name.upper().replace("-", "_")


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """The value of a key, and where it was said."""

    value: Value
    origin: str


def settings(environment: Mapping[str, str] | None = None) -> dict[str, ConfigValue]:
    """Return what holds here, by key: that of the variables, else that of the files.

    Args:
        environment: The variables, by default those of this process.

    Raises:
        InputError: a file says something that is no configuration.
        UsageError: a variable does.
    """
    return of_project() | of_environment(os.environ if environment is None else environment)


def of_project() -> dict[str, ConfigValue]:
    """Return what the files say, `benchkit.toml` before a `pyproject.toml` beside it.

    Raises:
        InputError: one says something that is no configuration.
    """
    merged: dict[str, ConfigValue] = {}
    for path in reversed(project_files()):
        shown = Path(os.path.relpath(path)).as_posix()
        table = () if path.name == NAME else _TABLE
        origin = shown if path.name == NAME else f"{shown}: {'.'.join(_TABLE)}"
        values = read_file(path, table, shown=shown)
        if isinstance(baseline := values.get("baseline"), str):
            values["baseline"] = _from_here(baseline, path.parent)
        merged |= {name: ConfigValue(value, origin) for name, value in values.items()}
    return merged


def _from_here(baseline: str, folder: Path) -> str:
    """Return a baseline with its store, which lies beside the file that names it, from here."""
    for at in (at for at, letter in enumerate(baseline) if letter == "@" and at):
        store = folder / baseline[:at]
        if store.is_dir():
            return Path(os.path.relpath(store)).as_posix() + baseline[at:]
    return baseline


def of_environment(environment: Mapping[str, str]) -> dict[str, ConfigValue]:
    """Return what variables say.

    Raises:
        UsageError: one says something that its key does not take.
    """
    values = {}
    for key in KEYS.values():
        text = environment.get(key.variable)
        if not text or key.written is None:
            continue
        try:
            values[key.name] = ConfigValue(key.read(key.written(text)), key.variable)
        except TypeError:
            raise UsageError(
                f"the variable {key.variable} is {printable(text)}, and must be {key.wanted}"
            ) from None
    return values


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return of each variable that looks like one of ours and is none what to do, a line each.

    Other than an unknown key of a file it is no error: the environment belongs to others too.
    """
    from difflib import get_close_matches

    known = {key.variable: key for key in KEYS.values()}
    spoken = [name for name, key in known.items() if key.written]
    lines = []
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name in spoken or name.startswith(_ELSEWHERE):
            continue
        if name in known:
            hint = f"'{known[name].name}' stands in {NAME} alone"
        else:
            endings = {each.removeprefix(PREFIX): each for each in spoken}  # what differs
            near = get_close_matches(name.removeprefix(PREFIX), endings, n=1)
            hint = f"did you mean {endings[near[0]]}?" if near else f"there are {', '.join(spoken)}"
        lines.append(f"the variable {printable(name)} is not known and says nothing; {hint}")
    return lines


def project_files() -> list[Path]:
    """Return the files of the nearest folder that has any, from the working folder upwards.

    The search ends with the folder that is the top of a repository.
    """
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return []
    for folder in (here, *here.parents):
        files = [path for path in (folder / NAME, folder / PROJECT) if _configures(path)]
        if files or (folder / _TOP).exists():
            return files
    return []


def _configures(path: Path) -> bool:
    if path.name == NAME:
        return _is_there(path)
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        return False
    try:
        return _has_table(data.decode())
    except (ValueError, TypeError, AttributeError):
        # Somebody else's file, unless it has our table, whose rules must not be lost to a typo.
        return b"[tool.benchkit" in data.replace(b"\0", b"").replace(b" ", b"")


def _is_there(path: Path) -> bool:
    """Whether anything lies there, a link to nothing too.

    Raises:
        OSError: nobody may look.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


@lru_cache(maxsize=4)  # a command asks several times, and a long file takes milliseconds
def _has_table(text: str) -> bool:
    return _TABLE[-1] in toml.parse(text).get(_TABLE[0], {})


def read_file(path: Path, table: tuple[str, ...] = (), *, shown: str = "") -> dict[str, Value]:
    """Return what a file says, by key; nothing where there is none.

    Args:
        path: The file.
        table: The keys of the table that is read.
        shown: What the file is called in errors.

    Raises:
        InputError: it is no configuration.
    """
    source = shown or path.as_posix()
    try:
        if _is_there(path) and not path.is_file():
            actual = "none: a folder, a device, a FIFO, or a link to nothing"
            raise InputError("a regular file", actual=actual, source=source)
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise InputError("TOML", actual=str(error), source=source) from None
    return of_text(data, source, table)


def of_text(data: bytes, source: str, table: tuple[str, ...] = ()) -> dict[str, Value]:
    """Return what the content of a file called `source` says, likewise.

    Raises:
        InputError: it is no configuration, or too long for one.
    """
    if len(data) > _MOST_BYTES:
        wanted = f"a configuration of at most {_MOST_BYTES:,} bytes"
        raise InputError(wanted, actual=f"{len(data):,}", source=source)
    try:
        content = toml.parse(data.decode())
    except ValueError as error:
        raise InputError("TOML", actual=str(error), source=source) from None
    for key in table:
        content = content.get(key, {})
        if not isinstance(content, dict):
            raise InputError("a table", actual=str(content), source=f"{source}: {key}")
    where = f"{source}: {'.'.join(table)}" if table else source
    return dict(_values(content, where))


def _values(content: Mapping[str, Value], source: str) -> Iterator[tuple[str, Value]]:
    for name, value in content.items():
        if name not in KEYS:
            raise InputError(
                f"one of the keys {', '.join(KEYS)}",
                actual=name,
                hint=nearest(name, KEYS) or None,
                source=source,
            )
        try:
            yield name, KEYS[name].read(value)
        except TypeError:
            raise InputError(
                f"'{name}' to be {KEYS[name].wanted}", actual=str(value), source=source
            ) from None


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the file, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of benchkit: benchkit.toml, or [tool.benchkit] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: {"description": key.about, **key.schema} for key in KEYS.values()},
    }


# --- the keys ---


def _text(value: Value) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(map(_text, value if isinstance(value, list) else [value]))


def _labels(value: Value) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise TypeError
    return {label: _texts(globs) for label, globs in value.items()}


def _reasons(value: Value) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise TypeError
    return {name: _text(reason) for name, reason in value.items()}


def _share(value: Value) -> str:
    """Return a share as an option has it: `3%` or `0.03`."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    return _text(str(value))


def _level(value: Value) -> str:
    if value not in _LEVELS:
        raise TypeError
    return str(value)


def _flag(value: Value) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _several(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", _BETWEEN).split(_BETWEEN) if part.strip()]


def _yes(text: str) -> bool:
    word = text.strip().lower()
    if word not in _YES | _NO:
        raise TypeError
    return word in _YES


_ONE_TEXT: Final = {"type": "string", "minLength": 1}
_TEXTS: Final = {"anyOf": [_ONE_TEXT, {"type": "array", "items": _ONE_TEXT}]}
_SEVERAL: Final = "a text or several"

_DECLARED: Final = (
    ConfigKey(
        "names",
        *(_texts, _SEVERAL, "Patterns of names; the first that fits a path names its run."),
        *(_TEXTS, _several, True),
    ),
    ConfigKey(
        "scenario",
        *(_text, "a text", "The scenario of runs whose names tell none."),
        *(_ONE_TEXT, str, True),
    ),
    ConfigKey(
        "ignore",
        *(_texts, _SEVERAL, "Globs of files to leave alone."),
        *(_TEXTS, _several, True),
    ),
    ConfigKey(
        "labels",
        *(_labels, "a table of texts", "Per label the globs of its files."),
        *({"type": "object", "additionalProperties": _TEXTS}, None, True),
    ),
    ConfigKey("title", _text, "a text", "Title of pages and summaries.", _ONE_TEXT, str),
    ConfigKey(
        "baseline",
        *(_text, "a text"),
        "The variant, scenario/variant, label or STORE@NAME that others are compared with.",
        *(_ONE_TEXT, str),
    ),
    ConfigKey(
        "margin",
        *(_share, "a share, such as '3%' or 0.03", "The difference that counts as none."),
        *({"type": ["string", "number"], "exclusiveMinimum": 0, "minLength": 1}, str),
    ),
    ConfigKey(
        "rules",
        *(_texts, _SEVERAL, "What must hold, such as 'p99<250ms' or 'throughput>-3%'."),
        *(_TEXTS, _several),
    ),
    ConfigKey(
        "slo",
        *(_texts, _SEVERAL, "Bounds within which the highest throughput is compared."),
        *(_TEXTS, _several),
    ),
    ConfigKey(
        "fail-on",
        *(_level, "'error' or 'warning'", "From which severity on a finding fails a check."),
        *({"enum": list(_LEVELS)}, str),
    ),
    ConfigKey(
        "require-verdict",
        *(_flag, "true or false", "Whether an inconclusive rule does not pass a check."),
        *({"type": "boolean"}, _yes),
    ),
    ConfigKey(
        "ignored",
        *(_reasons, "a table of reasons", "Per check whose findings do not count the reason."),
        *({"type": "object", "additionalProperties": _ONE_TEXT}, None),
    ),
)
KEYS: Final[Mapping[str, ConfigKey]] = {key.name: key for key in _DECLARED}
