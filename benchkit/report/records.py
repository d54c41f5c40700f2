"""Comparisons and files as flat records in base units, for JSON, CSV and dataframes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.metric import METRICS, Metric
from benchkit.model.variant import Variant
from benchkit.report.asked import asked_metrics, sorted_variants, with_withheld
from benchkit.report.sections import graded_effects

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.compare.assess import Assessment
    from benchkit.model.run import Run
    from benchkit.model.views import Tables

#: Of a record of an effect each column: its type in a dataframe, and its value, None where it
#: depends on more than the effect.
_FIELDS: Final[Mapping[str, tuple[str, Callable[[Effect], Any] | None]]] = {
    "scenario": ("string", None),
    "tool": ("string", None),
    "metric": ("string", lambda effect: effect.metric.name),
    "baseline": ("string", None),
    "variant": ("string", None),
    **{name: ("Float64", attrgetter(name)) for name in ("baseline_value", "value", "ratio")},
    "ci_low": ("Float64", lambda effect: effect.interval and effect.interval.low),
    "ci_high": ("Float64", lambda effect: effect.interval and effect.interval.high),
    "confidence": ("Float64", lambda effect: effect.interval and effect.interval.confidence),
    **{name: ("Int64", attrgetter(name)) for name in ("baseline_runs", "runs")},
    "verdict": ("string", attrgetter("verdict")),
    "more_runs": ("Int64", attrgetter("more_runs")),
    "reason": ("string", lambda effect: _plain(effect.reason)),
    "grade": ("string", None),
    "estimate": ("string", attrgetter("method")),
    "points": ("Float64", attrgetter("points")),
}
COLUMNS: Final = tuple(_FIELDS)


def effect_records(assessment: Assessment) -> list[dict[str, Any]]:
    """Return a record per effect, those of sweeps after the others of their comparison."""
    return [
        _effect_record(comparison, effect, setting, grade.words)
        for comparison in assessment.comparisons
        for effects, setting, grade in graded_effects(comparison)
        for effect in effects
    ]


def effect_frame(assessment: Assessment) -> pd.DataFrame:
    """Return the effects as a dataframe with the columns `COLUMNS`, missing is NA."""
    return frame_of(effect_records(assessment), {name: kind for name, (kind, _) in _FIELDS.items()})


def frame_of(records: Sequence[Mapping[str, Any]], dtypes: Mapping[str, Any]) -> pd.DataFrame:
    """Return records as a dataframe with columns of these types, missing is NA."""
    import pandas as pd

    columns = {name: [record[name] for record in records] for name in dtypes}
    return pd.DataFrame(
        {name: pd.array(values, dtype=dtypes[name]) for name, values in columns.items()}
    )


def variant_records(
    comparisons: Sequence[Comparison], *, percentiles: Sequence[float] = (), sort: str | None = None
) -> list[dict[str, Any]]:
    """Return a record per variant, None where something is missing.

    Percentiles, between 0 and 100, are besides the usual ones; the order is of `sorted_variants`.

    Raises:
        UsageError: no such percentile or column.
    """
    asked = asked_metrics(percentiles)
    records = []
    for comparison in (with_withheld(comparison, asked) for comparison in comparisons):
        metrics = tuple(dict.fromkeys((*METRICS, *asked.values())))
        records += [
            _variant_record(comparison, variant, metrics)
            for variant in sorted_variants(comparison, sort)
        ]
    return records


def _effect_record(
    comparison: Comparison, effect: Effect, setting: Mapping[str, Any], grade: str
) -> dict[str, Any]:
    known = {
        "scenario": comparison.scenario,
        "tool": comparison.tool,
        "baseline": show.joined(effect.baseline, setting),
        "variant": show.joined(effect.variant, setting),
        "grade": grade.lower(),
    }
    return {name: value(effect) if value else known[name] for name, (_, value) in _FIELDS.items()}


def _variant_record(
    comparison: Comparison, variant: Variant, metrics: Sequence[Metric]
) -> dict[str, Any]:
    metric, setting = comparison.rank_metric, comparison.setting
    ranked = metric is not None and not comparison.axis
    is_baseline = comparison.is_baseline(variant)
    against = variant.label if is_baseline else comparison.against(variant.label)
    figures: dict[str, Any] = {}
    for shown in metrics:
        value = variant.value(shown)
        whole = shown.quantity in {"count", "bytes"} and value is not None and value == int(value)
        figures[shown.column] = int(value or 0) if whole else value
        effect = comparison.tabled_effect(variant.label, shown)
        own = 1.0 if is_baseline and value else None  # the baseline is once itself
        figures[f"{shown.column}_ratio"] = effect.ratio if effect else own
        figures[f"{shown.column}_ratio_estimate"] = effect.method if effect else ""
    return {
        "scenario": comparison.scenario,
        "tool": comparison.tool,
        "variant": variant.name,
        "params": json.loads(json.dumps(variant.params, sort_keys=True)),
        "label": show.joined(variant.label, setting),
        "baseline": show.joined(against, setting) if against else None,
        "is_baseline": is_baseline,
        "rank": comparison.variants.index(variant) + 1 if ranked else None,
        "rank_metric": metric.column if metric else None,
        "evidence": comparison.grade.words.lower(),
        "runs": len(variant),
        "run_ids": list(variant.run_ids),
        **figures,
        "withheld": {name: _plain(why) for name, why in sorted(variant.withheld.items())},
    }


def _plain(text: str) -> str:
    return text.replace(show.NBSP, " ")


# --- what became of each file: the run it holds, how that is called, or why it holds none ---

_FILE_COLUMNS: Final = ("file", "state", "scenario", "variant", "params", "repeat", "tool")
_NO_RUN: Final = "no output of a load generator"
_NOT_ASKED: Final = "not among those asked for"


def file_records(results: Tables) -> list[dict[str, Any]]:
    """Return a record per file and run in it, of a file without any one that says why.

    Keys: file, state, run (its label), scenario, variant, params (an object), repeat, tool,
    merged_with (further files of the run) and message.
    """
    runs: defaultdict[str, list[Run]] = defaultdict(list)
    for run in results:
        for source in dict.fromkeys(_sources(run)):
            runs[source].append(run)
    return [record for row in results.sources for record in _records(row, runs[row["source"]])]


def _sources(run: Run) -> list[str]:
    return [run.get("source"), *filter(None, (run.get("other_sources") or "").split("; "))]


def _records(row: Mapping[str, Any], runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    known = {"file": row["source"], "state": row["state"], "message": row["message"]}
    if not runs or row["state"] not in {"read", "merged"}:
        empty = dict.fromkeys(("run", "scenario", "variant", "params", "repeat", "tool"))
        why = _NO_RUN if row["state"] == "foreign" else _NOT_ASKED
        yield known | empty | {"merged_with": [], "message": row["message"] or why}
        return
    for run in runs:
        yield known | {
            "run": run.label,
            "scenario": run.scenario,
            "variant": run.variant,
            "params": dict(run.params),
            "repeat": run.get("repeat"),
            "tool": run.tool,
            "merged_with": [each for each in _sources(run) if each != row["source"]],
        }


def file_rows(records: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return headings and rows of text for a table of the records."""
    rows = []
    for record in records:
        cells = {name: record[name] for name in _FILE_COLUMNS}
        cells["params"] = ", ".join(show.params(record["params"] or {}))
        merged = ", ".join(record["merged_with"])
        notes = [f"with {merged}"] if merged else []
        notes += [record["message"]] if record["message"] else []
        cells["note"] = "; ".join(notes)
        rows.append(["" if v is None else show.clean(str(v)) for v in cells.values()])
    return (*_FILE_COLUMNS, "note"), rows
