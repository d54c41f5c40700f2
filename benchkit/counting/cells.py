"""The requests of one run by time slice, endpoint, outcome and latency, few enough to be shown.

What is counted while reading may have thousands of slices; this is what tables, checks and
figures look at: at most `TABLE_SLICES` slices from end to end, and the busiest endpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchkit.counting.distribution import Distribution, bin_of, bounds_of
from benchkit.counting.grouping import summed
from benchkit.counting.slices import (
    BIN_BITS,
    ENDPOINT_BITS,
    KIND_BITS,
    OTHER,
    OUTCOMES,
    SLICE_PRECISION,
    Slices,
    bin_within,
    endpoint_of,
    kind_of,
    relabelled,
    slice_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Floats, Whole


#: Slices and cells of a run in the table `histogram`, and endpoints with rows of their own.
TABLE_SLICES: Final = 128
TABLE_CELLS: Final = 2**17
TABLE_ENDPOINTS: Final = 50
OTHERS: Final = "other"


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts of requests; the arrays have one element per cell.

    Attributes:
        length_ns: Length of a slice; None where requests have no instant.
        slices: Number of the slice, from 0.
        endpoints: Place in `names`.
        names: Method and URL; None where the format tells neither.
        outcomes: Place in `OUTCOMES`.
        bins: Latency bin of `SLICE_PRECISION`.
        counts: Requests.
        early_s: By how much the first slice begins before the first request, where that is known.
    """

    length_ns: int | None
    slices: Whole
    endpoints: Whole
    names: Sequence[str | None]
    outcomes: Whole
    bins: Whole
    counts: Whole
    early_s: float = 0.0

    @classmethod
    def from_slices(
        cls, slices: Slices, endpoints: Mapping[tuple[str | None, str | None], int]
    ) -> Cells:
        """Return what was counted, neighbouring slices and rare endpoints put together."""
        counted = slices.counts()
        names, numbers = _endpoint_names(counted, endpoints)
        counted = relabelled(counted, numbers)
        fewer = counted.at_most(slices=TABLE_SLICES, cells=TABLE_CELLS, gaps=False)
        at = slice_of(fewer.keys)
        return cls(
            length_ns=fewer.length_ns if slices.timed else None,
            slices=at - at[:1],
            endpoints=endpoint_of(fewer.keys),
            names=names,
            outcomes=kind_of(fewer.keys),
            bins=bin_within(fewer.keys),
            counts=fewer.values,
        )

    @classmethod
    def of_columns(cls, columns: Mapping[str, npt.NDArray[Any]]) -> Cells:
        """Return the cells that columns of the table `histogram` tell; of texts None is missing."""
        lengths, starts = columns["slice_s"], columns["slice_start_s"]
        timed = not np.isnan(lengths).any()
        length_ns = round(float(lengths.max()) * 1e9) if timed and len(lengths) else None
        names, numbers = _numbered(columns["endpoint"].tolist())
        first = starts.min() if length_ns is not None else 0.0
        outcomes = [OUTCOMES.index(name or "") for name in columns["outcome"].tolist()]
        return cls(
            length_ns=length_ns,
            slices=np.rint((starts - first) * 1e9 / length_ns).astype(np.int64)
            if length_ns
            else np.zeros(len(starts), np.int64),
            endpoints=numbers,
            names=names,
            outcomes=np.array(outcomes, np.int64),
            bins=bin_of(
                np.rint(columns["latency_low_s"] * 1e9).astype(np.int64), precision=SLICE_PRECISION
            ),
            counts=columns["count"].astype(np.int64),
            early_s=-min(float(first), 0.0) if length_ns else 0.0,
        )

    def renamed(self, rename: Callable[[str], str]) -> Cells:
        """Return the same with other names; endpoints of one name then are one."""
        names = [name and rename(name) for name in self.names]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        if len(numbers) == len(names):
            return replace(self, names=names)
        endpoints = np.array([numbers[name] for name in names], np.int64)[self.endpoints]
        upper = (self.slices << KIND_BITS | self.outcomes) << ENDPOINT_BITS | endpoints
        keys, counts = summed(upper << BIN_BITS | self.bins, self.counts)
        return replace(
            self,
            slices=slice_of(keys),
            endpoints=endpoint_of(keys),
            names=[*numbers],
            outcomes=kind_of(keys),
            bins=bin_within(keys),
            counts=counts,
        )

    def table(self) -> dict[str, Any]:
        """Return columns of the table `histogram`, without `run_id`."""
        low, high = bounds_of(self.bins, precision=SLICE_PRECISION)
        timed, size = self.length_ns is not None, len(self.counts)
        length_s = (self.length_ns or 0) / 1e9
        return {
            "slice_start_s": self.slices * length_s - self.early_s if timed else [None] * size,
            "slice_s": [length_s if timed else None] * size,
            "endpoint": np.array(self.names, object)[self.endpoints],
            "outcome": np.array([name or None for name in OUTCOMES], object)[self.outcomes],
            "latency_low_s": low / 1e9,
            "latency_high_s": high / 1e9,
            "count": self.counts,
        }

    def distribution(self, outcome: str | None = None) -> Distribution:
        """Return the latencies of one outcome, or of all."""
        part = self if outcome is None else self._where(self.outcomes == OUTCOMES.index(outcome))
        return Distribution.of_bins(part.bins, part.counts, precision=SLICE_PRECISION)

    def since(self, number: int) -> Cells:
        """Return the cells of the slices from one on."""
        rest = self._where(self.slices >= number)
        return replace(rest, slices=rest.slices - number, early_s=0.0)

    def _where(self, chosen: npt.NDArray[np.bool_]) -> Cells:
        columns = ("slices", "endpoints", "outcomes", "bins", "counts")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})

    @cached_property
    def matrix(self) -> LatencyMatrix | None:
        """Time slices by latency bins; None where requests have no instant."""
        if self.length_ns is None or not len(self.counts):
            return None
        size = int(self.slices.max()) + 1
        distinct, column = np.unique(self.bins, return_inverse=True)

        def placed(counts: Whole) -> Whole:
            total = np.zeros((size, len(distinct)), np.int64)
            np.add.at(total, (self.slices, column), counts)
            return total

        answered = good = None
        if not (self.outcomes == OUTCOMES.index("")).any():
            answered = placed(self.counts * (self.outcomes != OUTCOMES.index("no-response")))
            good = placed(self.counts * (self.outcomes == OUTCOMES.index("success")))
        length_s = self.length_ns / 1e9
        return LatencyMatrix(
            np.asarray(length_s * np.arange(size) - self.early_s, np.float64),
            length_s,
            np.stack(bounds_of(distinct, precision=SLICE_PRECISION)).astype(np.float64) / 1e9,
            placed(self.counts),
            answered,
            good,
        )


@dataclass(frozen=True, slots=True)
class LatencyMatrix:
    """Requests of one run by time slice and latency bin.

    Attributes:
        starts_s: Start of each slice from the first send, ascending, without gaps; the first up to
            a slice before it, where that is known.
        length_s: Length of a slice.
        bins_s: Lower and upper bound of each bin (2 × bins), ascending.
        counts: Slices × bins, whatever came back.
        answered: Responses of any status, likewise; None where the format does not tell.
        good: Responses of status 200 to 399, likewise; None likewise.
    """

    starts_s: Floats
    length_s: float
    bins_s: Floats
    counts: Whole
    answered: Whole | None
    good: Whole | None

    def __len__(self) -> int:
        return len(self.starts_s)

    @property
    def middle_s(self) -> Floats:
        """Middle of each bin."""
        return np.asarray(self.bins_s.mean(axis=0))

    def at_most(self, most: int) -> LatencyMatrix:
        """Return the same with neighbours merged until there are at most so many slices."""
        together = -(-len(self) // most)
        if together == 1:
            return self
        firsts = np.arange(0, len(self), together)
        return LatencyMatrix(
            self.starts_s[firsts],
            self.length_s * together,
            self.bins_s,
            np.add.reduceat(self.counts, firsts, axis=0),
            None if self.answered is None else np.add.reduceat(self.answered, firsts, axis=0),
            None if self.good is None else np.add.reduceat(self.good, firsts, axis=0),
        )


def quantiles(
    counts: npt.NDArray[np.number], bins_s: Floats, wanted: Floats, *, smooth: bool = False
) -> Floats:
    """Return nearest-rank quantiles (columns) of each row of counts, in s: the middle of the bin.

    With `smooth` requests are taken to lie evenly within their bin, for what is redrawn: it then
    moves in smaller steps than the bins are wide. `bins_s` has a row of lower and one of upper
    bounds.
    """
    rows = np.atleast_2d(counts)
    cumulated = np.cumsum(rows, axis=1)
    total = cumulated[:, -1:]
    ranks = np.maximum(np.ceil(total * wanted - 1e-9 * np.maximum(total, 1)), 1)
    at = np.stack([np.searchsorted(c, r) for c, r in zip(cumulated, ranks, strict=True)])
    at = np.minimum(at, rows.shape[1] - 1)
    low, high = bins_s[0][at], bins_s[1][at]
    if not smooth:
        return np.asarray((low + high) / 2)
    inside = np.take_along_axis(rows, at, axis=1)
    before = np.take_along_axis(cumulated, at, axis=1) - inside
    share = (ranks - before - 0.5) / np.maximum(inside, 1)
    return np.asarray(low + (high - low) * np.clip(share, 0.0, 1.0))


def _numbered(names: Sequence[str | None]) -> tuple[list[str | None], Whole]:
    """Return each name once in order of appearance, and the number of each."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return [*numbers], np.array([numbers[name] for name in names], np.int64)


def _endpoint_names(
    counted: Slices, endpoints: Mapping[tuple[str | None, str | None], int]
) -> tuple[list[str | None], Whole]:
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
    return [*(named[number] for number in kept), OTHERS], numbers
