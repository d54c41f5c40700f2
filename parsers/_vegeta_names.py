"""Distinct texts of a column and their codes, with bounded memory."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

#: Distinct texts that are told apart, and bytes of them: addresses and ports in
#: errors, or a query that never repeats, would otherwise fill the memory.
ROOM: Final = 100_000
ROOM_BYTES: Final = 2**23
#: Stands for every text beyond that.
OTHERS: Final = "(one of too many different texts)"

_SLOTS: Final = 2**18


class TextCodes:
    """The texts of one column: `texts[code]`; the list grows as rows are added."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._codes: dict[bytes, int] = {}
        self._bytes = 0
        self._full = False
        self._others: int | None = None

    def code(self, text: bytes) -> int:
        """Return the code of a text, a new one where there is room."""
        code = self._codes.get(text)
        if code is not None:
            return code
        if self._full or len(self.texts) >= ROOM or self._bytes + len(text) > ROOM_BYTES:
            self._full = True
            return self.others
        self._codes[text] = code = len(self.texts)
        self._bytes += len(text)
        self.texts.append(text.decode("utf-8", "backslashreplace"))
        return code

    @property
    def others(self) -> int:
        """The code that stands for every text without room."""
        if self._others is None:
            self._others = len(self.texts)
            self.texts.append(OTHERS)
        return self._others


class CompiledCodes:
    """The texts of several columns, filled by the compiled loop.

    Attributes:
        columns: The texts of each column.
        arrays: (last text, bytes of the texts, where each ends, hash table, how many of
            these are used), a row per column, for the loop.
        room: Bytes, texts and entries of the hash table that a column can have.
        seed: An odd number, so that no file can be made whose texts have equal hashes.
    """

    def __init__(self, columns: int) -> None:
        self.columns = [TextCodes() for _ in range(columns)]
        self.room = (ROOM_BYTES, ROOM, _SLOTS)
        self.seed = secrets.randbits(63) | 1
        self.arrays = (
            np.full((columns, 3), -1, np.int64),
            np.empty((columns, ROOM_BYTES + 8), np.uint8),
            np.empty((columns, ROOM), np.int64),
            np.zeros((columns, _SLOTS), np.int32),
            np.zeros((columns, 2), np.int64),
        )
        self._taken = [[0, 0]] * columns

    def take(self, codes: npt.NDArray[np.int32]) -> None:
        """Take in what the loop found new, and put the right code for texts without room."""
        _, store, stops, _, used = self.arrays
        now = used.tolist()
        for column, names in enumerate(self.columns):
            count, filled = now[column]
            if now[column] != self._taken[column]:
                for code in range(len(names.texts), count):
                    first = int(stops[column, code - 1]) if code else 0
                    raw = store[column, first : int(stops[column, code])].tobytes()
                    names.texts.append(raw.decode("utf-8", "backslashreplace"))
            if filled > ROOM_BYTES:
                part = codes[column]
                part[part == ROOM] = names.others
        self._taken = now
