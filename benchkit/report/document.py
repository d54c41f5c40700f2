"""The report as Markdown, for a pull request or a README: the page without its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from benchkit.report.build import page_view
from benchkit.report.markdown import answer, findings, limits, table_markdown
from benchkit.report.markup import escaped, table
from benchkit.report.views import AnswerView, PageView, SectionView

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from benchkit.compare.assess import Assessment


def document(
    assessment: Assessment,
    files: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
    command: str = "",
    naming: Sequence[str] = (),
) -> str:
    """Return the report as Markdown; the same runs give the same characters.

    Args:
        assessment: Of the runs.
        files: Rows of the table `files`.
        title: Heading; by default the scenarios' names.
        command: The command line that makes it, which then stands at its end.
        naming: How names were understood.
    """
    page, _ = page_view(assessment, files, title=title, command=command, naming=naming, drawn=False)
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
            f"{section.answer.grade_symbol} {section.answer.grade_words}",
        )
        for section in page.sections
    ]
    return table(("Comparison", "Answer", "Evidence"), rows, right=())


def _section(section: SectionView) -> Iterator[str]:
    view = section.answer
    yield f"## {escaped(section.link)}"
    yield escaped(view.eyebrow)
    yield answer(f"{view.grade_symbol} {view.grade_words}", view.headline)
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
        more = "; ".join(f"{finding.claim} ({finding.mark.number})" for finding in view.further)
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
    machine = "; ".join(f"{name} {text}" for name, text in page.environment) or "not recorded"
    terms = [("Load generators", "; ".join(page.tools)), ("Machine", machine)]
    terms.append(("Made by", f"benchkit {page.version}"))
    terms += [("Names", line) for line in page.naming]
    terms += [("Left out", f"{source}: {why}") for source, why in page.skipped]
    terms += [("Left out", page.foreign)] if page.foreign else []
    yield _terms(terms)
    if page.command:
        yield f"To make this again:\n\n    {page.command}"
    rows = [
        [escaped(f.source), f.format, f.runs, escaped(f.message or f.state), f.sha256]
        for f in page.files
    ]
    if rows:
        headings = ("File", "Format", "Runs", "What became of it", "SHA-256")
        yield table(headings, rows, right=(2,))
