"""Every request by when it was sent and how long it took: when did it go wrong?

One panel per variant with shared scales. A panel shows one run, not several laid over each
other: a stall happens at another time in each, and would be thinned by the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary
from benchkit.figures import heatwords as words
from benchkit.figures.chart import Axis, Cells, Chart, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.moments import Shown, Span, column_length, moments
from benchkit.figures.scales import latency_axis, time_axis
from benchkit.figures.steps import step_of_slices
from benchkit.measured import trusted_below
from benchkit.names import short_names

if TYPE_CHECKING:
    from benchkit.results import Results

_ROWS: Final = 60
_MOST: Final = 5  # of more variants the baseline and the slowest are shown
_HEIGHT: Final = 420  # px of all panels, as far as each is neither too low nor too tall
_LOWEST, _TALLEST = 150, 280  # px of a panel, with what lies between two
_BETWEEN: Final = 40
_STRIP: Final = 12  # px of the errors below
_TICKS: Final = 7
#: What makes of a line the edge that keeps it apart from the cells below it.
_UNDER: Final[Mapping[str, Any]] = {
    "role": "page",
    "line": 4.0,
    "dotted": False,
    "hover": (),
    "in_table": False,
}


def heatmap(results: Results, comparison: Comparison) -> Chart | None:
    """Return the figure, None where no run knows when its requests were sent."""
    shown = _shown(results, comparison)
    if not shown:
        return None
    failing = any(one.moments.failures() for one in shown)
    y = _latencies(shown)
    x = with_room(time_axis(max(one.moments.end_s for one in shown)), ["p50 p99"])
    edges = _edges(y, [one.step_s for one in shown])
    counts = {one.label: one.moments.cells(edges) for one in shown}
    most = max(int(cells.max()) for cells in counts.values())
    y = replace(y, low=edges[0], high=edges[-1])
    height = min(_TALLEST, max(_LOWEST, _HEIGHT // len(shown)))
    lower = y.low / (y.high / y.low) ** (_STRIP / (height - _BETWEEN)) if failing else y.low
    axes = (x, replace(y, low=lower, ticks=_ticks(y)))
    panels = [
        _panel(one, axes, _cells(one, counts[one.label], edges, most), height=height - _BETWEEN)
        for one in shown
    ]
    title = words.title(shown)
    return Chart(
        kind="heatmap",
        title=title,
        subtitle=words.subtitle(comparison, shown, most=most, cut=len(comparison.variants) > _MOST),
        label=f"{title}; values in the table below",
        panels=tuple(panels),
        table=words.table(shown),
        height=24 + height * len(panels),
    )


def _shown(results: Results, comparison: Comparison) -> list[Shown]:
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
        Shown(
            label,
            short[label],
            run,
            moments(s, column_s=length),
            until=trusted_below(by_label[label]),
            step_s=step_of_slices(s),
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


def _latencies(shown: Sequence[Shown]) -> Axis:
    bounds = [
        max(float(bound), one.least_s)
        for one in shown
        for bound in one.moments.of.bins_s[:, one.moments.of.counts.sum(axis=0) > 0].ravel()
    ]
    return latency_axis(bounds, room=0.02)


def _ticks(y: Axis) -> tuple[tuple[float, str], ...]:
    """Return few ticks, none at the lower end, beside which the strip of the errors lies."""
    clear = y.low * (y.high / y.low) ** 0.06
    ticks = tuple(tick for tick in y.ticks if tick[0] > clear)
    return ticks if len(ticks) <= _TICKS else tuple(t for t in ticks if _is_power(t[0]))


def _is_power(value: float) -> bool:
    return abs(math.log10(value) - round(math.log10(value))) < 1e-9


def _edges(y: Axis, ticks: Sequence[float]) -> list[float]:
    """Return the edges of the rows, each holding at least one tick of the coarsest clock whole.

    The first begins at half a tick; what only a finer clock tells is a row below that.
    """
    tick = max(ticks)
    step = (y.high / y.low) ** (1 / _ROWS)
    edge = max(0.5, math.floor(y.low / tick + 0.5) - 0.5) * tick if tick else y.low
    edges = [y.low, edge] if min(ticks) < tick and y.low < edge else [edge]
    while edges[-1] < y.high * 0.999:
        wanted = edges[-1] * step
        edges.append((math.ceil(wanted / tick - 0.5) + 0.5) * tick if tick else wanted)
    return edges


def _cells(one: Shown, counts: Any, edges: Sequence[float], most: int) -> Cells:  # noqa: ANN401 - an array
    start, length = float(one.moments.of.starts_s[0]), one.moments.column_s
    columns = [start + n * length for n in range(counts.shape[1] + 1)]
    top = math.log1p(most)
    return Cells(
        xs=tuple(columns),
        ys=tuple(edges),
        values=tuple(
            tuple(math.log1p(n) / top if n else None for n in row) for row in counts.tolist()
        ),
        counts=tuple(map(tuple, counts.tolist())),
    )


def _panel(one: Shown, axes: tuple[Axis, Axis], cells: Cells, *, height: float) -> Panel:
    x, y = axes
    lines: list[Series] = []
    ends = []
    for name, quantile, dotted in (("p50", 0.5, False), ("p99", 0.99, True)):
        pieces = one.pieces(name) if quantile < one.until else []
        lines += [_line(one, piece, name, dotted=dotted) for piece in pieces]
        if pieces:
            last, value = pieces[-1][-1]
            ends.append(End(last.end_s, value, name, "text"))
    under = [replace(line, **_UNDER) for line in lines]
    requests = show.plural(sum(span.requests for span in one.moments.spans), "request")
    errors = _errors(one, y, cells.ys[0])
    notes = end_names(ends, y, height=height)
    if errors:
        middle = math.sqrt(y.low * cells.ys[0])
        notes = (*notes, Note(x.low, middle, "failed", role="serious", align="right", dx=-6))
    return Panel(
        x=x,
        y=y,
        series=(*under, *lines, *errors),
        notes=notes,
        title=f"{one.name}{one.run}: {requests}",
        cells=cells,
    )


def _line(one: Shown, piece: Sequence[tuple[Span, float]], name: str, *, dotted: bool) -> Series:
    xs = (*(span.start_s for span, _ in piece), piece[-1][0].end_s)
    ys = (*(value for _, value in piece), piece[-1][1])
    hover = [_hover(span, name, value) for span, value in piece]
    return Series(
        one.label,
        "text",
        xs,
        ys,
        line=1.75,
        dotted=dotted,
        step="after",
        hover=(*hover, hover[-1]),
    )


def _hover(span: Span, name: str, value: float) -> str:
    when = f"{show.number(span.start_s)} to {show.number(span.end_s)}{show.NBSP}s"
    failed = f", {show.count(span.failed)} failed" if span.failed else ""
    told = f"{name} {show.duration(value)} of {show.plural(span.requests, 'request')}{failed}"
    return f"{told}\nsent {when} after the start"


def _errors(one: Shown, y: Axis, top: float) -> tuple[Series, ...]:
    """Return a tick per column with failures, in the strip below the cells."""
    failing = one.moments.failures()
    if not failing:
        return ()
    return (
        Series(
            one.label,
            "serious",
            tuple(middle for middle, _ in failing),
            tuple(top * (y.low / top) ** 0.15 for _ in failing),
            stems="y",
            stem_from=y.low,
            hover=tuple(f"{show.plural(failed, 'request')} failed" for _, failed in failing),
            in_table=False,
        ),
    )
