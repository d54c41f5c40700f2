"""A figure with what is known of its precision, and when two such figures are the same."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

#: What a binary fraction may be off, as a share of a step.
SLACK: Final = 1.001
#: Digits that a binary fraction keeps: what follows is noise of a change of units.
_KEPT: Final = 15
_SUM_OFF: Final = 1e-12


class Known(NamedTuple):
    """A figure, in base units.

    Attributes:
        half: Half the step to which it is known.
        below: How far below it the same run's may lie that was measured in another way.
        above: How far above it.
    """

    value: float
    half: float = 0.0
    below: float = 0.0
    above: float = 0.0

    @property
    def reach(self) -> float:
        """How far from it any that agrees with an exact one may lie."""
        return self.half + max(self.below, self.above)


def apart(known: Known, other: Known) -> float | None:
    """Return half the step within which two figures are the same, None where they differ."""
    # One value rounded twice to one step is the same twice; to two steps it is near.
    coarse, fine = max(known.half, other.half), min(known.half, other.half)
    half = coarse + (fine if fine != coarse else 0.0)
    within = half * SLACK + _SUM_OFF * abs(known.value)
    distance = other.value - known.value
    if abs(distance) <= within:
        return coarse
    low, high = -max(known.below, other.above), max(known.above, other.below)
    return max(coarse, high, -low) if low - within <= distance <= high + within else None


def agree(known: Known, other: Known) -> bool:
    """Whether two figures are the same within what is known of them."""
    return apart(known, other) is not None


@lru_cache(2**14)  # the percentiles of many runs are the same few
def printed_step(value: float) -> float:
    """Return the step to which a figure was printed, from its digits."""
    if not value:
        return 0.0
    digits, _, power = f"{float(value):.{_KEPT}g}".partition("e")
    whole, _, fraction = digits.partition(".")
    decimals = len(fraction.rstrip("0")) or len(whole.rstrip("0")) - len(whole)
    # Trailing zeros are lost in a number; three digits are printed at the least.
    three_digits = math.floor(math.log10(abs(value))) - 2
    return 10.0 ** min(int(power or 0) - decimals, three_digits)


def step_of_1024(size: float) -> float:
    """Return the step of a size that may have been printed as `1.59MB`, with M = 1024 * 1024."""
    unit = 1.0
    while size >= 0.85 * 1024 * unit:
        unit *= 1024
    printed = round(round(size / unit, 2) * unit)
    return 0.01 * unit if printed == size else 0.0


def digits_of(value: float, half: float) -> float:
    """Return how many digits a figure has above half its step."""
    return math.log10(1 + abs(value) / (2 * half)) if half else math.log10(1 + abs(value) / 1e-9)
