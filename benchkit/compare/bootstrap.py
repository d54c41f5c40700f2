"""How much the figures of one single run depend on which moments it happened to see.

Neighbouring requests resemble each other, so whole stretches of time are drawn, not requests:
the circular block bootstrap of Politis and Romano (1992), with the block length of Politis and
White (2004) as corrected by Patton, Politis and White (2009). What it says holds for this run;
how much another run of the same variant would differ, no single run can know.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from benchkit.counting.cells import LatencyMatrix, quantiles

if TYPE_CHECKING:
    from benchkit.counting.arrays import Floats, Whole


DRAWS: Final = 1000
#: With fewer slices there is too little time to draw from.
LEAST_SLICES: Final = 20
#: More are merged: a block is longer than a slice anyway.
MOST_SLICES: Final = 500
#: One seed, so that the same input gives the same band.
_SEED: Final = 20090101


def block_length(series: Floats) -> float:
    """Return the length of a block for the circular bootstrap of the mean of a series."""
    n = len(series)
    covariances, last = _covariances(series - series.mean())
    if not covariances[0]:
        return 1.0
    lags = np.arange(1, last + 1)
    weights = np.minimum(1.0, 2 * (1 - lags / last))
    spectrum = covariances[0] + 2 * float((weights * covariances[1 : last + 1]).sum())
    slope = 2 * float((weights * lags * covariances[1 : last + 1]).sum())
    if not spectrum:
        return 1.0
    length = (1.5 * n * (slope / spectrum) ** 2) ** (1 / 3)
    return float(min(max(length, 1.0), math.ceil(min(3 * math.sqrt(n), n / 3))))


def _covariances(centred: Floats) -> tuple[Floats, int]:
    """Return autocovariances by lag and the lag up to which they count.

    It is twice the lag from which on several in a row are within what chance gives.
    """
    n = len(centred)
    run = max(5, math.ceil(math.sqrt(math.log10(n))))
    most = min(math.ceil(math.sqrt(n)) + run, n - 1)
    products = np.array([centred[lag:] @ centred[: n - lag] / n for lag in range(most + 1)])
    small = np.abs(products) < 2 * math.sqrt(math.log10(n) / n) * products[0]
    quiet = (lag for lag in range(1, most - run + 2) if small[lag : lag + run].all())
    first = next(quiet, None)
    return products, most if first is None else min(2 * first, most)


def drawn(slices: int, length: int, *, draws: int, seed: int = _SEED) -> Floats:
    """Return how often each slice is in each draw (draws × slices), blocks wrapping around."""
    rng = np.random.default_rng(seed)
    blocks = math.ceil(slices / length)
    starts = rng.integers(0, slices, size=(draws, blocks, 1))
    places = ((starts + np.arange(length)) % slices).reshape(draws, -1)[:, :slices]
    weights = np.zeros((draws, slices))
    np.add.at(weights, (np.arange(draws)[:, None], places), 1.0)
    return weights


class Draws:
    """Redrawn versions of one run; `None` for what its histogram does not support.

    Attributes:
        block_s: Length of a block of time.
    """

    def __init__(self, slices: LatencyMatrix, *, seed: int = _SEED, draws: int = DRAWS) -> None:
        self._slices = slices = slices.at_most(MOST_SLICES)
        length = math.ceil(max(block_length(series) for series in _series(slices)))
        self.block_s = length * slices.length_s
        self._weights = drawn(len(slices), length, draws=draws, seed=seed)
        self._counts = self._weights @ slices.counts

    def quantiles(self, wanted: Floats) -> Floats:
        """Return quantiles in s: draws × quantiles."""
        return quantiles(self._counts, self._slices.bins_s, wanted, smooth=True)

    def mean(self) -> Floats:
        """Return the mean in s of each draw."""
        return np.asarray(self._counts @ self._slices.middle_s / self._counts.sum(axis=1))

    def throughput(self) -> Floats | None:
        """Return responses per second of each draw."""
        return self._rate(self._slices.answered)

    def goodput(self) -> Floats | None:
        """Return good responses per second of each draw."""
        return self._rate(self._slices.good)

    def _rate(self, responses: Whole | None) -> Floats | None:
        if responses is None:
            return None
        seconds = self._slices.length_s * len(self._slices)
        return np.asarray(self._weights @ responses.sum(axis=1) / seconds)


def _series(slices: LatencyMatrix) -> list[Floats]:
    per_slice = slices.counts.sum(axis=1).astype(float)
    busy = slices.counts[per_slice > 0]
    medians = quantiles(busy, slices.bins_s, np.array([0.5]), smooth=True)[:, 0]
    return [per_slice, np.log(np.maximum(medians, 1e-9))]
