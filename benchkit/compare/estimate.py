"""One metric of repeated runs of two variants: the effect as a ratio, and how sure it is.

Everything happens on logarithms, so that an effect is a factor and twice as slow is as far from
equal as twice as fast. The run is the unit; nothing here has ever seen a request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.compare import ranksum, signedrank
from benchkit.compare.ranksum import Interval

if TYPE_CHECKING:
    from benchkit.compare.ranksum import Floats

#: The interval that is printed, and the one that decides about equality (two one-sided tests).
LEVEL: Final = 0.95
SAME_LEVEL: Final = 0.90


@dataclass(frozen=True, slots=True)
class Estimate:
    """The effect of a variant on one metric, as variant over baseline.

    Attributes:
        ratio: Hodges–Lehmann estimate.
        interval: Bounds of the ratio and the level they attain, unadjusted.
        inner: The same at 90 %.
        p_value: Two-sided, unadjusted.
        least_p: The smallest p-value that this number of runs could have given.
        deviation: Standard deviation of the logarithms within a variant, pooled; for pairs
            that of a difference, over the square root of two.
        pairs: Number of pairs, 0 where the runs are not paired.
    """

    ratio: float
    interval: Interval
    inner: Interval
    p_value: float
    least_p: float
    deviation: float
    pairs: int = 0


def estimate(
    baseline: Sequence[float] | Floats, variant: Sequence[float] | Floats, *, paired: bool
) -> Estimate:
    """Return the effect from the values of the runs, all above 0; pairs are in one order."""
    x, y = np.log(np.asarray(baseline, float)), np.log(np.asarray(variant, float))
    return _paired(y - x) if paired else _unpaired(x, y)


def _unpaired(x: Floats, y: Floats) -> Estimate:
    squares = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
    return Estimate(
        ratio=math.exp(ranksum.shift(x, y)),
        interval=_ratio(ranksum.interval(x, y, LEVEL)),
        inner=_ratio(ranksum.interval(x, y, SAME_LEVEL)),
        p_value=ranksum.p_value(x, y),
        least_p=ranksum.least_p(len(x), len(y)),
        deviation=math.sqrt(squares / max(len(x) + len(y) - 2, 1)),
    )


def _paired(differences: Floats) -> Estimate:
    return Estimate(
        ratio=math.exp(signedrank.shift(differences)),
        interval=_ratio(signedrank.interval(differences, LEVEL)),
        inner=_ratio(signedrank.interval(differences, SAME_LEVEL)),
        p_value=signedrank.p_value(differences),
        least_p=signedrank.least_p(len(differences)),
        deviation=float(differences.std(ddof=1)) / math.sqrt(2),
        pairs=len(differences),
    )


def _ratio(of_logs: Interval) -> Interval:
    return Interval(math.exp(of_logs.low), math.exp(of_logs.high), of_logs.confidence)
