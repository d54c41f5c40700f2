"""What a comparison says against one baseline: the part of a section that a choice changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from benchkit import format as show
from benchkit.figures import Chart, charts_of_page, look
from benchkit.figures.chart import DataTable
from benchkit.model.comparison import Comparison
from benchkit.report import remarks
from benchkit.report.circumstances import eyebrow, meaning
from benchkit.report.marks import finding_views
from benchkit.report.sentences import headline
from benchkit.report.table import comparison_table, narrowed
from benchkit.report.tabular import ComparisonTable
from benchkit.report.views import AnswerView, FigureView

#: So many metrics stand beside each other on the page.
_MOST_COLUMNS: Final = 6
#: Where there are ranges over runs, which are wide.
_MOST_WIDE: Final = 5
#: Where verdicts and intervals stand there too.
_MOST_TESTED: Final = 4


@dataclass(slots=True)
class Drawings:
    """The figures of a page in the order of their numbers."""

    charts: list[Chart] = field(default_factory=list)
    _numbers: dict[Chart, int] = field(default_factory=dict)

    def number(self, made: Chart, *, anew: bool) -> int:
        """Return the number of a figure; the same one is kept once unless it is wanted anew."""
        if anew or made not in self._numbers:
            self.charts.append(made)
            self._numbers.setdefault(made, len(self.charts) - 1)
            return len(self.charts) - 1
        return self._numbers[made]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an answer is made.

    Attributes:
        anchor: Of its section, the comparison `number` among so many.
        drawings: What is drawn; None for an output without figures.
        siblings: The comparisons of its scenario.
        chosen: Whether a reader chooses it in the page, where only the main figure is made again.
        remark: A sentence more.
    """

    anchor: str
    number: int
    among: int
    drawings: Drawings | None
    siblings: Sequence[Comparison] = ()
    chosen: bool = False
    remark: str = ""


def answer(comparison: Comparison, wanted: Wanted) -> AnswerView:
    """Return the words, tables and figures of a comparison."""
    main, others = _figures(comparison, wanted)
    listed, folded = remarks.listed(comparison)
    sentences = (remarks.intervals(comparison), wanted.remark, meaning(comparison))
    return AnswerView(
        anchor=wanted.anchor,
        eyebrow=eyebrow(comparison, number=wanted.number, among=wanted.among),
        headline=headline(comparison),
        grade=comparison.grade.key,
        grade_symbol=comparison.grade.symbol,
        grade_words=comparison.grade.words,
        limits=tuple(remarks.limits(comparison)),
        worst=remarks.worst(comparison),
        findings=finding_views(listed),
        further=finding_views(folded),
        remarks=tuple(sentence for sentence in sentences if sentence),
        table=_table(comparison),
        main=main,
        figures=tuple(others),
    )


def _table(comparison: Comparison) -> ComparisonTable:
    table = comparison_table(comparison, roles=look.roles(comparison))
    if table.by_metric:
        return table
    most = _MOST_COLUMNS if max(map(len, comparison.variants)) == 1 else _MOST_WIDE
    return narrowed(table, _MOST_TESTED if comparison.grade.tested else most)


def _figures(
    comparison: Comparison, wanted: Wanted
) -> tuple[FigureView | None, Sequence[FigureView]]:
    """Return the figure beside the verdict and the others."""
    drawings = wanted.drawings
    if drawings is None:
        return None, ()
    main, others = charts_of_page(comparison, siblings=wanted.siblings, further=not wanted.chosen)
    first = _figure(main, wanted, drawings) if main else None
    return first, [_figure(other, wanted, drawings) for other in others]


def _figure(made: Chart, wanted: Wanted, drawings: Drawings) -> FigureView:
    table = DataTable(
        tuple(show.clean(heading) for heading in made.table.headings),
        tuple((show.clean(heading), cells) for heading, cells in made.table.rows),
    )
    return FigureView(
        number=drawings.number(made, anew=not wanted.chosen),
        anchor=f"{wanted.anchor}.{made.kind}",
        title=made.title,
        subtitle=made.subtitle,
        label=made.label,
        height=made.height,
        table=table,
    )
