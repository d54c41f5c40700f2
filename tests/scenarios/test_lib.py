"""lib.sh, function by function, without a scenario."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchkit.scenarios.declaration import HERE


def test_processors_are_kept_to_by_the_shell_and_the_sampler(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux") or not all(map(shutil.which, ("setpriv", "taskset"))):
        pytest.skip("needs Linux, setpriv and taskset")
    last = max(os.sched_getaffinity(0))
    bash = shutil.which("bash") or "bash"
    script = f"""
    source "$1/lib.sh"
    bk__launch sampler '' /dev/null /dev/null sleep 9
    bk_pin {last}
    for pid in "$$" "${{bk__pid[sampler]}}"; do taskset -cp "$pid"; done
    bk_stop sampler
    bk_pin {last}  # without one it does as well
    """
    done = subprocess.run(
        [bash, "-c", script, "bash", str(HERE)],
        env={**os.environ, "BK_WORK": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == [str(last)] * 2
