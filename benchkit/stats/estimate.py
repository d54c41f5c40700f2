"""One metric of a variant against its baseline: the ratio, its intervals, and the spread."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats import LEVEL, medians, pairs
from benchkit.stats.contrast import Contrast
from benchkit.stats.interval import Interval, widened
from benchkit.stats.spread import robust_deviation

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Confidence of the interval that decides about equality.
INNER: Final = 0.90


@dataclass(frozen=True, slots=True)
class Estimate:
    """The effect of a variant on one metric.

    Attributes:
        ratio: Variant over baseline; it lies within both intervals.
        method: "" for the ratio of the medians, "pairs" for the Hodges–Lehmann estimate over
            pairs.
        interval: At 95 %; None where so few runs, or so coarse a clock, cannot give it.
        inner: At 90 % or as asked, for the equivalence test; None likewise.
        deviation: Robust standard deviation of the logarithms from run to run; of pairs that of
            a difference over the square root of two. Never below what the clock's step adds.
        hidden: The largest difference that the clock's step alone can hide, 0.03 for 3 %.
    """

    ratio: float
    method: str
    interval: Interval | None
    inner: Interval | None
    deviation: float
    hidden: float


def estimate(contrast: Contrast, *, inner: float = INNER) -> Estimate:
    """Return the ratio of variant to baseline and how sure it is.

    Args:
        contrast: The runs of both sides.
        inner: Confidence of the interval for the equivalence test.
    """
    baseline, variant = np.log(contrast.baseline), np.log(contrast.variant)
    return Estimate(
        ratio=_ratio(contrast),
        method="pairs" if contrast.paired else "",
        interval=_interval(contrast, LEVEL),
        inner=_interval(contrast, inner),
        deviation=max(_deviation(contrast, baseline, variant), _blur(contrast)),
        hidden=_hidden(contrast),
    )


def _ratio(contrast: Contrast) -> float:
    if contrast.paired:
        return math.exp(pairs.centre(np.log(contrast.variant) - np.log(contrast.baseline)))
    baseline, variant = contrast.medians
    return variant / baseline


def _interval(contrast: Contrast, level: float) -> Interval | None:
    if not contrast.testable:
        return None
    sides = np.log(contrast.baseline), np.log(contrast.variant)
    if contrast.paired:
        bounds = pairs.interval(sides[1] - sides[0], level)
    else:
        bounds = medians.interval(*sides, level)
    if bounds is None:
        return None
    low, high, attained = bounds
    ratio = _ratio(contrast)  # of an even number of runs the median's logarithm is another
    interval = Interval(min(math.exp(low), ratio), max(math.exp(high), ratio), attained)
    baseline, variant = contrast.medians
    return widened(interval, baseline=baseline, variant=variant, step=contrast.step)


def _deviation(contrast: Contrast, baseline: Floats, variant: Floats) -> float:
    if contrast.paired:
        return robust_deviation(variant - baseline) / math.sqrt(2)
    weights = len(baseline) - 1, len(variant) - 1
    squares = robust_deviation(baseline) ** 2, robust_deviation(variant) ** 2
    return math.sqrt(float(np.dot(weights, squares)) / max(sum(weights), 1))


def _blur(contrast: Contrast) -> float:
    """Return the standard deviation that cutting values to whole steps adds."""
    return contrast.step / math.sqrt(12) / min(contrast.medians)


def _hidden(contrast: Contrast) -> float:
    same = min(contrast.medians)
    bounds = widened(Interval(1, 1, LEVEL), baseline=same, variant=same, step=contrast.step)
    return bounds.high - 1 if bounds else math.inf
