"""The two ways to run the loops over a gob stream: as machine code, and as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from . import _gob_compiled
from . import _gob_kernel as kernel
from ._vegeta_names import CompiledNames, Names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Fields = tuple[Sequence[int], Sequence[int], Sequence[int]]
    Types = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]

#: Rows of a batch, few enough for a processor's cache, and rows that are decoded
#: before their texts are coded.
ROWS: Final = 2**15
BLOCK: Final = 2**13
#: Longest message that is read; a result is longer only by its body.
LONGEST: Final = 2**26

#: (position, rows, how it ended, more about that), as `scan` returns.
_State = tuple[int, int, int, int]


class Loops(Protocol):
    """Decodes windows of a stream into columns.

    Attributes:
        out: Numbers by slot and row.
        codes: Codes of texts by slot and row.
        names: Texts of the codes, by slot.
        rows: How many there are.
    """

    rows: int
    out: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int32]
    names: Sequence[Names]

    def use(self, opening: int, fields: Fields, types: Types, has: Sequence[bool]) -> None:
        """Decode messages of a type from here on, with texts in the slots that `has` tells."""

    def window(self, data: bytes | memoryview) -> None:
        """Look at other bytes from here on."""

    def decode(self, pos: int, row: int) -> _State:
        """Decode from a position into rows from `row` on, at most until they are full."""

    def renew(self) -> None:
        """Make new columns for the next rows."""


def loops(*, numbers: int, texts: int, compiled: bool) -> Loops:
    """Return machine code where it is asked for and there is a compiler, else the plain way."""
    code = _gob_compiled.load() if compiled else None
    return PlainLoops(numbers, texts) if code is None else CompiledLoops(numbers, texts, code)


class PlainLoops:
    """The loops as they stand, over bytes and lists."""

    def __init__(self, numbers: int, texts: int) -> None:
        self.rows = ROWS
        self.names: Sequence[Names] = [Names() for _ in range(texts)]
        self._at = np.zeros((texts, self.rows), np.int64)
        self._shape = (numbers, texts)
        self._stack = [0] * kernel.STACK
        self.renew()

    def renew(self) -> None:
        """Make new columns for the next rows."""
        numbers, texts = self._shape
        self.out = np.zeros((numbers, self.rows), np.int64)
        self.codes = np.empty((texts, self.rows), np.int32)
        self._size = np.zeros((texts, self.rows), np.int64)

    def use(self, opening: int, fields: Fields, types: Types, has: Sequence[bool]) -> None:
        """Decode messages of a type from here on."""
        self._layout, self._types, self._has = (opening, LONGEST, *fields), types, has

    def window(self, data: bytes | memoryview) -> None:
        """Look at other bytes from here on."""
        self._buf = bytes(data)

    def decode(self, pos: int, row: int) -> _State:
        """Decode from a position into rows from `row` on, at most until they are full."""
        state = (pos, row, kernel.FULL, 0)
        while state[2] == kernel.FULL and state[1] < self.rows:
            pos, first, _, _ = state
            rows, span = (first, min(first + BLOCK, self.rows)), (pos, len(self._buf))
            known = (self._layout, self._types, self._stack)
            state = kernel.scan(self._buf, span, rows, *known, self.out, self._at, self._size)
            for slot, names in enumerate(self.names):
                if self._has[slot]:
                    texts = (self._at[slot], self._size[slot])
                    names.add(self._buf, (first, state[1]), texts, self.codes[slot])
        return state


class CompiledLoops:
    """The same as machine code, over arrays."""

    def __init__(self, numbers: int, texts: int, code: Callable[..., int]) -> None:
        self.rows = ROWS
        self._code = code
        self._names = CompiledNames(texts)
        self.names: Sequence[Names] = self._names.columns
        self._texts = np.zeros((2, texts, self.rows), np.int64)
        self._stack = np.zeros(kernel.STACK, np.int64)
        self._shape = (numbers, texts)
        self.renew()

    def renew(self) -> None:
        """Make new columns for the next rows."""
        numbers, texts = self._shape
        self.out = np.zeros((numbers, self.rows), np.int64)
        self.codes = np.empty((texts, self.rows), np.int32)
        self._texts[1] = 0

    def use(self, opening: int, fields: Fields, types: Types, has: Sequence[bool]) -> None:
        """Decode messages of a type from here on."""
        *kinds, members = types
        self._tables = [np.array(one, np.int64) for one in (fields, kinds, members)]
        self._has = np.array(has, np.uint8)
        sizes = (len(fields[0]), len(kinds[0]), len(members), *self._shape, self.rows, BLOCK)
        room = (array.shape[1] for array in self._names.arrays[:3])
        self._numbers = np.array([0, 0, 0, self.rows, opening, LONGEST, *sizes, *room], np.int64)

    def window(self, data: bytes | memoryview) -> None:
        """Look at other bytes from here on."""
        self._buf = np.frombuffer(data, np.uint8)

    def decode(self, pos: int, row: int) -> _State:
        """Decode from a position into rows from `row` on, at most until they are full."""
        numbers = self._numbers
        numbers[:4] = pos, len(self._buf), row, self.rows
        about: tuple[Any, ...] = (*self._tables, self._stack, self.out, self._texts, self.codes)
        self._code(self._buf, numbers, *about, self._has, *self._names.arrays)
        self._names.take(self.codes)
        pos, row, how, more = numbers[:4].tolist()
        return pos, row, how, more
