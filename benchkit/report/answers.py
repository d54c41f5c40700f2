"""What a comparison says against one baseline: the part of a section that a choice changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.assessment import Assessed
from benchkit.figures import KINDS, MAIN, Chart, chart, overview
from benchkit.figures.chart import DataTable
from benchkit.report import remarks, tables, wording
from benchkit.report.marks import findings, marks
from benchkit.report.views import AnswerView, FigureView, Sentence

if TYPE_CHECKING:
    from benchkit.results import Results


@dataclass(slots=True)
class Drawings:
    """The figures of a page in the order of their numbers."""

    charts: list[Chart] = field(default_factory=list)
    _known: dict[Chart, int] = field(default_factory=dict)

    def number(self, made: Chart, *, anew: bool) -> int:
        """Return the number of a figure; the same one is kept once unless it is wanted anew."""
        if anew or made not in self._known:
            self.charts.append(made)
            self._known.setdefault(made, len(self.charts) - 1)
            return len(self.charts) - 1
        return self._known[made]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an answer is made.

    Attributes:
        anchor: Of its section, the comparison `number` of so many.
        further: Whether there are figures beside the main one.
        anew: Whether its figures are slots of the page, not another content of one.
        remark: A sentence more.
    """

    anchor: str
    number: int
    of: int
    drawings: Drawings
    further: bool = True
    anew: bool = True
    remark: str = ""


def answer(results: Results, comparison: Assessed, wanted: Wanted) -> AnswerView:
    """Return the words, tables and figures of a comparison."""
    pair = len(comparison.variants) == 2
    main, others = _charts(results, comparison, further=wanted.further)
    listed, folded = remarks.listed(comparison)
    said = (tables.intervals(comparison), wanted.remark, wording.meaning(comparison))
    return AnswerView(
        anchor=wanted.anchor,
        eyebrow=wording.eyebrow(comparison, number=wanted.number, of=wanted.of),
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
        remarks=tuple(one for one in said if one),
        pair=tables.pair_table(comparison) if pair else None,
        ranking=None if pair else tables.rank_table(comparison),
        main=_figure(main, wanted) if main else None,
        figures=tuple(_figure(one, wanted) for one in others),
    )


def _charts(
    results: Results, comparison: Assessed, *, further: bool
) -> tuple[Chart | None, Sequence[Chart]]:
    """Return the figure beside the verdict and the others."""
    shown = [kind for kind in KINDS if KINDS[kind].on_page and (further or kind in MAIN)]
    made = {kind: chart(results, comparison, kind) for kind in shown}
    main = next((one for kind in MAIN if (one := made.get(kind))), None)
    main = main or overview(comparison)
    if main is not None and main.kind in {"overview", "sweep"}:
        made.pop("throughput", None)  # these hold it too
    return main, [one for one in made.values() if further and one and one is not main]


def _figure(made: Chart, wanted: Wanted) -> FigureView:
    table = DataTable(
        tuple(show.clean(heading) for heading in made.table.headings),
        tuple((show.clean(heading), cells) for heading, cells in made.table.rows),
    )
    return FigureView(
        number=wanted.drawings.number(made, anew=wanted.anew),
        anchor=f"{wanted.anchor}.{made.kind}",
        title=made.title,
        subtitle=made.subtitle,
        label=made.label,
        height=made.height,
        table=table,
    )
