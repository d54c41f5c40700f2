"""One recorded output, and what one parser reads of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from benchkit import registry
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.commands import find_commands
from benchkit.ingest.defects import raised
from benchkit.ingest.read import read_items
from benchkit.ingest.soundness import ImpossibleError
from benchkit.ingest.sources import in_memory
from benchkit.parsing import Parser, RunRecord
from benchkit.plugins import checked
from benchkit.text import Text

#: A value of a run with its name: ("requests", 400), ("quantile", 0.5, 0.0012).
Fact = tuple[Any, ...]


class CheckError(AssertionError):
    """A check does not hold."""


@dataclass(frozen=True)
class Fixture:
    """A recorded output; what a parser reads of all of it is read once."""

    name: str
    path: Path
    answers: dict[str, ParserAnswer] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def data(self) -> bytes:
        """Its bytes as they lie on disk."""
        return self.path.read_bytes()

    def answer(self, parser: Parser) -> ParserAnswer:
        """Return what a parser reads of it; raises CheckError as `read` does."""
        if parser.name not in self.answers:
            self.answers[parser.name] = read(parser, self.data, self.name)
        return self.answers[parser.name]

    def is_read(self, parser: Parser) -> bool:
        """Whether a parser reads or refuses it, and raises nothing else."""
        try:
            self.answer(parser)
        except CheckError:
            return False
        return True

    def asked(self, parser: Parser) -> dict[str, Any]:
        """Return what the command beside it asks for, as columns of `runs`; none where unknown."""
        beside = self.path.with_name(f"{self.path.name}.cmd")
        if not beside.is_file():
            return {}
        text = Text.from_text(beside.read_text(encoding="utf-8"))
        commands = [command for command in find_commands(text) if command.tool == parser.tool]
        if len(commands) != 1:
            return {}
        return {**registry.tool(parser.tool).asked(commands[0].text), **commands[0].columns}


@dataclass
class ParserAnswer:
    """What a parser read.

    Attributes:
        runs: With their rows counted, where there are rows.
        refusals: Messages of what cannot be read.
        impossible: Those of them that tell of values which cannot be.
    """

    runs: list[tuple[RunRecord, RequestSummary | None]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    impossible: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RunRecord]:
        """The runs alone."""
        return [record for record, _ in self.runs]

    def facts(self) -> list[set[Fact]]:
        """Return all values of each run."""
        return [set(facts(record)) for record in self.records]


def read(parser: Parser, data: bytes, what: str) -> ParserAnswer:
    """Return what a parser reads of bytes, which are called `what`.

    Raises:
        CheckError: it raised what is no InputError, or returned what is no run.
    """
    reading = ParserAnswer()
    try:
        with raised():
            items = read_items(in_memory(data, what), (checked(parser),)).items
    except InputError as error:
        reading.refusals.append(str(error))
        return reading
    except Exception as error:
        shown = f"{type(error).__name__}: {error}"
        raise CheckError(f"{what}: a run or an InputError was expected, got {shown}") from error
    for _, result, summary in items:
        if isinstance(result, InputError):
            reading.refusals.append(str(result))
            if isinstance(result, ImpossibleError):
                reading.impossible.append(str(result))
        else:
            reading.runs.append((result, summary))
    for line in reading.refusals:
        if "\n" in line:
            raise CheckError(f"{what}: a refusal is one line, not {line!r}")
    return reading


def facts(record: RunRecord) -> Iterator[Fact]:
    """Yield all values of a run, each with its name."""
    yield from ((name, value) for name, value in record.columns.items() if value is not None)
    yield from (("quantile", q, value) for q, value in record.quantiles)
    if (values := record.unitless) is not None:
        yield from values.columns.items()
        yield from (("quantile", q, value) for q, value in values.quantiles)
    yield from (("figure", f.metric, f.statistic, f.value, f.unit) for f in record.figures)
    yield from (("status", code, count) for code, count in record.statuses.items())
    yield from (("error", text, n) for text, n in record.errors.items() if n is not None)
