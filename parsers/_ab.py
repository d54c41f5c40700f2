"""What ApacheBench's formats have in common.

Source: httpd `support/ab.c`, 2.0.40 to 2.4.x and trunk; `src/support/ab.c` of httpd 1.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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
