"""Slices of a run to the rows of `timeline` and the columns of `histogram`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.counting.slices import (
    ENDED,
    OTHER,
    OUTCOMES,
    RECEIVED,
    SLICE_PRECISION,
    SLOWEST,
    Slices,
    bin_within,
    endpoint_of,
    kind_of,
    relabelled,
    slice_of,
)
from benchkit.distribution import bounds_of

if TYPE_CHECKING:
    import numpy.typing as npt

    _Whole = npt.NDArray[np.int64]

#: Slices and cells of a run in the table `histogram`, and endpoints with rows of their own.
TABLE_SLICES: Final = 128
TABLE_CELLS: Final = 2**17
TABLE_ENDPOINTS: Final = 50
OTHERS: Final = "other"

_SECOND: Final = 1_000_000_000
_MOST_ROWS: Final = 20_000  # beyond this, times without any event get no row
_QUANTILES: Final = (
    ("latency_p50_s", 0.5),
    ("latency_p90_s", 0.9),
    ("latency_p99_s", 0.99),
)


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
    for at in _every(columns.sent, facts[ENDED]):
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


def histogram(
    slices: Slices, endpoints: Mapping[tuple[str | None, str | None], int]
) -> dict[str, Any]:
    """Return columns of the table `histogram`, without `run_id`: every request in one row."""
    counted = slices.counts()
    names, numbers = _endpoint_names(counted, endpoints)
    counted = relabelled(counted, numbers)
    found = counted.at_most(slices=TABLE_SLICES, cells=TABLE_CELLS, gaps=False)
    keys, counts = found.keys, found.values
    low, high = bounds_of(bin_within(keys), precision=SLICE_PRECISION)
    at = slice_of(keys)
    starts: Any = (at - at[:1]) * (found.length_ns / 1e9) if slices.timed else [None] * len(at)
    length = [found.length_ns / 1e9 if slices.timed else None] * len(at)
    outcomes = np.array([*(name or None for name in OUTCOMES)], object)
    return {
        "slice_start_s": starts,
        "slice_s": length,
        "endpoint": names[endpoint_of(keys)],
        "outcome": outcomes[kind_of(keys)],
        "latency_low_s": low / 1e9,
        "latency_high_s": high / 1e9,
        "count": counts,
    }


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
        rows, where = np.unique(self._at[chosen], return_inverse=True)
        total = np.zeros(len(rows), np.int64)
        np.add.at(total, where, self._counts[chosen])
        return dict(zip(rows.tolist(), total.tolist(), strict=True))

    def quantiles(self) -> dict[int, dict[str, float]]:
        """Return quantiles in ns by row."""
        order = np.lexsort((self._bins, self._at))
        at, bins, counts = self._at[order], self._bins[order], self._counts[order]
        starts = np.flatnonzero(np.diff(at, prepend=at[0] - 1))
        found = {}
        for start, stop in zip(starts, [*starts[1:], len(at)], strict=True):
            cumulated = np.cumsum(counts[start:stop])
            ranks = np.ceil(np.array([q for _, q in _QUANTILES]) * cumulated[-1] - 1e-9)
            where = np.searchsorted(cumulated, ranks)
            low, high = bounds_of(bins[start:stop][where], precision=SLICE_PRECISION)
            middle = np.where(high - low == 1, low, (low + high) / 2)
            names = (name for name, _ in _QUANTILES)
            found[int(at[start])] = dict(zip(names, middle.tolist(), strict=True))
        return found


def _by_row(at: _Whole, values: _Whole, columns: _Columns, *, largest: bool) -> dict[int, int]:
    found: dict[int, int] = {}
    rows = (at - columns.origin) // columns.per_row
    for row, value in zip(rows.tolist(), values.tolist(), strict=True):
        before = found.get(row, 0)
        found[row] = max(before, value) if largest else before + value
    return found


def _every(sent: Mapping[int, int], ended: Mapping[int, int]) -> Sequence[int]:
    last = max(*sent, *ended)
    return range(last + 1) if last < _MOST_ROWS else sorted({*sent, *ended})


def _endpoint_names(
    counted: Slices, endpoints: Mapping[tuple[str | None, str | None], int]
) -> tuple[npt.NDArray[np.object_], _Whole]:
    """Return the names of the busiest endpoints, and which is each one's by number."""
    total = np.bincount(endpoint_of(counted.keys), counted.values, minlength=OTHER + 1)
    named = {
        number: " ".join(part for part in pair if part) or None
        for pair, number in endpoints.items()
    }
    ordered = sorted(named, key=lambda number: (-total[number], named[number] or ""))
    kept = sorted(ordered[:TABLE_ENDPOINTS], key=lambda number: named[number] or "")
    numbers = np.full(OTHER + 1, len(kept), np.int64)
    numbers[kept] = np.arange(len(kept))
    return np.array([*(named[number] for number in kept), OTHERS], object), numbers
