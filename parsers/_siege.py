"""What siege's figures mean, in every form in which it prints them.

A transaction is a request that had an answer, whatever its status, but for 408 and 500 to 509:
these count as failed, as do requests without one, and nothing tells them apart. Redirects that are
followed, and what a page refers to, are transactions of their own. `concurrency` is the mean
number of requests under way.

Times are of a clock that ticks 100 times a second: a latency of 0.00 is one below its step. The
mean is the time of all answers over the transactions; with failed ones among them it is
too large. `successful_transactions` counts what has a status below 400, and 401 and 407: the share
of successes is of these.

Source: JoeDog/siege 3.1.4, 4.0.4, 4.0.7 and 4.1.7 `src/main.c`, `src/browser.c`, `src/data.c`,
`src/response.c` (response_success), `src/timer.c` (elapsed_time).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "siege"
STEP_S: Final = 0.01
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": STEP_S,
    "clock": "connect-to-last-byte",
}
MAY_FILL: Final = (
    *("duration_s", "requests", "errors", "success_ratio", "throughput_rps", "goodput_rps"),
    *("latency_min_s", "latency_mean_s", "latency_max_s"),
)
WHEN: Final[Mapping[str, str]] = {
    "errors": "where no transaction failed",
    "success_ratio": "with 401 and 407 among the successes",
    "goodput_rps": "with 401 and 407 among the successes",
    "latency_min_s": "from 10 ms on",
    "latency_mean_s": "from 10 ms on, where no transaction failed",
    "latency_max_s": "from 10 ms on",
}
_FAILED: Final = (
    "siege counts answers of 408 and 500 to 509 as failed, as it does requests without an answer: "
    "how many of each is not known, and the throughput is without both"
)


def add(record: RunRecord, figures: Mapping[str, float], printed: Mapping[str, str]) -> None:
    """Add the figures of a report, by their names in its JSON and in base units."""
    failed = figures.get("failed_transactions")
    if "transactions" in figures:
        record.columns["requests"] = int(figures["transactions"])
    if failed == 0:
        record.columns["errors"] = 0
    elif failed:
        record.notes.append(_FAILED)
    _add_successes(record, figures)
    for name, column in _COLUMNS.items():
        # 0.00 is below the step of the clock, and a rate of 0.00 is by a time of 0.00.
        if figures.get(name) and (name != "response_time" or failed == 0):
            record.columns[column] = figures[name]
    for name, unit in _FURTHER.items():
        if name in figures:
            record.figure(name, "value", figures[name], unit=unit, printed=printed[name])


def _add_successes(record: RunRecord, figures: Mapping[str, float]) -> None:
    names = ("transactions", "successful_transactions", "failed_transactions")
    if not figures.keys() >= {*names}:
        return
    answered, good, failed = (figures[name] for name in names)
    if good > answered or not answered + failed:
        return
    record.columns["success_ratio"] = good / (answered + failed)
    if figures.get("transaction_rate"):
        record.columns["goodput_rps"] = figures["transaction_rate"] * good / answered


_COLUMNS: Final = {
    "elapsed_time": "duration_s",
    "transaction_rate": "throughput_rps",
    "shortest_transaction": "latency_min_s",
    "longest_transaction": "latency_max_s",
    "response_time": "latency_mean_s",
}
_FURTHER: Final = {
    "availability": "ratio",
    "data_transferred": "B",
    "throughput": "B/s",
    "concurrency": "",
    "successful_transactions": "",
    "failed_transactions": "",
}
