"""What can be compared: the columns of `runs` that measure something, and which way is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from benchkit import format as show
from benchkit.schema import QUANTILE_COLUMNS

Quantity = Literal["rate", "time", "count", "share", "bytes"]
Better = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Metric:
    """One measured column.

    Attributes:
        name: The column of `runs`.
        title: Its name for people, without unit.
        quantity: What kind of number, which decides how it is written.
        better: The direction that is better; empty where neither is.
    """

    name: str
    title: str
    quantity: Quantity
    better: Better

    def heading(self, values: Sequence[float | None]) -> str:
        """Return the title with the unit that a table row of these values has; 0 has none."""
        if self.quantity == "time" and not any(values):
            return self.title
        unit = {"rate": "req/s", "time": show.time_unit(values).name}.get(self.quantity)
        return f"{self.title}, {unit}" if unit else self.title

    def cells(self, values: Sequence[float | None]) -> list[str | None]:
        """Return one table row: equal decimals, the unit in the heading; None stays None."""
        if self.quantity == "time":
            return show.in_unit(values, show.time_unit(values))
        if self.quantity == "rate":
            return _rates(values)
        write = {"count": show.count, "share": show.share, "bytes": show.size}[self.quantity]
        return [None if value is None else write(value) for value in values]

    def prose(self, value: float) -> str:
        """Return one value with its unit, to three digits."""
        if self.quantity == "time":
            return show.duration(value)
        if self.quantity == "rate":
            return f"{show.rate(value)}{show.NBSP}req/s"
        return str(self.cells([value])[0])


def _rates(values: Sequence[float | None]) -> list[str | None]:
    known = [value for value in values if value]
    smallest = min(known, default=1000.0)
    if known and max(known) > 100 * smallest and smallest < 10:
        return [None if value is None else show.number(value) for value in values]
    decimals = next((n for n, least in enumerate((1000, 10, 0.1)) if smallest >= least), 3)
    if all(value == int(value) for value in known):
        decimals = 0
    return [None if value is None else show.fixed(value, decimals) for value in values]


def _percentiles() -> tuple[Metric, ...]:
    return tuple(
        Metric(column, show.percentile(q), "time", "lower")
        for q, column in QUANTILE_COLUMNS.items()
    )


THROUGHPUT: Final = Metric("throughput_rps", "Throughput", "rate", "higher")
METRICS: Final = (
    THROUGHPUT,
    Metric("goodput_rps", "Goodput", "rate", "higher"),
    Metric("success_ratio", "Success", "share", "higher"),
    Metric("latency_min_s", "Min", "time", "lower"),
    Metric("latency_mean_s", "Mean", "time", "lower"),
    Metric("latency_std_s", "Std deviation", "time", ""),
    *_percentiles(),
    Metric("latency_max_s", "Max", "time", "lower"),
    Metric("requests", "Requests", "count", ""),
    Metric("errors", "Errors", "count", "lower"),
    Metric("timeouts", "Timeouts", "count", "lower"),
    Metric("non2xx", "Not 2xx", "count", "lower"),
    Metric("duration_s", "Duration", "time", ""),
    Metric("received_bytes", "Received", "bytes", ""),
)
BY_NAME: Final[Mapping[str, Metric]] = {metric.name: metric for metric in METRICS}
