"""How far the clocks of two generators are apart, by the moments at which both saw the server slow.

A server that stalls is slow to all who load it at that moment. Two generators' mean latency per
slice of time is therefore alike but for a shift, which is what their clocks differ by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.distribution import bounds_of
from benchkit.counting.slices import SLICE_PRECISION, Slices, bin_within, slice_of

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats

#: The largest shift that is looked for, and as a share of the time in which both sent.
_MOST_NS: Final = 10_000_000_000
_MOST_SHARE: Final = 0.25
#: Fewest slices that must be there for a shift to be told.
_FEWEST: Final = 32
#: A correlation that chance gives at one of some hundred shifts less than once in a thousand:
#: so many standard deviations of independent noise; and the least that is taken for anything.
_DEVIATIONS: Final = 5.0
_LEAST: Final = 0.5


def skew_ns(first: Slices, second: Slices) -> int | None:
    """Return by how much the second clock is ahead, to a slice; None where it does not show."""
    doublings = max(first.doublings, second.doublings)
    first, second = first.coarser(doublings), second.coarser(doublings)
    origin, here = _levels(first)
    other_origin, there = _levels(second)
    length = min(len(here), len(there))
    reach = min(int(_MOST_NS // first.length_ns), int(_MOST_SHARE * length))
    correlations = {
        shift: _correlation(here, there, shift + other_origin - origin)
        for shift in range(-reach, reach + 1)
    }
    best = max(correlations, key=lambda shift: (correlations[shift], -abs(shift)), default=0)
    if correlations.get(best, 0.0) < max(_LEAST, _DEVIATIONS / np.sqrt(max(length, 1))):
        return None
    return -best * first.length_ns


def _levels(slices: Slices) -> tuple[int, Floats]:
    """Return the first slice, and the mean logarithm of the latencies of each from there on."""
    counted = slices.counts()
    at = slice_of(counted.keys)
    if not slices.timed or not len(at):
        return 0, np.empty(0)
    low, high = bounds_of(bin_within(counted.keys), precision=SLICE_PRECISION)
    logs = np.log(np.maximum((low + high) / 2, 1.0))
    origin = int(at[0])
    size = int(at[-1]) - origin + 1
    requests = np.bincount(at - origin, counted.values, minlength=size)
    total = np.bincount(at - origin, logs * counted.values, minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return origin, np.asarray(total / requests)


def _correlation(here: Floats, there: Floats, shift: int) -> float:
    """Return the correlation where `there` lies `shift` slices later, 0 where it has none."""
    start, stop = max(shift, 0), min(len(here), len(there) + shift)
    if stop - start < _FEWEST:
        return 0.0
    a, b = here[start:stop], there[start - shift : stop - shift]
    known = ~(np.isnan(a) | np.isnan(b))
    if known.sum() < _FEWEST:
        return 0.0
    a, b = a[known] - a[known].mean(), b[known] - b[known].mean()
    spread = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / spread if spread else 0.0
