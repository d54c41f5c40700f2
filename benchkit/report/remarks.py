"""What limits a comparison: sentences with the numbers of findings, and the findings in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.assessment import Assessed, Numbered
from benchkit.names import short_names

#: Findings that a grade is about: they stand beside its sentence.
_OF_GRADE: Final = {"once": "REPLICATES", "few": "REPLICATES", "unshown": "REPLICATES"}
#: So many findings are listed at once; the others are a click away.
MOST_LISTED: Final = 6


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence without its full stop, and the numbers of the findings behind it."""

    text: str
    numbers: tuple[int, ...] = ()

    def plain(self) -> str:
        """Return it as text, the numbers in brackets."""
        return f"{self.text}{plain_marks(self.numbers)}."


def plain_marks(numbers: Sequence[int]) -> str:
    """Return ` (1, 3)`, nothing without numbers."""
    return f" ({', '.join(map(str, numbers))})" if numbers else ""


def limits(comparison: Assessed) -> list[Remark]:
    """Return what limits the comparison: the grade's own reasons, then serious findings."""
    reasons = list(comparison.grade.reasons)
    found: list[Remark] = []
    if not comparison.grade.comparable:
        reasons = reasons[1:]
    beside = tuple(
        one.number
        for one in comparison.findings
        if one.first.check == _OF_GRADE.get(comparison.grade.key)
    )
    for number, reason in enumerate(reasons):
        found.append(Remark(reason.rstrip("."), () if number else beside))
    if not reasons and comparison.grade.key in {"established", "limited"}:
        told = _tested(comparison)
        found.append(Remark(f"{told[:1].upper() if told[:1] != 'p' else 'p'}{told[1:]}"))
    if not comparison.grade.comparable:
        found.append(Remark("Figures stand as each run printed them, in the order of the input"))
    return [*found, *(serious(comparison) or _first_doubt(comparison))]


def _first_doubt(comparison: Assessed) -> list[Remark]:
    """Return the first warning in a few words, where nothing is serious."""
    doubts = _beyond_grade(comparison)[:1]
    return [
        Remark(f"{one.first.title}{_where(comparison, [one])}", (one.number,)) for one in doubts
    ]


def _beyond_grade(comparison: Assessed) -> list[Numbered]:
    """Return findings, notes left out, that the grade does not tell already."""
    told = _OF_GRADE.get(comparison.grade.key)
    return [f for f in comparison.findings if f.first.severity != "info" and f.first.check != told]


def serious(comparison: Assessed) -> list[Remark]:
    """Return the serious findings in a few words each, those of one kind together."""
    by_words: dict[str, list[Numbered]] = {}
    for one in comparison.serious:
        by_words.setdefault(one.first.title, []).append(one)
    return [
        Remark(f"{words}{_where(comparison, of)}", tuple(one.number for one in of))
        for words, of in by_words.items()
    ]


def worst(comparison: Assessed) -> str:
    """Return the worst problem with the data in a few words, empty where there is none."""
    problems = _beyond_grade(comparison)
    if not problems:
        return ""
    kinds = len({one.first.check for one in problems})
    more = f", and {kinds - 1} more" if kinds > 1 else ""
    return f"{problems[0].first.title}{more}"


def listed(comparison: Assessed) -> tuple[list[Numbered], list[Numbered]]:
    """Return the findings that stand on the page, and those that are folded away."""
    shown = [one for one in comparison.findings if one.first.severity != "info"]
    kept = max(MOST_LISTED, len(comparison.serious))
    first = shown[:kept]
    return first, [one for one in comparison.findings if one not in first]


def told(finding: Numbered) -> str:
    """Return the message of the first, and the names of the runs that have the same."""
    others = finding.group.others
    likewise = f" Likewise {others}." if others else ""
    return f"{show.clean(finding.first.message)}{likewise}"


def in_short(comparison: Assessed) -> list[str]:
    """Return the findings for a terminal: serious ones in full, the others by name."""
    full = [f"({one.number}) {told(one)}" for one in comparison.serious]
    others = [
        f"{one.first.title} ({one.number})"
        for one in comparison.findings
        if one.first.severity == "warning"
    ]
    return [*full, *([f"Also: {'; '.join(others)}."] if others else [])]


def _tested(comparison: Assessed) -> str:
    """Return how many tests there were, and how many of them decided nothing."""
    tests = [row for row in comparison.rows if row.verdict != "not-tested"]
    open_ = sum(row.verdict == "inconclusive" for row in tests)
    chance = "with a chance of 5% in all to be wrong"
    if len(tests) == 1:
        return f"One test, {chance}"
    if not open_ and len({row.verdict for row in tests}) == 1 and len(comparison.variants) == 2:
        return f"{show.listed([row.metric for row in tests])} agree, {chance}"
    undecided = f"{open_} of them inconclusive, " if open_ else ""
    return f"{len(tests)} tests, {undecided}{chance}"


def _where(comparison: Assessed, findings: Sequence[Numbered]) -> str:
    labels = {comparison.only(one) for one in findings}
    label = labels.pop() if len(labels) == 1 else None
    if label is None:
        return ""
    return f" (in {short_names(list(comparison.order))[label]})"
