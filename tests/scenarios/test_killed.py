"""A run set goes on where it was killed, and nothing in it is half."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from benchkit.scenarios.declaration import Scenario
from tests.killing import Killer, moments

#: Moments of which the changes of a whole run set are many more.
_MOST: Final = 3
ORDER: Final = Path("toy/run-set.json")


def test_a_killed_run_set_is_completed_and_what_was_done_stays(
    toy: Scenario, tmp_path: Path
) -> None:
    killer = Killer(tmp_path / "hook", tmp_path / "results")
    killer.below.mkdir()
    options = ["--variant", "plain", "--repeats", "2", "--set", "size=1", "-o"]
    command = ["run", str(toy.folder), *options]
    first = killer.below / "whole"
    changes = killer.whole([*command, str(first)])
    whole = outputs(first)
    assert len(whole) > 4
    for at in moments(changes, _MOST):
        results = killer.below / str(at)
        killer.killed([*command, str(results)], at=at)
        done = {path: data for path, data in outputs(results).items() if not is_left(path)}
        order = done.pop(ORDER, b"{}")
        for content in (order, *(data for path, data in done.items() if path.suffix == ".json")):
            json.loads(content)
        killer.whole([*command, str(results)])
        after = outputs(results)
        assert after.keys() == whole.keys()
        assert {path: after[path] for path in done} == done


def outputs(results: Path) -> dict[Path, bytes]:
    """Return all files by their names within the results."""
    paths = (path for path in sorted(results.rglob("*")) if path.is_file())
    return {path.relative_to(results): path.read_bytes() for path in paths}


def is_left(path: Path) -> bool:
    """Whether a file is what a killed run or writer left, which no reader takes for a result."""
    return any(part.startswith((".running-", ".benchkit-")) for part in path.parts)
