import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import benchkit
from benchkit.cli.guard import run
from benchkit.errors import UsageError
from benchkit.ingest.commands import read_command
from benchkit.scenarios.record import _names, watched

from .conftest import executable, within


@pytest.fixture
def report(data: Path) -> Path:
    return data / "wrk" / "latency.txt"


@pytest.fixture
def wrk(tmp_path: Path, report: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A wrk that prints a recorded report; `-d0.5s` is how long it takes."""
    if os.name == "nt":
        pytest.skip("a script is no program on Windows")
    code = f"""#!{sys.executable}
import sys, time
if "-v" in sys.argv:
    print("wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer")
    sys.exit(1)
print("measuring", file=sys.stderr, flush=True)
time.sleep(next((float(a[2:-1]) for a in sys.argv if a.startswith("-d")), 0))
sys.stdout.write(open({str(report)!r}).read())
sys.exit("-fail" in sys.argv and 3)
"""
    (tmp_path / "bin").mkdir()
    executable(tmp_path / "bin" / "wrk", code)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return "wrk"


def meta_of(folder: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return content


def test_the_folder_names_the_run_and_the_command_its_load(
    wrk: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results" / "proxy" / "nginx" / "2"
    command = [wrk, "-t2", "-c64", "-d0.1s", "http://user:pw@127.0.0.1:8080/"]
    assert run(["record", "-o", str(folder), "--", *command]) == 0
    assert "Requests/sec" in capfd.readouterr().out  # shown as well
    meta = meta_of(folder)
    assert (meta["scenario"], meta["variant"], meta["repeat"]) == ("proxy", "nginx", 2)
    assert (meta["tool_version"], meta["exit_status"]) == ("4.1.0", 0)
    assert (folder / "stderr.txt").read_text() == "measuring\n"
    (context,) = benchkit.load(folder).runs.to_dict("records")
    assert (context["label"], context["tool_version"]) == ("proxy/nginx/2", "4.1.0")
    assert context["command"] == "wrk -t2 -c64 -d0.1s 'http://[redacted]@127.0.0.1:8080/'"
    read = read_command(context["command"])
    assert read is not None
    assert read.columns["connections"] == 64


def test_a_label_is_kept_and_nothing_is_shown_when_asked(
    wrk: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "one"
    assert run(["record", "-q", "--label", "before", "-o", str(folder), "--", wrk, "-d0s"]) == 0
    assert capfd.readouterr().out == ""
    assert benchkit.load(folder).runs["label"].tolist() == ["before"]


def test_the_exit_status_is_that_of_the_command(wrk: str, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    assert run(["record", "-q", "-o", str(folder), "--", wrk, "-fail"]) == 3
    assert meta_of(folder)["exit_status"] == 3
    assert run(["record", "-q", "-o", str(tmp_path / "two"), "--", "no-such-tool"]) == 127


def test_why_a_command_cannot_be_started_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["record", "-o", str(tmp_path / "two"), "--", "no-such-tool"]) == 127
    assert "'no-such-tool': No such file or directory\n" in capsys.readouterr().err


def test_a_process_is_sampled_with_the_command(wrk: str, tmp_path: Path) -> None:
    busy = time.process_time() + 2
    while time.process_time() < busy:
        sum(range(1000))
    if not Path("/proc/self/stat").exists():
        pytest.skip("samples need /proc")
    folder = tmp_path / "one"
    options = ["-q", "--sample", f"server={os.getpid()}", "-o", str(folder)]
    assert run(["record", *options, "--", wrk, "-d0.6s"]) == 0
    samples = benchkit.load(folder).resources
    assert set(samples["process"]) == {"server", "wrk"}
    assert samples["elapsed_s"].max() >= 0.6
    assert samples["rss_bytes"].min() > 2**20
    # This process has spent seconds before; none of them belongs to the run.
    assert samples[samples["process"] == "server"]["cpu_ratio"].max() < 3


def test_what_it_was_sent_goes_to_the_command(wrk: str, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    process = subprocess.Popen(
        [sys.executable, "-m", "benchkit", "record", "-o", folder, "--", wrk, "-d60s"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    errors = folder / "stderr.txt"
    assert within(20, lambda: errors.exists() and errors.read_text() != "")
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 128 + signal.SIGTERM
    assert meta_of(folder)["exit_status"] == 128 + signal.SIGTERM


def test_results_are_never_overwritten(
    wrk: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "wrk.txt").touch()
    assert run(["record", "-o", str(tmp_path / "one"), "--", wrk]) == 2
    assert "is not empty: every run gets a folder of its own" in capfd.readouterr().err


def test_what_a_killed_recording_left_is_removed_by_the_next(wrk: str, tmp_path: Path) -> None:
    killed, again = tmp_path / "gin" / "1", tmp_path / "gin" / "2"
    for folder in (killed, again):
        folder.mkdir(parents=True)
        (folder / ".benchkit-0123456789ab.tmp").touch()
    (killed / "output.txt").touch()
    assert run(["record", "-q", "-o", str(again), "--", wrk]) == 0
    assert [path.name for path in killed.iterdir()] == ["output.txt"]
    assert min(path.name for path in again.iterdir()) == "meta.json"


@pytest.mark.parametrize("text", ["nginx", "nginx=", "-1", "999999999", "x=999999999"])
def test_a_process_that_does_not_run_is_told(
    text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "one"
    assert run(["record", "-o", str(folder), f"--sample={text}", "--", "true"]) == 2
    assert "expected the number of a running process" in capfd.readouterr().err
    assert not folder.exists()


def test_processes_have_names() -> None:
    me = str(os.getpid())
    assert watched([me]) == {"server": os.getpid()}
    assert set(watched([me, f"db={me}"])) == {f"server {me}", "db"}


@pytest.mark.skipif(os.name == "nt", reason="there is no sh")
@pytest.mark.parametrize("options", [[], ["-q"]])
def test_a_child_that_is_left_behind_is_not_waited_for(tmp_path: Path, options: list[str]) -> None:
    pid = tmp_path / "pid"
    script = f"sleep 60 & echo $! > {pid}; echo late >&2; echo done"
    program = (sys.executable, "-m", "benchkit", "record")
    done = subprocess.run(
        [*program, *options, "-o", str(tmp_path / "one"), "--", "sh", "-c", script],
        capture_output=True,
        check=False,
        timeout=50,
    )
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert (done.returncode, done.stdout, done.stderr) == (
        (0, b"", b"") if options else (0, b"done\n", b"late\n")
    )
    assert (tmp_path / "one" / "output.txt").read_bytes() == b"done\n"
    assert (tmp_path / "one" / "stderr.txt").read_bytes() == b"late\n"


def test_all_of_a_long_output_is_kept_and_shown(tmp_path: Path) -> None:
    program = (sys.executable, "-m", "benchkit", "record", "-o", str(tmp_path / "one"), "--")
    code = "import sys; sys.stdout.write('a line of output\\n' * 200_000)"
    done = subprocess.run([*program, sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"a line of output\n" * 200_000
    assert (tmp_path / "one" / "output.txt").read_bytes() == done.stdout


@pytest.mark.parametrize(("folder", "repeat"), [("0", None), ("007", 7), ("9" * 26, None)])
def test_repetitions_are_counted_from_1(folder: str, repeat: int | None) -> None:
    names = {"scenario": "s", "variant": "v"} | ({"repeat": repeat} if repeat else {})
    assert _names(Path("z") / "s" / "v" / folder) == names


def test_two_processes_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="another process is called 'a' too"):
        watched([f"a={os.getpid()}", f"a={os.getppid()}"])
