"""Numbers of findings as outputs show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from benchkit import format as show
from benchkit.model.comparison import Comparison, Numbered
from benchkit.names import circled
from benchkit.report.tabular import Mark, Sentence
from benchkit.report.views import FindingView
from benchkit.validity.text import others


def marks(comparison: Comparison, numbers: Iterable[int]) -> tuple[Mark, ...]:
    """Return the findings of these numbers as marks."""
    return tuple(mark(comparison.findings[number - 1]) for number in numbers)


def mark(numbered: Numbered) -> Mark:
    """Return the mark of findings of one kind."""
    return Mark(numbered.number, circled(numbered.number), numbered.serious)


def plain(marked: Sequence[Mark]) -> str:
    """Return ` (1, 3)`, nothing without marks."""
    return f" ({', '.join(str(mark.number) for mark in marked)})" if marked else ""


def message(numbered: Numbered) -> str:
    """Return the message of the first, and the names of the runs that have the same."""
    rest = others(numbered.findings)
    likewise = f" Likewise {rest}." if rest else ""
    return f"{show.clean(numbered.first.message)}{likewise}"


def finding_views(findings: Iterable[Numbered]) -> tuple[FindingView, ...]:
    """Return findings as they stand in their list."""
    return tuple(
        FindingView(
            mark(numbered),
            show.clean(numbered.first.title),
            message(numbered),
            show.clean(numbered.first.advice),
        )
        for numbered in findings
    )


def findings_by_run(comparison: Comparison) -> Mapping[str, Sequence[Sentence]]:
    """Return what was found of single runs; what its finding says above is not repeated."""
    sentences: dict[str, list[Sentence]] = defaultdict(list)
    for numbered in comparison.findings:
        for finding in numbered.findings:
            if finding.run_id is not None:
                text = "" if finding is numbered.first else show.clean(finding.message)
                sentences[finding.run_id].append(Sentence(text, (mark(numbered),)))
    return sentences
