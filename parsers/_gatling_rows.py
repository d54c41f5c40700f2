"""What the requests in Gatling's logs mean.

The logs have no status: `OK`, or `KO` with a message. So codes stand for outcomes only: 200 for OK,
of an answer that a check refused the code in its message or 500, and 0 for what got no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from benchkit.errors import InputError
from benchkit.parsing import RequestBatch
from benchkit.schema import QUANTILE_COLUMNS

from . import _gatling

#: What stands for an answer that was as it should be, and for one that was not.
OK: Final = 200
KO: Final = 500

ROWS: Final[Mapping[str, Any]] = {
    "tool": _gatling.TOOL,
    "fills": (
        *("requests", "started_at", "duration_s", "wait_s", "errors", "success_ratio"),
        *("latency_min_s", "latency_mean_s", *QUANTILE_COLUMNS.values(), "latency_max_s"),
    ),
    "may_fill": ("latency_std_s", "throughput_rps", "goodput_rps"),
    "constants": _gatling.CONSTANTS,
    "detail": 5,
    "codes": False,
}


def status_of(message: str) -> int:
    """Return what stands for the outcome of a KO with a message."""
    status = _gatling.status_of(message)
    return KO if status is None or 0 < status < 400 else status


def with_requests(batches: Iterable[RequestBatch]) -> Iterator[RequestBatch]:
    """Yield the same; raises InputError where there is no request."""
    empty = True
    for batch in batches:
        empty = False
        yield batch
    if empty:
        raise InputError(
            "requests in the log of Gatling",
            actual="none",
            hint="the run sent nothing; see what it printed",
        )
