"""`meta.json`: what a harness, or a user, writes down beside the results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.ingest.jsonvalues import strict_json
from benchkit.ingest.sources import address_of, read_beside
from benchkit.ingest.unitless import UNITS
from benchkit.model.bounds import MOST, most_of
from benchkit.schema import RUNS, Column

NAME: Final = "meta.json"
#: The key, and the field of a pattern of names, that tells the generators of one attack apart.
GENERATOR: Final = "generator"

#: Columns of `runs` that `meta.json` may give; other keys are kept for the reader.
KEYS: Final = (
    *("scenario", "variant", "params", "baseline", "repeat", "label", "tool_version", "command"),
    *("server", "url", "method", "started_at", "threads", "connections", "pipelining", "keepalive"),
    *("offered_rate_rps", "timeout_s", "load_model", "correction", "warm_up_capped", "looks"),
    "environment",
)
#: The unit of values whose output does not state it; no column has it.
UNIT: Final = "unit"
#: Keys that hold an object, which becomes its JSON.
_OBJECTS: Final = ("params", "environment")
#: Keys that count from 1.
_FROM_ONE: Final = ("repeat", "looks")
#: Objects within each other.
_DEEPEST: Final = 100
#: What a harness notes under `facts`.
_FACTS: Final = {"yes": True, "no": False}


@dataclass(frozen=True)
class Meta:
    """One `meta.json`: values for columns of `runs`, and all further keys as they are.

    Attributes:
        generator: Which of the generators of an attack made the results, where there are several.
        unit: That of values whose output does not state it.
    """

    columns: Mapping[str, Any] = field(default_factory=dict)
    generator: str | None = None
    unit: str | None = None
    further: Mapping[str, Any] = field(default_factory=dict)


def read_meta(folder: str) -> Meta | InputError:
    """Return the metadata that lies in a folder; an empty Meta where none lies there."""
    try:
        data = read_beside(folder, NAME)
        if data is None:
            return Meta()
        return _meta(strict_json(data.decode("utf-8-sig")), folder)
    except InputError as error:
        return error
    except (OSError, ValueError, RecursionError) as error:
        return _unlike("a JSON object", str(error), folder)


def _meta(content: object, folder: str) -> Meta | InputError:
    if not isinstance(content, dict):
        return _unlike("a JSON object", type(content).__name__, folder)
    generator, unit = content.get(GENERATOR), content.get(UNIT)
    for key, is_right, expected in (
        (GENERATOR, _is_name(generator), "a name"),
        (UNIT, unit is None or unit in list(UNITS), " or ".join(UNITS)),
    ):
        if not is_right:
            text = json.dumps(content[key])[:60]
            return _unlike(f"'{key}' to be {expected}", text, folder)
    facts = content.get("facts")
    noted = facts.get("warm_up_capped") if isinstance(facts, dict) else None
    given = {"warm_up_capped": _FACTS.get(str(noted))}
    given |= {key: value for key, value in content.items() if value is not None}
    if not isinstance(given.get("environment"), dict):
        given.pop("environment", None)  # in somebody's own words, which is no mistake
    columns = {}
    for key in KEYS:
        if given.get(key) is None:
            continue
        try:
            columns[key] = value_of(RUNS[key], given[key])
        except (ValueError, TypeError, OverflowError):
            text = json.dumps(given[key])[:60]
            return _unlike(f"'{key}' to be {wanted(RUNS[key])}", text, folder)
    further = {k: v for k, v in content.items() if k not in {*KEYS, UNIT}}
    return Meta(columns, None if generator is None else str(generator), unit, further)


def _unlike(expected: str, actual: str, folder: str) -> InputError:
    return InputError(expected, actual=actual, source=address_of(folder, NAME))


def _is_name(value: object) -> bool:
    return isinstance(value, str | int | None) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, Any]] = {"bool": bool, "string": str | int | float}
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
        return f"a JSON object, at most {_DEEPEST} deep"
    if column.name in _FROM_ONE:
        return "a whole number, at least 1"
    most = most_of(RUNS, column.name) or MOST
    below = f", below {most:,.0f}" if most < MOST else ""
    return " or ".join(column.values) or f"{_KINDS[column.kind]}{below}"


def value_of(column: Column, value: Any) -> Any:  # noqa: ANN401 - JSON values
    """Return a value of JSON as one of a column, numbers in a range that the column takes.

    Raises:
        TypeError, ValueError, OverflowError: it is none.
    """
    if column.name in _OBJECTS:
        _require_flat(value)
        return params_text(value)
    if column.kind == "instant":
        return _instant(value)
    types = _TYPES.get(column.kind, int | float)
    if not isinstance(value, types) or isinstance(value, bool) != (column.kind == "bool"):
        raise TypeError
    if column.kind == "string":
        if column.values and value not in column.values:
            raise ValueError
        return str(value)
    if column.kind == "bool":
        return value
    if not (column.name in _FROM_ONE) <= value < (most_of(RUNS, column.name) or MOST):
        raise ValueError
    if column.kind == "float":
        return float(value)
    if value != int(value):
        raise ValueError
    return int(value)


def _require_flat(value: object) -> None:
    """Make sure that an object is nested no deeper than what looks at it can follow.

    Raises:
        ValueError: it is.
    """
    layer = [value]
    for _ in range(_DEEPEST):
        below = (
            o.values() if isinstance(o, dict) else o for o in layer if isinstance(o, dict | list)
        )
        layer = [*chain.from_iterable(below)]
    if layer:
        raise ValueError


def _instant(value: str) -> datetime:
    instant = datetime.fromisoformat(value)
    instant = instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
    if not _FIRST <= instant < _BEYOND:
        raise ValueError
    return instant


def params_text(value: Any) -> str:  # noqa: ANN401 - JSON values
    """Return an object, such as the further factors of a run, as JSON with sorted keys.

    Raises:
        TypeError: `value` is not an object.
    """
    if not isinstance(value, dict):
        raise TypeError
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
