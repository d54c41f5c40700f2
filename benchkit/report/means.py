"""One change over several scenarios: the geometric mean, where it compares like with like."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect

#: Those that a sentence is made of.
_METRICS: Final = ("throughput", "p50", "p99")
#: Labels of baseline and variant, then the metric.
_Key = tuple[str, str, str]


def means(comparisons: Sequence[Comparison]) -> list[str]:
    """Return a sentence per variant and metric, none where there is one scenario."""
    by_scenario = _effects(comparisons)
    if len(by_scenario) < 2:
        return []
    ratios = geometric_means(by_scenario)
    wanted = {key: ratio for key, ratio in ratios.items() if key[2] in _METRICS}
    if not wanted:
        return ["No mean over the scenarios: they do not all have the same variants and metrics."]
    return [
        f"Over {len(by_scenario)} scenarios, geometric mean: {metric} of {show.clean(variant)} "
        f"against {show.clean(baseline)} {show.change(ratio)}."
        for (baseline, variant, metric), ratio in wanted.items()
    ]


def geometric_means(by_scenario: Mapping[str | None, Sequence[Effect]]) -> dict[_Key, float]:
    """Return the mean ratio of each baseline, variant and metric that every scenario has.

    None where the scenarios do not all have the same variants against the same baseline: the
    mean would then be over different things.
    """
    pairs = [{(e.baseline, e.variant) for e in effects} for effects in by_scenario.values()]
    if any(pair != pairs[0] for pair in pairs):
        return {}
    ratios: dict[_Key, list[float]] = defaultdict(list)
    for effect in (effect for effects in by_scenario.values() for effect in effects):
        if effect.ratio:
            ratios[effect.baseline, effect.variant, effect.metric.name].append(effect.ratio)
    every = len(by_scenario)
    return {
        key: statistics.geometric_mean(each) for key, each in ratios.items() if len(each) == every
    }


def _effects(comparisons: Sequence[Comparison]) -> dict[str | None, list[Effect]]:
    """Return the effects of each scenario, labels in full."""
    from dataclasses import replace

    by_scenario: dict[str | None, list[Effect]] = defaultdict(list)
    for comparison in comparisons:
        for effect in comparison.effects:
            names = (
                show.joined(label, comparison.setting)
                for label in (effect.baseline, effect.variant)
            )
            baseline, variant = names
            full = replace(effect, baseline=baseline, variant=variant)
            by_scenario[comparison.scenario].append(full)
    return by_scenario
