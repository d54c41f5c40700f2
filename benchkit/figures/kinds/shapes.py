"""How latencies are spread where every request is known: ecdf, histogram, ridges.

Counts are in bins of equal ratio; nothing is smoothed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final, Literal

from benchkit import format as show
from benchkit.counting.distribution import Distribution
from benchkit.figures import multiples
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import Key
from benchkit.figures.marks import PlotArea, clear_names, unmistakable_names, with_room
from benchkit.figures.requests import Bins, Pooled, pooled, share_of_all
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.figures.words import between, by_column, written
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN

_MOST: Final = 16  # ridges
_HEIGHT: Final = 374
_PLOT: Final = _HEIGHT * 0.76
_LATENCY: Final = "Latency, log scale"
_ALONG: Final = 7  # ticks of a latency axis that lies, at most

# --- ecdf: the share of requests up to each latency ---

_POINTS: Final = 120
_SHARES: Final = sorted((*((n + 0.5) / _POINTS for n in range(_POINTS)), 0.99, 0.999, 1.0))
#: Where a name may stand, and how much of its height is above that.
_HEIGHTS: Final = (0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26, 0.18, 0.82)
_ABOVE: Final = 0.02
#: Of names below each other: the height of the lowest, of each, and the length of its line.
_LOWEST: Final = 0.06
_PITCH: Final = 0.07
_SWATCH: Final = 0.05
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
    title = _half_within(requests)
    series = {key: _cumulated(key, points) for key, points in lines.items()}
    latencies = (s for points in lines.values() for s, _ in points)
    x = latency_axis(latencies, most=_ALONG, title=_LATENCY)
    foot: dict[str, Any] = {"step": "", "hover": (), "in_table": False}
    rises = {
        key: replace(each, xs=each.xs[:1] * 2, ys=(0.0, each.ys[0]), **foot)
        for key, each in series.items()
    }
    rows = [
        (key.label, ((show.duration(latency, digits=4), latency), (show.share(share), share)))
        for key, points in lines.items()
        for latency, share in points
    ]
    x, names, swatches = _names_of_lines(series, x)
    alone = Panel(
        x,
        _AXIS,
        (*rises.values(), *series.values(), *swatches),
        names,
        title="Share of requests answered within a time",
    )
    drawn = {key: [rises[key], series[key]] for key in series}
    end = ", at the upper end of each step of the clock" if requests.step_s else ""
    cut = any(key.shown_below < 1 for key in lines)
    last = " A line ends with the last share that is not withheld." if cut else ""
    return _beside(
        Chart(
            title=title,
            caption=f"Share answered within a latency, log axis{end}.{last} {requests.source}",
            label=requests.alt_text(title),
            panels=(alone,),
            table=DataTable(("Variant", "Latency", "Share within it"), tuple(rows)),
            height=_HEIGHT,
        ),
        requests,
        drawn,
    )


def _half_within(requests: Pooled) -> str:
    """Return within what time half of the requests of each variant were answered."""
    known = [_quantiles(key, each)[0] for key, each in requests.by_key.items()]
    medians = [s for s in known if s]
    if len(medians) < len(known):
        return "Share of requests by latency"
    every = " of every variant" if len(known) > 1 else ""
    return f"Half of the requests{every} took up to {between(medians, show.durations(medians))}"


def _beside(chart: Chart, requests: Pooled, drawn: Mapping[Key, Sequence[Series]]) -> Chart:
    """Return a figure of many variants as a panel of each."""
    if len(drawn) < multiples.FROM:
        return chart
    (panel,), comparison = chart.panels, requests.comparison
    xs = [s for series in drawn.values() for each in series for s in each.xs]
    x = latency_axis(xs, most=multiples.TICKS, title=_LATENCY)
    y = replace(panel.y, ticks=panel.y.ticks[::2])
    medians = {key: requests.by_key[key].quantiles_s([0.5])[0] for key in drawn}
    write = show.durations(medians.values())
    texts = {key: f"p50 {write(s)}" for key, s in medians.items() if _trusted(key, 0.5)}
    return multiples.beside_each_other(chart, comparison, drawn, (x, y), texts)


def _trusted(key: Key, quantile: float) -> bool:
    return quantile < key.variant.trusted_below


def _steps(requests: Pooled, key: Key, own: Distribution) -> list[tuple[float, float]]:
    """Return latencies in s, and the share surely within them, as far as that is not withheld.

    A latency that is known to a step lies anywhere in it: the share is reached at its end.
    """
    shares = [share for share in _SHARES if share < key.shown_below]
    latencies = dict.fromkeys(own.quantiles_s(shares))
    return [(requests.upper_end(key, s), own.share_at_most(s)) for s in latencies]


def _cumulated(key: Key, points: Sequence[tuple[float, float]]) -> Series:
    xs, ys = zip(*points, strict=True)
    hover = (f"{key.name}\n{show.share(y)} within {show.duration(x)}" for x, y in points)
    width = 2.2 if key.coloured else 1.2
    return Series(*key.series, xs, ys, line=width, step="after", hover=tuple(hover))


def _names_of_lines(
    series: Mapping[Key, Series], x: Axis
) -> tuple[Axis, tuple[Note, ...], list[Series]]:
    """Return the axis, and names beside the rise of each line, else all below each other.

    Where lines are too near to each other a name beside them could be that of another; then the
    axis is longer, so that there is room for the names with their colours.
    """
    choices = []
    named = {key: line for key, line in series.items() if key.coloured}
    for key, line in named.items():
        right = (replace(key.end(_reached(line, s + _ABOVE), s), dx=10) for s in _HEIGHTS)
        left = (
            replace(key.end(_reached(line, s - _ABOVE), s), align="right", dx=-10) for s in _HEIGHTS
        )
        choices.append([*right, *left])
    lines = [_stairs(line.points) for line in series.values()]
    names = unmistakable_names(choices, lines, PlotArea(x, _AXIS, _PLOT))
    if names is not None:
        return x, names, []
    longer = with_room(x, [key.short for key in named])
    return longer, *_key(named, longer, after=x.high)


def _key(
    named: Mapping[Key, Series], x: Axis, *, after: float
) -> tuple[tuple[Note, ...], list[Series]]:
    """Return names in the lower right, behind all lines, the fastest first."""
    ordered = sorted(named, key=lambda key: (_reached(named[key], 0.5), key.label))
    start = x.share(after)
    start, end = (x.low * (x.high / x.low) ** share for share in (start - _SWATCH, start))
    notes, swatches = [], []
    for row, key in enumerate(reversed(ordered)):
        y = _LOWEST + row * _PITCH
        notes.append(replace(key.end(end, y), dx=6))
        swatches.append(Series(*key.series, (start, end), (y, y), line=2.2, in_table=False))
    return tuple(reversed(notes)), swatches


def _stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of steps that change at each place."""
    stairs = [*points[:1]]
    for (_, y), (x, to_y) in pairwise(points):
        stairs += [(x, y), (x, to_y)]
    return stairs


def _reached(series: Series, share: float) -> float:
    return next((x for x, y in series.points if y >= share), series.xs[-1])


# --- histogram ---

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
    _, ratio = _edges(requests, [])
    bins = requests.binned(*requests.edges((ratio,), max(requests.at(1.0)), least=1))
    title = _most_frequent(requests, bins)
    series = {key: _outline(key, bins) for key in requests.by_key}
    unit, texts = written(bins.edges)
    names = [f"{low}{show.EN_DASH}{high}" for low, high in pairwise(texts)]
    names[0] = f"below {texts[1]}" if bins.open else names[0]
    columns = [(key.label, bins.cells(key)) for key in bins.shares]
    x = latency_axis(bins.edges, most=_ALONG, title=_LATENCY)
    y = from_zero((max(each.ys) for each in series.values()), "share", room=0.12)
    width = show.share(round(bins.ratio - 1, 4))
    alone = Panel(
        x,
        y,
        tuple(series.values()),
        _peaks(series, x, y),
        title=f"Share of requests per {width} of latency",
    )
    uneven = any(b / a > bins.ratio * 1.01 for a, b in bins.pairs)
    heights = f"; heights are shares per {width}" if uneven else ""
    return _beside(
        Chart(
            title=title,
            caption=f"Share of requests in {requests.binned_as(bins)}{heights}. {requests.source}",
            label=requests.alt_text(title),
            panels=(alone,),
            table=by_column(f"Latency, {unit.name}", names, columns),
            height=_HEIGHT,
        ),
        requests,
        {key: [each] for key, each in series.items()},
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


def _most_frequent(requests: Pooled, bins: Bins) -> str:
    """Return where the highest bar of each variant is."""
    middles = []
    for key in requests.by_key:
        heights = bins.heights(key)
        low, high = list(bins.pairs)[heights.index(max(heights))]
        middles.append(math.sqrt(low * high) if low > 0 else high)
    about = between(middles, partial(show.duration, digits=2, unit=show.time_unit(middles)))
    return f"The most frequent latencies were about {about}"


def _peaks(series: Mapping[Key, Series], x: Axis, y: Axis) -> tuple[Note, ...]:
    """Return names beside the highest bars of each, clear of all lines where there is room."""
    choices = []
    for key, line in series.items():
        if key.coloured:
            highest = sorted(dict.fromkeys(line.points), key=lambda point: -point[1])[:_BARS]
            choices.append(
                [
                    replace(key.end(*point), align=align, dx=dx, dy=dy)
                    for point in highest
                    for align, dx, dy in _BESIDE
                ]
            )
    return clear_names(choices, [line.points for line in series.values()], PlotArea(x, y, _PLOT))


# --- ridges: the shape of each variant's latencies, one below the other ---

#: How much wider than the last a bin is; the widest that gives enough of them.
_RATIOS: Final = (1.25, 1.2, 1.1, 1.05, 1.02, 1.01, 1.005)
_LEAST_BINS: Final = 56
#: Where the axis ends: the slowest requests, one by one, are no shape.
_LAST: Final = 0.999
_PEAK: Final = 0.82  # of the distance between two rows
_ROW, _EDGE = 52, 63
_MOST_TICKS: Final = 5
_TITLE: Final = "Shape of the latencies"

#: Per variant p50 and p99, None where one is withheld.
_Quantiles = Mapping[Key, Sequence[float | None]]


def ridges(comparison: Comparison) -> Chart | None:
    """Return the figure, None without single requests or with too many variants."""
    requests = pooled(comparison)
    if not 0 < len(requests.by_key) <= _MOST:
        return None
    quantiles = {key: _quantiles(key, each) for key, each in requests.by_key.items()}
    tails = [p99 for _, p99 in quantiles.values() if p99 is not None]
    bins = requests.binned(*_edges(requests, tails))
    title = _title(quantiles)
    return Chart(
        title=title,
        caption=_caption(requests, bins, quantiles),
        label=requests.alt_text(title),
        panels=(_panel(bins, quantiles),),
        table=_table(bins, quantiles),
        height=_EDGE + _ROW * len(quantiles),
    )


def _edges(requests: Pooled, tails: Sequence[float]) -> tuple[list[float], float]:
    """Return the edges of bins that hold all but the slowest requests, and their ratio."""
    high = max(*requests.at(_LAST), *tails, 0.0)
    return requests.edges(_RATIOS, high, least=_LEAST_BINS)


def _quantiles(key: Key, requests: Distribution) -> list[float | None]:
    """Return p50 and p99 as the comparison has them, else of the requests put together."""
    known: list[float | None] = []
    for column, quantile in (("latency_p50_s", 0.5), ("latency_p99_s", 0.99)):
        value = key.variant.value(BY_COLUMN[column])
        drawn = requests.quantiles_s([quantile])[0] if value is None else value
        known.append(drawn if _trusted(key, quantile) else None)
    return known


def _panel(bins: Bins, quantiles: _Quantiles) -> Panel:
    write = show.durations(middle for middle, _ in quantiles.values())
    middles = [write(middle) for middle, _ in quantiles.values() if middle is not None]
    x = with_room(latency_axis(bins.edges, room=0.01, most=_MOST_TICKS, title=_LATENCY), middles)
    series: list[Series] = []
    notes: list[Note] = []
    for row, (key, (middle, tail)) in enumerate(quantiles.items()):
        y = -float(row)
        series.append(_ridge(key, bins, y))
        if tail is not None and tail <= bins.edges[-1]:
            at = max(tail, bins.edges[0])
            dotted = Series(
                *key.series, (at, at), (y, y + 0.3), line=2, dotted=True, in_table=False
            )
            series.append(dotted)
        if middle is not None:
            at = max(middle, bins.edges[0])
            series.append(Series(*key.series, (at, at), (y, y + 0.3), line=2.5, in_table=False))
            notes.append(Note(x.last, y + 0.16, write(middle), dx=10))
    y_axis = names_axis([key.short for key in quantiles], above=_PEAK + 0.06)
    return Panel(x, replace(y_axis, low=-len(quantiles) + 0.96), tuple(series), tuple(notes))


def _ridge(key: Key, bins: Bins, y: float) -> Series:
    density = bins.heights(key)
    highest = max(density)
    outline = tuple(y + _PEAK * each / highest for each in density for _ in (0, 1))
    return Series(
        *(*key.series, tuple(edge for pair in bins.pairs for edge in pair), outline),
        line=1.6,
        low=(y,) * len(outline),
        high=outline,
        hover=tuple(text for text in bins.hovers(key, share_of_all) for _ in (0, 1)),
    )


def _title(quantiles: _Quantiles) -> str:
    """Return how far p99 was above p50, where that is known of all."""
    tails = [p99 / p50 for p50, p99 in quantiles.values() if p50 and p99 is not None]
    if len(tails) < len(quantiles):
        return _TITLE
    low, high = show.factor(min(tails)), show.factor(max(tails))
    return f"{_TITLE}: p99 was {low if low == high else f'{low} to {high}'} the p50"


def _caption(requests: Pooled, bins: Bins, quantiles: _Quantiles) -> str:
    parts = [f"Share of requests by latency, log axis, in {requests.binned_as(bins)}"]
    parts[0] += ", each variant to its own highest bin." if len(bins.shares) > 1 else "."
    tails = any(tail is not None for _, tail in quantiles.values())
    dotted = ", dotted ticks p99" if tails else ""
    medians = f"Ticks, and the texts on the right, are medians{dotted}."
    parts += [medians, "The slowest 0.1\u00a0% are beyond.", requests.source]
    return " ".join(parts)


def _table(bins: Bins, quantiles: _Quantiles) -> DataTable:
    unit, texts = written(bins.edges)
    edges: list[Cell] = [*zip(texts, bins.edges, strict=True)]
    edges[0] = ("0", None) if bins.open else edges[0]
    blank: list[Cell] = [("", None)] * 2
    writers = [show.durations(column) for column in zip(*quantiles.values(), strict=True)]
    tails: dict[Key, list[Cell]] = {
        key: [
            (show.WITHHELD if s is None else write(s), s)
            for write, s in zip(writers, each, strict=True)
        ]
        for key, each in quantiles.items()
    }
    columns = [
        (f"From, {unit.name}", [*edges[:-1], *blank]),
        (f"To, {unit.name}", [*edges[1:], *blank]),
        *((key.label, [*bins.cells(key), *tails[key]]) for key in bins.shares),
    ]
    numbers = [show.count(n) for n in range(1, len(edges))]
    return by_column("Bin", [*numbers, "p50", "p99"], columns)
