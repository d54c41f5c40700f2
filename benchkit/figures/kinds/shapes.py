"""How latencies are spread where every request is known, in one panel: ecdf and histogram.

Counts are in bins of equal ratio; nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final, Literal

from benchkit import format as show
from benchkit.counting.distribution import Distribution
from benchkit.figures import multiples
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import Key
from benchkit.figures.marks import PlotArea, clear_names, unmistakable_names, with_room
from benchkit.figures.requests import Bins, Pooled, pooled
from benchkit.figures.scales import from_zero, latency_axis
from benchkit.figures.tables import by_column
from benchkit.figures.words import (
    ONCE_MORE,
    between,
    marked_name,
    named_between,
    written,
)
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped

_HEIGHT: Final = 374
_PLOT: Final = _HEIGHT * 0.76
_LATENCY: Final = "Latency, log scale"
_ALONG: Final = 7  # ticks of a latency axis that lies, at most

# --- ecdf: the share of requests up to each latency ---

_POINTS: Final = 400  # so that a step is no more than a line is wide
_HALF: Final = 0.5
_MOST: Final = 0.99
_SHARES: Final = sorted((*((n + 0.5) / _POINTS for n in range(_POINTS)), _HALF, _MOST, 0.999, 1.0))
#: Where a name may stand, and how much of its height is above that.
_HEIGHTS: Final = (0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26, 0.18, 0.82)
_ABOVE: Final = 0.02
#: Of names below each other: the height of the lowest, and of each.
_LOWEST: Final = 0.06
_PITCH: Final = 0.07
_SPOKEN: Final = 8  # variants
_AXIS: Final = Axis("linear", 0.0, 1.02, tuple((n / 4, show.share(n / 4)) for n in range(5)))


def ecdf(comparison: Comparison) -> Chart | None:
    """Return the share answered within each latency, None without single requests."""
    requests = pooled(comparison)
    lines = {
        key: steps
        for key, each in requests.by_key.items()
        if (steps := _steps(requests, key, each))
    }
    if not lines:
        return None
    series = {key: _cumulated(key, points) for key, points in lines.items()}
    halves = {key: _within(each, _HALF) for key, each in series.items()}
    title = _half_within(requests, halves)
    latencies = (s for points in lines.values() for s, _ in points)
    x = latency_axis(latencies, most=_ALONG, title=_LATENCY, unit=requests.unit)
    foot: dict[str, Any] = {"step": "", "hover": (), "in_table": False}
    rises = {
        key: replace(each, xs=each.xs[:1] * 2, ys=(0.0, each.ys[0]), **foot)
        for key, each in series.items()
    }
    unit = requests.unit or show.time_unit(s for points in lines.values() for s, _ in points)
    rows = [
        (
            key.label,
            (
                (show.number(latency / float(unit.size), digits=4), latency),
                (show.share(share), share),
            ),
        )
        for key, points in lines.items()
        for latency, share in points
    ]
    x, names = _names_of_lines(requests, series, x)
    alone = Panel(
        x,
        _AXIS,
        (*rises.values(), *series.values()),
        names,
        title="Share of requests ended within a time",
    )
    drawn = {key: [rises[key], series[key]] for key in series}
    end = ", at the upper end of each step of the clock" if requests.step_s else ""
    cut = any(key.shown_below < 1 for key in lines)
    last = " A line ends with the last share that is not withheld." if cut else ""
    last += (
        f" Dotted: a declared copy, {ONCE_MORE}."
        if any(key.variant.is_copy for key in lines)
        else ""
    )
    return _beside(
        Chart(
            title=title,
            caption=f"Share ended within a latency, log axis{end}.{last} {requests.source}",
            label=_spoken(title, series),
            panels=(alone,),
            table=DataTable(("Variant", f"Latency, {unit.name}", "Share within it"), tuple(rows)),
            height=_HEIGHT,
        ),
        requests,
        drawn,
        beside="Share ended",
        named=("p50", {key: requests.quantile(key, _HALF) for key in series}),
    )


def _half_within(requests: Pooled, halves: Mapping[Key, float | None]) -> str:
    """Return within what time half of the requests of each variant were answered, as drawn.

    Of several runs put together that need not be the median over them, which tables have.
    """
    medians = [(key.quoted, s) for key, s in halves.items() if s]
    if len(medians) < len(requests.by_key):
        return "Share of requests by latency"
    unit = requests.unit or show.time_unit(s for _, s in medians)
    together = "Runs pooled, half" if requests.several else "Half"
    between = named_between(medians, partial(requests.written, unit=unit))
    return f"{together} of the requests ended within {between}"


def _within(series: Series, share: float) -> float | None:
    """Return within what time a line says that a share was answered, None where it ends before."""
    return next((x for x, y in series.points if y >= share), None)


def _spoken(title: str, series: Mapping[Key, Series]) -> str:
    """Return where the first lines reach half and nearly all, for readers who see no picture."""
    spans = []
    for key, line in [*series.items()][:_SPOKEN]:
        known = {"half": _within(line, _HALF), show.share(_MOST): _within(line, _MOST)}
        parts = [f"{share} within {show.duration(s)}" for share, s in known.items() if s]
        spans += [f"{key.name} {', '.join(parts)}"] if parts else []
    text = f": {'; '.join(spans)}" if spans else ""
    return f"{title}{text}; values in the table below"


def _beside(
    chart: Chart,
    requests: Pooled,
    drawn: Mapping[Key, Sequence[Series]],
    *,
    beside: str,
    named: tuple[str, Mapping[Key, float | None]],
    least: int = multiples.FROM,
) -> Chart:
    """Return a figure of at least so many variants as a panel of each.

    `beside` is what y is, `named` a latency of each in s that stands beside its name.
    """
    if len(drawn) < least:
        return chart
    (panel,), comparison = chart.panels, requests.comparison
    xs = [s for series in drawn.values() for each in series for s in each.xs]
    x = latency_axis(xs, most=multiples.TICKS, title=_LATENCY, unit=requests.unit)
    y = replace(panel.y, ticks=panel.y.ticks[::2], title=beside)
    what, latencies = named
    write = partial(show.duration, unit=requests.unit or show.time_unit(latencies.values()))
    texts = {key: f"{what} {write(s)}" for key, s in latencies.items() if s}
    return multiples.beside_each_other(chart, comparison, drawn, (x, y), texts)


def _steps(requests: Pooled, key: Key, own: Distribution) -> list[tuple[float, float]]:
    """Return latencies in s, and the share surely within them, as far as that is not withheld.

    A latency that is known to a step lies anywhere in it: the share is reached at its end.
    """
    asked = [share for share in _SHARES if share < key.shown_below]
    reached = dict(zip(own.quantiles_s(asked), asked, strict=True))
    shares = ((s, share, own.share_at_most(s)) for s, share in reached.items())
    # Of a coarse clock one step may hold withheld shares too.
    return [
        (requests.upper_end(key, s), share if whole >= key.shown_below else whole)
        for s, share, whole in shares
    ]


def _cumulated(key: Key, points: Sequence[tuple[float, float]]) -> Series:
    xs, ys = zip(*points, strict=True)
    hover = (f"{key.name}\n{show.share(y)} within {show.duration(x)}" for x, y in points)
    width = 2.2 if key.coloured else 1.2
    # A copy lies on what it is a copy of.
    dotted = key.variant.is_copy
    return Series(*key.series, xs, ys, line=width, dotted=dotted, step="after", hover=tuple(hover))


def _names_of_lines(
    requests: Pooled, series: Mapping[Key, Series], x: Axis
) -> tuple[Axis, tuple[Note, ...]]:
    """Return the axis, and names beside the rise of each line, else all below each other.

    Where lines are too near to each other a name beside them could be that of another; then they
    stand behind the axis in the lower right, the fastest first.
    """
    choices = []
    named = {key: line for key, line in series.items() if key.coloured}
    texts = {key: marked_name(requests.comparison, key) for key in named}
    for key, line in named.items():
        end = partial(key.end, text=texts[key])
        right = (replace(end(_reached(line, s + _ABOVE), s), dx=10) for s in _HEIGHTS)
        left = (
            replace(end(_reached(line, s - _ABOVE), s), align="right", dx=-10) for s in _HEIGHTS
        )
        choices.append([*right, *left])
    lines = [_stairs(line.points) for line in series.values()]
    names = unmistakable_names(choices, lines, PlotArea(x, _AXIS, _PLOT))
    if names is not None:
        return x, names
    ordered = sorted(named, key=lambda key: (_reached(named[key], _HALF), key.label), reverse=True)
    below = (key.end(x.high, _LOWEST + n * _PITCH, texts[key]) for n, key in enumerate(ordered))
    return with_room(x, texts.values()), tuple(below)[::-1]


def _stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of steps that change at each place."""
    stairs = [*points[:1]]
    for (_, y), (x, to_y) in pairwise(points):
        stairs += [(x, y), (x, to_y)]
    return stairs


def _reached(series: Series, share: float) -> float:
    return next((x for x, y in series.points if y >= share), series.xs[-1])


# --- histogram ---

_OUTLINES: Final = 4  # of so many, which cross each other, each has a panel of its own
_BROAD: Final = 3  # bins beside each other, of which any may be the highest
_SPANS: Final = 2  # of latencies, which a title names
_SPANNED: Final = " The title spans all bars lower than the highest by no more than chance."
_NEAR: Final = 1.05  # medians of which either may be the lower
_CHANCE: Final = 2.0  # standard errors
_BARS: Final = 12  # corners beside which a name may stand
#: Alignment of a name, px to the right and down; the best first.
_BESIDE: Final[Sequence[tuple[Literal["left", "right", "center"], float, float]]] = (
    *(("left", 8.0, 6.0), ("right", -8.0, 6.0)),
    *(("center", 0.0, -10.0), ("left", 8.0, -10.0), ("right", -8.0, -10.0)),
)


def histogram(comparison: Comparison) -> Chart | None:
    """Return the share of requests per bin of equal ratio, None without single requests."""
    requests = pooled(comparison)
    if not requests.by_key:
        return None
    _, ratio = requests.shape_edges()
    bins = requests.binned(*requests.edges((ratio,), max(requests.at(1.0)), least=1))
    peaks = {key: _highest(requests, bins, key) for key in requests.by_key}
    title = _most_frequent(requests, bins, peaks)
    series = {key: _outline(key, bins) for key in requests.by_key}
    unit, texts = written(bins.edges, requests.unit)
    names = [f"{low}{show.EN_DASH}{high}" for low, high in pairwise(texts)]
    names[0] = f"below {texts[1]}" if bins.open else names[0]
    columns = [(key.label, bins.cells(key)) for key in bins.shares]
    x = latency_axis(bins.edges, most=_ALONG, title=_LATENCY, unit=requests.unit)
    y = from_zero((max(each.ys) for each in series.values()), "share", room=0.12)
    width = show.share(round(bins.ratio - 1, 4))
    alone = Panel(
        x,
        y,
        tuple(series.values()),
        _peaks(requests, series, x, y),
        title=f"Share of requests between a latency and one {width} higher",
    )
    uneven = any(b / a > bins.ratio * 1.01 for a, b in bins.pairs)
    heights = f"; heights are shares per {width}" if uneven else ""
    return _beside(
        Chart(
            title=title,
            caption=f"Share of requests in {requests.binned_as(bins)}{heights}."
            f"{_SPANNED if _is_broad(peaks) else ''} {requests.source}",
            label=requests.alt_text(title),
            panels=(alone,),
            table=by_column(f"Latency, {unit.name}", names, columns),
            height=_HEIGHT,
        ),
        requests,
        {key: [each] for key, each in series.items()},
        beside="Share of requests",
        named=("p50", {key: requests.quantile(key, _HALF) for key in series}),
        least=_OUTLINES,
    )


def _outline(key: Key, bins: Bins) -> Series:
    """Return the outline of the bars of a variant, down to 0 beyond its first and last."""
    heights, hovered = bins.heights(key), list(bins.hovers(key, show.share))
    held = [n for n, height in enumerate(heights) if height > 0]
    bars = range(held[0], held[-1] + 1)
    pairs = list(bins.pairs)
    corners = [edge for n in bars for edge in pairs[n]]
    tops = [heights[n] for n in bars for _ in (0, 1)]
    hovers = [hovered[n] for n in bars for _ in (0, 1)]
    return Series(
        *(*key.series, (corners[0], *corners, corners[-1]), (0.0, *tops, 0.0)),
        line=2,
        hover=(hovers[0], *hovers, hovers[-1]),
    )


def _most_frequent(requests: Pooled, bins: Bins, peaks: Mapping[Key, range]) -> str:
    """Return where the highest bar of each variant is, as far as that is no chance."""
    unit = requests.unit or show.time_unit(bins.edges[1:])
    write = partial(show.duration, digits=2, unit=unit)
    if _is_broad(peaks):
        return f"The most frequent latencies were {_broad(bins, peaks, write)}"
    middles = {}
    for key, places in peaks.items():
        heights = bins.heights(key)
        low, high = bins.pairs[max(places, key=lambda n: heights[n])]
        middles[key] = math.sqrt(low * high) if low > 0 else high
    halves = {key: s for key in peaks if (s := requests.quantile(key, _HALF))}
    if halves.keys() == middles.keys() and _is_other_order(middles, halves):
        return _half_within(requests, halves)
    named = [(key.quoted, s) for key, s in middles.items()]
    return f"The most frequent latency was about {named_between(named, write)}"


def _is_other_order(middles: Mapping[Key, float], halves: Mapping[Key, float]) -> bool:
    """Whether the lowest or the highest of the most frequent latencies is of another than of p50.

    Of several humps the highest then says least of all which variant is the faster.
    """
    low, high = min(middles.values()), max(middles.values())
    lowest = min(s for key, s in halves.items() if middles[key] == low)
    highest = max(s for key, s in halves.items() if middles[key] == high)
    return lowest > _NEAR * min(halves.values()) or _NEAR * highest < max(halves.values())


def _is_broad(peaks: Mapping[Key, range]) -> bool:
    """Whether the highest bar of any variant may be one of many."""
    return any(len(places) > _BROAD for places in peaks.values())


def _broad(bins: Bins, peaks: Mapping[Key, range], write: Callable[[float], str]) -> str:
    """Return from where to where any bar of a variant may be the highest; of many, of all."""
    spans = {
        key: between([edge for n in places for edge in bins.pairs[n]], write)
        for key, places in peaks.items()
    }
    by_span = grouped(spans, lambda key: spans[key])
    if len(by_span) == 1:
        return (
            f"{next(iter(by_span))} with every variant" if len(peaks) > 1 else next(iter(by_span))
        )
    if len(by_span) > _SPANS:
        every = [edge for places in peaks.values() for n in places for edge in bins.pairs[n]]
        return f"{between(every, write)} over all variants"
    return show.listed(
        [f"{span} with {show.listed([key.quoted for key in own])}" for span, own in by_span.items()]
    )


def _highest(requests: Pooled, bins: Bins, key: Key) -> range:
    """Return the bins from the first to the last that may well be the highest.

    Counts of independent requests scatter by their root.
    """
    heights, total = bins.heights(key), requests.by_key[key].count
    counts = [share * total for share in bins.shares[key]]
    top = max(range(len(heights)), key=lambda n: heights[n])
    scatter = [
        math.hypot(height / math.sqrt(n) if n else 0.0, heights[top] / math.sqrt(counts[top]))
        for height, n in zip(heights, counts, strict=True)
    ]
    tied = [
        n
        for n, height in enumerate(heights)
        if height > 0 and heights[top] - height <= _CHANCE * scatter[n]
    ]
    return range(tied[0], tied[-1] + 1)


def _peaks(requests: Pooled, series: Mapping[Key, Series], x: Axis, y: Axis) -> tuple[Note, ...]:
    """Return names beside the highest bars of each, clear of all lines where there is room."""
    choices = []
    for key, line in series.items():
        if key.coloured:
            highest = sorted(dict.fromkeys(line.points), key=lambda point: -point[1])[:_BARS]
            choices.append(
                [
                    replace(
                        key.end(*point, marked_name(requests.comparison, key)),
                        align=align,
                        dx=dx,
                        dy=dy,
                    )
                    for point in highest
                    for align, dx, dy in _BESIDE
                ]
            )
    areas = PlotArea.of_all_widths(x, y, _PLOT)
    return clear_names(choices, [line.points for line in series.values()], areas)
