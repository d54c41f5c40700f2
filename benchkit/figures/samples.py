"""Samples of the server's processes: the load generator's own are left out."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from benchkit.compare import rows_of
from benchkit.compare.measures import is_cost

if TYPE_CHECKING:
    from benchkit.results import Results

#: Samples of one process of one run: elapsed seconds, processors, resident bytes.
Trace = tuple[tuple[float, float | None, float | None], ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What the processes of one run used.

    Attributes:
        cores: Mean over its samples, summed over the processes; None where none tells.
        memory: Largest resident bytes of each process, summed.
    """

    cores: float | None
    memory: float | None


def traces(results: Results, run_ids: Iterable[str]) -> dict[str, dict[str, Trace]]:
    """Return the samples in order of time, per run and process."""
    wanted = set(run_ids)
    runs = results.runs[["run_id", "tool"]]
    tools = dict(zip(runs["run_id"], runs["tool"], strict=True))
    found: dict[str, dict[str, list[tuple[float, float | None, float | None]]]] = defaultdict(dict)
    frame = results.resources
    for row in rows_of(frame[frame["run_id"].isin(wanted)]):
        process = row["process"]
        if process is not None and process != tools[row["run_id"]]:
            sample = (float(row["elapsed_s"]), row["cpu_ratio"], row["rss_bytes"])
            found[row["run_id"]].setdefault(process, []).append(sample)
    return {
        run_id: {process: tuple(sorted(one, key=_time)) for process, one in processes.items()}
        for run_id, processes in found.items()
    }


def of_server(results: Results, run_ids: Iterable[str]) -> dict[str, dict[str, Trace]]:
    """Return the same of the process under test alone, where metadata name it."""
    rows = {row["run_id"]: row for row in rows_of(results.runs)}
    return {
        run_id: {name: one for name, one in found.items() if is_cost(name, rows[run_id])}
        for run_id, found in traces(results, run_ids).items()
    }


def use(processes: Mapping[str, Trace]) -> Use:
    """Return what the processes of one run used together."""
    cores: list[float] = []
    memory: list[float] = []
    for trace in processes.values():
        loads = [load for _, load, _ in trace if load is not None]
        sizes = [size for _, _, size in trace if size is not None]
        cores += [sum(loads) / len(loads)] if loads else []
        memory += [float(max(sizes))] if sizes else []
    return Use(sum(cores) if cores else None, sum(memory) if memory else None)


def _time(sample: tuple[float, float | None, float | None]) -> float:
    return sample[0]


@dataclass(frozen=True, slots=True)
class Course:
    """What one process used over time in the runs of one variant.

    Attributes:
        times: Middles of stretches of equal length, in s from the start; all runs have samples in
            each.
        values: Per stretch one value of each run, itself a mean.
    """

    times: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]


def stretch(found: Mapping[str, Mapping[str, Trace]], *, most: int) -> float:
    """Return how long a stretch is, so that at most so many cover the longest run; 0 for none."""
    every = [trace for processes in found.values() for trace in processes.values() if trace]
    if not every:
        return 0.0
    longest = max(trace[-1][0] for trace in every)
    apart = [b[0] - a[0] for trace in every for a, b in pairwise(trace)]
    return max(longest / most, statistics.median(apart) if apart else longest)


def course(runs: Sequence[Trace], which: int, step: float) -> Course:
    """Return the course of one process over the runs of a variant.

    Args:
        runs: Its samples in each.
        which: 1 for processors, 2 for memory.
        step: Length of a stretch in s.
    """
    means: list[dict[int, float]] = []
    for trace in runs:
        bins: dict[int, list[float]] = defaultdict(list)
        for sample in trace:
            value = sample[which]
            if value is not None:
                bins[int(sample[0] / step)].append(float(value))
        means.append({at: sum(values) / len(values) for at, values in bins.items()})
    common = sorted(set.intersection(*(set(one) for one in means))) if means else []
    return Course(
        tuple(float(f"{(at + 0.5) * step:.6g}") for at in common),
        tuple(tuple(one[at] for one in means) for at in common),
    )
