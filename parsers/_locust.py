"""What the readers of Locust's outputs share.

A response time is the time of a task's request, redirects included, to the end of its body; of a
request that got no answer, the time until it was given up. All are in the latencies. A failure
is a request without an answer, a status from 400 on, or what the script calls one.

For percentiles response times are kept rounded: to a millisecond below 100 ms, to two digits
above. Of n of them a percentile q is that with 0-based index int(n*q).

Source: locust 2.47.0 `stats.py` (bucket_response_time, calculate_response_time_percentile,
StatsEntry), `clients.py` (HttpSession.request).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord
from benchkit.schema import QUANTILE_COLUMNS

TOOL: Final = "locust"
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": 1e-3,
    "clock": "connect-to-last-byte",
}
LATENCIES: Final = ("latency_min_s", "latency_mean_s", "latency_max_s")
QUANTILES: Final = tuple(QUANTILE_COLUMNS.values())
#: The consoles cut these off to a millisecond.
STEPS: Final = dict.fromkeys(LATENCIES, 2e-3)

_STATUS: Final = re.compile(r"HTTPError\(['\"]([1-5][0-9]{2}) ")
_TIMEOUT: Final = re.compile(r"(?=\w++\()\w*?Timed?[oO]ut")
#: Exceptions of a script's own, which may be raised for an answer.
_OF_SCRIPT: Final = re.compile(r"(?:CatchResponseError|HTTPError|Exception|BadStatusCode)\(")
_EXCEPTION: Final = re.compile(r"(?>(?:\w++\.)*)\w*(?:Error|Timeout|Disconnected|Exception)\(")
_METHOD: Final = re.compile(r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)")
RATES: Final = ("success_ratio", "throughput_rps", "goodput_rps")


def rank(quantile: float, n: int) -> int:
    """Return the rank at which Locust reads a percentile of n response times."""
    return min(int(n * quantile + 1e-9), n - 1)


def step_s(seconds: float) -> float:
    """Return the step to which a percentile of that size is rounded."""
    step = 1e-3
    while seconds >= 100 * step and step < 1:
        step *= 10
    return step


def fill_counts(
    record: RunRecord, requests: int, failed: int, *, answered: bool | None = None
) -> bool:
    """Add the counts; return whether latencies and rate mean something.

    `answered` tells whether any request was, where that is known.
    """
    record.columns["requests"] = requests
    record.figure("failures", "total", failed, printed=str(failed))
    if requests:
        record.columns["success_ratio"] = max(requests - failed, 0) / requests
    if not requests:
        record.notes.append("no request was made: the other figures stand for nothing")
        return False
    if answered is False:
        record.notes.append("no request was answered: rate and latencies stand for nothing")
        return False
    if failed >= requests and answered is None:
        record.notes.append(
            "all requests failed, and nothing tells whether any was answered: rate and latencies "
            "are left out"
        )
        return False
    if failed and answered is None:
        record.notes.append(
            f"{failed:,} of {requests:,} requests failed; the rate counts them, answered or not"
        )
    elif not failed:
        record.columns |= {"errors": 0, "non2xx": 0}
    return True


def fill_rates(record: RunRecord, rate: float) -> None:
    """Add what follows from how many requests a second there were, answered or not."""
    lost, requests = record.columns.get("errors"), record.columns["requests"]
    record.columns["throughput_rps"] = rate * (requests - lost) / requests if lost else rate
    record.columns["goodput_rps"] = rate * record.columns["success_ratio"]


def fill_failures(record: RunRecord, failures: Mapping[str, int], failed: int) -> None:
    """Add the failures, and what came back where every one of them tells that."""
    record.errors = {text: n for text, n in failures.items() if n}
    if sum(failures.values()) != failed:
        return
    lost = timeouts = refused = 0
    for text, count in failures.items():
        message = (text.partition(": ")[2] or text).strip('"')
        if _STATUS.match(message):
            refused += count
        elif _EXCEPTION.match(message) and not _OF_SCRIPT.match(message):
            lost += count
            timeouts += count if _TIMEOUT.match(message) else 0
        else:
            return
    record.columns |= {"errors": lost, "timeouts": timeouts, "non2xx": refused}


def fill_method(record: RunRecord, kinds: set[str]) -> None:
    """Add the method, where all endpoints have the same."""
    if len(kinds) == 1 and _METHOD.fullmatch(kind := next(iter(kinds))):
        record.columns["method"] = kind
