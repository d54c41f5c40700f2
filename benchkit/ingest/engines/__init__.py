"""Who reads files: this process, with others for the large ones where it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from benchkit import registry
from benchkit.errors import UsageError, unknown
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import STDIN
from benchkit.runtime import forks, jit
from benchkit.runtime.interpreter import quick_turns

if TYPE_CHECKING:
    from benchkit.ingest.engines.workers import Job


class Engine(Protocol):
    """Reads files, each for itself: what becomes of one depends on no other."""

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield the number of each file among them and what became of it, in any order.

        `hashed`: the SHA-256 of large files is wanted too.
        """


class Serial:
    """Reads one file after the other; where all are small, with all processors."""

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield the same; large files in their order."""
        if not meter.large and all(meter.size_of(f) < jit.COMPILE_FROM for f in files):
            yield from _small(files, meter, hashed=hashed)
            return
        jit.prepare()
        paths = {file.path for file in files}
        large = [file for file in meter.large if file.path in paths]
        with quick_turns(), _ahead(large, hashed=hashed) as jobs:
            meter.watch(jobs)
            for number, file in enumerate(files):
                meter.begin(file)
                job = jobs.get(file.path)
                ahead = meter.answer_of(job) if job is not None else None
                yield number, read_file(file, hashed=hashed, listener=meter.advance, ahead=ahead)


def _small(
    files: Sequence[Input], meter: Meter, *, hashed: bool
) -> Iterator[tuple[int, FileOutcome]]:
    """Read files none of which is worth a process, many of them in several."""

    def read(file: Input) -> FileOutcome:
        if forks.is_fork():
            return read_file(file, hashed=hashed)
        meter.begin(file)
        return read_file(file, hashed=hashed, listener=meter.advance)

    # Standard input is that of this process.
    least = forks.WORTH_A_FORK if all(file.path != STDIN for file in files) else len(files)
    return forks.mapped(read, files, least=least, shared=registry.parsers(), received=meter.begin)


def engine_named(
    name: str, *, scheduler: str | None = None, announce: Callable[[str], None] | None = None
) -> Engine:
    """Return an engine by its name; `announce` is called with what it tells people.

    Raises:
        UsageError: there is none of that name, or a scheduler for one that has none.
    """
    if name == "dask":
        from benchkit.ingest.engines.cluster import Cluster

        return Cluster(scheduler, announce=announce)
    if name != "serial":
        raise unknown("engine", name, ("serial", "dask"))
    if scheduler is not None:
        raise UsageError("a scheduler is for the engine 'dask'; name that engine too")
    return Serial()


def _ahead(large: Sequence[Input], *, hashed: bool) -> AbstractContextManager[Mapping[str, Job]]:
    if len(large) < 2:
        return nullcontext({})
    from benchkit.ingest.engines.workers import reading_ahead

    return reading_ahead(large, hashed=hashed)
