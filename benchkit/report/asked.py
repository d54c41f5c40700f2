"""What a reader asks of a table: other percentiles, another order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from benchkit.errors import UsageError
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, METRICS, Metric, percentile
from benchkit.model.variant import Variant
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.amounts import withheld_at


def quantile_of(per_cent: float) -> float:
    """Return 99.9 as 0.999.

    Raises:
        UsageError: it is not above 0 and below 100: the extremes have columns of their own.
    """
    if not 0 < per_cent < 100:
        raise UsageError(f"no percentile {per_cent:g}: it is above 0 and below 100")
    return float(Decimal(repr(per_cent)) / 100)


def check(percentiles: Sequence[float], sort: str | None) -> None:
    """Raise what `comparison_table` would, before anything is read.

    Raises:
        UsageError: no such percentile or column.
    """
    for per_cent in percentiles:
        quantile_of(per_cent)
    if sort is not None and not is_name(sort):
        sort_metric(sort)


def asked_metrics(percentiles: Sequence[float]) -> dict[float, Metric]:
    """Return the metrics of percentiles between 0 and 100, ascending, by their quantiles.

    Raises:
        UsageError: one of them is none.
    """
    quantiles = [quantile_of(per_cent) for per_cent in sorted(set(percentiles))]
    return {
        quantile: BY_COLUMN.get(QUANTILE_COLUMNS.get(quantile, "")) or percentile(quantile)
        for quantile in quantiles
    }


def with_withheld(comparison: Comparison, asked: Mapping[float, Metric]) -> Comparison:
    """Return the comparison with those of the percentiles withheld that are not to be shown.

    What is not printed has too few requests only where one that is printed has, too.
    """
    variants = []
    for variant in comparison.variants:
        reasons = {
            metric.column: why
            for quantile, metric in asked.items()
            if variant.having(metric) or quantile >= variant.trusted_below
            if (why := withheld_at(variant, quantile))
        }
        every = {**variant.withheld, **reasons}
        variants.append(replace(variant, withheld=every) if reasons else variant)
    return replace(comparison, variants=tuple(variants)) if asked else comparison


def sort_metric(column: str) -> Metric:
    """Return the metric that is called so: its column, or its title in small letters.

    Raises:
        UsageError: there is none; the message lists them.
    """
    titles = {metric.title.lower().replace(" ", "-"): metric for metric in METRICS}
    metric = titles.get(column.lower()) or BY_COLUMN.get(column.lower())
    if metric is None:
        raise UsageError(f"no column '{column}' to sort by; there are variant, {', '.join(titles)}")
    return metric


def is_name(column: str) -> bool:
    """Whether names are what is sorted by."""
    return column in {"variant", "label"}


def sorted_variants(comparison: Comparison, column: str | None) -> tuple[Variant, ...]:
    """Return the variants in the order of a metric, best first, or of their names.

    Raises:
        UsageError: no such column.
    """
    if column is None:
        return comparison.variants
    if is_name(column):
        return tuple(sorted(comparison.variants, key=lambda variant: variant.label))
    metric = sort_metric(column)
    sign = -1 if metric.higher_is_better else 1

    def key(variant: Variant) -> tuple[bool, float]:
        value = variant.value(metric)
        return value is None, sign * (value or 0.0)

    return tuple(sorted(comparison.variants, key=key))
