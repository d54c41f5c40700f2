"""Requests over time: one run's latencies by when they were sent, and quantiles along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from benchkit.counting.cells import LatencyMatrix

    Counts = npt.NDArray[np.int64]

#: So many columns at most.
COLUMNS: Final = 240
#: A quantile along time is known from so many requests on: p99 of fewer is one request.
LEAST: Final = {0.5: 10, 0.99: 100}
_STEADY: Final = 1000  # requests from which p99 of a span is not that of a few of them
_FEW: Final = 20  # spans of which a short run is made rather
_ENOUGH: Final = 0.9  # share of the spans that have so many requests


@dataclass(frozen=True, slots=True)
class Span:
    """Requests sent within some time; a quantile of too few is None."""

    start_s: float
    end_s: float
    requests: int
    failed: int | None
    p50_s: float | None
    p99_s: float | None


@dataclass(frozen=True, slots=True)
class Course:
    """One run along time.

    Attributes:
        matrix: The requests by slice and bin.
        together: Slices per column.
        spans: What the lines are drawn from: columns, joined until each has enough requests.
    """

    matrix: LatencyMatrix
    together: int
    spans: tuple[Span, ...]

    @property
    def end_s(self) -> float:
        """When the last column ends."""
        return _end(self.matrix, self.together)

    @property
    def column_s(self) -> float:
        """Length of a column."""
        return self.together * self.matrix.length_s

    @property
    def span_s(self) -> float:
        """Length of a span."""
        return self.spans[0].end_s - self.spans[0].start_s

    def failures(self) -> list[tuple[float, int]]:
        """Return middle of the column and number of failed requests of each that has any."""
        if self.matrix.good is None:
            return []
        failed = _joined(
            (self.matrix.counts.sum(axis=1) - self.matrix.good)[:, None], self.together
        )[:, 0]
        first = float(self.matrix.starts_s[0])
        return [(first + (n + 0.5) * self.column_s, int(f)) for n, f in enumerate(failed) if f]

    def cells(self, edges: Sequence[float]) -> Counts:
        """Return requests by row, between these latencies in s, and column."""
        import numpy as np

        rows = np.searchsorted(np.asarray(edges), self.matrix.middle_s, side="right") - 1
        rows = np.clip(rows, 0, len(edges) - 2)
        columns = _joined(self.matrix.counts, self.together)
        cells = np.zeros((len(edges) - 1, len(columns)), np.int64)
        np.add.at(cells, rows, columns.T)
        return cells


@dataclass(frozen=True, slots=True)
class RunPanel:
    """The run of one panel.

    Attributes:
        label: Of its variant.
        name: The label, short.
        which: Of several runs, empty for a single one.
        course: The run along time.
        until: Quantiles from here on are withheld.
        step_s: In which latencies were written; 0 where that is fine.
    """

    label: str
    name: str
    which: str
    course: Course
    until: float
    step_s: float = 0.0

    @property
    def least_s(self) -> float:
        """What is less than half a step was written as 0, and is known no better than so."""
        return self.step_s / 2 or 1e-9

    def pieces(self, name: str) -> list[list[tuple[Span, float]]]:
        """Return the spans whose quantile, `p50` or `p99`, is known, in unbroken rows."""
        known = [(span, getattr(span, f"{name}_s")) for span in self.course.spans]
        groups = groupby(known, key=lambda pair: pair[1] is not None and pair[1] >= self.least_s)
        return [list(group) for there, group in groups if there]


def column_length(runs: Sequence[LatencyMatrix]) -> float:
    """Return the length of a column at which every run fits, whole slices of each."""
    shortest = max(run.length_s * _clock(run) for run in runs)
    needed = [math.ceil(len(run) * run.length_s / shortest / COLUMNS) for run in runs]
    return shortest * max(needed)


def _clock(matrix: LatencyMatrix) -> int:
    """Return in steps of how many slices requests were sent: a clock may have only seconds."""
    import numpy as np

    occupied = np.flatnonzero(matrix.counts.sum(axis=1))
    return int(np.gcd.reduce(occupied)) or 1


def course(matrix: LatencyMatrix, *, column_s: float) -> Course:
    """Return a run along time, its spans as short as they can be for a p99 each."""
    import numpy as np

    size = max(1, round(column_s / matrix.length_s))
    joined, columns = 1, _joined(matrix.counts, size).sum(axis=1)
    wanted = max(LEAST[0.99], min(_STEADY, columns.sum() // _FEW))
    while joined < len(columns):
        sizes = _joined(columns[:, np.newaxis], joined)[:, 0]
        if np.mean(sizes[: len(columns) // joined] >= wanted) >= _ENOUGH:
            break
        joined += 1 if joined < 4 else 2
    return Course(matrix, size, _spans(matrix, size * joined, end_s=_end(matrix, size)))


def _end(matrix: LatencyMatrix, together: int) -> float:
    columns = math.ceil(len(matrix) / together)
    return float(matrix.starts_s[0] + columns * together * matrix.length_s)


def _spans(matrix: LatencyMatrix, size: int, *, end_s: float) -> tuple[Span, ...]:
    import numpy as np

    from benchkit.counting.cells import quantiles

    counts = _joined(matrix.counts, size)
    known = quantiles(counts, matrix.bins_s, np.asarray([0.5, 0.99]))
    requests = counts.sum(axis=1)
    failed: list[int | None] = [None] * len(counts)
    if matrix.good is not None:
        failed = [int(n) for n in requests - _joined(matrix.good[:, np.newaxis], size)[:, 0]]
    return tuple(
        Span(
            float(matrix.starts_s[n * size]),
            min(float(matrix.starts_s[0] + (n + 1) * size * matrix.length_s), end_s),
            int(requests[n]),
            failed[n],
            *(
                float(value) if requests[n] >= least else None
                for value, least in zip(known[n], LEAST.values(), strict=True)
            ),
        )
        for n in range(len(counts))
    )


def _joined(counts: Counts, together: int) -> Counts:
    """Return neighbouring rows added up."""
    import numpy as np

    return np.asarray(np.add.reduceat(counts, np.arange(0, len(counts), together), axis=0))
