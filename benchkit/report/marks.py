"""Numbers of findings as the page shows them."""

from __future__ import annotations

from collections.abc import Iterable

from benchkit import format as show
from benchkit.assessment import Assessed, Numbered
from benchkit.names import circled
from benchkit.report.remarks import told
from benchkit.report.views import Finding, Mark, Sentence


def marks(comparison: Assessed, numbers: Iterable[int]) -> tuple[Mark, ...]:
    """Return the findings of these numbers as marks."""
    return tuple(mark(comparison.findings[number - 1]) for number in numbers)


def mark(finding: Numbered) -> Mark:
    """Return the mark of one finding."""
    return Mark(finding.number, circled(finding.number), finding.serious)


def findings(numbered: Iterable[Numbered]) -> tuple[Finding, ...]:
    """Return findings as they stand in their list."""
    return tuple(
        Finding(
            mark(one),
            show.clean(one.first.title),
            told(one),
            show.clean(one.first.advice),
        )
        for one in numbered
    )


def findings_of(comparison: Assessed, run_id: str) -> tuple[Sentence, ...]:
    """Return what was found of one run alone; what its finding tells above is not repeated."""
    return tuple(
        Sentence("" if one is numbered.first else show.clean(one.message), (mark(numbered),))
        for numbered in comparison.findings
        for one in numbered.group.findings
        if one.run_id == run_id
    )
