"""One metric of a variant against its baseline: the ratio, its intervals, and the spread."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats import LEVEL, medians, pairs
from benchkit.stats.contrast import Contrast
from benchkit.stats.interval import Interval, bound, widened
from benchkit.stats.spread import robust_deviation

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Of normal values an interval at 95 % is hardly ever so many times as wide as their deviation
#: gives; where it is, as of runs on two levels, the spread that it shows counts.
_WIDER: Final = 3.0
_QUANTILE: Final = 1.96
#: Of so many contrasts the estimate is kept: without one run most of a scenario's are the same.
_KEPT: Final = 1024


@dataclass(frozen=True, slots=True)
class Estimate:
    """The effect of a variant on one metric.

    Attributes:
        ratio: Variant over baseline; it lies within both intervals.
        method: "" for the ratio of the medians, "pairs" for the Hodges–Lehmann estimate over
            pairs.
        interval: At 95 %; None where so few runs, or so coarse a clock, cannot give it.
        inner: As asked, for the equivalence test; None likewise.
        deviation: Robust standard deviation of the logarithms from run to run; of pairs that of
            a difference over the square root of two. Never below what the clock's step adds, nor
            far below what the interval shows when the most extreme run of each side is left out, as
            far as there are enough.
        hidden: The largest difference that the clock's step alone can hide, 0.03 for 3 %.
    """

    ratio: float
    method: str
    interval: Interval | None
    inner: Interval | None
    deviation: float
    hidden: float


@lru_cache(_KEPT)
def estimate(contrast: Contrast, *, inner: float = LEVEL) -> Estimate:
    """Return the ratio of variant to baseline and how sure it is.

    Args:
        contrast: The runs of both sides.
        inner: Confidence of the interval for the equivalence test.
    """
    baseline, variant = np.log(contrast.baseline), np.log(contrast.variant)
    interval = _interval(contrast, LEVEL)
    deviation = max(_deviation(contrast, baseline, variant), _blur(contrast))
    if _shown(interval, contrast) > _WIDER * deviation:
        fewer = _without_extremes(contrast)
        kept = fewer if fewer.testable else contrast
        deviation = max(deviation, _shown(_interval(kept, LEVEL), kept) / _WIDER)
    return Estimate(
        ratio=_ratio(contrast),
        method="pairs" if contrast.paired else "",
        interval=interval,
        inner=_interval(contrast, inner),
        deviation=deviation,
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
    ends = min(bound(math.exp(low)), ratio), max(bound(math.exp(high)), ratio)
    interval = Interval(*ends, attained)
    return widened(interval, contrast.medians, contrast.steps)


def _deviation(contrast: Contrast, baseline: Floats, variant: Floats) -> float:
    if contrast.paired:
        return robust_deviation(variant - baseline) / math.sqrt(2)
    weights = len(baseline) - 1, len(variant) - 1
    squares = robust_deviation(baseline) ** 2, robust_deviation(variant) ** 2
    return math.sqrt(float(np.dot(weights, squares)) / max(sum(weights), 1))


def _without_extremes(contrast: Contrast) -> Contrast:
    """Return the runs of each side without the one, or of pairs the pair, farthest from the middle.

    A robust deviation does not see that half of the runs are on another level; an interval sees
    that, and a single outlier, of which more runs take the effect away.
    """
    sides = np.log(contrast.baseline), np.log(contrast.variant)
    if contrast.paired:
        away = _farthest(sides[1] - sides[0])
        farthest = away, away
    else:
        farthest = _farthest(sides[0]), _farthest(sides[1])
    baseline, variant = (
        tuple(value for number, value in enumerate(side) if number != at)
        for side, at in zip((contrast.baseline, contrast.variant), farthest, strict=True)
    )
    return (
        replace(contrast, baseline=baseline, variant=variant) if baseline and variant else contrast
    )


def _farthest(values: Floats) -> int:
    return int(np.argmax(np.abs(values - np.median(values))))


def _shown(interval: Interval | None, contrast: Contrast) -> float:
    """Return the standard deviation of normal values that have such an interval on average."""
    if interval is None or not 0 < interval.low < interval.high < math.inf:
        return 0.0
    half = math.log(interval.high / interval.low) / 2 / _QUANTILE
    if contrast.paired:
        return half * math.sqrt(len(contrast.baseline) / 2)
    weight = 1 / len(contrast.baseline) + 1 / len(contrast.variant)
    return half / math.sqrt(math.pi / 2 * weight)


def _blur(contrast: Contrast) -> float:
    """Return the standard deviation that cutting values to whole steps adds."""
    sides = zip(contrast.steps, contrast.medians, strict=True)
    return max(step / median for step, median in sides) / math.sqrt(12)


def _hidden(contrast: Contrast) -> float:
    """Return the largest difference between two values that a side may print alike."""
    alike = Interval(1, 1, LEVEL)
    sides = zip(contrast.medians, contrast.steps, strict=True)
    bounds = [widened(alike, (median, median), (step, step)) for median, step in sides]
    return max(each.high - 1 if each else math.inf for each in bounds)
