"""Every request by when it was sent and how long it took: when did it go wrong?

One panel per variant with shared scales. A panel shows one run, not several laid over each
other: a stall happens at another time in each, and would be thinned by the others.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from benchkit import format as show
from benchkit.counting.arrays import Whole
from benchkit.figures.chart import Axis, Cell, CellGrid, Chart, DataTable, Note, Panel, Series
from benchkit.figures.colourkey import ROOM, count_key, count_shade
from benchkit.figures.kinds.overtime import (
    QUANTILES,
    RunPanel,
    Span,
    column_length,
    run_panel,
)
from benchkit.figures.look import Key, SeriesName, legend
from benchkit.figures.marks import end_names, with_room
from benchkit.figures.requests import clock
from benchkit.figures.scales import is_power, latency_axis, time_axis, unit_ticks
from benchkit.figures.words import between, unit_of, withheld_from
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.metric import P50, P99
from benchkit.model.variant import Variant

_ROWS: Final = 60
_LEAST_COLUMNS: Final = 4  # with requests; of fewer nothing is seen that goes along time
_EMPTY: Final = 0.12  # of the axis: between its lowest tick and the next
_MOST: Final = 5  # of more variants the baseline and the slowest are shown
_HEIGHT: Final = 420  # px of all panels, as far as each is neither too low nor too tall
_LOWEST, _TALLEST = 150, 280  # px of a panel, with what lies between two
_BETWEEN: Final = 40
_STRIP: Final = 12  # px of the errors below
_FULL: Final = 0.9  # of the strip, where all failed
_SEEN: Final = 0.1  # of that at least, where any did
_MOST_DOTS: Final = 600  # requests of a run that each have a dot
_DOT: Final = 3.5  # px
_TICKS: Final = 7
_LEVEL: Final = 1.1  # below, a quantile over its median is not worth a number
_MOSTLY: Final = 0.9  # so many failures are what the title is about
_LEAST_SPANS: Final = 3  # of which a title says that one stands out
_LEAST_STEADY: Final = 8  # of which one says that none does
_STALL: Final = 2.0  # a p99 that is so many times its median is what the title is about


def heatmap(comparison: Comparison) -> Chart | None:
    """Return the figure, None where no run tells several times at which it sent requests."""
    runs = _run_panels(comparison)
    shown = [run for run in runs if run.key.shown_below] or runs
    if not any(np.count_nonzero(run.requests()) >= _LEAST_COLUMNS for run in runs):
        return None
    failing = any(run.failures() for run in runs)
    bounds = [
        max(float(bound), run.least_s)
        for run in shown
        for bound in run.matrix.bins_s[:, run.matrix.counts.sum(axis=0) > 0].ravel()
    ]
    unit = unit_of(comparison, P50, P99)
    y = latency_axis([min(bounds), max(bounds)], room=0.02, unit=unit)
    single = all(run.requests().sum() <= _MOST_DOTS for run in runs)
    x = time_axis(max(run.end_s if single else run.columns_s[-1] for run in runs))
    first = min(float(run.matrix.starts_s[0]) for run in runs)
    x = replace(x, low=first, title="Time of sending since the start")
    x = with_room(x, ["p50 p99"])
    edges = _edges(y, [run.step_s for run in runs])
    counts = [run.cells(edges) for run in runs]
    most = max(int(cells.max()) for run, cells in zip(runs, counts, strict=True) if run in shown)
    y = replace(y, low=edges[0], high=edges[-1])
    height = min(_TALLEST, max(_LOWEST, _HEIGHT // len(runs)))
    lower = y.low / (y.high / y.low) ** (_STRIP / (height - _BETWEEN)) if failing else y.low
    axes = (x, replace(y, low=lower, ticks=_ticks(y, unit)))
    panels = tuple(
        _panel(
            run,
            axes,
            None if single else _cells(run, cells, edges, most),
            height=height - _BETWEEN,
            top=edges[0],
        )
        for run, cells in zip(runs, counts, strict=True)
    )
    title = _title(runs)
    keyed = most > 1 and any(panel.cells for panel in panels)
    keys = [count_key(most, _cell(runs), beside=height - _BETWEEN)] * keyed
    return Chart(
        title=title,
        caption=_caption(comparison, runs, keyed=keyed, single=single),
        label=f"{title}; values in the table below",
        panels=(*panels, *keys),
        table=_table(runs),
        height=44 + height * len(panels) + ROOM * len(keys),
    )


def _run_panels(comparison: Comparison) -> list[RunPanel]:
    """Return a run per variant in input order; of many variants the baseline and the slowest."""
    keys, labels = legend(comparison), comparison.order
    if len(labels) > _MOST:
        tails = [(p99, v.label) for v in comparison.others if (p99 := v.value(P99))]
        slowest = max(tails)[1] if tails else comparison.others[-1].label
        labels = (comparison.baseline, slowest)
    known = []
    for label in labels:
        runs = comparison.by_label[label].runs
        number, _ = _middle_run(comparison.by_label[label])
        matrix = runs[number].matrix
        if matrix is not None and matrix.counts.sum():
            which = f", run {number + 1} of {len(runs)}" if len(runs) > 1 else ""
            known.append((keys[label], which, runs[number], matrix))
    length = column_length([matrix for *_, matrix in known]) if known else 0.0
    return [run_panel(*each, length) for each in known]


def _middle_run(variant: Variant) -> tuple[int, str]:
    """Return which run has the p99 in the middle, or another metric, and the name of that.

    It is the first, of no name, where nothing is known or everything withheld.
    """
    for metric in (P99, P50):
        having = variant.having(metric)
        values = sorted((metric.value(run) or 0.0, variant.runs.index(run)) for run in having)
        if values:
            return values[(len(values) - 1) // 2][1], metric.name
    return 0, ""


def _ticks(y: Axis, unit: show.Unit | None) -> tuple[tuple[float, str], ...]:
    """Return few ticks, none at the lower end, beside which the strip of the errors lies."""
    clear = y.low * (y.high / y.low) ** 0.06
    ticks = tuple(tick for tick in y.ticks if tick[0] > clear)
    ticks = ticks if len(ticks) <= _TICKS else tuple(t for t in ticks if is_power(t[0]))
    low = [tick for tick in unit_ticks(y, unit) if tick[0] > clear and _is_below(y, tick, ticks)]
    return (*low[:1], *ticks)


def _is_below(y: Axis, tick: tuple[float, str], ticks: Sequence[tuple[float, str]]) -> bool:
    """Whether a tick is clear of the lowest of some others."""
    return not ticks or y.share(ticks[0][0]) - y.share(tick[0]) > _EMPTY


def _edges(y: Axis, steps: Sequence[float]) -> list[float]:
    """Return the edges of the rows, each holding at least one step of the coarsest clock whole.

    The first begins at half a step; what only a finer clock shows is a row below that.
    """
    step = max(steps)
    wider = (y.high / y.low) ** (1 / _ROWS)
    edge = max(0.5, math.floor(y.low / step + 0.5) - 0.5) * step if step else y.low
    edges = [y.low, edge] if min(steps) < step and y.low < edge else [edge]
    while edges[-1] < y.high * 0.999:
        wanted = edges[-1] * wider
        edges.append((math.ceil(wanted / step - 0.5) + 0.5) * step if step else wanted)
    return edges


def _cells(run: RunPanel, counts: Whole, edges: Sequence[float], most: int) -> CellGrid:
    rows = counts.tolist()
    shade = {n: count_shade(n, most) for n in {n for row in rows for n in row}}
    return CellGrid(
        xs=tuple(run.columns_s),
        ys=tuple(edges),
        values=tuple(tuple(shade[n] for n in row) for row in rows),
        counts=tuple(map(tuple, rows)),
    )


def _panel(
    run: RunPanel, axes: tuple[Axis, Axis], cells: CellGrid | None, *, height: float, top: float
) -> Panel:
    """Return a run's panel: its cells, or without any a dot per request.

    `top` is where those end, and below it the strip of the failures.
    """
    x, y = axes
    hidden = not run.key.shown_below
    lines: list[Series] = []
    names = []
    for name in QUANTILES:
        pieces = run.pieces(name)
        lines += [_line(run, piece, name) for piece in pieces]
        if pieces:
            names.append(SeriesName(name, "text", name).end(x.last, pieces[-1][-1][1]))
    # The edge that keeps each line apart from the cells below it, which shine through.
    edge = Series(run.key.label, "page", (), (), line=3.0, step="after", faint=True, in_table=False)
    under = [replace(edge, xs=line.xs, ys=line.ys) for line in lines]
    if cells is None and not hidden:
        under = [*_dots(run), *under]
    requests = show.plural(sum(span.requests for span in run.spans), "request")
    if lost := _failed(run):
        requests += f", {show.share(lost)} failed"
    notes = end_names(names, y, height=height)
    if failing := run.failures():
        lines += _strip(run, failing, y.low, top)
        middle = math.sqrt(y.low * top)
        notes = (*notes, Note(x.low, middle, "failed", role="serious", align="right", dx=-6))
    if hidden:
        across, down = (x.low + run.end_s) / 2, math.sqrt(top * y.high)
        notes = (*notes, Note(across, down, f"latencies {show.WITHHELD}", align="center"))
    return Panel(
        x=x,
        y=y,
        series=(*under, *lines),
        notes=notes,
        title=f"{run.key.short}{run.which}: {requests}",
        cells=None if hidden else cells,
    )


def _dots(run: RunPanel) -> list[Series]:
    """Return a dot per request, open ones for those that failed."""
    return [
        Series(
            *run.key.series,
            tuple(x for x, _ in each),
            tuple(y for _, y in each),
            marker=_DOT,
            filled=filled,
            in_table=False,
        )
        for each, filled in zip(run.dots(), (True, False), strict=True)
        if each
    ]


def _strip(run: RunPanel, columns: Sequence[Span], bottom: float, top: float) -> list[Series]:
    """Return the share of each column that failed, below the cells: shaded up to where all do."""
    full = math.log(top / bottom) * _FULL
    xs, ys, hover = [], [], []
    for column in columns:
        failed, requests = column.failed or 0, column.requests
        xs += [column.start_s, column.end_s]
        share = max(failed / requests, _SEEN) if failed else 0.0
        ys += [bottom * math.exp(full * share)] * 2
        hover += [f"{failed:,} of {show.plural(requests, 'request')} failed"] * 2
    label, floor = run.key.label, (bottom,)
    ends, whole = (xs[0], xs[-1]), (bottom * math.exp(full),) * 2
    shade = Series(
        label, "serious", ends, whole, low=floor * 2, high=whole, band=0.12, in_table=False
    )
    shares = Series(
        *(label, "serious", tuple(xs), tuple(ys)),
        low=floor * len(xs),
        high=tuple(ys),
        band=0.9,
        hover=tuple(hover),
        in_table=False,
    )
    return [shade, shares]


def _line(run: RunPanel, piece: Sequence[tuple[Span, float]], name: str) -> Series:
    hover = []
    for span, value in piece:
        when = f"{show.number(span.start_s)} to {show.number(span.end_s)}{show.NBSP}s"
        failed = f", {show.count(span.failed)} failed" if span.failed else ""
        what = f"{name} {show.duration(value)} of {show.plural(span.requests, 'request')}{failed}"
        hover.append(f"{what}\nsent {when} after the start")
    return Series(
        *(run.key.label, "text", (*(span.start_s for span, _ in piece), piece[-1][0].end_s)),
        (*(value for _, value in piece), piece[-1][1]),
        line=1.5,
        dotted=name == "p99",
        step="after",
        hover=(*hover, hover[-1]),
    )


# --- words ---


def _title(runs: Sequence[RunPanel]) -> str:
    lost = [run for run in runs if _failed(run) >= _MOSTLY]
    if lost:
        names = show.listed([show.quoted(run.key.short, limit=40) for run in lost])
        share = show.share(min(map(_failed, lost)))
        atleast = "at least " if len(lost) > 1 else ""
        return f"With {names} {atleast}{share} of the requests failed"
    peaks = [peak for run in runs if (peak := _peak(run))]
    if not peaks:
        return _held(runs)
    times, name, run, span, value = max(peaks, key=lambda peak: peak[0])
    unknown = _median(run, name) < run.least_s
    if unknown and value < 1.5 * run.step_s:
        return _held(runs)
    if times < _STALL:
        return _steady(runs, {peak[1] for peak in peaks})
    who = f"{show.clean(run.key.short, limit=40)}: " if len(runs) > 1 else ""
    when = f"{show.number(span.start_s)}{show.EN_DASH}{show.number(span.end_s)}{show.NBSP}s"
    middle = f"its median below {show.duration(run.least_s)}"
    how = middle if unknown else f"{show.factor(times)} its median"
    return f"{who}{name} reached {show.duration(value)} in {when}, {how}"


def _held(runs: Sequence[RunPanel]) -> str:
    """Return between what the lines drawn lie, as far as there are any."""
    for name in QUANTILES:
        if values := [s for run in runs for piece in run.pieces(name) for _, s in piece]:
            return f"{name} along the run was {between(values, show.durations(values))}"
    return "Latency over time"


def _steady(runs: Sequence[RunPanel], names: set[str]) -> str:
    """Return how far a quantile strayed from its median at most, if all runs have the same."""
    known = [
        [value for piece in run.pieces(name) for _, value in piece]
        for run in runs
        for name in names
    ]
    if len(names) > 1 or any(len(values) < _LEAST_STEADY for values in known):
        return _held(runs)
    where = "in the runs shown" if any(run.which for run in runs) else "throughout"
    middles = [statistics.median(values) for values in known]
    far = max(
        max(max(values) / middle, middle / min(values))
        for values, middle in zip(known, middles, strict=True)
    )
    (name,) = names
    if far < _LEVEL:
        return f"{name} over time stayed level {where}"
    if far < _STALL:
        factor = show.factor(math.ceil(10 * far) / 10)
        return f"{name} over time stayed within {factor} of its median {where}"
    return _held(runs)


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
        if len(known) >= _LEAST_SPANS:
            span, value = max(known, key=lambda pair: pair[1])
            return value / max(_median(run, name), run.least_s), name, run, span, value
    return None


def _cell(runs: Sequence[RunPanel]) -> str:
    """Return what the colour of a cell means."""
    return f"Requests in a cell of {show.duration(runs[0].column_s)}"


def _caption(comparison: Comparison, runs: Sequence[RunPanel], *, keyed: bool, single: bool) -> str:
    lengths = sorted({round(run.span_s, 6) for run in runs})
    spans = " to ".join(dict.fromkeys(show.duration(lengths[n]) for n in (0, -1)))
    steps = show.duration(max(run.sent_step_s for run in runs))
    step = f" (spread evenly within steps of {steps})" * single
    what = "A dot per request" if single else "Requests"
    shown = [run for run in runs if run.key.shown_below]
    what += ", open where it failed," if single and any(run.failures() for run in shown) else ""
    per = show.duration(runs[0].column_s)
    parts = [
        f"{what} by time of sending{step} and latency, log axis{', colours as below' * keyed}.",
        *_lines_are(runs, spans),
        *_failures_are([column for run in runs for column in run.failures()], per),
        *clock(max(run.step_s for run in runs)),
    ]
    parts += _chosen([run.key for run in runs if run.which])
    limits = {run.key.label: run.key.shown_below if run.lacks_lines else 2.0 for run in runs}
    marks = "dots" if single else "cells"
    parts += withheld_from(limits, begin=f"Lines, not {marks}, are withheld")
    below = [run for run in runs if float(run.matrix.bins_s[0].min()) < run.least_s]
    if below:
        coarsest = max(below, key=lambda run: run.least_s)
        where = "stands lowest" if single else "is in the lowest row"
        parts.append(f"What is below {show.duration(coarsest.least_s)} {where}.")
    absent = [label for label in comparison.order if label not in {run.key.label for run in runs}]
    if len(comparison.order) > _MOST:
        parts.append(f"Shown: the baseline and the highest p99 of {len(comparison.order)}.")
    elif absent:
        names = show.listed([show.clean(label, limit=40) for label in absent])
        parts.append(f"No times of single requests: {names}.")
    return " ".join(parts)


def _chosen(repeated: Sequence[Key]) -> list[str]:
    """Return how one of several runs was chosen, where they differ in that of which variants."""
    by_metric = grouped(repeated, lambda key: _middle_run(key.variant)[1])
    texts = []
    for metric, keys in by_metric.items():
        which = f"the one with the middle {metric}" if metric else "the first"
        names = show.listed([show.quoted(key.label, limit=40) for key in keys])
        texts.append(f"of {names} {which}" if len(by_metric) > 1 else which)
    colon = ":" * (len(texts) > 1)
    return [f"Of repeated runs{colon} {', '.join(texts)}."] if texts else []


def _failures_are(columns: Sequence[Span], per: str) -> list[str]:
    """Return what the strip of failures is, nothing where none is drawn."""
    low = any(0 < (column.failed or 0) < _SEEN * column.requests for column in columns)
    least = f", and {show.share(_SEEN)} of it at least where any did" if low else ""
    what = f"Red below: the share that failed per {per}"
    return [f"{what}, of the height of the shade where all did{least}."] if columns else []


def _lines_are(runs: Sequence[RunPanel], spans: str) -> list[str]:
    """Return which quantiles the lines are, nothing where none is known."""
    drawn = [name for name in QUANTILES if any(run.pieces(name) for run in runs)]
    words = [f"{name} (dotted)" if name == "p99" else name for name in drawn]
    ends = [
        (run.spans[n].end_s - run.spans[n].start_s, run.span_s) for run in runs for n in (0, -1)
    ]
    shorter = ", less at the ends" if any(own < 0.99 * usual for own, usual in ends) else ""
    return [f"Lines: {show.listed(words)} per {spans}{shorter}."] if words else []


def _table(runs: Sequence[RunPanel]) -> DataTable:
    failing = any(span.failed is not None for run in runs for span in run.spans)
    rows = []
    for run, span in [(each, span) for each in runs for span in each.spans]:
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
        rows.append((run.key.short + run.which, tuple(cells)))
    headings = ("Variant", "Sent from, s", "Requests", *QUANTILES)
    return DataTable((*headings, "Failed") if failing else headings, tuple(rows))
