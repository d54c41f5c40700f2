"""Variants beside each other: medians over runs, differences to a baseline, an order.

`compare` describes; nothing is inferred, and `Grade` says how far the description carries.
`benchkit.compare.inference.infer` tests repeated runs and gives verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from benchkit.compare.baseline import baselines
from benchkit.compare.grades import grade
from benchkit.compare.metrics import BY_NAME, METRICS, Metric
from benchkit.compare.model import Comparison, Grade, VariantSummary
from benchkit.compare.pairs import without_copies
from benchkit.compare.ranking import rank_metric, ranked
from benchkit.compare.summaries import Group, groups_of
from benchkit.frames import rows_of

if TYPE_CHECKING:
    from benchkit.results import Results

__all__ = [
    "BY_NAME",
    "METRICS",
    "Comparison",
    "Grade",
    "Metric",
    "VariantSummary",
    "compare",
    "rows_of",
]


def compare(results: Results, *, baseline: str | None = None) -> list[Comparison]:
    """Compare the variants of each scenario, one comparison per scenario and tool.

    Args:
        results: The runs.
        baseline: A variant, `scenario/variant` or a label; by default the variant
            that metadata name, or else the first of each group in path order.

    Returns:
        Comparisons in order of first appearance, the variants of each best first; where a param
        was swept, a comparison for each setting of the others, in the order of its levels.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    groups = groups_of(results)
    chosen = baselines([without_copies(group) for group in groups], baseline)
    return [_comparison(group, label) for group, label in zip(groups, chosen, strict=True)]


def _comparison(group: Group, label: str) -> Comparison:
    base = next(one for one in group.variants if one.label == label)
    against = [
        replace(one, ratio=_ratios(one.values, base.values), is_baseline=one is base)
        for one in group.variants
    ]
    how = grade(group.variants)
    metric = rank_metric(group.variants) if how.comparable else ""
    return Comparison(
        scenario=group.scenario,
        tool=group.tool,
        baseline=label,
        rank_metric=metric,
        variants=tuple(against) if group.axis else ranked(against, metric),
        grade=how,
        shared_params=group.shared_params,
        order=tuple(one.label for one in group.variants),
        axis=group.axis,
        setting=group.setting,
    )


def _ratios(
    values: Mapping[str, float | None], base: Mapping[str, float | None]
) -> dict[str, float | None]:
    return {name: _ratio(values[name], base[name]) for name in values}


def _ratio(value: float | None, base: float | None) -> float | None:
    return value / base if value and base else None
