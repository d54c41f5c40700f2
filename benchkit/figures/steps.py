"""In which steps latencies were written, as they themselves show it.

The step of a run is that of its finest file; another with a row per request may be coarser, as
ab's `-g` in whole milliseconds is beside an `-e` in microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.compare.slices import Slices
    from benchkit.distribution import Distribution

#: Steps of clocks in s, the coarsest first.
_STEPS: Final = (1.0, 0.1, 0.01, 0.001, 0.0001)
#: Fewer latencies may be multiples of a step by chance: then none above the clock that is usual.
_SURE: Final = 3
_USUAL: Final = 0.001


def step_of(one: Distribution) -> float:
    """Return the coarsest step in s that all latencies are multiples of, 0 for a fine clock."""
    from benchkit.distribution import bounds_of

    return _coarsest(*bounds_of(one.bins))


def step_of_slices(one: Slices) -> float:
    """Return the same of the requests of one run over time."""
    import numpy as np

    occupied = one.bins_s[:, one.counts.sum(axis=0) > 0]
    low, high = np.rint(occupied * 1e9).astype(np.int64)
    return _coarsest(low, high)


def _coarsest(low_ns: npt.NDArray[np.int64], high_ns: npt.NDArray[np.int64]) -> float:
    """Return the coarsest step of which each occupied bin holds a multiple."""
    few = (low_ns > 0).sum() < _SURE
    for step in _STEPS:
        if few and step > _USUAL:
            continue
        length = round(step * 1e9)
        if (-(-low_ns // length) * length < high_ns).all():
            return step
    return 0.0
