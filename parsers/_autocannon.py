"""What autocannon's JSON and its table have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.errors import InputError

TOOL: Final = "autocannon"

#: Latencies are cut off to whole milliseconds before they are recorded, and run
#: from the write of a request to the last byte of its response.
#: Source: autocannon 9.0 `lib/pipelinedRequestsQueue.js`, `lib/run.js`.
CONSTANTS: Final[Mapping[str, Any]] = {"resolution_s": 1e-3, "clock": "send-to-last-byte"}

#: Columns that JSON and tables may fill.
MAY_FILL: Final = (
    *("url", "duration_s", "threads", "connections", "pipelining"),
    *("requests", "errors", "timeouts", "non2xx", "received_bytes"),
    *("goodput_rps", "success_ratio"),
    *("latency_min_s", "latency_mean_s", "latency_std_s", "latency_max_s"),
    *("latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_p99_s", "latency_p999_s"),
)

NO_SAMPLE: Final = "no latency was recorded: the zeros printed for it are no measurement"


def opened_connections(connections: int, workers: int) -> int:
    """Return the number of connections that are really opened.

    With workers each opens the whole part of its share, at least one.

    Source: autocannon 9.0 `lib/manager.js`.
    """
    return max(connections // workers, 1) * workers if workers > 0 else connections


def count_errors(total: int, timeouts: int | None) -> dict[str, int | None]:
    """Return the errors by kind; autocannon tells only timeouts apart.

    Raises:
        InputError: there are more timeouts than errors.
    """
    if timeouts is None:
        return {"errors": total} if total else {}
    if timeouts > total:
        raise InputError("as many errors as timeouts at least", actual=f"{total} and {timeouts}")
    kinds: dict[str, int | None] = {"timeouts": timeouts, "other errors": total - timeouts}
    return {kind: count for kind, count in kinds.items() if count}


def as_expected(good: int, answered: int, mismatches: int) -> int | None:
    """Return the good answers whose body was the expected one (`-E`), which the others fail.

    None where statuses are bad, too: which answers had the wrong body is not printed.

    Source: autocannon 8.0 `lib/httpClient.js`: bodies are compared whatever the status.
    """
    if not mismatches:
        return good
    return max(good - mismatches, 0) if good == answered else None


def sampled_note(interval_s: float) -> str:
    """Return the note on Req/Sec that was not sampled once per second."""
    return (
        f"autocannon counted every {interval_s:g} s and prints these counts as Req/Sec and "
        "Bytes/Sec; the throughput is the count divided by that interval"
    )
