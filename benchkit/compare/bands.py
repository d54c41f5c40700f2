"""Bands for ratios of two single runs, from redrawn stretches of time of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from benchkit.compare.measures import MEASURES
from benchkit.compare.ranksum import Interval
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchkit.compare.bootstrap import Draws
    from benchkit.compare.ranksum import Floats
    from benchkit.results import Results

LEVEL: Final = 0.95
_QUANTILES: Final = {column: quantile for quantile, column in QUANTILE_COLUMNS.items()}


@dataclass(frozen=True, slots=True)
class Band:
    """An interval that describes two runs, and the length of the longer redrawn block in s."""

    interval: Interval
    block_s: float


class Bands:
    """Bands of the runs of some results; each run is redrawn once, when first asked for."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._draws: Callable[[str, int], Draws | None] = cache(self._redraw)

    def of(self, pair: tuple[str, str], name: str, ratio: float) -> Band | None:
        """Return the band around the ratio of two runs, None where a run does not support it."""
        import numpy as np

        draws = [self._draws(run_id, side) for side, run_id in enumerate(pair)]
        if draws[0] is None or draws[1] is None:
            return None
        base, value = _redrawn(draws[0], name), _redrawn(draws[1], name)
        if base is None or value is None or not base.all():
            return None
        # Bins are coarser than the figures: what varies is taken over, not where it lies.
        moved = (value / np.median(value)) / (base / np.median(base))
        low, high = np.quantile(moved, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        block = max(draws[0].block_s, draws[1].block_s)
        return Band(Interval(ratio * float(low), ratio * float(high), LEVEL), block)

    def _redraw(self, run_id: str, side: int) -> Draws | None:
        from benchkit.compare.bootstrap import LEAST_SLICES, Draws
        from benchkit.compare.slices import slices_of

        slices = slices_of(self._results, run_id)
        if slices is None or len(slices) < LEAST_SLICES:
            return None
        return Draws(slices, seed=side)


def _redrawn(draws: Draws, name: str) -> Floats | None:
    import numpy as np

    quantile = _QUANTILES.get(MEASURES[name].column)
    if quantile is not None:
        return np.asarray(draws.quantiles(np.array([quantile]))[:, 0])
    if name == "mean":
        return draws.mean()
    if name == "throughput":
        return draws.throughput()
    return draws.goodput() if name == "goodput" else None
