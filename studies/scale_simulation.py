"""Files on their way through a cluster, event by event: what takes how long, and what waits.

Each worker reads one file at a time, as quickly as its core, its share of the machine's link and
its share of the store allow. One client takes what became of the files, one after the other; at
the end it combines all of them. A worker that dies loses what it has of its file, which is read
again, before those that nobody has begun.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

#: Share of a file below which nothing is left of it, whatever rounding says.
_NOTHING: Final = 1e-9


@dataclass(frozen=True)
class Site:
    """Where files are read.

    Attributes:
        workers: Of one core each.
        per_machine: Workers that share the link of a machine.
        link_bps: What a machine, the client's too, receives in a second, in bytes.
        store_bps: What the files' store sends in all.
        start_s: What a worker needs before its first file, or after a death.
    """

    workers: int
    per_machine: int = 4
    link_bps: float = math.inf
    store_bps: float = math.inf
    start_s: float = 0.0


@dataclass(frozen=True)
class Work:
    """What is read.

    Attributes:
        file_bytes: Of each file.
        core_bps: Bytes that a core reads in a second.
        outcome_bytes: What a worker sends of each file.
        take_s: What the client needs to take one of those.
        combine_s: What it needs for each at the end, for runs and tables.
        deaths: By the number of a file the share of it after which a worker died, for each try.
    """

    files: int
    file_bytes: float
    core_bps: float
    outcome_bytes: float = 0.0
    take_s: float = 0.0
    combine_s: float = 0.0
    deaths: Mapping[int, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Course:
    """How it went.

    Attributes:
        read_s: When the last file was read.
        taken_s: When the client had taken the last outcome.
        done_s: When its tables stood.
        client_busy_s: What the client did until then.
        received_bytes: Of files, those of which a part was read in vain included.
    """

    read_s: float
    taken_s: float
    done_s: float
    client_busy_s: float
    received_bytes: float


@dataclass
class _Task:
    """A file that is read: the share to be read, and of which then the worker dies or not."""

    number: int
    left: float
    dies: bool


def simulated(site: Site, work: Work) -> Course:
    """Return how a site does some work."""
    ready, read = _read(site, work)
    free = busy = 0.0
    for done in ready:
        lasts = work.outcome_bytes / site.link_bps + work.take_s
        free, busy = max(free, done) + lasts, busy + lasts
    combining = work.files * work.combine_s
    return Course(max(ready), free, free + combining, busy + combining, read * work.file_bytes)


def _read(site: Site, work: Work) -> tuple[list[float], float]:
    """Return when each file was read, in that order, and how many files' bytes that took."""
    waiting, tries = deque(range(work.files)), Counter[int]()
    free_at = dict.fromkeys(range(site.workers), site.start_s)
    tasks: dict[int, _Task] = {}
    ready: list[float] = []
    now = read = 0.0
    while len(ready) < work.files:
        idle = [worker for worker, at in free_at.items() if at <= now]
        for worker in idle[: len(waiting)]:
            tasks[worker] = _task(waiting.popleft(), work, tries)
            del free_at[worker]
        rates = {worker: rate / work.file_bytes for worker, rate in _rates(site, work, tasks)}
        ends = [tasks[worker].left / rate for worker, rate in rates.items()]
        ends += [at - now for at in free_at.values() if waiting and at > now]
        step = min(ends)
        now += step
        for worker, rate in rates.items():
            tasks[worker].left -= rate * step
            read += rate * step
        for worker in [worker for worker, task in tasks.items() if task.left <= _NOTHING]:
            task = tasks.pop(worker)
            free_at[worker] = now + site.start_s * task.dies
            if task.dies:
                waiting.appendleft(task.number)
            else:
                ready.append(now)
    return ready, read


def _task(number: int, work: Work, tries: Counter[int]) -> _Task:
    deaths = work.deaths.get(number, ())
    at = tries[number]
    tries[number] += 1
    return (
        _Task(number, deaths[at], dies=True) if at < len(deaths) else _Task(number, 1.0, dies=False)
    )


def _rates(site: Site, work: Work, tasks: Mapping[int, _Task]) -> list[tuple[int, float]]:
    """Return the bytes a second of each worker that reads: the store and links divide equally."""
    beside = Counter(worker // site.per_machine for worker in tasks)
    store = site.store_bps / max(len(tasks), 1)
    return [
        (worker, min(work.core_bps, site.link_bps / beside[worker // site.per_machine], store))
        for worker in tasks
    ]
