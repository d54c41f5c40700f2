"""Runs to one summary per variant and set of params."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from benchkit import format as show
from benchkit.compare.metrics import METRICS
from benchkit.compare.model import FACTS, VariantSummary
from benchkit.compare.params import axis_of, factors, is_copy, level_of
from benchkit.frames import rows_of

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.results import Results

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Group:
    """The variants of one scenario and tool, in order of first appearance.

    Attributes:
        labels: Per label of a run its `run_id`.
        setting: The params by which it differs from other groups of its scenario and tool.
        axis: The swept param, whose levels order the variants; empty for none.
        baseline: The variant that metadata name as such, None where they name none or several.
    """

    scenario: str | None
    tool: str
    variants: tuple[VariantSummary, ...]
    labels: Mapping[str, str]
    shared_params: Mapping[str, Any]
    baseline: str | None = None
    axis: str = ""
    setting: Mapping[str, Any] = field(default_factory=dict)

    def full(self, label: str) -> str:
        """Return the label of a variant with the setting, unique within scenario and tool."""
        return show.joined(label, self.setting)


def groups_of(results: Results) -> list[Group]:
    """Return the groups in order of first appearance; tools are never mixed."""
    quantiles = _quantiles(results.quantiles)
    found: dict[tuple[str | None, str], list[Row]] = defaultdict(list)
    for row in rows_of(results.runs):
        found[row["scenario"], row["tool"]].append(row)
    groups = (_group(scenario, tool, rows, quantiles) for (scenario, tool), rows in found.items())
    return [block for group in groups for block in _blocks(group)]


def _blocks(group: Group) -> list[Group]:
    """Split a group whose variants all ran under several settings into one for each of them.

    What is compared then differs in the variant alone, and in the level of a swept param, which
    orders it. Where the baseline is missing in a setting, the group stays whole.
    """
    axis = axis_of(group.variants) if len({one.variant for one in group.variants}) > 1 else ""
    found: dict[tuple[str, ...], list[VariantSummary]] = defaultdict(list)
    for one in group.variants:
        rest = {key: value for key, value in factors(one).items() if key != axis}
        found[tuple(sorted(show.params(rest)))].append(one)
    names = [one.variant for one in group.variants if not is_copy(one)]
    base = group.baseline if group.baseline in names or not names else names[0]
    everywhere = all(any(one.variant == base for one in block) for block in found.values())
    several = any(len({one.variant for one in block}) > 1 for block in found.values())
    if not (everywhere and several):
        return [group]
    return [_block(group, variants, axis, base) for variants in found.values()]


def _block(group: Group, variants: Sequence[VariantSummary], axis: str, base: str | None) -> Group:
    if axis:
        variants = sorted(variants, key=lambda v: (level_of(v, axis) or 0.0, v.variant != base))
    shared = _shared(one.params for one in variants)
    apart = {key: value for key, value in shared.items() if key not in group.shared_params}
    return replace(
        group,
        variants=_labelled(variants, shared, axis),
        shared_params=shared,
        axis=axis,
        setting=apart,
    )


def _group(
    scenario: str | None,
    tool: str,
    rows: Sequence[Row],
    quantiles: Mapping[str, Mapping[float, float]],
) -> Group:
    # 1 and "1" are one level: whoever writes the metadata writes either.
    by_variant: dict[tuple[str, tuple[str, ...]], list[Row]] = defaultdict(list)
    params: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    for row in rows:
        given = _params(row["params"] or "{}")
        key = (row["variant"] or row["label"], tuple(sorted(show.params(given))))
        by_variant[key].append(row)
        params.setdefault(key, given)
    shared = _shared(params.values())
    variants = [_summary(key[0], params[key], rows, quantiles) for key, rows in by_variant.items()]
    axis = axis_of(variants)
    stated = _distinct(row["baseline"] for row in rows)
    return Group(
        scenario,
        tool,
        _labelled(variants, shared, axis),
        {row["label"]: row["run_id"] for row in rows},
        shared,
        stated[0] if len(stated) == 1 else None,
    )


def _summary(
    variant: str,
    params: Mapping[str, Any],
    rows: Sequence[Row],
    quantiles: Mapping[str, Mapping[float, float]],
) -> VariantSummary:
    columns = {m.name: [float(r[m.name]) for r in rows if r[m.name] is not None] for m in METRICS}
    return VariantSummary(
        variant=variant,
        params=params,
        label=variant,
        run_ids=tuple(row["run_id"] for row in rows),
        values={name: _median(values) for name, values in columns.items()},
        low={name: min(values, default=None) for name, values in columns.items()},
        high={name: max(values, default=None) for name, values in columns.items()},
        quantiles=_common_quantiles([quantiles.get(row["run_id"], {}) for row in rows]),
        facts={name: _distinct(row[name] for row in rows) for name in FACTS},
        ratio={},
    )


def _labelled(
    variants: Sequence[VariantSummary], shared: Mapping[str, Any], axis: str
) -> tuple[VariantSummary, ...]:
    names = [one.variant for one in variants]
    return tuple(
        replace(one, label=_label(one, shared, axis, alone=names.count(one.variant) == 1))
        for one in variants
    )


def _label(one: VariantSummary, shared: Mapping[str, Any], axis: str, *, alone: bool) -> str:
    own = {key: value for key, value in factors(one).items() if key not in shared}
    ending = ["copy"] if is_copy(one) else []
    if alone or not (own or ending):
        return one.variant
    # What differs most comes first: the rest is left out where a whole table shares it.
    ordered = {key: own[key] for key in sorted(own, key=lambda key: (key != axis, key))}
    return ", ".join([one.variant, *ending, *show.params(ordered)])


def _shared(params: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    first, *others = params
    same = {k: show.params({k: v}) for k, v in first.items()}
    return {
        k: v
        for k, v in first.items()
        if all(k in one and show.params({k: one[k]}) == same[k] for one in others)
    }


def _params(text: str) -> dict[str, Any]:
    params = json.loads(text)
    return params if isinstance(params, dict) else {}


def _quantiles(frame: pd.DataFrame) -> dict[str, dict[float, float]]:
    found: dict[str, dict[float, float]] = defaultdict(dict)
    for run_id, quantile, latency in zip(
        frame["run_id"], frame["quantile"], frame["latency_s"], strict=True
    ):
        found[run_id][float(quantile)] = float(latency)
    return found


def _common_quantiles(runs: Sequence[Mapping[float, float]]) -> dict[float, float]:
    common = sorted(set.intersection(*(set(run) for run in runs)))
    return {quantile: statistics.median(run[quantile] for run in runs) for quantile in common}


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(value for value in values if value is not None))
