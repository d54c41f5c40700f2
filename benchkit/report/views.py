"""What a page shows, as frozen data: every word and number is ready to be written."""

from __future__ import annotations

from dataclasses import dataclass

from benchkit.figures.chart import DataTable


@dataclass(frozen=True, slots=True)
class Mark:
    """The number of a finding, as it stands beside what it qualifies."""

    number: int
    symbol: str
    serious: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell.

    Attributes:
        text: The value, or the word for its absence.
        absent: Whether `text` is such a word.
        small: A second, quieter text: a difference, a share.
        spread: The range over several runs.
        verdict: What a test says of the difference, with its interval.
        why: Why a figure is withheld.
        marks: Findings about this figure.
    """

    text: str
    absent: bool = False
    small: str = ""
    spread: str = ""
    verdict: str = ""
    why: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeCell:
    """The difference of a row: amount, direction, and the length of its bar in px.

    Attributes:
        verdict: What a test says of it, with its interval.
    """

    amount: str
    word: str
    bar: int = 0
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A variant's name with its colour and symbol; `path` is the symbol's outline."""

    label: str
    role: str
    path: str
    baseline: bool = False
    runs: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRow:
    """One metric of two variants; with `absent` one word spans both."""

    heading: str
    cells: tuple[Cell, ...]
    change: ChangeCell | None = None
    absent: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class PairTable:
    """Two variants: metrics as rows, variants as columns, the change last."""

    names: tuple[Name, ...]
    rows: tuple[PairRow, ...]


@dataclass(frozen=True, slots=True)
class RankTable:
    """One variant, or three and more: variants as rows, best first."""

    headings: tuple[tuple[str, tuple[Mark, ...]], ...]
    rows: tuple[tuple[Name, tuple[Cell, ...]], ...]
    order: str
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A plain table; the first cell of a row is its heading."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers_from: int = 1


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure of the page: its words, its table, the number of its drawing."""

    number: int
    title: str
    subtitle: str
    label: str
    height: int
    table: DataTable


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that limits a comparison; the mark links sentence, row and figure to it."""

    mark: Mark
    claim: str
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its full stop, and the findings behind it."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class RunView:
    """One run with everything that was read of it."""

    label: str
    summary: str
    columns: tuple[tuple[str, str], ...]
    quantiles: tuple[tuple[str, str], ...]
    figures: Grid | None
    notes: tuple[str, ...]
    command: str = ""
    findings: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionView:
    """One comparison.

    Attributes:
        limits: Sentences beside the grade.
        worst: The worst problem with the data in a few words.
        findings: Those that a reader needs; `further` the others.
        intervals: What the intervals of the table are, empty without any.
        meaning: What a latency of these runs is.
        no_errors: Said in place of `statuses`.
        beside: Whether errors fit beside the last figure.
    """

    anchor: str
    link: str
    eyebrow: str
    headline: str
    grade: str
    grade_symbol: str
    grade_words: str
    limits: tuple[Sentence, ...]
    worst: str
    findings: tuple[Finding, ...]
    further: tuple[Finding, ...]
    intervals: str
    meaning: str
    pair: PairTable | None
    ranking: RankTable | None
    main: FigureView | None
    figures: tuple[FigureView, ...]
    statuses: Grid | None
    no_errors: str
    beside: bool
    runs: tuple[RunView, ...]


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
    """

    title: str
    counts: str
    sections: tuple[SectionView, ...]
    method: tuple[tuple[str, str], ...]
    blind: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    foreign: str
    files: tuple[FileRow, ...]
    version: str
