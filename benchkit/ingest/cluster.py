"""Files read by the workers of a Dask cluster, a future for each, of large ones for each part.

What a worker sends back is checked like anything that is read. A worker that dies loses nothing:
its file is read by another one. A file with which several died is read again with nothing beside
it; if that ends workers too, it is skipped, and the others go on.
"""

from __future__ import annotations

import logging
import os
import threading
from asyncio import CancelledError
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import InputError, UsageError
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.packing import reader, unpacked
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import is_here_alone
from benchkit.ingest.tasks import (
    PART_BYTES,
    Cut,
    Sent,
    cut_there,
    hash_there,
    join_there,
    read_part_there,
    read_there,
)
from benchkit.stores.addresses import is_web

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

#: How often a file is read again after an error that is not its own, such as a connection's.
_RETRIES: Final = 2
_CONNECTED_S: Final = 20.0
#: How often lost workers are replaced.
_LOOK_S: Final = 2.0
#: What holds for a cluster of our own: a worker has one file at a time, so that its death is
#: nobody else's, and a second death with one file is enough to suspect it.
_LOCAL: Final = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 1,
    "distributed.comm.timeouts.connect": f"{_CONNECTED_S}s",
    "distributed.deploy.lost-worker-timeout": "10s",
}


@dataclass(frozen=True)
class Cluster:
    """An engine of Dask workers.

    Attributes:
        scheduler: Where its scheduler is, such as `tcp://host:8786`; without one a cluster is
            started on this machine, for as long as it takes.
        workers: How many of those there are; as many as processors by default.
        announce: Called with a line for people: where the dashboard is.
    """

    scheduler: str | None = None
    workers: int | None = None
    announce: Callable[[str], None] | None = None

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield the number of each file and what became of it, as they are done.

        Raises:
            UsageError: Dask is not installed, or there is no scheduler or no worker of it.
        """
        here = [number for number, file in enumerate(files) if is_here_alone(file.path)]
        for number in here:
            meter.begin(files[number])
            yield number, read_file(files[number], hashed=hashed, listener=meter.advance)
        there = {number: file for number, file in enumerate(files) if number not in here}
        if not there:
            return
        with self._client() as client:
            large = {number for number, file in there.items() if _may_be_cut(file, meter)}
            for number, outcome in _Reading(client, hashed=hashed).outcomes(there, large):
                meter.begin(files[number])
                outcome.input = files[number]  # a worker sends no address that holds a secret
                yield number, outcome

    @contextmanager
    def _client(self) -> Iterator[Client]:
        try:
            from distributed import Client
        except ImportError:
            raise UsageError(
                "the engine 'dask' needs Dask; install it with `pip install 'benchkit[dask]'`"
            ) from None
        import dask

        with ExitStack() as stack:
            stack.enter_context(_quiet())
            address: Any = self.scheduler
            if address is None:
                count = self.workers or os.cpu_count() or 1
                stack.enter_context(dask.config.set(_LOCAL))
                address = _started(count)
                stack.enter_context(address)
                stack.enter_context(_replaced(address, count))
            try:
                client = stack.enter_context(Client(address, timeout=_CONNECTED_S))
                client.wait_for_workers(1, timeout=_CONNECTED_S)
            except (OSError, ValueError) as error:
                raise UsageError(
                    f"no Dask scheduler with a worker at {self.scheduler}: "
                    f"{str(error).partition(chr(10))[0]}"
                ) from None
            if self.announce is not None:
                self.announce(f"Dask dashboard: {client.dashboard_link}")
            yield client


def _started(workers: int) -> LocalCluster:
    """Return a cluster on this machine.

    Raises:
        UsageError: there can be none.
    """
    from distributed import LocalCluster

    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
    except RuntimeError as error:
        raise UsageError(
            f"no Dask workers can be started here: {str(error).partition(chr(10))[0]}; "
            'a script does this below `if __name__ == "__main__":`'
        ) from error


def _may_be_cut(file: Input, meter: Meter) -> bool:
    """Whether a file is large, or nobody knows yet how large."""
    return is_web(file.path) or meter.size_of(file) >= 2 * PART_BYTES


@contextmanager
def _replaced(cluster: LocalCluster, workers: int) -> Iterator[None]:
    """Have lost workers replaced: who watches over one does not where it dies while it starts.

    Source: distributed 2026.8.0, distributed/nanny.py, Nanny._on_worker_exit, which does nothing
    in Status.starting; distributed/deploy/spec.py, SpecCluster.scale, which starts what is missing.
    """
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK_S):
            cluster.scale(workers)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the log of Dask from the terminal: what it tells ends as a line of ours."""
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


class _Reading:
    """Files on their way through a cluster."""

    def __init__(self, client: Client, *, hashed: bool) -> None:
        self._client, self._hashed = client, hashed
        self._deaths = 0

    def outcomes(
        self, files: Mapping[int, Input], large: Container[int]
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield what became of each file, as they are done; `large` ones may be cut."""
        suspects = []
        for number, outcome in self._all(files, large):
            if outcome is None:
                suspects.append(number)
            else:
                yield number, outcome
        for number in suspects:
            ((_, outcome),) = self._all({number: files[number]})
            yield number, outcome or self._deadly(files[number])

    def _all(
        self, files: Mapping[int, Input], large: Container[int] = ()
    ) -> Iterator[tuple[int, FileOutcome | None]]:
        """Yield what became of each file, None for those with which workers died."""
        from distributed import as_completed

        numbers = {
            self._submit(cut_there, file, PART_BYTES, priority=1)
            if number in large
            else self._whole(file): number
            for number, file in files.items()
        }
        done = as_completed(list(numbers), with_results=True, raise_errors=False)
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
        if isinstance(error, CancelledError) or not isinstance(error, Exception):
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
