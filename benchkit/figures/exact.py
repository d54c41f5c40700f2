"""Percentiles that are finer than a run's single requests, and where requests lie by both.

The step of a run is that of its finest file; another with a row per request may be coarser, as
whole milliseconds are beside a list of percentiles in microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchkit.counting.arrays import Floats
from benchkit.counting.distribution import FINEST_STEP_S, Distribution, bounds_of
from benchkit.model.run import Run

if TYPE_CHECKING:
    from benchkit.counting.arrays import Whole

#: Percentiles place requests where no two are further apart, and the last is beyond.
_CLOSE: Final = 0.03
_ROUNDING: Final = 1e-6
#: What a value of three digits may be off, as a share of it.
_LAST_DIGIT: Final = 0.005


def without_contradictions(
    by_quantile: Mapping[float, float], step: float | None
) -> Mapping[float, float]:
    """Return quantiles that never fall, without those that finer ones belie.

    Two outputs of a run may print the same quantile with different precision: one rounded to the
    step of the clock is left out, one that is off by no more than its last digit stays.
    """
    if not step:
        return by_quantile
    values = list(by_quantile.values())
    below, above = accumulate(values, max), [*accumulate(reversed(values), min)][::-1]
    kept = {
        q: value
        for (q, value), low, high in zip(by_quantile.items(), below, above, strict=True)
        if max(low - value, value - high) <= _LAST_DIGIT * value or _finer(value, step)
    }
    return dict(zip(kept, accumulate(kept.values(), max), strict=True))


def _finer(value: float, step: float) -> bool:
    """Whether a value is no multiple of a step, up to its rounding."""
    return abs(value / step - round(value / step)) > _ROUNDING


@lru_cache(maxsize=1024)
def exact_quantiles(run: Run) -> Mapping[float, float]:
    """Return close percentiles that are finer than the run's single requests, else nothing."""
    step, resolution = run.request_step_s, run.number("resolution_s")
    if not step or not resolution or resolution >= step:
        return {}
    known = without_contradictions(run.by_quantile, step)
    finer = {q: s for q, s in known.items() if q < 1 and _finer(s, step)}
    ordered = all(a <= b for a, b in pairwise(finer.values()))
    close = all(b - a <= _CLOSE for a, b in pairwise((0.0, *finer, 1.0)))
    return finer if ordered and close else {}


class Spans(NamedTuple):
    """Requests of which each lies somewhere between two latencies in ns, ascending."""

    low: Whole
    high: Whole
    counts: Whole

    def at_ends(self) -> Distribution:
        """Return each at the upper end of where it lies."""
        return Distribution.from_latencies(self.high, repeats=self.counts)

    def upto(self, edges: Sequence[float]) -> Floats:
        """Return how many lie below each of some latencies in s, as if even in their span."""
        at, wide = np.asarray(edges)[:, None] * 1e9, np.maximum(self.high - self.low, 1)
        shares = np.clip((at - self.low) / wide, 0, 1)
        return np.asarray(shares @ self.counts, np.float64)


def spans_of(run: Run, requests: Distribution) -> Spans:
    """Return where a run's requests lie: in their steps and between the exact percentiles."""
    low, high = bounds_of(requests.bins, precision=requests.precision)
    exact, half = exact_quantiles(run), round(run.request_step_s * 5e8)
    if not exact:
        return Spans(low, high, requests.counts)
    middle, reached = (low + high) // 2, requests.counts.cumsum()
    percentiles = np.asarray([round(s * 1e9) for s in exact.values()], np.int64)
    ranks = np.ceil(np.asarray([*exact]) * requests.count - _ROUNDING).astype(np.int64)
    until = np.unique(np.concatenate([ranks[ranks > 0], reached]))
    step, gap = reached.searchsorted(until), ranks.searchsorted(until)
    fastest, slowest = (run.number(name) for name in ("latency_min_s", "latency_max_s"))
    bottom = 0 if fastest is None else round(fastest * 1e9)
    top = int(middle[-1]) + half if slowest is None else round(slowest * 1e9)
    ends = np.minimum(middle[step] + half, np.append(percentiles, top)[gap])
    starts = np.maximum(middle[step] - half, np.insert(percentiles, 0, bottom)[gap])
    return Spans(np.minimum(starts, ends), ends, np.diff(until, prepend=0))


def step_of(run: Run) -> float:
    """Return the step in s in which most requests of a run are known, 0 for a fine one."""
    if not exact_quantiles(run):
        return run.request_step_s
    resolution = run.number("resolution_s") or 0.0
    return resolution if resolution >= FINEST_STEP_S else 0.0
