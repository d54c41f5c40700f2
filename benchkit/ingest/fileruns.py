"""What the ingest knows of a run between parser and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from benchkit.counting.sends import Sends
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.beside import NOTHING, Beside
from benchkit.ingest.meta import Meta
from benchkit.ingest.pages import Context
from benchkit.ingest.paths import Input
from benchkit.ingest.sources import open_source
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
        values: dict[tuple[str, str], float] = {}
        several = set()
        for figure in self.record.figures:
            key, value = (figure.metric, figure.statistic), figure.value
            if values.setdefault(key, value) != value:
                several.add(key)
        return {key: value for key, value in values.items() if key not in several}


@dataclass(eq=False)
class FileOutcome:
    """What became of one file, whoever has read it; no file is open in it.

    Attributes:
        beside: What lies beside it.
        key: What tells it from other files, from its content alone.
        content_key: The same for what is packed in it; both only of files with runs.
        sha256: Hash of the bytes on disk; None for a large file where nobody wants it.
        size_bytes: Size on disk; None for what could not be opened.
        large: Whether the keys are of parts of it.
        standard_input: What it held, where its requests are to be read from it again.
        sends: When the requests of its one run were sent, where they are few.
    """

    input: Input
    state: State
    beside: Beside = NOTHING
    format: str | None = None
    key: str = ""
    content_key: str = ""
    sha256: str | None = None
    size_bytes: int | None = None
    large: bool = False
    runs: list[FileRun] = field(default_factory=list)
    problems: list[InputError] = field(default_factory=list)
    message: str | None = None
    standard_input: bytes = b""
    sends: Sends | None = None

    @property
    def meta(self) -> Meta:
        """The metadata beside it, empty where there are none that can be read."""
        return self.beside.meta if isinstance(self.beside.meta, Meta) else Meta()

    @cached_property
    def whole(self) -> str:
        """The hash of all bytes on disk, which takes a while if it is not known.

        Raises:
            OSError: the file cannot be read any more.
            InputError: likewise.
        """
        return self.sha256 or open_source(self.input.path, name=self.input.name).sha256()

    def rest(self) -> None:
        """Take less memory until its runs are made."""
        for run in self.runs:
            if run.summary is not None:
                run.summary.rest()

    def lose(self, what: str) -> None:
        """Tell of one thing more that was lost of the file."""
        self.message = f"{self.message}; {what}" if self.message else f"{self.input.name}: {what}"

    def unreadable(self, error: OSError | InputError) -> None:
        """Take in that the file cannot be read any more."""
        reason = error.actual if isinstance(error, InputError) else error.strerror
        self.runs.clear()
        self.state = "skipped"
        self.problems.append(
            InputError(
                "a file that stays readable", actual=reason or str(error), source=self.input.name
            )
        )
