"""The answer of a comparison in a sentence; the grade of the evidence limits its verb.

Only repeated runs give verdicts, and only here is anything said to *be* faster.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.compare.grades import rank_metric, ranked
from benchkit.model.comparison import DECIDED, DIRECTIONS, Comparison, Effect, Grade, key_effect
from benchkit.model.grouping import grouped
from benchkit.names import some
from benchkit.report import changes, observed
from benchkit.report.sweeps import swept

#: Why a difference whose interval is known is no verdict; of one that was only described its
#: grade, which stands beside every sentence, says so.
_LIMITS: Final = {
    "unshown": "not enough for a verdict",
    "forbidden": "verdict withheld",
    "few": "too few runs for a verdict",
}
_CLAIM: Final = re.compile(r"((?:“[^”]*”|[^“:]|:(?! ))+): (.+)")
#: So many variants are named.
_NAMED: Final = 3
_EVERY: Final = "every other variant"
_ORDER: Final = ("faster", "slower", "same")


def headline(comparison: Comparison) -> str:
    """Return the answer of a comparison in one sentence, or why there is none."""
    grade = comparison.grade
    if not grade.comparable:
        return no_verdict(grade)
    if comparison.axis and (sentence := swept(comparison)):
        return _limited(sentence, grade)
    answers = _answers(comparison)
    if not answers:
        single = len(comparison.variants) == 1
        return observed.alone(comparison) if single else observed.several(comparison)
    pair = len(comparison.variants) == 2 or comparison.axis is not None
    alone = len(answers) == 1 and (grade.tested or pair)
    if alone or grade.key == "described":
        # Those that differ in nothing have no sentence where others do.
        telling = [label for label in answers if key_effect(answers[label])]
        labels = telling or [*answers][:1]
        if len(labels) > _NAMED:  # those that the table has first
            labels = [v.label for v in comparison.variants if v.label in labels][:_NAMED]
        sentences = [_of_variant(comparison, label) for label in labels]
        last = _with_uncompared(sentences[-1], comparison, answers)
        more = len(answers) - len(labels) if telling else 0
        further = [f"{show.plural(more, 'more variant')} in the table."] if more else []
        return " ".join([*sentences[:-1], last, *further])
    if not grade.tested:
        left_out = _uncompared(comparison, answers)
        rest = _without(comparison, left_out) if left_out else comparison
        return _with_uncompared(observed.several(rest), comparison, answers)
    one_baseline = len({effects[0].baseline for effects in answers.values()}) == 1
    sentence = _several(comparison, answers) if one_baseline else _settings(comparison, answers)
    return _with_uncompared(_limited(sentence, grade), comparison, answers)


def claim_and_measure(sentence: str) -> tuple[str, str]:
    """Return what a headline says and, empty without any, by how much: the clauses at its colon.

    A name with a blank stands in quotes, so that no other colon has one behind it.
    """
    parts = _CLAIM.fullmatch(sentence.rstrip("."))
    return (parts[1], parts[2]) if parts else (sentence.rstrip("."), "")


def variant_sentence(
    comparison: Comparison, label: str, names: tuple[str, str] | None = None
) -> str:
    """Return the answer for one variant; `names` are what it and its baseline are called here."""
    answers = _answers(comparison)
    if list(answers) == [label] and not _uncompared(comparison, answers):
        return headline(comparison)
    return _of_variant(comparison, label, names)


def effects_sentence(
    effects: Sequence[Effect], grade: Grade, comparison: Comparison, names: tuple[str, str]
) -> str:
    """Return what effects of one variant say; `names` are what it and the baseline are called."""
    effect = key_effect(effects, comparison.rank_metric)
    if not grade.comparable or effect is None:
        return no_verdict(grade)
    variant, base = (show.quoted(name, limit=0) for name in names)
    but = _but(effects, effect, comparison)
    change = f"{changes.in_words(comparison, effect)}{but}, {changes.runs(effect)}"
    if grade.key in {"established", "limited"}:
        return _limited(_decided(effects, effect, comparison, (variant, base)), grade)
    if grade.key == "unshown" and effect.crosses:
        what = f"{effect.metric.subject} difference of {variant} from {base}"
        return f"No {what} was shown: {change}."
    limit = _limit(effect, grade, comparison)
    start = f"{changes.subject(effect)} of {variant} against {base}"
    if grade.key == "described" and effect.ratio and not effect.crosses:
        direction = "higher" if effect.ratio > 1 else "lower"
        start = f"{variant} had a {direction} {effect.metric.subject} than {base}"
    return f"{start}: {change}{f'; {limit}' if limit else ''}."


def _limit(effect: Effect, grade: Grade, comparison: Comparison) -> str:
    """Return why a difference whose interval is known is no verdict, empty where nothing says."""
    limit = _LIMITS.get(grade.key, "")
    if grade.key != "unshown" or effect.interval is None:
        return limit
    if effect.obstacle == "others":
        within = show.margin(comparison.margin)
        return f"within {within}, which is not shown of every primary metric"
    tests = comparison.tests
    return f"{limit} among {show.plural(tests, 'test')}" if tests > 1 else limit


def _but(effects: Sequence[Effect], key: Effect, comparison: Comparison) -> str:
    """Return the other direction where a primary metric clearly has it; a test says it itself.

    One that goes with the key then stands before it: either alone would mislead.
    """
    sign = key.gain(comparison.margin)
    others = [effect for effect in effects if effect.metric is not key.metric]
    against = changes.primary(others, -sign, comparison) if sign else None
    along = changes.primary(others, sign, comparison)
    if against is None:
        return ""
    better, worse = ("better", "worse") if sign > 0 else ("worse", "better")
    but = f", but {against.metric.subject} {worse}, {changes.in_words(comparison, against)}"
    if along is None or not along.ratio:
        return but
    change = comparison.change(along.metric, along.ratio, along.bounds)
    return f", {along.metric.subject} {better}, {change}{but}"


def no_verdict(grade: Grade) -> str:
    """Return why there is no verdict."""
    reason = grade.reasons[0] if grade.reasons else "nothing could be compared."
    reason = reason.removeprefix("Not comparable: ").rstrip(".")
    return f"No verdict: {reason[:1].lower()}{reason[1:]}."


def verdict_word(effects: Sequence[Effect]) -> str:
    """Return what the effects of one variant say together.

    That is a verdict, or one of `changes.MIXED`, `NO_VERDICT` and `UNTESTED`.
    """
    words = {effect.verdict for effect in effects}
    if {"faster", "slower"} <= words:
        return changes.MIXED
    if any(effect.obstacle == "forbidden" for effect in effects):
        return changes.NO_VERDICT
    if all(effect.verdict == "not-tested" or effect.obstacle == "few" for effect in effects):
        return changes.UNTESTED
    return next((word for word in _ORDER if word in words), "inconclusive")


def _answers(comparison: Comparison) -> Mapping[str, Sequence[Effect]]:
    """Return the effects of each variant that is an answer: comparable, and no copy, if any is."""
    parts, grades = comparison.effects_by_variant, comparison.grades
    copies = {v.label for v in comparison.variants if v.is_copy}
    real = {label: part for label, part in parts.items() if label not in copies} or parts
    return {label: part for label, part in real.items() if grades[label].comparable} or real


def _uncompared(comparison: Comparison, answers: Mapping[str, object]) -> list[str]:
    """Return the variants that are no copy and of which no answer speaks."""
    others = [v for v in comparison.variants if not v.is_copy and not comparison.is_baseline(v)]
    return [variant.label for variant in others if variant.label not in answers]


def _without(comparison: Comparison, labels: Collection[str]) -> Comparison:
    """Return a comparison without some variants, the others best first."""
    variants = tuple(v for v in comparison.variants if v.label not in labels)
    metric = comparison.rank_metric or rank_metric(variants, swept=bool(comparison.axis))
    return replace(comparison, variants=ranked(variants, metric), rank_metric=metric)


def _with_uncompared(sentence: str, comparison: Comparison, answers: Mapping[str, object]) -> str:
    """Return an answer that names whom it leaves out: a reader takes it for all variants."""
    labels = _uncompared(comparison, answers)
    if not labels:
        return sentence
    verb = "is" if len(labels) == 1 else "are"
    names = some([show.quoted(label) for label in labels])
    return f"{sentence.rstrip('.')}; {names} {verb} not comparable."


def _of_variant(comparison: Comparison, label: str, names: tuple[str, str] | None = None) -> str:
    effects = comparison.effects_by_variant[label]
    grade = comparison.grade_of(label)
    base = comparison.by_label.get(effects[0].baseline)
    if grade.key in {"once", "few"} and base is not None:
        variant, metrics = comparison.by_label[label], [effect.metric for effect in effects]
        if not any(metric.is_latency for metric in metrics):
            return observed.without_latencies(comparison, base, variant, metrics)
        return observed.pair(comparison, base, variant)
    return effects_sentence(effects, grade, comparison, names or (label, effects[0].baseline))


def _limited(sentence: str, grade: Grade) -> str:
    if grade.key != "limited":
        return sentence
    start = sentence[:1].lower() if sentence.startswith(("Every ", "No ")) else sentence[:1]
    return f"In these runs {start}{sentence[1:]}"


def _decided(
    effects: Sequence[Effect], key: Effect, comparison: Comparison, names: tuple[str, str]
) -> str:
    variant, base = names
    change = f"{key.metric.subject} {changes.in_words(comparison, key)}"
    if verdict_word(effects) == changes.MIXED:
        sides = [
            f"{word} in {show.listed([e.metric.subject for e in effects if e.verdict == word])}"
            for word in ("faster", "slower")
        ]
        others = [e for e in effects if e.verdict in {"faster", "slower"} - {key.verdict}]
        other = key_effect(others, comparison.rank_metric)
        further = f"; {other.metric.subject} {changes.in_words(comparison, other)}" if other else ""
        return (
            f"{variant} is {sides[0]} and {sides[1]} than {base}: "
            f"{change}{further}, {changes.runs(key)}."
        )
    undecided = _undecided({key.variant: effects})
    if key.verdict == "same":
        start = f"{variant} and {base} are the same within {show.margin(comparison.margin)}"
        return f"{start}: {change}, {changes.runs(key)}{undecided}."
    return f"{variant} is {key.verdict} than {base}: {change}, {changes.runs(key)}{undecided}."


def _undecided(answers: Mapping[str, Sequence[Effect]]) -> str:
    """Return the tested metrics that decide nothing about variants with one verdict, and of whom.

    Without it a variant seems to be faster, or the same, in all that was tested.
    """
    if not all({e.verdict for e in effects} & DECIDED for effects in answers.values()):
        return ""
    whose: dict[str, list[str]] = {}
    for label, effects in answers.items():
        for effect in effects:
            if effect.adjusted_p is not None and effect.verdict == "inconclusive":
                whose.setdefault(effect.metric.subject, []).append(label)
    clauses = []
    for labels, subjects in grouped(whose, lambda subject: tuple(whose[subject])).items():
        names = some([show.quoted(label) for label in labels])
        of_whom = f" of {names}" if len(labels) < len(answers) else ""
        clauses.append(f"{show.listed(subjects)}{of_whom} inconclusive")
    return f"; {'; '.join(clauses)}" if clauses else ""


def _by_word(answers: Mapping[str, Sequence[Effect]]) -> dict[str, list[str]]:
    return grouped(answers, lambda label: verdict_word(answers[label]))


def _several(comparison: Comparison, answers: Mapping[str, Sequence[Effect]]) -> str:
    ordered = {v.label: answers[v.label] for v in comparison.variants if v.label in answers}
    by_word = _by_word(ordered)
    every = len(ordered) + len(_uncompared(comparison, answers))
    first, *others = _clauses(by_word, comparison, every=every)
    leading = next((by_word[word] for word in (*_ORDER, changes.MIXED) if word in by_word), ())
    parts = [ordered[label] for label in leading]
    whose = "their " if len(parts) > 2 else ""
    if parts and (change := _leading_change(comparison, parts, whose)):
        first += f": {change}{_undecided({label: ordered[label] for label in leading})}"
    sentence = f"{'; '.join([first, *others])}."
    starts_small = sentence.startswith(("every ", "no ", "the verdict "))
    return f"{sentence[:1].upper()}{sentence[1:]}" if starts_small else sentence


def _is_best(by_word: Mapping[str, Sequence[str]], every: int) -> bool:
    """Whether all of several variants are slower than the baseline."""
    return list(by_word) == ["slower"] and 2 < len(by_word["slower"]) == every


def _leading_change(comparison: Comparison, answers: Sequence[Sequence[Effect]], whose: str) -> str:
    """Return the change of the variants with one verdict, of a single one with its interval.

    Two that differ in one metric, estimated alike, have one each, in the order of their names;
    several are a range, `whose` in words before it. Else the first speaks.
    """
    key = key_effect(answers[0], comparison.rank_metric)
    if key is None:
        return ""
    same = [e for effects in answers for e in effects if e.metric is key.metric]
    alike = {(e.verdict, e.method, changes.runs(e)) for e in same}
    ratios = [effect.ratio for effect in same if effect.ratio]
    if key.verdict not in DIRECTIONS or len(alike) > 1 or not 1 < len(ratios) == len(answers):
        owner = f" of {show.quoted(key.variant)}" if len(answers) > 1 else ""
        return (
            f"{key.metric.subject}{owner} {changes.in_words(comparison, key)}, {changes.runs(key)}"
        )
    how = f" ({key.method})" if key.method else ""
    if len(ratios) == 2:
        amounts = show.listed(changes.written(comparison, same))
    else:
        amounts = changes.span(comparison, same)
    return f"{whose}{key.metric.subject} {amounts}{how}, {changes.runs(key)}"


def _clauses(
    by_word: Mapping[str, Sequence[str]], comparison: Comparison, *, every: int
) -> list[str]:
    base = show.quoted(comparison.baseline)
    within = show.margin(comparison.margin)
    words = {
        "faster": f"faster than {base}",
        "slower": f"slower than {base}",
        "same": f"the same as {base} within {within}",
        changes.MIXED: "faster by some metrics and slower by others",
    }
    if _is_best(by_word, every):
        return [f"{base} is faster than {_EVERY}"]
    clauses = []
    for word, text in words.items():
        if labels := by_word.get(word):
            names = _names(labels, every, _EVERY)
            verb = "is" if len(labels) == 1 or names == _EVERY else "are"
            clauses.append(f"{names} {verb} {text}")
    if labels := by_word.get("inconclusive"):
        if _differ_little(labels, comparison):
            names = _names(labels, every, _EVERY)
            verb = "is" if len(labels) == 1 or names == _EVERY else "are"
            origin = f" against {base}" if not clauses else ""
            clauses.append(f"{names} {verb} inconclusive{origin}")
        else:
            names = _names(labels, every, "any other variant")
            origin = f" from {base}" if not clauses else ""
            clauses.append(f"no difference of {names}{origin} was shown")
    if labels := by_word.get(changes.NO_VERDICT):
        origin = f" against {base}" if not clauses else ""
        names = _names(labels, every, _EVERY)
        clauses.append(f"the verdict on {names}{origin} is withheld")
    if labels := by_word.get(changes.UNTESTED):
        names = _names(labels, every, _EVERY)
        verb = "has" if len(labels) == 1 or names == _EVERY else "have"
        clauses.append(f"{names} {verb} no verdict{f' against {base}' if not clauses else ''}")
    return clauses


def _differ_little(labels: Sequence[str], comparison: Comparison) -> bool:
    """Whether an interval of any variant shows a difference, be it too small for a verdict."""
    effects = [each for label in labels for each in comparison.effects_by_variant.get(label, ())]
    bounds = (effect.bounds for effect in effects if effect.tested)
    return any(ends and not ends[0] <= 1 <= ends[1] for ends in bounds)


def _names(labels: Sequence[str], every: int, whole: str) -> str:
    """Return the names of variants, of all of several the words for that."""
    if len(labels) == every and every > 2:
        return whole
    if len(labels) > _NAMED:
        return f"{len(labels)} of the {every} other variants"
    return show.listed([show.quoted(label) for label in labels])


def _settings(comparison: Comparison, answers: Mapping[str, Sequence[Effect]]) -> str:
    name = {variant.label: variant.name for variant in comparison.variants}
    by_pair: dict[tuple[str, str], dict[str, Sequence[Effect]]] = {}
    for label, effects in answers.items():
        names = name[label], name.get(effects[0].baseline, effects[0].baseline)
        by_pair.setdefault(names, {})[label] = effects
    parts = [
        f"{show.quoted(variant)} against {show.quoted(base)} is "
        f"{_counted(comparison, _by_word(own))} of {len(own)} settings"
        for (variant, base), own in list(by_pair.items())[:_NAMED]
    ]
    return f"{'; '.join(parts)}."


def _counted(comparison: Comparison, by_word: Mapping[str, Sequence[str]]) -> str:
    words = changes.adjectives(comparison.margin)
    return show.listed(
        [f"{text} in {len(by_word[word])}" for word, text in words.items() if word in by_word]
    )
