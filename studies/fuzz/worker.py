"""A search in a process of its own, which ends where an input does not come to an end.

No signal interrupts a regular expression; a thread of faulthandler does, by ending the process.
Whoever started it reads which input that was, and starts another.
"""

from __future__ import annotations

import base64
import faulthandler
import json
import mmap
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from benchkit.runtime.interpreter import rare_collections
from studies.fuzz.defects import ROOT, Defect
from studies.fuzz.families import Family, Specimen, family
from studies.fuzz.growth import Growth
from studies.fuzz.memory import Memory
from studies.fuzz.search import Search

#: Seconds by the clock, on a machine that others may use too.
PATIENCE: Final = 120.0
_ROOM: Final = 2**22
_NEWS_EVERY_S: Final = 5.0
_MOST_DEATHS: Final = 20
_OURS: Final = ("benchkit/", "parsers/", "templates/")


@dataclass(frozen=True)
class Task:
    """What to search for, and how long.

    Attributes:
        family: Its name.
        goal: `defects` or `time`.
        seconds: Processor time.
        executions: Or so many, whichever comes first; 0 for any number.
        patience: Seconds by the clock after which an input is one that does not end.
        corpus: A folder in which inputs that show something new are kept.
    """

    family: str
    goal: str = "defects"
    seed: int = 1
    seconds: float = 60.0
    executions: int = 0
    patience: float = PATIENCE
    corpus: str = ""


@dataclass(frozen=True)
class Found:
    """A defect and the smallest input for it."""

    defect: Defect
    specimen: Specimen


@dataclass(frozen=True)
class Progress:
    """How far a search has come; `memory` is in bytes."""

    executions: int = 0
    seconds: float = 0.0
    corpus: int = 0
    features: int = 0
    lines: int = 0
    memory: int = 0


# --- in the process that searches ---


class _Current:
    """The input that is being read, where another process sees it."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _ROOM)

    def __call__(self, specimen: Specimen) -> None:
        data = json.dumps(specimen.kind).encode() + b"\n" + specimen.data
        data = data[: _ROOM - 8]
        self._memory[: len(data) + 8] = len(data).to_bytes(8, "big") + data


class _Watch:
    """Ends the process where an input takes too long, and leaves behind which one it was."""

    def __init__(self, task: Task, folder: Path) -> None:
        self._shown = _Current(folder / "current")
        self._traces = (folder / "trace").open("w")
        self._patience = task.patience
        self._begun = 0.0

    def __call__(self, specimen: Specimen) -> None:
        self._shown(specimen)
        now = time.monotonic()
        if now - self._begun > self._patience / 8:  # a thread begins each time
            self._begun = now
            faulthandler.dump_traceback_later(self._patience, exit=True, file=self._traces)


def current(path: Path) -> Specimen:
    """Return the input that was being read when a process ended."""
    with path.open("rb") as file:
        data = file.read(int.from_bytes(file.read(8), "big"))
    kind, _, rest = data.partition(b"\n")
    return Specimen(json.loads(kind) if kind else "", rest)


@rare_collections()  # as where files are read
def work(task: Task, folder: Path) -> None:
    """Search, and write a line of JSON to standard output for what is found."""
    chosen = family(task.family)
    out, executing = sys.stdout, _Watch(task, folder)
    started = time.process_time()

    def say(what: str, content: dict[str, Any]) -> None:
        out.write(json.dumps({"what": what, **content}) + "\n")
        out.flush()

    def report(defect: Defect, specimen: Specimen) -> None:
        encoded = base64.b64encode(specimen.data).decode()
        say("found", asdict(defect) | {"input": specimen.kind, "data": encoded})

    spoken = [time.monotonic()]

    def go_on() -> bool:
        if time.monotonic() - spoken[0] > _NEWS_EVERY_S:
            spoken[0] = time.monotonic()
            say("progress", asdict(progress()))
        spent = time.process_time() - started
        return spent < task.seconds and not 0 < task.executions <= search.executions

    def progress() -> Progress:
        spent = time.process_time() - started
        if isinstance(search, Growth):
            return Progress(search.executions, spent, len(search.shapes), memory=Memory().most())
        sizes = len(search.corpus), len(search.features), search.coverage.reached
        return Progress(search.executions, spent, *sizes, memory=Memory().most())

    search = _search(task, chosen, executing=executing, report=report)
    for key in json.loads((folder / "known").read_text("utf-8")):
        search.known(key)
    for specimen in search.run(chosen.all_seeds(), go_on, _earlier(task, chosen)):
        _path(task, specimen).unlink(missing_ok=True)
    faulthandler.cancel_dump_traceback_later()
    say("progress", asdict(progress()))


def _search(
    task: Task,
    chosen: Family,
    *,
    executing: Callable[[Specimen], None],
    report: Callable[[Defect, Specimen], None],
) -> Search | Growth:
    if task.goal == "time":
        return Growth(chosen, task.seed, executing, report)

    def kept(specimen: Specimen) -> None:
        path = _path(task, specimen)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(specimen.data)

    if task.corpus:
        return Search(chosen, task.seed, executing, report, kept)
    return Search(chosen, task.seed, executing, report)


def _path(task: Task, specimen: Specimen) -> Path:
    """Return where an input is kept."""
    name = sha256(specimen.data).hexdigest()[:16]
    return Path(task.corpus) / task.family / specimen.kind / name


def _earlier(task: Task, chosen: Family) -> list[Specimen]:
    if not task.corpus:
        return []
    paths = sorted((Path(task.corpus) / chosen.name).glob("*/*"))
    return [Specimen(path.parent.name, path.read_bytes()) for path in paths]


# --- in the process that started it ---


def search(task: Task) -> Iterator[Found | Progress]:
    """Yield what is found, and now and then how far the search has come."""
    known: list[str] = []
    left, deaths, done = task, 0, Progress()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while left.seconds > 0 and deaths < _MOST_DEATHS:
            (folder / "current").write_bytes(bytes(_ROOM))
            (folder / "known").write_text(json.dumps(known), "utf-8")
            last = Progress()
            with _started(left, folder) as process:
                try:
                    for news in _news(process.stdout):
                        if isinstance(news, Found):
                            known.append(news.defect.key)
                            yield news
                        else:
                            last = news
                            yield _sum(done, last)
                except GeneratorExit:  # nobody wants to know more
                    process.kill()
                    raise
            if process.returncode == 0:
                return
            deaths += 1
            death = _death(folder, process.returncode)
            known.append(death.defect.key)
            yield death
            done = _sum(done, last)
            left = replace(
                left,
                seed=left.seed + 1000,
                seconds=left.seconds - last.seconds,
                executions=max(left.executions - last.executions, min(left.executions, 1)),
            )


def _started(task: Task, folder: Path) -> subprocess.Popen[str]:
    given = ["--work", json.dumps(asdict(task)), str(folder)]
    command = [sys.executable, "-m", "studies.fuzz", *given]
    errors = (folder / "errors").open("w", encoding="utf-8")
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    with errors:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder, env=environment
        )


def _news(lines: IO[str] | None) -> Iterator[Found | Progress]:
    for line in lines or ():
        content = json.loads(line)
        if content.pop("what") == "progress":
            yield Progress(**content)
            continue
        specimen = Specimen(content.pop("input"), base64.b64decode(content.pop("data")))
        yield Found(Defect(**content), specimen)


def _death(folder: Path, status: int) -> Found:
    specimen = current(folder / "current")
    trace = (folder / "trace").read_text("utf-8") if (folder / "trace").is_file() else ""
    errors = (folder / "errors").read_text("utf-8")[-3000:]
    if trace:
        lines = (line.removeprefix(f'  File "{ROOT}/') for line in trace.splitlines())
        where = next((line for line in lines if line.startswith(_OURS)), specimen.kind)
        return Found(Defect("hang", f"hang: {where}", trace[:4000]), specimen)
    return Found(Defect("death", f"death: status {status}: {specimen.kind}", errors), specimen)


def _sum(done: Progress, other: Progress) -> Progress:
    return replace(
        other,
        executions=done.executions + other.executions,
        seconds=done.seconds + other.seconds,
    )
