"""The table below a figure: what it draws, as text and as numbers in base units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Cell, DataTable
from benchkit.figures.words import absent
from benchkit.model.metric import Metric
from benchkit.model.variant import Variant

#: A heading, and a cell per row.
TableColumn = tuple[str, Sequence[Cell]]
#: Variant over baseline, and the bounds of its interval where it has one.
Ratio = tuple[float, Sequence[float]]
_ABSENT: Final[Cell] = (show.NOT_PRINTED, None)
_EMPTY: Final[Cell] = ("", None)


def by_column(heading: str, names: Iterable[str], columns: Iterable[TableColumn]) -> DataTable:
    """Return a table of names, below a heading, and columns."""
    headings, cells = zip(*columns, strict=True)
    rows = zip(names, zip(*cells, strict=True), strict=True)
    return DataTable((heading, *headings), tuple(rows))


def along(
    number: str,
    headings: Iterable[str],
    lines: Iterable[tuple[str, Sequence[Mapping[float, Cell]]]],
    write: Callable[[float], str] = show.number,
) -> DataTable:
    """Return a table of lines over a number: a row where any column of a line has a cell.

    A line is a label and its columns by the number.
    """
    rows = [
        (label, ((write(at), at), *(column.get(at, _ABSENT) for column in columns)))
        for label, columns in lines
        for at in sorted({at for column in columns for at in column})
    ]
    return DataTable(("Variant", number, *headings), tuple(rows))


def metric_column(
    metric: Metric, values: Sequence[float | None], variants: Iterable[Variant]
) -> TableColumn:
    """Return a column of one metric, whose values are of these variants or their runs."""
    cells = zip(metric.cells(values), values, variants, strict=True)
    known = [(text or absent(variant, metric), value) for text, value, variant in cells]
    return metric.heading(values), known


def range_columns(
    heading: str,
    samples: Sequence[Sequence[float]],
    write: Callable[[Sequence[float | None]], Sequence[str | None]],
) -> list[TableColumn]:
    """Return the lowest and the highest run of each row, nothing where no row is of several.

    The heading has `{}` where "Lowest" and "Highest" go.
    """
    if all(len(sample) < 2 for sample in samples):
        return []
    columns: list[TableColumn] = []
    for name, end in (("Lowest", min), ("Highest", max)):
        values = [end(sample) if len(sample) > 1 else None for sample in samples]
        cells = [(text or "", value) for text, value in zip(write(values), values, strict=True)]
        columns.append((heading.format(name), cells))
    return columns


def ratio_columns(heading: str, ratios: Sequence[Ratio | None]) -> list[TableColumn]:
    """Return each row's ratio to a baseline and the ends of its interval, nothing without any."""
    parts = [_parts(ratio) for ratio in ratios]
    columns: list[TableColumn] = []
    for n, end in enumerate(("", ": from", ": to")):
        cells = [part[n] if n < len(part) else _EMPTY for part in parts]
        if any(cell is not _EMPTY for cell in cells):
            columns.append((f"{heading}{end}", cells))
    return columns


def _parts(ratio: Ratio | None) -> Sequence[Cell]:
    """Return a ratio, and the lower and the upper end of its interval where it has one."""
    values = (ratio[0], *ratio[1]) if ratio else ()
    return list(zip(show.factors(*values), values, strict=True)) if values else ()
