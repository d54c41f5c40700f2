"""Whole commands that are killed at the moment one likes: before the n-th change they make."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests import warm
from tests.shares import share

#: Counts what a process changes below a folder, and kills it before a change. Python imports it
#: at the start; what the process starts is not hooked.
HOOK: Final = """
import os, sys

left = int(os.environ.pop("KILL_AT", "-1"))
below, log = os.environ.pop("KILL_BELOW", ""), os.environ.pop("KILL_LOG", "")
os.environ.pop("PYTHONPATH", None)
me = os.getpid()
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "os.link"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def change():
    global left
    left -= 1
    if os.getpid() == me:
        if left == 0:
            os.kill(me, 9)
        with open(log, "a") as file:
            file.write(".")


def inside(path):
    return isinstance(path, (str, bytes)) and os.path.abspath(os.fsdecode(path)).startswith(below)


def audited(event, given):
    if event == "open" and given[2] & WRITES and inside(given[0]):
        sys.setprofile(called)
        change()
    elif event in CHANGES and inside(given[0]):
        change()


def called(_frame, event, function):
    if event == "c_call" and function.__name__ in {"write", "writelines", "flush"}:
        if inside(getattr(function.__self__, "name", None)):
            change()


if below:
    sys.addaudithook(audited)
"""


@dataclass(frozen=True)
class Killer:
    """Runs commands of benchkit that change files below a folder.

    Attributes:
        hook: A folder in which the hook is put.
        below: The folder.
    """

    hook: Path
    below: Path

    def __post_init__(self) -> None:
        self.hook.mkdir()
        (self.hook / "sitecustomize.py").write_text(HOOK, encoding="utf-8")

    def run(self, command: Sequence[str], *, at: int) -> subprocess.CompletedProcess[bytes]:
        """Run a command that is killed before its `at`-th change; never for 0."""
        variables = {
            "PYTHONPATH": str(self.hook),
            "KILL_AT": str(at),
            "KILL_BELOW": f"{self.below}{os.sep}",
            "KILL_LOG": str(self.hook / "count"),
        }
        return warm.run(*command, folder=self.hook, variables=variables)

    def whole(self, command: Sequence[str]) -> int:
        """Run a command to its end, and return how many changes it made."""
        (self.hook / "count").unlink(missing_ok=True)
        done = self.run(command, at=0)
        assert done.returncode == 0, done.stderr
        return len((self.hook / "count").read_bytes())

    def killed(self, command: Sequence[str], *, at: int) -> None:
        """Run a command, and make sure that it was killed."""
        done = self.run(command, at=at)
        assert done.returncode == -signal.SIGKILL, done.stderr


def moments(changes: int, most: int) -> Sequence[int]:
    """Return the numbers of changes, the same few of them where they are many."""
    return share(range(1, changes + 1), most, seed=changes)
