"""Runs that were stored earlier as the baseline of those that are checked.

Each variant is compared with what was stored of the same scenario and variant. They were measured
at another time, which no order can mend: the two are never paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchkit.model.run import Run


@dataclass(frozen=True, slots=True)
class Stored:
    """The runs of a baseline, and what it is called: `STORE@main`."""

    name: str
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True)
class Meeting:
    """The runs of one variant beside those stored of it.

    Attributes:
        baseline: What the stored ones are called here.
    """

    runs: tuple[Run, ...]
    baseline: str


def meetings(runs: Iterable[Run], stored: Stored) -> list[Meeting]:
    """Return each variant with what was stored of it; nothing of one that was not."""
    listed = list(runs)
    before = {_key(run) for run in stored.runs}
    made = []
    for variant in dict.fromkeys(run.variant for run in listed):
        own = [run for run in listed if run.variant == variant and _key(run) in before]
        keys = {_key(run) for run in own}
        name = f"{variant} ({stored.name})"
        earlier = [_earlier(run, name) for run in stored.runs if _key(run) in keys]
        if own:
            made.append(Meeting((*earlier, *own), name))
    return made


def without_partner(runs: Iterable[Run], stored: Stored) -> list[tuple[str | None, str, bool]]:
    """Return scenario and variant of what is on one side only, and whether it is stored."""
    now, before = ({_key(run): run for run in side} for side in (runs, stored.runs))
    missing = [(*key, False) for key in now if key not in before]
    return missing + [(*key, True) for key in before if key not in now]


def _key(run: Run) -> tuple[str | None, str]:
    return run.scenario, run.variant


def _earlier(run: Run, name: str) -> Run:
    return run.with_columns(
        variant=name,
        run_id=f"{name}: {run.run_id}",
        label=f"{run.label} ({name})",
        started_at=None,
    )
