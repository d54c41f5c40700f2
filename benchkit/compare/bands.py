"""Bands for ratios of two single runs, from redrawn stretches of time of each."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit.model.metric import Metric
from benchkit.model.run import Run

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.compare.bootstrap import Draws
    from benchkit.stats.interval import Interval

    Floats = npt.NDArray[np.float64]

LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Band:
    """An interval that describes two runs, and the length of the longer redrawn block in s."""

    interval: Interval
    block_s: float


class Bands:
    """Bands of runs; each run is redrawn once, when first asked for."""

    def __init__(self) -> None:
        self._draws: dict[str, Draws | None] = {}

    def band(self, baseline: Run, variant: Run, metric: Metric, ratio: float) -> Band | None:
        """Return the band around the ratio of two runs, None where a run does not support it."""
        import numpy as np

        from benchkit.stats.interval import Interval

        draws = [self._drawn(run) for run in (baseline, variant)]
        if draws[0] is None or draws[1] is None:
            return None
        base, value = _redrawn(draws[0], metric), _redrawn(draws[1], metric)
        if base is None or value is None or not base.all():
            return None
        # Bins are coarser than the figures: what varies is taken over, not where it lies.
        moved = (value / np.median(value)) / (base / np.median(base))
        low, high = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        block = max(draws[0].block_s, draws[1].block_s)
        return Band(Interval(ratio * float(low), ratio * float(high), LEVEL), block)

    def _drawn(self, run: Run) -> Draws | None:
        if run.run_id not in self._draws:
            self._draws[run.run_id] = _draws(run)
        return self._draws[run.run_id]


def _draws(run: Run) -> Draws | None:
    from benchkit.compare.bootstrap import LEAST_SLICES, Draws

    matrix = run.matrix
    if matrix is None or len(matrix) < LEAST_SLICES:
        return None
    # Two runs are drawn apart, and each in one way whichever of them is the baseline.
    return Draws(matrix, seed=zlib.crc32(run.run_id.encode()))


def _redrawn(draws: Draws, metric: Metric) -> Floats | None:
    import numpy as np

    if metric.quantile is not None:
        return np.asarray(draws.quantiles(np.array([metric.quantile]))[:, 0])
    if metric.name == "mean":
        return draws.mean()
    if metric.name == "throughput":
        return draws.throughput()
    return draws.goodput() if metric.name == "goodput" else None
