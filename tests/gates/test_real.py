"""A server that became a tenth slower is caught, and one that did not is let pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import benchkit
from benchkit.gates import Conditions, gate
from benchkit.gates.rule import rule
from studies.changes import measure, servers

pytestmark = pytest.mark.slow

#: Long beside what a busy machine adds to each.
DELAYS = {"base": 0.05, "same": 0.05, "slower": 0.055}
REPEATS = 14
#: A machine that has other work may leave the first inconclusive.
ATTEMPTS = 3


def test_a_tenth_slower_fails_and_no_change_does_not(
    need: Callable[[str], str], tmp_path: Path
) -> None:
    rules = [rule(text) for text in ("slower: p50<+2%", "same: p50<+5%", "p50<200ms")]
    for attempt in range(ATTEMPTS):
        with servers(DELAYS) as ports:
            order = Random(attempt)  # noqa: S311 - no secret
            measure(need("ab"), ports, tmp_path / f"{attempt}", repeats=REPEATS, order=order)
        made = gate(benchkit.load(tmp_path / f"{attempt}"), Conditions(rules, baseline="base"))
        slower, same, *absolute = made.rulings
        assert slower.outcome != "passed", slower
        if slower.outcome == "failed":
            break
    assert slower.outcome == "failed", slower
    assert slower.low is not None
    assert slower.low > 1.02
    assert same.outcome in {"passed", "inconclusive"}
    assert {ruling.outcome for ruling in absolute} == {"passed"}
    assert made.status == 1
