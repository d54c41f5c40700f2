"""The knee of each variant of each sweep in some results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchkit.compare.measures import values_of
from benchkit.compare.summaries import groups_of
from benchkit.compare.sweep import Knee, knee, repetitions, sweeps
from benchkit.frames import rows_of

if TYPE_CHECKING:
    from benchkit.results import Results


@dataclass(frozen=True, slots=True)
class Found:
    """The knee of one variant against one param, over the repetitions of the sweep."""

    scenario: str | None
    variant: str
    param: str
    knee: Knee
    repetitions: int


def knees(results: Results) -> list[Found]:
    """Return the knees of the sweeps of closed loops; none where nothing is swept.

    In an open loop the rate is what is asked for, and has no knee of its own.
    """
    values = values_of(results)
    rows = {row["run_id"]: row for row in rows_of(results.runs)}
    repeats = {run_id: row["repeat"] for run_id, row in rows.items()}
    found = []
    for group in groups_of(results):
        for sweep in sweeps(group.variants):
            for curve in sweep.curves:
                ids = [i for one in curve.levels.values() for i in one.run_ids]
                if any(rows[i]["load_model"] == "open" for i in ids):
                    continue
                runs = repetitions(curve, repeats, values)
                here = knee(runs)
                if here is not None:
                    name = group.full(curve.variant)
                    found.append(Found(group.scenario, name, sweep.param, here, len(runs)))
    return found
