"""Comparisons as Markdown, for a pull request or a README."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchkit.model.comparison import Comparison
from benchkit.report import remarks
from benchkit.report.circumstances import eyebrow
from benchkit.report.marks import finding_views, plain
from benchkit.report.markup import bulleted, escaped, table
from benchkit.report.sections import closing, sections
from benchkit.report.sentences import headline
from benchkit.report.table import comparison_table
from benchkit.report.tabular import (
    Cell,
    Change,
    ComparisonTable,
    MetricRow,
    Name,
    Section,
    Sentence,
)
from benchkit.report.views import FindingView


def markdown(
    comparisons: Sequence[Comparison],
    *,
    percentiles: Sequence[float] = (),
    sort: str | None = None,
) -> str:
    """Return the comparisons: of each a sentence, what limits it, its table, its findings.

    Args:
        comparisons: What is shown.
        percentiles: As for `comparison_table`.
        sort: Likewise.
    """
    parts = []
    for comparison in comparisons:
        shown = comparison_table(comparison, percentiles=percentiles, sort=sort)
        parts += [
            f"## {escaped(comparison.name)}" if comparison.scenario else "",
            escaped(eyebrow(comparison)),
            answer(comparison.grade.words, headline(comparison)),
            limits(remarks.limits(comparison)),
            table_markdown(shown),
            escaped(" ".join(shown.notes)),
            # Notes are left to `benchkit check`.
            findings(
                finding_views(n for n in comparison.findings if n.first.severity != "info"),
            ),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def verdicts_markdown(comparisons: Sequence[Comparison]) -> str:
    """Return each variant against its baseline: a sentence, a table, the reasons."""
    parts = [part for comparison in comparisons for part in _verdicts(comparison)]
    parts.append(bulleted(closing(comparisons)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _verdicts(comparison: Comparison) -> Iterator[str]:
    listed = list(sections(comparison))
    if len(comparison.effects_by_variant) > 1:
        yield f"## {escaped(comparison.name)}"
        yield answer(comparison.grade.words, headline(comparison))
    for section in listed:
        yield from _section(section, "###" if len(comparison.effects_by_variant) > 1 else "##")


def _section(section: Section, level: str) -> Iterator[str]:
    yield f"{level} {escaped(section.title)}"
    yield answer(section.grade, section.sentence)
    yield effects_markdown(section.table)
    yield bulleted(section.reasons)


def answer(grade: str, sentence: str) -> str:
    """Return a sentence with its grade in front."""
    return f"**{grade}.** {escaped(sentence)}"


def limits(sentences: Iterable[Sentence]) -> str:
    """Return sentences with the numbers of their findings, as a paragraph."""
    return escaped(" ".join(f"{sentence.text}{plain(sentence.marks)}." for sentence in sentences))


def findings(listed: Iterable[FindingView], *, advice: bool = False) -> str:
    """Return findings as a list."""
    return "\n".join(
        f"- ({finding.mark.number}) **{escaped(finding.claim)}.** {escaped(finding.text)}"
        + (f" *{escaped(finding.advice)}*" if advice and finding.advice else "")
        for finding in listed
    )


def table_markdown(shown: ComparisonTable) -> str:
    """Return a table of variants or runs."""
    if shown.by_metric:
        return _by_metric(shown)
    rows = [row for row in shown.rows if not row.empty]
    headings = [shown.subject, *map(_heading, rows)]
    lines = [
        [_name(name), *(_cell(row.cells[place]) for row in rows)]
        for place, name in enumerate(shown.names)
    ]
    return table(headings, lines, right=range(1, len(headings)))


def effects_markdown(shown: ComparisonTable) -> str:
    """Return a table of two variants with interval and verdict in columns of their own."""
    headings = ["", *map(_name, shown.names), "change", "interval", "verdict"]
    lines = []
    for row in shown.rows:
        change = row.cells[-1].change or Change("")
        beside = (change.amount, change.interval, change.verdict)
        lines.append([_heading(row), *map(_cell, row.cells), *map(escaped, beside)])
        lines[-1][2] = escaped(row.cells[-1].text)
    return table(headings, lines, right=(1, 2))


def _by_metric(shown: ComparisonTable) -> str:
    changed = ["change"] if shown.changes else []
    headings = ["", *map(_name, shown.names), *changed]
    lines = []
    for row in shown.rows:
        cells = [_cell(cell, changed=False) for cell in row.cells]
        if row.absent:
            cells = [escaped(row.absent), *[""] * (len(row.cells) - 1)]
        beside = [_change(row.cells[-1].change)] if changed else []
        lines.append([_heading(row), *cells, *beside])
    return table(headings, lines, right=range(1, len(shown.names) + 1))


def _heading(row: MetricRow) -> str:
    return f"{escaped(row.heading)}{plain(row.marks)}"


def _name(name: Name) -> str:
    parts = [word for word in ("base" if name.baseline else "", name.runs) if word]
    return f"{escaped(name.label)}{_in_brackets(parts, ', ')}{plain(name.marks)}"


def _cell(cell: Cell, *, changed: bool = True) -> str:
    change = cell.change if changed else None
    parts = [cell.spread, cell.share, *([change.text, change.about] if change else [])]
    beside = [escaped(text) for text in parts if text]
    return f"{escaped(cell.text)}{_in_brackets(beside, '; ')}{plain(cell.marks)}"


def _change(change: Change | None) -> str:
    if change is None:
        return ""
    about = f" ({escaped(change.about)})" if change.about else ""
    return f"**{escaped(change.text)}**{about}"


def _in_brackets(texts: Sequence[str], between: str) -> str:
    return f" ({between.join(texts)})" if texts else ""
