"""What fortio's figures mean, in text and JSON.

A latency is the time of one call as its thread sees it, with connecting where a new connection was
needed; calls that failed have one, too. Count, mean, deviation, minimum and maximum are of
every call in nanoseconds; percentiles are interpolated within the buckets of a histogram, whose
smallest are a millisecond wide unless -r is given. The buckets of `Error cases` are among the
others. Calls before the run, one per thread, are not counted.

Each thread sends one request after the other, at the rate of -qps over the number of threads (8 a
second are the default). One that is late sends at once, until it has caught up: latencies are from
the sending, and waiting is in none. With -nocatchup what is due while one waits is not
sent.

fortio's own HTTP client sends a request again, once, when a connection that it used before turns
out to be closed.

Source: fortio/fortio 1.68.0 `periodic/periodic.go`, `stats/stats.go`, `fhttp/httprunner.go`,
`fhttp/http_client.go` (RetryOnce, SocketError).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "fortio"
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "clock": "connect-to-last-byte",
}
LATENCIES: Final = (
    *("latency_min_s", "latency_mean_s", "latency_std_s", "latency_p50_s", "latency_p75_s"),
    *("latency_p90_s", "latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s"),
)
MAY_FILL: Final = (
    *("tool_version", "url", "threads", "connections", "offered_rate_rps", "duration_s"),
    *("requests", "errors", "non2xx", "throughput_rps", "goodput_rps", "success_ratio"),
    *LATENCIES,
)
#: Of a percentile within a bucket of the usual width.
STEPS: Final[Mapping[str, float]] = dict.fromkeys(
    (column for column in LATENCIES if column.startswith("latency_p")), 1e-3
)
WHEN: Final[Mapping[str, str]] = {
    "offered_rate_rps": "unless it is the most that goes",
    "non2xx": "of HTTP",
    "goodput_rps": "of HTTP",
    "success_ratio": "of HTTP",
    "latency_p95_s": "with -p",
}
#: The code of a call without a response.
_NO_RESPONSE: Final = -1
_SKIPPED: Final = "requests that were due while a thread waited were not sent (-nocatchup)"


def add_codes(record: RunRecord, calls: int, rate: float | None, codes: Mapping[int, int]) -> None:
    """Add what follows from the HTTP codes of all calls, and from the rate of these.

    Codes that are not as many as the calls tell nothing of the rest.
    """
    record.columns["requests"] = calls
    record.statuses = {code: n for code, n in codes.items() if code > 0}
    if sum(codes.values()) != calls:
        if codes:
            record.damaged("the codes are not as many as the calls: some are missing")
        return
    errors = sum(n for code, n in codes.items() if code <= 0)
    good = sum(n for code, n in codes.items() if 200 <= code < 400)
    record.columns |= {
        "errors": errors,
        "non2xx": sum(n for code, n in record.statuses.items() if not 200 <= code < 300),
    }
    if calls:
        record.columns["success_ratio"] = good / calls
        if rate is not None:
            record.columns["throughput_rps"] = rate * ((calls - errors) / calls)
            record.columns["goodput_rps"] = rate * (good / calls)


def add_other_codes(
    record: RunRecord, calls: int, rate: float | None, codes: Mapping[str, int]
) -> None:
    """Add what the codes of calls that are no HTTP tell: `SERVING` and `OK` are answers."""
    record.columns["requests"] = calls
    for code, n in codes.items():
        record.figure(code, "total", n, printed=str(n))
    if sum(codes.values()) != calls:
        return
    answered = sum(n for code, n in codes.items() if code in _ANSWERS)
    if answered == calls:
        record.columns["errors"] = 0
        if rate is not None:
            record.columns["throughput_rps"] = rate


_ANSWERS: Final = frozenset({"OK", "SERVING", "NOT_SERVING", "UNKNOWN", "SERVICE_UNKNOWN"})


def without_answer(record: RunRecord) -> bool:
    """Whether no call had an answer; says so."""
    calls = record.columns.get("requests")
    none = calls is not None and calls == record.columns.get("errors") and calls > 0
    if none:
        record.notes.append("no answer: the latencies in the output are those of failed calls")
    return none


def note_skipped(record: RunRecord) -> None:
    """Say that the rate was not asked for throughout."""
    record.notes.append(_SKIPPED)
