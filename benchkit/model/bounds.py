"""What numbers a run can have, whoever gives them: a parser, or a saved table."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import printable
from benchkit.schema import TIMELINE, Column, Table

if TYPE_CHECKING:
    import pandas as pd

#: Longer than any run or latency: a century.
LONGEST_S: Final = 100 * 365.25 * 86_400
#: As much as a whole number of a table, and more than any figure.
MOST: Final = 2**63
#: More than anything is done in a second.
_MOST_RPS: Final = 1e12
#: Columns that are added up, and what their sum never reaches.
_COUNTS: Final = ("count", "requests")
_MOST_REQUESTS: Final = 2**62
#: What every row of `timeline` has.
_TIMELINE: Final = ("span_s", "requests")


def most_of(table: Table, column: str) -> float | None:
    """Return what no value of a column reaches, None where there is no such bound."""
    if column.endswith("_rps"):
        return _MOST_RPS
    if column.endswith("_s") and column != "resolution_s":
        return LONGEST_S
    return MOST if table.kinds.get(column) == "int" else None


def require_possible(table: Table, frame: pd.DataFrame) -> None:
    """Make sure that values are such as a run can have: what follows computes with them.

    Raises:
        ValueError: with the first one that is not.
    """
    for column in table.columns:
        name, values = column.name, frame[column.name]
        if column.is_object:
            _require_objects(column, values)
        if column.kind not in {"int", "float"}:
            continue
        most = most_of(table, name) or math.inf
        outside = (values < column.least) | (values > column.most)
        beyond = values[(outside | (values <= -most) | (values >= most)).fillna(value=False)]
        if len(beyond):
            raise ValueError(f"{name} of {beyond.iloc[0]}")
        if name in _COUNTS and float(values.astype("Float64").sum()) >= _MOST_REQUESTS:
            raise ValueError(f"{name} of more requests than 62 bits count")
    for name in _TIMELINE if table is TIMELINE else ():
        if bool(frame[name].isna().any()):
            raise ValueError(f"a row without {name}")


def _require_objects(column: Column, texts: pd.Series[Any]) -> None:
    for text in texts.dropna().unique():
        if not _is_object(text):
            raise ValueError(f"{column.name} of {printable(text)}, which is no JSON object")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text, parse_float=_finite, parse_constant=_finite), dict)
    except (ValueError, RecursionError):
        return False


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number
