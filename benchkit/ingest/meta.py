"""`meta.json`: what a harness, or a user, writes down beside the results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.schema import RUNS, Column

NAME: Final = "meta.json"

#: Columns of `runs` that `meta.json` may give; other keys are kept for the reader.
KEYS: Final = (
    "scenario",
    "variant",
    "params",
    "repeat",
    "label",
    "tool_version",
    "command",
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
)


@dataclass(frozen=True)
class Meta:
    """The content of one `meta.json`.

    Attributes:
        columns: Values for columns of `runs`.
        further: All other keys as they are.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)


@lru_cache(maxsize=4096)
def read_meta(folder: Path) -> Meta | InputError:
    """Return the metadata that lies in a folder; an empty Meta where none lies there."""
    path = folder / NAME
    if not path.is_file():
        return Meta()
    name = path.as_posix()
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        return InputError("a JSON object", found=str(error), source=name)
    if not isinstance(content, dict):
        return InputError("a JSON object", found=type(content).__name__, source=name)
    columns = {}
    for key in KEYS:
        if content.get(key) is None:
            continue
        try:
            columns[key] = _value(RUNS[key], content[key])
        except (ValueError, TypeError):
            found = json.dumps(content[key])[:60]
            return InputError(f"'{key}' to be {_wanted(RUNS[key])}", found=found, source=name)
    return Meta(columns, {k: v for k, v in content.items() if k not in KEYS})


_KINDS: Final = {
    "string": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "instant": "an ISO 8601 instant",
}


def _wanted(column: Column) -> str:
    if column.name == "params":
        return "a JSON object"
    return " or ".join(column.values) or _KINDS[column.kind]


def _value(column: Column, value: Any) -> Any:  # noqa: ANN401 - JSON values
    if column.name == "params":
        return params_text(value)
    if column.kind == "instant":
        instant = datetime.fromisoformat(value)
        return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
    if column.kind == "bool" or isinstance(value, bool):
        if column.kind == "bool" and isinstance(value, bool):
            return value
        raise TypeError
    if column.kind in {"int", "float"}:
        if not isinstance(value, (int, float)) or (column.kind == "int" and value != int(value)):
            raise TypeError
        return int(value) if column.kind == "int" else float(value)
    if not isinstance(value, (str, int, float)):
        raise TypeError
    if column.values and value not in column.values:
        raise ValueError
    return str(value)


def params_text(value: Any) -> str:  # noqa: ANN401 - JSON values
    """Return further factors of a run as JSON with sorted keys.

    Raises:
        TypeError: `value` is not an object.
    """
    if not isinstance(value, dict):
        raise TypeError
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
