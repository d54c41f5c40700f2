"""The report as Markdown, for a pull request or a README: the page without its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchkit.markup import escaped, table_row
from benchkit.report.build import page_view
from benchkit.report.remarks import plain_marks
from benchkit.report.views import (
    AnswerView,
    Cell,
    ChangeCell,
    Finding,
    Mark,
    Name,
    PageView,
    PairTable,
    RankTable,
    SectionView,
)

if TYPE_CHECKING:
    from benchkit.results import Results


def document(
    results: Results, *, title: str | None = None, baseline: str | None = None, command: str = ""
) -> str:
    """Return the report as Markdown; the same results give the same characters.

    Args:
        results: The runs.
        title: Heading; by default the scenarios' names.
        baseline: As for `benchkit.compare.compare`.
        command: The command line that makes it, which then stands at its end.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    page, _ = page_view(results, title=title, baseline=baseline, command=command)
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
            escaped(one.link),
            escaped(one.answer.headline)
            + (f" *{escaped(one.answer.worst)}.*" if one.answer.worst else ""),
            f"{one.answer.grade_symbol} {one.answer.grade_words}",
        )
        for one in page.sections
    ]
    return _table(("Comparison", "Answer", "Evidence"), rows, right=())


def _section(section: SectionView) -> list[str]:
    answer = section.answer
    limits = [f"{one.text}{_marks(one.marks)}." for one in answer.limits]
    grade = f"**{answer.grade_symbol} {answer.grade_words}.** {escaped(answer.headline)}"
    runs = section.run_table
    return [
        f"## {escaped(section.link)}",
        escaped(answer.eyebrow),
        grade,
        escaped(" ".join(limits)),
        _pair(answer.pair) if answer.pair else "",
        _ranking(answer.ranking) if answer.ranking else "",
        escaped(" ".join((*_order(answer), *answer.remarks))),
        *_findings(answer),
        "### Errors and status codes",
        _statuses(section),
        *(["### Runs", _ranking(runs)] if runs else []),
    ]


def _order(answer: AnswerView) -> list[str]:
    ranking = answer.ranking
    return [one for one in (ranking.order, ranking.absent) if one] if ranking else []


def _pair(table: PairTable) -> str:
    headings = ["", *(_name(name) for name in table.names)]
    compares = any(row.change for row in table.rows)
    rows = []
    for row in table.rows:
        start = f"{escaped(row.heading)}{_marks(row.marks)}"
        cells = [_cell(one) for one in row.cells]
        if row.absent:
            cells = [escaped(row.absent)] + [""] * (len(table.names) - 1)
        rows.append([start, *cells, *([_change(row.change)] if compares else [])])
    headings += ["change"] if compares else []
    return _table(headings, rows, right=range(1, len(table.names) + 1))


def _change(change: ChangeCell | None) -> str:
    if change is None:
        return ""
    amount = f"**{escaped(change.amount)}** " if change.amount else ""
    verdict = f" ({escaped(change.verdict)})" if change.verdict else ""
    return f"{amount}{change.word}{verdict}"


def _ranking(table: RankTable) -> str:
    headings = [f"{escaped(heading)}{_marks(marks)}" for heading, marks in table.headings]
    rows = [[_name(name), *(_cell(one) for one in cells)] for name, cells in table.rows]
    return _table(headings, rows, right=range(1, len(headings)))


def _name(name: Name) -> str:
    told = [word for word in ("base" if name.baseline else "", name.runs) if word]
    return f"{escaped(name.label)}{_in_brackets(told, ', ')}{_marks(name.marks)}"


def _cell(one: Cell) -> str:
    if one.absent:
        return f"{one.text}{_marks(one.marks)}"
    beside = [escaped(text) for text in (one.spread, one.small, one.verdict) if text]
    return f"{escaped(one.text)}{_in_brackets(beside, '; ')}{_marks(one.marks)}"


def _in_brackets(texts: Sequence[str], between: str) -> str:
    return f" ({between.join(texts)})" if texts else ""


def _marks(marks: Sequence[Mark]) -> str:
    return plain_marks([mark.number for mark in marks])


def _findings(answer: AnswerView) -> list[str]:
    if not answer.findings and not answer.further:
        return []
    lines = [_finding(one) for one in answer.findings]
    if answer.further:
        more = "; ".join(f"{one.claim} ({one.mark.number})" for one in answer.further)
        lines.append(f"- {'Also' if lines else 'Notes'}: {escaped(more)}.")
    return ["### What limits this comparison", "\n".join(lines)]


def _finding(one: Finding) -> str:
    advice = f" *{escaped(one.advice)}*" if one.advice else ""
    return f"- ({one.mark.number}) **{escaped(one.claim)}.** {escaped(one.text)}{advice}"


def _statuses(section: SectionView) -> str:
    grid = section.statuses
    if grid is None:
        return escaped(section.no_errors)
    rows = [[escaped(text) for text in row] for row in grid.rows]
    headings = [escaped(text) for text in grid.headings]
    return _table(headings, rows, right=range(1, len(headings)))


def _terms(terms: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}:** {escaped(text)}" for term, text in terms)


def _provenance(page: PageView) -> list[str]:
    machine = "; ".join(f"{name} {text}" for name, text in page.environment) or "not recorded"
    told = [("Load generators", "; ".join(page.tools)), ("Machine", machine)]
    told.append(("Made by", f"benchkit {page.version}"))
    told += [("Left out", f"{source}: {why}") for source, why in page.skipped]
    told += [("Left out", page.foreign)] if page.foreign else []
    rows = [
        [escaped(one.source), one.format, one.runs, escaped(one.message or one.state), one.sha256]
        for one in page.files
    ]
    headings = ("File", "Format", "Runs", "What became of it", "SHA-256")
    return [
        _terms(told),
        f"To make this again:\n\n    {page.command}" if page.command else "",
        _table(headings, rows, right=(2,)) if rows else "",
    ]


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int]) -> str:
    rule = "".join("--:|" if place in right else "---|" for place in range(len(headings)))
    lines = [table_row(headings), f"|{rule}", *(table_row(row) for row in rows)]
    return "\n".join(lines)
