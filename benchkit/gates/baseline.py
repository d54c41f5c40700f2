"""Runs that were stored earlier as the baseline of those that are checked.

Each variant is compared with what was stored of the same scenario and variant. They were measured
at another time, which no order can mend: the two are never paired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchkit.model.run import Run


@dataclass(frozen=True, slots=True)
class Stored:
    """The runs of a baseline, and what it is called: `STORE@main`.

    Attributes:
        same: Scenario and variant of runs that were left out, as they are those of now.
    """

    name: str
    runs: Sequence[Run]
    same: frozenset[tuple[str | None, str]] = frozenset()

    def without(self, runs: Iterable[Run]) -> Stored:
        """Return the same without certain runs: with themselves they are always equal."""
        ids = {run.run_id for run in runs}
        kept = [run for run in self.runs if run.run_id not in ids]
        same = {(run.scenario, run.variant) for run in self.runs if run.run_id in ids}
        return Stored(self.name, kept, frozenset(same))


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
    before = _grouped(stored.runs)
    now: dict[str, list[Run]] = defaultdict(list)
    earlier: dict[str, list[Run]] = defaultdict(list)
    for key, own in _grouped(runs).items():
        if key in before:
            _, variant = key
            now[variant] += own
            name = _name(variant, stored)
            earlier[variant] += [_earlier(run, name) for run in before[key]]
    return [
        Meeting((*earlier[variant], *own), _name(variant, stored)) for variant, own in now.items()
    ]


def without_partner(runs: Iterable[Run], stored: Stored) -> list[tuple[str | None, str, bool]]:
    """Return scenario and variant of what is on one side only, and whether it is stored."""
    now, before = _grouped(runs), _grouped(stored.runs)
    missing = [(*key, False) for key in now if key not in before]
    return missing + [(*key, True) for key in before if key not in now]


def _grouped(runs: Iterable[Run]) -> dict[tuple[str | None, str], list[Run]]:
    """Return the runs of each scenario and variant, in their order."""
    groups: dict[tuple[str | None, str], list[Run]] = defaultdict(list)
    for run in runs:
        groups[run.scenario, run.variant].append(run)
    return dict(groups)


def _name(variant: str, stored: Stored) -> str:
    return f"{variant} ({stored.name})"


def _earlier(run: Run, name: str) -> Run:
    return run.with_columns(
        variant=name,
        run_id=f"{name}: {run.run_id}",
        label=f"{run.label} ({name})",
        started_at=None,
    )
