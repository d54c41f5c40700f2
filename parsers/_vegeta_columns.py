"""Messages of a gob stream to columns of vegeta's results, window by window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchkit.parsing import RequestBatch

from . import _gob
from . import _gob_kernel as kernel
from ._gob_compiled import load
from ._vegeta_names import CompiledNames, Names

#: Rows of a batch, and rows that are decoded before their texts are coded.
ROWS: Final = 65_536
_BLOCK: Final = 8_192
#: Longest message that is read; a result is longer only by its body.
LONGEST: Final = 2**26

_NUMBERS: Final = ("Seq", "Code", "Timestamp", "Latency", "BytesOut", "BytesIn")
_TEXTS: Final = ("Attack", "Error", "Method", "URL")
_NEEDED: Final = ("Code", "Timestamp", "Latency")
_WANTED: Final = {name: slot for names in (_NUMBERS, _TEXTS) for slot, name in enumerate(names)}
_KINDS: Final = {
    "array": kernel.K_LIST,
    "slice": kernel.K_LIST,
    "map": kernel.K_MAP,
    "struct": kernel.K_STRUCT,
    "opaque": kernel.K_DATA,
}


@dataclass(frozen=True)
class Failure:
    """Why decoding stopped: the place in the window, and what to tell."""

    at: int
    expected: str
    found: str
    hint: str


class Layout:
    """What the loops have to know of the type of a stream's values.

    Attributes:
        number: The type's number.
        has: Names of the fields that become columns.
        fields: Per field what to do with it, its slot, and its type.
        types: Per type its kind, first and second; and all structs' members.
    """

    def __init__(self, table: _gob.TypeTable, number: int) -> None:
        self.number = number
        self._table = table
        self._places = {known: known for known in range(1, 8)}
        self._kinds = [
            kernel.K_UNKNOWN,
            *[kernel.K_NUMBER] * 4,
            *[kernel.K_DATA] * 2,
            kernel.K_PAIR,
        ]
        self._firsts, self._seconds, self._members = [0] * 8, [0] * 8, [0]
        fields = table.types[number].fields
        names = [name for name, _ in fields]
        places = [self._place(inner) for _, inner in fields]
        last = max((at for at, name in enumerate(names) if name in _WANTED), default=-1)
        actions = [self._action(*one, late=at > last) for at, one in enumerate(fields)]
        self.has = {name for name, do in zip(names, actions, strict=True) if do <= kernel.TEXT}
        self.fields = (actions, [_WANTED.get(name, 0) for name in names], places)
        self.types = (self._kinds, self._firsts, self._seconds, self._members)

    @classmethod
    def of(cls, table: _gob.TypeTable, number: int) -> Layout:
        """Return the layout of a type.

        Raises:
            GobError: the type is not defined, or is no result of vegeta.
        """
        one = table.types.get(number)
        if one is None:
            raise _gob.GobError(f"a value of type {number}, which is not described", 0)
        layout = cls(table, number)
        if not layout.has.issuperset(_NEEDED):
            names = ", ".join(name for name, _ in one.fields)
            raise _gob.GobError(f"{one.kind} {one.name} ({names})", 0)
        return layout

    def _place(self, number: int) -> int:
        """Return where in the tables a type stands, after putting it there."""
        if number in self._places:
            return self._places[number]
        one = self._table.types.get(number)
        if one is None:
            return 0
        self._places[number] = at = len(self._kinds)
        for column in (self._kinds, self._firsts, self._seconds):
            column.append(0)
        kind, first, second = _KINDS[one.kind], 0, 0
        if one.kind == "struct":
            members = [self._place(inner) for _, inner in one.fields]
            first, second = len(self._members), len(members)
            self._members += members
        elif one.kind == "map":
            first, second = self._place(one.key), self._place(one.elem)
        elif one.kind != "opaque":
            first = self._place(one.elem)
        self._kinds[at], self._firsts[at], self._seconds[at] = kind, first, second
        return at

    def _action(self, name: str, number: int, *, late: bool) -> int:
        kind = self._kinds[self._places.get(number, 0)]
        if name == "Timestamp" and number > _gob.COMPLEX and kind == kernel.K_DATA:
            return kernel.TIME
        if name in _NUMBERS and number in {_gob.INT, _gob.UINT}:
            return kernel.INT if number == _gob.INT else kernel.UINT
        if name in _TEXTS and number == _gob.STRING:
            return kernel.TEXT
        if kind in {kernel.K_NUMBER, kernel.K_DATA}:
            return kernel.NUMBER if kind == kernel.K_NUMBER else kernel.DATA
        return kernel.REST if kind == kernel.K_MAP and late else kernel.NESTED


class Decoder:
    """Decodes a stream that comes in windows.

    Args:
        compiled: Whether to use machine code, where there is a compiler.

    Attributes:
        done: Bytes of the last window that are decoded; the next begins there.
        needed: Bytes that the next window must have at least.
        total: Results decoded so far.
        failure: Why the stream cannot be decoded further.
    """

    def __init__(self, *, compiled: bool) -> None:
        loops = load() if compiled else None
        self._compiled = loops is not None
        self._scan: Any = loops.scan if loops else kernel.scan
        self._names = [CompiledNames(loops.intern) if loops else Names() for _ in _TEXTS]
        self._stack: Any = np.zeros(kernel.STACK, np.int64) if loops else [0] * kernel.STACK
        self._table = _gob.TypeTable()
        self._layout: Layout | None = None
        self._tables = self._as_arguments(None)
        self._texts = np.zeros((2, len(_TEXTS), ROWS), np.int64)
        self._row = 0
        self._new_columns()
        self.done = self.needed = self.total = 0
        self.failure: Failure | None = None

    def feed(self, window: bytes | memoryview) -> Iterator[RequestBatch]:
        """Decode the messages of a window, as far as they are complete."""
        buf = self._readable(window)
        pos, how, more = 0, kernel.FULL, 0
        while how == kernel.FULL:
            rows = (self._row, min(self._row + _BLOCK, ROWS))
            span = (pos, len(buf))
            texts = (self._texts,) if self._compiled else (self._texts[0], self._texts[1])
            pos, self._row, how, more = self._scan(
                buf, span, rows, *self._tables, self._stack, self._out, *texts
            )
            self._intern(buf, rows[0])
            if self._row == ROWS:
                yield from self.flush()
            if how == kernel.OTHER:
                message = bytes(window[pos : pos + more + 9])
                yield from self._take_in(message, pos)
                pos, how = self.done, kernel.FULL if self.failure is None else how
        self.done, self.needed = pos, more if how == kernel.CUT else 0
        if how in {kernel.BAD, kernel.LARGE}:
            self.failure = _failure(window, how, pos=pos, more=more)

    def _readable(self, window: bytes | memoryview) -> Any:  # noqa: ANN401
        if not self._compiled:
            return bytes(window)
        return np.frombuffer(window, np.uint8)

    def flush(self) -> Iterator[RequestBatch]:
        """Yield the rows that are no batch yet."""
        if self._row:
            yield self._batch()
            self._row = 0
            self._new_columns()

    def _new_columns(self) -> None:
        self._out = np.zeros((len(_NUMBERS), ROWS), np.int64)
        self._texts[1] = 0
        self._codes = np.empty((len(_TEXTS), ROWS), np.int32)

    def _intern(self, buf: Any, first: int) -> None:  # noqa: ANN401
        self.total += self._row - first
        if self._layout is None or self._row == first:
            return
        for slot, name in enumerate(_TEXTS):
            if name in self._layout.has:
                texts = (self._texts[0, slot], self._texts[1, slot])
                self._names[slot].add(buf, (first, self._row), texts, self._codes[slot])

    def _take_in(self, message: bytes, pos: int) -> Iterator[RequestBatch]:
        """Take in a message that is no result of the type known so far.

        A definition is put into the table and makes the next value come here. A
        value stays where it is, and the layout of its type is put in place.
        """
        header = _gob.Reader(message)
        length = header.uint()
        body = message[header.pos : header.pos + length]
        try:
            defined = _gob.read_definition(body)
            if defined is not None:
                self._table.define(*defined)
                self._tables = self._as_arguments(None)
                self.done = pos + header.pos + length
                return
            layout = Layout.of(self._table, _gob.Reader(body).int())
        except _gob.GobError as error:
            at = pos + header.pos + error.at
            hint = "the file is damaged here, or is no result of vegeta"
            self.failure = Failure(at, "the description of vegeta's results", str(error), hint)
            return
        if self._layout is not None and layout.has != self._layout.has:
            yield from self.flush()
        self._layout, self._tables = layout, self._as_arguments(layout)
        self.done = pos

    def _as_arguments(self, layout: Layout | None) -> tuple[Any, Any]:
        """Return layout and types as the loops want them; without one no value fits."""
        opening = -1 if layout is None else 2 * layout.number
        empty: list[list[int]] = [[0]] * 7
        parts = empty if layout is None else [*layout.fields, *layout.types]
        if self._compiled:
            fields, kinds = np.array(parts[:3], np.int64), np.array(parts[3:6], np.int64)
            return (opening, LONGEST, fields), (kinds, np.array(parts[6], np.int64))
        return (opening, LONGEST, *parts[:3]), tuple(parts[3:])

    def _batch(self) -> RequestBatch:
        rows = slice(self._row)
        has = set() if self._layout is None else self._layout.has
        number = {name: row[rows] for name, row in zip(_NUMBERS, self._out, strict=True)}
        code = {name: row[rows] for name, row in zip(_TEXTS, self._codes, strict=True)}
        attacks, errors, methods, urls = (names.texts for names in self._names)
        return RequestBatch(
            latency_ns=number["Latency"],
            started_ns=number["Timestamp"],
            status=np.clip(number["Code"], -1, 1000).astype(np.int32),
            received_bytes=number["BytesIn"] if "BytesIn" in has else None,
            sent_bytes=number["BytesOut"] if "BytesOut" in has else None,
            seq=number["Seq"] if "Seq" in has else None,
            attack=code["Attack"] if "Attack" in has else None,
            error=code["Error"] if "Error" in has else None,
            method=code["Method"] if "Method" in has else None,
            url=code["URL"] if "URL" in has else None,
            attacks=attacks,
            errors=errors,
            methods=methods,
            urls=urls,
        )


def _failure(window: bytes | memoryview, how: int, *, pos: int, more: int) -> Failure:
    if how == kernel.LARGE:
        found = f"one of {more:,} bytes"
        hint = "the file is damaged here; or record without bodies, with -max-body 0"
        return Failure(pos, f"a result of at most {LONGEST:,} bytes", found, hint)
    found = bytes(window[more : more + 8]).hex(" ") or "its end"
    return Failure(more, "a field of vegeta's result", found, "the file is damaged here")
