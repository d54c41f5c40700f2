"""Whatever is killed while it writes: what it wrote is whole, old or absent."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

import benchkit

from .killing import Killer, moments

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")

_MOST: Final = 3
#: What writes one file, by its name.
WRITERS: Final[Mapping[str, Sequence[str]]] = {
    "page.html": ["report"],
    "page.md": ["report", "--format", "markdown"],
    "runs.csv": ["export"],
    "runs.json": ["export"],
    "runs.parquet": ["export"],
}
#: How a page ends that is whole; others are the same each time.
ENDS: Final = {"page.html": b"</html>\n"}
OLD: Final = b"of another day\n"


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_command_leaves_the_old_or_the_new(name: str, data: Path, tmp_path: Path) -> None:
    results, target = tmp_path / "results", tmp_path / "out" / name
    results.mkdir()
    target.parent.mkdir()
    for path in ("ab/few.txt", "wrk/latency.txt"):
        shutil.copy(data / path, results)
    before = {path: path.read_bytes() for path in results.iterdir()}
    command = [*WRITERS[name], str(results), "-o", str(target)]
    killer = Killer(tmp_path / "hook", target.parent)
    changes = killer.whole(command)
    new = target.read_bytes()
    for at in moments(changes, _MOST):
        if at % 2:
            target.write_bytes(OLD)
        else:
            target.unlink(missing_ok=True)
        killer.killed(command, at=at)
        if target.exists():
            left = target.read_bytes()
            assert left in {OLD, new} or (left.endswith(ENDS[name]) and len(left) == len(new))
        else:
            assert not at % 2
    assert {path: path.read_bytes() for path in results.iterdir()} == before
    killer.whole(command)
    assert [path.name for path in target.parent.iterdir()] == [name]


PRINTS: Final = """
import pathlib, sys
sys.stdout.write(pathlib.Path(sys.argv[1]).read_text())
sys.stdout.flush()
pathlib.Path(sys.argv[2]).touch()
"""


def test_record_loses_no_measurement_that_was_complete(data: Path, tmp_path: Path) -> None:
    output, complete = data / "wrk" / "latency.txt", tmp_path / "complete"
    given = ["--", sys.executable, "-c", PRINTS, str(output), str(complete)]
    killer = Killer(tmp_path / "hook", tmp_path / "results")
    killer.below.mkdir()
    changes = killer.whole(["record", "-q", "-o", str(killer.below / "whole"), *given])
    lost = killed = 0
    tried = moments(changes, 2 * _MOST)
    for at in tried:
        complete.unlink(missing_ok=True)
        folder = killer.below / str(at)
        done = killer.run(["record", "-q", "-o", str(folder), *given], at=at)
        # A quicker run has fewer samples to write, and may come to its end.
        assert done.returncode in {0, -signal.SIGKILL}, done.stderr
        killed += done.returncode != 0
        time.sleep(0.2)  # the load generator goes on by itself
        if not complete.exists():
            lost += 1
            continue
        assert (folder / "output.txt").read_bytes() == output.read_bytes()
        assert len(benchkit.load(folder)) == 1
        for path in folder.iterdir():
            if path.name == "meta.json":
                json.loads(path.read_bytes())
            elif path.name == "resources.csv":
                assert path.read_bytes().endswith(b"\n")
    assert lost < changes / 2
    assert killed > len(tried) / 2
