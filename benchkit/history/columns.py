"""Saved columns as this version has them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from benchkit.export import arrow_schema
from benchkit.schema import TABLES


def known_columns(name: str, rows: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return a saved table (of pyarrow) with the known columns that it has, each of its type.

    Raises:
        ValueError: a column stands there twice, or holds something else.
    """
    import pyarrow as pa

    schema = _schema(name)
    if rows.schema.equals(schema):
        return rows
    names = Counter(rows.column_names)
    if twice := next((name for name, count in names.items() if count > 1), None):
        raise ValueError(f"column {twice} twice")
    fields = [field for field in schema if field.name in names]
    return pa.table([_cast(rows, field) for field in fields], schema=pa.schema(fields))


@cache
def _schema(name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    return arrow_schema(TABLES[name])


def _cast(rows: Any, field: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    column = rows.column(field.name)
    if pa.types.is_null(column.type) or _is_text(column.type) == _is_text(field.type):
        try:
            return column.cast(field.type)
        except pa.ArrowException as error:
            raise ValueError(f"column {field.name}: {error}") from error
    raise ValueError(f"column {field.name} of {column.type}, which is {field.type}")


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))
