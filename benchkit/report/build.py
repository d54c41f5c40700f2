"""Results to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.assessment import Assessed, assess
from benchkit.figures import KINDS, Chart, chart, overview
from benchkit.figures.chart import DataTable
from benchkit.report import remarks, runs, tables, wording
from benchkit.report.marks import findings, marks
from benchkit.report.method import blind, method
from benchkit.report.views import FigureView, PageView, SectionView, Sentence

if TYPE_CHECKING:
    from benchkit.results import Results

def page_view(
    results: Results, *, title: str | None = None, baseline: str | None = None
) -> tuple[PageView, list[Chart]]:
    """Return everything that the page says, and its figures in the order of their numbers.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    comparisons = assess(results, baseline=baseline)
    charts: list[Chart] = []
    views = runs.RunViews(results)
    sections = tuple(
        _section(results, one, views, charts, place=(number, len(comparisons)))
        for number, one in enumerate(comparisons, 1)
    )
    page = PageView(
        title=show.clean(title or _title(comparisons), limit=200),
        counts=_counts(results),
        sections=sections,
        method=method(comparisons),
        blind=blind(comparisons),
        skipped=runs.skipped(results),
        foreign=runs.foreign(results),
        files=runs.files(results),
        version=version("benchkit"),
    )
    return page, charts


def _section(
    results: Results,
    comparison: Assessed,
    views: runs.RunViews,
    charts: list[Chart],
    *,
    place: tuple[int, int],
) -> SectionView:
    number, total = place
    pair = len(comparison.variants) == 2
    main = chart(results, comparison, "percentiles")
    # The overview holds the throughput too.
    left = [kind for kind in KINDS if kind != "percentiles" and (main or kind != "throughput")]
    main = main or overview(comparison)
    drawn = _figure(main, charts) if main else None
    further = (chart(results, comparison, kind) for kind in left)
    figures = tuple(_figure(one, charts) for one in further if one is not None)
    statuses = tables.status_table(results, comparison)
    listed, folded = remarks.listed(comparison)
    return SectionView(
        anchor=f"c{number}",
        link=_link(comparison),
        eyebrow=wording.eyebrow(comparison, number=number, of=total),
        headline=wording.headline(comparison),
        grade=comparison.grade.key,
        grade_symbol=comparison.grade.symbol,
        grade_words=comparison.grade.words,
        limits=tuple(
            Sentence(show.clean(one.text), marks(comparison, one.numbers))
            for one in remarks.limits(comparison)
        ),
        worst=remarks.worst(comparison),
        findings=findings(listed),
        further=findings(folded),
        intervals=tables.intervals(comparison),
        meaning=wording.meaning(comparison),
        pair=tables.pair_table(comparison) if pair else None,
        ranking=None if pair else tables.rank_table(comparison),
        main=drawn,
        figures=figures,
        statuses=statuses,
        no_errors="" if statuses else tables.no_errors(results, comparison),
        beside=len(figures) % 2 == 1 and (statuses is None or len(statuses.headings) < 4),
        runs=views.of(comparison),
    )


def _figure(made: Chart, charts: list[Chart]) -> FigureView:
    charts.append(made)
    table = DataTable(
        tuple(show.clean(heading) for heading in made.table.headings),
        tuple((show.clean(heading), cells) for heading, cells in made.table.rows),
    )
    return FigureView(len(charts) - 1, made.title, made.subtitle, made.label, made.height, table)


def _link(comparison: Assessed) -> str:
    name = comparison.scenario or comparison.tool
    name = re.sub(r"^benchmark:\s*", "", name, flags=re.IGNORECASE)
    return show.clean(name, limit=34)


def _title(comparisons: list[Assessed]) -> str:
    named = list(dict.fromkeys(one.scenario or one.tool for one in comparisons))
    if len(named) <= 2:
        return "; ".join(named)
    return f"{len(named)} benchmarks"


def _counts(results: Results) -> str:
    sources = results.runs["source"].nunique()
    return f"{show.plural(len(results), 'run')} from {show.plural(int(sources), 'file')}"
