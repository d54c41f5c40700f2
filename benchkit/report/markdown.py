"""Comparisons, and the whole report, as Markdown for a pull request or a README."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchkit import format as show
from benchkit.model.comparison import Comparison, Numbered
from benchkit.report import remarks
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
    message,
    plain,
)

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment
    from benchkit.report.answers import AnswerView
    from benchkit.report.build import PageView, SectionView


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
            escaped(remarks.eyebrow(comparison)),
            answer(comparison.grade.words, headline(comparison)),
            limits(remarks.limits(comparison)),
            table_markdown(shown),
            escaped(" ".join(shown.notes)),
            # Notes are left to `benchkit check`.
            findings(n for n in comparison.findings if n.first.severity != "info"),
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
        yield from _verdict(section, "###" if len(comparison.effects_by_variant) > 1 else "##")


def _verdict(section: Section, level: str) -> Iterator[str]:
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


def findings(listed: Iterable[Numbered], *, advice: bool = False) -> str:
    """Return findings as a list."""
    return "\n".join(
        f"- ({n.number}) **{escaped(n.first.title)}.** {escaped(message(n))}"
        + (f" *{escaped(n.first.advice)}*" if advice and n.first.advice else "")
        for n in listed
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


# --- the report: the page without its figures ---


def document(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
    command: str = "",
) -> str:
    """Return the report as Markdown; the same runs give the same characters.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        title: Heading; by default the scenarios' names.
        command: The command line that makes it, which then stands at its end.
    """
    from benchkit.report.build import page_view

    page = page_view(assessment, files, title=title, command=command, drawn=False)
    parts = [f"# {escaped(page.title)}", f"{escaped(page.counts)}."]
    if len(page.sections) > 1:
        parts.append(_answers(page))
    for section in page.sections:
        parts += _section(section)
    parts += ["## How to read this", _terms(page.method), "## Provenance", *_provenance(page)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _answers(page: PageView) -> str:
    rows = [
        (
            escaped(section.link),
            escaped(section.answer.headline)
            + (f" *{escaped(section.answer.worst)}.*" if section.answer.worst else ""),
            f"{section.answer.grade.symbol} {section.answer.grade.words}",
        )
        for section in page.sections
    ]
    return table(("Comparison", "Answer", "Evidence"), rows, right=())


def _section(section: SectionView) -> Iterator[str]:
    view = section.answer
    yield f"## {escaped(section.link)}"
    yield escaped(view.eyebrow)
    yield answer(f"{view.grade.symbol} {view.grade.words}", view.headline)
    yield limits(view.limits)
    yield table_markdown(view.table)
    yield escaped(" ".join((*view.table.notes, *view.remarks)))
    yield from _findings(view)
    yield "### Errors and status codes"
    yield _statuses(section)
    if section.run_table:
        yield "### Runs"
        yield table_markdown(section.run_table)


def _findings(view: AnswerView) -> Iterator[str]:
    lines = [findings(view.findings, advice=True)] if view.findings else []
    if view.further:
        more = "; ".join(f"{n.first.title} ({n.number})" for n in view.further)
        lines.append(f"- {'Also' if lines else 'Notes'}: {escaped(more)}.")
    if lines:
        yield "### What limits this comparison"
        yield "\n".join(lines)


def _statuses(section: SectionView) -> str:
    grid = section.statuses
    if grid is None:
        return escaped(section.no_errors)
    rows = [[escaped(text) for text in row] for row in grid.rows]
    headings = [escaped(text) for text in grid.headings]
    return table(headings, rows, right=range(1, len(headings)))


def _terms(terms: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}:** {escaped(text)}" for term, text in terms)


def _provenance(page: PageView) -> Iterator[str]:
    origin = page.provenance
    machine = "; ".join(f"{name} {text}" for name, text in origin.environment) or "not recorded"
    terms = [("Load generators", "; ".join(origin.tools)), ("Machine", machine)]
    terms.append(("Made by", f"benchkit {page.version}"))
    terms += [("Left out", f"{source}: {why}") for source, why in origin.skipped]
    terms += [("Left out", origin.foreign)] if origin.foreign else []
    yield _terms(terms)
    if page.command:
        yield f"To make this again:\n\n    {page.command}"
    rows = [
        [
            *(escaped(file["source"]), file["format"], file["runs"]),
            *(escaped(file["message"] or file["state"]), file["sha256"]),
        ]
        for file in origin.files
    ]
    if rows:
        headings = ("File", "Format", "Runs", "What became of it", "SHA-256")
        yield table(headings, rows, right=(2,))


# --- pieces of Markdown that show a text as it is ---


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", show.clean(text))


def bulleted(texts: Iterable[str]) -> str:
    """Return a list of plain texts."""
    return "\n".join(f"- {escaped(text)}" for text in texts)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int]) -> str:
    """Return a table of cells that are Markdown; `right` are columns of numbers."""
    rule = "".join("--:|" if place in right else "---|" for place in range(len(headings)))
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(headings)} |", f"|{rule}", *lines])
