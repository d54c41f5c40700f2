"""A file with a row per request: the runs in it, and their requests again when asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from benchkit import registry
from benchkit.counting.sends import Sends, sends_of
from benchkit.counting.summaries import Summaries
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.parts import Listener, PartRows, read_side_by_side
from benchkit.ingest.soundness import ImpossibleError, sound_rows
from benchkit.ingest.sources import Opened, open_source
from benchkit.parsing import RequestBatch, RowsParser, RunRecord, Source, remarks_of
from benchkit.runtime.jit import COMPILE_FROM
from benchkit.schema import REQUESTS
from benchkit.text import MOST_REPORTS

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.model.run import RequestsReader

_AHEAD: Final = 4  # batches that may wait to be counted
#: Of a file of so many rows in one batch it is kept when they were sent: it is not read again.
_FEW: Final = 2**11

#: Makes a text of an input fit to be shown.
Clean = Callable[[str], str]


@dataclass
class FileRows:
    """The runs of a file of rows, one per attack, or why nothing could be read.

    Attributes:
        sends: Of a single run of few requests.
    """

    runs: list[tuple[RunRecord, RequestSummary]] = field(default_factory=list)
    problem: InputError | None = None
    sends: Sends | None = None


def read_rows(
    parser: RowsParser,
    opened: Opened,
    listener: Listener | None = None,
    *,
    in_parts: bool = True,
) -> FileRows:
    """Return the runs in a file; nothing that is wrong with it is raised.

    `in_parts`: a large file may be read by all processors, as others do not read another one.
    """
    if in_parts and opened.divisible:
        parts = read_side_by_side(parser, opened.source, listener)
        if parts is not None:
            return rows_of_parts(parser, parts)
    return _read_whole(parser, opened, listener)


def rows_of_parts(parser: RowsParser, parts: PartRows) -> FileRows:
    """Return the runs in a file by what all its parts together have."""
    remarks = remarks_of(parts.left_out)
    notes = list(_lost_rows(parts.announced, parts.summaries))
    return FileRows(_runs(parser, parts.summaries, notes, remarks))


def _read_whole(parser: RowsParser, opened: Opened, listener: Listener | None) -> FileRows:
    large = opened.source.content.size >= COMPILE_FROM
    attacks = Summaries(compiled=large)
    notes: list[str] = []
    remarks: list[str] = []
    left_out: Mapping[str, int] = {}
    announced: int | None = None
    problem: InputError | None = None
    only: RequestBatch | None = None  # the batch of a file that has no other, if it is small
    count = 0
    batches = sound_rows(parser, opened.source)
    try:
        for batch in _ahead(batches) if large else batches:
            notes += [note for note in batch.notes if note not in notes]
            remarks += [remark for remark in batch.remarks if remark not in remarks]
            left_out = batch.left_out or left_out
            announced = announced if batch.announced is None else batch.announced
            attacks.add(batch)
            only = batch if not count and len(batch) <= _FEW else None
            count += 1
            if listener is not None:
                listener(opened.reached)
    except InputError as error:
        problem = error.without_frames()
    summaries = attacks.by_name()
    remarks += remarks_of(left_out)
    if problem is not None:
        whole = isinstance(problem, ImpossibleError)
        notes.append(f"{problem}" if whole else f"read up to a broken place: {problem}")
    else:
        notes += _lost_rows(announced, summaries)
    return FileRows(
        _runs(parser, summaries, notes, remarks),
        None if summaries else problem,
        _sends(only) if only is not None and len(summaries) == 1 else None,
    )


def _runs(
    parser: RowsParser,
    summaries: Mapping[str, RequestSummary],
    notes: Sequence[str],
    remarks: Sequence[str],
) -> list[tuple[RunRecord, RequestSummary]]:
    """Return the runs of a file; of very many the first."""
    if len(summaries) > MOST_REPORTS:
        read = f"{MOST_REPORTS:,} runs are read of one file, and it has {len(summaries):,}"
        notes = [*notes, f"{read}; split it, to read them all"]
    first = islice(summaries.values(), MOST_REPORTS)
    return [(_record(parser, summary, notes, remarks), summary) for summary in first]


def _sends(batch: RequestBatch) -> Sends | None:
    return sends_of([batch]) if batch.repeats is None else None


def _lost_rows(announced: int | None, summaries: Mapping[str, RequestSummary]) -> Iterator[str]:
    """Yield that a file has other requests than it tells of; some leave out what tells."""
    count = sum(summary.distribution.count for summary in summaries.values())
    if announced and announced != count:
        yield f"rows are missing: it counts {announced:,} requests, and has the rows of {count:,}"


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


def _record(
    parser: RowsParser, summary: RequestSummary, notes: Sequence[str], remarks: Sequence[str]
) -> RunRecord:
    summary.latency_step_ns = round(parser.constants.get("resolution_s", 1e-9) * 1e9)
    if strays := summary.leave_astray():
        were = "was sent" if strays == 1 else "were sent"
        damage = (
            f"{strays:,} of {summary.distribution.count:,} requests, by the times of their rows, "
            f"{were} a day or more from all others: these times are damaged, and so the run has "
            "no duration and no throughput"
        )
        notes = [*notes, damage]
    declared = parser.gives & {*parser.fills, *parser.may_fill}
    return RunRecord(
        columns={k: v for k, v in summary.columns().items() if v is not None and k in declared},
        statuses=summary.statuses if parser.codes else {},
        errors=summary.errors,
        name=summary.name,
        notes=[*remarks, *notes],
        lost=list(notes),
    )


@dataclass(frozen=True)
class RequestReader:
    """Yields the table `requests` of one run, piece by piece; it can be pickled.

    Attributes:
        path: The file; for standard input None, and `data` has what was read.
        parser: Name of the parser.
        attack: The attack whose rows are meant; empty for rows without one.
        clean: What is done to each text.
        kept: When they were sent, where that was kept as they are few.
    """

    run_id: str
    path: str | None
    data: bytes
    parser: str
    attack: str
    clean: Clean
    kept: Sends | None = field(default=None, compare=False, repr=False)

    def __call__(self) -> Iterator[pd.DataFrame]:
        """Yield the rows; a broken end is passed over in silence, as it was told before."""
        for batch in self.batches():
            yield _frame(self.run_id, batch, self.clean)

    def batches(self) -> Iterator[RequestBatch]:
        """Yield the rows as arrays, likewise."""
        with suppress(InputError):
            path, parser = self.path, registry.parser(self.parser)
            source = (
                Source.from_bytes(self.data)
                if path is None
                else open_source(path, name=path).source
            )
            if not isinstance(parser, RowsParser):  # pragma: no cover - the ingest makes no other
                raise TypeError(parser.name)
            for part in (p for whole in sound_rows(parser, source) for p in whole.expanded()):
                batch = part if parser.codes else replace(part, status=None)
                names = list(batch.attacks)
                code = names.index(self.attack) if self.attack in names else -1
                own = batch if batch.attack is None else batch.where(batch.attack == code)
                if len(own):
                    yield own


@dataclass(frozen=True)
class PartsReader:
    """Reads the requests of a run that several generators made, those of one after the other."""

    readers: tuple[RequestsReader, ...]

    def __call__(self) -> Iterator[pd.DataFrame]:
        """Yield rows of the table `requests`."""
        for reader in self.readers:
            yield from reader()

    @property
    def kept(self) -> None:
        """When they were sent is kept of each generator only."""

    def batches(self) -> Iterator[RequestBatch]:
        """Yield the same as arrays."""
        for reader in self.readers:
            yield from reader.batches()


def _frame(run_id: str, batch: RequestBatch, clean: Clean) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    size = len(batch)
    data: dict[str, Any] = {"run_id": [run_id] * size, "latency_s": batch.latency_ns / 1e9}
    if batch.started_ns is not None and not batch.started_relative:
        data["started_at"] = pd.to_datetime(batch.started_ns, unit="ns", utc=True)
    for name in ("status", "seq", "received_bytes", "sent_bytes"):
        data[name] = getattr(batch, name)
    for name, ns in (("connect_s", batch.connect_ns), ("first_byte_s", batch.first_byte_ns)):
        data[name] = None if ns is None else ns / 1e9
    strings = ((batch.error, batch.errors), (batch.method, batch.methods), (batch.url, batch.urls))
    for name, (codes, texts) in zip(("error", "method", "url"), strings, strict=True):
        shown = [clean(text) for text in texts]
        # Redacted names may coincide, which rules out a categorical; -1 takes the last, None.
        data[name] = None if codes is None else np.array([*shown, None], object)[codes]
    frame = pd.DataFrame({name: data.get(name) for name in REQUESTS.names}, index=range(size))
    return frame.astype({column.name: column.dtype for column in REQUESTS.columns})
