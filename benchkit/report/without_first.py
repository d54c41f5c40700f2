"""What an answer would be without the first runs, of servers that had to warm up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare.grades import contradicted
from benchkit.model.comparison import DIRECTIONS, Comparison, Effect, key_effect
from benchkit.model.grouping import grouped
from benchkit.names import some
from benchkit.report import changes
from benchkit.report.sentences import verdict_word

FIRST: Final = "the first run of each"


def other_answer(comparison: Comparison) -> str:
    """Return the other answer and for whom, without a full stop; empty where there is no other.

    It says so where the grade is what it is for that answer.
    """
    texts = other_answers(comparison)
    if not texts:
        return ""
    several = len(comparison.effects_by_variant) > 1
    parts = []
    for text, labels in grouped(texts, texts.__getitem__).items():
        whom = some([show.quoted(label) for label in labels])
        parts.append(f"{whom} {text}" if several else text)
    answer = "; ".join(parts)
    if comparison.grade.key == "limited" and contradicted(comparison).keys() & texts.keys():
        return f"Only in these runs: without {FIRST}, {answer}"
    return f"Without {FIRST}: {answer}"


def other_answers(comparison: Comparison) -> Mapping[str, str]:
    """Return the other answers by variant.

    Fewer runs also decide less, and where they are too few for any verdict they are no answer.
    """
    left = comparison.without_first
    if left is None or not comparison.grade.tested:
        return {}
    answers = left.effects_by_variant
    return {
        label: text
        for label, effects in comparison.effects_by_variant.items()
        if label in answers
        and left.grade_of(label).tested
        and (text := _another(comparison, effects, answers[label]))
    }


def _another(comparison: Comparison, effects: Sequence[Effect], left: Sequence[Effect]) -> str:
    """Return what other effects of a variant say in its place, empty where that is the same.

    The verdict is another, or the metric that a sentence names for it does not carry it any more.
    """
    word, without = verdict_word(effects), verdict_word(left)
    key = key_effect(effects, comparison.rank_metric)
    if key is None:
        return ""
    after = next((effect for effect in left if effect.metric.name == key.metric.name), key)
    if word == without and after.verdict == key.verdict:
        return ""
    if not any(effect.verdict in DIRECTIONS for effect in left):
        return f"{changes.adjectives(comparison.margin)[without]}{_bounds(comparison, after)}"
    several = len(comparison.effects_by_variant) > 1
    than = f" than {show.quoted(key.baseline, limit=40)}" if several else ""
    before = {effect.metric: effect.verdict for effect in effects}
    lost = key.verdict in DIRECTIONS and after.verdict == "inconclusive"
    parts = [
        *_decided([e for e in left if before.get(e.metric) != e.verdict], than),
        *([f"{key.metric.subject} inconclusive"] if lost else []),
    ]
    kept = _decided([e for e in left if before.get(e.metric) == e.verdict], than)
    return ", ".join([show.listed(parts), *(f"still {part}" for part in kept if lost)])


def _decided(effects: Sequence[Effect], than: str) -> list[str]:
    """Return in which metrics a variant is faster, and in which slower, `than` its baseline."""
    subjects = {
        side: [effect.metric.subject for effect in effects if effect.verdict == side]
        for side in DIRECTIONS
    }
    return [f"{side}{than} in {show.listed(names)}" for side, names in subjects.items() if names]


def _bounds(comparison: Comparison, effect: Effect) -> str:
    """Return the metric and the interval of its change in parentheses where it has both signs."""
    cell = changes.change(comparison, effect)
    return (
        f" ({effect.metric.subject} {cell.interval})"
        if cell and cell.interval and effect.crosses
        else ""
    )
