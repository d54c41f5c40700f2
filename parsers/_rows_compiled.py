"""Rows of text to columns by machine code, where they are plain; pyarrow reads the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from . import _rows_kernel as kernel
from . import _rows_objects_kernel as objects_kernel
from . import _rows_table_kernel as table_kernel
from ._compiled_texts import CompiledCodes
from ._rows import NotPlainError
from ._rows_columns import (
    CodedText,
    Converted,
    Instant,
    Number,
    RowField,
    in_order,
    looked_up,
)
from ._rows_windows import Window

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._rows_columns import Arrays
    from ._texts import TextCodes

_LARGEST: Final = 2**63 - 1
_UNUSED: Final = -2


class Plan:
    """What machine code does with each of some columns or keys.

    Args:
        wanted: By place the column that stands there, the text that must, or None.
    """

    def __init__(self, wanted: Sequence[RowField | str | None]) -> None:
        self.fields = [(at, item) for at, item in enumerate(wanted) if isinstance(item, RowField)]
        self.numbers = [item for _, item in self.fields if not item.kind.is_text]
        self.texts = [item for _, item in self.fields if item.kind.is_text]
        marks = [item.encode() if isinstance(item, str) else b"" for item in wanted]
        rows = [self._row(item) for item in wanted]
        self.arrays = (
            *(np.array(column, np.int64) for column in zip(*rows, strict=True)),
            np.cumsum([0, *map(len, marks)], dtype=np.int64),
            np.frombuffer(b"".join(marks) + bytes(8), np.uint8),
        )

    @staticmethod
    def takes(columns: Sequence[RowField]) -> bool:
        """Whether there is machine code for all of some columns."""
        return all(isinstance(c.kind, Number | Instant | CodedText | Converted) for c in columns)

    def _row(self, item: RowField | str | None) -> tuple[int, ...]:
        """Return action, slot, decimals, scale, largest number and what stands for none."""
        if not isinstance(item, RowField):
            return (kernel.SKIP if item is None else kernel.ONLY, 0, 0, 1, _LARGEST, 0)
        kind = item.kind
        absent = kernel.NEEDED if item.absent is None else item.absent
        if kind.is_text:
            absent = -1 if isinstance(kind, CodedText) else absent
            return (kernel.TEXT, self.texts.index(item), 0, 1, _LARGEST, absent)
        slot = self.numbers.index(item)
        if isinstance(kind, Number):
            decimals = 0 if kind.whole else len(str(kind.factor)) - 1
            scale = kind.factor if kind.whole else 1
            return (kernel.NUMBER, slot, decimals, scale, _LARGEST // scale, absent)
        return (kernel.INSTANT, slot, 0, 1, _LARGEST, absent)


class Scanner:
    """Reads windows of rows, one after another.

    Args:
        call: The loop, as machine code.
        plan: What it does with each column.
        about: Of the table or objects: three numbers that the loop takes.
        more: Arrays that it takes beside those of the plan.
    """

    def __init__(
        self,
        call: Callable[..., int],
        plan: Plan,
        about: tuple[int, int, int],
        more: Callable[[], Sequence[npt.NDArray[Any]]] = tuple,
    ) -> None:
        self._call, self._plan, self._about, self._more = call, plan, about, more
        self._texts = CompiledCodes(max(len(plan.texts), 1))
        self._codes: list[npt.NDArray[np.int32]] = [np.full(1, -1, np.int32) for _ in plan.texts]
        self._alike = [0] * len(plan.texts)  # the first codes of the loop that are the file's, too
        self._out = np.empty((max(len(plan.numbers), 1), 0), np.int64)
        self._coded = np.empty((max(len(plan.texts), 1), 0), np.int32)
        self._converted: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64) for _ in plan.texts]

    def arrays(
        self, window: Window, names: Mapping[str, TextCodes]
    ) -> tuple[Arrays, Sequence[npt.NDArray[Any]]]:
        """Return the columns by field of a window, and the arrays of `more`.

        Raises:
            NotPlainError: something in it is for pyarrow.
        """
        plan, data = self._plan, window.data
        if window.ends >= self._out.shape[1]:  # with room for some more, as windows are alike
            room = window.ends + 1 + window.ends // 8
            self._out = np.empty((len(self._out), room), np.int64)
            self._coded = np.empty((len(self._coded), room), np.int32)
        out, codes, room = self._out, self._coded, self._out.shape[1]
        numbers = [len(data), room, *self._about, *self._texts.room, self._texts.seed]
        numbers += [0] * len(codes)
        more = self._more()
        count = self._call(
            *(np.frombuffer(data, np.uint8), np.array(numbers, np.int64), *plan.arrays),
            *(out, codes, *self._texts.arrays, *more),
        )
        if count < 0 or self._texts.full:
            raise NotPlainError
        arrays: Arrays = {}
        for slot, column in enumerate(plan.numbers):
            arrays[column.field] = out[slot, :count].copy()
        for slot, column in enumerate(plan.texts):
            arrays[column.field] = self._text(slot, column, codes[slot, :count], names)
        return arrays, more

    def _text(
        self,
        slot: int,
        column: RowField,
        codes: npt.NDArray[np.int32],
        names: Mapping[str, TextCodes],
    ) -> npt.NDArray[Any]:
        """Return codes of the loop as those of the file, or as the numbers that they stand for."""
        known = self._texts.count(slot)
        meant = self._codes[slot]
        if not isinstance(column.kind, Converted) and codes.max(initial=-1) < self._alike[slot]:
            return codes.copy()
        if known + 1 > len(meant):  # the last stands for none
            more = np.full(2 * known + 2, _UNUSED, np.int32)
            more[: len(meant) - 1], more[-1] = meant[:-1], -1
            self._codes[slot] = meant = more
        coded = meant[codes]
        new = codes[coded == _UNUSED]
        if len(new):
            for code in in_order(new):
                meant[code] = names[column.field].code(self._texts.raw(slot, code))
            coded = meant[codes]
            same = meant[:known] == np.arange(known)
            self._alike[slot] = known if same.all() else int(same.argmin())
        if not isinstance(column.kind, Converted):
            return coded
        texts = names[column.field].texts
        converted = self._converted[slot]
        if len(converted) != len(texts) + 1:
            values = [column.kind.of_text(text) for text in texts]
            values.append(column.kind.of_text("") if column.absent is None else column.absent)
            if None in values:
                raise NotPlainError
            self._converted[slot] = converted = np.array(values, np.int64)
        return looked_up(converted, coded)


def of_table(
    columns: Sequence[RowField | str | None], delimiter: str, quote: str
) -> Scanner | None:
    """Return what reads a table with some columns, None where there is no machine code for it."""
    wanted = [column for column in columns if isinstance(column, RowField)]
    code = table_kernel.load() if Plan.takes(wanted) else None
    if code is None:
        return None
    about = (len(columns), ord(delimiter), ord(quote) if quote else -1)
    return Scanner(code.caller(), Plan(columns), about)


def of_objects(
    columns: Sequence[RowField], only: Mapping[tuple[str, ...], str]
) -> tuple[Scanner, Mapping[str, int]] | None:
    """Return what reads objects with some values, and the key of each field, None without code."""
    code = objects_kernel.load() if Plan.takes(columns) else None
    if code is None:
        return None
    paths: dict[tuple[str, ...], RowField | str] = {
        **dict(only.items()),
        **{column.path: column for column in columns},
    }
    places = dict.fromkeys(path[:depth] for path in paths for depth in range(1, len(path) + 1))
    keys = [path for path in places if path not in paths] + list(paths)
    nodes = {path: number for number, path in enumerate(keys, 1) if path not in paths}
    names = [path[-1].encode() for path in keys]
    if len(set(paths)) < len(only) + len(columns) or set(nodes) & set(paths):
        return None
    arrays = (
        np.array([nodes.get(path[:-1], 0) for path in keys], np.int64),
        np.array([nodes.get(path, 0) for path in keys], np.int64),
        np.cumsum([0, *map(len, names)], dtype=np.int64),
        np.frombuffer(b"".join(names) + bytes(8), np.uint8),
    )

    def more() -> Sequence[npt.NDArray[Any]]:
        room = (np.empty(objects_kernel.DEEPEST + 1, np.int64), np.zeros(2 * len(keys), np.int64))
        return (*arrays, *room)

    plan = Plan([paths.get(path) for path in keys])
    numbers = {column.field: len(keys) + keys.index(column.path) for column in columns}
    return Scanner(code.caller(), plan, (len(keys), -1, -1), more), numbers
