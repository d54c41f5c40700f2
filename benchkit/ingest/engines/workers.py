"""Large files with a row per request, read by other processes at the same time.

A process is `python -c` with a line that calls `serve`: it takes jobs from its
standard input and answers on its standard output. Unlike multiprocessing's, it
does not run the caller's script again, which need not be written for that.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Final

from benchkit import registry
from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.perrequest import FileRows, read_rows
from benchkit.ingest.sources import Opened, open_source
from benchkit.parsing import RowsParser, Source
from benchkit.runtime.interpreter import quick_turns

_STEP: Final = 2**24  # bytes between two reports of progress


@dataclass(frozen=True)
class Answer:
    """What a process found: the runs, and the hash of the file where it is wanted."""

    rows: FileRows
    sha256: str | None


@dataclass
class Job:
    """A file that another process reads.

    Attributes:
        reached: Bytes that it has read so far.
        counted: Whether its answer is taken in.
        answer: None where the process failed, and the file is to be read here.
        done: Whether there is an answer.
    """

    file: Input
    parser: str
    hashed: bool = False
    reached: int = 0
    counted: bool = False
    answer: Answer | None = None
    done: threading.Event = field(default_factory=threading.Event)


@contextlib.contextmanager
def reading_ahead(large: Sequence[Input], *, hashed: bool) -> Iterator[dict[str, Job]]:
    """Read files in other processes, where there are several; yields the jobs by path."""
    jobs = [job for file in large if (job := _job(file, hashed=hashed))]
    count = min(len(jobs), os.cpu_count() or 1)
    if count < 2 or not sys.executable or getattr(sys, "frozen", False):
        yield {}
        return
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    workers = [_Worker(waiting) for _ in range(count)]
    try:
        yield {job.file.path: job for job in jobs}
    finally:
        for worker in workers:
            worker.stop()


def _job(file: Input, *, hashed: bool) -> Job | None:
    try:
        parser = rows_parser(open_source(file.path, name=file.name).source)
    except InputError:  # which is told where the file is read
        return None
    return None if parser is None else Job(file, parser.name, hashed)


def rows_parser(source: Source) -> RowsParser | None:
    """Return the only parser of rows that takes a file for its own, None where there is none."""
    try:
        matching = [p for p in registry.parsers() if isinstance(p, RowsParser) and p.sniff(source)]
    except Exception:  # noqa: BLE001 - whatever it is, it is told where the file is read
        return None
    return matching[0] if len(matching) == 1 else None


class _Worker:
    """One process, and the thread that talks to it."""

    def __init__(self, waiting: queue.SimpleQueue[Job]) -> None:
        self._waiting = waiting
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the process, also within a job."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            self._process = _start()
        try:
            while not self._stopped:
                job = self._waiting.get_nowait()
                with contextlib.suppress(Exception):  # read here instead
                    job.answer = self._ask(job)
                job.done.set()
        except queue.Empty:
            pass
        finally:
            if self._process is not None:
                self._process.kill()
                self._process.communicate()

    def _ask(self, job: Job) -> Answer | None:
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            return None
        asked = (job.file.path, job.file.name, job.parser, job.hashed)
        pickle.dump(asked, self._process.stdin)
        self._process.stdin.flush()
        while not self._stopped:
            reply = pickle.load(self._process.stdout)  # noqa: S301 - our own process
            if isinstance(reply, Answer):
                return reply
            job.reached = reply
        return None


def _start() -> subprocess.Popen[bytes]:
    # The same modules as here, and none that lie in the current folder by chance.
    code = (
        f"import sys, json; sys.path[:] = json.loads({json.dumps(json.dumps(sys.path))}); "
        "from benchkit.ingest.engines.workers import serve; serve()"
    )
    return subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def serve() -> None:
    """Answer jobs until there are no more; what a process runs."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever prints does not garble an answer
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            asked = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our parent
            with quick_turns():
                _send(answers, _answered(asked, answers))


def _answered(asked: tuple[str, str, str, bool], answers: IO[bytes]) -> Answer:
    path, name, parser, hashed = asked
    opened: Opened = open_source(path, name=name)
    reported = 0

    def listener(reached: int) -> None:
        nonlocal reported
        if reached - reported >= _STEP:
            reported = reached
            _send(answers, reached)

    chosen = registry.parser(parser)
    if not isinstance(chosen, RowsParser):
        raise TypeError(parser)
    if hashed:
        opened.hash_ahead()
    rows = read_rows(chosen, opened, listener, in_parts=False)
    return Answer(rows, opened.sha256() if hashed else None)


def _send(answers: IO[bytes], value: Any) -> None:  # noqa: ANN401 - a number or an Answer
    pickle.dump(value, answers)
    answers.flush()
