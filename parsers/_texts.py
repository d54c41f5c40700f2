"""Distinct texts of a column and their codes, with bounded memory."""

from __future__ import annotations

from typing import Final

#: Distinct texts that are told apart, and bytes of them: addresses and ports in
#: errors, or a query that never repeats, would otherwise fill the memory.
ROOM: Final = 100_000
ROOM_BYTES: Final = 2**23
#: Stands for every text beyond that.
OTHERS: Final = "(one of too many different texts)"


class TextCodes:
    """The texts of one column: `texts[code]`; the list grows as rows are added.

    Attributes:
        size_bytes: Bytes of all of them.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.size_bytes = 0
        self._codes: dict[bytes, int] = {}
        self._full = False
        self._others: int | None = None

    def code(self, text: bytes) -> int:
        """Return the code of a text, a new one where there is room."""
        code = self._codes.get(text)
        if code is not None:
            return code
        if self._full or len(self.texts) >= ROOM or self.size_bytes + len(text) > ROOM_BYTES:
            self._full = True
            return self.others
        self._codes[text] = code = len(self.texts)
        self.size_bytes += len(text)
        self.texts.append(text.decode("utf-8", "backslashreplace"))
        return code

    def crowded(self, share: int) -> bool:
        """Whether there are more than so many columns of the same room have room for together."""
        return len(self.texts) > ROOM // share or self.size_bytes > ROOM_BYTES // share

    @property
    def others(self) -> int:
        """The code that stands for every text without room."""
        if self._others is None:
            self._others = len(self.texts)
            self.texts.append(OTHERS)
        return self._others
