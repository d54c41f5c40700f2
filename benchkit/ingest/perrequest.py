"""A file with a row per request to the runs in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from benchkit.counting.summaries import Summaries
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.sources import Opened
from benchkit.jit import COMPILE_FROM
from benchkit.parsing import RowsParser, RunRecord

#: Called with the bytes of the file that are read.
Listener = Callable[[int], None]


@dataclass
class RowsFound:
    """What is kept of a file with a row per request.

    Attributes:
        runs: One per attack.
        problem: Why nothing could be read, if nothing could.
    """

    runs: list[tuple[RunRecord, RequestSummary]] = field(default_factory=list)
    problem: InputError | None = None


def read_rows(parser: RowsParser, opened: Opened, listener: Listener | None = None) -> RowsFound:
    """Return the runs in a file; nothing that is wrong with it is raised."""
    attacks = Summaries(compiled=opened.source.content.size >= COMPILE_FROM)
    notes: list[str] = []
    problem: InputError | None = None
    try:
        for batch in parser.rows(opened.source):
            notes += [note for note in batch.notes if note not in notes]
            attacks.add(batch)
            if listener is not None:
                listener(opened.reached)
    except InputError as error:
        problem = error
    summaries = attacks.by_name()
    if problem is not None:
        notes.append(f"read up to a broken place: {problem}")
    return RowsFound(
        [(_record(parser, summary, notes), summary) for summary in summaries.values()],
        None if summaries else problem,
    )


def _record(parser: RowsParser, summary: RequestSummary, notes: list[str]) -> RunRecord:
    summary.latency_step_ns = round(parser.constants.get("resolution_s", 1e-9) * 1e9)
    return RunRecord(
        columns={k: v for k, v in summary.columns().items() if v is not None},
        statuses=summary.statuses,
        errors=summary.errors,
        name=summary.name,
        notes=list(notes),
        lost=list(notes),
    )
