"""Latency histograms that merge by addition.

Bins are linear below 2,048 ns and log-linear above, 1,024 to each power of two:
a bin is at most 1/1024 of its lower bound wide, so a quantile read from its
middle is within 0.05 % of the exact order statistic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.grouping import counted, summed
from benchkit.parsing import nearest_rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchkit.counting.arrays import Whole

#: log2 of the bins per power of two.
PRECISION: Final = 10
#: Where the exponent stands in a float of 64 bits, and what it is of 1 (IEEE 754).
_EXPONENT_AT: Final = 52
_EXPONENT_OF_1: Final = 1023
#: Bound on the relative error of a quantile.
RELATIVE_ERROR: Final = 2.0 ** -(PRECISION + 1)

#: Steps of clocks that can be told from a fine one, the coarsest first.
_STEPS_S: Final = (1.0, 0.1, 0.01, 0.001, 0.0001)
FINEST_STEP_S: Final = _STEPS_S[-1]
#: Fewer latencies may be multiples of a step by chance: then none above the clock that is usual.
_SURE: Final = 3
_USUAL_S: Final = 0.001


def bin_of(nanoseconds: Whole, *, precision: int = PRECISION) -> Whole:
    """Return the bin of each latency; negative ones count as 0."""
    value = np.maximum(nanoseconds, 0)
    exponent = (value.astype(np.float64).view(np.int64) >> _EXPONENT_AT) - _EXPONENT_OF_1
    shift = np.maximum(exponent - precision, 0)
    # A value just below a power of two can round up to it as a float.
    shift -= (shift > 0) & ((value >> shift) < (1 << precision))
    bins: Whole = (shift << precision) + (value >> shift)
    return bins


def bounds_of(bins: Whole, *, precision: int = PRECISION) -> tuple[Whole, Whole]:
    """Return lower (included) and upper (excluded) bounds in ns."""
    per_power = 1 << precision
    shift = np.maximum((bins >> precision) - 1, 0)
    mantissa = np.where(bins < 2 * per_power, bins, (bins & (per_power - 1)) + per_power)
    return mantissa << shift, (mantissa + 1) << shift


@dataclass
class Distribution:
    """Counts of latencies in bins, with exact count, sum, minimum and maximum.

    Attributes:
        bins: Bin numbers in ascending order.
        counts: Requests in each bin.
        total_ns: Exact sum of the latencies.
        squares_ns2: Exact sum of their squares.
        precision: log2 of the bins per power of two.
    """

    bins: Whole = field(default_factory=lambda: np.empty(0, np.int64))
    counts: Whole = field(default_factory=lambda: np.empty(0, np.int64))
    total_ns: int = 0
    squares_ns2: int = 0
    min_ns: int | None = None
    max_ns: int | None = None
    precision: int = PRECISION

    @classmethod
    def from_latencies(cls, nanoseconds: Whole, *, repeats: Whole | None = None) -> Distribution:
        """Return the distribution of some latencies in ns, each once or so often."""
        if repeats is not None:
            return cls._of_values(*summed(nanoseconds, repeats))
        if not len(nanoseconds):
            return cls()
        bins, counts = counted(bin_of(nanoseconds))
        return cls(
            bins=bins,
            counts=counts,
            total_ns=exact_sum(nanoseconds),
            squares_ns2=_exact_sum_of_squares(nanoseconds),
            min_ns=int(nanoseconds.min()),
            max_ns=int(nanoseconds.max()),
        )

    @cached_property
    def count(self) -> int:
        """Number of latencies."""
        return int(self._reached[-1]) if len(self.counts) else 0

    @cached_property
    def _reached(self) -> Whole:
        """Number of latencies up to the end of each bin."""
        return np.cumsum(self.counts)

    def __add__(self, other: Distribution) -> Distribution:
        return merged([self, other])

    def mean_s(self) -> float | None:
        """Return the exact mean in s, None without latencies."""
        return self.total_ns / self.count * 1e-9 if self.count else None

    def std_s(self) -> float | None:
        """Return the standard deviation (n-1) in s, None below two latencies."""
        n = self.count
        if n < 2:
            return None
        # In whole numbers nothing cancels; the quotient is the first that is rounded.
        around_mean = n * self.squares_ns2 - self.total_ns * self.total_ns
        return math.sqrt(max(around_mean / (n * (n - 1)), 0.0)) * 1e-9

    def quantiles_s(self, quantiles: Sequence[float]) -> list[float]:
        """Return nearest-rank quantiles in s, within `RELATIVE_ERROR` of the exact ones.

        Raises:
            ValueError: the distribution is empty.
        """
        n = self.count
        return self._ranked_s([nearest_rank(q, n) + 1 for q in quantiles])

    def ranked_s(self, rank: int) -> float:
        """Return the latency in s at a rank, 1 being the smallest, within `RELATIVE_ERROR`.

        Raises:
            ValueError: the distribution is empty.
        """
        return self._ranked_s([rank])[0]

    def _ranked_s(self, ranks: Sequence[int]) -> list[float]:
        if self.min_ns is None or self.max_ns is None:
            raise ValueError("no latencies")
        fastest, slowest, last = float(self.min_ns), float(self.max_ns), self.count
        # Of the few ranks that are asked for at a time numpy takes longer to do the same.
        within = self._reached.searchsorted([min(max(rank, 1), last) for rank in ranks])
        middles = map(self._middle_ns, self.bins[within].tolist())
        return [
            (fastest if rank <= 1 else slowest if rank >= last else min(max(ns, fastest), slowest))
            / 1e9
            for rank, ns in zip(ranks, middles, strict=True)
        ]

    def _middle_ns(self, number: int) -> float:
        """Return what a latency in a bin counts as."""
        per_power = 1 << self.precision
        shift = max((number >> self.precision) - 1, 0)
        mantissa = number if number < 2 * per_power else (number & (per_power - 1)) + per_power
        return float(mantissa) if not shift else (mantissa + 0.5) * (1 << shift)

    @cached_property
    def step_s(self) -> float:
        """The coarsest step in s of which each occupied bin holds a multiple, 0 for none.

        Bins as wide as the step hold one by themselves, and show nothing.
        """
        low_ns, high_ns = bounds_of(self.bins, precision=self.precision)
        positive = low_ns > 0
        for step in _STEPS_S:
            length = round(step * 1e9)
            narrow = positive & (high_ns - low_ns < length)
            sure = narrow.sum() >= _SURE or (step <= _USUAL_S and (narrow == positive).all())
            if sure and (-(-low_ns // length) * length < high_ns).all():
                return step
        return 0.0

    def count_between(self, low_s: float, high_s: float) -> tuple[int, int]:
        """Return the fewest and most latencies from `low_s` up to, but without, `high_s`.

        They differ where a bound lies within a bin.
        """
        low, high = (min(round(s * 1e9), 2**62) if s < 1e9 else 2**62 for s in (low_s, high_s))
        starts, stops = bounds_of(self.bins, precision=self.precision)
        surely = (starts >= low) & (stops <= high)
        maybe = (stops > low) & (starts < high)
        return int(self.counts[surely].sum()), int(self.counts[maybe].sum())

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> Distribution:
        """Return the distribution of exact latencies in ns, each with how often it occurred."""
        values = np.fromiter(counts, np.int64, len(counts))
        return cls._of_values(values, np.fromiter(counts.values(), np.int64, len(counts)))

    @classmethod
    def _of_values(cls, values: Whole, counts: Whole) -> Distribution:
        if not len(values):
            return cls()
        bins, total = summed(bin_of(values), counts)
        return cls(
            bins=bins,
            counts=total,
            total_ns=_weighted(values, counts),
            squares_ns2=_weighted_squares(values, counts),
            min_ns=int(values.min()),
            max_ns=int(values.max()),
        )

    @classmethod
    def of_bins(
        cls,
        bins: Whole,
        counts: Whole,
        *,
        precision: int = PRECISION,
        min_ns: int | None = None,
        max_ns: int | None = None,
    ) -> Distribution:
        """Return the distribution of counts per bin, in any order, each once or more often.

        Sums are those of the bins' middles; extremes that are not known are the first bin's lower
        bound and the last bin's last value.
        """
        distinct, total = summed(bins, counts)
        if not len(distinct):
            return cls(precision=precision)
        low, high = bounds_of(distinct, precision=precision)
        middle = (low + high - 1) // 2
        return cls(
            bins=distinct,
            counts=total,
            total_ns=_weighted(middle, total),
            squares_ns2=_weighted_squares(middle, total),
            min_ns=int(low[0]) if min_ns is None else min_ns,
            max_ns=int(high[-1]) - 1 if max_ns is None else max_ns,
            precision=precision,
        )

    def share_at_most(self, latency_s: float) -> float:
        """Return the share of latencies up to `latency_s`, to the nearest bin."""
        value = np.array([round(latency_s * 1e9)], np.int64)
        at = int(bin_of(value, precision=self.precision)[0])
        return float(self.counts[self.bins <= at].sum() / max(self.count, 1))


def merged(parts: Iterable[Distribution]) -> Distribution:
    """Return the sum of some distributions of one precision."""
    filled = [part for part in parts if part.min_ns is not None]
    if len(filled) < 2:
        return filled[0] if filled else Distribution()
    bins, counts = summed(
        np.concatenate([part.bins for part in filled]),
        np.concatenate([part.counts for part in filled]),
    )
    return Distribution(
        bins=bins,
        counts=counts,
        total_ns=sum(part.total_ns for part in filled),
        squares_ns2=sum(part.squares_ns2 for part in filled),
        min_ns=min(part.min_ns for part in filled if part.min_ns is not None),
        max_ns=max(part.max_ns for part in filled if part.max_ns is not None),
        precision=filled[0].precision,
    )


def exact_sum(values: Whole) -> int:
    """Return a sum that 64 bits may not hold."""
    high, low = values >> 31, values & 0x7FFFFFFF
    return (int(high.sum()) << 31) + int(low.sum())


def _exact_sum_of_squares(values: Whole) -> int:
    large = (values < 0) | (values >= 2**31)
    squares = values[~large] ** 2
    rest = sum(value * value for value in values[large].tolist()) if large.any() else 0
    return exact_sum(squares) + rest


def _weighted(values: Whole, counts: Whole) -> int:
    """Return the exact sum of values, each so often."""
    if len(counts) and int(counts.max()) >= 2**32:  # 64 bits do not hold its product with 31
        pairs: Iterable[tuple[int, int]] = zip(values.tolist(), counts.tolist(), strict=True)
        return sum(value * n for value, n in pairs)
    high, low = values >> 31, values & 0x7FFFFFFF
    return (exact_sum(high * counts) << 31) + exact_sum(low * counts)


def _weighted_squares(values: Whole, counts: Whole) -> int:
    large = (values < 0) | (values >= 2**31)
    pairs = zip(values[large].tolist(), counts[large].tolist(), strict=True)
    rest: int = sum(value * value * n for value, n in pairs)
    return _weighted(values[~large] ** 2, counts[~large]) + rest
