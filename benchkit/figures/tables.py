"""The tables of figures: beside each number that is drawn its text, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from benchkit import format as show
from benchkit.figures.chart import Cell, DataTable
from benchkit.model.metric import Metric
from benchkit.model.variant import Variant

#: A heading, and a cell per row.
Column = tuple[str, Sequence[Cell]]


def by_column(heading: str, names: Iterable[str], columns: Iterable[Column]) -> DataTable:
    """Return a table of names, below a heading, and columns."""
    headings, cells = zip(*columns, strict=True)
    rows = zip(names, zip(*cells, strict=True), strict=True)
    return DataTable((heading, *headings), tuple(rows))


def cell(value: float | None, write: Callable[[float], str]) -> Cell:
    """Return a value with its text."""
    return (show.NOT_PRINTED if value is None else write(value), value)


def metric_column(
    metric: Metric, values: Sequence[float | None], variants: Iterable[Variant]
) -> Column:
    """Return a column of one metric, whose values are of these variants or their runs."""
    cells = zip(metric.cells(values), values, variants, strict=True)
    known = [(text or absent(variant, metric), value) for text, value, variant in cells]
    return metric.heading(values), known


def absent(variant: Variant, metric: Metric) -> str:
    """Return why a variant has no value in a cell of a table."""
    return show.WITHHELD if metric.column in variant.withheld else show.NOT_PRINTED
