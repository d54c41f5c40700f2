"""Type definitions of a gob stream: what a message of each type looks like.

Source: Go 1.26 `encoding/gob`, documentation and `type.go` (wireType).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

#: Types that every stream knows: bool, int, uint, float, bytes, string, complex.
BOOL, INT, UINT, FLOAT, BYTES, STRING, COMPLEX = range(1, 8)

_LONGEST: Final = 65536  # bytes of one definition
_MOST_FIELDS: Final = 127
_MOST_TYPES: Final = 64


class GobError(ValueError):
    """A definition that cannot be read.

    Attributes:
        at: Where in the bytes.
    """

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


@dataclass(frozen=True)
class Type:
    """One defined type.

    Attributes:
        kind: `array`, `slice`, `struct`, `map`, or `opaque` for what marshals itself.
        fields: (name, type) of a struct.
        elem: Type of the elements.
        key: Type of a map's keys.
    """

    kind: str
    name: str = ""
    fields: tuple[tuple[str, int], ...] = ()
    elem: int = 0
    key: int = 0


@dataclass
class TypeTable:
    """The types that a stream has defined so far."""

    types: dict[int, Type] = field(default_factory=dict)

    def define(self, number: int, defined: Type) -> None:
        """Add a definition.

        A struct whose number or name is known already begins a new table, unless
        it is the same: another stream was appended.

        Raises:
            GobError: there are more types than any stream of results has.
        """
        known = number in self.types or any(old.name == defined.name for old in self.types.values())
        if defined.kind == "struct" and known and self.types.get(number) != defined:
            self.types = {}
        self.types[number] = defined
        if len(self.types) > _MOST_TYPES:
            raise GobError(f"{len(self.types)} types", 0)


class Reader:
    """Reads numbers and texts from bytes, never beyond their end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.pos = 0

    def uint(self) -> int:
        """Return an unsigned number.

        Raises:
            GobError: the bytes end first, or it is longer than 8 bytes.
        """
        at = self.pos
        if at >= len(self.data):
            raise GobError("the end", at)
        first = self.data[at]
        if first < 128:
            self.pos = at + 1
            return first
        count = 256 - first
        if count > 8 or at + 1 + count > len(self.data):
            raise GobError(f"0x{first:02x}", at)
        self.pos = at + 1 + count
        return int.from_bytes(self.data[at + 1 : self.pos], "big")

    def int(self) -> int:
        """Return a signed number; raises as `uint`."""
        value = self.uint()
        return ~(value >> 1) if value & 1 else value >> 1

    def text(self) -> str:
        """Return a text; raises GobError also where it is longer than what is left."""
        at = self.pos
        length = self.uint()
        if length > len(self.data) - self.pos:
            raise GobError(f"a text of {length} bytes", at)
        self.pos += length
        return self.data[self.pos - length : self.pos].decode("utf-8", "backslashreplace")


def read_definition(message: bytes) -> tuple[int, Type] | None:
    """Return (number, type) of a message that defines a type, None for a value.

    Raises:
        GobError: it is a definition that cannot be read.
    """
    reader = Reader(message)
    number = reader.int()
    if number >= 0:
        return None
    if len(message) > _LONGEST:
        raise GobError(f"a definition of {len(message)} bytes", 0)
    defined = None
    for which in _present(reader):
        if which not in _KINDS or defined is not None:
            raise GobError(f"kind of type {which}", reader.pos)
        defined = _read_type(reader, _KINDS[which])
    if defined is None or reader.pos != len(message):
        raise GobError("a definition that ends early", reader.pos)
    return -number, defined


_KINDS: Final = dict(enumerate(("array", "slice", "struct", "map", *["opaque"] * 3)))


def _present(reader: Reader) -> Iterator[int]:
    """Yield the numbers of the fields of a struct; the caller reads each value."""
    which = -1
    while step := reader.uint():
        which += step
        yield which


def _read_type(reader: Reader, kind: str) -> Type:
    name, numbers = "", dict[int, int]()
    fields: tuple[tuple[str, int], ...] = ()
    for which in _present(reader):
        if which == 0:
            name, _ = _read_named(reader)
        elif kind == "struct" and which == 1:
            fields = _read_fields(reader)
        else:
            numbers[which] = reader.int()
    if kind == "map":
        return Type(kind, name, key=numbers.get(1, 0), elem=numbers.get(2, 0))
    return Type(kind, name, fields=fields, elem=numbers.get(1, 0))


def _read_named(reader: Reader) -> tuple[str, int]:
    """Return a name and the number of a type: what all types have in common, and a field is."""
    name, number = "", 0
    for which in _present(reader):
        if which == 0:
            name = reader.text()
        else:
            number = reader.int()
    return name, number


def _read_fields(reader: Reader) -> tuple[tuple[str, int], ...]:
    at, count = reader.pos, reader.uint()
    if count > _MOST_FIELDS:
        raise GobError(f"a struct of {count} fields", at)
    return tuple(_read_named(reader) for _ in range(count))
