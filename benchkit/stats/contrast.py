"""The one input of this package: what the runs of two sides measured."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Final

#: With fewer runs of either side the median has no interval that covers in 93 % of cases.
LEAST_RUNS: Final = 5
#: With fewer pairs no sign pattern is rarer than 5 %: 2 of 32 with five.
LEAST_PAIRS: Final = 6


@dataclass(frozen=True, slots=True)
class Contrast:
    """One metric of one variant against its baseline: a value per run, all above 0, natural scale.

    Attributes:
        baseline: A value per run.
        variant: A value per run.
        paired: Equal length, block by block in one order (interleaved repeats).
        steps: Step of the clock of each side in the unit of the values; 0 where none matters. Tools
            print larger values in larger ones.

    Raises:
        ValueError: A side is empty, a value is not finite and above 0, pairs are of unequal
            length, or a step is negative.
    """

    baseline: tuple[float, ...]
    variant: tuple[float, ...]
    paired: bool = False
    steps: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        for side in (self.baseline, self.variant):
            if not side or not all(0 < value < math.inf for value in side):
                raise ValueError("a side of a contrast needs values, all finite and above 0")
        if self.paired and len(self.baseline) != len(self.variant):
            raise ValueError("pairs need as many runs of the variant as of the baseline")
        if not all(0 <= step < math.inf for step in self.steps):
            raise ValueError("the step of a clock is finite and not negative")

    @property
    def medians(self) -> tuple[float, float]:
        """Of the baseline and of the variant."""
        return statistics.median(self.baseline), statistics.median(self.variant)

    @property
    def runs(self) -> int:
        """Number of runs of the side that has fewer."""
        return min(len(self.baseline), len(self.variant))

    @property
    def least(self) -> int:
        """Number of runs of each side from which on there is a test and an interval."""
        return LEAST_PAIRS if self.paired else LEAST_RUNS

    @property
    def testable(self) -> bool:
        """Whether there are enough runs for a test and an interval."""
        return self.runs >= self.least
