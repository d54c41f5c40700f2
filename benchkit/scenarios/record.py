"""Runs any command and writes down what benchkit wants to know about it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, Final

from benchkit.errors import UsageError, printable
from benchkit.output import sweep
from benchkit.redaction import redact
from benchkit.scenarios import environment, finish, folders, needs, samples
from benchkit.scenarios.harness import handled
from benchkit.scenarios.sampler import INTERVAL_S, Tree

_STDOUT: Final = "output.txt"
_STDERR: Final = "stderr.txt"
_SHOW_EVERY_S: Final = 0.1
_DIGITS: Final = 10  # of a number of a repetition, fewer
_NOT_FOUND: Final = 127
_NOT_ALLOWED: Final = 126
_Looks = dict[str, list[samples.Sample]]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be recorded: `scenario/variant/repeat` at the folder's end name it."""

    argv: Sequence[str]
    folder: Path
    label: str | None = None
    watched: dict[str, int] = field(default_factory=dict)
    quiet: bool = False
    keep_secrets: bool = False


def record(order: Order) -> int:
    """Run the command; write `output.txt`, `stderr.txt`, `meta.json` and `resources.csv`.

    Returns its status, 128 and the signal's number where one ended it, as a shell has it.

    Raises:
        UsageError: the folder has something in it already, or cannot be written.
    """
    folder = order.folder
    _sweep_runs(folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty: every run gets a folder of its own")
    folders.make(folder)
    before, surroundings = environment.moment(), environment.environment()
    looks: _Looks = defaultdict(list)
    trees = {name: Tree(pid) for name, pid in order.watched.items()}
    _look(trees, looks)  # what they spent before is no cost of this run
    start_s = time.time()
    status = _run(order, trees, looks)
    end_s = time.time()
    samples.write_resources(folder / samples.FILE, looks, start_s=start_s, end_s=end_s)
    finish.write_meta(
        folder,
        {
            **_names(folder),
            "label": order.label,
            "tool_version": _version(order.argv[0]),
            # Each word by itself too: in a line, a shell's quotes would stand in those of the word.
            "command": shlex.join(order.argv if order.keep_secrets else map(redact, order.argv)),
            "started_at": finish.instant(start_s),
            "ended_at": finish.instant(end_s),
            "exit_status": status,
            "working_folder": environment.revision(Path.cwd()),
            "environment": surroundings,
            "before": before,
            "after": environment.moment(),
        },
        keep_secrets=order.keep_secrets,
    )
    for name in (_STDOUT, _STDERR):
        if not (folder / name).stat().st_size:
            (folder / name).unlink()
    return status


def _sweep_runs(folder: Path) -> None:
    """Remove what a recording that was killed left, in this folder and in those of other runs."""
    with suppress(OSError):
        for run in folder.absolute().parent.iterdir():
            if run.is_dir() and not run.is_symlink():
                sweep(run)


def _names(folder: Path) -> dict[str, Any]:
    parts = folder.absolute().parts
    if len(folder.parts) < 3 or not parts[-1].isascii() or not parts[-1].isdigit():
        return {}
    names: dict[str, Any] = {"scenario": parts[-3], "variant": parts[-2]}
    digits = parts[-1].lstrip("0")
    repeat = int(digits) if 0 < len(digits) < _DIGITS else 0
    return names | {"repeat": repeat} if repeat else names  # repetitions are counted from 1


def _version(program: str) -> str | None:
    name = Path(program).name.removesuffix(".exe").removesuffix(".cmd")
    return needs.look(name).version if name in needs.catalogue() else None


def _run(order: Order, trees: dict[str, Tree], looks: _Looks) -> int:
    paths = order.folder / _STDOUT, order.folder / _STDERR
    # Into the files, not through pipes: a child that it leaves behind may keep these open.
    with paths[0].open("ab", buffering=0) as out, paths[1].open("ab", buffering=0) as err:
        try:
            process = subprocess.Popen(  # noqa: S603 - what the person asked for, without a shell
                list(order.argv), stdout=out, stderr=err
            )
        except OSError as error:
            why = error.strerror or str(error)
            err.write(os.fsencode(f"{order.argv[0]}: {why}\n"))
            if not order.quiet and sys.stderr is not None:
                sys.stderr.write(f"{printable(order.argv[0])}: {why}\n")
            return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_ALLOWED
        shown = [
            partial(_show, path, stream.buffer)
            for path, stream in zip(paths, (sys.stdout, sys.stderr), strict=True)
            if isinstance(stream, TextIOWrapper) and not order.quiet
        ]
        trees[Path(order.argv[0]).name] = Tree(process.pid)
        with process, _passing_on(process), _beside(*shown, partial(_watch, trees, looks)):
            status = process.wait()
    return status if status >= 0 else 128 - status


@contextmanager
def _beside(*tasks: Callable[[threading.Event], None]) -> Iterator[None]:
    """Do some tasks while something is done inside, each in a thread and until its event."""
    stop = threading.Event()
    threads = [threading.Thread(target=task, args=(stop,), daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _show(path: Path, stream: IO[bytes], stop: threading.Event) -> None:
    with path.open("rb") as file, suppress(OSError, ValueError):
        while True:
            last, size = stop.is_set(), path.stat().st_size
            # Not to its end, which a child that was left behind may move on for ever.
            while piece := file.read(min(size - file.tell(), 1 << 16)):
                if b"\0" in piece:
                    return  # nobody reads a binary in a terminal
                stream.write(piece)
                stream.flush()
            if last:
                return
            stop.wait(_SHOW_EVERY_S)


@contextmanager
def _passing_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Let the command end itself when this process is asked to, and write down what it did."""

    def pass_on(number: int, _: object) -> None:
        process.send_signal(number)

    # A terminal sends its own Ctrl-C to both; this process only has to survive it.
    interrupted = signal.SIG_IGN if sys.stdin and sys.stdin.isatty() else pass_on
    with handled({signal.SIGTERM: pass_on, signal.SIGINT: interrupted}):
        yield


def _look(trees: dict[str, Tree], looks: _Looks) -> None:
    """Look at processes once; nothing is seen where the system has no /proc."""
    for name, tree in trees.items():
        row = tree.row() if Path("/proc/self/stat").exists() else None
        if row is not None:
            looks[name].append(samples.Sample(time.time(), *row))


def _watch(trees: dict[str, Tree], looks: _Looks, stop: threading.Event) -> None:
    """Look at processes again and again, and once more at the end."""
    _look(trees, looks)
    while not stop.wait(INTERVAL_S):
        _look(trees, looks)
    _look(trees, looks)


def watched(texts: Sequence[str]) -> dict[str, int]:
    """Return processes to sample from `PID` or `NAME=PID`.

    Raises:
        UsageError: it is neither, or no such process runs.
    """
    processes = {}
    for text in texts:
        name, _, pid = text.rpartition("=")
        if not pid.isascii() or not pid.isdigit() or not _runs(int(pid)):
            raise UsageError(f"--sample {text}: expected the number of a running process")
        called = name or f"server {pid}" if text.count("=") or texts[1:] else "server"
        if called in processes:
            raise UsageError(f"--sample {text}: another process is called {printable(called)} too")
        processes[called] = int(pid)
    return processes


def _runs(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # signal 0 would end it
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
