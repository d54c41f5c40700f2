"""Rows that cannot be: left out where they are few, refused where they are many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from benchkit.errors import InputError
from benchkit.parsing import RequestBatch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: More than any size, or number of a result.
_MOST: Final = 2**62
#: A file with more impossible rows than one in so many is no file of results.
_TOLERATED: Final = 1000


def checked(batches: Iterable[RequestBatch], *, tool: str) -> Iterator[RequestBatch]:
    """Yield batches without rows that cannot be: latency below 0, no such status or time.

    Raises:
        InputError: more than one row in a thousand is impossible.
    """
    total = odd = 0
    batch = failure = None
    remaining = iter(batches)
    while failure is None:
        try:
            batch = next(remaining)
        except StopIteration:
            break
        except InputError as error:
            failure = error
            continue
        total += len(batch)
        if not _all_possible(batch):
            good = _possible(batch)
            odd += len(batch) - int(good.sum())
            batch = batch.where(good)
        yield batch
    if batch is not None and odd:
        yield replace(batch.since(len(batch)), notes=[_note(odd)])
    if failure is not None:
        raise failure
    if odd * _TOLERATED > total:
        raise InputError(
            "latencies of 0 and more, status codes up to 999, times, sizes and numbers",
            actual=f"{odd:,} of {total:,} results without",
            hint=f"the file is damaged, or is no result of {tool}",
        )


def _note(count: int) -> str:
    what = "result was" if count == 1 else "results were"
    return (
        f"{count:,} {what} left out: latency below 0, or no possible status, time, size or number"
    )


def _all_possible(batch: RequestBatch) -> bool:
    """Whether no row needs a look of its own; as unsigned numbers those below 0 are the largest."""
    if not len(batch):
        return True
    slowest = int(batch.latency_ns.view("u8").max())
    latest = 0 if batch.started_ns is None else int(batch.started_ns.view("u8").max())
    if batch.started_ns is not None and int(batch.started_ns.min()) < _earliest(batch):
        return False  # a result without a time
    highest = 0 if batch.status is None else int(batch.status.view("u4").max())
    most = max((int(values.view("u8").max()) for values in _sizes(batch)), default=0)
    return highest <= 999 and max(slowest, latest, slowest + latest) < 2**63 and most < _MOST


def _possible(batch: RequestBatch) -> npt.NDArray[np.bool_]:
    good: npt.NDArray[np.bool_] = batch.latency_ns >= 0
    if batch.status is not None:
        good &= (batch.status >= 0) & (batch.status <= 999)
    if batch.started_ns is not None:
        # The end of a request must be an instant too.
        latest = 2**63 - 1 - batch.latency_ns
        good &= (batch.started_ns >= _earliest(batch)) & (batch.started_ns <= latest)
    for values in _sizes(batch):
        good &= (values >= 0) & (values < _MOST)
    return good


def _earliest(batch: RequestBatch) -> int:
    """Return the first instant that there is: 0 ns since 1970 is none."""
    return 0 if batch.started_relative else 1


def _sizes(batch: RequestBatch) -> list[npt.NDArray[np.int64]]:
    columns = (batch.received_bytes, batch.sent_bytes, batch.seq)
    return [values for values in columns if values is not None]
