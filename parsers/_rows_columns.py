"""What stands in a column of rows, and how it becomes an array: of pyarrow's, or of values.

Numbers become whole numbers of ns, bytes or the like; texts become codes into a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from ._texts import TextCodes

    #: The columns of some rows by field, each as long as there are rows.
    Arrays = dict[str, npt.NDArray[Any]]

_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,3})?")
_INSTANT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: Stands for an instant outside of what fits: a row that cannot be.
NO_TIME: Final = -(2**63)
#: Below this a float times 10⁹ is off by less than half, and rounds to what its decimals say.
_FLOATS: Final = 2.0**51

#: `s`, `ms`, `us` as factors to ns.
S: Final = 10**9
MS: Final = 10**6
US: Final = 10**3


class ValueKind(Protocol):
    """What stands in a column.

    Attributes:
        expected: What a row should have there, for a message.
        is_text: Whether pyarrow is to read it as text.
    """

    @property
    def expected(self) -> str: ...
    @property
    def is_text(self) -> bool: ...

    def arrow(self, *, exact: bool) -> pa.DataType:
        """Return as what pyarrow reads it; if not `exact`, with more digits than can be kept."""

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[Any]:  # noqa: ANN401
        """Return pyarrow's column without nulls as numbers; raises what it likes."""

    def value(self, raw: object, names: TextCodes) -> int | None:
        """Return a value of the csv or json module as a number, None where it is none."""


@dataclass(frozen=True)
class Number:
    """A number, and how many ns (bytes, …) its unit has.

    Attributes:
        factor: A power of ten.
        whole: Whether it has no decimals; else it is rounded to the nearest ns.
    """

    factor: int = 1
    whole: bool = True
    is_text: bool = False

    @property
    def expected(self) -> str:
        """What a row should have."""
        return "a whole number" if self.whole else "a number"

    def arrow(self, *, exact: bool) -> pa.DataType:
        """Return int64, or decimals down to the ns, or floats where there are finer ones."""
        import pyarrow as pa

        if self.whole:
            return pa.int64()
        return pa.decimal128(38, len(str(self.factor)) - 1) if exact else pa.float64()

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[np.int64]:  # noqa: ANN401, ARG002
        """Return the numbers times the factor."""
        import numpy as np
        import pyarrow as pa

        if pa.types.is_decimal(column.type):
            halves = np.frombuffer(column.buffers()[1], "<i8").reshape(-1, 2)
            low, high = halves[column.offset : column.offset + len(column)].T
            if (high != low >> 63).any():
                raise OverflowError
            return np.ascontiguousarray(low)
        numbers = column.to_numpy(zero_copy_only=False)
        if self.whole:
            most = (2**63 - 1) // self.factor
            if self.factor > 1 and not ((numbers >= -most) & (numbers <= most)).all():
                raise OverflowError
            whole: npt.NDArray[np.int64] = numbers if self.factor == 1 else numbers * self.factor
            return whole
        scaled = numbers * float(self.factor)
        if not (np.abs(scaled) < _FLOATS).all():
            raise OverflowError
        rounded: npt.NDArray[np.int64] = np.rint(scaled).astype(np.int64)
        return rounded

    def value(self, raw: object, names: TextCodes) -> int | None:  # noqa: ARG002
        """Return a number times the factor."""
        if isinstance(raw, bool) or not isinstance(raw, (str, int, Decimal)):
            return None
        text = str(raw)
        if not (_WHOLE if self.whole else _DECIMAL).fullmatch(text):
            return None
        scaled = Decimal(text) * self.factor
        return int(scaled.to_integral_value()) if abs(scaled) < 2**63 else None


@dataclass(frozen=True)
class Instant:
    """An instant as RFC 3339 has it, in ns since 1970 UTC."""

    expected: str = "an RFC 3339 instant"
    is_text: bool = False

    def arrow(self, *, exact: bool) -> pa.DataType:  # noqa: ARG002
        """Return text: pyarrow reads an instant from it."""
        import pyarrow as pa

        return pa.string()

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[np.int64]:  # noqa: ANN401, ARG002
        """Return ns since 1970."""
        import pyarrow as pa

        instants = column.cast(pa.timestamp("ns", tz="UTC")).cast(pa.int64())
        numbers: npt.NDArray[np.int64] = instants.to_numpy(zero_copy_only=False)
        return numbers

    def value(self, raw: object, names: TextCodes) -> int | None:  # noqa: ARG002
        """Return ns since 1970, NO_TIME for what does not fit."""
        matched = _INSTANT.fullmatch(raw) if isinstance(raw, str) else None
        if matched is None:
            return None
        year, month, day, hour, minute, second = (int(matched[part]) for part in range(1, 7))
        offset = timedelta(hours=int(matched[9] or 0), minutes=int(matched[10] or 0))
        try:
            instant = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
            since = instant - _EPOCH - (-offset if matched[8] == "-" else offset)
        except (ValueError, OverflowError):
            return None
        seconds = since.days * 86_400 + since.seconds
        instant_ns = seconds * 10**9 + int((matched[7] or "0").ljust(9, "0"))
        return instant_ns if abs(instant_ns) < 2**63 else NO_TIME


@dataclass(frozen=True)
class CodedText:
    """A text, as its code; an empty one is none, -1."""

    expected: str = "a text"
    is_text: bool = True

    def arrow(self, *, exact: bool) -> pa.DataType:  # noqa: ARG002
        """Return bytes, each once."""
        import pyarrow as pa

        return pa.dictionary(pa.int32(), pa.binary())

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[np.int32]:  # noqa: ANN401
        """Return the codes of a dictionary column in the file's own list of texts."""
        import numpy as np

        texts = [*(text or b"" for text in column.dictionary.to_pylist()), b""]
        at = column.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)
        codes = np.full(len(texts), -1, np.int32)
        for number in in_order(at):  # rows that do not count may have others
            if texts[number]:
                codes[number] = names.code(texts[number])
        coded: npt.NDArray[np.int32] = codes[at]
        return coded

    def value(self, raw: object, names: TextCodes) -> int | None:
        """Return the code; what is no text is none."""
        if not isinstance(raw, str) or not raw:
            return -1
        return names.code(raw.encode("utf-8", "backslashreplace"))


@dataclass(frozen=True)
class Converted:
    """A number that follows from a text, of which there are few.

    Attributes:
        of_text: Returns it, None for a text that should not be there.
    """

    of_text: Callable[[str], int | None]
    expected: str
    is_text: bool = True

    def arrow(self, *, exact: bool) -> pa.DataType:
        """Return bytes, each once."""
        return CodedText().arrow(exact=exact)

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[np.int64]:  # noqa: ANN401, ARG002
        """Return the numbers of a dictionary column."""
        import numpy as np

        texts = [text or b"" for text in column.dictionary.to_pylist()]
        at = column.indices.to_numpy(zero_copy_only=False)
        used = np.bincount(at, minlength=len(texts))
        meant = [
            self.of_text(text.decode("utf-8", "backslashreplace")) if count else 0
            for text, count in zip(texts, used.tolist(), strict=True)
        ]
        if None in meant:
            raise ValueError(self.expected)
        numbers: npt.NDArray[np.int64] = np.array(meant, np.int64)[at]
        return numbers

    def value(self, raw: object, names: TextCodes) -> int | None:  # noqa: ARG002
        """Return the number of a text."""
        return self.of_text(str(raw)) if isinstance(raw, (str, int)) else None


def status_of(text: str) -> int | None:
    """Return the code of an HTTP status, 0 where there is another text, or none."""
    return int(text) if re.fullmatch("[1-9][0-9]{2}", text) else 0


#: An HTTP status; what is no number of three digits is no response.
STATUS: Final = Converted(status_of, "an HTTP status")


@dataclass(frozen=True)
class RowField:
    """A column of rows.

    Attributes:
        field: The field of `RequestBatch`, or another name for `Rows.finish`.
        name: By which the file calls it; of JSON within JSON the keys on the way.
        kind: What stands there.
        absent: What a row without it has; None where each row has it.
    """

    field: str
    name: str | tuple[str, ...]
    kind: ValueKind = Number()
    absent: int | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The keys on the way to it."""
        return (self.name,) if isinstance(self.name, str) else self.name

    def array(self, column: Any, names: TextCodes) -> npt.NDArray[Any]:  # noqa: ANN401
        """Return pyarrow's column as numbers; raises what it likes."""
        import numpy as np

        if isinstance(self.kind, CodedText) or not column.null_count:
            return self.kind.array(column, names)
        if self.absent is None:
            msg = f"{self.name} missing in a row"
            raise ValueError(msg)
        there = column.is_valid().to_numpy(zero_copy_only=False)
        numbers = np.full(len(column), self.absent, np.int64)
        numbers[there] = self.kind.array(column.drop_null(), names)
        return numbers


def looked_up(values: npt.NDArray[Any], codes: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
    """Return what each code stands for, -1 for the last value; quickly where all are the same."""
    import numpy as np

    if len(codes) and (codes == codes[0]).all():
        return np.full(len(codes), values[codes[0]])
    return values[codes]


def in_order(codes: npt.NDArray[np.int32]) -> list[int]:
    """Return each code once, in order of appearance."""
    import numpy as np

    order = codes.argsort(kind="stable")
    firsts = order[np.flatnonzero(np.diff(codes[order], prepend=-1))]
    firsts.sort()
    ordered: list[int] = codes[firsts].tolist()
    return ordered


def arrays_of(
    table: pa.Table, columns: Sequence[RowField], names: Mapping[str, TextCodes]
) -> Arrays:
    """Return a table whose columns are called by their fields as arrays; raises what it likes."""
    import pyarrow as pa

    arrays = {}
    there = set(table.column_names)
    for column in columns:
        if column.field in there:
            values = table.column(column.field)
            if column.kind.is_text and not pa.types.is_dictionary(values.type):
                values = values.cast(pa.binary()).dictionary_encode()
            arrays[column.field] = column.array(values.combine_chunks(), names[column.field])
    return arrays


def arrays_of_rows(rows: Sequence[Mapping[str, int]], columns: Sequence[RowField]) -> Arrays:
    """Return rows, each with a number by field, as arrays; fields that no row has are left out."""
    import numpy as np

    arrays: Arrays = {}
    for column in columns:
        if any(column.field in row for row in rows):
            absent = -1 if isinstance(column.kind, CodedText) else column.absent or 0
            kind = np.int32 if isinstance(column.kind, CodedText) else np.int64
            arrays[column.field] = np.array([row.get(column.field, absent) for row in rows], kind)
    return arrays
