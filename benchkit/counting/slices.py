"""Requests by time slice, endpoint, outcome and coarse latency bin: sparse, merged by addition.

A cell is one number, its key, and a count. Slices are cut at multiples of their
length since 1970, so cells of other chunks, processes and machines fall into the
same ones: merging is addition, in any order. They begin at 1/16 s; where there are
too many, neighbours are merged, and what is left depends on the requests alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.distribution import bin_of
from benchkit.counting.gathering import gathered
from benchkit.counting.grouping import firsts_of
from benchkit.counting.merging import halved, merged

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Whole


#: log2 of the bins per power of two within a slice; a bin is 1/64 of its lower bound wide.
SLICE_PRECISION: Final = 6
#: Bound on the relative error of a quantile of a slice.
SLICE_ERROR: Final = 2.0 ** -(SLICE_PRECISION + 1)
#: Length of the finest slices.
FINEST_NS: Final = 62_500_000
#: Slices that are kept of a run, and cells of them.
MOST_SLICES: Final = 4096
MOST_CELLS: Final = 2**20
#: Endpoints that are told apart; the last number stands for all others.
ENDPOINTS: Final = 127
OTHER: Final = ENDPOINTS

#: Requests further apart than this are of two runs, or one of their times is damaged.
DAY_NS: Final = 86_400 * 10**9
#: Up to one request in so many may stand alone; of fewer one in ten, at most these.
_STRAY_FROM: Final = 1000
_FEW, _MOST_FEW = 10, 3

# A key, from its lowest bits: bin, endpoint, kind, slice.
BIN_BITS: Final = 12
ENDPOINT_BITS: Final = 7
KIND_BITS: Final = 3
KINDS: Final = (1 << KIND_BITS) - 1
_KIND_AT: Final = BIN_BITS + ENDPOINT_BITS
SLICE_AT: Final = _KIND_AT + KIND_BITS

# Kinds: the four outcomes count requests, the others are facts of a slice.
OUTCOMES: Final = ("success", "http-error", "no-response", "")
ENDED: Final = 4  # requests that ended in the slice
RECEIVED: Final = 5  # bytes that came for the requests sent in the slice
SLOWEST: Final = 6  # the largest latency among them: the greater wins

#: A mask of keys, and what stands under it where the greatest value counts and not the sum.
_LARGEST_COUNTS: Final = (KINDS << _KIND_AT, SLOWEST << _KIND_AT)

#: More bytes than any response has: what is damaged must not make a sum overflow.
MOST_BYTES: Final = 2**40
MOST_DOUBLINGS: Final = 38  # all of time in one slice


@dataclass
class Slices:
    """Cells of one run.

    Attributes:
        doublings: How often neighbouring slices were merged.
        keys: Keys in ascending order.
        values: Count, sum or maximum per key.
        timed: Whether the format tells when requests were sent; else all is slice 0.
    """

    doublings: int = 0
    keys: Whole = field(default_factory=lambda: np.empty(0, np.int64))
    values: Whole = field(default_factory=lambda: np.empty(0, np.int64))
    timed: bool = True

    @property
    def length_ns(self) -> int:
        """Length of a slice."""
        return FINEST_NS << self.doublings

    def __add__(self, other: Slices) -> Slices:
        return Slices.total([self, other])

    @classmethod
    def total(cls, parts: list[Slices]) -> Slices:
        """Return all cells of some parts, as fine as there may be so many.

        The list is emptied, so that nothing is there twice for long.
        """
        doublings = max(part.doublings for part in parts)
        timed = all(part.timed for part in parts)
        there = [part for part in parts if len(part.keys)]
        parts.clear()
        if not there:
            return cls(doublings, timed=timed)
        # Slices are counted before cells are sorted: most often they alone are too many.
        slices = np.concatenate([part.distinct >> (doublings - part.doublings) for part in there])
        slices.sort()
        more = doublings + _doublings(slices[firsts_of(slices)], MOST_SLICES)
        cells = [(part.keys, part.values) for part in (part.coarser(more) for part in there)]
        del there
        while len(cells) > 1:  # in pairs, so that of many parts none is looked at very often
            cells = [_merged(*cells[at : at + 2]) for at in range(0, len(cells), 2)]
        total = cls(more, *cells.pop(), timed=timed)
        return total.at_most(slices=MOST_SLICES, cells=MOST_CELLS)

    @classmethod
    def from_cells(cls, like: Slices, keys: Whole, values: Whole) -> Slices:
        """Return cells in any order, some of them in parts, in slices as long as others."""
        return cls(like.doublings, *_added(keys, values), timed=like.timed)

    def coarser(self, doublings: int) -> Slices:
        """Return the same with slices merged until they are FINEST_NS * 2**doublings long."""
        if doublings <= self.doublings:
            return self
        keys, values = self.keys, self.values
        for times in range(doublings - self.doublings, 0, -1):
            quickly = halved((keys, values), SLICE_AT, *_LARGEST_COUNTS)
            if quickly is None:
                keys, values = _added(_coarser(keys, times), values)
                break
            keys, values = quickly
        return Slices(doublings, keys, values, timed=self.timed)

    def at_most(self, *, slices: int, cells: int, gaps: bool = True) -> Slices:
        """Return the same with neighbours merged until no more slices and cells are left.

        Without gaps, also slices in which nothing happened count.
        """
        merged = self.coarser(self.doublings + _doublings(self.distinct, slices, gaps=gaps))
        while merged.doublings < MOST_DOUBLINGS and len(merged.keys) > cells:
            merged = merged.coarser(merged.doublings + 1)
        return merged

    @cached_property
    def distinct(self) -> Whole:
        """Each slice in which something happened, in ascending order."""
        slices = slice_of(self.keys)
        return slices[firsts_of(slices)]

    def counts(self) -> Slices:
        """Return the cells that count requests, without the facts of slices."""
        chosen = kind_of(self.keys) < ENDED
        return Slices(self.doublings, self.keys[chosen], self.values[chosen], timed=self.timed)

    def untimed(self) -> Slices:
        """Return the counts of requests without their times, as a format without instants has."""
        counts = self.counts()
        keys = counts.keys & ((1 << SLICE_AT) - 1)
        return Slices(0, *_added(keys, counts.values), timed=False)

    def astray(self) -> tuple[Slices, int]:
        """Return the same without requests sent far from all others, and how many these are.

        Nobody sends one request in a thousand, or two in all, a day or more from the rest: these
        times are damaged. Those of more requests are not.
        """
        if not self.timed or not len(self.keys):
            return self, 0
        first, last = slice_of(self.keys[[0, -1]]).tolist()
        if (last - first) * self.length_ns <= DAY_NS:  # as all but a few have it
            return self, 0
        counts = self.counts()
        at = slice_of(counts.keys)
        cuts = np.flatnonzero(np.diff(at) > DAY_NS // self.length_ns) + 1
        if not len(cuts):
            return self, 0
        firsts = np.concatenate([[0], cuts])
        sizes = np.add.reduceat(counts.values, firsts)
        main, total = int(sizes.argmax()), int(sizes.sum())
        strays = total - int(sizes[main])
        if strays > max(total // _STRAY_FROM, min(total // _FEW, _MOST_FEW)):
            return self, 0
        ends = np.append(cuts, len(at)) - 1
        near = slice_of(self.keys)
        kept = (near >= at[firsts[main]]) & (near <= at[ends[main]] + DAY_NS // self.length_ns)
        return Slices(self.doublings, self.keys[kept], self.values[kept]), strays

    def fact(self, kind: int) -> tuple[Whole, Whole]:
        """Return the slices that have a fact, and it."""
        chosen = kind_of(self.keys) == kind
        return slice_of(self.keys[chosen]), self.values[chosen]

    def between(self, start_ns: int, stop_ns: int) -> tuple[int, dict[str, int]]:
        """Return how many whole slices lie between two instants, and the requests sent in them.

        The instants are since 1970; the requests are by what came back.
        """
        first, stop = -(-start_ns // self.length_ns), stop_ns // self.length_ns
        at, kinds = slice_of(self.keys), kind_of(self.keys)
        inside = (at >= first) & (at < stop)
        sent = {
            name: int(self.values[inside & (kinds == kind)].sum())
            for kind, name in enumerate(OUTCOMES)
        }
        return max(stop - first, 0), sent

    @classmethod
    def from_requests(
        cls,
        latency_ns: Whole,
        *,
        started_ns: Whole | None,
        kinds: npt.NDArray[np.integer],
        endpoints: Whole,
        received: Whole | None,
        repeats: Whole | None = None,
        doublings: int = 0,
    ) -> Slices:
        """Return the cells of some requests, in slices of FINEST_NS * 2**doublings.

        `started_ns` is since 1970; of each request `kinds` has its place in OUTCOMES, `endpoints`
        0 to OTHER; `repeats` says for how many requests a row stands, None for one each.
        """
        low = (kinds << _KIND_AT) | (endpoints << BIN_BITS)
        low |= bin_of(latency_ns, precision=SLICE_PRECISION)
        times = np.ones_like(low) if repeats is None else repeats
        if started_ns is None:
            return cls(0, *_added(low, times), timed=False)
        length = FINEST_NS << doublings
        begin, end = started_ns // length, (started_ns + latency_ns) // length
        keys, values = [begin << SLICE_AT | low], [times]
        keys.append(end << SLICE_AT | ENDED << _KIND_AT)
        values.append(times)
        keys.append(begin << SLICE_AT | SLOWEST << _KIND_AT)
        values.append(latency_ns)
        if received is not None:
            keys.append(begin << SLICE_AT | RECEIVED << _KIND_AT)
            values.append(np.clip(received, 0, MOST_BYTES))
        cells = [_added(key, value) for key, value in zip(keys, values, strict=True)]
        parts = (np.concatenate(part) for part in zip(*cells, strict=True))
        total = cls(doublings, *_added(*parts))
        return total.at_most(slices=MOST_SLICES, cells=MOST_CELLS)


def slice_of(keys: Whole) -> Whole:
    """Return the slice of each key, in lengths of a slice since 1970."""
    return keys >> SLICE_AT


def kind_of(keys: Whole) -> Whole:
    """Return the kind of each key."""
    return keys >> _KIND_AT & KINDS


def endpoint_of(keys: Whole) -> Whole:
    """Return the endpoint of each key."""
    return keys >> BIN_BITS & ((1 << ENDPOINT_BITS) - 1)


def bin_within(keys: Whole) -> Whole:
    """Return the latency bin of each key."""
    return keys & ((1 << BIN_BITS) - 1)


def relabelled(slices: Slices, numbers: Whole) -> Slices:
    """Return the same with other numbers for its endpoints; several may become one."""
    old = endpoint_of(slices.keys)
    new = numbers[old]
    change = (new - old) << BIN_BITS
    change[kind_of(slices.keys) >= ENDED] = 0
    if not change.any():
        return slices
    return Slices(
        slices.doublings, *_added(slices.keys + change, slices.values), timed=slices.timed
    )


def _doublings(slices: Whole, most: int, *, gaps: bool = True) -> int:
    """Return how often to merge neighbours until no more than so many slices are left."""
    times = 0
    while times < MOST_DOUBLINGS and len(slices):
        many = len(slices) if gaps else int(slices[-1] - slices[0]) + 1
        if many <= most:
            break
        slices = slices >> 1
        slices = slices[firsts_of(slices)]
        times += 1
    return times


def _coarser(keys: Whole, times: int) -> Whole:
    """Return keys in slices that are twice as long so many times; in any order."""
    coarser = keys >> (SLICE_AT + times)
    coarser <<= SLICE_AT
    coarser |= keys & ((1 << SLICE_AT) - 1)
    return coarser


def _merged(
    cells: tuple[Whole, Whole], others: tuple[Whole, Whole] | None = None
) -> tuple[Whole, Whole]:
    """Return the cells of two parts, each in ascending order of their keys."""
    if others is None:
        return cells
    quickly = merged(cells, others, *_LARGEST_COUNTS)
    if quickly is not None:
        return quickly
    return _added(np.concatenate([cells[0], others[0]]), np.concatenate([cells[1], others[1]]))


def _added(keys: Whole, values: Whole) -> tuple[Whole, Whole]:
    """Return each key once, in ascending order, with the sum or maximum of its values.

    The keys are given away.
    """
    if len(keys) < 2:
        return keys, values
    quickly = gathered(keys, values, *_LARGEST_COUNTS)
    if quickly is not None:
        return quickly
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    values = values[order]
    del order
    firsts = firsts_of(keys)
    if len(firsts) == len(keys):
        return keys, values
    keys, sums = keys[firsts], np.add.reduceat(values, firsts)
    slowest = np.flatnonzero((keys & (KINDS << _KIND_AT)) == SLOWEST << _KIND_AT)
    if len(slowest):
        stretches = np.append(firsts, len(values))[np.stack([slowest, slowest + 1], axis=1)]
        bounds = stretches.ravel()
        bounds = bounds[:-1] if bounds[-1] == len(values) else bounds
        sums[slowest] = np.maximum.reduceat(values, bounds)[::2]
    return keys, sums
