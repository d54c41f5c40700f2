"""The shift function of two single runs: the difference at each decile and in the tail.

Its band covers all quantiles at once, from redrawn stretches of time of each run. It describes
these two runs; two further runs of the same variants may differ more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.compare.bootstrap import LEAST_SLICES, Draws
from benchkit.counting.cells import LatencyMatrix
from benchkit.counting.quantiles import sample_quantiles
from benchkit.model.run import Run
from benchkit.stats import LEVEL

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats

QUANTILES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Shift:
    """Variant minus baseline at one quantile, in s.

    Attributes:
        low_s: Lower end of the band, which covers all quantiles at once; None without a band.
        high_s: Upper end.
    """

    quantile: float
    baseline_s: float
    variant_s: float
    low_s: float | None
    high_s: float | None

    @property
    def difference_s(self) -> float:
        """Above 0 where the variant is slower."""
        return self.variant_s - self.baseline_s


def shift_function(baseline: Run, variant: Run) -> list[Shift]:
    """Return the shift function of two runs, as far into the tail as both have requests.

    Nothing where a run has no time-sliced histogram; no band where one is too short.
    """
    if baseline.matrix is None or variant.matrix is None:
        return []
    sides = (baseline.matrix, variant.matrix)
    fewest = min(int(side.counts.sum()) for side in sides)
    wanted = np.array([q for q in QUANTILES if q <= 1 - 1 / max(fewest, 1)])
    if not len(wanted):
        return []
    # As they are elsewhere: another file of the run may know them better than its rows.
    here = [
        np.array([run.latency_at(float(q)) for q in wanted], float) for run in (baseline, variant)
    ]
    half = _half_widths(sides, wanted)
    return [
        Shift(
            float(q),
            float(a),
            float(b),
            None if half is None else float(b - a - half[n]),
            None if half is None else float(b - a + half[n]),
        )
        for n, (q, a, b) in enumerate(zip(wanted, *here, strict=True))
    ]


def _half_widths(sides: tuple[LatencyMatrix, LatencyMatrix], wanted: Floats) -> Floats | None:
    if min(map(len, sides)) < LEAST_SLICES:
        return None
    first, second = (Draws(side, seed=n).quantiles(wanted) for n, side in enumerate(sides))
    drawn = second - first
    # From their own middle: they know latencies to a bin, and the difference is known better.
    away = np.abs(drawn - np.median(drawn, axis=0))
    spread = drawn.std(axis=0)
    # The largest of the standardised deviations: one critical value for all quantiles.
    scaled = away / np.where(spread > 0, spread, np.inf)
    return np.asarray(sample_quantiles(scaled.max(axis=1), LEVEL) * spread)
