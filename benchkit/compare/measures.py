"""The metrics that a comparison knows by name, and their value in each run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from benchkit.compare.metrics import BY_NAME, Metric
from benchkit.errors import UsageError
from benchkit.frames import rows_of

if TYPE_CHECKING:
    import pandas as pd

    from benchkit.results import Results


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric by its name on the command line.

    Attributes:
        column: The column of `runs`, empty where it is worked out here.
        metric: How it is written and which way is better.
        latency: Whether it depends on what a latency is.
        testable: Whether it may ever be tested; an extreme of one run may not.
    """

    name: str
    column: str
    metric: Metric
    latency: bool = False
    testable: bool = True

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better."""
        return self.metric.better == "higher"


def _column(name: str, column: str, *, testable: bool = True) -> Measure:
    latency = column.startswith("latency_")
    return Measure(name, column, BY_NAME[column], latency=latency, testable=testable)


MEASURES: Final[Mapping[str, Measure]] = {
    one.name: one
    for one in (
        _column("throughput", "throughput_rps"),
        _column("goodput", "goodput_rps"),
        _column("mean", "latency_mean_s"),
        _column("p50", "latency_p50_s"),
        _column("p90", "latency_p90_s"),
        _column("p95", "latency_p95_s"),
        _column("p99", "latency_p99_s"),
        _column("p99.9", "latency_p999_s"),
        _column("max", "latency_max_s", testable=False),
        Measure("error_ratio", "", Metric("error_ratio", "Errors, share", "share", "lower")),
        Measure("cpu_per_request", "", Metric("cpu_per_request", "CPU/request", "time", "lower")),
        Measure("rss", "", Metric("rss", "Peak memory", "bytes", "lower")),
    )
}
#: Metrics in which failures are what counts: failing requests forbid all others.
COUNT_FAILURES: Final = frozenset({"error_ratio", "goodput"})
#: Values of one run by the name of the metric; None where the run does not have it.
Values = Mapping[str, float | None]


def measure(name: str) -> Measure:
    """Return the metric of that name.

    Raises:
        UsageError: there is none; the message lists those there are.
    """
    if name not in MEASURES:
        raise UsageError(f"no metric '{name}'; there are {', '.join(MEASURES)}")
    return MEASURES[name]


def values_of(
    results: Results, hidden: Collection[tuple[str, str]] = frozenset()
) -> dict[str, Values]:
    """Return the values of every metric for each run, by its `run_id`.

    Args:
        results: The runs.
        hidden: Run and column of figures that are withheld.
    """
    resources = _resources(results.resources)
    return {
        row["run_id"]: _values(
            {name: None if (row["run_id"], name) in hidden else row[name] for name in row},
            resources.get(row["run_id"], []),
        )
        for row in rows_of(results.runs)
    }


def _values(row: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> Values:
    found: dict[str, float | None] = {
        one.name: None if row[one.column] is None else float(row[one.column])
        for one in MEASURES.values()
        if one.column
    }
    served = [sample for sample in samples if is_cost(sample["process"], row)]
    return found | {
        "error_ratio": _error_ratio(row),
        "cpu_per_request": _cpu_per_request(row, served),
        "rss": _peak_memory(served),
    }


def is_cost(process: Any, row: Mapping[str, Any]) -> bool:  # noqa: ANN401 - a cell
    """Whether what a process uses is a cost of the server: the generator's own is none."""
    return bool(process == row["server"] if row["server"] else process != row["tool"])


def _error_ratio(row: Mapping[str, Any]) -> float | None:
    if row["success_ratio"] is not None:
        return max(0.0, 1.0 - float(row["success_ratio"]))
    counts = [row["requests"], row["errors"], row["non2xx"]]
    if any(count is None for count in counts) or not row["requests"]:
        return None
    return min(1.0, (float(row["errors"]) + float(row["non2xx"])) / float(row["requests"]))


def _cpu_per_request(row: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> float | None:
    """Return processor seconds per request: mean load of all processes over the whole run."""
    by_process: dict[Any, list[float]] = defaultdict(list)
    for sample in samples:
        if sample["cpu_ratio"] is not None:
            by_process[sample["process"]].append(float(sample["cpu_ratio"]))
    if not by_process or not row["requests"] or not row["duration_s"]:
        return None
    load = sum(sum(ratios) / len(ratios) for ratios in by_process.values())
    return load * float(row["duration_s"]) / float(row["requests"])


def _peak_memory(samples: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the largest resident memory of each process, summed over the processes."""
    peaks: dict[Any, float] = {}
    for sample in samples:
        if sample["rss_bytes"] is not None:
            size = float(sample["rss_bytes"])
            peaks[sample["process"]] = max(size, peaks.get(sample["process"], 0.0))
    return sum(peaks.values()) if peaks else None


def _resources(frame: pd.DataFrame) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows_of(frame):
        found[row["run_id"]].append(row)
    return found
