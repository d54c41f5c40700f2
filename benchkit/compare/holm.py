"""Holm's correction: several tests, one chance of 5 % that any of them is wrong."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p-values in the order of the given ones.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none
    falls below the one before it.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for done, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[place]))
        adjusted[place] = highest
    return adjusted
