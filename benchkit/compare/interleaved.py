"""Whether runs were made in pairs, one of each variant at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Run = Mapping[str, Any]


def interleaved(baseline: Sequence[Run], variant: Sequence[Run]) -> bool:
    """Whether the runs of equal `repeat` are pairs that follow each other in time.

    Within a pair either may come first; no run of another pair lies between the two. Rows of
    `runs`; without start times and repeats nothing is paired.
    """
    runs = [*baseline, *variant]
    if any(run["started_at"] is None or run["repeat"] is None for run in runs):
        return False
    repeats = sorted(run["repeat"] for run in baseline)
    if len(set(repeats)) < len(repeats) or repeats != sorted(run["repeat"] for run in variant):
        return False
    in_time = sorted(runs, key=lambda run: run["started_at"])
    pairs = zip(in_time[::2], in_time[1::2], strict=True)
    return all(first["repeat"] == second["repeat"] for first, second in pairs)


def by_repeat(runs: Sequence[Run]) -> list[Run]:
    """Return the runs in the order of their `repeat`."""
    return sorted(runs, key=lambda run: run["repeat"])
