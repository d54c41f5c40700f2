"""What is new to a dataset among some runs, under names that nothing there has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from benchkit.ingest.combination import Reading
from benchkit.model.run import Run

Row = Mapping[str, Any]


def addition(reading: Reading, runs: Sequence[Row], files: Sequence[Row]) -> Reading:
    """Return the runs and files that are not there yet, given the tables of those that are.

    A run is there if one of the same content is; of several in the reading the first is new. A
    label that is taken gets a number. So do repetitions that would be taken for partners of
    another day's: they are counted on from those.
    """
    known = {row["run_id"] for row in runs}
    fresh = [run for run in once(reading.runs) if run.run_id not in known]
    highest = max((row["repeat"] or 0 for row in runs), default=0)
    taken = any(_repeat(run) <= highest for run in fresh)
    labelled = _labelled(fresh, {row["label"] for row in runs})
    return Reading(
        tuple(_counted_on(run, highest * taken) for run in labelled),
        tuple(_new_files(reading.files, files)),
        reading.naming,
    )


def once(runs: Iterable[Run]) -> list[Run]:
    """Return the first run of each content."""
    first: dict[str, Run] = {}
    for run in runs:
        first.setdefault(run.run_id, run)
    return list(first.values())


def _labelled(runs: Iterable[Run], taken: set[str]) -> Iterator[Run]:
    for run in runs:
        labels = chain((run.label,), (f"{run.label} #{n}" for n in count(2)))
        label = next(label for label in labels if label not in taken)
        taken.add(label)
        yield run if label == run.label else run.with_columns(label=label)


def _repeat(run: Run) -> int:
    return run.get("repeat") or 0


def _counted_on(run: Run, highest: int) -> Run:
    return run.with_columns(repeat=highest + _repeat(run)) if highest and _repeat(run) else run


def _new_files(files: Iterable[Row], there: Sequence[Row]) -> Iterator[Row]:
    """Yield what became of each file that is not listed; a copy is told as one."""
    listed = {tuple(row.items()) for row in there}
    by_hash = {row["sha256"]: row["source"] for row in there if row["state"] in {"read", "merged"}}
    by_hash.pop(None, None)
    for row in files:
        if tuple(row.items()) in listed:
            continue
        before = by_hash.get(row["sha256"])
        if row["state"] == "read" and before is not None:
            message = f"the same content as {before}"
            yield {**row, "state": "duplicate", "message": message}
        else:
            yield row
