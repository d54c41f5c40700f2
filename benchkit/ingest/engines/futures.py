"""Files on their way through a Dask cluster, a future for each, of large ones for each part.

What a worker sends back is checked like anything that is read. A worker that dies loses nothing:
what it had is read by another one. A file with which several died is read again with nothing beside
it; if that ends workers too, it is skipped, and the others go on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, Self

from benchkit.errors import InputError, UsageError
from benchkit.ingest.engines.reader import reader
from benchkit.ingest.engines.tasks import (
    PART_BYTES,
    Cut,
    Sent,
    cut_there,
    hash_there,
    join_there,
    read_part_there,
    read_there,
)
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.packing import unpacked
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.stores.addresses import is_web

if TYPE_CHECKING:
    from distributed import Client, Future

#: How often something is done again after an error that is not its own, such as a connection's.
_RETRIES: Final = 2
#: So long there may be no worker; one that a queue of jobs starts may come late.
_DESERTED_S: Final = 60.0
_LOOK_S: Final = 2.0


class Desertion:
    """Whether a cluster has been without a worker for too long, by a thread that looks.

    Attributes:
        seen: Whether it has; then what is waited for is cancelled.
    """

    def __init__(self, client: Client, waiting: Mapping[Future, int]) -> None:
        self._client, self._waiting = client, waiting
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.seen = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        there_at = time.monotonic()
        while not self._ended.wait(min(_LOOK_S, _DESERTED_S)):
            with suppress(Exception):  # a scheduler that has gone cancels by itself
                if self._client.nthreads():
                    there_at = time.monotonic()
                elif time.monotonic() - there_at >= _DESERTED_S:
                    self.seen = True
                    self._client.cancel(list(self._waiting))


class ClusterReading:
    """Files on their way through a cluster."""

    def __init__(self, client: Client, meter: Meter, *, hashed: bool) -> None:
        self._client, self._meter, self._hashed = client, meter, hashed
        self._deaths = 0
        self._numbers: dict[Future, int] = {}  # of the files that are waited for
        self._desertion = Desertion(client, self._numbers)

    def outcomes(self, files: Mapping[int, Input]) -> Iterator[tuple[int, FileOutcome]]:
        """Yield what became of each file, as they are done.

        Raises:
            UsageError: the cluster can finish nothing any more.
        """
        suspects = []
        with self._desertion:
            futures = {self._first(file): number for number, file in files.items()}
            for number, outcome in self._done(futures, files):
                if outcome is None:
                    suspects.append(number)
                else:
                    yield number, outcome
            for number in suspects:
                alone = {self._whole(files[number]): number}
                ((_, outcome),) = self._done(alone, files)
                yield number, outcome or self._deadly(files[number])

    def _done(
        self, futures: Mapping[Future, int], files: Mapping[int, Input]
    ) -> Iterator[tuple[int, FileOutcome | None]]:
        """Yield what became of each file, None for those with which workers died."""
        from distributed import as_completed

        numbers = self._numbers
        numbers.update(futures)
        done = as_completed(list(futures), with_results=True, raise_errors=False)
        del futures  # what nobody holds any more the cluster forgets
        for future, result in done:
            number = numbers.pop(future)
            if isinstance(result, Cut):
                following = self._in_parts(files[number], result)
                numbers[following] = number
                done.add(following)
            else:
                yield number, self._outcome(files[number], result)

    def _submit(self, task: Callable[..., object], *given: object, priority: int = 0) -> Future:
        return self._client.submit(task, *given, priority=priority, retries=_RETRIES, pure=False)

    def _first(self, file: Input) -> Future:
        """Return what is done first with a file: a large one may be cut."""
        if is_web(file.path) or self._meter.size_of(file) >= 2 * PART_BYTES:
            return self._submit(cut_there, file, PART_BYTES, priority=1)
        return self._whole(file)

    def _whole(self, file: Input) -> Future:
        return self._submit(partial(read_there, hashed=self._hashed), file)

    def _in_parts(self, file: Input, cut: Cut) -> Future:
        """Return what becomes of a file that is cut; its parts go from worker to worker."""
        _require_same(cut.reader)
        if not cut.parts:
            return self._whole(file)
        sha256 = self._submit(hash_there, file, cut) if self._hashed else None  # the longest
        parts = [self._submit(read_part_there, file, cut, part) for part in cut.parts]
        return self._submit(partial(join_there, hashed=self._hashed), file, cut, parts, sha256)

    def _outcome(self, file: Input, result: object) -> FileOutcome | None:
        from distributed import KilledWorker

        if isinstance(result, Sent):  # whatever becomes of its worker since
            _require_same(result.reader)
            outcome = unpacked(result.data, source=file.name)
            outcome.input = file  # with its whole address, which nobody sends
            return outcome
        error = result[1] if isinstance(result, tuple) else result
        if isinstance(error, KilledWorker):
            self._deaths = error.allowed_failures + 1
            return None
        if isinstance(error, CancelledError) or not isinstance(
            error, Exception
        ):  # asyncio's is none
            if self._desertion.seen:
                raise UsageError(f"the Dask scheduler has had no worker for {_DESERTED_S:g} s")
            raise UsageError("the Dask scheduler has gone, and with it what was not finished")
        return _skipped(
            file,
            InputError(
                "a file that the workers can read",
                actual=f"{type(error).__name__}: {error}",
                hint="they need benchkit, and files by the same paths",
            ),
        )

    def _deadly(self, file: Input) -> FileOutcome:
        ended = f"parsing it ended {self._deaths} workers"
        return _skipped(file, InputError("a file that can be read", actual=ended))


def _require_same(there: str) -> None:
    if there != reader():
        raise UsageError(f"the workers have {there}, and here is {reader()}")


def _skipped(file: Input, error: InputError) -> FileOutcome:
    return FileOutcome(file, "skipped", problems=[error.within(file.name)])
