"""Which of the numbers that a generator gives its requests occur: stretches without a gap.

Requests end nearly in the order of their numbers, so that there are few stretches, and those
of parts of a run add up to those of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.grouping import counted

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole


#: A batch whose numbers span more is sorted; otherwise each has its place in an array.
_SPAN: Final = 2**20
_NONE: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Numbers that occur, once or more often.

    Attributes:
        starts: First number of each stretch, ascending.
        ends: The number after the last of each; below the next start.
        given: How many there are, each time that one occurs.
    """

    starts: Whole = field(default_factory=_NONE.copy)
    ends: Whole = field(default_factory=_NONE.copy)
    given: int = 0

    @classmethod
    def from_numbers(cls, numbers: Whole) -> Numbering:
        """Return the stretches of some numbers, none below 0, in any order."""
        if not len(numbers):
            return cls()
        low, high = int(numbers.min()), int(numbers.max())
        if high - low >= _SPAN:
            ascending, _ = counted(numbers)
            gaps = np.flatnonzero(np.diff(ascending) > 1)
            first, last = np.append(0, gaps + 1), np.append(gaps, len(ascending) - 1)
            return cls(ascending[first], ascending[last] + 1, len(numbers))
        there = np.zeros(high - low + 3, np.int8)
        there[numbers - (low - 1)] = 1
        if np.count_nonzero(there) > high - low:
            return cls(np.array([low]), np.array([high + 1]), len(numbers))
        edges = np.flatnonzero(np.diff(there)) + low
        return cls(edges[::2], edges[1::2], len(numbers))

    def __add__(self, other: Numbering) -> Numbering:
        starts = np.concatenate([self.starts, other.starts])
        if not len(starts):
            return self
        order = np.argsort(starts, kind="stable")
        starts = starts[order]
        reached = np.maximum.accumulate(np.concatenate([self.ends, other.ends])[order])
        gaps = np.flatnonzero(starts[1:] > reached[:-1])
        ends = reached[np.append(gaps, len(starts) - 1)]
        return Numbering(starts[np.append(0, gaps + 1)], ends, self.given + other.given)

    @property
    def span(self) -> tuple[int | None, int | None]:
        """The smallest and the largest number, None where there is none."""
        if not len(self.starts):
            return None, None
        return int(self.starts[0]), int(self.ends[-1]) - 1

    @property
    def missing(self) -> int:
        """How many numbers from 0 to the largest do not occur."""
        if not len(self.ends):
            return 0
        return int(self.ends[-1]) - self._distinct

    @property
    def repeated(self) -> int:
        """How many occur beyond the first time of each."""
        return self.given - self._distinct

    @property
    def _distinct(self) -> int:
        return int((self.ends - self.starts).sum())
