"""Values of dataclasses as JSON and back, by what the dataclasses themselves declare.

What is read may be a stranger's: every value is of its declared kind, or an InputError says where
it is not. Whole numbers stay exact, of whatever size; arrays of them are
base64 of `varints`.
"""

# Values of any kind, and what they are in JSON:
# ruff: noqa: ANN401

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from benchkit.counting import varints
from benchkit.counting.arrays import Whole
from benchkit.errors import InputError, Where

#: What modules import for a type checker alone.
_NAMES: Final = {"Whole": Whole}
_UNITS: Final = frozenset({"ns", "us", "ms", "s", "m", "h", "D"})


@dataclass(frozen=True)
class DiskForm:
    """How values of one kind are written and read.

    Attributes:
        written: Returns JSON for a value.
        read: Returns the value of some JSON, which stands at a path.
        kind: What is expected, in words.
    """

    written: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    kind: str


def fault(expected: str, value: object, path: str) -> InputError:
    """Return the error of a value that is not what belongs at a path."""
    return InputError(expected, actual=_shown(value), where=Where(path=path))


def _shown(value: object) -> str:
    if value is MISSING or isinstance(value, str):
        return "nothing" if value is MISSING else str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        return "something else"


@cache
def form_of(kind: Any) -> DiskForm:
    """Return the form of what is declared as a kind.

    Raises:
        TypeError: no form is known for it.
    """
    if kind in _SCALARS:
        return _SCALARS[kind]
    make = _FORMS.get(get_origin(kind) or kind)
    if make is not None:
        return make(get_args(kind))
    if is_dataclass(kind) and isinstance(kind, type):
        return of_dataclass(kind)
    raise TypeError(f"no form for {kind}")


def of_dataclass(
    kind: type[Any], *, without: frozenset[str] = frozenset(), **forms: DiskForm
) -> DiskForm:
    """Return the form of a dataclass, an object with a key per field.

    `without` are fields that are neither written nor read, `forms` those of fields whose
    declaration does not tell them. Without any given, reading returns the object, else the values
    of its fields.
    """
    hints = get_type_hints(kind, localns=_NAMES)
    names = [each.name for each in fields(kind) if each.init and each.name not in without]
    known = {name: forms.get(name) or form_of(hints[name]) for name in names}
    expected = f"{kind.__name__} with {', '.join(names)}"

    def written(value: Any) -> Any:
        return {name: form.written(getattr(value, name)) for name, form in known.items()}

    def read(content: Any, path: str) -> Any:
        if not isinstance(content, dict) or content.keys() != known.keys():
            raise fault(expected, _keys(content), path)
        values = {n: form.read(content[n], f"{path}.{n}") for n, form in known.items()}
        return values if without or forms else kind(**values)

    return DiskForm(written, read, expected)


def _keys(content: Any) -> Any:
    return sorted(map(str, content)) if isinstance(content, dict) else content


def _scalar(kind: type, words: str, *kinds: type) -> DiskForm:
    def read(content: Any, path: str) -> Any:
        if not isinstance(content, kinds or kind) or isinstance(content, bool) != (kind is bool):
            raise fault(words, content, path)
        return content

    return DiskForm(_plain, read, words)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _chosen(values: tuple[Any, ...]) -> DiskForm:
    expected = f"one of {', '.join(map(str, values))}"

    def read(content: Any, path: str) -> Any:
        if not isinstance(content, str) or content not in values:
            raise fault(expected, content, path)
        return content

    return DiskForm(_plain, read, expected)


def _either(kinds: tuple[Any, ...]) -> DiskForm:
    """Return the form of a value or None; where it may be of several classes it names its own."""
    rest = [kind for kind in kinds if kind is not NoneType]
    if len(rest) == 1:
        single = form_of(rest[0])
        return DiskForm(
            lambda value: None if value is None else single.written(value),
            lambda content, path: None if content is None else single.read(content, path),
            f"{single.kind} or null",
        )
    classes = {(get_origin(kind) or kind): form_of(kind) for kind in rest}
    named = {kind.__name__: form for kind, form in classes.items()}
    expected = f"an object with one of {', '.join(named)}"

    def written(value: Any) -> Any:
        if value is None:
            return None
        kind = next(kind for kind in classes if isinstance(value, kind))
        return {kind.__name__: classes[kind].written(value)}

    def read(content: Any, path: str) -> Any:
        if content is None and NoneType in kinds:
            return None
        if not isinstance(content, dict) or len(content) != 1 or not content.keys() <= named.keys():
            raise fault(expected, _keys(content), path)
        ((name, inner),) = content.items()
        return named[name].read(inner, path)

    return DiskForm(written, read, expected)


def _each(forms: tuple[DiskForm, ...]) -> DiskForm:
    """Return the form of a tuple of so many values."""
    expected = f"a list of {len(forms)}"

    def read(content: Any, path: str) -> Any:
        if not isinstance(content, list) or len(content) != len(forms):
            raise fault(expected, content, path)
        pairs = zip(forms, content, strict=True)
        return tuple(form.read(each, f"{path}[{at}]") for at, (form, each) in enumerate(pairs))

    return DiskForm(
        lambda value: [form.written(each) for form, each in zip(forms, value, strict=True)],
        read,
        expected,
    )


def _tuple(kinds: tuple[Any, ...]) -> DiskForm:
    if kinds[1:] == (...,):
        return several(form_of(kinds[0]), tuple)
    return _each(tuple(map(form_of, kinds)))


def several(form: DiskForm, kind: type[list[Any] | tuple[Any, ...]]) -> DiskForm:
    """Return the form of a list, or a tuple, of values of one form."""

    def read(content: Any, path: str) -> Any:
        if not isinstance(content, list):
            raise fault(f"a list, each {form.kind}", content, path)
        return kind(form.read(each, f"{path}[{at}]") for at, each in enumerate(content))

    return DiskForm(lambda value: [form.written(each) for each in value], read, "a list")


def keyed(form: DiskForm) -> DiskForm:
    """Return the form of a mapping from texts to values of one form, an object."""

    def read(content: Any, path: str) -> Any:
        if not isinstance(content, dict):
            raise fault(f"an object, each value {form.kind}", content, path)
        return {name: form.read(each, f"{path}.{name}") for name, each in content.items()}

    return DiskForm(
        lambda value: {name: form.written(each) for name, each in value.items()}, read, "an object"
    )


def _mapping(kinds: tuple[Any, ...]) -> DiskForm:
    """Return the form of a mapping, whose keys may be of any kind: a list of pairs."""
    pairs = several(_each(tuple(map(form_of, kinds))), list)

    def read(content: Any, path: str) -> Any:
        listed = pairs.read(content, path)
        made = dict(listed)
        if len(made) < len(listed):
            raise fault("every key once", [key for key, _ in listed], path)
        return made

    return DiskForm(lambda value: pairs.written(value.items()), read, "a list of pairs")


def _numbers(content: Any, path: str) -> Whole:
    try:
        return varints.read(base64.b64decode(content, validate=True))
    except (TypeError, ValueError):
        raise fault("whole numbers of 64 bits in base64", content, path) from None


def _problem(_: object) -> DiskForm:
    """Return the form of an InputError: its arguments."""
    arguments = {"expected": str, "actual": str | None, "where": Where | None}
    known = {name: form_of(kind) for name, kind in arguments.items()}
    known |= dict.fromkeys(("hint", "source"), form_of(str | None))

    def read(content: Any, path: str) -> InputError:
        if not isinstance(content, dict) or content.keys() != known.keys():
            raise fault(f"an error with {', '.join(known)}", _keys(content), path)
        return InputError(**{n: form.read(content[n], f"{path}.{n}") for n, form in known.items()})

    return DiskForm(
        lambda error: {n: form.written(getattr(error, n)) for n, form in known.items()},
        read,
        "an error",
    )


def _written(value: Any) -> Any:
    """Return JSON for values that JSON has and for instants; an object is told from those."""
    if isinstance(value, np.datetime64):
        unit = np.datetime_data(value.dtype)[0]
        return {"datetime64": [int(value.astype(np.int64)), unit]}
    if isinstance(value, datetime):
        return {"datetime": value.isoformat()}
    if isinstance(value, Mapping):
        return {"object": {name: _written(each) for name, each in value.items()}}
    if isinstance(value, (list, tuple)):
        return [_written(each) for each in value]
    return _plain(value)


def _anything(content: Any, path: str) -> Any:
    if isinstance(content, list):
        return [_anything(each, f"{path}[{at}]") for at, each in enumerate(content)]
    if not isinstance(content, dict):
        return content
    try:
        ((kind, inner),) = content.items()
        if kind == "object":
            return {name: _anything(each, f"{path}.{name}") for name, each in inner.items()}
        if kind == "datetime":
            return datetime.fromisoformat(inner)
        number, unit = inner
        if kind == "datetime64" and type(number) is int and unit in _UNITS:
            return np.datetime64(number, unit)
    except (ValueError, TypeError, AttributeError, OverflowError):
        pass
    raise fault("an object or an instant", content, path)


_SCALARS: Final = {
    str: _scalar(str, "a text"),
    bool: _scalar(bool, "true or false"),
    int: _scalar(int, "a whole number"),
    float: _scalar(float, "a number", int, float),
    Any: DiskForm(_written, _anything, "a value"),
}
_NUMBERS: Final = DiskForm(
    lambda value: base64.b64encode(varints.written(value)).decode(),
    _numbers,
    "base64 of whole numbers",
)
_FORMS: Final[Mapping[Any, Callable[[tuple[Any, ...]], DiskForm]]] = {
    Literal: _chosen,
    Union: _either,
    UnionType: _either,
    np.ndarray: lambda _: _NUMBERS,
    InputError: _problem,
    tuple: _tuple,
    **dict.fromkeys((list, Sequence), lambda kinds: several(form_of(kinds[0]), list)),
    **dict.fromkeys((dict, Mapping), _mapping),
}
