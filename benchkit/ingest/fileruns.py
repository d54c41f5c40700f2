"""What the ingest knows of a run between parser and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.meta import Meta
from benchkit.ingest.pages import Context
from benchkit.ingest.paths import Input
from benchkit.ingest.sources import Opened
from benchkit.parsing import Parser, RunRecord

State = Literal["read", "merged", "duplicate", "skipped", "foreign"]


@dataclass(eq=False)
class FileRun:
    """A run with where it was found; compared by identity.

    Attributes:
        number: Position within its file, from 1.
        many: Whether its file holds several runs.
        summary: What is kept of its requests, where the format has them.
        context: What the page around it says.
        others: The same run in other files, less detailed.
        parts: The runs of which it is the sum, where several generators made it.
    """

    parser: Parser
    record: RunRecord
    file: FileOutcome
    number: int
    many: bool = False
    summary: RequestSummary | None = None
    context: Context | None = None
    others: list[FileRun] = field(default_factory=list)
    parts: tuple[FileRun, ...] = ()

    @property
    def records(self) -> Iterator[FileRun]:
        """Every record that it was made of."""
        for part in self.parts or (self,):
            yield part
            yield from part.others

    @cached_property
    def columns(self) -> dict[str, Any]:
        """Columns of `runs` that the file supports."""
        return {**self.parser.constants, **self.record.columns}

    @cached_property
    def known_quantiles(self) -> dict[float, float]:
        """Latency in s per quantile, printed or computed, the maximum included."""
        quantiles = dict(self.record.quantiles)
        if self.summary is not None:
            quantiles |= dict(self.summary.quantiles())
        if self.columns.get("latency_max_s") is not None:
            quantiles.setdefault(1.0, self.columns["latency_max_s"])
        return quantiles

    @cached_property
    def known_figures(self) -> dict[tuple[str, str], float]:
        """Value per metric and statistic, as far as the file gives one value for them."""
        values: dict[tuple[str, str], set[float]] = {}
        for figure in self.record.figures:
            values.setdefault((figure.metric, figure.statistic), set()).add(figure.value)
        return {key: next(iter(numbers)) for key, numbers in values.items() if len(numbers) == 1}


@dataclass(eq=False)
class FileOutcome:
    """What became of one file.

    Attributes:
        key: What tells it from other files, from its content alone.
        sha256: Hash of the bytes on disk; None for a large file where nobody wants it.
    """

    input: Input
    state: State
    opened: Opened | None = None
    format: str | None = None
    key: str = ""
    sha256: str | None = None
    meta: Meta = field(default_factory=Meta)
    runs: list[FileRun] = field(default_factory=list)
    problems: list[InputError] = field(default_factory=list)
    message: str | None = None

    def whole(self) -> str:
        """Return the hash of all bytes on disk, which takes a while if it is not known.

        Raises:
            OSError: the file cannot be read any more.
        """
        return self.sha256 or ("" if self.opened is None else self.opened.sha256())

    def unreadable(self, error: OSError) -> None:
        """Take in that the file cannot be read any more."""
        reason = error.strerror or str(error)
        self.runs.clear()
        self.state = "skipped"
        self.problems.append(
            InputError("a file that stays readable", actual=reason, source=self.input.name)
        )
