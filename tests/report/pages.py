"""Results as the report shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchkit.api import Results, load
from benchkit.compare.assess import assess
from benchkit.report import html, markdown
from benchkit.report.answers import AnswerView
from benchkit.report.build import PageView, SectionView, page_view
from benchkit.report.tabular import MetricRow
from tests.recorded import EXAMPLES, example

from .samples import repeated

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


class Pages:
    """Pages that several tests open, each written once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[str, Path] = {}

    def kept(self, name: str, make: Callable[[], Results | Rows]) -> Path:
        """The page of what `make` makes, which is asked once for each name."""
        if name not in self._written:
            path = self._folder / f"page-{len(self._written)}.html"
            self._written[name] = written(make(), path)
        return self._written[name]

    def examples(self, *names: str) -> Path:
        """The page of recorded examples."""
        if len(names) == 1:
            return self.kept(names[0], lambda: example(names[0]))
        return self.kept(" ".join(names), lambda: load([EXAMPLES / name for name in names]))

    def repeated(self, **changes: float) -> Path:
        """The page of eight runs each of two variants, with some changes."""
        return self.kept(f"repeated {changes}", lambda: repeated(**changes))


def as_markdown(given: Results | Rows, *, title: str | None = None, command: str = "") -> str:
    results = results_of(given)
    return markdown.document(assess(results), results.sources, title=title, command=command)
