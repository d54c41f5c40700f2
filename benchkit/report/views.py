"""What a page shows, as frozen data: every word and number is ready to be written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchkit.report.tabular import ComparisonTable, Mark, Sentence

if TYPE_CHECKING:
    from benchkit.figures.chart import DataTable


@dataclass(frozen=True, slots=True)
class Grid:
    """A plain table; the first cell of a row is its heading."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure of the page: its words, its table, the number of its drawing.

    Attributes:
        anchor: The name of its place.
    """

    number: int
    anchor: str
    title: str
    subtitle: str
    label: str
    height: int
    table: DataTable


@dataclass(frozen=True, slots=True)
class FindingView:
    """Something that limits a comparison; the mark links sentence, row and figure to it."""

    mark: Mark
    claim: str
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One figure of several runs.

    Attributes:
        cells: One per run, or a single one where all runs say the same.
    """

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """Runs beside each other with everything that was read of them.

    Attributes:
        headings: The runs.
        blocks: Rows that belong together, under a heading of their own.
        commands: Command lines, each with the runs it is of, or nothing for all.
        notes: Remarks likewise.
        findings: What the list of findings sums up, for each run.
    """

    title: str
    headings: tuple[str, ...]
    blocks: tuple[tuple[str, tuple[PrintedRow, ...]], ...]
    commands: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]
    findings: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What a comparison says against one baseline and of some runs: whatever a choice changes.

    Attributes:
        eyebrow: Tool, load and runs.
        limits: Sentences beside the grade.
        worst: The worst problem with the data in a few words.
        findings: Those that a reader needs; `further` the others.
        remarks: What the intervals of the table are, whether the verdict hangs on single runs,
            what a latency of these runs is.
        figures: Beside the main one; of the report's own answer only.
    """

    anchor: str
    eyebrow: str
    headline: str
    grade: str
    grade_symbol: str
    grade_words: str
    limits: tuple[Sentence, ...]
    worst: str
    findings: tuple[FindingView, ...]
    further: tuple[FindingView, ...]
    remarks: tuple[str, ...]
    table: ComparisonTable
    main: FigureView | None
    figures: tuple[FigureView, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Another baseline or other runs, which a reader may choose in the page.

    Attributes:
        group: `Baseline` or `Leaving out`.
        note: What differs from the report as it was made.
    """

    group: str
    label: str
    note: str
    answer: AnswerView


@dataclass(frozen=True, slots=True)
class SectionView:
    """One comparison.

    Attributes:
        baseline: The label of what the others are compared with, empty for a single variant.
        choices: Answers that a reader may ask for; `missing` says which were not prepared.
        no_errors: Said in place of `statuses`.
        beside: Whether errors fit beside the last figure.
        run_table: The runs beside each other, where a variant has several.
    """

    anchor: str
    link: str
    baseline: str
    answer: AnswerView
    choices: tuple[Choice, ...]
    missing: str
    statuses: Grid | None
    no_errors: str
    beside: bool
    run_table: ComparisonTable | None
    printed: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file that was looked at and holds runs."""

    source: str
    state: str
    runs: str
    format: str
    sha256: str
    message: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page.

    Attributes:
        method: Terms with what they mean here.
        blind: Checks that lacked their data, by the reason.
        naming: How names were understood, a line each.
        environment: What metadata say of the machine.
        tools: The load generators with their versions.
        command: The command line that makes this page, empty where none did.
    """

    title: str
    counts: str
    sections: tuple[SectionView, ...]
    method: tuple[tuple[str, str], ...]
    blind: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    foreign: str
    files: tuple[FileRow, ...]
    naming: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    tools: tuple[str, ...]
    command: str
    version: str
