"""The latency histogram of one run as a matrix: time slices by bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from benchkit.compare.ranksum import Floats
    from benchkit.results import Results

    Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Slices:
    """Requests of one run by time slice and latency bin.

    Attributes:
        starts_s: Start of each slice from the first send, ascending, without gaps.
        length_s: Length of a slice.
        bins_s: Lower and upper bound of each bin (2 × bins), ascending.
        counts: Slices × bins, whatever came back.
        answered: Responses of any status per slice; None where the format does not tell.
        good: Responses of status 200 to 399 per slice; None likewise.
    """

    starts_s: Floats
    length_s: float
    bins_s: Floats
    counts: Counts
    answered: Counts | None
    good: Counts | None

    def __len__(self) -> int:
        return len(self.starts_s)

    @property
    def middle_s(self) -> Floats:
        """Middle of each bin."""
        return np.asarray(self.bins_s.mean(axis=0))

    def at_most(self, most: int) -> Slices:
        """Return the same with neighbours merged until there are at most so many slices."""
        together = -(-len(self) // most)
        if together == 1:
            return self
        firsts = np.arange(0, len(self), together)
        return Slices(
            self.starts_s[firsts],
            self.length_s * together,
            self.bins_s,
            np.add.reduceat(self.counts, firsts, axis=0),
            None if self.answered is None else np.add.reduceat(self.answered, firsts),
            None if self.good is None else np.add.reduceat(self.good, firsts),
        )

    def after(self, start_s: float) -> Slices:
        """Return the slices that begin at `start_s` or later."""
        kept = self.starts_s >= start_s - 1e-9
        return Slices(
            self.starts_s[kept],
            self.length_s,
            self.bins_s,
            self.counts[kept],
            None if self.answered is None else self.answered[kept],
            None if self.good is None else self.good[kept],
        )


def slices_of(results: Results, run_id: str) -> Slices | None:
    """Return the slices of a run, None where its histogram has none."""
    frame = results.histogram
    frame = frame[(frame["run_id"] == run_id) & frame["slice_start_s"].notna()]
    if not len(frame) or frame["slice_s"].isna().any():
        return None
    length = float(frame["slice_s"].max())
    starts = np.asarray(frame["slice_start_s"], float)
    low, high = (np.asarray(frame[f"latency_{side}_s"], float) for side in ("low", "high"))
    count = np.asarray(frame["count"], np.int64)
    row = np.rint((starts - starts.min()) / length).astype(np.int64)
    _, first, column = np.unique(low, return_index=True, return_inverse=True)
    size = int(row.max()) + 1
    counts = np.zeros((size, len(first)), np.int64)
    np.add.at(counts, (row, column), count)
    outcome = frame["outcome"].array.to_numpy(dtype=object, na_value=None)
    known = not any(one is None for one in outcome)
    return Slices(
        starts.min() + length * np.arange(size),
        length,
        np.stack([low[first], high[first]]),
        counts,
        _per_slice(row, count * (outcome != "no-response"), size) if known else None,
        _per_slice(row, count * (outcome == "success"), size) if known else None,
    )


def _per_slice(row: Counts, count: Counts, size: int) -> Counts:
    found = np.zeros(size, np.int64)
    np.add.at(found, row, count)
    return found


def quantiles(counts: Floats | Counts, bins_s: Floats, wanted: Floats) -> Floats:
    """Return quantiles (columns) of each row of counts, in s.

    Requests are taken to lie evenly within their bin, so that a figure moves in smaller steps
    than the bins are wide.
    """
    rows = np.atleast_2d(counts)
    cumulated = np.cumsum(rows, axis=1)
    total = cumulated[:, -1:]
    ranks = np.maximum(np.ceil(total * wanted - 1e-9 * np.maximum(total, 1)), 1)
    found = [np.searchsorted(c, r) for c, r in zip(cumulated, ranks, strict=True)]
    places = np.minimum(np.stack(found), rows.shape[1] - 1)
    inside = np.take_along_axis(rows, places, axis=1)
    before = np.take_along_axis(cumulated, places, axis=1) - inside
    share = (ranks - before - 0.5) / np.maximum(inside, 1)
    low, high = bins_s[0][places], bins_s[1][places]
    return np.asarray(low + (high - low) * np.clip(share, 0.0, 1.0))
