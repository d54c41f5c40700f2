"""Each variant against its baseline, with the reasons: what `benchkit compare` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, by_labels
from benchkit.report.means import means
from benchkit.report.sentences import effects_sentence, variant_sentence
from benchkit.report.sweeps import knee_sentence
from benchkit.report.table import effects_table
from benchkit.report.tabular import Section

_BETWEEN: Final = ", "  # parts of a label: the variant, then its params
NOTHING: Final = "nothing to compare: no scenario has two variants measured with the same tool"


def sections(comparison: Comparison) -> Iterator[Section]:
    """Yield a section per variant that is compared with something, sweeps last."""
    for label, effects in comparison.effects_by_variant.items():
        names, shared = _names(label, effects[0].baseline)
        grade = comparison.grades[label]
        setting = [*show.params(comparison.setting), *shared]
        sentence = variant_sentence(comparison, label, names)
        yield _section(comparison, effects, names, setting, (sentence, grade.words))
    for (baseline, variant), effects in by_labels(comparison.sweep_effects).items():
        names, shared = _names(variant, baseline)
        grade = comparison.sweep_grades[baseline, variant]
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
