"""Distinct texts of a column and their codes, with bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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


class Names:
    """The texts of one column: `texts[code]`; the list grows as rows are added."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._codes: dict[bytes, int] = {}
        self._bytes = 0
        self._full = False
        self._others: int | None = None

    def add(
        self,
        buf: bytes,
        rows: tuple[int, int],
        texts: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
        codes: npt.NDArray[np.int32],
    ) -> None:
        """Write the codes of the texts that stand at `texts` (places, lengths) in `buf`."""
        first, last = rows
        places, sizes = (part[first:last].tolist() for part in texts)
        found = [
            self.code(buf[at : at + size]) if size else -1
            for at, size in zip(places, sizes, strict=True)
        ]
        codes[first:last] = found

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


class CompiledNames(Names):
    """The same, filled by the compiled loop."""

    def __init__(self, intern: Any) -> None:  # noqa: ANN401 - a numba dispatcher
        super().__init__()
        self._intern = intern
        self._store = np.empty(ROOM_BYTES, np.uint8)
        self._ends = np.empty(ROOM, np.int64)
        self._table = np.zeros(_SLOTS, np.int32)
        self._used = (0, 0)

    def add(
        self,
        buf: Any,  # noqa: ANN401 - an array here
        rows: tuple[int, int],
        texts: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
        codes: npt.NDArray[np.int32],
    ) -> None:
        """Write the codes of the texts that stand at `texts` (places, lengths) in `buf`."""
        known = self._used[0]
        names = (self._store, self._ends, self._table)
        self._used = self._intern(buf, rows, texts, codes, names, self._used)
        for code in range(known, self._used[0]):
            first = int(self._ends[code - 1]) if code else 0
            raw = self._store[first : int(self._ends[code])].tobytes()
            self.texts.append(raw.decode("utf-8", "backslashreplace"))
        if self._used[1] > ROOM_BYTES:
            part = codes[rows[0] : rows[1]]
            part[part == ROOM] = self.others
