"""Messages of a gob stream to columns of vegeta's results, window by window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from benchkit.parsing import RequestBatch

from . import _gob
from . import _gob_kernel as kernel
from ._vegeta_loops import LONGEST, loops

_NUMBERS: Final = ("Seq", "Timestamp", "Latency", "BytesOut", "BytesIn")
_TEXTS: Final = ("Attack", "Error", "Method", "URL")
_STATUS: Final = "Code"
_NEEDED: Final = ("Code", "Timestamp", "Latency")
_WANTED: Final = {
    name: slot for names in (_NUMBERS, (*_TEXTS, _STATUS)) for slot, name in enumerate(names)
}
_FOR_COLUMNS: Final = (
    *(kernel.UINT, kernel.INT, kernel.TIME, kernel.TEXT),
    *(kernel.STATUS, kernel.SIGNED_STATUS),
)
_KINDS: Final = {
    "array": kernel.K_LIST,
    "slice": kernel.K_LIST,
    "map": kernel.K_MAP,
    "struct": kernel.K_STRUCT,
    "opaque": kernel.K_DATA,
}
_NO_FIELDS: Final = ([0], [0], [0])
_NO_TYPES: Final = ([0], [0], [0], [0])


@dataclass(frozen=True)
class Failure:
    """Why decoding stopped: where in the window, and the parts of the message."""

    at: int
    expected: str
    actual: str
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
        self._rows = {known: known for known in range(1, 8)}
        self._kinds = [
            kernel.K_UNKNOWN,
            *[kernel.K_NUMBER] * 4,
            *[kernel.K_DATA] * 2,
            kernel.K_PAIR,
        ]
        self._firsts, self._seconds, self._members = [0] * 8, [0] * 8, [0]
        fields = table.types[number].fields
        names = [name for name, _ in fields]
        rows = [self._row(inner) for _, inner in fields]
        last = max((at for at, name in enumerate(names) if name in _WANTED), default=-1)
        actions = [self._action(*field, late=at > last) for at, field in enumerate(fields)]
        self.has = {name for name, do in zip(names, actions, strict=True) if do in _FOR_COLUMNS}
        self.fields = (actions, [_WANTED.get(name, 0) for name in names], rows)
        self.types = (self._kinds, self._firsts, self._seconds, self._members)

    @classmethod
    def from_table(cls, table: _gob.TypeTable, number: int) -> Layout:
        """Return the layout of a type.

        Raises:
            GobError: the type is not defined, or is no result of vegeta.
        """
        result = table.types.get(number)
        if result is None:
            raise _gob.GobError(f"a value of type {number}, which is not described", 0)
        layout = cls(table, number)
        if not layout.has.issuperset(_NEEDED):
            names = ", ".join(name for name, _ in result.fields)
            raise _gob.GobError(f"{result.kind} {result.name} ({names})", 0)
        return layout

    def _row(self, number: int) -> int:
        """Return the row of the tables in which a type stands, after putting it there."""
        if number in self._rows:
            return self._rows[number]
        defined = self._table.types.get(number)
        if defined is None:
            return 0
        self._rows[number] = at = len(self._kinds)
        for column in (self._kinds, self._firsts, self._seconds):
            column.append(0)
        kind, first, second = _KINDS[defined.kind], 0, 0
        if defined.kind == "struct":
            members = [self._row(inner) for _, inner in defined.fields]
            first, second = len(self._members), len(members)
            self._members += members
        elif defined.kind == "map":
            first, second = self._row(defined.key), self._row(defined.elem)
        elif defined.kind != "opaque":
            first = self._row(defined.elem)
        self._kinds[at], self._firsts[at], self._seconds[at] = kind, first, second
        return at

    def _action(self, name: str, number: int, *, late: bool) -> int:
        kind = self._kinds[self._rows.get(number, 0)]
        if name == "Timestamp" and number > _gob.COMPLEX and kind == kernel.K_DATA:
            return kernel.TIME
        if name in _NUMBERS and number in {_gob.INT, _gob.UINT}:
            return kernel.INT if number == _gob.INT else kernel.UINT
        if name == _STATUS and number in {_gob.INT, _gob.UINT}:
            return kernel.SIGNED_STATUS if number == _gob.INT else kernel.STATUS
        if name in _TEXTS and number == _gob.STRING:
            return kernel.TEXT
        if kind in {kernel.K_NUMBER, kernel.K_DATA}:
            return kernel.NUMBER if kind == kernel.K_NUMBER else kernel.DATA
        return kernel.REST if kind == kernel.K_MAP and late else kernel.NESTED


class Decoder:
    """Decodes a stream that comes in windows.

    Args:
        compiled: Whether to use machine code, where there is a compiler.
        renewed: Whether each batch has arrays of its own; else those of the one before.

    Attributes:
        done: Bytes of the last window that are decoded; the next begins there.
        needed: Bytes that the next window must have at least.
        total: Results decoded so far.
        failure: Why the stream cannot be decoded further.
    """

    def __init__(self, *, compiled: bool, renewed: bool = True) -> None:
        self._renewed = renewed
        self._loops = loops(numbers=len(_NUMBERS), texts=len(_TEXTS), compiled=compiled)
        self._table = _gob.TypeTable()
        self._layout: Layout | None = None
        self._use(None)
        self._row = 0
        self.done = self.needed = self.total = 0
        self.failure: Failure | None = None

    @property
    def types(self) -> Mapping[int, _gob.Type]:
        """The types that are defined so far, by number."""
        return dict(self._table.types)

    def crowded(self, share: int) -> bool:
        """Whether there are too many texts for so many parts of a stream to be added."""
        return any(names.crowded(share) for names in self._loops.names)

    def feed(self, window: bytes | memoryview) -> Iterator[RequestBatch]:
        """Decode the messages of a window, as far as they are complete."""
        self._loops.window(window)
        pos, how, more = 0, kernel.FULL, 0
        while how == kernel.FULL:
            first = self._row
            pos, self._row, how, more = self._loops.decode(pos, first)
            self.total += self._row - first
            if self._row == self._loops.rows:
                yield from self.flush()
            if how == kernel.OTHER:
                message = bytes(window[pos : pos + more + 9])
                yield from self._take_in(message, pos)
                pos, how = self.done, kernel.FULL if self.failure is None else how
        self.done, self.needed = pos, more if how == kernel.CUT else 0
        if how in {kernel.BAD, kernel.LARGE}:
            self.failure = _failure(window, how, pos=pos, more=more)

    def flush(self) -> Iterator[RequestBatch]:
        """Yield the rows that are no batch yet."""
        if self._row:
            yield self._batch()
            self._row = 0
            if self._renewed:
                self._loops.renew()
            else:
                self._loops.clear()

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
                self._use(None)
                self.done = pos + header.pos + length
                return
            layout = Layout.from_table(self._table, _gob.Reader(body).int())
        except _gob.GobError as error:
            at = pos + header.pos + error.at
            hint = "the file is damaged here, or is no result of vegeta"
            self.failure = Failure(at, "the description of vegeta's results", str(error), hint)
            return
        if self._layout is not None and layout.has != self._layout.has:
            yield from self.flush()
        self._layout = layout
        self._use(layout)
        self.done = pos

    def _use(self, layout: Layout | None) -> None:
        """Let the loops know a layout; without one no value fits."""
        if layout is None:
            self._loops.use(-1, _NO_FIELDS, _NO_TYPES)
        else:
            self._loops.use(2 * layout.number, layout.fields, layout.types)

    def _batch(self) -> RequestBatch:
        rows = slice(self._row)
        has = set() if self._layout is None else self._layout.has
        number = {name: row[rows] for name, row in zip(_NUMBERS, self._loops.out, strict=True)}
        *texts, status = (row[rows] for row in self._loops.codes)
        code = dict(zip(_TEXTS, texts, strict=True))
        attacks, errors, methods, urls = (names.texts for names in self._loops.names)
        return RequestBatch(
            latency_ns=number["Latency"],
            started_ns=number["Timestamp"],
            status=status,
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
        actual = f"one of {more:,} bytes"
        hint = "the file is damaged here; or record without bodies, with -max-body 0"
        return Failure(pos, f"a result of at most {LONGEST:,} bytes", actual, hint)
    actual = bytes(window[more : more + 8]).hex(" ") or "its end"
    return Failure(more, "a field of vegeta's result", actual, "the file is damaged here")
