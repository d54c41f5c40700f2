"""A scenario whose load generator is a recording, so that the runner is tested in seconds."""

import os
import shutil
import stat
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchkit.scenarios.declaration import Scenario, read_scenario

DECLARATION = """
title = "A toy"
question = "Does the runner do what it says?"
reproduces = ""
tools = ["ab"]
baseline = "plain"
needs = []
build = "once"

[variants]
plain = "answers"
broken = "never becomes ready"

[params]
size = [1, 2]

[settings]
seconds = 0.1

[profiles.quick]
repeats = 2
run_s = 1

[profiles.full]
repeats = 3
run_s = 2
settings = { seconds = 1.0 }
"""

HARNESS = """
source "$BK_LIB/lib.sh"
port=''
build() { printf made >"$BK_BUILD/thing"; }
start() {
  [[ $(cat "$BK_BUILD/thing") == made ]]
  [[ $BK_VARIANT != broken ]] || bk_fail "no $BK_VARIANT today"
  bk_free_port port
  bk_start server -- "$BK_PYTHON" "$BK_SCENARIO/server.py" "$port"
  bk_wait server "$port" /
  bk_note answer 42
}
warm_up() {
  bk_warm_up 5 ab -n 1 "http://127.0.0.1:$port/"
  bk_note warm_up_capped no
}
measure() {
  bk_measure report.txt 60 ab -n 100 -c "$BK_SIZE" -s "$BK_SECONDS" "http://127.0.0.1:$port/"
}
bk_main "$@"
"""

SERVER = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass

open(os.environ["TOY_PIDS"], "a").write(f"{os.getpid()}\\n")
print("listening", flush=True)
HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

#: Prints a recorded report after as many seconds as `-s` says.
FAKE_AB = """
import os, sys, time
if "-V" in sys.argv:
    print("This is ApacheBench, Version 2.3 <$Revision$>")
    sys.exit()
open(os.environ["TOY_PIDS"], "a").write(f"{os.getpid()}\\n")
if "-s" in sys.argv:
    time.sleep(float(sys.argv[sys.argv.index("-s") + 1]))
sys.stdout.write(open(os.environ["TOY_REPORT"]).read())
"""


def executable(path: Path, text: str) -> None:
    path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def toy(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A scenario in a folder, with PATH, TMPDIR and cache of its own."""
    if not sys.platform.startswith("linux") or shutil.which("setpriv") is None:
        pytest.skip("scenarios run on Linux, with setpriv")
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "scenario.toml").write_text(DECLARATION, encoding="utf-8")
    executable(folder / "harness.sh", f"#!/usr/bin/env bash\n{HARNESS.strip()}\n")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    commands, scratch = tmp_path / "bin", tmp_path / "tmp"
    commands.mkdir()
    scratch.mkdir()
    executable(commands / "ab", f"#!{sys.executable}\n{FAKE_AB.strip()}\n")
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setenv("BENCHKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TOY_PIDS", str(tmp_path / "pids"))
    monkeypatch.setenv("TOY_REPORT", str(data / "ab" / "few.txt"))
    return read_scenario(folder)


@pytest.fixture
def started(tmp_path: Path) -> Callable[[], list[int]]:
    """Pids of the servers and load generators that the toy started so far."""

    def pids() -> list[int]:
        path = tmp_path / "pids"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    return pids


def alive(pid: int) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] not in "ZX"


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return holds()
