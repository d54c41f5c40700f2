"""Which metric orders the variants, and how far the evidence carries: of each, and of all."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.compare.obstacles import failing_apart, obstacles
from benchkit.model.comparison import (
    DECIDED,
    DIRECTIONS,
    Comparison,
    Effect,
    Grade,
    GradeKey,
    key_effect,
)
from benchkit.model.load import is_paced
from benchkit.model.metric import COMPARED, COUNT_FAILURES, GOODPUT, THROUGHPUT, Metric
from benchkit.model.variant import Variant

#: So many variants have their reason named.
_NAMED: Final = 3
_LIMITED: Final = "In these runs only"
_DESCRIBED: Final = "Described, not tested"
_LATENCIES = tuple(COMPARED[name] for name in ("p99", "p50", "mean"))


def rank_metric(variants: Sequence[Variant], *, swept: bool) -> Metric | None:
    """Return the metric that ranks these variants, None where none does.

    Throughput where the loop is closed; else, because that is then what was asked for, the first
    of p99, p50 and mean that every variant has. Where more requests of one failed, goodput.

    Levels that are swept are no reason for that: the highest may well fail.
    """
    paced = is_paced([run for variant in variants for run in variant.runs])
    choices = _LATENCIES if paced else (THROUGHPUT, *_LATENCIES)
    if not swept and failing_apart(variants):
        choices = (GOODPUT, *choices)
    return next((m for m in choices if all(v.values[m.column] is not None for v in variants)), None)


def ranked(variants: Sequence[Variant], metric: Metric | None) -> tuple[Variant, ...]:
    """Return the variants best first; equal ones keep their order."""
    if metric is None:
        return tuple(variants)

    def value(variant: Variant) -> float:
        return variant.values[metric.column] or 0.0

    return tuple(sorted(variants, key=value, reverse=metric.higher_is_better))


def described(variants: Sequence[Variant]) -> Grade:
    """Return the grade of variants of which nothing was tested."""
    against = obstacles(variants) if len(variants) > 1 else []
    if against:
        return Grade("incomparable", "⊘", "Not comparable", tuple(against))
    counts = sorted({len(v) for v in variants})
    if counts[0] == 1:
        return Grade("once", "◐", "Observed once", _once(variants))
    each = show.EN_DASH.join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
    if len(variants) == 1:
        text = f"{each} runs: there is nothing to compare them with."
        return Grade("few", "◔", "One variant", (text,))
    text = f"{each} runs each, described but not tested."
    return Grade("few", "◔", "Few runs", (text,))


def graded(effects: Sequence[Effect], *, limited: bool, against: Sequence[str] = ()) -> Grade:
    """Return the grade of one variant against its baseline, from all its effects.

    It is limited where a figure of the two is not what it seems, for a serious finding or for
    failures that all have; `against` says why they cannot be compared in what was asked.
    """
    speeds = [e for e in effects if e.metric.name not in COUNT_FAILURES] or list(effects)
    reasons = tuple(_sentence(text) for text in dict.fromkeys(e.reason for e in speeds) if text)[:1]
    if any(e.verdict in DECIDED for e in effects):
        if limited:
            return Grade("limited", "◕", _LIMITED)
        return Grade("established", "●", "Established")
    measured = [e for e in speeds if (e.ratio, e.points) != (None, None)]
    if against or not measured:
        return Grade("incomparable", "⊘", "Not comparable", tuple(against) or reasons)
    if max(min(e.runs, e.baseline_runs) for e in measured) < 2:
        return Grade("once", "◐", "Observed once", reasons)
    return _undecided([e for e in effects if e.tested], reasons)


def _undecided(tested: Sequence[Effect], reasons: tuple[str, ...]) -> Grade:
    if not tested:
        beside = (reason.removeprefix(f"{_DESCRIBED}: ") for reason in reasons)
        capitals = tuple(f"{reason[:1].upper()}{reason[1:]}" for reason in beside)
        return Grade("described", "◔", _DESCRIBED, capitals)
    key = key_effect(tested) or tested[0]
    if all(e.obstacle == "few" for e in tested):
        return Grade("few", "◔", "Few runs", (_sentence(key.reason),))
    if any(e.obstacle == "forbidden" for e in tested):
        return Grade("forbidden", "◌", "Verdict withheld", (_sentence(key.reason),))
    reason = f"{key.metric.title} of {show.quoted(key.variant)}: {key.reason}."
    # A known difference may lack a verdict, as one that counts as none does.
    words = "No difference shown" if all(e.crosses for e in tested) else "No verdict"
    return Grade("unshown", "○", words, (reason,))


def together(whole: Grade, grades: Mapping[str, Grade]) -> Grade:
    """Return the grade of a comparison from those of its variants, by label.

    `whole` is as `described`: that some cannot be compared takes no answer from the others.
    """
    if not grades:
        return whole
    by_key = {grade.key: grade for grade in grades.values()}
    if list(by_key) == ["incomparable"]:
        return next(iter(grades.values())) if whole.comparable else whole
    for key in ("limited", "established"):
        if key in by_key:
            why = whole.reasons if whole.key == "once" else ()
            return Grade(key, by_key[key].symbol, by_key[key].words, why)
    if whole.key == "once":
        return whole
    return next(
        _named(key, grades)
        for key in ("forbidden", "unshown", "few", "once", "described")
        if key in by_key
    )


def limited_by(comparison: Comparison, left: Comparison) -> Comparison:
    """Return a comparison with what it is without its first runs, which may limit its grades."""
    made = replace(comparison, without_first=left)
    return _with_limited(made, contradicted(made))


def contradicted(comparison: Comparison) -> dict[str, list[Metric]]:
    """Return the variants whose answer is contradicted without the first runs, and in what.

    Fewer runs also decide less. Only a direction that they decide, and the answer does not have,
    contradicts it.
    """
    left = comparison.without_first
    fewer = left.effects_by_variant if left else {}
    return {
        label: against
        for label, effects in comparison.effects_by_variant.items()
        if (against := _contradicting(effects, fewer.get(label, ())))
    }


def capped_by(left: Comparison, whole: Comparison) -> Comparison:
    """Return a comparison of some runs, chosen after the fact, with what it is of all runs.

    That these few decide more is no better evidence: it holds for them only.
    """
    unsure = {label for label in left.grades if whole.grade_of(label).key != "established"}
    sweeps = {
        labels: _limited(grade)
        if grade.key == "established"
        and whole.sweep_grades.get(labels, whole.grade).key != "established"
        else grade
        for labels, grade in left.sweep_grades.items()
    }
    return replace(_with_limited(left, unsure), sweep_grades=sweeps)


def _with_limited(comparison: Comparison, labels: Collection[str]) -> Comparison:
    """Return a comparison in which what is established of some variants is limited."""
    grades = {
        label: _limited(grade) if grade.key == "established" and label in labels else grade
        for label, grade in comparison.grades.items()
    }
    whole = comparison.grade
    if whole.key == "established" and grades != comparison.grades:
        whole = _limited(whole)
    return replace(comparison, grade=whole, grades=grades)


def _limited(grade: Grade) -> Grade:
    return replace(grade, key="limited", symbol="◕", words=_LIMITED)


def _contradicting(effects: Sequence[Effect], fewer: Sequence[Effect]) -> list[Metric]:
    """Return in what fewer runs decide against a decided answer.

    That is a direction that it has in no metric, or the reverse of what it has in the same.
    """
    answer = {effect.metric: effect.verdict for effect in effects if effect.verdict in DECIDED}
    others = set(DIRECTIONS) - set(answer.values()) if answer else set[str]()
    reverse = {"faster": "slower", "slower": "faster"}
    return [
        effect.metric
        for effect in fewer
        if effect.verdict in others or reverse.get(effect.verdict, "") == answer.get(effect.metric)
    ]


def _named(key: GradeKey, grades: Mapping[str, Grade]) -> Grade:
    """Return the first grade of a kind, whose reasons name the variants where there are others."""
    label, grade = next(item for item in grades.items() if item[1].key == key)
    if key == "unshown":  # each names its variant, and any may be the one that nearly differs
        every = [
            reason for other in grades.values() if other.key == key for reason in other.reasons
        ]
        return replace(grade, reasons=tuple(every[:_NAMED]))
    others = [other for other in grades.values() if other.comparable or not grade.comparable]
    alone = len(others) == 1 < len(grades)
    alike = not alone and {other.reasons for other in others} == {grade.reasons}
    mention = rf"\bof {re.escape(show.quoted(label))}(?![\w-])"  # a `b` is also in `before`
    named = alike or any(re.search(mention, reason) for reason in grade.reasons)
    reasons = tuple(f"{show.quoted(label)}: {reason}" for reason in grade.reasons)
    return grade if named else replace(grade, reasons=reasons)


def _sentence(reason: str) -> str:
    # A p is no word that begins a sentence in capitals.
    start = reason[:1] if reason.startswith("p ") else reason[:1].upper()
    return f"{start}{reason[1:]}."


def _once(variants: Sequence[Variant]) -> tuple[str, ...]:
    if len(variants) == 1:
        return ("One run: how much a repetition would differ is not known.",)
    if all(len(v) == 1 for v in variants):
        return ("One run each: how much a repetition would differ is not known.",)
    single = [show.quoted(v.label) for v in variants if len(v) == 1]
    return (f"Only one run of {show.listed(single)}: no run-to-run spread is known.",)
