"""In which steps latencies were written, as they themselves show it.

The step of a run is that of its finest file; another with a row per request may be coarser, as
ab's `-g` in whole milliseconds is beside an `-e` in microseconds.
"""

from __future__ import annotations

from typing import Final

from benchkit import format as show
from benchkit.counting.distribution import Distribution, bounds_of
from benchkit.model.run import Run

#: Steps of clocks in s, the coarsest first.
_STEPS: Final = (1.0, 0.1, 0.01, 0.001, 0.0001)
#: Fewer latencies may be multiples of a step by chance: then none above the clock that is usual.
_SURE: Final = 3
_USUAL: Final = 0.001


def step_of_run(run: Run) -> float:
    """Return the coarsest step in s of the requests of a run, 0 for a fine clock.

    It is no finer than the run's own, which is that of its finest file.
    """
    if run.distribution is None:
        return 0.0
    own = run.number("resolution_s") or 0.0
    return max(_coarsest(run.distribution), own if own >= _STEPS[-1] else 0.0)


def sentence(step: float) -> list[str]:
    """Return what is said of a clock, nothing of a fine one."""
    return [f"Single latencies are in steps of {show.duration(step)}."] if step else []


def _coarsest(requests: Distribution) -> float:
    """Return the coarsest step in s of which each occupied bin holds a multiple, 0 for none.

    Bins as wide as the step hold one by themselves, and show nothing.
    """
    low_ns, high_ns = bounds_of(requests.bins, precision=requests.precision)
    positive = low_ns > 0
    for step in _STEPS:
        length = round(step * 1e9)
        narrow = positive & (high_ns - low_ns < length)
        sure = narrow.sum() >= _SURE or (step <= _USUAL and (narrow == positive).all())
        if sure and (-(-low_ns // length) * length < high_ns).all():
            return step
    return 0.0
