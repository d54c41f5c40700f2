"""An engine of Dask workers: a cluster that is started for a call, or one that is there already."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from benchkit.errors import UsageError
from benchkit.ingest.engines.futures import ClusterReading
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.progress import Meter
from benchkit.ingest.read import read_file
from benchkit.ingest.sources import is_here_alone

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

_CONNECTED_S: Final = 20.0
#: How often lost workers are replaced.
_LOOK_S: Final = 2.0
#: What holds for a cluster of our own: a worker has one file at a time, so that its death is
#: nobody else's, and a second death with one file is enough to suspect it.
_LOCAL: Final = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 1,
    "distributed.worker.profile.enabled": False,
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

    Raises:
        UsageError: Dask is not installed; it is not imported yet.
    """

    scheduler: str | None = None
    workers: int | None = None
    announce: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        if find_spec("distributed") is None:
            install = "pip install 'distributed>=2024.5' 'bokeh>=3.1'"
            raise UsageError(f"the engine 'dask' needs Dask: {install}")

    def outcomes(
        self, files: Sequence[Input], meter: Meter, *, hashed: bool
    ) -> Iterator[tuple[int, FileOutcome]]:
        """Yield the number of each file and what became of it, as they are done.

        Raises:
            UsageError: there is no scheduler, or no worker of it.
        """
        there: dict[int, Input] = {}
        for number, file in enumerate(files):
            if is_here_alone(file.path):
                meter.begin(file)
                yield number, read_file(file, hashed=hashed, listener=meter.advance)
            else:
                there[number] = file
        if not there:
            return
        with self._client() as client:
            for number, outcome in ClusterReading(client, meter, hashed=hashed).outcomes(there):
                meter.begin(files[number])
                yield number, outcome

    @contextmanager
    def _client(self) -> Iterator[Client]:
        import dask
        from distributed import Client

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
        SystemExit: this is a worker of another call, which the same script has made.

    Source: CPython 3.11, Lib/multiprocessing/spawn.py, _main, which sets `_inheriting` while the
    script is run again, and _check_not_importing_main, which allows no further process meanwhile.
    """
    from distributed import LocalCluster

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        # The script runs again in a worker that starts: the first of all tells why that fails.
        raise SystemExit(1)
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
        ) from None


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
