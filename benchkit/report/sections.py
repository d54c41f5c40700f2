"""Each variant against its baseline, with the reasons: what `benchkit compare` shows."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.compare.grades import graded
from benchkit.model.comparison import Comparison, Effect
from benchkit.report.sentences import effects_sentence, variant_sentence
from benchkit.report.sweeps import knee_sentence
from benchkit.report.table import effects_table
from benchkit.report.tabular import Section

_BETWEEN: Final = ", "  # parts of a label: the variant, then its params
NOTHING: Final = "nothing to compare: no scenario has two variants measured with the same tool"
#: Those that a sentence is made of.
_METRICS: Final = ("throughput", "p50", "p99")
#: Labels of baseline and variant, then the metric.
_Key = tuple[str, str, str]


def sections(comparison: Comparison) -> Iterator[Section]:
    """Yield a section per variant that is compared with something, sweeps last."""
    for label, effects in comparison.effects_by_variant.items():
        names, shared = _names(label, effects[0].baseline)
        grade = comparison.grades.get(label) or graded(effects, serious=False)
        setting = [*show.params(comparison.setting), *shared]
        sentence = variant_sentence(comparison, label, names)
        yield _section(comparison, effects, names, setting, (sentence, grade.words))
    for (baseline, variant), effects in by_pair(comparison.sweep_effects).items():
        names, shared = _names(variant, baseline)
        grade = graded(effects, serious=False)
        sentence = effects_sentence(effects, grade, comparison, names)
        yield _section(comparison, effects, names, shared, (sentence, grade.words))


def closing(comparisons: Sequence[Comparison]) -> list[str]:
    """Return sentences over all comparisons: means over the scenarios, the knees of sweeps."""
    knees = [
        knee_sentence(comparison, knee) for comparison in comparisons for knee in comparison.knees
    ]
    return [*means(comparisons), *knees]


def _section(
    comparison: Comparison,
    effects: Sequence[Effect],
    names: tuple[str, str],
    setting: Sequence[str],
    answer: tuple[str, str],
) -> Section:
    where = [show.clean(text) for text in (comparison.scenario, *setting) if text]
    against = f"{show.clean(names[0])} against {show.clean(names[1])}"
    sentence, words = answer
    return Section(
        title=f"{', '.join(where)}: {against}" if where else against,
        sentence=sentence,
        grade=words,
        table=effects_table(effects, comparison.margin, (names[1], names[0])),
        reasons=tuple(_reasons(effects)),
    )


def _names(variant: str, baseline: str) -> tuple[tuple[str, str], list[str]]:
    """Return both labels without the params at their ends that are the same, and these."""
    parts = variant.split(_BETWEEN), baseline.split(_BETWEEN)
    most = min(map(len, parts)) - 1
    same = [a == b for a, b in zip(*(reversed(part) for part in parts), strict=False)]
    count = min([*same, False].index(False), most)
    first, second = (_BETWEEN.join(part[: len(part) - count]) for part in parts)
    return (first, second), parts[0][len(parts[0]) - count :]


def by_pair(effects: Sequence[Effect]) -> Mapping[tuple[str, str], tuple[Effect, ...]]:
    """Return effects by the labels of baseline and variant."""
    pairs: dict[tuple[str, str], list[Effect]] = {}
    for effect in effects:
        pairs.setdefault((effect.baseline, effect.variant), []).append(effect)
    return {pair: tuple(each) for pair, each in pairs.items()}


def _reasons(effects: Sequence[Effect]) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for effect in effects:
        by_reason.setdefault(show.clean(effect.reason), []).append(effect.metric.name)
    for reason, metrics in by_reason.items():
        if reason:
            yield f"{show.listed(metrics)}: {reason}."
    levels = sorted({effect.interval.confidence for effect in effects if effect.interval})
    if levels:
        known = show.listed([show.share(round(level, 3)) for level in levels])
        yield f"Intervals are of the change, unadjusted, at {known}."


# --- over all scenarios ---


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
