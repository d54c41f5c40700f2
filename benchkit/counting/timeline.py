"""Slices of a run to the rows of `timeline`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.counting.distribution import bounds_of
from benchkit.counting.grouping import summed
from benchkit.counting.slices import (
    BIN_BITS,
    ENDED,
    OUTCOMES,
    RECEIVED,
    SLICE_PRECISION,
    SLOWEST,
    Slices,
    bin_within,
    kind_of,
    slice_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Whole


_SECOND: Final = 1_000_000_000
_MOST_ROWS: Final = 20_000  # beyond this, times without any event get no row
_QUANTILES: Final = {"latency_p50_s": 0.5, "latency_p90_s": 0.9, "latency_p99_s": 0.99}


def timeline(slices: Slices, *, has_status: bool) -> list[dict[str, Any]]:
    """Return rows of the table `timeline`, without `run_id`."""
    counted = slices.counts()
    if not slices.timed or not len(counted.keys):
        return []
    span_ns = max(_SECOND, slices.length_ns)
    origin = int(slice_of(counted.keys[:1])[0])
    columns = _Columns(counted, origin, span_ns // slices.length_ns)
    facts = {
        kind: _by_row(*slices.fact(kind), columns, largest=kind == SLOWEST)
        for kind in (ENDED, RECEIVED, SLOWEST)
    }
    quantiles = columns.quantiles()
    waiting, rows = 0, []
    known = sorted({*columns.sent, *facts[ENDED]})
    for at in range(known[-1] + 1) if known[-1] < _MOST_ROWS else known:
        sent = columns.sent.get(at, 0)
        waiting += sent - facts[ENDED].get(at, 0)
        row: dict[str, Any] = {"second": at * span_ns // _SECOND, "span_s": span_ns / _SECOND}
        row |= {"requests": sent, "in_flight": waiting}
        if has_status:
            row |= {"errors": columns.lost.get(at, 0), "http_errors": columns.failed.get(at, 0)}
        if facts[RECEIVED]:
            row["received_bytes"] = facts[RECEIVED].get(at, 0)
        if sent:
            top = facts[SLOWEST][at]
            row |= {name: min(ns, top) / 1e9 for name, ns in quantiles[at].items()}
            row["latency_max_s"] = top / 1e9
        rows.append(row)
    return rows


class _Columns:
    """Counts per row of the timeline, by the number of the row."""

    def __init__(self, counted: Slices, origin: int, per_row: int) -> None:
        self.origin, self.per_row = origin, per_row
        self._at = (slice_of(counted.keys) - origin) // per_row
        self._bins, self._counts = bin_within(counted.keys), counted.values
        kinds = kind_of(counted.keys)
        self.sent = self._sums(kinds >= 0)
        self.lost = self._sums(kinds == OUTCOMES.index("no-response"))
        self.failed = self._sums(kinds == OUTCOMES.index("http-error"))

    def _sums(self, chosen: npt.NDArray[np.bool_]) -> dict[int, int]:
        rows, total = summed(self._at[chosen], self._counts[chosen])
        return dict(zip(rows.tolist(), total.tolist(), strict=True))

    def quantiles(self) -> dict[int, dict[str, float]]:
        """Return quantiles in ns by row."""
        keys, counts = summed(self._at << BIN_BITS | self._bins, self._counts)
        at, bins = keys >> BIN_BITS, bin_within(keys)
        starts = np.flatnonzero(np.diff(at, prepend=at[0] - 1))
        upto = np.cumsum(counts)
        before = upto[starts] - counts[starts]
        total = np.diff(before, append=upto[-1])
        columns = []
        for q in _QUANTILES.values():
            ranks = np.ceil(q * total - 1e-9).astype(np.int64)
            where = np.searchsorted(upto, before + ranks)
            low, high = bounds_of(bins[where], precision=SLICE_PRECISION)
            columns.append(np.where(high - low == 1, low, (low + high) / 2).tolist())
        rows = zip(at[starts].tolist(), zip(*columns, strict=True), strict=True)
        return {row: dict(zip(_QUANTILES, values, strict=True)) for row, values in rows}


def _by_row(at: Whole, values: Whole, columns: _Columns, *, largest: bool) -> dict[int, int]:
    by_row: dict[int, int] = {}
    rows = (at - columns.origin) // columns.per_row
    for row, value in zip(rows.tolist(), values.tolist(), strict=True):
        before = by_row.get(row, 0)
        by_row[row] = max(before, value) if largest else before + value
    return by_row
