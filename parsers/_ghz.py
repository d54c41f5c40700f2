"""What ghz's figures mean, in every form in which it prints them.

ghz calls gRPC. Its statuses, `OK` and `NotFound`, are those of gRPC and no HTTP statuses; some of
them come from the server and from the client alike: which calls had no answer is known only
where all are `OK`. Percentiles, fastest and slowest are of the calls that are `OK` (all with
--count-errors), the average of all. Calls that -z ends are among them, as Canceled or Unavailable.

Above a million calls ghz keeps the first million, for all but the counts and the average.

Source: bojand/ghz 0.93 and 0.121 `runner/reporter.go`, `runner/stats_handler.go`,
`runner/requester.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "ghz"
CONSTANTS: Final[Mapping[str, Any]] = {"correction": "none", "clock": "send-to-last-byte"}
KEPT: Final = 1_000_000
MAY_FILL: Final = (
    *("duration_s", "requests", "errors", "success_ratio", "throughput_rps", "goodput_rps"),
    *("latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_max_s"),
)
WHEN: Final[Mapping[str, str]] = {
    "errors": "where every call is OK",
    "throughput_rps": "where every call is OK",
    "goodput_rps": "where the statuses are printed",
    "success_ratio": "where the statuses are printed",
    "latency_mean_s": "where every call is OK",
}
_MIXED: Final = (
    "gRPC statuses other than OK come from server and client alike: how many calls had an answer "
    "is not known, and the average is of all calls, percentiles of those that are OK"
)


def add_counts(
    record: RunRecord, calls: int, rate: float | None, statuses: Mapping[str, int]
) -> bool:
    """Add the calls and what they ended with; whether every one is OK."""
    record.columns["requests"] = calls
    for status, count in statuses.items():
        record.figure(f"status {status}", "total", count, printed=str(count))
    fine = statuses.get("OK", 0) == calls and not record.errors
    if calls and statuses:
        add_success(record, min(statuses.get("OK", 0) / calls, 1.0), rate)
    if fine:
        record.columns["errors"] = 0
        if rate is not None and calls:
            record.columns["throughput_rps"] = rate
    else:
        record.notes.append(_MIXED)
        if rate is not None:
            record.figure("Requests/sec", "mean", rate, unit="1/s")
    if calls > KEPT:
        record.notes.append("ghz keeps the first million calls: percentiles are of these")
    return fine


def add_success(record: RunRecord, ratio: float, rate: float | None) -> None:
    """Add the share of calls that are OK, and how many of these there were a second."""
    record.columns["success_ratio"] = ratio
    if rate is not None:
        record.columns["goodput_rps"] = rate * ratio


def load_columns(connections: int | None, workers: int | None) -> dict[str, int]:
    """Return how many requests may be under way on how many connections, as columns.

    Workers share connections; where these cannot all have as many neither is known.
    """
    if not connections or not workers or workers % connections:
        return {}
    return {"connections": connections, "pipelining": workers // connections}
