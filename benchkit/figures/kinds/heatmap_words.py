"""What the figure of requests over time says, and its table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures import steps
from benchkit.figures.chart import Cell, DataTable
from benchkit.figures.kinds.overtime import QUANTILES, RunPanel, Span
from benchkit.model.comparison import Comparison

_LEVEL: Final = 1.1  # below, a quantile over its median is not worth a number
_MOSTLY: Final = 0.9  # so many failures are what the title is about
_STALL: Final = 2.0  # a p99 that is so many times its median is what the title is about


def title(runs: Sequence[RunPanel]) -> str:
    """Return when it went wrong, or that it did not."""
    lost = [run for run in runs if _failed(run) >= _MOSTLY]
    if lost:
        names = show.listed([show.quoted(run.key.short, limit=40) for run in lost])
        share = show.share(min(map(_failed, lost)))
        atleast = "at least " if len(lost) > 1 else ""
        return f"With {names} {atleast}{share} of the requests failed"
    peaks = [peak for run in runs if (peak := _peak(run))]
    if not peaks:
        return "Latency over time"
    times, name, run, span, value = max(peaks, key=lambda peak: peak[0])
    unknown = _median(run, name) < run.least_s
    if unknown and value < 1.5 * run.step_s:
        return "Latency over time"
    if times < _LEVEL:
        return f"{name} stayed level throughout"
    if times < _STALL:
        return f"{name} stayed within {show.factor(times)} of its median throughout"
    who = f"{show.clean(run.key.short, limit=40)}: " if len(runs) > 1 else ""
    when = f"{show.number(span.start_s)}{show.EN_DASH}{show.number(span.end_s)}{show.NBSP}s"
    how = (
        f"its median below {show.duration(run.least_s)}"
        if unknown
        else f"{show.factor(times)} its median"
    )
    return f"{who}{name} reached {show.duration(value)} in {when}, {how}"


def _median(run: RunPanel, name: str) -> float:
    """Return the median of a quantile over the spans, also of those that are written as 0."""
    values = [run.latency(span, name) for span in run.spans]
    return float(statistics.median(value for value in values if value is not None))


def _failed(run: RunPanel) -> float:
    """Return the share of requests that failed, 0 where that is not known."""
    spans = [span for span in run.spans if span.failed is not None]
    total = sum(span.requests for span in spans)
    return sum(span.failed or 0 for span in spans) / total if total else 0.0


def _peak(run: RunPanel) -> tuple[float, str, RunPanel, Span, float] | None:
    """Return by how much the highest quantile exceeds its median, and where."""
    for name in reversed(QUANTILES):
        known = [pair for piece in run.pieces(name) for pair in piece]
        if len(known) > 2:
            span, value = max(known, key=lambda pair: pair[1])
            return value / max(_median(run, name), run.least_s), name, run, span, value
    return None


def subtitle(comparison: Comparison, runs: Sequence[RunPanel], *, most: int, cut: bool) -> str:
    """Return what is drawn; `most` requests are in a cell, `cut` where not all are shown."""
    lengths = sorted({round(run.spans[0].end_s - run.spans[0].start_s, 6) for run in runs})
    spans = " to ".join(dict.fromkeys(show.duration(lengths[n]) for n in (0, -1)))
    parts = [
        "Requests by time of sending and latency, log axis. Colour: log of their number, at most",
        f"{show.count(most)} in {show.duration(runs[0].column_s)}.",
        f"Lines: p50 and p99 (dotted) per {spans}.",
        *steps.sentence(max(run.step_s for run in runs)),
    ]
    if any(run.which for run in runs):
        parts.append("Of repeated runs the one with the middle p99.")
    below = [run for run in runs if float(run.matrix.bins_s[0].min()) < run.least_s]
    if below:
        coarsest = max(below, key=lambda run: run.least_s)
        parts.append(f"What is below {show.duration(coarsest.least_s)} is in the lowest row.")
    absent = [label for label in comparison.order if label not in {run.key.label for run in runs}]
    if cut:
        parts.append(f"Shown: the baseline and the highest p99 of {len(comparison.order)}.")
    elif absent:
        names = show.listed([show.clean(label, limit=40) for label in absent])
        parts.append(f"No times of single requests: {names}.")
    return " ".join(parts)


def table(runs: Sequence[RunPanel]) -> DataTable:
    """Return the quantiles along time."""
    failing = any(span.failed is not None for run in runs for span in run.spans)
    rows = [
        (run.key.short + run.which, _row(run, span, failing=failing))
        for run in runs
        for span in run.spans
    ]
    headings = ("Variant", "Sent from, s", "Requests", *QUANTILES)
    return DataTable((*headings, "Failed") if failing else headings, tuple(rows))


def _row(run: RunPanel, span: Span, *, failing: bool) -> tuple[Cell, ...]:
    cells: list[Cell] = [
        (show.number(span.start_s), span.start_s),
        (show.count(span.requests), float(span.requests)),
    ]
    for name in QUANTILES:
        known = run.latency(span, name)
        if known is not None and known < run.least_s:
            cells.append((f"below {show.duration(run.least_s)}", None))
        else:
            cells.append((show.WITHHELD if known is None else show.duration(known), known))
    if failing:
        failed = span.failed
        cells.append(("—", None) if failed is None else (show.count(failed), float(failed)))
    return tuple(cells)
