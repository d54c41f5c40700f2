"""ab's connection times as a table drawn in a page, alone, without the report.

The table is known by its content: rows named as ab names them, and columns
among ab's five. Order and spelling of the columns and the unit may differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.text.tables import DrawnRow, DrawnTable, drawn_tables

from . import _ab

_UNIT: Final = re.compile(
    r"[(\[,]\s*(ns|us|µs|μs|ms|s|sec|seconds?|milliseconds?|msec)\s*[)\]]?\s*$"
    r"|\bin (ms|milliseconds|s|seconds)$|^(ms|milliseconds)$",
    re.IGNORECASE,
)
_UNITS: Final = {
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "millisecond": "ms",
    "milliseconds": "ms",
    "msec": "ms",
}
_NEEDED: Final = {"connect", "processing", "waiting"}
_EMPTY: Final = {"", "-", "–", "—", "n/a", "na"}
_SPREAD: Final = re.compile(
    r"\+\s*/\s*-|±|\bs\.?d\.?\b|\bst(?:an)?d\b|stdev|deviation|\u03c3", re.IGNORECASE
)
_MEAN: Final = re.compile(r"\b(?:mean|average|avg)\b", re.IGNORECASE)
_SIMPLE: Final = {
    "min": "min",
    "minimum": "min",
    "mean": "mean",
    "average": "mean",
    "avg": "mean",
    "median": "median",
    "med": "median",
    "max": "max",
    "maximum": "max",
}
_TWO: Final = re.compile(r"^(\S+?)\s*(?:\s|±|\[?\+/-|\[|\()\s*([0-9][^\s\])]*)[\])]?$")


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield a run for every table of connection times in a text."""
    for table in drawn_tables(text):
        columns = _columns(table)
        if columns is None or not _is_times(table):
            continue
        try:
            yield _read(table, columns)
        except InputError as error:
            yield error


def _is_times(table: DrawnTable) -> bool:
    names = [_name(row) for row in table.rows]
    known = {name.lower() for name in _ab.ROWS}
    return _NEEDED <= set(names) <= known and len(names) == len(set(names))


def _name(row: DrawnRow) -> str:
    first = row.cells[0] if row.cells else ""
    return _bare(first).removesuffix(" time").removesuffix(" times")


def _bare(cell: str) -> str:
    return _UNIT.sub("", cell).strip(" :*_`").lower()


def _columns(table: DrawnTable) -> list[tuple[str, str]] | None:
    """Return (statistic, unit) for each column after the first, None for other tables.

    `mean +/-sd` is the deviation where the mean has a column of its own, and
    both in one cell otherwise, called `both`.
    """
    general = _unit(table.header[0]) if table.header else None
    names = [_statistic(cell) for cell in table.header[1:]]
    if names.count("both") and "mean" in names:
        names = ["stdev" if name == "both" else name for name in names]
    kept = [name for name in names if name is not None]
    middle = {"mean", "both", "median"} & set(kept)
    if len(kept) != len(set(kept)) or "max" not in kept or not middle:
        return None
    if "both" in names and all(len(row.cells) == len(names) + 2 for row in table.rows):
        at = names.index("both")
        names[at : at + 1] = ["mean", "stdev"]
        table.header.insert(at + 2, table.header[at + 1])
    given = {unit for cell in table.header[1:] if (unit := _unit(cell))}
    other = given.pop() if len(given) == 1 else "ms"
    units_used = [_unit(cell) or general or other for cell in table.header[1:]]
    return [(name or "", unit) for name, unit in zip(names, units_used, strict=True)]


def _statistic(cell: str) -> str | None:
    bare = _bare(cell)
    if bare in _SIMPLE:
        return _SIMPLE[bare]
    if _SPREAD.search(bare):
        return "both" if _MEAN.search(bare) else "stdev"
    return None


def _unit(cell: str) -> str | None:
    matched = _UNIT.search(cell.strip(" :*_`"))
    if matched is None:
        return None
    unit = next(group for group in matched.groups() if group).lower()
    return _UNITS.get(unit, unit)


def _read(table: DrawnTable, columns: list[tuple[str, str]]) -> RunRecord:
    record = RunRecord(lines=(table.first, table.last))
    for row in table.rows:
        cells: dict[str, _ab.PrintedTime] = {}
        for (statistic, unit), cell in zip(columns, row.cells[1:], strict=False):
            cells |= _printed(cell, statistic=statistic, unit=unit, line=row.line)
        _ab.add_times(record, _name(row).capitalize(), cells)
    return record


def _printed(cell: str, *, statistic: str, unit: str, line: int) -> dict[str, _ab.PrintedTime]:
    if not statistic or cell.lower() in _EMPTY:
        return {}
    two = _TWO.match(cell) if statistic == "both" else None
    if two and two[2] not in _UNITS:
        mean = _printed(two[1], statistic="mean", unit=unit, line=line)
        return mean | _printed(two[2], statistic="stdev", unit=unit, line=line)
    name = "mean" if statistic == "both" else statistic
    try:
        return {name: (cell, units.seconds(cell, default=unit))}
    except ValueError:
        raise InputError(
            "a time in a table of ab's connection times",
            actual=cell,
            where=Where(line=line + 1),
            hint="write it as a number, with a unit or without",
        ) from None


PARSERS = (
    TextParser(
        name="ab-times-table",
        reads="its connection times as a table in a page",
        versions="1.3 to 2.4, and trunk",
        may_fill=_ab.TIMES_COLUMNS,
        **_ab.PRINTED,
        markers=("Processing", "processing", "PROCESSING"),
        scan=scan,
    ),
)
