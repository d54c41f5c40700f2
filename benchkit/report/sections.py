"""Each variant against its baseline, with the reasons: what `benchkit compare` shows."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, Grade, by_labels
from benchkit.model.grouping import grouped
from benchkit.report import changes
from benchkit.report.sentences import effects_sentence, variant_sentence
from benchkit.report.sweeps import knee_sentence
from benchkit.report.table import effects_table
from benchkit.report.tabular import Section
from benchkit.report.without_first import FIRST, other_answers

_BETWEEN: Final = ", "  # parts of a label: the variant, then its params
NOTHING: Final = "nothing to compare: no scenario has two variants measured with the same tool"
#: Those that a sentence is made of.
_METRICS: Final = ("throughput", "p50", "p99")


def tools_apart(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the tool of each comparison whose scenario others measure with another, else empty."""
    tools = {
        scenario: {comparison.tool for comparison in own}
        for scenario, own in grouped(comparisons, lambda each: each.scenario).items()
    }
    return [each.tool if len(tools[each.scenario]) > 1 else "" for each in comparisons]


def name_of(comparison: Comparison, tool: str) -> str:
    """Return what is compared, with a tool of `tools_apart`."""
    if not tool or not comparison.scenario:
        return show.clean(comparison.name)
    return show.clean(show.joined(f"{comparison.scenario}, {tool}", comparison.setting))


def sections(comparison: Comparison, tool: str = "") -> Iterator[Section]:
    """Yield a section per variant that is compared with something, sweeps last.

    `tool` stands in their titles where it tells the comparison from others: see `tools_apart`.
    """
    others = other_answers(comparison)
    for effects, setting, grade in graded_effects(comparison):
        variant, baseline = effects[0].variant, effects[0].baseline
        names, shared = _names(variant, baseline)
        if comparison.effects_by_variant.get(variant) is effects:
            sentence = variant_sentence(comparison, variant, names)
        else:
            sentence = effects_sentence(effects, grade, comparison, names)
        parts = (comparison.scenario, tool, *show.params(setting), *shared)
        where = ", ".join(show.clean(text) for text in parts if text)
        against = f"{show.clean(names[0])} against {show.clean(names[1])}"
        yield Section(
            title=f"{where}: {against}" if where else against,
            sentence=sentence,
            grade=grade.words,
            table=effects_table(comparison, effects, (names[1], names[0])),
            reasons=(
                *_reasons(effects),
                *_doubts(comparison, (baseline, variant)),
                *([f"Without {FIRST}: {others[variant]}."] if variant in others else []),
            ),
        )


def graded_effects(
    comparison: Comparison,
) -> Iterator[tuple[Sequence[Effect], Mapping[str, Any], Grade]]:
    """Yield the effects of each variant, then those of each sweep, with setting and grade."""
    for label, effects in comparison.effects_by_variant.items():
        yield effects, comparison.setting, comparison.grades[label]
    for labels, swept in by_labels(comparison.sweep_effects).items():
        yield swept, {}, comparison.sweep_grades[labels]


def closing(comparisons: Sequence[Comparison]) -> list[str]:
    """Return sentences over all comparisons: means over the scenarios, the knees of sweeps."""
    knees = [
        knee_sentence(comparison, knee) for comparison in comparisons for knee in comparison.knees
    ]
    return [*means(comparisons), *knees]


def _names(variant: str, baseline: str) -> tuple[tuple[str, str], list[str]]:
    """Return both labels without the params at their ends that are the same, and these."""
    parts = variant.split(_BETWEEN), baseline.split(_BETWEEN)
    most = min(map(len, parts)) - 1
    same = [a == b for a, b in zip(*(reversed(part) for part in parts), strict=False)]
    count = min([*same, False].index(False), most)
    first, second = (_BETWEEN.join(part[: len(part) - count]) for part in parts)
    return (first, second), parts[0][len(parts[0]) - count :]


def _reasons(effects: Sequence[Effect]) -> Iterator[str]:
    known = (effect for effect in effects if effect.reason)
    for reason, alike in grouped(known, lambda effect: show.clean(effect.reason)).items():
        yield f"{show.listed([effect.metric.name for effect in alike])}: {reason}."
    if levels := changes.levels(changes.confidences(effects)):
        yield f"Intervals are of the change, unadjusted, at {show.listed(levels)}."


def _doubts(comparison: Comparison, labels: Sequence[str]) -> Iterator[str]:
    """Yield the titles of what was found about two variants, of whole sweeps of all of them."""
    sides = [comparison.by_label[label] for label in labels if label in comparison.by_label]
    ids = [run_id for variant in sides or comparison.variants for run_id in variant.run_ids]
    known = [
        n for n in comparison.doubts if any(not sides or f.concerns(sides) for f in n.about(ids))
    ]
    if known:
        titles = "; ".join(dict.fromkeys(n.first.title for n in known))
        yield f"What limits it: {titles} (benchkit check has the details)."


def means(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the geometric mean of a change over the scenarios, a sentence per variant and metric.

    Only what every scenario has, and none where they do not all have the same variants against
    the same baseline: the mean would then be over different things.
    """
    pairs: dict[str | None, set[tuple[str, str]]] = defaultdict(set)
    ratios: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for comparison in comparisons:
        for effect in comparison.effects:
            baseline = show.joined(effect.baseline, comparison.setting)
            variant = show.joined(effect.variant, comparison.setting)
            pairs[comparison.scenario].add((baseline, variant))
            if effect.ratio:
                ratios[baseline, variant, effect.metric.name].append(effect.ratio)
    if len(pairs) < 2:
        return []
    alike = len(set(map(frozenset, pairs.values()))) == 1
    sentences = [
        f"Over {len(pairs)} scenarios, geometric mean: {metric} of {show.quoted(variant)} "
        f"against {show.quoted(baseline)} {show.change(statistics.geometric_mean(each))}."
        for (baseline, variant, metric), each in ratios.items()
        if alike and metric in _METRICS and len(each) == len(pairs)
    ]
    none = "No mean over the scenarios: they do not all have the same variants and metrics."
    return sentences or [none]
