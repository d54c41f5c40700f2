"""Slices of a run to the rows of `timeline`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.counting.distribution import bounds_of
from benchkit.counting.grouping import firsts_of, summed
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
        kind: columns.fact(*slices.fact(kind), largest=kind == SLOWEST)
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
    """Counts per row of the timeline, by the number of the row.

    Cells are in the order of their slices, and so of rows: those of a row stand together.
    """

    def __init__(self, counted: Slices, origin: int, per_row: int) -> None:
        self.origin, self.per_row = origin, per_row
        self._at = (slice_of(counted.keys) - origin) // per_row
        self._bins, self._counts = bin_within(counted.keys), counted.values
        kinds = kind_of(counted.keys)
        self.sent = _by_row(self._at, self._counts)
        self.lost, self.failed = (
            _by_row(self._at, np.where(kinds == OUTCOMES.index(name), self._counts, 0))
            for name in ("no-response", "http-error")
        )

    def fact(self, at: Whole, values: Whole, *, largest: bool) -> dict[int, int]:
        """Return the sum of the values of slices, or the largest of them, by row."""
        return _by_row((at - self.origin) // self.per_row, values, largest=largest)

    def quantiles(self) -> dict[int, dict[str, float]]:
        """Return quantiles in ns by row."""
        keys, counts = summed(self._at << BIN_BITS | self._bins, self._counts)
        at, bins = keys >> BIN_BITS, bin_within(keys)
        starts = firsts_of(at)
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


def _by_row(ascending: Whole, values: Whole, *, largest: bool = False) -> dict[int, int]:
    """Return the sum of the values of each row, or the largest of them."""
    firsts = firsts_of(ascending)
    if not len(firsts):
        return {}
    combined = (np.maximum if largest else np.add).reduceat(values, firsts)
    return dict(zip(ascending[firsts].tolist(), combined.tolist(), strict=True))
