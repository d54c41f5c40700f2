"""What the figure of requests over time says, and its table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures.chart import DataTable
from benchkit.figures.moments import Shown, Span

_LEVEL: Final = 1.1  # below, a quantile over its median is not worth a number
_MOSTLY: Final = 0.9  # so many failures are what the title is about
_STALL: Final = 2.0  # a p99 that is so many times its median is told in the title


def title(shown: Sequence[Shown]) -> str:
    """Return when it went wrong, or that it did not."""
    lost = [one for one in shown if _failed(one) >= _MOSTLY]
    if lost:
        names = show.listed([show.quoted(one.name, limit=40) for one in lost])
        share = show.share(min(map(_failed, lost)))
        atleast = "at least " if len(lost) > 1 else ""
        return f"With {names} {atleast}{share} of the requests failed"
    peaks = [peak for one in shown if (peak := _peak(one))]
    if not peaks:
        return "Latency over time"
    times, name, one, span, value = max(peaks, key=lambda peak: peak[0])
    unknown = _median(one, name) < one.least_s
    if unknown and value < 1.5 * one.step_s:
        return "Latency over time"
    if times < _LEVEL:
        return f"{name} stayed level throughout"
    if times < _STALL:
        return f"{name} stayed within {show.factor(times)} of its median throughout"
    who = f"{show.clean(one.name, limit=40)}: " if len(shown) > 1 else ""
    when = f"{show.number(span.start_s)}{show.EN_DASH}{show.number(span.end_s)}{show.NBSP}s"
    told = f"its median below {_half(one)}" if unknown else f"{show.factor(times)} its median"
    return f"{who}{name} reached {show.duration(value)} in {when}, {told}"


def _half(one: Shown) -> str:
    return show.duration(one.least_s)


def _median(one: Shown, name: str) -> float:
    """Return the median of a quantile over the spans, also of those that are written as 0."""
    values = [getattr(span, f"{name}_s") for span in one.moments.spans]
    return float(statistics.median(value for value in values if value is not None))


def _failed(one: Shown) -> float:
    """Return the share of requests that failed, 0 where that is not known."""
    spans = [span for span in one.moments.spans if span.failed is not None]
    total = sum(span.requests for span in spans)
    return sum(span.failed or 0 for span in spans) / total if total else 0.0


def _peak(one: Shown) -> tuple[float, str, Shown, Span, float] | None:
    """Return by how much the highest quantile exceeds its median, and where."""
    for name, quantile in (("p99", 0.99), ("p50", 0.5)):
        known = [pair for piece in one.pieces(name) for pair in piece]
        if quantile < one.until and len(known) > 2:
            span, value = max(known, key=lambda pair: pair[1])
            return value / max(_median(one, name), one.least_s), name, one, span, value
    return None


def subtitle(comparison: Comparison, shown: Sequence[Shown], *, most: int, cut: bool) -> str:
    """Return what is drawn; `most` requests are in a cell, `cut` where not all are shown."""
    first = shown[0].moments
    parts = [
        "Requests by time of sending and latency, log axis. Colour: log of their number, at most",
        f"{show.count(most)} in {show.duration(first.column_s)}.",
        f"Lines: p50 and p99 (dotted) per {_lengths(shown)}.",
    ]
    if any(one.run for one in shown):
        parts.append("Of repeated runs the one with the middle p99.")
    below = [one for one in shown if float(one.moments.of.bins_s[0].min()) < one.least_s]
    if below:
        parts.append(f"What is below {_half(max(below, key=_least))} is in the lowest row.")
    left = len(comparison.variants) - len(shown)
    if cut:
        parts.append(f"Shown: the baseline and the highest p99 of {len(comparison.variants)}.")
    elif left:
        absent = [one for one in comparison.order if one not in {s.label for s in shown}]
        names = show.listed([show.clean(one, limit=40) for one in absent])
        parts.append(f"No times of single requests: {names}.")
    return " ".join(parts)


def _least(one: Shown) -> float:
    return one.least_s


def _lengths(shown: Sequence[Shown]) -> str:
    lengths = sorted({round(one.moments.span_s, 6) for one in shown})
    texts = list(dict.fromkeys(show.duration(lengths[n]) for n in (0, -1)))
    return " to ".join(texts)


def table(shown: Sequence[Shown]) -> DataTable:
    """Return the quantiles along time."""
    failing = any(span.failed is not None for one in shown for span in one.moments.spans)
    rows = [
        (one.name + one.run, _row(one, span, failing=failing))
        for one in shown
        for span in one.moments.spans
    ]
    headings = ("Variant", "Sent from, s", "Requests", "p50", "p99")
    return DataTable((*headings, "Failed") if failing else headings, tuple(rows))


def _row(one: Shown, span: Span, *, failing: bool) -> tuple[tuple[str, float | None], ...]:
    cells: list[tuple[str, float | None]] = [
        (show.number(span.start_s), span.start_s),
        (show.count(span.requests), float(span.requests)),
    ]
    for quantile, value in ((0.5, span.p50_s), (0.99, span.p99_s)):
        told = value if quantile < one.until else None
        if told is not None and told < one.least_s:
            cells.append((f"below {_half(one)}", None))
        else:
            cells.append((show.WITHHELD if told is None else show.duration(told), told))
    if failing:
        failed = span.failed
        cells.append(("—", None) if failed is None else (show.count(failed), float(failed)))
    return tuple(cells)
