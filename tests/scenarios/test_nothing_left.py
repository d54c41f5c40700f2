"""However a run ends, its processes and scratch files end with it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchkit.scenarios.declaration import Scenario

from .conftest import alive, within

Pids = Callable[[], list[int]]


@pytest.fixture
def running(toy: Scenario, tmp_path: Path, started: Pids) -> Iterator[subprocess.Popen[bytes]]:
    """`benchkit run` in the middle of a measurement that would take a minute."""
    options = ["--variant", "plain", "--repeats", "1", "--set", "size=1", "--set", "seconds=50"]
    process = subprocess.Popen(
        [
            *("env", "--default-signal", sys.executable, "-m", "benchkit", "run"),
            *(str(toy.folder), *options, "-o", str(tmp_path / "results")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        # The server, the warm-up's load generator, and the one that is measured.
        assert within(30, lambda: len(started()) >= 3), "it did not start"
        time.sleep(0.1)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def harness_of(runner: int) -> int:
    """The pid of the shell that `benchkit run` started."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == runner:
            return int(path.parent.name)
    pytest.fail("no harness")


def gone(started: Pids, tmp_path: Path) -> bool:
    living = [pid for pid in started() if alive(pid)]
    return not living and not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("name", ["TERM", "INT", "KILL"])
def test_nothing_is_left_when_the_runner_is_ended(
    name: str, running: subprocess.Popen[bytes], started: Pids, tmp_path: Path
) -> None:
    os.kill(running.pid, signal.Signals[f"SIG{name}"])
    assert within(10, lambda: running.poll() is not None)
    assert within(10, lambda: gone(started, tmp_path)), list((tmp_path / "tmp").rglob("*"))
    assert running.returncode == (-9 if name == "KILL" else 130)
    results = tmp_path / "results" / "toy"
    assert within(10, lambda: not list(results.rglob(".running*")))


@pytest.mark.parametrize("name", ["TERM", "INT", "KILL"])
def test_nothing_is_left_when_the_harness_is_ended(
    name: str, running: subprocess.Popen[bytes], started: Pids, tmp_path: Path
) -> None:
    os.kill(harness_of(running.pid), signal.Signals[f"SIG{name}"])
    _, err = running.communicate(timeout=20)
    assert within(10, lambda: gone(started, tmp_path))
    assert running.returncode == 1
    assert b"failed: plain (size=1) #1: " in err
    assert (tmp_path / "results" / "toy" / "plain+size-1" / ".failed-1").is_dir()


def descendants(cache: Path) -> list[str]:
    """Command lines of the processes that know this folder for builds."""
    matches = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"BENCHKIT_CACHE={cache}".encode() in environment:
            matches.append(command)
    return matches


@pytest.mark.slow
@pytest.mark.parametrize("name", ["TERM", "KILL"])
def test_nothing_is_left_of_servers_and_load_generator(name: str, tmp_path: Path) -> None:
    if not sys.platform.startswith("linux") or not all(map(shutil.which, ("go", "wrk", "setpriv"))):
        pytest.skip("needs Linux, Go, wrk and setpriv")
    cache, scratch = tmp_path / "cache", tmp_path / "tmp"
    scratch.mkdir()
    process = subprocess.Popen(
        [
            *("env", "--default-signal", sys.executable, "-m", "benchkit", "run", "gateways"),
            *("--variant", "none", "--repeats", "1", "-o", str(tmp_path / "results")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ | {"BENCHKIT_CACHE": str(cache), "TMPDIR": str(scratch)},
    )
    try:
        running = ["static", "wrk", "sampler.py"]
        assert within(
            120,
            lambda: all(any(each in line for line in descendants(cache)) for each in running),
        )
        os.kill(process.pid, signal.Signals[f"SIG{name}"])
        process.wait(10)
        assert within(10, lambda: not descendants(cache)), descendants(cache)
        assert within(10, lambda: name == "KILL" or not list(scratch.glob("benchkit-run-*")))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
