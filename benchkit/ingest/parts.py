"""A large file with a row per request, cut into parts that are read side by side and added.

Adding gives what reading the file from end to end gives, byte for byte; where that is not sure
(a part is damaged, something was left out, there are more endpoints than are told apart) there
is no sum, and the file is read as a whole.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from benchkit.counting import loop
from benchkit.counting.slices import ENDPOINTS
from benchkit.counting.summaries import Summaries, in_order
from benchkit.counting.summary import RequestSummary
from benchkit.errors import InputError
from benchkit.ingest.soundness import sound_rows
from benchkit.parsing import Content, InseparableError, Part, RowsParser, Source, read_into
from benchkit.runtime.jit import COMPILE_FROM

#: From this size on a file is cut, into parts of at least half of it.
CUT_FROM: Final = 2**25
_INTERVAL_S: Final = 0.1

#: Called with the bytes of the file that are read.
Listener = Callable[[int], None]


@dataclass(frozen=True)
class PartRows:
    """What is kept of the requests in a part of a file; it can be pickled.

    Attributes:
        summaries: By attack, in order of appearance.
        errors: The texts of all errors, likewise.
        left_out: How many of what are no requests.
        announced: How many requests other rows tell of; None where none do.
    """

    summaries: dict[str, RequestSummary]
    errors: tuple[str, ...]
    left_out: Mapping[str, int]
    announced: int | None = None


def parts_of(parser: RowsParser, source: Source, count: int) -> Sequence[Part]:
    """Return at most so many parts of a file, none where it is to be read as a whole."""
    count = min(count, source.content.size // (CUT_FROM // 2))
    if parser.parts is None or count < 2:
        return ()
    try:
        parts = parser.parts(source, count)
    except InputError:  # which is told where the file is read
        return ()
    return parts if len(parts) > 1 else ()


def read_part(
    parser: RowsParser,
    source: Source,
    part: Part,
    stopped: Callable[[], bool] = lambda: False,
) -> PartRows | None:
    """Return what is in a part of a file, None where its rows cannot be added to the others'."""
    attacks = Summaries(compiled=source.content.size >= COMPILE_FROM)
    left_out: dict[str, int] = {}
    announced = None
    if parser.rows_of is None:
        return None
    try:
        for batch in sound_rows(parser, source, part):
            if batch.notes or batch.remarks or stopped():
                return None
            attacks.add(batch)
            left_out.update(batch.left_out)
            announced = announced if batch.announced is None else batch.announced
            if attacks.most_endpoints() == ENDPOINTS:
                return None
    except (InputError, InseparableError):
        return None
    return PartRows(attacks.by_name(), tuple(attacks.errors), left_out, announced)


def joined(parts: Sequence[PartRows | None]) -> PartRows | None:
    """Return what is in a file by what is in its parts, in their order; None where one has none."""
    there = [part for part in parts if part is not None]
    if len(there) < len(parts):
        return None
    total: dict[str, RequestSummary] = {}
    for part in there:
        for name, summary in part.summaries.items():
            total[name] = total[name] + summary if name in total else summary
    errors = tuple(dict.fromkeys(chain.from_iterable(part.errors for part in there)))
    left_out: dict[str, int] = {}
    for part in there:
        for what, count in part.left_out.items():
            left_out[what] = left_out.get(what, 0) + count
    counts = [part.announced for part in there if part.announced is not None]
    announced = sum(counts) if counts else None
    return PartRows(in_order(total, errors), errors, left_out, announced) if total else None


def read_side_by_side(
    parser: RowsParser, source: Source, listener: Listener | None = None
) -> PartRows | None:
    """Return what is in a file by threads, one for each processor; None where there is no sum.

    Machine code and pyarrow run without Python's lock, so that threads need not wait for it, nor
    a process be started.
    """
    count = processors()
    parts = parts_of(parser, source, count) if count > 1 and loop.load() is not None else ()
    if not parts:
        return None
    stop = threading.Event()
    watched = [_Watched(source.content, part.start) for part in parts]

    def read(at: int) -> PartRows | None:
        rows = read_part(parser, replace(source, content=watched[at]), parts[at], stop.is_set)
        if rows is None:
            stop.set()
        return rows

    with ThreadPoolExecutor(len(parts)) as threads:
        try:
            tasks = [threads.submit(read, at) for at in range(len(parts))]
            while wait(tasks, _INTERVAL_S).not_done:
                if listener is not None:
                    listener(sum(content.done for content in watched))
            return joined([task.result() for task in tasks])
        finally:
            stop.set()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Watched:
    """Content of which one part is read, and how much of that was.

    Attributes:
        done: Bytes from the beginning of the part to where the last were read.
    """

    content: Content
    start: int
    done: int = 0

    @property
    def size(self) -> int:
        return self.content.size

    def read(self, start: int, count: int) -> bytes:
        data = self.content.read(start, count)
        self.done = max(self.done, start + len(data) - self.start)
        return data

    def read_into(self, buffer: bytearray, start: int, count: int) -> int:
        data = read_into(buffer, self.content, start, count)
        if data.obj is not buffer:
            buffer[: len(data)] = data
        self.done = max(self.done, start + len(data) - self.start)
        return len(data)
