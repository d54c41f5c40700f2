"""Distinct texts of several columns, filled by a compiled loop."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

import numpy as np

from . import _texts

if TYPE_CHECKING:
    import numpy.typing as npt

_SLOTS: Final = 2**18


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
        self.columns = [_texts.TextCodes() for _ in range(columns)]
        self.room = (_texts.ROOM_BYTES, _texts.ROOM, _SLOTS)
        self.seed = secrets.randbits(63) | 1
        self.arrays = (
            np.full((columns, 3), -1, np.int64),
            np.empty((columns, _texts.ROOM_BYTES + 8), np.uint8),
            np.empty((columns, _texts.ROOM), np.int64),
            np.zeros((columns, _SLOTS), np.int32),
            np.zeros((columns, 2), np.int64),
        )
        self._taken = [[0, 0]] * columns

    @property
    def full(self) -> bool:
        """Whether a text had no room."""
        return bool((self.arrays[-1][:, 1] > _texts.ROOM_BYTES).any())

    def count(self, column: int) -> int:
        """Return how many texts a column has."""
        return int(self.arrays[-1][column, 0])

    def raw(self, column: int, code: int) -> bytes:
        """Return the bytes of a text."""
        _, store, stops, *_ = self.arrays
        first = int(stops[column, code - 1]) if code else 0
        return store[column, first : int(stops[column, code])].tobytes()

    def take(self, codes: npt.NDArray[np.int32]) -> None:
        """Take in what the loop found new, and put the right code for texts without room."""
        now = self.arrays[-1].tolist()
        for column, names in enumerate(self.columns):
            count, filled = now[column]
            if now[column] != self._taken[column]:
                for code in range(len(names.texts), count):
                    names.texts.append(self.raw(column, code).decode("utf-8", "backslashreplace"))
                names.size_bytes = filled
            if filled > _texts.ROOM_BYTES:
                part = codes[column]
                part[part == _texts.ROOM] = names.others
        self._taken = now
