"""Every metric, declared once: its name, its value in a run, how it is written, what it is for.

A metric is added here and nowhere else: tables, comparisons, figures and the command line ask
this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchkit import format as show
from benchkit.errors import unknown
from benchkit.model.failures import error_ratio
from benchkit.model.run import Run
from benchkit.schema import QUANTILE_COLUMNS

Quantity = Literal["rate", "time", "count", "share", "bytes"]
Better = Literal["higher", "lower", ""]
#: What becomes of it in a comparison. A primary metric is tested; a secondary one has an interval
#: and is tested where somebody asks for it; a described one is an extreme of one run and is never
#: tested; one that is shown is no answer to which variant is better.
Role = Literal["primary", "secondary", "described", "shown"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One measured quantity of a run.

    Attributes:
        name: On the command line and in `compare`'s rows.
        column: Of `runs`, or the name where it is worked out from several.
        title: For people, without unit.
        quantity: What kind of number, which decides how it is written.
        better: The direction that is better; empty where neither is.
        role: What becomes of it in a comparison.
        derive: Returns its value in a run, where that is no column.
    """

    name: str
    column: str
    title: str
    quantity: Quantity
    better: Better
    role: Role = "shown"
    derive: Callable[[Run], float | None] | None = None

    @property
    def is_latency(self) -> bool:
        """Whether it depends on what a latency is."""
        return self.column.startswith("latency_")

    @property
    def is_percentile(self) -> bool:
        """Whether it is a quantile of the latencies."""
        return self.quantile is not None

    @property
    def quantile(self) -> float | None:
        """The quantile of the latencies that it is, 0 to 1, None for other metrics."""
        return _QUANTILES.get(self.column)

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better."""
        return self.better == "higher"

    @property
    def subject(self) -> str:
        """Its title in the middle of a sentence."""
        name, _, share = self.title.partition(", ")
        words = f"{share} of {name.lower()}" if share else name
        return words if words[:1] == "p" else f"{words[:1].lower()}{words[1:]}"

    def value(self, run: Run) -> float | None:
        """Return its value in a run, in base units, None where the run does not have it."""
        if not self.derive:
            return run.number(self.column)
        if self.column not in run.derived:
            run.derived[self.column] = self.derive(run)
        return run.derived[self.column]

    def heading(self, values: Sequence[float | None], unit: show.Unit | None = None) -> str:
        """Return the title with the unit of a table row of these values; 0 has none.

        Of times that is `unit`, or else the one that suits them.
        """
        if self.quantity == "time" and not any(values):
            return self.title
        time = (unit or show.time_unit(values)).name
        name = {"rate": "req/s", "time": time}.get(self.quantity)
        return f"{self.title}, {name}" if name else self.title

    def cells(
        self, values: Sequence[float | None], unit: show.Unit | None = None
    ) -> list[str | None]:
        """Return one table row: equal decimals, the unit in the heading; None stays None."""
        if self.quantity == "time":
            return show.in_unit(values, unit or show.time_unit(values))
        if self.quantity == "rate":
            return _rates(values)
        write = {"count": show.count, "share": show.share, "bytes": show.size}[self.quantity]
        return [None if value is None else write(value) for value in values]

    def ends(self, values: Iterable[float], unit: show.Unit | None = None) -> tuple[str, str]:
        """Return the smallest and the largest of some values, without unit as in one table row."""
        cells = self.cells(sorted(values), unit)
        return str(cells[0]), str(cells[-1])

    def prose(self, value: float, unit: show.Unit | None = None) -> str:
        """Return one value with its unit, to three digits.

        A time is in `unit` where one is given, but for one of less than a hundredth of it.
        """
        if self.quantity == "time":
            fits = unit is not None and value >= float(unit.size) / 100
            return show.duration(value, unit=unit if fits or not value else None)
        if self.quantity == "rate":
            return f"{show.rate(value)}{show.NBSP}req/s"
        return str(self.cells([value])[0])


def _rates(values: Sequence[float | None]) -> list[str | None]:
    known = [value for value in values if value]
    smallest = min(known, default=1000.0)
    if known and max(known) > 100 * smallest and smallest < 10:
        return [None if value is None else show.number(value) for value in values]
    whole = 100 if known and max(known) >= 1000 else 1000
    decimals = next((n for n, least in enumerate((whole, 10, 0.1)) if smallest >= least), 3)
    if all(value == int(value) for value in known):
        decimals = 0
    return [None if value is None else show.fixed(value, decimals) for value in values]


# --- what is worked out from several columns ---


def is_cost(process: str | None, run: Run) -> bool:
    """Whether what a process uses is a cost of the server: the generator's own is none."""
    server = run.get("server")
    return bool(process == server if server else process != run.tool)


def _served(run: Run, column: str) -> list[list[float]]:
    """Return what is known of a column of the samples, for each process of the server."""
    return [
        [float(sample[column]) for sample in part if sample.get(column) is not None]
        for process, part in run.samples_by_process.items()
        if is_cost(process, run)
    ]


def cpu_per_request(run: Run) -> float | None:
    """Return processor seconds per request: mean load of all processes over the whole run."""
    loads = _served(run, "cpu_ratio")
    requests, duration = run.number("requests"), run.number("duration_s")
    if not any(loads) or not requests or not duration:
        return None
    return sum(sum(part) / len(part) for part in loads if part) * duration / requests


def peak_memory(run: Run) -> float | None:
    """Return the largest resident memory of each process in bytes, summed over the processes."""
    sizes = _served(run, "rss_bytes")
    return sum(max(part) for part in sizes if part) if any(sizes) else None


# --- the declarations ---


def percentile(quantile: float, role: Role = "secondary") -> Metric:
    """Return the metric of a quantile of the latencies, also of one without a column."""
    column = QUANTILE_COLUMNS.get(quantile, f"latency_{show.percentile(quantile)}_s")
    name = show.percentile(quantile)
    if quantile in QUANTILE_COLUMNS:
        return Metric(name, column, name, "time", "lower", role)
    return Metric(name, column, name, "time", "lower", role, lambda run: run.latency_at(quantile))


_QUANTILES: Final = {column: quantile for quantile, column in QUANTILE_COLUMNS.items()}
THROUGHPUT: Final = Metric(
    "throughput", "throughput_rps", "Throughput", "rate", "higher", "primary"
)
GOODPUT: Final = Metric("goodput", "goodput_rps", "Goodput", "rate", "higher", "secondary")
MEAN: Final = Metric("mean", "latency_mean_s", "Mean", "time", "lower", "secondary")
ERROR_RATIO: Final = Metric(
    "error_ratio", "error_ratio", "Errors, share", "share", "lower", "secondary", error_ratio
)
CPU: Final = Metric(
    *("cpu_per_request", "cpu_per_request", "CPU/request", "time", "lower", "secondary"),
    cpu_per_request,
)
MEMORY: Final = Metric("rss", "rss", "Peak memory", "bytes", "lower", "secondary", peak_memory)

#: Every metric, in the order of a table.
METRICS: Final = (
    THROUGHPUT,
    GOODPUT,
    Metric("success", "success_ratio", "Success", "share", "higher"),
    Metric("min", "latency_min_s", "Min", "time", "lower"),
    MEAN,
    Metric("std", "latency_std_s", "Std deviation", "time", ""),
    percentile(0.5, "primary"),
    percentile(0.75, "shown"),
    percentile(0.9),
    percentile(0.95),
    percentile(0.99, "primary"),
    percentile(0.999),
    Metric("max", "latency_max_s", "Max", "time", "lower", "described"),
    Metric("requests", "requests", "Requests", "count", ""),
    Metric("errors", "errors", "Errors", "count", "lower"),
    Metric("timeouts", "timeouts", "Timeouts", "count", "lower"),
    Metric("non2xx", "non2xx", "Not 2xx", "count", "lower"),
    Metric("duration", "duration_s", "Duration", "time", ""),
    Metric("received", "received_bytes", "Received", "bytes", ""),
    ERROR_RATIO,
    CPU,
    MEMORY,
)
BY_COLUMN: Final[Mapping[str, Metric]] = {metric.column: metric for metric in METRICS}
P50: Final = BY_COLUMN["latency_p50_s"]
P99: Final = BY_COLUMN["latency_p99_s"]
MAX: Final = BY_COLUMN["latency_max_s"]
#: Columns that a finding about whole runs qualifies: every latency, and with them the throughput.
LATENCIES: Final = (MEAN.column, *QUANTILE_COLUMNS.values(), MAX.column)
FIGURES: Final = (THROUGHPUT.column, *LATENCIES)
#: Columns in the order of a comparison's table, which has those that say something.
TABLED: Final = (
    *("throughput_rps", "goodput_rps", "success_ratio", "latency_mean_s", "latency_p50_s"),
    *("latency_p90_s", "latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s"),
    *("errors", "non2xx", "cpu_per_request", "rss"),
)
#: Those that a comparison has a row for, by name.
COMPARED: Final[Mapping[str, Metric]] = {
    metric.name: metric for metric in METRICS if metric.role != "shown"
}
#: What the server spent.
COSTS: Final = (CPU, MEMORY)
#: Metrics in which failures are what counts: failing requests forbid all others.
COUNT_FAILURES: Final = frozenset({"error_ratio", "goodput"})


def metric(name: str) -> Metric:
    """Return the metric of that name.

    Raises:
        UsageError: there is none that is compared; the message lists those there are.
    """
    if name not in COMPARED:
        raise unknown("metric", name, COMPARED)
    return COMPARED[name]
