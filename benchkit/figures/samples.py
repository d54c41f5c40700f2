"""Samples of the server's processes: the load generator's own are left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchkit.compare import rows_of

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
