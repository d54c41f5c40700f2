"""What a table is: its columns with their types, and dataframes made and checked by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

ColumnKind = Literal["string", "int", "float", "bool", "instant"]

_DTYPES: Final[Mapping[ColumnKind, str]] = {
    "string": "string",
    "int": "Int64",
    "float": "Float64",
    "bool": "boolean",
    "instant": "datetime64[ns, UTC]",
}


def _instant(value: Any) -> np.datetime64:  # noqa: ANN401 - an instant of any library
    import numpy as np

    if isinstance(value, np.datetime64):
        instant: np.datetime64 = value.astype("datetime64[ns]")
        return instant
    if hasattr(value, "to_datetime64"):  # pandas, which is not imported for this
        return _instant(value.to_datetime64())
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(value, "ns")


_VALUES: Final[Mapping[ColumnKind, Callable[[Any], Any]]] = {
    "string": str,
    "int": int,
    "float": float,
    "bool": bool,
    "instant": _instant,
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name carries the unit; `required` ones are never NA.

    Attributes:
        values: All that a text can be, nothing where it is free.
        least: What no number is below.
        most: What no number is above.
        is_object: Whether a text is a JSON object.
    """

    name: str
    kind: ColumnKind
    meaning: str
    unit: str = ""
    required: bool = False
    values: tuple[str, ...] = ()
    least: float = 0.0
    most: float = math.inf
    is_object: bool = False

    @property
    def dtype(self) -> str:
        """The pandas type, always one that can hold NA."""
        return _DTYPES[self.kind]


@dataclass(frozen=True)
class Table:
    """One table: what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def kinds(self) -> Mapping[str, ColumnKind]:
        """The kind of each column by its name."""
        return {column.name: column.kind for column in self.columns}

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def record(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with every column of this table, each of its kind, None for missing.

        Values are plain Python's; instants are UTC without a zone, to the nanosecond.

        Raises:
            ValueError: a column that the table does not have.
        """
        kinds = self.kinds
        record = dict.fromkeys(kinds)
        for name, value in row.items():
            if name not in kinds:
                unknown = ", ".join(sorted(row.keys() - kinds.keys()))
                raise ValueError(f"table {self.name} has no column {unknown}")
            if value is not None:
                record[name] = _VALUES[kinds[name]](value)
        return record

    def frame(self, rows: Iterable[Mapping[str, Any]] = ()) -> pd.DataFrame:
        """Return validated rows as a dataframe with exactly this table's columns.

        Args:
            rows: One mapping per row; absent keys and None become NA.

        Raises:
            ValueError: a column that the table does not have, a required value
                that is missing, or a value outside a column's list.
        """
        listed = list(rows)
        names = [*self.names, *sorted({key for row in listed for key in row} - set(self.names))]
        return self.of_columns({name: [row.get(name) for row in listed] for name in names})

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
        """Return the same from values per column, all equally many.

        Raises:
            ValueError: as `frame`.
        """
        import pandas as pd

        unknown = [name for name in columns if name not in self.names]
        if unknown:
            raise ValueError(f"table {self.name} has no column {', '.join(unknown)}")
        size = max((len(values) for values in columns.values()), default=0)
        missing = [None] * size
        data = {
            column.name: pd.array(
                columns.get(column.name, missing),  # type: ignore[call-overload]
                dtype=column.dtype,
            )
            for column in self.columns
        }
        frame = pd.DataFrame(data)
        self.validate(frame)
        return frame

    def typed(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a saved table with exactly these columns, each of its type.

        Columns that it lacks are missing in every row, and those not known are left out.

        Raises:
            ValueError: as `validate`, or values that have no such type.
        """
        known = frame.reindex(columns=list(self.names))
        result = known.astype({column.name: column.dtype for column in self.columns})
        self.validate(result)
        return result

    def validate(self, frame: pd.DataFrame) -> None:
        """Check names, types, required values and value lists.

        Raises:
            ValueError: the first thing that does not hold.
        """
        if tuple(frame.columns) != self.names:
            raise ValueError(f"table {self.name}: columns are {list(frame.columns)}")
        for column in self.columns:
            series = frame[column.name]
            if str(series.dtype) != column.dtype:
                raise ValueError(f"{self.name}.{column.name}: {series.dtype}, not {column.dtype}")
            if column.required and bool(series.isna().any()):
                raise ValueError(f"{self.name}.{column.name} is missing in a row")
            if column.values and not bool(series.dropna().isin(column.values).all()):
                msg = f"{self.name}.{column.name}: not one of {', '.join(column.values)}"
                raise ValueError(msg)


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as a dictionary per row, NA as None."""
    names = [str(name) for name in frame.columns]
    columns = [frame[name].array.to_numpy(dtype=object, na_value=None).tolist() for name in names]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
