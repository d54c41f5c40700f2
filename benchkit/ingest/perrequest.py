"""A file with a row per request to the runs in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from benchkit.counting.summaries import Summaries
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.sources import Opened
from benchkit.jit import COMPILE_FROM
from benchkit.parsing import RequestBatch, RowsParser, RunRecord

_AHEAD: Final = 4  # batches that may wait to be counted

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
    large = opened.source.content.size >= COMPILE_FROM
    attacks = Summaries(compiled=large)
    notes: list[str] = []
    problem: InputError | None = None
    batches = parser.rows(opened.source)
    try:
        for batch in _ahead(batches) if large else batches:
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


def _ahead(batches: Iterable[RequestBatch]) -> Iterator[RequestBatch]:
    """Yield the same; a thread makes the next ones, as machine code needs no lock of Python's."""
    from concurrent.futures import ThreadPoolExecutor

    remaining = iter(batches)
    thread = ThreadPoolExecutor(1)
    try:
        waiting = deque(thread.submit(next, remaining, None) for _ in range(_AHEAD))
        while (batch := waiting.popleft().result()) is not None:
            waiting.append(thread.submit(next, remaining, None))
            yield batch
    finally:
        thread.shutdown(cancel_futures=True)


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
