"""Quantiles of a sample.

`np.quantile` would do, but imports masked arrays, a tenth of what numpy takes to start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.counting.arrays import Floats


def sample_quantiles(values: Floats, wanted: npt.ArrayLike) -> Floats:
    """Return quantiles of numbers (1-D, at least one), interpolated between those beside them.

    Type 7 of Hyndman and Fan (1996), which is that of `np.quantile`.
    """
    places = np.multiply(wanted, len(values) - 1)
    below, above = np.floor(places).astype(np.intp), np.ceil(places).astype(np.intp)
    ordered = np.partition(values, sorted({*below.flat, *above.flat}))
    return np.asarray(ordered[below] + (places - below) * (ordered[above] - ordered[below]))
