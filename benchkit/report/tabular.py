"""Tables and sentences that every output shows, as frozen data: ready to be written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison
from benchkit.model.footnotes import Numbered
from benchkit.model.variant import Variant
from benchkit.names import circled
from benchkit.validity import Finding
from benchkit.validity.text import messages

#: The length of the longest bar: pixels of the page.
BAR: Final = 40
_PARAMS: Final = " · "  # in the label of a run, before its params
_LEADING: Final = frozenset({"throughput_rps", "latency_p99_s"})


@dataclass(frozen=True, slots=True)
class Mark:
    """The number of a finding, as it stands beside what it qualifies."""

    number: int
    symbol: str
    serious: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its full stop, and the findings behind it."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One metric of a variant against its baseline.

    Attributes:
        text: The change, signed or as a factor.
        estimate: How it was estimated, empty where it is the ratio of the values.
        interval: Its bounds, empty without any.
        verdict: What a test says of it, or that it was not tested where others were; empty where
            nothing was.
        bar: The length of its bar, up to `BAR`; below 0 where it is worse than the baseline.
    """

    text: str
    estimate: str = ""
    interval: str = ""
    verdict: str = ""
    bar: int = 0

    @property
    def amount(self) -> str:
        """The change with the name of its estimate."""
        return f"{self.text} {self.estimate}".rstrip()

    @property
    def beside(self) -> str:
        """The verdict and the interval, for beside `amount`."""
        return ", ".join(part for part in (self.verdict, self.interval) if part)

    @property
    def about(self) -> str:
        """The verdict, the name of the estimate and the interval, for beside `text`."""
        return ", ".join(part for part in (self.verdict, self.estimate, self.interval) if part)


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one variant.

    Attributes:
        text: The value, or the word for its absence.
        absent: Whether `text` is such a word.
        share: Of the requests of all runs, where the value is a count of failures.
        spread: The range over several runs.
        change: Against the baseline, None for nothing.
        why: Why a figure is withheld.
        marks: Findings about this figure.
        printed: The place of a withheld figure among what was printed: the number of the list,
            its part, and the run; empty for none.
    """

    text: str
    absent: bool = False
    share: str = ""
    spread: str = ""
    change: Change | None = None
    why: str = ""
    marks: tuple[Mark, ...] = ()
    printed: str = ""

    @property
    def plain(self) -> bool:
        """Whether it is its text alone."""
        more = self.absent or self.marks or self.spread or self.share
        return not (more or self.change)

    @classmethod
    def without(cls, variant: Variant, column: str, marks: tuple[Mark, ...] = ()) -> Cell:
        """Return the cell of a figure that is not shown, with marks where it is withheld."""
        why = variant.withheld.get(column, "")
        word = show.WITHHELD if why else show.NOT_PRINTED
        return cls(word, absent=True, why=why, marks=marks if why else ())


@dataclass(frozen=True, slots=True)
class NameCell:
    """The name of a variant or run with its role, which gives colour and symbol.

    Attributes:
        number: In the order of its comparison, from 1.
        anchor: Where it stands within the section of its comparison, empty for nowhere: of a run
            the same whatever other runs there are.
    """

    label: str
    role: str
    number: int = 0
    anchor: str = ""
    baseline: bool = False
    runs: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric over the variants of a table.

    Attributes:
        column: Of `runs`, or the name of the metric.
        heading: The title with the unit of the cells.
        cells: One per name.
        absent: Words that stand for all cells, where nobody printed a value.
        marks: Findings about this metric in every variant.
        weight: Where there is no room for all, those of the least weight go first.
    """

    column: str
    heading: str
    cells: tuple[Cell, ...]
    absent: str = ""
    marks: tuple[Mark, ...] = ()
    weight: int = 0

    @property
    def leads(self) -> bool:
        """Whether a reader looks for it first."""
        return self.column in _LEADING

    @property
    def changes(self) -> bool:
        """Whether any cell has a change."""
        return any(cell.change for cell in self.cells)

    @property
    def empty(self) -> bool:
        """Whether no variant has a value that is shown."""
        return all(cell.absent for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Metrics of variants or runs.

    Attributes:
        names: The baseline first where metrics are rows, else best first.
        by_metric: Whether metrics are rows; else variants are.
        subject: What is named.
        level: The param of which a value stands behind each name, empty for none.
        ranking: The column that orders the names, empty for none.
        method: How all changes were estimated, in a word; empty where they are ratios of the values
            beside them, or not all alike.
        notes: The order, what is withheld and why, what was not printed.
    """

    names: tuple[NameCell, ...]
    rows: tuple[MetricRow, ...]
    by_metric: bool
    subject: str = "Variant"
    level: str = ""
    ranking: str = ""
    method: str = ""
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether any cell has a change."""
        return any(row.changes for row in self.rows)

    @property
    def leading_first(self) -> Sequence[MetricRow]:
        """The rows, first that of the metric which orders the names."""
        return sorted(self.rows, key=lambda row: row.column != self.ranking)

    @property
    def change_heading(self) -> str:
        """What stands above a column of changes."""
        return f"{self.method} change".lstrip()

    @property
    def bars(self) -> bool:
        """Whether any change has a bar."""
        return any(cell.change and cell.change.bar for row in self.rows for cell in row.cells)


@dataclass(frozen=True, slots=True)
class Section:
    """One variant against its baseline.

    Attributes:
        grade: In words.
        table: The baseline first.
        reasons: A sentence each, naming the metrics that it is about.
    """

    title: str
    sentence: str
    grade: str
    table: ComparisonTable
    reasons: tuple[str, ...]


def marks(comparison: Comparison, numbers: Iterable[int]) -> tuple[Mark, ...]:
    """Return the findings of these numbers as marks."""
    return tuple(mark(comparison.findings[number - 1]) for number in numbers)


def mark(numbered: Numbered) -> Mark:
    """Return the mark of findings of one kind."""
    return Mark(numbered.number, circled(numbered.number), numbered.serious)


def plain(marked: Sequence[Mark]) -> str:
    """Return ` (1, 3)`, nothing without marks."""
    return f" ({', '.join(str(mark.number) for mark in marked)})" if marked else ""


def run_labels(comparison: Comparison) -> Mapping[str, str]:
    """Return what each run is called, by its id: without the scenario, which the section is about.

    Its params are those by which the variants are told apart, in the words of the variants, where
    that is enough to tell the runs apart, too.
    """
    full, short = {}, {}
    for variant in (comparison.by_label[label] for label in comparison.order):
        beside = variant.label.removeprefix(variant.name).removeprefix(", ")
        for run in variant.runs:
            label = show.clean(run.label.removeprefix(f"{run.scenario}/"))
            name, params, _ = label.partition(_PARAMS)
            full[run.run_id] = label
            words = f"{_PARAMS}{show.clean(beside)}" if beside else ""
            short[run.run_id] = f"{name}{words}" if params else label
    return short if len({*short.values()}) == len(short) else full


def finding_messages(comparison: Comparison) -> dict[int, str]:
    """Return what each finding says by its number, as `benchkit check` does.

    Runs and variants are called what they are in the tables of the comparison.
    """
    names = run_labels(comparison)
    setting = "".join(f", {words}" for words in show.params(comparison.shared_params))
    return {
        n.number: " ".join(
            show.clean(_without(setting, text)) for text in messages(n.findings, names)
        )
        for n in comparison.findings
    }


def _without(setting: str, text: str) -> str:
    """Return a text in which no variant has a setting behind its name, nor quotes for its sake."""
    if not setting:
        return text
    quoted = f"“([^”]+){re.escape(setting)}”"
    return re.sub(quoted, lambda match: show.quoted(match[1]), text).replace(setting, "")


def finding_message(findings: Sequence[Finding]) -> str:
    """Return the same of findings without a number."""
    return " ".join(map(show.clean, messages(findings)))
