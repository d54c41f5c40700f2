"""The rows of Locust's CSV files, by the names in their headers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import Source
from benchkit.text import decode

from ._rows_csv import cells_of

AGGREGATED: Final = ("Aggregated", "Total")
#: Names of columns up to 0.14, where they are others later on.
_OLD: Final = {
    "# requests": "Request Count",
    "# failures": "Failure Count",
    **{
        f"{statistic} response time": f"{statistic} Response Time"
        for statistic in ("Median", "Average", "Min", "Max")
    },
}
_PERCENT: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]++)?%")


@dataclass(frozen=True)
class StatsRow:
    """One row: its cells by column, and its line, from 1."""

    cells: Mapping[str, str]
    line: int

    @property
    def name(self) -> str:
        """What it is of, as figures call it."""
        return " ".join(part for part in (self.cells["Type"], self.cells["Name"]) if part)

    @property
    def is_total(self) -> bool:
        """Whether it is of all endpoints."""
        return self.cells["Name"] in AGGREGATED and self.cells["Type"] in {"", "None"}

    def count(self, column: str) -> int:
        """Return a whole number.

        Raises:
            InputError: there is none.
        """
        return int(self._figure(column, units.whole))

    def number(self, column: str) -> float:
        """Return a number, which may be 0; raises InputError as `count` does."""
        return self._figure(column, units.number)

    def milliseconds(self, column: str) -> float:
        """Return milliseconds in seconds; raises InputError as `count` does."""
        return self._figure(column, lambda text: units.scaled(text, "1e-3"))

    def quantiles(self) -> Iterator[tuple[float, float]]:
        """Yield (quantile, latency in s) below the maximum, as far as there are any."""
        for column, text in self.cells.items():
            if _PERCENT.fullmatch(column) and text != "N/A":
                yield units.scaled(column.removesuffix("%"), "1e-2"), self.milliseconds(column)

    def _figure(self, column: str, read: Callable[[str], float]) -> float:
        text = self.cells.get(column, "")
        try:
            value = read(text)
        except ValueError:
            value = -1.0
        if value < 0:
            raise InputError(
                f"a number under {column!r}",
                actual=text,
                where=Where(line=self.line),
                hint="the file is cut off or was edited",
            )
        return value


def header_of(source: Source) -> list[str]:
    """Return the names in the first line of a file, as later versions have them."""
    first = source.head_text.split("\n", 1)[0]
    return _named(cells_of(first[:4000].rstrip("\r")))


def _named(cells: Sequence[str]) -> list[str]:
    return [_OLD.get(cell, cell) for cell in cells]


def _rows_of(reader: Any) -> Iterator[list[str]]:  # noqa: ANN401 - csv has no name for it
    """Yield the cells of each row.

    Raises:
        InputError: a row is none.
    """
    try:
        yield from reader
    except csv.Error as error:
        raise InputError(
            "a row of cells",
            actual=str(error)[:60],
            where=Where(line=reader.line_num + 1),
            hint="the file is cut off or was edited",
        ) from None


def parts(source: Source, header: Sequence[str]) -> Iterator[list[StatsRow]]:
    """Yield the rows below each header of a file.

    Raises:
        InputError: a row has another number of cells.
    """
    text = (decode(source.data) or "").lstrip("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""))
    rows: list[StatsRow] = []
    begun = False
    for cells in _rows_of(reader):
        if not any(cells):
            continue
        if _named(cells) == list(header):
            if begun:
                yield rows
            rows, begun = [], True
            continue
        if len(cells) != len(header):
            raise InputError(
                f"{len(header)} cells",
                actual=f"{len(cells)}",
                where=Where(line=reader.line_num),
                hint="the file is cut off or was edited",
            )
        rows.append(StatsRow(dict(zip(header, cells, strict=True)), reader.line_num))
    yield rows
