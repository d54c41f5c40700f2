"""Results to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.assessment import Assessed, assess
from benchkit.figures import Chart
from benchkit.report import choices, provenance, runs, statuses
from benchkit.report.anchors import anchors
from benchkit.report.answers import Drawings, Wanted, answer
from benchkit.report.method import blind, method
from benchkit.report.views import AnswerView, Choice, PageView, SectionView
from benchkit.validity import Examination, examine

if TYPE_CHECKING:
    from benchkit.results import Results


def page_view(
    results: Results,
    *,
    title: str | None = None,
    baseline: str | None = None,
    command: str = "",
) -> tuple[PageView, list[Chart]]:
    """Return everything that the page says, and its figures in the order of their numbers.

    Raises:
        UsageError: `baseline` matches nothing.
    """
    examined = examine(results)
    comparisons = assess(results, baseline=baseline, examined=examined)
    maker = _Maker(results, examined)
    sections = maker.sections(comparisons)
    page = PageView(
        title=show.clean(title or _title(comparisons), limit=200),
        counts=_counts(results),
        sections=sections,
        method=method([*comparisons, *maker.others]),
        blind=blind(comparisons),
        skipped=provenance.skipped(results),
        foreign=provenance.foreign(results),
        files=provenance.files(results),
        environment=provenance.environment(results),
        tools=provenance.tools(results),
        command=show.clean(command),
        version=version("benchkit"),
    )
    return page, maker.drawings.charts


class _Maker:
    """Makes sections; their own figures come before those of the choices."""

    def __init__(self, results: Results, examined: Examination) -> None:
        self.results = results
        self.examined = examined
        self.drawings = Drawings()
        self.others: list[Assessed] = []
        self._runs = runs.RunViews(results)

    def sections(self, comparisons: Sequence[Assessed]) -> tuple[SectionView, ...]:
        """Return a section per comparison."""
        links = _links(comparisons)
        named = anchors(links)
        asked = [choices.others(self.results, one, self.examined) for one in comparisons]
        self.others = [other.comparison for found in asked for other in found]
        wanted = [
            Wanted(anchor, number, len(comparisons), self.drawings)
            for number, anchor in enumerate(named, 1)
        ]
        answers = [
            answer(self.results, one, replace(how, remark=choices.stability(one, found)))
            for one, how, found in zip(comparisons, wanted, asked, strict=True)
        ]
        chosen = [
            tuple(_choice(other, how) for other in found)
            for how, found in zip(wanted, asked, strict=True)
        ]
        return tuple(
            self._section(one, made, of, link)
            for one, made, of, link in zip(comparisons, answers, chosen, links, strict=True)
        )

    def _section(
        self,
        comparison: Assessed,
        made: AnswerView,
        chosen: tuple[Choice, ...],
        link: str,
    ) -> SectionView:
        table = statuses.status_table(self.results, comparison)
        narrow = table is None or len(table.headings) < 4
        alone = len(comparison.variants) == 1
        return SectionView(
            anchor=made.anchor,
            link=show.clean(link, limit=40),
            baseline="" if alone else choices.own_baseline(comparison),
            answer=made,
            choices=chosen,
            missing=choices.missing(self.results, comparison),
            statuses=table,
            no_errors="" if table else statuses.no_errors(self.results, comparison),
            beside=len(made.figures) % 2 == 1 and narrow,
            run_table=self._runs.table(comparison),
            printed=self._runs.printed(comparison),
        )


def _choice(other: choices.Other, wanted: Wanted) -> Choice:
    how = replace(wanted, further=other.baseline, anew=False)
    return Choice(
        group="Baseline" if other.baseline else "Leaving out",
        label=other.label,
        note=other.note,
        answer=answer(other.results, other.comparison, how),
    )


def _links(comparisons: Sequence[Assessed]) -> list[str]:
    """Return the scenarios, each with what sets it apart from others of the same name."""
    names = [_scenario(one) for one in comparisons]
    found = []
    for name, one in zip(names, comparisons, strict=True):
        like = [c for c, other in zip(comparisons, names, strict=True) if other == name]
        tool = [one.tool] if len({c.tool for c in like}) > 1 else []
        own = {
            key: value
            for key, value in one.shared_params.items()
            if any(c.shared_params.get(key) != value for c in like)
        }
        found.append(", ".join([name, *tool, *show.params(own)]))
    return found


def _scenario(comparison: Assessed) -> str:
    name = comparison.scenario or comparison.tool
    return re.sub(r"^benchmark:\s*", "", name, flags=re.IGNORECASE)


def _title(comparisons: list[Assessed]) -> str:
    named = list(dict.fromkeys(one.scenario or one.tool for one in comparisons))
    if len(named) <= 2:
        return "; ".join(named)
    return f"{len(named)} benchmarks"


def _counts(results: Results) -> str:
    sources = results.runs["source"].nunique()
    return f"{show.plural(len(results), 'run')} from {show.plural(int(sources), 'file')}"
