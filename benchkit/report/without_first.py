"""What an answer would be without the first runs, of servers that had to warm up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, key_effect
from benchkit.model.grouping import grouped
from benchkit.names import some
from benchkit.report import changes
from benchkit.report.sentences import verdict_word

FIRST: Final = "the first run of each"


def other_answer(comparison: Comparison) -> str:
    """Return the other answer and for whom, without a full stop; empty where there is no other."""
    texts = other_answers(comparison)
    if not texts:
        return ""
    several = len(comparison.effects_by_variant) > 1
    parts = []
    for text, labels in grouped(texts, texts.__getitem__).items():
        whom = some([show.quoted(label) for label in labels])
        parts.append(f"{whom} {text}" if several else text)
    return f"Without {FIRST}: {'; '.join(parts)}"


def other_answers(comparison: Comparison) -> Mapping[str, str]:
    """Return the other answers by variant. Fewer runs also decide less."""
    left = comparison.without_first
    if left is None or not comparison.grade.tested:
        return {}
    answers = left.effects_by_variant
    return {
        label: text
        for label, effects in comparison.effects_by_variant.items()
        if label in answers and (text := _another(comparison, effects, answers[label]))
    }


def _another(comparison: Comparison, effects: Sequence[Effect], left: Sequence[Effect]) -> str:
    """Return what other effects of a variant say in its place, empty where that is the same.

    The verdict is another, or the metric that a sentence names for it does not carry it any more.
    """
    word, without = verdict_word(effects), verdict_word(left)
    key = key_effect(effects, comparison.rank_metric)
    if key is None:
        return ""
    verdicts = {effect.metric: effect.verdict for effect in left}
    if word == without and verdicts.get(key.metric, key.verdict) == key.verdict:
        return ""
    sides = [
        f"{side} in {show.listed([e.metric.subject for e in left if e.verdict == side])}"
        for side in ("faster", "slower")
        if any(effect.verdict == side for effect in left)
    ]
    lost = ""
    if key.verdict in {"faster", "slower"} and verdicts.get(key.metric) == "inconclusive":
        lost = f", {key.metric.subject} inconclusive"
    return (
        f"{show.listed(sides)}{lost}" if sides else changes.adjectives(comparison.margin)[without]
    )
