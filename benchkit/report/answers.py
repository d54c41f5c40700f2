"""What a comparison says against one baseline: the part of a section that a choice changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from benchkit import format as show
from benchkit.compare.limits import titles
from benchkit.figures import Chart, charts_of_page, look
from benchkit.model.comparison import Comparison, Grade
from benchkit.model.footnotes import Numbered
from benchkit.report import remarks, runs
from benchkit.report.grid import TabledComparison, VerdictGrid, verdict_grids
from benchkit.report.sentences import claim_and_measure, headline
from benchkit.report.table import comparison_table
from benchkit.report.tabular import ComparisonTable, Sentence, finding_messages

#: So many metrics stand beside each other on the page.
_MOST_COLUMNS: Final = 6
#: Where there are ranges over runs, which are wide.
_MOST_WIDE: Final = 5
#: Where verdicts and intervals stand there too.
_MOST_TESTED: Final = 4


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure with the number of its drawing among those of its section, and its place."""

    number: int
    anchor: str
    chart: Chart

    @property
    def key(self) -> str:
        """What tells its drawing from all others of the page."""
        return f"{self.anchor}-{self.number}"


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What a comparison says against one baseline and of some runs: whatever a choice changes.

    Attributes:
        name: The scenario, where the page has other comparisons.
        eyebrow: Tool, load and runs.
        limits: Sentences beside the grade.
        worst: The worst problem with the data in a few words.
        findings: Those that a reader needs; `further` the others, `titles` and `messages` those
            of both.
        remarks: What stands in the cells of the table, whether the verdict hangs on single runs,
            what a latency of these runs is.
        tabled: The comparison with its table.
        grid: Its levels at a glance, where no overview has them.
        main: The figure beside the words; `figures` the others.
        statuses: A table, headings first; `no_errors` is said in place of none.
        run_table: The runs beside each other, where a variant has several.
    """

    anchor: str
    name: str
    eyebrow: str
    headline: str
    grade: Grade
    limits: tuple[Sentence, ...]
    worst: str
    findings: tuple[Numbered, ...]
    further: tuple[Numbered, ...]
    titles: Mapping[int, str]
    messages: Mapping[int, str]
    remarks: tuple[str, ...]
    tabled: TabledComparison
    grid: VerdictGrid | None
    main: FigureView | None
    figures: tuple[FigureView, ...]
    statuses: list[tuple[str, ...]]
    no_errors: str
    run_table: ComparisonTable | None

    @property
    def claim(self) -> str:
        """What the headline says."""
        return claim_and_measure(self.headline)[0]

    @property
    def measure(self) -> str:
        """By how much, empty where the headline does not say."""
        return claim_and_measure(self.headline)[1]

    @property
    def table(self) -> ComparisonTable:
        """The variants beside each other."""
        return self.tabled.table

    @property
    def folded(self) -> str:
        """How many further findings there are, and which: `1 further limit and 1 note: …; …`."""
        notes = sum(numbered.is_note for numbered in self.further)
        limits = len(self.further) - notes
        parts = {show.plural(limits, "further limit"): limits, show.plural(notes, "note"): notes}
        amounts = " and ".join(text for text, amount in parts.items() if amount)
        return f"{amounts}: {'; '.join(self.titles[n.number] for n in self.further)}"

    @property
    def in_overview(self) -> AnswerView:
        """The same without what no overview shows."""
        return replace(
            self,
            findings=(),
            further=(),
            titles={},
            messages={},
            remarks=(),
            main=None,
            figures=(),
            statuses=[],
            run_table=None,
        )

    @property
    def drawn(self) -> list[FigureView]:
        """All its figures."""
        return [figure for figure in (self.main, *self.figures) if figure]


@dataclass(slots=True)
class Drawings:
    """The figures of a section in the order of their numbers, equal ones once."""

    numbers: dict[Chart, int] = field(default_factory=dict)

    def number(self, chart: Chart) -> int:
        """Return the number of a figure."""
        return self.numbers.setdefault(chart, len(self.numbers))


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an answer is made.

    Attributes:
        anchor: Of its section.
        alone: Whether there is no other comparison.
        drawings: What is drawn; None for an output without figures.
        name: The scenario; `setting` is what sets it apart from others of the same.
        lists_runs: Whether there is a table of runs, which is long where they are many.
        remark: A sentence below the table.
        hint: What there is to compare, beside that these cannot be; without its full stop.
    """

    anchor: str
    alone: bool
    drawings: Drawings | None
    name: str = ""
    setting: str = ""
    lists_runs: bool = True
    remark: str = ""
    hint: str = ""


def answer(
    comparison: Comparison, wanted: Wanted, *, drawn: Iterable[FigureView] = ()
) -> AnswerView:
    """Return the words, tables and figures of a comparison.

    `drawn` are the figures of the same runs against another baseline.
    """
    main, others = _figures(comparison, wanted, [figure.chart for figure in drawn])
    listed, folded = remarks.listed(comparison)
    sentences = (remarks.cells(comparison), wanted.remark, remarks.meaning(comparison))
    hint = [Sentence(wanted.hint)] if wanted.hint else []
    statuses, table = runs.status_table(comparison), _table(comparison)
    tabled = TabledComparison(comparison, table, wanted.anchor, wanted.name, wanted.setting)
    return AnswerView(
        anchor=wanted.anchor,
        name="" if wanted.alone else wanted.name,
        eyebrow=remarks.eyebrow(comparison),
        headline=headline(comparison),
        grade=comparison.grade,
        limits=(*remarks.limits(comparison), *hint),
        worst=remarks.worst(comparison),
        findings=tuple(listed),
        further=tuple(folded),
        titles=titles(comparison),
        messages=finding_messages(comparison),
        remarks=tuple(sentence for sentence in sentences if sentence),
        tabled=tabled,
        grid=next(verdict_grids([tabled]), None) if wanted.alone else None,
        main=main,
        figures=tuple(others),
        statuses=statuses,
        no_errors="" if statuses else runs.no_errors(comparison),
        run_table=runs.run_table(comparison, look.roles(comparison)) if wanted.lists_runs else None,
    )


def _table(comparison: Comparison) -> ComparisonTable:
    most = _MOST_COLUMNS if max(map(len, comparison.variants)) == 1 else _MOST_WIDE
    return comparison_table(
        comparison,
        roles=look.roles(comparison),
        most=_MOST_TESTED if comparison.grade.tested else most,
    )


def _figures(
    comparison: Comparison, wanted: Wanted, drawn: Iterable[Chart]
) -> tuple[FigureView | None, Sequence[FigureView]]:
    drawings = wanted.drawings
    if drawings is None:
        return None, ()

    def view(chart: Chart) -> FigureView:
        return FigureView(drawings.number(chart), f"{wanted.anchor}.{chart.kind}", chart)

    main, others = charts_of_page(comparison, drawn)
    return view(main) if main else None, [view(other) for other in others]
