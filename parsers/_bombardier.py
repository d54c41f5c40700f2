"""What bombardier's figures mean, in text and JSON.

A latency is the time from before a request is handed to the client until the last byte of its
body, with what came between: resolving, connecting. Requests that failed have one, too; it is cut
off to whole microseconds. bombardier has no minimum, and its deviation of latencies
is none: it counts each distinct latency once, however many requests had it.

`Reqs/sec` is of samples of about 20 ms: its mean weighs the last of them, which may be
short, like any other.

The client that it uses by default, fasthttp, sends an idempotent request again when
its connection broke or its answer timed out, up to five times: what is counted as failed is what
is left after that, and the latency of what was repeated includes every try.

Source: codesenberg/bombardier 2.0.2 `bombardier.go` (writeStatistics, recordRps), `clients.go`,
`internal/test_info.go` (LatenciesStats, RequestsStats); valyala/fasthttp 1.59 `client.go`
(HostClient.Do).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord

TOOL: Final = "bombardier"
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": 1e-6,
    "clock": "connect-to-last-byte",
}
COUNTS: Final = ("requests", "errors", "timeouts", "non2xx", "goodput_rps", "success_ratio")
LATENCIES: Final = (
    *("latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_p95_s"),
    *("latency_p99_s", "latency_max_s"),
)
WHEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(LATENCIES[1:-1], "-l"),
    "errors": "those that are left where the default client repeats requests",
}


def rank(quantile: float, n: int) -> int:
    """Return the rank, from 0, at which bombardier reads a quantile: the nearest, half up."""
    return min(max(math.floor(quantile * n + 0.5) - 1, 0), n - 1)


def add_counts(record: RunRecord, classes: Mapping[int, int], others: int) -> int:
    """Add what follows from the responses per class of status, and what had none.

    Returns the number of responses. An error whose request has a status, as where a body breaks
    off, is not among `others`.
    """
    answered = sum(classes.values())
    good = classes[2] + classes[3]
    known = [count or 0 for count in record.errors.values()]
    record.columns |= {
        "requests": answered + others,
        "errors": others,
        "non2xx": answered - classes[2],
    }
    if sum(known) == others and None not in record.errors.values():
        late = (n or 0 for text, n in record.errors.items() if _is_timeout(text))
        record.columns["timeouts"] = sum(late)
    if answered + others:
        record.columns["success_ratio"] = good / (answered + others)
    for number, count in classes.items():
        record.figure(f"{number}xx", "total", count, printed=str(count))
    return answered


def add_rates(record: RunRecord, throughput: float, classes: Mapping[int, int]) -> None:
    """Add the throughput, and of it the goodput."""
    answered = sum(classes.values())
    record.columns["throughput_rps"] = throughput
    good = (classes[2] + classes[3]) / answered if answered else 0.0
    record.columns["goodput_rps"] = throughput * good


def note_no_answer(record: RunRecord) -> None:
    """Say why there is no latency."""
    record.notes.append("no answer: the latencies in the output are those of failed requests")


def _is_timeout(text: str) -> bool:
    # fasthttp: `timeout`, `dialing to the given TCP address timed out`; Go: `Client.Timeout …`.
    lowered = text.lower()
    return "timeout" in lowered or "timed out" in lowered or "deadline exceeded" in lowered
