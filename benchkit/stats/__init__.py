"""Statistics of repeated runs: numbers in, numbers out.

The run is the unit of everything here; nothing in this package has ever seen a request, a unit or
the name of a metric. Effects are ratios, and the work is done on logarithms, so that twice as
slow is as far from equal as twice as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Whole = npt.NDArray[np.int64]

#: The chance that any verdict of a family is wrong.
ALPHA: Final = 0.05
#: Ratios from 1/1.03 to 1.03 count as no difference, where nobody says otherwise.
MARGIN: Final = 0.03
#: Confidence of the intervals that are printed.
LEVEL: Final = 0.95


def doubt_of_same(variants: int, alpha: float = ALPHA) -> float:
    """Return the doubt that the interval leaves by which a variant is called *same*.

    So many variants share `alpha` (both one-sided tests at it, Schuirmann 1987); and it is never
    less sure than the interval that is printed beside the word.
    """
    return min(2 * alpha / variants, 1 - LEVEL)
