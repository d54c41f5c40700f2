"""What figures of a swept param show, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.errors import UsageError
from benchkit.figures.kinds.drawn_sweep import CORES, OTHERS, DrawnSweep
from benchkit.model.circumstances import together
from benchkit.model.metric import CPU, ERROR_RATIO, MEMORY, P50, P99, THROUGHPUT, Metric

TALL: Final = 180


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a panel shows, and how that is written; its height in px.

    The title of what the server spent has a place for whose that is.
    """

    metric: Metric
    title: str
    heading: str
    write: Callable[[float], str]
    height: int = 130

    def heading_of(self, sweep: DrawnSweep) -> str:
        """Return the title of its panel."""
        return self.title.format(together(sweep.processes)) if "{}" in self.title else self.title

    def text(self, sweep: DrawnSweep, value: float) -> str:
        """Return a value as it is written; a time in the unit of its column."""
        timed = self.metric.quantity == "time" and value
        return sweep.comparison.written(self.metric, value) if timed else self.write(value)


MEDIAN: Final = Quantity(P50, "", "p50", show.duration)
LATENCY: Final = Quantity(P99, "p99, log scale", "p99", show.duration, TALL)
PROCESSORS: Final = Quantity(CORES, "Processors kept busy by {}", "Processors", show.number)
PEAK_MEMORY: Final = Quantity(MEMORY, "Peak memory of {}", "Memory", show.size)
PER_REQUEST: Final = Quantity(
    CPU, "Processor time per request of {}", "CPU per request", show.duration
)
QUANTITIES: Final = (
    Quantity(THROUGHPUT, "Throughput, req/s", "Throughput", show.rate, TALL),
    LATENCY,
    Quantity(ERROR_RATIO, "Share of requests that failed", "Failed", show.share),
    PROCESSORS,
    PEAK_MEMORY,
)
#: What else somebody may want.
CHOICES: Final = (
    *QUANTITIES,
    *(
        Quantity(metric, f"{metric.title}, log scale", metric.title, show.duration, TALL)
        for metric in (P50, *OTHERS)
    ),
    PER_REQUEST,
)


def chosen(kind: str, choices: Sequence[Quantity], metric: Metric) -> Sequence[Quantity]:
    """Return what a figure shows of a metric."""
    quantities = [each for each in choices if each.metric.column == metric.column]
    if not quantities:
        names = show.listed([each.metric.name for each in choices if each.metric != CORES])
        raise UsageError(f"{kind} does not show {metric.name}; it shows {names}")
    return quantities
