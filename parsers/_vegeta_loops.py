"""The two ways to run the loops over a gob stream: as machine code, and as they stand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

import numpy as np

from . import _gob_compiled
from . import _gob_kernel as kernel
from ._compiled_texts import CompiledCodes
from ._texts import TextCodes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Fields = tuple[Sequence[int], Sequence[int], Sequence[int]]
    Types = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]

#: Rows of a batch, few enough for a processor's cache.
ROWS: Final = 2**14
#: Longest message that is read; a result is longer only by its body.
LONGEST: Final = 2**26

#: (position, rows, how it ended, more about that), as `scan` returns.
_ScanState = tuple[int, int, int, int]


class Loops(ABC):
    """Decodes windows of a stream into columns.

    Attributes:
        rows: How many rows there are.
        out: Numbers by slot and row.
        codes: Codes of texts by slot and row; then status codes by row.
        names: Texts of the codes, by slot.
    """

    names: Sequence[TextCodes]

    def __init__(self, numbers: int, texts: int) -> None:
        self.rows = ROWS
        self._shape = (numbers, texts)
        self.renew()

    def renew(self) -> None:
        """Make new columns for the next rows."""
        numbers, texts = self._shape
        self.out: npt.NDArray[np.int64] = np.zeros((numbers, self.rows), np.int64)
        self.codes: npt.NDArray[np.int32] = np.full((texts + 1, self.rows), -1, np.int32)
        self.codes[texts] = 0

    def clear(self) -> None:
        """Make the columns ready for other rows."""
        texts = self._shape[1]
        self.out.fill(0)
        self.codes[:texts].fill(-1)
        self.codes[texts] = 0

    @abstractmethod
    def use(self, opening: int, fields: Fields, types: Types) -> None:
        """Decode messages of a type from here on."""

    @abstractmethod
    def window(self, data: bytes | memoryview) -> None:
        """Look at other bytes from here on."""

    @abstractmethod
    def decode(self, pos: int, row: int) -> _ScanState:
        """Decode from a position into rows from `row` on, at most until they are full."""


def loops(*, numbers: int, texts: int, compiled: bool) -> Loops:
    """Return machine code where it is asked for and there is a compiler, else the plain way."""
    code = _gob_compiled.load() if compiled else None
    if code is None:
        return _PlainLoops(numbers, texts)
    return _CompiledLoops(numbers, texts, code.caller())


class _PlainLoops(Loops):
    """The loops as they stand, over bytes and lists."""

    def __init__(self, numbers: int, texts: int) -> None:
        super().__init__(numbers, texts)
        self.names = [TextCodes() for _ in range(texts)]
        self._stack = [0] * kernel.STACK

    def use(self, opening: int, fields: Fields, types: Types) -> None:
        actions, slots, field_types = fields
        columns = [slot * self.rows for slot in slots]
        self._layout = (opening, LONGEST, len(actions), actions, slots, columns, field_types)
        self._types = types

    def window(self, data: bytes | memoryview) -> None:
        self._buf = bytes(data)

    def decode(self, pos: int, row: int) -> _ScanState:
        span, rows = (pos, len(self._buf)), (row, self.rows)
        known = (self._layout, self._types, self._stack)
        out, codes = self.out.reshape(-1), self.codes.reshape(-1)
        return kernel.scan(self._buf, span, rows, *known, out, codes, self.names)


class _CompiledLoops(Loops):
    """The same as machine code, over arrays."""

    def __init__(self, numbers: int, texts: int, code: Callable[..., int]) -> None:
        super().__init__(numbers, texts)
        self._code = code
        self._names = CompiledCodes(texts)
        self.names = self._names.columns
        self._stack = np.zeros(kernel.STACK, np.int64)

    def use(self, opening: int, fields: Fields, types: Types) -> None:
        actions, slots, field_types = fields
        columns = [slot * self.rows for slot in slots]
        tables = (actions, slots, columns, field_types, *types)
        self._tables = [np.array(table, np.int64) for table in tables]
        room = (*self._names.room, self._names.seed)
        numbers = [0, 0, 0, self.rows, opening, LONGEST, len(actions), *room]
        self._numbers = np.array(numbers, np.int64)

    def window(self, data: bytes | memoryview) -> None:
        self._buf = np.frombuffer(data, np.uint8)

    def decode(self, pos: int, row: int) -> _ScanState:
        numbers = self._numbers
        numbers[:4] = pos, len(self._buf), row, self.rows
        about = (*self._tables, self._stack, self.out, self.codes)
        self._code(self._buf, numbers, *about, *self._names.arrays)
        self._names.take(self.codes)
        pos, row, how, more = numbers[:4].tolist()
        return pos, row, how, more
