"""Comparisons as flat records in base units, for JSON, CSV and dataframes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, by_labels
from benchkit.model.metric import METRICS, Metric
from benchkit.model.variant import Variant
from benchkit.report import changes
from benchkit.report.asked import asked_metrics, beyond_withheld, sorted_variants

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.compare.assess import Assessment

_TEXTS: Final = ("scenario", "metric", "baseline", "variant")
_DTYPES: Final[Mapping[str, str]] = {
    **dict.fromkeys(_TEXTS, "string"),
    **dict.fromkeys(("baseline_value", "value", "ratio", "ci_low", "ci_high"), "Float64"),
    "confidence": "Float64",
    "baseline_runs": "Int64",
    "runs": "Int64",
    "verdict": "string",
    "more_runs": "Int64",
    "reason": "string",
    "grade": "string",
    "estimate": "string",
}
#: Of a record of an effect.
COLUMNS: Final = tuple(_DTYPES)


def effect_records(assessment: Assessment) -> list[dict[str, Any]]:
    """Return a record per effect, those of sweeps after the others of their comparison."""
    return [
        record for comparison in assessment.comparisons for record in _effect_records(comparison)
    ]


def effect_frame(assessment: Assessment) -> pd.DataFrame:
    """Return the effects as a dataframe with the columns `COLUMNS`, missing is NA."""
    import pandas as pd

    records = effect_records(assessment)
    return pd.DataFrame(
        {
            name: pd.array(
                [record[name] for record in records],
                dtype=dtype,  # type: ignore[call-overload]
            )
            for name, dtype in _DTYPES.items()
        }
    )


def variant_records(
    comparisons: Sequence[Comparison], *, percentiles: Sequence[float] = (), sort: str | None = None
) -> list[dict[str, Any]]:
    """Return a record per variant, None where something is missing.

    Args:
        comparisons: What is shown.
        percentiles: These, between 0 and 100, besides the usual ones.
        sort: A column, best first, or `variant`, instead of the order of the comparison.

    Raises:
        UsageError: no such percentile or column.
    """
    asked = asked_metrics(percentiles)
    records = []
    for comparison in (beyond_withheld(comparison, asked) for comparison in comparisons):
        metrics = tuple(dict.fromkeys((*METRICS, *asked.values())))
        records += [
            _variant_record(comparison, variant, metrics)
            for variant in sorted_variants(comparison, sort)
        ]
    return records


def _effect_records(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for label, effects in comparison.effects_by_variant.items():
        grade = comparison.grades[label]
        for effect in effects:
            yield _effect_record(comparison, effect, comparison.setting, grade.words)
    for labels, effects in by_labels(comparison.sweep_effects).items():
        grade = comparison.sweep_grades[labels]
        for effect in effects:
            yield _effect_record(comparison, effect, {}, grade.words)


def _effect_record(
    comparison: Comparison, effect: Effect, setting: Mapping[str, Any], grade: str
) -> dict[str, Any]:
    low, high, confidence = effect.interval or (None, None, None)
    values = {
        "scenario": comparison.scenario,
        "metric": effect.metric.name,
        "baseline": show.joined(effect.baseline, setting),
        "variant": show.joined(effect.variant, setting),
        "baseline_value": effect.baseline_value,
        "value": effect.value,
        "ratio": effect.ratio,
        "ci_low": low,
        "ci_high": high,
        "confidence": confidence,
        "baseline_runs": effect.baseline_runs,
        "runs": effect.runs,
        "verdict": effect.verdict,
        "more_runs": effect.more_runs,
        "reason": _plain(effect.reason),
        "grade": grade.lower(),
        "estimate": changes.estimate(effect),
    }
    return {name: values[name] for name in COLUMNS}


def _variant_record(
    comparison: Comparison, variant: Variant, metrics: Sequence[Metric]
) -> dict[str, Any]:
    metric, setting = comparison.rank_metric, comparison.setting
    ranked = metric is not None and not comparison.axis
    figures: dict[str, Any] = {}
    for shown in metrics:
        value = variant.value(shown)
        whole = shown.quantity in {"count", "bytes"} and value is not None and value == int(value)
        figures[shown.column] = int(value or 0) if whole else value
        figures[f"{shown.column}_ratio"] = _ratio(comparison, variant, shown)
    return {
        "scenario": comparison.scenario,
        "tool": comparison.tool,
        "variant": variant.name,
        "params": json.loads(json.dumps(variant.params, sort_keys=True)),
        "label": show.joined(variant.label, setting),
        "baseline": show.joined(comparison.baseline, setting),
        "is_baseline": comparison.is_baseline(variant),
        "rank": comparison.variants.index(variant) + 1 if ranked else None,
        "rank_metric": metric.column if metric else None,
        "evidence": comparison.grade.words.lower(),
        "runs": len(variant),
        "run_ids": list(variant.run_ids),
        **figures,
        "withheld": {name: _plain(why) for name, why in sorted(variant.withheld.items())},
    }


def _ratio(comparison: Comparison, variant: Variant, metric: Metric) -> float | None:
    """Return the ratio of a metric to the baseline, 1 for the baseline itself."""
    if comparison.is_baseline(variant):
        return 1.0 if variant.value(metric) else None
    effect = changes.effect_of(comparison, variant, metric)
    return effect.ratio if effect else None


def _plain(text: str) -> str:
    return text.replace(show.NBSP, " ")
