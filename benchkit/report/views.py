"""What a page shows, as frozen data: every word and number is ready to be written."""

from __future__ import annotations

from dataclasses import dataclass

from benchkit.figures.chart import DataTable


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell.

    Attributes:
        text: The value, or the word for its absence.
        absent: Whether `text` is such a word.
        small: A second, quieter text: a difference, a share.
        spread: The range over several runs.
    """

    text: str
    absent: bool = False
    small: str = ""
    spread: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCell:
    """The difference of a row: amount, direction, and the length of its bar in px."""

    amount: str
    word: str
    bar: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """A variant's name with its colour and symbol; `path` is the symbol's outline."""

    label: str
    role: str
    path: str
    baseline: bool = False
    runs: str = ""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One metric of two variants; with `absent` one word spans both."""

    heading: str
    cells: tuple[Cell, ...]
    change: ChangeCell | None = None
    absent: str = ""


@dataclass(frozen=True, slots=True)
class PairTable:
    """Two variants: metrics as rows, variants as columns, the change last."""

    names: tuple[Name, ...]
    rows: tuple[PairRow, ...]


@dataclass(frozen=True, slots=True)
class RankTable:
    """One variant, or three and more: variants as rows, best first."""

    headings: tuple[str, ...]
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
    """Something that limits a comparison; the number links sentence, row and mark."""

    number: int
    serious: bool
    claim: str
    text: str


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


@dataclass(frozen=True, slots=True)
class SectionView:
    """One comparison.

    Attributes:
        verdicts: Sentences of the inference, shown below the headline; empty without one.
        limits: Sentences beside the grade.
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
    limits: tuple[str, ...]
    verdicts: tuple[str, ...]
    findings: tuple[Finding, ...]
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
    """The whole page."""

    title: str
    counts: str
    sections: tuple[SectionView, ...]
    skipped: tuple[tuple[str, str], ...]
    foreign: str
    files: tuple[FileRow, ...]
    version: str
