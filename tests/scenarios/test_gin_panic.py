"""gin-panic: its slow terminal, and the scenario run for real, as short as it goes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.scenarios.declaration import find

from .conftest import alive, within
from .test_for_real import measured, planned

CONSOLE = find("gin-panic").folder / "console.py"
#: Inherited by every process of a run.
MARK = "BENCHKIT_TEST_MARK"


class Terminal:
    """A console that runs, its device, and what it has shown."""

    def __init__(self, link: Path, shown: Path) -> None:
        self.link = link
        self._shown = shown

    def write(self, text: bytes) -> None:
        """Write without waiting; raises BlockingIOError where there is no room."""
        device = os.open(self.link, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            os.write(device, text)
        finally:
            os.close(device)

    def fill(self) -> int:
        command = [sys.executable, str(CONSOLE), "fill", str(self.link)]
        return int(subprocess.run(command, check=True, capture_output=True, timeout=30).stdout)

    @property
    def shown(self) -> bytes:
        return self._shown.read_bytes()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[[int], Terminal]]:
    """Opens a console with a rate in bytes per second."""
    if not sys.platform.startswith("linux"):
        pytest.skip("scenarios run on Linux")
    link, shown = tmp_path / "terminal", tmp_path / "shown"
    started: list[subprocess.Popen[bytes]] = []

    def opened(rate: int) -> Terminal:
        command = [sys.executable, str(CONSOLE), "open", str(link), str(rate)]
        with shown.open("wb") as file:
            started.append(subprocess.Popen(command, stdout=file))
        assert within(10, link.exists)
        return Terminal(link, shown)

    yield opened
    for process in started:
        process.kill()
        process.wait()


def test_a_console_shows_what_is_written_at_its_rate(terminal: Callable[[int], Terminal]) -> None:
    console = terminal(1000)
    started = time.monotonic()
    console.write(b"x" * 700)
    assert within(10, lambda: len(console.shown) == 700)
    assert time.monotonic() - started > 0.5


def test_a_full_console_takes_no_more(terminal: Callable[[int], Terminal]) -> None:
    console = terminal(0)
    assert console.fill() >= 4096
    with pytest.raises(BlockingIOError):
        console.write(b"x" * 100)
    assert console.shown == b""


@pytest.mark.slow
def test_only_the_default_router_collapses_and_only_on_the_console(tmp_path: Path) -> None:
    made = planned("gin-panic", "duration=2", "timeout=1", repeats=1)
    runs = measured(made, tmp_path)
    assert {run["tool"] for run in runs} == {"vegeta"}
    # A busy machine makes vegeta miss the last one.
    assert {run["requests"] for run in runs} <= {99, 100}
    assert {run["timeout_s"] for run in runs} == {1.0}
    success = {(run["variant"], run["params"]): run["success_ratio"] for run in runs}
    slow = [key for key in success if key[0] == "default" and '"console"' in key[1]]
    assert len(slow) == 1
    assert success.pop(slow[0]) < 0.1
    assert success == pytest.approx(dict.fromkeys(success, 0.5), abs=0.01)
    for variant, size in {"recover": 24.5, "nolog": 6.0}.items():
        bodies = [_mean_body(run) for run in runs if run["variant"] == variant]
        assert bodies == pytest.approx([size] * 3, rel=0.02)
    resources = benchkit.load(tmp_path).resources
    assert set(resources["process"]) == {"server", "vegeta"}


@pytest.mark.slow
def test_a_console_that_keeps_up_is_no_trouble_and_the_published_gin_neither(
    tmp_path: Path,
) -> None:
    wanted = ("duration=2", "sink=console", "gin=1.6.3", "drain=200000", "fill=false")
    (run,) = [run for run in measured(planned("gin-panic", *wanted), tmp_path) if _is_default(run)]
    assert run["success_ratio"] == pytest.approx(0.5, abs=0.01)
    assert run["latency_p99_s"] < 1


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`benchkit run` while the server waits for a terminal that stands still."""
    wanted = ("duration=60", "sink=console", "drain=0", "warm_up=0")
    planned("gin-panic", *wanted)
    options = [part for each in wanted for part in ("--set", each)]
    process = subprocess.Popen(
        [
            *("env", "--default-signal", sys.executable, "-m", "benchkit", "run", "gin-panic"),
            *("--variant", "default", "--repeats", "1", *options),
            *("-o", str(tmp_path / "results")),
        ],
        env=os.environ | {MARK: str(tmp_path), "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        # The first start may build it.
        assert within(300, lambda: "attack" in _commands(tmp_path)), "it did not start"
        time.sleep(1)
        assert {"console.py", "-router"} <= _commands(tmp_path)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["TERM", "KILL"])
def test_neither_terminal_nor_server_are_left(
    name: str, stuck: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    os.kill(stuck.pid, signal.Signals[f"SIG{name}"])
    assert within(20, lambda: stuck.poll() is not None)
    assert within(20, lambda: not _living(tmp_path)), _commands(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"results"}


@pytest.mark.slow
def test_nothing_is_left_where_the_harness_is_killed(
    stuck: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    (harness,) = [pid for pid in _living(tmp_path) if _parent(pid) == stuck.pid]
    os.kill(harness, signal.SIGKILL)
    stuck.communicate(timeout=30)
    assert within(20, lambda: not _living(tmp_path)), _commands(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"results"}


def _mean_body(run: dict[str, Any]) -> float:
    return float(run["body_bytes"]) / float(run["requests"])


def _is_default(run: dict[str, Any]) -> bool:
    return bool(run["variant"] == "default")


def _living(mark: Path) -> list[int]:
    """Pids of all processes that a run started, itself included."""
    wanted = f"{MARK}={mark}".encode()
    matches = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in path.read_bytes().split(b"\0"):
                matches.append(int(path.parent.name))
        except OSError:
            continue
    return [pid for pid in matches if alive(pid)]


def _commands(mark: Path) -> set[str]:
    """The arguments of those processes, paths without their folders."""
    words: set[str] = set()
    for pid in _living(mark):
        try:
            text = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
        except OSError:
            continue
        words |= {word.rsplit("/", 1)[-1] for word in text.split("\0")}
    return words


def _parent(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[1])
