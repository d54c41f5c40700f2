"""A TOML table that is read key by key; each complaint names the key and what stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        return str(self._of(key, str, "a string", default))

    def number(self, key: str, *, default: object = _NEEDED) -> float:
        """Return a number above or equal to zero."""
        value = self._of(key, (int, float), "a number", default)
        if isinstance(value, bool) or value < 0:
            raise self._wrong(key, "a number, 0 or more")
        return float(value)

    def choice(self, key: str, values: Sequence[_T]) -> _T:
        """Return one of some values."""
        value = self._take(key, _NEEDED)
        if value not in values:
            raise self._wrong(key, f"one of {', '.join(map(str, values))}")
        return cast("_T", value)

    def texts(self, key: str, *, default: object = _NEEDED) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
            raise self._wrong(key, "a list of strings")
        return tuple(value)

    def table_of(self, key: str, kind: type[_T], *, default: object = _NEEDED) -> dict[str, _T]:
        """Return a table whose values are all of one kind."""
        value = self._take(key, default)
        if not isinstance(value, dict) or not all(isinstance(v, kind) for v in value.values()):
            raise self._wrong(key, f"a table of {kind.__name__}")
        return dict(value)

    def values(self, key: str) -> dict[str, Any]:
        """Return a table of plain values; empty where there is none."""
        value = self._take(key, {})
        if not isinstance(value, dict) or not all(isinstance(v, _PLAIN) for v in value.values()):
            raise self._wrong(key, "a table of plain values")
        return dict(value)

    def levels(self, key: str) -> dict[str, tuple[Any, ...]]:
        """Return a table of lists of plain values of one type; empty where there is none."""
        value = self._take(key, {})
        good = isinstance(value, dict) and all(
            isinstance(v, list)
            and v
            and all(isinstance(x, _PLAIN) for x in v)
            and len({type(x) for x in v}) == 1
            for v in value.values()
        )
        if not good:
            raise self._wrong(key, "a table of lists, each with values of one type")
        return {name: tuple(levels) for name, levels in value.items()}

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return a table of lists of strings; empty where there is none."""
        inner = Checked(self.table_of(key, list, default={}), self._source, key)
        return {name: inner.texts(name) for name in inner.keys}

    def tables(self, key: str) -> tuple[dict[str, Any], ...]:
        """Return a list of tables of plain values; empty where there is none."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            raise self._wrong(key, "a list of tables")
        return tuple(value)

    def inner(self, key: str) -> Checked:
        """Return a table within this one."""
        value = self._of(key, dict, "a table")
        return Checked(value, self._source, f"{self._path}{key}.")

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys in order."""
        return tuple(self._content)

    def done(self, *also: str) -> None:
        """Complain about keys that nobody asked for."""
        unknown = [key for key in self._content if key not in self._read | {*also}]
        if unknown:
            raise self._wrong(unknown[0], "no such key", found=unknown[0])

    def _of(self, key: str, kind: Any, name: str, default: object = _NEEDED) -> Any:  # noqa: ANN401
        value = self._take(key, default)
        if not isinstance(value, kind):
            raise self._wrong(key, name)
        return value

    def _take(self, key: str, default: object) -> Any:  # noqa: ANN401 - values of TOML
        self._read.add(key)
        if key not in self._content:
            if default is _NEEDED:
                raise self._wrong(key, f"the key '{key}'", found="none")
            return default
        return self._content[key]

    def _wrong(self, key: str, expected: str, *, found: str | None = None) -> InputError:
        shown = str(self._content.get(key)) if found is None else found
        place = Where(path=f"{self._path}{key}")
        return InputError(expected, found=shown, where=place, source=self._source)
