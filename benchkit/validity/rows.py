"""The requests of one run as arrays of bounded size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.errors import MissingError

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats, Whole
    from benchkit.model.run import Run
    from benchkit.parsing import RequestBatch


#: Runs with more requests are not read a second time for a check.
MOST_ROWS: Final = 500_000


def requests_of(
    run: Run, batches: Iterable[RequestBatch] | None = None
) -> tuple[Whole, Whole, Floats]:
    """Read the requests of a run: numbers in its attack, instants of sending in ns, latencies in s.

    `batches` are the same as `run.requests` reads, where those were kept.

    Raises:
        MissingError: there is no row per request with number and time, or there are more than
            `MOST_ROWS`.
    """
    from benchkit.counting.sends import sends_of

    count = run.get("requests")
    if run.requests is None:
        raise MissingError("no row per request")
    if count is not None and count > MOST_ROWS:
        raise MissingError(
            f"{show.count(count)} requests; rows are read again up to {show.count(MOST_ROWS)}"
        )
    sends = run.requests.kept if batches is None else None
    sends = sends or sends_of(run.requests.batches() if batches is None else batches)
    if sends is None:
        raise MissingError("no number and time of each request")
    if not len(sends.seq):
        raise MissingError("no row per request")
    return sends.seq, sends.started_ns, sends.latency_ns / 1e9


def bins_of(run: Run) -> tuple[Floats, Whole]:
    """Return the middles of the bins of all latencies in s, ascending, and their counts.

    Raises:
        MissingError: there is no row per request.
    """
    import numpy as np

    from benchkit.counting.distribution import bounds_of

    whole = run.distribution
    if whole is None or not whole.count:
        raise MissingError("no row per request")
    low, high = bounds_of(whole.bins, precision=whole.precision)
    # A bin of one nanosecond holds one value, its lower bound.
    return np.where(high - low == 1, low, (low + high) / 2) / 1e9, whole.counts
