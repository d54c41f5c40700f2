"""One test for a whole family: the chance that any of its findings is false stays in bounds.

Every permutation is applied to all metrics of a variant at once, and the largest statistic of the
family is what an observed one is compared with, step by step from the largest down (Westfall and
Young 1993). Metrics that move together therefore cost nothing, and the smallest p-value is that of
the runs' number alone, however large the family.

Permutations take the sides for equally spread. Where the runs are no pairs, the p-value is
therefore the larger of two: that of the permutations, right for any shape, and that of Welch's test
adjusted after Holm and Šidák, right for any spreads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.stats import welch
from benchkit.stats.contrast import Contrast
from benchkit.stats.statistic import of_pairs, of_sides

if TYPE_CHECKING:
    from benchkit.stats import Floats

#: Statistics that differ by less are equal: what is left of rounding.
_TIE: Final = 1e-6


@dataclass(slots=True)
class _Design:
    """The contrasts of one design, and the largest statistic of each permutation so far.

    Contrasts of one design are permuted together; those of another design independently.
    """

    columns: dict[int, Floats]
    largest: Floats

    def add(self, index: int) -> None:
        """Let a contrast into the maximum."""
        np.maximum(self.largest, self.columns[index], out=self.largest)

    def share(self, level: float) -> float:
        """Return the share of permutations whose maximum reaches a statistic."""
        return float(np.mean(self.largest >= level * (1 - _TIE)))


def adjusted_p(family: Sequence[Contrast]) -> list[float]:
    """Return two-sided p-values, adjusted over the whole family, in its order.

    A contrast of fewer runs than a test needs has 1, and takes nothing from the others.
    """
    jointly, separately = _permuted(_designs(family)), _separate(family)
    return [
        max(jointly.get(index, 1.0), separately.get(index, 0.0)) for index in range(len(family))
    ]


def _permuted(designs: Sequence[_Design]) -> dict[int, float]:
    """Return the step-down adjusted p-values of the permutations."""
    design_of = {index: design for design in designs for index in design.columns}
    observed = {index: float(design.columns[index][0]) for index, design in design_of.items()}
    p_values = {}
    for index in sorted(observed, key=lambda index: observed[index]):
        design_of[index].add(index)
        p_values[index] = 1 - math.prod(1 - design.share(observed[index]) for design in designs)
    ordered = [*reversed(p_values)]  # the largest statistic first
    return dict(zip(ordered, accumulate(map(p_values.__getitem__, ordered), max), strict=True))


def _separate(family: Sequence[Contrast]) -> dict[int, float]:
    """Return adjusted p-values of the sides' own spreads; pairs have no need of them."""
    tested = [index for index, contrast in enumerate(family) if contrast.testable]
    p_values = {
        index: welch.p_value(np.log(family[index].baseline), np.log(family[index].variant))
        for index in tested
        if not family[index].paired
    }
    return welch.holm_sidak(p_values, len(tested))


def _designs(family: Sequence[Contrast]) -> list[_Design]:
    members: dict[tuple[bool, int, int], list[int]] = {}
    for index, contrast in enumerate(family):
        if contrast.testable:
            key = contrast.paired, len(contrast.baseline), len(contrast.variant)
            members.setdefault(key, []).append(index)
    return [_design([family[index] for index in indices], indices) for indices in members.values()]


def _design(contrasts: Sequence[Contrast], indices: Sequence[int]) -> _Design:
    baseline = np.log(np.array([contrast.baseline for contrast in contrasts])).T
    variant = np.log(np.array([contrast.variant for contrast in contrasts])).T
    paired = contrasts[0].paired
    statistics = of_pairs(variant - baseline) if paired else of_sides(baseline, variant)
    return _Design(dict(zip(indices, statistics.T, strict=True)), np.zeros(len(statistics)))
