"""What every figure says: its table, and what its title may claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchkit import format as show
from benchkit.figures.chart import Cell, DataTable
from benchkit.model.comparison import Comparison
from benchkit.model.metric import Metric
from benchkit.model.variant import Variant

#: A heading, and a cell per row.
TableColumn = tuple[str, Sequence[Cell]]


def circumstances(comparisons: Sequence[Comparison]) -> list[str]:
    """Return tool, load and number of runs in words, as far as all runs share them."""
    first = comparisons[0]

    def facts(column: str) -> list[Any]:
        return list(dict.fromkeys(v for each in comparisons for v in each.facts(column)))

    parts = [first.tool]
    for column, noun in (("connections", "connection"), ("requests", "request")):
        values = facts(column)
        if len(values) == 1:
            parts.append(show.plural(int(values[0]), noun))
    asked = [f"{show.rate(v)}{show.NBSP}req/s asked" for v in facts("offered_rate_rps")]
    if asked:
        parts.append(asked[0] if len(asked) == 1 else f"differs: {show.listed(asked)}")
    durations = facts("duration_s")
    if durations and max(durations) < 1.02 * min(durations):
        parts.append(show.duration(durations[0]))
    others = [each.shared_params for each in comparisons[1:]]
    parts += show.params(
        {
            name: value
            for name, value in first.shared_params.items()
            if all(name in params and params[name] == value for params in others)
        }
    )
    variants = [variant for each in comparisons for variant in each.variants]
    runs = sorted({len(variant) for variant in variants})
    span = show.plural(runs[0], "run") if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    each_has = " each" if len(variants) > 1 else ""
    return [*(show.clean(part, limit=60) for part in parts), span + each_has]


def by_column(heading: str, names: Iterable[str], columns: Iterable[TableColumn]) -> DataTable:
    """Return a table of names, below a heading, and columns."""
    headings, cells = zip(*columns, strict=True)
    rows = zip(names, zip(*cells, strict=True), strict=True)
    return DataTable((heading, *headings), tuple(rows))


def metric_column(
    metric: Metric, values: Sequence[float | None], variants: Iterable[Variant]
) -> TableColumn:
    """Return a column of one metric, whose values are of these variants or their runs."""
    cells = zip(metric.cells(values), values, variants, strict=True)
    known = [(text or absent(variant, metric), value) for text, value, variant in cells]
    return metric.heading(values), known


def absent(variant: Variant, metric: Metric) -> str:
    """Return why a variant has no value in a cell of a table."""
    return show.WITHHELD if metric.column in variant.withheld else show.NOT_PRINTED


def outermost(values: Mapping[str, float], write: Callable[[float], str]) -> str | None:
    """Return the label of the largest value, None where another one reads the same."""
    ordered = sorted(values, key=lambda label: -values[label])
    if len(ordered) > 1 and write(values[ordered[0]]) == write(values[ordered[1]]):
        return None
    return ordered[0] if ordered else None


def claimed(comparison: Comparison, label: str, column: str = "") -> bool:
    """Whether a title may say that a variant is ahead, of all or in one metric.

    In a metric that is what tests show: of the baseline against every other variant. Few runs,
    and what is no metric, are described in the past tense; of a copy nothing is claimed.
    """
    variant, grade = comparison.by_label.get(label), comparison.grade
    if len(comparison.variants) < 2 or not grade.telling or variant is None or variant.is_copy:
        return False
    if not column or grade.key in {"once", "few"}:
        return True
    real = [v.label for v in comparison.others if not v.is_copy]
    labels = real if label == comparison.baseline else [label]
    effects = (comparison.effect(other, column) for other in labels)
    return all(e is not None and e.verdict in {"faster", "slower"} for e in effects)
