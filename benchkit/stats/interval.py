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

    def is_within(self, margin: float) -> bool:
        """Whether it holds only ratios that count as no difference: from 1/1.03 to 1.03 at 0.03."""
        return 1 / (1 + margin) <= self.low and self.high <= 1 + margin


def bound(value: float) -> float:
    """Return a bound to twelve digits: one that is 1 must not miss it by the rounding of logs."""
    return float(f"{value:.12g}")


def widened(
    interval: Interval, medians: tuple[float, float], steps: tuple[float, float]
) -> Interval | None:
    """Return the interval with what the steps of the clock hide, None where it has no bound.

    A printed value stands for any true value less than a step away: within half a step where the
    tool rounds, up to a whole step above where it cuts off. As nothing says which, the bounds
    move by the factors of the union of both.

    Args:
        interval: Bounds computed from the printed values.
        medians: Typical printed values of the baseline and of the variant.
        steps: Step of the clock of each, in the unit of its value.
    """
    if not any(steps):
        return interval
    (baseline, variant), (below, above) = medians, steps
    if baseline <= below / 2:
        return None
    ratio = variant / baseline
    rounded = (variant - above / 2) / (baseline + below / 2)
    low = max(min(rounded, variant / (baseline + below)), 0.0)
    rounded = (variant + above / 2) / (baseline - below / 2)
    high = max(rounded, (variant + above) / baseline)
    low, high = interval.low * low / ratio, interval.high * high / ratio
    return Interval(bound(low), bound(high), interval.confidence)
