"""What the readers of Gatling's outputs share.

A response time goes from when a request is handed to the client to the last byte of its answer,
in whole milliseconds. `KO` is a request without an answer, or one of whose answer a check failed:
by default one with a status outside of 200 to 209 and 304. Both are in the column of all.
Percentiles are estimates of a t-digest; the rate divides by whole seconds, rounded up.

Source: Gatling 3.11.5 and 3.15.0 `charts/.../stats/GeneralStats.scala`, `StatsHelper.scala`,
`charts/report/*.scala`; `http/.../engine/response/ResponseProcessor.scala`, `StatsProcessor.scala`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import RunRecord
from benchkit.schema import QUANTILE_COLUMNS

TOOL: Final = "gatling"
#: What follows from the tool alone; users arrive as the script says, or are as many as it says.
CONSTANTS: Final[Mapping[str, Any]] = {
    "correction": "none",
    "resolution_s": 1e-3,
    "clock": "connect-to-last-byte",
}
LATENCIES: Final = ("latency_min_s", "latency_mean_s", "latency_std_s", "latency_max_s")
#: What the parsers of a summary declare alike.
SUMMARY: Final[Mapping[str, Any]] = {
    "tool": TOOL,
    "rank": None,
    "constants": CONSTANTS,
    "fills": ("requests",),
    "step_s": lambda _: 1e-3,
}
MAY_FILL: Final = (
    *("errors", "success_ratio", "throughput_rps", "goodput_rps"),
    *(*LATENCIES, *QUANTILE_COLUMNS.values()),
)
WHEN: Final = {"errors": "where none is KO, or the errors tell it"}

#: The message of a check of the status: `status.find.in(200), found 404`, in 2.x and 3.0
#: `status.find.is(200), but actually found 404`.
_STATUS: Final = re.compile(r"status\.find\.[^\n]{0,80}?found ([1-5][0-9]{2})\b")
#: An exception with the packages of its class cut down to letters, `j.n.ConnectException: …`.
_EXCEPTION: Final = re.compile(r"(?>(?:[\w$]++\.)*)[\w$]*(?:Exception|Error)(?:: |\s*$)")
_CHECK: Final = re.compile(r"[\w.]++\(.*\)\.find|\w++\.find")


def status_of(message: str) -> int | None:
    """Return the status that the message of a KO tells: 0 for no answer, None if it does not."""
    matched = _STATUS.search(message)
    if matched is not None:
        return int(matched[1])
    return 0 if _EXCEPTION.match(message) and not _CHECK.match(message) else None


def fill_errors(record: RunRecord, messages: Mapping[str, int], failed: int) -> None:
    """Add the errors, and how many got no answer where every message tells it."""
    record.errors = dict(messages)
    statuses = {message: status_of(message) for message in messages}
    if sum(messages.values()) == failed and None not in statuses.values():
        record.columns["errors"] = sum(n for text, n in messages.items() if statuses[text] == 0)


def fill_counts(record: RunRecord, requests: int, failed: int) -> bool:
    """Add the counts; return whether latencies and rate mean something.

    The errors are filled before, where they are known.
    """
    record.columns["requests"] = requests
    record.figure("KO", "total", failed, printed=str(failed))
    if not failed:
        record.columns["errors"] = 0
    if requests:
        record.columns["success_ratio"] = max(requests - failed, 0) / requests
    lost = record.columns.get("errors")
    if requests and lost == requests:
        record.notes.append("no request was answered: rate and latencies stand for nothing")
        return False
    if requests and failed == requests and lost is None:
        record.notes.append(
            "all requests are KO, and nothing tells whether any was answered: rate and latencies "
            "are left out"
        )
        return False
    if lost is None:
        record.notes.append(
            f"{failed:,} of {requests:,} requests are KO; the rate counts them, answered or not"
        )
    return requests > 0


def fill_rates(record: RunRecord, rate: float) -> None:
    """Add the rates of answers, and of those that are OK, by that of requests."""
    requests, lost = record.columns["requests"], record.columns.get("errors") or 0
    record.columns["throughput_rps"] = rate * (requests - lost) / requests
    record.columns["goodput_rps"] = rate * record.columns["success_ratio"]
