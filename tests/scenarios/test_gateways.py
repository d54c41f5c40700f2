"""gateways: a gateway that answers with errors is no result, however evenly it does so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchkit.scenarios.declaration import HERE

#: In place of lib.sh: a load is the next of the reports in BK_WORK, and nothing is started.
LIB = """
set -euo pipefail
bk_load() { mv "$(find "$BK_WORK" -name 'load-*' | sort | head -n 1)" "$bk__out"; }
bk_wrk() { bk__out=$BK_OUT/report.txt bk_load; }
bk_note() { printf '%s=%s\\n' "$1" "$2"; }
bk_step() { :; }
bk_fail() { printf '%s\\n' "$*"; exit 1; }
bk_main() { "$@"; }
"""
SETTINGS = {"WARM_UP_CAP": 9, "WINDOW": 3, "WINDOWS": 1, "RISE": 0.03, "FALL": 0.1, "DURATION": 8}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    if not sys.platform.startswith("linux") or shutil.which("bash") is None:
        pytest.skip("scenarios run on Linux, with bash")
    (tmp_path / "lib.sh").write_text(LIB, encoding="utf-8")
    return tmp_path


def call(function: str, work: Path, *reports: Path) -> tuple[int, str]:
    """Call a function of the harness with these loads; return its status and what it said."""
    for number, report in enumerate(reports):
        shutil.copy(report, work / f"load-{number}")
    env = {f"BK_{name}": str(value) for name, value in SETTINGS.items()}
    bash = shutil.which("bash") or "bash"
    done = subprocess.run(
        [bash, str(HERE / "gateways" / "harness.sh"), function],
        env={**os.environ, **env, "BK_LIB": str(work), "BK_WORK": str(work), "BK_OUT": str(work)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_errors_at_the_end_of_the_warm_up_end_the_run(work: Path, data: Path) -> None:
    errors = data / "wrk" / "non2xx.txt"
    status, text = call("warm_up", work, errors, errors)
    assert status == 1
    assert text.startswith("at the end of the warm-up 27309 responses had a status above 399")


def test_errors_before_the_server_was_warm_are_nothing(work: Path, data: Path) -> None:
    good = data / "wrk" / "latency.txt"
    status, text = call("warm_up", work, data / "wrk" / "non2xx.txt", good, good)
    assert status == 0
    assert "warm_up_s=9\n" in text


def test_a_measured_run_with_errors_is_none(work: Path, data: Path) -> None:
    status, text = call("measure", work, data / "wrk" / "non2xx.txt")
    assert (status, text) == (1, "27309 of the measured responses had a status above 399\n")
    assert call("measure", work, data / "wrk" / "latency.txt") == (0, "")
