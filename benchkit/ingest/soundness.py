"""Whether what a parser returned is a run at all: known columns, values of their kinds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from benchkit.errors import InputError
from benchkit.frames import ColumnKind
from benchkit.parsing import RunRecord
from benchkit.schema import RUNS


def require_sound(result: object) -> None:
    """Check that a parser returned a run as `benchkit.parsing` has it, or an InputError.

    Raises:
        TypeError: it did not; the text says what is wrong.
        InputError: it did, and the file gives a value that cannot be.
    """
    if isinstance(result, InputError):
        return
    if not isinstance(result, RunRecord):
        raise TypeError(f"a {type(result).__name__} where a RunRecord or an InputError belongs")
    wrong = next(_faults(result), None)
    if wrong is not None:
        raise TypeError(wrong)
    beyond = next(_impossible(result), None)
    if beyond is not None:
        raise InputError("values that can be", actual=beyond, hint="the file was changed")


def _impossible(record: RunRecord) -> Iterator[str]:
    """Yield values that no run can have, and no table could hold."""
    for name, value in record.columns.items():
        if RUNS.kinds.get(name) == "int" and value is not None and abs(value) >= 2**63:
            yield f"{name} of {value}"
    ratio = record.columns.get("success_ratio")
    if ratio is not None and ratio > 1:
        yield f"a share of successes of {ratio:g}"
    yield from (f"the status {code}" for code in record.statuses if abs(code) >= 2**31)
    counts = (*record.statuses.values(), *record.errors.values())
    yield from (f"a count of {n}" for n in counts if n is not None and abs(n) >= 2**63)


def _faults(record: RunRecord) -> Iterator[str]:
    yield from _column_faults(record.columns)
    for pair in record.quantiles:
        if not all(is_of("float", number) for number in pair) or not 0 <= pair[0] <= 1:
            yield f"{pair!r} is no quantile with a latency"
    for figure in record.figures:
        if not is_of("float", figure.value):
            yield f"{figure!r} is no figure"
    for code, count in record.statuses.items():
        if not (is_of("int", code) and is_of("int", count)):
            yield f"{code!r}: {count!r} is no count of a status"
    for text, times in record.errors.items():
        if not (is_of("string", text) and (times is None or is_of("int", times))):
            yield f"{text!r}: {times!r} is no count of an error"
    notes = (*record.notes, *record.lost)
    yield from (f"{note!r} is no note" for note in notes if not is_of("string", note))


def _column_faults(columns: Mapping[str, Any]) -> Iterator[str]:
    for name, value in columns.items():
        kind = RUNS.kinds.get(name)
        if kind is None:
            yield f"{name!r} is no column of runs"
        elif value is not None and not is_of(kind, value):
            yield f"{name} is {value!r}, which is no {kind}"


def is_of(kind: ColumnKind, value: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    """Whether a value is one that a column of a kind takes."""
    if kind == "float":
        return _is_number(value) and math.isfinite(value)
    if kind == "int":
        return _is_number(value) and math.isfinite(value) and int(value) == value
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    return isinstance(value, (str, datetime)) or hasattr(value, "astype")


def _is_number(value: Any) -> bool:  # noqa: ANN401 - whatever a parser returned
    return isinstance(value, (int, float)) and not isinstance(value, bool)
