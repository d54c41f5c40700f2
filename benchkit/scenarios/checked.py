"""A TOML table that is read key by key; each complaint names the key and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from benchkit.errors import InputError, Where

_T = TypeVar("_T")
_NEEDED: Final = object()
_PLAIN: Final = (str, int, float, bool)


class Checked:
    """A table with a place for messages.

    Args:
        content: The table.
        source: The file.
        path: Where in the file it stands.
    """

    def __init__(self, content: Mapping[str, Any], source: str, path: str = "") -> None:
        self._content = content
        self._source = source
        self._path = path
        self._read: set[str] = set()

    def text(self, key: str, *, default: object = _NEEDED) -> str:
        """Return a string."""
        return str(self._checked(key, "a string", lambda v: isinstance(v, str), default))

    def number(self, key: str, *, default: object = _NEEDED) -> float:
        """Return a number above or equal to zero."""
        value = self._checked(key, "a number", lambda v: isinstance(v, (int, float)), default)
        if isinstance(value, bool) or value < 0:
            raise self._wrong(key, "a number, 0 or more")
        return float(value)

    def choice(self, key: str, values: Sequence[_T]) -> _T:
        """Return one of some values."""
        expected = f"one of {', '.join(map(str, values))}"
        return cast("_T", self._checked(key, expected, lambda v: v in values))

    def texts(self, key: str, *, default: object = _NEEDED) -> tuple[str, ...]:
        """Return a list of strings."""
        return tuple(self._checked(key, "a list of strings", _are_texts, default))

    def table_of(self, key: str, kind: type[_T], *, default: object = _NEEDED) -> dict[str, _T]:
        """Return a table whose values are all of one kind."""
        expected = f"a table of {kind.__name__}"
        return dict(self._checked(key, expected, lambda v: _is_table(v, kind), default))

    def values(self, key: str) -> dict[str, Any]:
        """Return a table of plain values; empty where there is none."""
        expected = "a table of plain values"
        return dict(self._checked(key, expected, lambda v: _is_table(v, _PLAIN), {}))

    def levels(self, key: str) -> dict[str, tuple[Any, ...]]:
        """Return a table of lists of plain values of one type; empty where there is none."""
        expected = "a table of lists, each with values of one type"
        table = self._checked(key, expected, _are_levels, {})
        return {name: tuple(levels) for name, levels in table.items()}

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return a table of lists of strings; empty where there is none."""
        inner = Checked(self.table_of(key, list, default={}), self._source, key)
        return {name: inner.texts(name) for name in inner.keys}

    def tables(self, key: str) -> tuple[dict[str, Any], ...]:
        """Return a list of tables of plain values; empty where there is none."""
        return tuple(self._checked(key, "a list of tables", _are_tables, []))

    def inner(self, key: str) -> Checked:
        """Return a table within this one."""
        table = self._checked(key, "a table", lambda v: isinstance(v, dict))
        return Checked(table, self._source, f"{self._path}{key}.")

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys in order."""
        return tuple(self._content)

    def done(self, *also: str) -> None:
        """Complain about keys that nobody asked for."""
        unknown = [key for key in self._content if key not in self._read | {*also}]
        if unknown:
            raise self._wrong(unknown[0], "no such key", actual=unknown[0])

    def _checked(
        self, key: str, expected: str, good: Callable[[Any], bool], default: object = _NEEDED
    ) -> Any:  # noqa: ANN401 - values of TOML
        self._read.add(key)
        value = self._content.get(key, default)
        if value is _NEEDED:
            raise self._wrong(key, f"the key '{key}'", actual="none")
        if not good(value):
            raise self._wrong(key, expected)
        return value

    def _wrong(self, key: str, expected: str, *, actual: str | None = None) -> InputError:
        shown = str(self._content.get(key)) if actual is None else actual
        where = Where(path=f"{self._path}{key}")
        return InputError(expected, actual=shown, where=where, source=self._source)


def _are_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)


def _is_table(value: object, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(isinstance(v, kind) for v in value.values())


def _are_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, dict) for v in value)


def _are_levels(value: Any) -> bool:  # noqa: ANN401 - values of TOML
    return _is_table(value, list) and all(
        v and all(isinstance(x, _PLAIN) for x in v) and len({type(x) for x in v}) == 1
        for v in value.values()
    )
