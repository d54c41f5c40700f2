"""Samples processes with all their descendants: processor time, memory, threads, descriptors.

A program of its own (`python sampler.py WATCH OUT`), which imports nothing of benchkit: a
harness starts it beside the server, and it must cost next to nothing. WATCH has lines of
`name pid` and may grow; OUT gets a row for each name at each tick, until this program is ended.
Linux only: it reads /proc.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

INTERVAL_S: Final = 0.2
HEADER: Final = ("epoch_s", "process", "cpu_s", "rss_bytes", "threads", "descriptors")
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_LOOK_AROUND: Final = 5  # a fifth of the looks searches for new descendants
_CPU: Final = (11, 12)  # user and system time, counted from the field behind the name
_THREADS: Final = 17


class Tree:
    """A process and its descendants; processor time of those that ended is kept."""

    def __init__(self, root: int) -> None:
        self.root = root
        self.spent: dict[int, int] = {}
        self.gone = 0
        self.looks = 0

    def row(self) -> tuple[float, int, int, int] | None:
        """Return processor time in s, resident bytes, threads, descriptors; None when gone."""
        if self.looks % _LOOK_AROUND == 0 or self.looks < _LOOK_AROUND:
            for pid in descendants(self.root):
                self.spent.setdefault(pid, 0)
        self.looks += 1
        own = shared = threads = files = 0
        for pid in list(self.spent):
            fields, memory = stat_of(pid), memory_of(pid)
            if fields is None or memory is None:
                self.gone += self.spent.pop(pid)
                continue
            self.spent[pid] = sum(int(fields[at]) for at in _CPU)
            own += memory[0]
            # What processes share (a database's buffers) is there once.
            shared = max(shared, memory[1])
            threads += int(fields[_THREADS])
            files += descriptors_of(pid)
        if not self.spent:
            return None
        return (self.gone + sum(self.spent.values())) / _TICKS, own + shared, threads, files


def stat_of(pid: int) -> list[str] | None:
    """Return the fields of /proc/PID/stat from the state on; None where it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if not fields or fields[0] in {"Z", "X"} else fields


def memory_of(pid: int) -> tuple[int, int] | None:
    """Return resident bytes: its own, and shared ones (files, libraries, shared memory).

    None where it has ended or is about to: it has no memory any more.
    """
    try:
        words = Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()
    except OSError:
        return None
    if words[1] == "0":
        return None
    resident, shared = int(words[1]) * _PAGE, int(words[2]) * _PAGE
    return resident - shared, shared


def descendants(root: int) -> Iterator[int]:
    """Yield a process, its children, theirs, and so on."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - at five a second a Path costs too much
        if name.isdigit() and (fields := stat_of(int(name))) is not None:
            parents.setdefault(int(fields[1]), []).append(int(name))
    waiting = [root] if stat_of(root) is not None else []
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += parents.get(pid, [])


def descriptors_of(pid: int) -> int:
    """Return the number of files a process has open; 0 where that may not be seen."""
    folder = f"/proc/{pid}/fd"
    try:
        # The size of the folder is their number from Linux 6.2 on, and 0 before.
        return os.stat(folder).st_size or len(os.listdir(folder))  # noqa: PTH116, PTH208
    except OSError:
        return 0


def sample(watch: Path, out: IO[str]) -> None:
    """Write a row for each process at each tick, for ever."""
    trees: dict[tuple[str, int], Tree] = {}
    due = time.monotonic()
    while True:
        for line in watch.read_text(encoding="utf-8").splitlines():
            name, _, pid = line.rpartition(" ")
            if name and pid.isdigit():
                trees.setdefault((name, int(pid)), Tree(int(pid)))
        for (name, _), tree in trees.items():
            row = tree.row()
            if row is not None:
                cpu, rss, threads, files = row
                out.write(f"{time.time():.3f},{name},{cpu:.2f},{rss},{threads},{files}\n")
        out.flush()
        due = max(due + INTERVAL_S, time.monotonic())
        time.sleep(max(due - time.monotonic(), 0.0))


def main() -> None:
    """Sample until ended; a harness that has gone takes its files with it."""
    watch, out = map(Path, sys.argv[1:3])
    with out.open("x", encoding="utf-8") as file:
        file.write(",".join(HEADER) + "\n")
        try:
            sample(watch, file)
        except (KeyboardInterrupt, OSError):
            return


if __name__ == "__main__":
    main()
