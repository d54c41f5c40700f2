"""Results as the report shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchkit.api import Results
from benchkit.compare.assess import assess
from benchkit.report import html, markdown
from benchkit.report.answers import AnswerView
from benchkit.report.build import PageView, SectionView, page_view
from benchkit.report.tabular import MetricRow

Rows = dict[str, list[dict[str, Any]]]


def results_of(given: Results | Rows) -> Results:
    return given if isinstance(given, Results) else Results.from_tables(given)


def viewed(
    given: Results | Rows,
    *,
    baseline: str | None = None,
    command: str = "",
    each_run: bool = False,
) -> PageView:
    results = results_of(given)
    made = assess(results, baseline=baseline)
    return page_view(made, results.sources, command=command, each_run=each_run)


def section(given: Results | Rows, *, each_run: bool = False) -> SectionView:
    (only,) = viewed(given, each_run=each_run).sections
    return only


def answer(given: Results | Rows) -> AnswerView:
    return section(given).answer


def row(view: AnswerView, heading: str) -> MetricRow:
    return next(row for row in view.table.rows if row.heading == heading)


def rendered(given: Results | Rows, *, title: str | None = None, command: str = "") -> str:
    results = results_of(given)
    return html.document(assess(results), results.sources, title=title, command=command)


def written(given: Results | Rows, path: Path, *, title: str | None = None) -> Path:
    path.write_text(rendered(given, title=title), "utf-8")
    return path


def as_markdown(given: Results | Rows, *, title: str | None = None, command: str = "") -> str:
    results = results_of(given)
    return markdown.document(assess(results), results.sources, title=title, command=command)
