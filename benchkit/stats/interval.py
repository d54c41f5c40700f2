"""Bounds of a ratio, and what the step of a clock adds to them."""

from __future__ import annotations

import math
from typing import NamedTuple


class Interval(NamedTuple):
    """Bounds of the ratio of variant to baseline, both inside, and the nominal confidence."""

    low: float
    high: float
    confidence: float

    @property
    def least(self) -> float:
        """The smallest factor between the sides that it holds, whichever is larger; at least 1."""
        return max(self.low, 1 / self.high, 1.0)

    @property
    def half_width(self) -> float:
        """How far its bounds lie from its centre: 0.03 where that is a factor of 1.03."""
        return math.sqrt(self.high / self.low) - 1 if self.low > 0 else math.inf


def bound(value: float) -> float:
    """Return a bound to twelve digits: one that is 1 must not miss it by the rounding of logs."""
    return float(f"{value:.12g}")


def widened(interval: Interval, *, baseline: float, variant: float, step: float) -> Interval | None:
    """Return the interval with what the step of the clock hides, None where it has no bound.

    A printed value stands for any true value less than a step away: within half a step where the
    tool rounds, up to a whole step above where it cuts off. As nothing says which, the bounds
    move by the factors of the union of both.

    Args:
        interval: Bounds computed from the printed values.
        baseline: Typical printed value, in the unit of `step`.
        variant: The same of the other side.
        step: Step of the clock.
    """
    if not step:
        return interval
    if baseline <= step / 2:
        return None
    ratio = variant / baseline
    half = step / 2
    low = max(min((variant - half) / (baseline + half), variant / (baseline + step)), 0.0)
    high = max((variant + half) / (baseline - half), (variant + step) / baseline)
    low, high = interval.low * low / ratio, interval.high * high / ratio
    return Interval(bound(low), bound(high), interval.confidence)
