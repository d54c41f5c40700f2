"""Runs that were stored earlier as the baseline of those that are checked.

Each variant is compared with what was stored of the same scenario and variant. They were measured
at another time, which no order can mend: the two are never paired.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchkit.model.run import Run


@dataclass(frozen=True, slots=True)
class Stored:
    """The runs of a baseline, and what it is called: `STORE@main`.

    Attributes:
        machine: That the runs of now count as made on, where they do not say so themselves.
        remarks: What sets the stored ones apart besides their time, a sentence each.
        same: Scenario and variant of runs that were left out, as they are those of now.
        inputs: Where they lie: no output may take the place of what is there.
    """

    name: str
    runs: Sequence[Run]
    machine: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    same: frozenset[tuple[str | None, str]] = frozenset()
    inputs: tuple[str, ...] = ()

    def without(self, runs: Iterable[Run]) -> Stored:
        """Return the same without certain runs: with themselves they are always equal."""
        ids = {run.run_id for run in runs}
        kept = [run for run in self.runs if run.run_id not in ids]
        same = {(run.scenario, run.variant) for run in self.runs if run.run_id in ids}
        return replace(self, runs=kept, same=frozenset(same))


@dataclass(frozen=True, slots=True)
class Meeting:
    """The runs of one variant beside those stored of it.

    Attributes:
        earlier: The stored ones.
        baseline: What these are called here.
    """

    now: tuple[Run, ...]
    earlier: tuple[Run, ...]
    baseline: str

    @property
    def sides(self) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        """The stored ones, and those of now."""
        return self.earlier, self.now

    @property
    def runs(self) -> tuple[Run, ...]:
        """Both, the stored ones first."""
        return (*self.earlier, *self.now)


def meetings(runs: Iterable[Run], stored: Stored) -> list[Meeting]:
    """Return each variant with what was stored of it; nothing of one that was not."""
    before = _grouped(stored.runs)
    now: dict[str, list[Run]] = defaultdict(list)
    earlier: dict[str, list[Run]] = defaultdict(list)
    for key, own in _grouped(runs).items():
        if key in before:
            _, variant = key
            now[variant] += [run.made_on(stored.machine) for run in own]
            name = _name(variant, stored)
            earlier[variant] += [_earlier(run, name) for run in before[key]]
    return [
        Meeting(tuple(own), tuple(earlier[variant]), _name(variant, stored))
        for variant, own in now.items()
    ]


def side_by_side(runs: Iterable[Run], stored: Stored) -> list[Run]:
    """Return the runs of all meetings for one comparison, in which each has its own baseline.

    Where a scenario has several variants, each is a scenario of its own.
    """
    listed = meetings(runs, stored)
    variants = Counter(
        scenario for meeting in listed for scenario in {run.scenario for run in meeting.now}
    )
    paired = []
    for meeting in listed:
        variant = meeting.now[0].variant
        for run in meeting.runs:
            name = run.scenario
            if variants[name] > 1:
                name = "/".join(filter(None, (name, variant)))
            paired.append(run.with_columns(scenario=name, baseline=meeting.baseline))
    return paired


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
