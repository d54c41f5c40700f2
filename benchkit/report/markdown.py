"""Comparisons, and the whole report, as Markdown for a pull request or a README."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from benchkit import format as show
from benchkit.compare.limits import titles
from benchkit.model.comparison import Comparison
from benchkit.model.footnotes import Numbered
from benchkit.report import remarks
from benchkit.report.sections import closing, name_of, sections, tools_apart
from benchkit.report.sentences import headline
from benchkit.report.table import comparison_table
from benchkit.report.tabular import (
    Cell,
    Change,
    ComparisonTable,
    MetricRow,
    NameCell,
    Sentence,
    finding_messages,
    plain,
)

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment
    from benchkit.report.build import PageView, SectionView, Words


def markdown(
    comparisons: Sequence[Comparison],
    *,
    percentiles: Sequence[float] = (),
    sort: str | None = None,
) -> str:
    """Return the comparisons: of each a sentence, what limits it, its table, its findings."""
    parts = []
    for comparison in comparisons:
        shown = comparison_table(comparison, percentiles=percentiles, sort=sort)
        parts += [
            f"## {escaped(comparison.name)}" if comparison.scenario else "",
            escaped(remarks.eyebrow(comparison)),
            _answer(comparison.grade.words, headline(comparison)),
            _limits(remarks.limits(comparison)),
            _metrics(shown),
            escaped(" ".join(shown.notes)),
            # Notes are left to `benchkit check`.
            _findings(comparison.doubts, (titles(comparison), finding_messages(comparison))),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def verdicts_markdown(comparisons: Sequence[Comparison]) -> str:
    """Return each variant against its baseline: a sentence, a table, the reasons."""
    pairs = zip(comparisons, tools_apart(comparisons), strict=True)
    parts = [part for comparison, tool in pairs for part in _verdicts(comparison, tool)]
    parts.append(_bulleted(closing(comparisons)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _verdicts(comparison: Comparison, tool: str) -> Iterator[str]:
    several = len(comparison.effects_by_variant) > 1
    if several:
        yield f"## {escaped(name_of(comparison, tool))}"
        yield _answer(comparison.grade.words, headline(comparison))
    for section in sections(comparison, tool):
        yield f"{'###' if several else '##'} {escaped(section.title)}"
        yield _answer(section.grade, section.sentence)
        yield _effects(section.table)
        yield _bulleted(section.reasons)


def _answer(grade: str, sentence: str) -> str:
    return f"**{grade}.** {escaped(sentence)}"


def _limits(sentences: Iterable[Sentence]) -> str:
    return escaped(" ".join(f"{sentence.text}{plain(sentence.marks)}." for sentence in sentences))


def _findings(
    listed: Iterable[Numbered],
    words: tuple[Mapping[int, str], Mapping[int, str]],
    *,
    advice: bool = False,
) -> str:
    """Return a list of findings; `words` are their titles and messages by their numbers."""
    named, messages = words
    return "\n".join(
        f"- ({n.number}) **{escaped(named[n.number])}.** {escaped(messages[n.number])}"
        + (f" *{escaped(n.first.advice)}*" if advice and n.first.advice else "")
        for n in listed
    )


def _metrics(shown: ComparisonTable) -> str:
    lines = []
    if not shown.by_metric:
        rows = [row for row in shown.rows if not row.empty]
        paired = f" ({shown.change_heading})" if shown.method else ""
        headings = [shown.subject, *(f"{_heading(r)}{paired if r.changes else ''}" for r in rows)]
        for column, name in enumerate(shown.names):
            lines.append([_name(name), *(_cell(row.cells[column]) for row in rows)])
        return table(headings, lines, right=range(1, len(headings)))
    headings = ["", *map(_name, shown.names), *([shown.change_heading] if shown.changes else [])]
    for row in shown.rows:
        cells = [_cell(cell, changed=False) for cell in row.cells]
        if row.absent:
            cells = [escaped(row.absent), *[""] * (len(row.cells) - 1)]
        change = row.cells[-1].change
        about = f" ({escaped(change.about)})" if change and change.about else ""
        beside = f"**{escaped(change.text)}**{about}" if change else ""
        lines.append([_heading(row), *cells, *([beside] if shown.changes else [])])
    return table(headings, lines, right=range(1, len(shown.names) + 1))


def _effects(shown: ComparisonTable) -> str:
    headings = ["", *map(_name, shown.names), "change", "interval", "verdict"]
    lines = []
    for row in shown.rows:
        change = row.cells[-1].change or Change("")
        beside = (change.amount, change.interval, change.verdict)
        lines.append([_heading(row), *map(_cell, row.cells), *map(escaped, beside)])
        lines[-1][2] = escaped(row.cells[-1].text)
    return table(headings, lines, right=(1, 2))


def _heading(row: MetricRow) -> str:
    return f"{escaped(row.heading)}{plain(row.marks)}"


def _name(name: NameCell) -> str:
    parts = [word for word in ("base" if name.baseline else "", name.runs) if word]
    return f"{escaped(name.label)}{_in_brackets(parts, ', ')}{plain(name.marks)}"


def _cell(cell: Cell, *, changed: bool = True) -> str:
    change = cell.change if changed else None
    parts = [cell.spread, cell.share, *([change.text, change.about] if change else [])]
    beside = [escaped(text) for text in parts if text]
    return f"{escaped(cell.text)}{_in_brackets(beside, '; ')}{plain(cell.marks)}"


def _in_brackets(texts: Sequence[str], between: str) -> str:
    return f" ({between.join(texts)})" if texts else ""


# --- the report: the page without its figures ---


def document(
    assessment: Assessment, files: Sequence[Mapping[str, Any]] = (), **words: Unpack[Words]
) -> str:
    """Return the report as Markdown; the same runs give the same characters.

    The arguments are those of `page_view`.
    """
    from benchkit.report.build import page_view

    page = page_view(assessment, files, drawn=False, **words)
    parts = [f"# {escaped(page.title)}", f"{escaped(page.counts)}."]
    if len(page.sections) > 1:
        rows = []
        for section in page.sections:
            view = section.answer
            problem = f" *{escaped(view.worst)}.*" if view.worst else ""
            grade = f"{view.grade.symbol} {view.grade.words}"
            rows.append((escaped(section.link), escaped(view.headline) + problem, grade))
        parts.append(table(("Comparison", "Answer", "Evidence"), rows, right=()))
    for section in page.sections:
        parts += _section(section)
    parts += ["## How to read this", _terms(page.method), "## Provenance", *_provenance(page)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: SectionView) -> Iterator[str]:
    view = section.answer
    yield f"## {escaped(section.link)}"
    yield escaped(view.eyebrow)
    yield _answer(f"{view.grade.symbol} {view.grade.words}", view.headline)
    yield _limits(view.limits)
    yield _metrics(view.table)
    yield escaped(" ".join((*view.table.notes, *view.remarks)))
    words = view.titles, view.messages
    lines = [_findings(view.findings, words, advice=True)] if view.findings else []
    if view.further:
        more = "; ".join(f"{view.titles[n.number]} ({n.number})" for n in view.further)
        lines.append(f"- {'Also' if lines else 'Notes'}: {escaped(more)}.")
    if lines:
        yield "### What limits this comparison"
        yield "\n".join(lines)
    yield "### Errors and status codes"
    if section.answer.statuses:
        first, *rows = ([*map(escaped, row)] for row in section.answer.statuses)
        yield table(first, rows, right=range(1, len(first)))
    else:
        yield escaped(section.answer.no_errors)
    if section.answer.run_table:
        yield "### Runs"
        yield _metrics(section.answer.run_table)


def _terms(terms: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}:** {escaped(text)}" for term, text in terms)


def _provenance(page: PageView) -> Iterator[str]:
    origin = page.provenance
    machine = "; ".join(f"{name} {text}" for name, text in origin.environment) or "not recorded"
    terms = [("Load generators", "; ".join(origin.tools)), ("Machine", machine)]
    terms.append(("Made by", f"benchkit {page.version}"))
    terms += [("Names", line) for line in page.naming]
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


def _bulleted(texts: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(text)}" for text in texts)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int]) -> str:
    """Return a table of cells that are Markdown; `right` are columns of numbers."""
    rule = "".join("--:|" if column in right else "---|" for column in range(len(headings)))
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([f"| {' | '.join(headings)} |", f"|{rule}", *lines])
