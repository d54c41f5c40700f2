"""What ApacheBench's formats have in common.

Source: httpd `support/ab.c`, 2.0.40 to 2.4.x and trunk; `src/support/ab.c` of httpd 1.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "ab"

#: ab waits for an answer before it sends again on a connection, and takes the
#: time from `connect` to the last byte; it adds no samples.
MEANING: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "clock": "connect-to-last-byte",
}

#: ab prints the mean in whole milliseconds and the deviation with one decimal.
STEPS: Final[Mapping[str, float]] = {"latency_mean_s": 1e-3, "latency_std_s": 1e-4}

#: Rows of the connection times, as ab prints them.
ROWS: Final = ("Connect", "Processing", "Waiting", "Total")

_TOTAL_COLUMNS: Final = {
    "min": "latency_min_s",
    "mean": "latency_mean_s",
    "stdev": "latency_std_s",
    "max": "latency_max_s",
}

#: Columns that the connection times may fill.
TIMES_COLUMNS: Final = (*_TOTAL_COLUMNS.values(), "latency_p50_s")

#: A printed figure: its characters, and its value in base units.
PrintedTime = tuple[str, float]


def add_times(record: RunRecord, row: str, cells: Mapping[str, PrintedTime]) -> None:
    """Add a row of the connection times to a run.

    The row Total is the latency of the requests and goes to the run's columns;
    the other rows become figures. A negative time, which ab prints after the
    clock was set back, is left out of the columns.

    Args:
        record: The run.
        row: One of `ROWS`.
        cells: (printed, seconds) by statistic: min, mean, stdev, median, max.
    """
    for statistic, (printed, seconds) in cells.items():
        if row != "Total" or seconds < 0:
            record.figure(row, statistic, seconds, unit="s", printed=printed)
        elif statistic == "median":
            record.quantile(0.5, seconds)
        else:
            record.columns[_TOTAL_COLUMNS[statistic]] = seconds


def rank_in_report(quantile: float, n: int) -> int:
    """Return the rank at which the report reads a percentile: one above nearest rank."""
    return min(int(quantile * n + 1e-9 * n), n - 1)


def rank_in_table(quantile: float, n: int) -> int:
    """Return the rank at which the table of `-e` reads a percentile."""
    return min(int(0.5 + quantile * n + 1e-9 * n), n - 1)


#: What the parsers of the report and of its parts declare alike.
PRINTED: Final[Mapping[str, Any]] = {
    "tool": TOOL,
    "constants": {**MEANING, "resolution_s": 1e-3},
    "rank": rank_in_report,
    "steps": STEPS,
}
