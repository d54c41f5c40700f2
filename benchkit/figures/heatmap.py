"""Every request by when it was sent and how long it took: when did it go wrong?

One panel per variant with shared scales. A panel shows one run, not several laid over each
other: a stall happens at another time in each, and would be thinned by the others.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary
from benchkit.figures.chart import Axis, Cells, Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.measured import trusted_below
from benchkit.figures.moments import Moments, Span, column_length, moments
from benchkit.figures.names import short_names
from benchkit.figures.scales import latency_axis, time_axis

if TYPE_CHECKING:
    from benchkit.results import Results

_ROWS: Final = 60
_MOST: Final = 5  # of more variants the baseline and the slowest are shown
_PANEL: Final = 168  # px, with what lies between two panels
_STRIP: Final = 12  # px of the errors below
_LEVEL: Final = 1.1  # below, a quantile over its median is not worth a number
_STALL: Final = 2.0  # a p99 that is so many times its median is told in the title


@dataclass(frozen=True, slots=True)
class _Shown:
    """One panel's run."""

    label: str
    name: str
    run: str
    moments: Moments
    until: float


def heatmap(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where no run knows when its requests were sent."""
    shown = _shown(results, comparison)
    if not shown:
        return None
    failing = any(span.failed for one in shown for span in one.moments.spans)
    y = _latencies(shown)
    x = with_room(time_axis(max(one.moments.end_s for one in shown)), ["p99"])
    edges = _edges(y, max((float(s) for s in comparison.facts("resolution_s")), default=0.0))
    counts = {one.label: one.moments.cells(edges) for one in shown}
    most = max(int(cells.max()) for cells in counts.values())
    y = replace(y, low=edges[0], high=edges[-1])
    lower = y.low / (y.high / y.low) ** (_STRIP / _PANEL) if failing else y.low
    axes = (x, replace(y, low=lower))
    panels = [_panel(one, axes, _cells(one, counts[one.label], edges, most)) for one in shown]
    title = _title(shown)
    return Chart(
        kind="heatmap",
        title=title,
        subtitle=_subtitle(comparison, shown, most),
        label=f"{title}; values in the table below",
        panels=tuple(panels),
        table=_table(shown),
        height=56 + _PANEL * len(panels),
    )


def _shown(results: Results, comparison: Comparison) -> list[_Shown]:
    from benchkit.compare.slices import slices_of

    short = short_names(list(comparison.order))
    by_label = {one.label: one for one in comparison.variants}
    found = []
    for label in _chosen(comparison):
        run_id, place = _middle_run(results, by_label[label])
        slices = slices_of(results, run_id)
        if slices is not None and slices.counts.sum():
            runs = by_label[label].runs
            run = f", run {place + 1} of {runs}" if runs > 1 else ""
            found.append((label, run, slices))
    if not found:
        return []
    length = column_length([slices for *_, slices in found])
    return [
        _Shown(
            label, short[label], run, moments(s, column_s=length), trusted_below(by_label[label])
        )
        for label, run, s in found
    ]


def _chosen(comparison: Comparison) -> list[str]:
    """Return the labels of the panels: all in input order, or the baseline and the slowest."""
    if len(comparison.variants) <= _MOST:
        return list(comparison.order)
    known = [(one.values["latency_p99_s"], one.label) for one in comparison.others]
    slowest = max(((value, label) for value, label in known if value), default=None)
    return [comparison.baseline, slowest[1] if slowest else comparison.others[-1].label]


def _middle_run(results: Results, one: VariantSummary) -> tuple[str, int]:
    """Return the run whose p99 lies in the middle, the first where none is known."""
    p99 = results.runs.set_index("run_id")["latency_p99_s"].to_dict()
    known = [(float(p99[i]), place) for place, i in enumerate(one.run_ids) if _known(p99[i])]
    place = sorted(known)[(len(known) - 1) // 2][1] if known else 0
    return one.run_ids[place], place


def _known(value: Any) -> bool:  # noqa: ANN401 - a float or what pandas writes for none
    return isinstance(value, float) and math.isfinite(value)


def _latencies(shown: Sequence[_Shown]) -> Axis:
    bounds = [
        float(bound)
        for one in shown
        for bound in one.moments.of.bins_s[:, one.moments.of.counts.sum(axis=0) > 0].ravel()
    ]
    return latency_axis(bounds, room=0.02)


def _edges(y: Axis, tick: float) -> list[float]:
    """Return the edges of the rows, each holding at least one tick of the tool's clock whole."""
    step = (y.high / y.low) ** (1 / _ROWS)
    edge = (math.floor(y.low / tick + 0.5) - 0.5) * tick if tick else y.low
    edges = [edge if edge > 0 else y.low]
    while edges[-1] < y.high * 0.999:
        wanted = edges[-1] * step
        edges.append((math.ceil(wanted / tick - 0.5) + 0.5) * tick if tick else wanted)
    return edges


def _cells(one: _Shown, counts: Any, edges: Sequence[float], most: int) -> Cells:  # noqa: ANN401 - an array
    start, length = float(one.moments.of.starts_s[0]), one.moments.column_s
    columns = [start + n * length for n in range(counts.shape[1] + 1)]
    top = math.log1p(most)
    return Cells(
        xs=tuple(columns),
        ys=tuple(edges),
        values=tuple(
            tuple(math.log1p(n) / top if n else None for n in row) for row in counts.tolist()
        ),
        hover=tuple(
            tuple(_cell_hover(n, x, length, low, high) for n, x in zip(row, columns, strict=False))
            for row, (low, high) in zip(counts.tolist(), pairwise(edges), strict=True)
        ),
    )


def _cell_hover(count: int, start: float, length: float, low: float, high: float) -> str:
    if not count:
        return ""
    span = f"{show.duration(low, digits=2)} to {show.duration(high, digits=2)}"
    when = f"sent {_clock(start, length)} after the start"
    return f"{show.plural(count, 'request')}, {span}\n{when}"


def _clock(start: float, length: float) -> str:
    decimals = max(0, 1 - math.floor(math.log10(length)))
    return f"{show.fixed(start, decimals)}{show.NBSP}s"


def _panel(one: _Shown, axes: tuple[Axis, Axis], cells: Cells) -> Panel:
    x, y = axes
    series: list[Series] = []
    ends = []
    for name, quantile, dotted in (("p50", 0.5, False), ("p99", 0.99, True)):
        pieces = _pieces(one, name) if quantile < one.until else []
        series += [part for piece in pieces for part in _line(one, piece, name, dotted=dotted)]
        if pieces:
            last, value = pieces[-1][-1]
            ends.append(End(last.end_s, value, name, "text"))
    requests = show.plural(sum(span.requests for span in one.moments.spans), "request")
    errors = _errors(one, y, cells.ys[0])
    notes = end_names(ends, y, height=_PANEL - 40)
    if errors:
        middle = math.sqrt(y.low * cells.ys[0])
        notes = (*notes, Note(x.low, middle, "failed", role="serious", align="right", dx=-6))
    return Panel(
        x=x,
        y=y,
        series=(*series, *errors),
        notes=notes,
        title=f"{one.name}{one.run}: {requests}",
        cells=cells,
    )


def _pieces(one: _Shown, name: str) -> list[list[tuple[Span, float]]]:
    """Return the spans whose quantile is known, in unbroken rows."""
    known = [(span, getattr(span, f"{name}_s")) for span in one.moments.spans]
    groups = groupby(known, key=lambda pair: pair[1] is not None)
    return [list(group) for there, group in groups if there]


def _line(
    one: _Shown, piece: Sequence[tuple[Span, float]], name: str, *, dotted: bool
) -> list[Series]:
    xs = (*(span.start_s for span, _ in piece), piece[-1][0].end_s)
    ys = (*(value for _, value in piece), piece[-1][1])
    hover = [_hover(span, name, value) for span, value in piece]
    line = Series(
        one.label,
        "text",
        xs,
        ys,
        line=1.75,
        dotted=dotted,
        step="after",
        hover=(*hover, hover[-1]),
    )
    under = replace(line, role="page", line=4.0, dotted=False, hover=(), in_table=False)
    return [under, line]


def _hover(span: Span, name: str, value: float) -> str:
    when = f"{show.number(span.start_s)} to {show.number(span.end_s)}{show.NBSP}s"
    failed = f", {show.count(span.failed)} failed" if span.failed else ""
    told = f"{name} {show.duration(value)} of {show.plural(span.requests, 'request')}{failed}"
    return f"{told}\nsent {when} after the start"


def _errors(one: _Shown, y: Axis, top: float) -> tuple[Series, ...]:
    """Return a tick per span with failures, in the strip below the cells."""
    failing = [span for span in one.moments.spans if span.failed]
    if not failing:
        return ()
    return (
        Series(
            one.label,
            "serious",
            tuple((span.start_s + span.end_s) / 2 for span in failing),
            tuple(top * (y.low / top) ** 0.15 for _ in failing),
            stems="y",
            stem_from=y.low,
            hover=tuple(
                f"{show.count(span.failed or 0)} of {show.plural(span.requests, 'request')} failed"
                for span in failing
            ),
            in_table=False,
        ),
    )


def _title(shown: Sequence[_Shown]) -> str:
    peaks = [peak for one in shown if (peak := _peak(one))]
    if not peaks:
        return "Latency over time"
    times, name, one, span, value = max(peaks, key=lambda peak: peak[0])
    if times < _LEVEL:
        return f"{name} stayed level throughout"
    if times < _STALL:
        return f"{name} stayed within {show.factor(times)} of its median throughout"
    who = f"{show.clean(one.name, limit=40)}: " if len(shown) > 1 else ""
    when = f"{show.number(span.start_s, digits=2)}{show.NBSP}s"
    return f"{who}{name} reached {show.duration(value)} at {when}, {show.factor(times)} its median"


def _peak(one: _Shown) -> tuple[float, str, _Shown, Span, float] | None:
    """Return by how much the highest quantile exceeds its median, and where."""
    for name, quantile in (("p99", 0.99), ("p50", 0.5)):
        known = [pair for piece in _pieces(one, name) for pair in piece]
        if quantile < one.until and len(known) > 2:
            span, value = max(known, key=lambda pair: pair[1])
            return value / statistics.median(v for _, v in known), name, one, span, value
    return None


def _subtitle(comparison: Comparison, shown: Sequence[_Shown], most: int) -> str:
    first = shown[0].moments
    parts = [
        "Requests by when they were sent and latency, log axis; the colour is the logarithm of",
        f"their number, at most {show.count(most)} in a cell of {_clock(first.column_s, 1e-2)}.",
        f"Lines: p50 and p99 (dotted) of {_lengths(shown)} each, where there are enough requests.",
    ]
    if any(one.run for one in shown):
        parts.append("Of several runs that whose p99 is in the middle.")
    left = len(comparison.variants) - len(shown)
    if left and len(comparison.variants) > _MOST:
        parts.append(f"Shown: the baseline and the highest p99 of {len(comparison.variants)}.")
    elif left:
        absent = [one for one in comparison.order if one not in {s.label for s in shown}]
        names = show.listed([show.clean(one, limit=40) for one in absent])
        parts.append(f"No times of single requests: {names}.")
    return " ".join(parts)


def _lengths(shown: Sequence[_Shown]) -> str:
    lengths = sorted({round(one.moments.span_s, 6) for one in shown})
    texts = list(dict.fromkeys(show.duration(lengths[n]) for n in (0, -1)))
    return " to ".join(texts)


def _table(shown: Sequence[_Shown]) -> DataTable:
    failing = any(span.failed is not None for one in shown for span in one.moments.spans)
    rows = [
        (one.name + one.run, _row(one, span, failing=failing))
        for one in shown
        for span in one.moments.spans
    ]
    headings = ("Variant", "Sent from, s", "Requests", "p50", "p99")
    return DataTable((*headings, "Failed") if failing else headings, tuple(rows))


def _row(one: _Shown, span: Span, *, failing: bool) -> tuple[tuple[str, float | None], ...]:
    cells: list[tuple[str, float | None]] = [
        (show.number(span.start_s), span.start_s),
        (show.count(span.requests), float(span.requests)),
    ]
    for quantile, value in ((0.5, span.p50_s), (0.99, span.p99_s)):
        told = value if quantile < one.until else None
        cells.append((show.WITHHELD if told is None else show.duration(told), told))
    if failing:
        failed = span.failed
        cells.append(("—", None) if failed is None else (show.count(failed), float(failed)))
    return tuple(cells)
