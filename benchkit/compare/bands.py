"""Bands for ratios of two single runs, from redrawn stretches of time of each."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from benchkit.model.metric import Metric
from benchkit.model.run import Run

if TYPE_CHECKING:
    from benchkit.compare.bootstrap import Draws
    from benchkit.counting.grouping import Floats
    from benchkit.stats.interval import Interval


LEVEL: Final = 0.95


class Bands:
    """Bands of runs; each run is redrawn once, when first asked for."""

    def __init__(self) -> None:
        self._draws: dict[str, Draws | None] = {}

    def band(
        self, baseline: Run, variant: Run, metric: Metric, ratio: float
    ) -> tuple[Interval, float] | None:
        """Return the band around the ratio of two runs, None where a run does not support it.

        It describes these two runs; beside it is the length of the longer redrawn block in s.
        """
        import numpy as np

        from benchkit.stats.interval import Interval

        first, second = self._drawn(baseline), self._drawn(variant)
        if first is None or second is None:
            return None
        base, value = _redrawn(first, metric), _redrawn(second, metric)
        if base is None or value is None or not base.all():
            return None
        # Bins are coarser than the figures: what varies is taken over, not where it lies.
        moved = (value / np.median(value)) / (base / np.median(base))
        low, high = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        band = Interval(ratio * float(low), ratio * float(high), LEVEL)
        return band, max(first.block_s, second.block_s)

    def _drawn(self, run: Run) -> Draws | None:
        from benchkit.compare.bootstrap import LEAST_SLICES, Draws

        if run.run_id not in self._draws:
            self._draws[run.run_id] = None
            if run.matrix is not None and len(run.matrix) >= LEAST_SLICES:
                # Two runs are drawn apart, and each in one way whichever is the baseline.
                seed = zlib.crc32(run.run_id.encode())
                self._draws[run.run_id] = Draws(run.matrix, seed=seed)
        return self._draws[run.run_id]


def _redrawn(draws: Draws, metric: Metric) -> Floats | None:
    import numpy as np

    if metric.quantile is not None:
        return np.asarray(draws.quantiles(np.array([metric.quantile]))[:, 0])
    rows = {"mean": draws.mean, "throughput": draws.throughput, "goodput": draws.goodput}
    return rows[metric.name]() if metric.name in rows else None
