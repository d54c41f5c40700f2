"""A TOML table to a dataclass; each complaint names the key and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_type_hints

from benchkit.errors import InputError, Where

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _T = TypeVar("_T", bound=DataclassInstance)

#: A level of a param, or a setting.
Value = str | int | float | bool
_Check = Callable[[Any], bool]


def read_table(kind: type[_T], content: object, source: str, path: str = "", **given: object) -> _T:
    """Return a table as a dataclass; a field without a default must be there, and no other key.

    Its fields are of the types that `_KINDS` has, or literals; those `given` are not read. `path`
    is where in the file the table stands, a point behind each key.

    Raises:
        InputError: a key is missing, unknown, or of another type.
    """

    def wrong(expected: str, key: str, actual: object) -> InputError:
        where = Where(path=f"{path}{key}".rstrip("."))
        return InputError(expected, actual=str(actual), where=where, source=source)

    if not isinstance(content, dict):
        raise wrong("a table", "", content)
    hints = get_type_hints(kind)
    read: dict[str, object] = {}
    for field in fields(kind):
        name = field.name
        if name in given:
            continue
        if name in content:
            expected, good = _wanted(hints[name])
            if not good(content[name]):
                raise wrong(expected, name, content[name])
            read[name] = content[name]
        elif field.default is MISSING and field.default_factory is MISSING:
            raise wrong(f"the key '{name}'", name, "none")
    unknown = next((key for key in content if key not in read), None)
    if unknown is not None:
        raise wrong("no such key", unknown, unknown)
    return kind(**read, **given)


def _wanted(hint: Any) -> tuple[str, _Check]:  # noqa: ANN401 - a type
    """Return what a type wants in words, and whether a value is that."""
    if hint in _KINDS:
        return _KINDS[hint]
    choices = get_args(hint)
    return (
        f"one of {', '.join(map(str, choices))}",
        lambda value: isinstance(value, str) and value in choices,
    )


def _is(kind: Any) -> _Check:  # noqa: ANN401 - a type or a union
    return lambda value: isinstance(value, kind)


def _list(good: _Check) -> _Check:
    return lambda value: isinstance(value, list) and all(map(good, value))


def _table(good: _Check) -> _Check:
    return lambda value: isinstance(value, dict) and all(map(good, value.values()))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _are_levels(value: Any) -> bool:  # noqa: ANN401 - a value of TOML
    return _list(_is(Value))(value) and len({*map(type, value)}) == 1


_KINDS: Final[Mapping[Any, tuple[str, _Check]]] = {
    str: ("a string", _is(str)),
    int: ("a number, whole and 0 or more", lambda v: _is_number(v) and isinstance(v, int)),
    float: ("a number, 0 or more", _is_number),
    Sequence[str]: ("a list of strings", _list(_is(str))),
    Mapping[str, str]: ("a table of texts", _table(_is(str))),
    Mapping[str, Value]: ("a table of plain values", _table(_is(Value))),
    Mapping[str, Sequence[str]]: ("a table of lists of strings", _table(_list(_is(str)))),
    Mapping[str, Sequence[Value]]: (
        "a table of lists, each with values of one type",
        _table(_are_levels),
    ),
    Sequence[Mapping[str, Value]]: ("a list of tables", _list(_is(dict))),
}
