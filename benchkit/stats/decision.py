"""From the runs of a family to what may be said of each contrast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchkit.stats import ALPHA, MARGIN, doubt_of_same
from benchkit.stats.contrast import Contrast
from benchkit.stats.estimate import Estimate, estimate
from benchkit.stats.family import adjusted_p

#: Beyond it nothing is left of 1 less a level.
_MOST_SURE: Final = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class Decision:
    """What a family of tests says of one of its contrasts.

    Attributes:
        estimate: Ratio, intervals, spread.
        adjusted_p: Two-sided, over the family.
        direction: 1 where the variant's value is larger, -1 where it is smaller, 0 where neither
            is shown.
        equivalent: Whether the two are shown to differ by less than the margin.
    """

    estimate: Estimate
    adjusted_p: float
    direction: int
    equivalent: bool


def decide(
    family: Sequence[Contrast],
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    variants: int = 1,
) -> list[Decision]:
    """Return a decision per contrast, in the order of the family.

    A direction needs an adjusted p-value of at most `alpha`, an interval without 1 that is not all
    within the margin, and no equivalence. Equivalence needs an inner interval within the margin,
    as sure as `doubt_of_same` says.

    Args:
        family: All contrasts that share the chance of a false finding.
        margin: 0.03 where ratios from 1/1.03 to 1.03 count as no difference.
        alpha: That chance; a share of it where the runs are looked at more than once.
        variants: How many variants the family has, each of which could be called the same.
    """
    inner = min(1 - doubt_of_same(variants, alpha), _MOST_SURE)
    return [
        _decision(estimate(contrast, inner=inner), p_value, margin=margin, alpha=alpha)
        for contrast, p_value in zip(family, adjusted_p(family), strict=True)
    ]


def _decision(estimate: Estimate, p_value: float, *, margin: float, alpha: float) -> Decision:
    outer = estimate.interval
    equivalent = estimate.inner is not None and estimate.inner.is_within(margin)
    shown = outer is not None and not outer.low <= 1 <= outer.high and p_value <= alpha
    # Fewer runs make the inner interval wide: what counts as none is no direction then either.
    within = equivalent or (outer is not None and outer.is_within(margin))
    direction = (1 if estimate.ratio > 1 else -1) if shown and not within else 0
    return Decision(estimate, p_value, direction, equivalent)
