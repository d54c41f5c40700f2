"""The shape of each variant's latencies where every request is known, one below the other.

Counts are in bins of equal ratio; nothing is smoothed. Where variants lie so far apart that on one
axis each would be a spike, a row shows its latencies over their own median.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import Key
from benchkit.figures.marks import with_room
from benchkit.figures.requests import Bins, Pooled, finest, pooled, share_of_all
from benchkit.figures.scales import latency_axis, names_axis, own_axis
from benchkit.figures.tables import by_column
from benchkit.figures.words import distinct, named_between, written
from benchkit.model.comparison import Comparison
from benchkit.model.metric import P50, Metric, percentile
from benchkit.names import some

_MOST: Final = 16
_PEAK: Final = 0.82  # of the distance between two rows
_ROW, _EDGE = 52, 63
_MOST_TICKS: Final = 5
#: Of the highest bin: a flatter one is not seen. So much of all in such bins is told.
_FLAT, _MUCH = 0.02, 0.05
_SMALL: Final = 2.0  # times: of smaller ratios more digits tell them apart
#: Ratios that are no further apart are told as one.
_ALIKE: Final = 1.05
_TITLE: Final = "Shape of the latencies"
#: What is marked beside the median: the first that no variant lacks.
_TAILS: Final = (0.99, 0.95, 0.9)
#: Between these lies what makes a shape; it is a spike on less than a share of an axis.
_BODY: Final = (0.05, 0.95)
_SPIKE: Final = 0.2
_FASTEST: Final = 0.02  # share of the requests, beyond an axis over the median
_FINE: Final = 0.01  # of a median: steps of a clock in which its surroundings have a shape
#: Of the highest bin: so much higher than the bins between is a hump.
_HUMP: Final = 0.1
_SINGLE: Final = 0.9  # of the requests: in one bin they are no shape


@dataclass(frozen=True, eq=False)
class _Shapes:
    """The requests of all variants, and what is marked of each.

    Attributes:
        tail: The quantile that is marked beside the median, None where no variant may show any.
    """

    requests: Pooled
    tail: float | None

    @cached_property
    def quantiles(self) -> Mapping[Key, tuple[float | None, float | None]]:
        """Per variant its median and the tail in s, None where one is withheld."""
        at, tail = self.requests.quantile, self.tail
        return {k: (at(k, 0.5), at(k, tail) if tail else None) for k in self.requests.by_key}

    @cached_property
    def units(self) -> Mapping[Key, float]:
        """What latencies of a variant are counted in: a second, or all in their own median."""
        medians = {key: middle for key, (middle, _) in self.quantiles.items() if middle}
        own = len(medians) == len(self.quantiles) > 1 and self.tail and self._far_apart(medians)
        return medians if own else dict.fromkeys(self.quantiles, 1.0)

    @property
    def own(self) -> bool:
        """Whether latencies are shown over the variant's own median."""
        return set(self.units.values()) != {1.0}

    def _far_apart(self, medians: Mapping[Key, float]) -> bool:
        """Whether each variant would be a spike on an axis that holds all."""
        low, high = (self.requests.at(quantile) for quantile in _BODY)
        widths = [math.log(b / a) for a, b in zip(low, high, strict=True) if a > 0]
        whole = math.log(max(high) / max(min(low), 1e-9))
        fine = all(self.requests.steps[key] <= _FINE * s for key, s in medians.items())
        return fine and len(widths) == len(low) and max(widths) < _SPIKE * whole

    @cached_property
    def bins(self) -> Bins:
        """The shares of all but the slowest requests, over the median also without the fastest."""
        tails = {key: tail for key, (_, tail) in self.quantiles.items() if tail is not None}
        if not self.own:
            return self.requests.binned(*self.requests.shape_edges(tails.values()))
        lows = zip(self.units.values(), self.requests.at(_FASTEST), strict=True)
        low = min(fastest / unit for unit, fastest in lows)
        high = max(tail / self.units[key] for key, tail in tails.items())
        ratio = finest(low, high, least=self.requests.least_bins)
        count = math.ceil(math.log(high / low) / math.log(ratio)) + 2
        edges = [low * ratio ** (n - 1) for n in range(count + 1)]
        shares = {k: self.requests.shares(k, [e * s for e in edges]) for k, s in self.units.items()}
        return Bins(edges, shares, ratio, open=False, write=_over_median)

    def of_runs(self, key: Key) -> list[Bins]:
        """Return the shares of the requests of each run of a variant alone, in the same bins."""
        edges = [edge * self.units[key] for edge in self.bins.edges]
        edges = edges if self.own else [0.0, *edges[1:]]
        runs = self.requests.of_runs(key)
        return [replace(self.bins, shares={key: run.shares(key, edges)}) for run in runs]

    @property
    def metrics(self) -> tuple[Metric, Metric]:
        """The median and the tail."""
        return P50, percentile(self.tail or 0.5)

    @cached_property
    def texts(self) -> dict[Key, list[str]]:
        """Both of each variant, written as the key numbers are."""
        comparison = self.requests.comparison
        rows = []
        for metric, row in zip(
            self.metrics, zip(*self.quantiles.values(), strict=True), strict=True
        ):
            unit = comparison.unit(metric) or show.time_unit(row)
            cells = metric.cells(row, unit)
            rows.append([f"{c}{show.NBSP}{unit.name}" if c else show.WITHHELD for c in cells])
        return dict(zip(self.quantiles, map(list, zip(*rows, strict=True)), strict=True))

    @property
    def single(self) -> list[Key]:
        """The variants of which nearly all requests are in one bin."""
        return [key for key, shares in self.bins.shares.items() if max(shares) > _SINGLE]


def _over_median(ratio: float) -> str:
    return f"{show.number(ratio)}{show.TIMES}"


def ridges(comparison: Comparison) -> Chart | None:
    """Return the figure, None without single requests, without shapes or with too many variants."""
    requests = pooled(comparison).ranked()
    if not 0 < len(requests.by_key) <= _MOST:
        return None
    known = (q for q in _TAILS if all(requests.quantile(k, q) for k in requests.by_key))
    shapes = _Shapes(requests, next(known, None))
    if len(shapes.single) == len(requests.by_key):
        return None
    title = _title(shapes)
    return Chart(
        title=title,
        caption=_caption(shapes),
        label=requests.alt_text(title),
        panels=(_panel(shapes),),
        table=_table(shapes),
        height=_EDGE + _ROW * len(shapes.quantiles),
    )


def _panel(shapes: _Shapes) -> Panel:
    bins, quantiles = shapes.bins, shapes.quantiles
    series: list[Series] = []
    notes: list[Note] = []
    x = _axis(shapes)
    for row, (key, pair) in enumerate(quantiles.items()):
        y = -float(row)
        series.append(_ridge(key, bins, y))
        places = ((0.4, False), (0.1, True))
        words = zip(shapes.metrics, shapes.texts[key], strict=True)
        for (metric, text), value, (height, dotted) in zip(words, pair, places, strict=True):
            if value is None:
                continue
            at = max(value / shapes.units[key], bins.edges[0])
            mark = Series(*key.series, (at, at), (y, y + 0.3), line=2.5, dotted=dotted)
            series.append(replace(mark, line=2 if dotted else 2.5, in_table=False))
            notes.append(Note(x.last, y + height, f"{metric.name} {text}", dx=10))
    x = with_room(x, [note.text for note in notes], whole=True)
    y_axis = names_axis([key.short for key in quantiles], above=_PEAK + 0.06)
    return Panel(x, replace(y_axis, low=-len(quantiles) + 0.96), tuple(series), tuple(notes))


def _axis(shapes: _Shapes) -> Axis:
    if shapes.own:
        return replace(own_axis(shapes.bins.edges), title="Latency over p50, log scale")
    title = "Latency, log scale"
    axis = latency_axis(
        shapes.bins.edges, room=0.01, most=_MOST_TICKS, title=title, unit=shapes.requests.unit
    )
    units = {text.partition(show.NBSP)[2] for texts in shapes.texts.values() for text in texts}
    if len(units - {""}) < 2:
        return axis
    # As the values beside them, each in the unit that suits it.
    return replace(axis, ticks=tuple((at, show.duration(at)) for at, _ in axis.ticks))


def _ridge(key: Key, bins: Bins, y: float) -> Series:
    density = bins.heights(key)
    highest = max(density)
    outline = tuple(y + _PEAK * each / highest for each in density for _ in (0, 1))
    edges = tuple(edge for pair in bins.pairs[: len(density)] for edge in pair)
    return Series(
        *(*key.series, edges, outline),
        line=1.6,
        low=(y,) * len(outline),
        high=outline,
        hover=tuple(text for text in bins.hovers(key, share_of_all) for _ in (0, 1)),
    )


def _title(shapes: _Shapes) -> str:
    """Return how far the tail was above p50, where that is known of all."""
    known = shapes.quantiles.items()
    tails = [
        (show.quoted(key.label, limit=40), tail / p50)
        for key, (p50, tail) in known
        if p50 and tail is not None
    ]
    if len(tails) < len(known) or shapes.tail is None:
        return _TITLE
    ratios = [ratio for _, ratio in tails]
    ends = min(ratios), max(ratios)
    near = ends[1] < _ALIKE * ends[0]

    def factor(ratio: float) -> str:
        """Return small factors with as many decimals each."""
        small = ends[1] < _SMALL
        return show.change(ratio, *ends, as_factor=True) if small else show.factor(ratio)

    if near and show.factor(ends[0]) != show.factor(ends[1]):
        span = f"about {factor(statistics.median(ratios))}"
    else:
        span = named_between(tails, factor)
    return f"{_TITLE}: {show.percentile(shapes.tail)} was {span} the p50"


def _caption(shapes: _Shapes) -> str:
    bins, requests = shapes.bins, shapes.requests
    over = ", over the p50 of its variant," if shapes.own else ","
    parts = [f"Share of requests by latency{over} log axis, in {requests.binned_as(bins)}"]
    parts[0] += ", each variant to its own highest bin." if len(bins.shares) > 1 else "."
    tail = f", dotted ones {show.percentile(shapes.tail)}" if shapes.tail else ""
    several = any(len(key.variant) > 1 for key in shapes.quantiles)
    how = ", medians over runs" if several else ""
    parts.append(f"Ticks are p50{tail}{how}; their values stand on the right.")
    if shapes.own:
        slowest = show.share(round(1 - (shapes.tail or 1), 6))
        parts.append(
            f"Of a variant up to the fastest 2\u00a0% and slowest {slowest} are beyond the axis."
        )
    elif beyond := requests.beyond(bins.edges[-1]):
        parts.append(f"At most {share_of_all(beyond)} of a variant's requests are beyond the axis.")
    parts += [*_unseen(shapes), *_cut(shapes), *_humps(shapes)]
    if shapes.single:
        names = [show.quoted(key.label, limit=40) for key in shapes.single]
        parts.append(f"Nearly all of {some(names)} lies in one bin: its shape is not known.")
    return " ".join([*parts, requests.source])


def _unseen(shapes: _Shapes) -> list[str]:
    """Return of which variants much lies in bins that are hardly higher than the line below."""
    sentences = []
    for key, shares in shapes.bins.shares.items():
        heights = shapes.bins.heights(key)
        seen = _FLAT * max(heights)
        flat = sum(share for share, high in zip(shares, heights, strict=True) if high < seen)
        if flat >= _MUCH:
            whose = show.quoted(key.label, limit=40)
            sentences.append(
                f"Of {whose} {show.share(round(flat, 2))} lie in bins too flat to see."
            )
    return sentences


def _humps(shapes: _Shapes) -> list[str]:
    """Return of which variants most runs have fewer humps than all together have."""
    names = []
    for key in shapes.quantiles:
        together, runs = _count(shapes.bins, key), shapes.of_runs(key)
        if together > 1 and statistics.median(_count(each, key) for each in runs) < together:
            names.append(show.quoted(key.label, limit=40))
    if not names:
        return []
    whose = some(names)
    return [f"Of {whose}, most runs alone have fewer humps than all of them pooled here."]


def _count(bins: Bins, key: Key) -> int:
    """Return how many humps the shape of a variant has, with clear valleys between."""
    heights = bins.heights(key)
    least, count, top, valley = _HUMP * max(heights), 0, 0.0, 0.0
    for height in heights:
        valley = min(valley, height)
        if height >= valley + least and (not count or valley <= top - least):
            count, top, valley = count + 1, height, height
        elif height > top:  # the same hump goes on
            top = valley = height
    return count


def _cut(shapes: _Shapes) -> list[str]:
    """Return which outlines end before the slowest requests do, as their latencies are withheld.

    Some of them end right before: all that is hidden lies in the next bin.
    """
    bins, slower = shapes.bins, shapes.requests.any_above
    ends = {k: bins.edges[min(len(own) + 1, len(bins.pairs))] for k, own in bins.shares.items()}
    short = [key for key, shares in bins.shares.items() if len(shares) < len(bins.pairs)]
    far = [key for key in short if slower(key, ends[key] * shapes.units[key])]
    near = [key for key in short if key not in far]
    sentences = []
    for keys, where in ((far, ""), (near, ", right before the slowest")):
        names = [show.quoted(key.label, limit=40) for key in keys]
        of_some = len(keys) < len(bins.shares)
        whose = f"The outline of {some(names)} ends" if of_some else "Outlines end"
        sentences += [f"{whose} where latencies are withheld{where}."] if keys else []
    return sentences


def _table(shapes: _Shapes) -> DataTable:
    bins = shapes.bins
    if shapes.own:
        unit, texts = f"{show.TIMES} p50", distinct(bins.edges)
    else:
        known, texts = written(bins.edges, shapes.requests.unit)
        unit = known.name
    edges: list[Cell] = [*zip(texts, bins.edges, strict=True)]
    edges[0] = ("0", None) if bins.open else edges[0]
    count = 2 if shapes.tail else 1
    blank: list[Cell] = [("", None)] * count
    columns = [
        (f"From, {unit}", [*edges[:-1], *blank]),
        (f"To, {unit}", [*edges[1:], *blank]),
        *(
            (key.label, [*bins.cells(key), *[*zip(shapes.texts[key], pair, strict=True)][:count]])
            for key, pair in shapes.quantiles.items()
        ),
    ]
    numbers = [show.count(n) for n in range(1, len(edges))]
    names = [metric.name for metric in shapes.metrics][:count]
    return by_column("Bin", [*numbers, *names], columns)
