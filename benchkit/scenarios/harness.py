"""Runs a scenario's shell harness, and never leaves it behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchkit.errors import UsageError
from benchkit.scenarios.checked import Value
from benchkit.scenarios.declaration import HARNESS, HERE, Scenario, text_of
from benchkit.scenarios.needs import Need

#: Statuses that lib.sh gives.
TRY_AGAIN: Final = 75
#: What a harness gets to end everything that it started.
_GRACE_S: Final = 30.0
#: Seldom: whoever watches shares the machine with what is measured.
_TICK_S: Final = 0.5
#: What was ignored when this process began could not be trapped in a shell.
_WITH: Final = ("env", "--default-signal", "setpriv", "--pdeathsig", "TERM", "--")


def supported() -> None:
    """Make sure that this system can run a harness.

    Raises:
        UsageError: it cannot.
    """
    if not sys.platform.startswith("linux"):
        raise UsageError(
            "scenarios run on Linux only: they rely on setpriv and /proc to leave nothing behind; "
            "`benchkit record` captures runs of your own on any system"
        )


@dataclass(frozen=True, slots=True)
class Harness:
    """The harness of one scenario.

    Attributes:
        tool: The load generator.
        needs: All that it needs; what is not in PATH is put there.
        build: Folder of the build.
    """

    scenario: Scenario
    tool: str
    needs: Sequence[Need]
    build: Path

    def variables(self, variant: str, values: Mapping[str, Value]) -> dict[str, str]:
        """Return the environment: what lib.sh lists, and each param and setting."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("BK_")}
        folders = [str(Path(need.path).parent) for need in self.needs if need.path]
        # The person's own order of programs comes first.
        programs = env.get("PATH", os.defpath).split(os.pathsep)
        env["PATH"] = os.pathsep.join(dict.fromkeys([*programs, *folders]))
        # Shells write and sort numbers as the locale has it.
        env["LC_ALL"] = "C.UTF-8"
        env |= {
            "BK_LIB": str(HERE),
            "BK_SCENARIO": str(self.scenario.folder),
            "BK_PYTHON": sys.executable,
            "BK_BUILD": str(self.build),
            "BK_TOOL": self.tool,
            "BK_VARIANT": variant,
        }
        names = {key: key.upper().replace("-", "_") for key in values}
        return env | {f"BK_{names[key]}": text_of(value) for key, value in values.items()}

    def call(
        self,
        action: str,
        env: Mapping[str, str],
        *,
        log: Path,
        limit_s: float,
        tick: Callable[[], None] = lambda: None,
    ) -> int:
        """Run `build` or `run` and return its status, -1 after the time limit.

        Whatever interrupts this, the harness is asked to end and waited for. Where this process
        is killed, the harness is asked by the kernel.
        """
        path = self.scenario.folder / HARNESS
        # A terminal's Ctrl-C must reach this process alone, which then ends the harness.
        with log.open("ab") as file:
            process = subprocess.Popen(  # noqa: S603 - our own harness, without a shell
                [*_WITH, "bash", str(path), action],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=env.get("BK_OUT", str(self.build.parent)),
                start_new_session=True,
            )
        deadline = time.monotonic() + limit_s
        try:
            while True:
                try:
                    return process.wait(_TICK_S)
                except subprocess.TimeoutExpired:
                    tick()
                if time.monotonic() > deadline:
                    return -1
        finally:
            _end(process)


@contextmanager
def handled(handlers: Mapping[signal.Signals, Any]) -> Iterator[None]:
    """Have signals handled by others inside, where this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
