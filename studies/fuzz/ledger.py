"""A line of JSON for each search, so that the executions of many add up."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from studies.fuzz.defects import ROOT


@dataclass(frozen=True)
class Entry:
    """One search.

    Attributes:
        ended: When, in UTC.
        seconds: Processor time.
        defects: Their keys.
        commit: That of the sources, with `+` where they were changed since.
    """

    ended: str
    family: str
    goal: str
    seed: int
    executions: int
    seconds: float
    defects: Sequence[str]
    commit: str


def now() -> str:
    """Return the time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def commit() -> str:
    """Return the commit of the sources, nothing outside a checkout."""
    git = shutil.which("git")
    if git is None:
        return ""

    def answer(*command: str) -> str:
        asked = [git, "-C", str(ROOT), *command]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()

    head = answer("rev-parse", "--short=12", "HEAD")
    return f"{head}+" if head and answer("status", "--porcelain", "-uno") else head


def append(path: Path, entry: Entry) -> None:
    """Add an entry to a ledger, which is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(entry)) + "\n")


def read(path: Path) -> list[Entry]:
    """Return the entries of a ledger."""
    lines = path.read_text("utf-8").splitlines()
    return [Entry(**json.loads(line)) for line in lines]


def summary(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of a table in Markdown with what all searches come to, by family and goal."""
    yield "| family | goal | searches | executions | processor time, h | per s | defects |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for family in dict.fromkeys(entry.family for entry in entries):
        for goal in ("defects", "time"):
            some = [entry for entry in entries if (entry.family, entry.goal) == (family, goal)]
            if some:
                yield _row(f"{family} | {goal}", some)
    yield _row("all | ", entries)


def _row(name: str, entries: Sequence[Entry]) -> str:
    executions = sum(entry.executions for entry in entries)
    seconds = sum(entry.seconds for entry in entries)
    keys = {key for entry in entries for key in entry.defects}
    cells = (
        *(f"{len(entries):,}", f"{executions:,}", f"{seconds / 3600:.2f}"),
        *(f"{executions / max(seconds, 1e-9):.0f}", str(len(keys) or "")),
    )
    return f"| {name} | {' | '.join(cells)} |"
