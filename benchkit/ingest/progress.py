"""How far reading is, for whoever waits."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.sources import STDIN

if TYPE_CHECKING:
    from benchkit.ingest.engines.workers import Answer, Job

#: From this size on a file is worth a process, which takes a third of a second to start.
WORTH: Final = 2**27

_INTERVAL_S: Final = 0.1


@dataclass(frozen=True)
class Progress:
    """How far reading is.

    Attributes:
        name: The file at hand.
        file: Its number, from 1.
        files: How many there are.
        runs: Runs found before it.
        bytes_done: Bytes read, of all files.
        bytes_total: Bytes of all files; standard input counts nothing.
    """

    name: str
    file: int
    files: int
    runs: int
    bytes_done: int = 0
    bytes_total: int = 0


class Meter:
    """Counts files, runs and bytes, and tells; `large` are files worth a process each."""

    def __init__(
        self,
        inputs: Sequence[Input | InputError],
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._progress = progress
        files = [entry for entry in inputs if isinstance(entry, Input)]
        self._sizes = {entry.path: _size(entry) for entry in files}
        self._files = len(inputs)
        self._jobs: Mapping[str, Job] = {}
        self._name, self._path, self._file = "", "", 0
        self._done = self._reached = 0
        self._reported_at = 0.0
        self.runs = 0
        self.total = sum(self._sizes.values())
        self.large = [entry for entry in files if self._sizes[entry.path] >= WORTH]

    def size_of(self, file: Input) -> int:
        """Return the bytes of a file, 0 where nobody knows."""
        return self._sizes[file.path]

    def watch(self, jobs: Mapping[str, Job]) -> None:
        """Count also what other processes have read."""
        self._jobs = jobs

    def begin(self, entry: Input | InputError) -> None:
        """Go on to the next file."""
        self._done += self._sizes.get(self._path, 0)
        self._file += 1
        self._path, self._reached = "", 0
        if isinstance(entry, Input):
            self._name, self._path = entry.name, entry.path
            self._report()

    def advance(self, reached: int) -> None:
        """Take in how much of the file is read, and tell if it is time to."""
        self._reached = reached
        if time.monotonic() - self._reported_at >= _INTERVAL_S:
            self._report()

    def answer_of(self, job: Job) -> Answer | None:
        """Wait for another process, telling how far it is."""
        while not job.done.wait(_INTERVAL_S):
            self.advance(0)
        job.counted = True
        return job.answer

    def _report(self) -> None:
        if self._progress is None:
            return
        self._reported_at = time.monotonic()
        ahead = sum(job.reached for job in self._jobs.values() if not job.counted)
        done = min(self._done + self._reached + ahead, self.total)
        now = Progress(self._name, self._file, self._files, self.runs, done, self.total)
        self._progress(now)


def _size(file: Input) -> int:
    try:
        known = 0 if file.path == STDIN else file.size_bytes
        return os.stat(file.path).st_size if known is None else known  # noqa: PTH116 - of many
    except OSError:
        return 0
