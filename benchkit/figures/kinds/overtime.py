"""Requests over time: one run's latencies by when they were sent, and quantiles along it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from benchkit.counting.arrays import Whole
from benchkit.counting.cells import LatencyMatrix, quantiles
from benchkit.figures.look import Key
from benchkit.figures.marks import scattered
from benchkit.model.run import Run
from benchkit.validity.amounts import needed

#: So many columns at most.
COLUMNS: Final = 240
#: What is drawn along time.
QUANTILES: Final = {"p50": 0.5, "p99": 0.99}
#: From so many requests on each is known, p99 as anywhere: p99 of fewer is one request.
_LEAST: Final = (10, needed(QUANTILES["p99"]))
_STEADY: Final = 1000  # requests from which p99 of a span is not that of a few of them
_MEDIAN: Final = 20  # requests from which p50 of a span is not that of a few of them
_FEWEST: Final = 3  # columns, of which one may be a rest
_FEW: Final = 20  # spans or columns of which a short run is made rather
_SPANS: Final = 4  # with a p99 each, else a median says more
_ENOUGH: Final = 0.9  # share of the spans that have so many requests


@dataclass(frozen=True, slots=True)
class Span:
    """Requests sent within some time; a quantile of too few is None.

    Attributes:
        latencies: In s, by the names of `QUANTILES`.
    """

    start_s: float
    end_s: float
    requests: int
    failed: int | None
    latencies: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class RunPanel:
    """The run of one panel, along time.

    Attributes:
        which: Of several runs of a variant, empty for a single one.
        matrix: The requests by slice and bin.
        together: Slices per column.
        step_s: In which latencies were written; 0 where that is fine.
        spans: What the lines are drawn from: columns, joined until each has enough requests.
    """

    key: Key
    which: str
    matrix: LatencyMatrix
    together: int
    step_s: float
    spans: tuple[Span, ...]

    @property
    def end_s(self) -> float:
        """When the last slice ends."""
        return self.spans[-1].end_s

    @property
    def columns_s(self) -> list[float]:
        """The edges of the columns, of which the last may end after the last slice."""
        count = -(-len(self.matrix) // self.together)
        return [float(self.matrix.starts_s[0]) + n * self.column_s for n in range(count + 1)]

    @property
    def span_s(self) -> float:
        """Length of a span; the first and the last may be shorter."""
        return max(span.end_s - span.start_s for span in self.spans)

    @property
    def column_s(self) -> float:
        """Length of a column."""
        return self.together * self.matrix.length_s

    @property
    def least_s(self) -> float:
        """What is less than half a step was written as 0, and is known no better than so."""
        return self.step_s / 2 or 1e-9

    def latency(self, span: Span, name: str) -> float | None:
        """Return a quantile of a span in s, None where it is withheld."""
        below = min(self.key.variant.trusted_below, self.key.shown_below)
        return span.latencies[name] if QUANTILES[name] < below else None

    def pieces(self, name: str) -> list[list[tuple[Span, float]]]:
        """Return the spans whose quantile is known, in unbroken rows."""
        every = [(span, self.latency(span, name) or 0.0) for span in self.spans]
        groups = groupby(every, key=lambda pair: pair[1] >= self.least_s)
        return [list(group) for drawn, group in groups if drawn]

    @property
    def lacks_lines(self) -> bool:
        """Whether a quantile along time would be known, but is withheld."""
        known = {name for span in self.spans for name, s in span.latencies.items() if s is not None}
        return any(QUANTILES[name] >= self.key.shown_below for name in known)

    def failures(self) -> list[Span]:
        """Return all columns, nothing where no request failed or that is not known."""
        if self.matrix.good is None:
            return []
        failed = _joined((self.matrix.counts - self.matrix.good).sum(axis=1), self.together)
        columns = [
            Span(max(start, 0.0), min(end, self.end_s), int(sent), int(lost), {})
            for (start, end), sent, lost in zip(
                pairwise(self.columns_s), self.requests(), failed, strict=True
            )
        ]
        return _without_rest(columns) if failed.any() else []

    def requests(self) -> Whole:
        """Return how many requests were sent in each column."""
        requests: Whole = _joined(self.matrix.counts, self.together).sum(axis=1)
        return requests

    def dots(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return where each request stands: even in its step of time, in the middle of its bin.

        Those that are not known to have failed, and those that are.
        """
        matrix, steps = self.matrix, _steps(self.matrix)
        starts = matrix.starts_s.clip(0.0)
        ends = matrix.starts_s + steps * matrix.length_s
        latencies = matrix.middle_s.clip(self.least_s)
        good: list[tuple[float, float]] = []
        failed: list[tuple[float, float]] = []
        for at, counts in enumerate(matrix.counts):
            passed = counts if matrix.good is None else matrix.good[at]
            kinds = np.stack([passed, counts - passed], axis=1)
            # Latencies are ascending: one after the other they would look like a course.
            order = scattered(int(counts.sum()))
            wide = (ends[at] - starts[at]) / max(len(order), 1)
            every = np.repeat(np.arange(kinds.size), kinds.ravel())
            for number, cell in zip(order, every, strict=True):
                across = float(starts[at] + (number + 0.5) * wide)
                dots = failed if cell % 2 else good
                dots.append((across, float(latencies[cell // 2])))
        return good, failed

    @property
    def sent_step_s(self) -> float:
        """In which steps the times of sending are known."""
        return _steps(self.matrix) * self.matrix.length_s

    def cells(self, edges: Sequence[float]) -> Whole:
        """Return requests by row, between these latencies in s, and column."""
        rows = np.searchsorted(np.asarray(edges), self.matrix.middle_s, side="right") - 1
        rows = np.clip(rows, 0, len(edges) - 2)
        columns = _joined(self.matrix.counts, self.together)
        cells = np.zeros((len(edges) - 1, len(columns)), np.int64)
        np.add.at(cells, rows, columns.T)
        return cells


def _without_rest(columns: list[Span]) -> list[Span]:
    """Return columns, the last with the one before where that has more than twice its requests."""
    if len(columns) < _FEWEST or 2 * columns[-1].requests >= columns[-2].requests:
        return columns
    *others, last, rest = columns
    requests, failed = last.requests + rest.requests, (last.failed or 0) + (rest.failed or 0)
    return [*others, Span(last.start_s, rest.end_s, requests, failed, {})]


def column_length(runs: Sequence[LatencyMatrix]) -> float:
    """Return the length of a column at which every run fits, whole slices of each.

    A column has some requests where enough columns are left: shares of one or two say nothing.
    """
    shortest = max(run.length_s * _steps(run) for run in runs)
    return shortest * max(_together(run, shortest) for run in runs)


def _steps(run: LatencyMatrix) -> int:
    """Return in steps of how many slices requests were sent: a clock may have only seconds."""
    return int(np.gcd.reduce(np.flatnonzero(run.counts.sum(axis=1)))) or 1


def _together(run: LatencyMatrix, shortest: float) -> int:
    """Return how many of the shortest columns are one: few enough, and each with requests."""
    columns, requests = len(run) * run.length_s / shortest, int(run.counts.sum())
    filled = min(_LEAST[0] * columns / requests, columns / _FEW)
    return math.ceil(max(columns / COLUMNS, filled))


def run_panel(key: Key, which: str, run: Run, matrix: LatencyMatrix, column_s: float) -> RunPanel:
    """Return a run along time, its spans as short as they can be for a p99 each.

    Where no p99 may be shown, or in a few spans only, they are as short as a median allows.
    """
    size = max(1, round(column_s / matrix.length_s))
    joined, columns = 1, _joined(matrix.counts, size).sum(axis=1)
    tail = QUANTILES["p99"] < min(key.variant.trusted_below, key.shown_below)
    tail &= columns.sum() >= _SPANS * _LEAST[-1]
    wanted = max(_LEAST[-1] if tail else _MEDIAN, min(_STEADY, columns.sum() // _FEW))
    while joined < len(columns):
        sizes = _joined(columns, joined)
        if np.mean(sizes[: len(columns) // joined] >= wanted) >= _ENOUGH:
            break
        joined += 1 if joined < 4 else 2
    spans = _spans(matrix, size * joined, end_s=float(matrix.starts_s[-1] + matrix.length_s))
    return RunPanel(key, which, matrix, size, run.request_step_s, spans)


def _spans(matrix: LatencyMatrix, size: int, *, end_s: float) -> tuple[Span, ...]:
    counts = _joined(matrix.counts, size)
    known = quantiles(counts, matrix.bins_s, np.asarray([*QUANTILES.values()]))
    requests = counts.sum(axis=1)
    failed: list[int | None] = [None] * len(counts)
    if matrix.good is not None:
        failed = [int(n) for n in requests - _joined(matrix.good.sum(axis=1), size)]
    return tuple(
        Span(
            max(float(matrix.starts_s[n * size]), 0.0),
            min(float(matrix.starts_s[0] + (n + 1) * size * matrix.length_s), end_s),
            int(requests[n]),
            failed[n],
            {
                name: float(value) if requests[n] >= least else None
                for name, value, least in zip(QUANTILES, known[n], _LEAST, strict=True)
            },
        )
        for n in range(len(counts))
    )


def _joined(counts: Whole, together: int) -> Whole:
    """Return neighbouring rows added up."""
    return np.asarray(np.add.reduceat(counts, np.arange(0, len(counts), together), axis=0))
