"""`meta.json`: what a harness, or a user, writes down beside the results."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.ingest.jsonvalues import strict_json
from benchkit.schema import RUNS, Column

NAME: Final = "meta.json"

#: Columns of `runs` that `meta.json` may give; other keys are kept for the reader.
KEYS: Final = (
    "scenario",
    "variant",
    "params",
    "baseline",
    "repeat",
    "label",
    "tool_version",
    "command",
    "server",
    "url",
    "method",
    "started_at",
    "threads",
    "connections",
    "pipelining",
    "keepalive",
    "offered_rate_rps",
    "timeout_s",
    "load_model",
    "correction",
    "warm_up_capped",
    "environment",
)
#: Keys that hold an object, which becomes its JSON.
_OBJECTS: Final = ("params", "environment")
_CAPPED: Final = "warm_up_capped"
_FACTS: Final = {"yes": True, "no": False}


@dataclass(frozen=True)
class Meta:
    """The content of one `meta.json`.

    Attributes:
        columns: Values for columns of `runs`.
        further: All other keys as they are.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)


class MetaReader:
    """Reads the metadata of each folder once; it is made for one call of `load`."""

    def __init__(self) -> None:
        self._known: dict[Path, Meta | InputError] = {}
        self._errors: set[InputError] = set()

    def lying_in(self, folder: Path) -> Meta | InputError:
        """Return the metadata that lies in a folder; an empty Meta where none lies there."""
        if folder not in self._known:
            self._known[folder] = _read(folder)
        return self._known[folder]

    def first(self, error: InputError) -> bool:
        """Whether this is asked of an error for the first time."""
        new = error not in self._errors
        self._errors.add(error)
        return new


def _read(folder: Path) -> Meta | InputError:
    path = folder / NAME
    if not os.path.isfile(path):  # noqa: PTH113 - which never raises
        return Meta()
    name = path.as_posix()
    try:
        content = strict_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        return InputError("a JSON object", actual=str(error), source=name)
    if not isinstance(content, dict):
        return InputError("a JSON object", actual=type(content).__name__, source=name)
    if content.get(_CAPPED) is None:
        content[_CAPPED] = _fact(content, _CAPPED)
    columns = {}
    for key in KEYS:
        if content.get(key) is None or _is_free_text(key, content[key]):
            continue
        try:
            columns[key] = _value(RUNS[key], content[key])
        except (ValueError, TypeError, OverflowError):
            text = json.dumps(content[key])[:60]
            return InputError(f"'{key}' to be {wanted(RUNS[key])}", actual=text, source=name)
    return Meta(columns, {k: v for k, v in content.items() if k not in KEYS})


def _fact(content: Mapping[str, Any], key: str) -> bool | None:
    """Return what a harness noted as yes or no under `facts`; None for anything else."""
    facts = content.get("facts")
    noted = facts.get(key) if isinstance(facts, dict) else None
    return _FACTS.get(noted) if isinstance(noted, str) else None


def _is_free_text(key: str, value: Any) -> bool:  # noqa: ANN401 - JSON values
    """Whether somebody wrote the environment in words of their own, which is no mistake."""
    return key == "environment" and not isinstance(value, dict)


_KINDS: Final = {
    "string": "a string",
    "int": "a whole number, at least 0",
    "float": "a number, at least 0",
    "bool": "true or false",
    "instant": "an ISO 8601 instant from 1970 to 2261",
}
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BEYOND: Final = datetime(2262, 1, 1, tzinfo=UTC)  # where 64 bits of nanoseconds end


def wanted(column: Column) -> str:
    """Return what a column takes, in words."""
    if column.name in _OBJECTS:
        return "a JSON object"
    if column.name == "repeat":
        return "a whole number, at least 1"
    return " or ".join(column.values) or _KINDS[column.kind]


def _value(column: Column, value: Any) -> Any:  # noqa: ANN401 - JSON values
    if column.name in _OBJECTS:
        return params_text(value)
    if column.kind == "instant":
        return _instant(value)
    if column.kind == "bool" or isinstance(value, bool):
        if column.kind == "bool" and isinstance(value, bool):
            return value
        raise TypeError
    if column.kind in {"int", "float"}:
        return _number(column, value)
    if not isinstance(value, (str, int, float)):
        raise TypeError
    if column.values and value not in column.values:
        raise ValueError
    return str(value)


def _instant(value: str) -> datetime:
    instant = datetime.fromisoformat(value)
    instant = instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
    if not _FIRST <= instant < _BEYOND:
        raise ValueError
    return instant


def _number(column: Column, value: Any) -> int | float:  # noqa: ANN401 - JSON values
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError
    if not (column.name == "repeat") <= value < 2**63:
        raise ValueError
    if column.kind == "float":
        return float(value)
    if value != int(value):
        raise ValueError
    return int(value)


def params_text(value: Any) -> str:  # noqa: ANN401 - JSON values
    """Return an object, such as the further factors of a run, as JSON with sorted keys.

    Raises:
        TypeError: `value` is not an object.
    """
    if not isinstance(value, dict):
        raise TypeError
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
