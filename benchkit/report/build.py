"""Results to the view of the page, and the drawings that belong to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.assessment import Assessed, assess
from benchkit.figures import Chart
from benchkit.report import choices, provenance, runs, tables, wording
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
        named = anchors(one.scenario or one.tool for one in comparisons)
        asked = [choices.others(self.results, one, self.examined) for one in comparisons]
        self.others = [other.comparison for found in asked for other in found]
        answers = [
            answer(
                self.results,
                one,
                Wanted(anchor, self.drawings, remark=choices.stability(one, found)),
            )
            for one, anchor, found in zip(comparisons, named, asked, strict=True)
        ]
        chosen = [
            tuple(self._choice(other, anchor) for other in found)
            for anchor, found in zip(named, asked, strict=True)
        ]
        return tuple(
            self._section(one, made, of, place=(number, len(comparisons)))
            for number, (one, made, of) in enumerate(
                zip(comparisons, answers, chosen, strict=True), 1
            )
        )

    def _choice(self, other: choices.Other, anchor: str) -> Choice:
        wanted = Wanted(anchor, self.drawings, further=other.baseline, anew=False)
        return Choice(
            group="Baseline" if other.baseline else "Leaving out",
            label=other.label,
            note=other.note,
            answer=answer(other.results, other.comparison, wanted),
            whole=other.baseline,
        )

    def _section(
        self,
        comparison: Assessed,
        made: AnswerView,
        chosen: tuple[Choice, ...],
        *,
        place: tuple[int, int],
    ) -> SectionView:
        number, total = place
        statuses = tables.status_table(self.results, comparison)
        narrow = statuses is None or len(statuses.headings) < 4
        alone = len(comparison.variants) == 1
        return SectionView(
            anchor=made.anchor,
            link=_link(comparison),
            eyebrow=wording.eyebrow(comparison, number=number, of=total),
            baseline="" if alone else show.clean(comparison.baseline),
            answer=made,
            choices=chosen,
            missing=choices.missing(comparison),
            statuses=statuses,
            no_errors="" if statuses else tables.no_errors(self.results, comparison),
            beside=len(made.figures) % 2 == 1 and narrow,
            run_table=self._runs.table(comparison),
            printed=self._runs.printed(comparison),
        )


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
