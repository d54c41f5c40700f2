"""What limits a comparison, in sentences with the numbers of findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Numbered
from benchkit.names import short_names
from benchkit.report.marks import mark, message
from benchkit.report.tabular import Sentence

#: Findings that a grade is about: they stand beside its sentence.
_OF_GRADE: Final = {"once": "REPLICATES", "few": "REPLICATES", "unshown": "REPLICATES"}
#: So many findings are listed at once; the others are a click away.
MOST_LISTED: Final = 6


def limits(comparison: Comparison) -> list[Sentence]:
    """Return what limits the comparison: the grade's own reasons, then serious findings."""
    grade = comparison.grade
    reasons = [reason.rstrip(".") for reason in grade.reasons]
    if not grade.comparable:
        reasons = reasons[1:]
    beside = tuple(
        mark(numbered)
        for numbered in comparison.findings
        if numbered.first.check == _OF_GRADE.get(grade.key)
    )
    sentences = [Sentence(show.clean(reason)) for reason in reasons]
    if sentences:
        sentences[0] = Sentence(sentences[0].text, beside)
    elif grade.key in {"established", "limited"}:
        sentences.append(Sentence(_tests(comparison)))
    if not grade.comparable:
        text = "Figures stand as each run printed them, in the order of the input"
        sentences.append(Sentence(text))
    return [*sentences, *(_serious(comparison) or _first_doubt(comparison))]


def worst(comparison: Comparison) -> str:
    """Return the worst problem with the data in a few words, empty where there is none."""
    problems = _beyond_grade(comparison)
    if not problems:
        return ""
    kinds = len({numbered.first.check for numbered in problems})
    more = f", and {kinds - 1} more" if kinds > 1 else ""
    return f"{problems[0].first.title}{more}"


def listed(comparison: Comparison) -> tuple[list[Numbered], list[Numbered]]:
    """Return the findings that stand on the page, and those that are folded away."""
    shown = [n for n in comparison.findings if n.first.severity != "info"]
    first = shown[: max(MOST_LISTED, len(comparison.serious))]
    return first, [n for n in comparison.findings if n not in first]


def in_short(comparison: Comparison) -> list[str]:
    """Return the findings for a terminal: serious ones in full, the others by name."""
    full = [f"({numbered.number}) {message(numbered)}" for numbered in comparison.serious]
    warnings = [
        f"{numbered.first.title} ({numbered.number})"
        for numbered in comparison.findings
        if numbered.first.severity == "warning"
    ]
    return [*full, *([f"Also: {'; '.join(warnings)}."] if warnings else [])]


def intervals(comparison: Comparison) -> str:
    """Return what the intervals of a comparison are, empty where it has none."""
    effects = [e for e in comparison.effects if e.interval is not None]
    if not effects or not comparison.grade.comparable:
        return ""
    if min(min(effect.runs, effect.baseline_runs) for effect in effects) == 1:
        return "Bands describe these single runs only: another run may differ more."
    levels = sorted({effect.interval.confidence for effect in effects if effect.interval})
    level = " to ".join(dict.fromkeys(show.share(round(n, 3)) for n in (levels[0], levels[-1])))
    return f"Intervals of the change at {level}, unadjusted; verdicts are adjusted."


def _tests(comparison: Comparison) -> str:
    """Return how many tests there were, and how many of them decided nothing."""
    if comparison.tests == 1:
        return "One test, with a chance of 5% to be wrong"
    open_ = sum(
        effect.verdict == "inconclusive" and effect.adjusted_p is not None
        for effect in (*comparison.effects, *comparison.sweep_effects)
    )
    undecided = f", {open_} of them inconclusive" if open_ else ""
    amount = show.plural(comparison.tests, "test")
    return f"{amount}{undecided}, with a chance of 5% in all to be wrong"


def _first_doubt(comparison: Comparison) -> list[Sentence]:
    """Return the first warning in a few words, where nothing is serious."""
    return [
        Sentence(f"{n.first.title}{_where(comparison, [n])}", (mark(n),))
        for n in _beyond_grade(comparison)[:1]
    ]


def _beyond_grade(comparison: Comparison) -> list[Numbered]:
    """Return findings, notes left out, that the grade does not name already."""
    named = _OF_GRADE.get(comparison.grade.key)
    return [n for n in comparison.findings if n.first.severity != "info" and n.first.check != named]


def _serious(comparison: Comparison) -> list[Sentence]:
    """Return the serious findings in a few words each, those of one kind together."""
    by_title: dict[str, list[Numbered]] = {}
    for numbered in comparison.serious:
        by_title.setdefault(numbered.first.title, []).append(numbered)
    return [
        Sentence(f"{title}{_where(comparison, alike)}", tuple(map(mark, alike)))
        for title, alike in by_title.items()
    ]


def _where(comparison: Comparison, findings: Sequence[Numbered]) -> str:
    labels = {comparison.only(numbered) for numbered in findings}
    label = labels.pop() if len(labels) == 1 else None
    if label is None:
        return ""
    return f" (in {short_names(list(comparison.order))[label]})"
