"""What stands below a table: its order, what is withheld and why, what nobody printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.metric import Metric
from benchkit.report.asked import is_name, sort_metric


def notes(
    comparison: Comparison, metrics: Sequence[Metric], sort: str | None = None
) -> Iterator[str]:
    """Yield sentences.

    Args:
        comparison: What is shown.
        metrics: The rows of its table.
        sort: The column that orders the variants, where somebody asked for one.
    """
    if len(comparison.variants) > 2:
        yield _order(comparison, sort)
        absent = [metric.title for metric in metrics if _is_absent(comparison, metric)]
        if absent:
            yield f"{show.listed(absent)} {show.NOT_PRINTED} by {comparison.tool}."
    yield from _withheld(comparison, metrics)


def _order(comparison: Comparison, sort: str | None) -> str:
    if sort is not None and is_name(sort):
        return "Ordered by name."
    if sort is None and comparison.axis:
        return f"In the order of {show.clean(comparison.axis, limit=40)}."
    metric = comparison.rank_metric if sort is None else sort_metric(sort)
    if metric is None:
        return "Order withheld: rows stand as in the input."
    return f"Ordered by {metric.subject}, best first."


def _is_absent(comparison: Comparison, metric: Metric) -> bool:
    return all(
        variant.value(metric) is None and metric.column not in variant.withheld
        for variant in comparison.variants
    )


def _withheld(comparison: Comparison, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield what is withheld and why, a sentence for what variants have in common."""
    labels: dict[tuple[str, ...], dict[str, list[str]]] = {}  # by titles, then by reason
    for variant in comparison.variants:
        reasons: dict[str, list[str]] = {}
        for metric in metrics:
            why = variant.withheld.get(metric.column)
            if why:
                reasons.setdefault(why, []).append(metric.title)
        for why, titled in reasons.items():
            labels.setdefault(tuple(titled), {}).setdefault(why, []).append(variant.label)
    for titles, by_reason in labels.items():
        yield _sentence(titles, by_reason, len(comparison.variants))


def _sentence(titles: Sequence[str], by_reason: Mapping[str, Sequence[str]], every: int) -> str:
    """Return `p99 of a withheld: why. Likewise of b.`; of all variants none is named."""
    (why, first), *others = by_reason.items()
    names = "" if len(first) == every else f" of {_names(first)}"
    rest = [label for _, labels in others for label in labels]
    likewise = f" Likewise of {_names(rest)}." if rest else ""
    return f"{show.listed(titles)}{names} {show.WITHHELD}: {show.clean(why)}.{likewise}"


def _names(labels: Sequence[str]) -> str:
    return show.listed([show.quoted(label) for label in labels])
