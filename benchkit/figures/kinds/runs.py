"""Every run by itself: is it stable, and does it change from the first run to the last?

Where the order of the runs is known and the variants are few, along that order; else a row per
variant. A mark is a run, a bar the median of a variant's runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Axis, Chart, DataTable, Note, Panel, Series
from benchkit.figures.look import Key, coloured, legend
from benchkit.figures.marks import (
    BESIDE_NAMES,
    VALUE_CHARACTER,
    end_names,
    height,
    scattered,
    with_room,
)
from benchkit.figures.panels import Shows, any_panel, those_shown
from benchkit.figures.scales import (
    ZEROS,
    apart_along,
    apart_upwards,
    from_zero,
    latency_axis,
    names_axis,
)
from benchkit.figures.tables import TableColumn, by_column, metric_column
from benchkit.figures.words import (
    absent,
    as_read,
    between,
    failed_too,
)
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.load import is_paced
from benchkit.model.metric import BY_COLUMN, MEAN, P50, THROUGHPUT, Metric, Quantity
from benchkit.model.run import Run
from benchkit.names import some, with_marks

_FEW: Final = 5  # up to so many runs of a variant each has a place and a text of its own
_MARK, _SYMBOL = 8, 7  # px: of few runs; the smallest that has the symbol of its variant
_DOT: Final = 6  # of so many runs that symbols would cover each other
_MOST_SYMBOLS: Final = 40
_ROW_DOT: Final = 5  # of many in a row, whose name tells the variant
_PANEL: Final = 180
_AIRY: Final = 12  # rows that have room for marks beside and above each other
_AIRY_ROW, _CROWDED_ROW = 36, 22
_SPREAD: Final = 0.66  # of a row: the bar of the median is taller
_MARGIN: Final = 0.1
#: Beyond the marks in a row, as shares of the axis.
_ROOMS: Final = (0.03, 0.1, 0.2, 0.3)
_MOST_TICKS: Final = 6  # of an axis that lies
_MOST_ROWS: Final = 24
_GAP: Final = 10  # px between a mark and its text
_EVEN: Final = 1.05
_FEWEST_OTHERS: Final = 2  # runs, beside which one stands apart
_COURSE: Final = ("DRIFT", "WARMUP")
_LATENCIES: Final = (*(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p95", "p50")), MEAN)
_MOST_PANELS: Final = 12  # variants of which three metrics have room
_EVERY: Final = 2
_FIXED: Final = 1.01
_THOUSAND: Final = 1000  # from which a rate has another unit
#: How a value of each quantity is written; a time is, in the unit of its column.
_WRITE: Final[Mapping[Quantity, Callable[[float], str]]] = {
    "bytes": show.size,
    "count": show.count,
    "rate": show.rate,
    "share": show.share,
}


@dataclass(frozen=True, slots=True)
class _RunMark:
    """One run: its number among those of its variant, and its position in time."""

    key: Key
    run: Run
    number: int
    position: int

    def value(self, metric: Metric) -> float | None:
        return None if metric.column in self.key.variant.withheld else metric.value(self.run)


@dataclass(frozen=True, slots=True)
class _Spread:
    """The values of one variant's runs in one metric, and the largest over the smallest."""

    ratio: float
    label: str
    metric: Metric
    values: tuple[float, ...]

    @property
    def is_wide(self) -> bool:
        """Whether the runs are so far apart that it is worth a title."""
        return self.ratio >= _EVEN


#: Runs with the value of a metric.
_Known = Sequence[tuple[_RunMark, float]]


def runs(
    comparison: Comparison, metric: Metric | None = None, *, shows: Shows = any_panel
) -> Chart | None:
    """Return the figure, None where no variant has several runs."""
    wanted = [metric] if metric else _metrics_of(comparison)
    metrics = [m for m in wanted if any(variant.sample(m) for variant in comparison.variants)]
    if not metrics or max(map(len, comparison.variants)) < 2:
        return None
    metrics = those_shown(metrics, lambda metric: metric.name, shows)
    marks, ordered = _in_order(comparison)
    spread = _spreads(comparison, metrics)
    drifted = any(numbered.first.check in _COURSE for numbered in comparison.findings)
    few = len(comparison.variants) < look.CROWD
    # Of a sweep several lines have one colour, and their names tell only the levels apart.
    along = ordered and not comparison.axis and (few or drifted)
    labels = [variant.label for variant in comparison.variants]
    if not along and len(labels) > _MOST_ROWS:
        furthest = dict.fromkeys([*(each.label for each in spread), *labels])
        kept = set(list(furthest)[:_MOST_ROWS])
        labels = [label for label in labels if label in kept]
        marks = [mark for mark in marks if mark.key.label in kept]
    keys = legend(comparison)
    shown = [keys[label] for label in labels]
    zeros = any(_zero(mark.value(metric), metric) for mark in marks for metric in metrics)
    title = _title(
        comparison, spread, even=all(_is_ranked(comparison, metric) for metric in metrics)
    )
    if along and spread and spread[0].is_wide:
        own = [mark for mark in marks if mark.key.label == spread[0].label]
        title += _of_first([mark.value(spread[0].metric) for mark in own])
    panel = _order_panel if along else _row_panel
    row = _AIRY_ROW if len(shown) <= _AIRY else _CROWDED_ROW
    return Chart(
        title=title,
        caption=" ".join(
            [
                _caption(comparison, len(shown), along=along, zeros=zeros),
                *_without(comparison, metrics),
                *([] if metric else _all_zero(comparison, metrics)),
            ]
        ),
        label=f"{title}. Each run of each variant; values in the table below",
        panels=tuple(panel(comparison, marks, metric, shown) for metric in metrics),
        table=_table(marks, metrics, along=along),
        height=len(metrics) * (_PANEL if along else height(len(shown), row)) + 60 * along,
    )


def _metrics_of(comparison: Comparison) -> list[Metric]:
    """Return throughput, unless something fixed it, the median, and a percentile of the tail.

    Of the tail that which most variants have. Of many variants the latency whose runs are further
    apart has to do.
    """
    variants = comparison.variants
    # What is 0 in every run has no place on a log axis.
    known = {m: sum(any(v.sample(m)) for v in variants) for m in (THROUGHPUT, *_LATENCIES)}
    tail = max(_LATENCIES, key=lambda metric: known[metric])
    latencies = [m for m in dict.fromkeys((P50, tail)) if known[m] or m is tail]
    if len(variants) > _MOST_PANELS:
        spread = _spreads(comparison, latencies)
        latencies = [spread[0].metric if spread else tail]
    rates = [rate for variant in variants for rate in variant.sample(THROUGHPUT)]
    # As under a schedule, also where no tool says so.
    constant = bool(rates) and max(rates) <= _FIXED * min(rates)
    fixed = constant or is_paced([run for variant in variants for run in variant.runs])
    return latencies if fixed and any(known[m] for m in latencies) else [THROUGHPUT, *latencies]


def _in_order(comparison: Comparison) -> tuple[list[_RunMark], bool]:
    """Return the runs in the order in which they began, and whether that is known."""
    keys = legend(comparison)
    listed = [
        (run, keys[label], number)
        for label in comparison.order
        for number, run in enumerate(comparison.by_label[label].runs, 1)
    ]
    begun = [run.get("started_at") for run, _, _ in listed]
    ordered = None not in begun and len(set(begun)) == len(begun)
    if ordered:
        listed.sort(key=lambda item: item[0].get("started_at"))
    marks = [
        _RunMark(key, run, run.get("repeat") or number, position)
        for position, (run, key, number) in enumerate(listed, 1)
    ]
    return marks, ordered


def _span(comparison: Comparison, values: Sequence[float], metric: Metric) -> str:
    if metric.quantity == "time":
        unit = comparison.unit(metric) or show.time_unit(values)
        ends = dict.fromkeys(metric.ends(values, unit))
        return f"{show.EN_DASH.join(ends)}{show.NBSP}{unit.name}"
    write = _WRITE[metric.quantity]
    if metric.quantity == "rate" and min(values) < _THOUSAND <= max(values):
        write = show.number  # `766–1.10 k` would read as another range
    return between(values, write, to=show.EN_DASH)


def _is_ranked(comparison: Comparison, metric: Metric) -> bool:
    """Whether every variant's runs are so many times apart in a metric.

    Where one has 0 beside other values, nothing tells which varied most.
    """
    samples = (variant.sample(metric) for variant in comparison.variants)
    return not any(sample and min(sample) <= 0 < max(sample) for sample in samples)


def _spreads(comparison: Comparison, metrics: Sequence[Metric]) -> list[_Spread]:
    """Return how far the runs of each variant were apart in each metric, the furthest first."""
    spread = [
        _Spread(max(sample) / min(sample), variant.label, metric, sample)
        for metric in metrics
        if _is_ranked(comparison, metric)
        for variant in comparison.variants
        if len(sample := variant.sample(metric)) > 1 and min(sample) > 0
    ]
    return sorted(spread, key=lambda each: -each.ratio)


def _zero(value: float | None, metric: Metric) -> bool:
    """Whether a value has no place on its axis, which is a log axis for latencies."""
    return value is not None and value <= 0 and metric.quantity == "time"


def _by_key(
    marks: Sequence[_RunMark], keys: Sequence[Key], metric: Metric
) -> dict[Key, tuple[_Known, float]]:
    """Return the runs of each variant that have a metric, with its value, and their median."""
    known = [(mark, value) for mark in marks if (value := mark.value(metric)) is not None]
    by_key = grouped(known, lambda pair: pair[0].key)
    own = {key: by_key[key] for key in keys if key in by_key}
    return {key: (pairs, statistics.median(v for _, v in pairs)) for key, pairs in own.items()}


def _order_panel(
    comparison: Comparison, marks: Sequence[_RunMark], metric: Metric, keys: Sequence[Key]
) -> Panel:
    named = {
        key: with_marks(key.short, comparison.footnotes.at_mark(key.label, metric.column))
        for key in coloured(legend(comparison))
    }
    last = len(marks)
    # The same in each panel, whatever marks stand behind the names there.
    x = with_room(_order_axis(last), [f"{key.short} ①" for key in named])
    values = [v for mark in marks if (v := mark.value(metric))]
    y = apart_upwards(_value_axis(comparison, metric, values, room=_MARGIN), _PANEL * 0.72)
    series: list[Series] = []
    beside: list[Note] = []
    by_key = _by_key(marks, sorted(keys, key=lambda key: key.coloured), metric)
    for key, (known, middle) in by_key.items():
        if not _zero(middle, metric):
            line = ((1.0, float(last)), (middle, middle))
            series.append(Series(*key.series, *line, line=1.2, in_table=False))
            beside += [key.end(last, middle, named[key])] if key.coloured else []
        points = [(float(mark.position), value) for mark, value in known]
        size = _MARK if len(known) <= _FEW else _SYMBOL if len(known) <= _MOST_SYMBOLS else _DOT
        series += _dots(comparison, known, points, metric, size=size)
    notes = end_names(beside, y, height=_PANEL * 0.72)
    return Panel(x, y, tuple(series), notes, title=_heading(metric), name=metric.name)


def _row_panel(
    comparison: Comparison, marks: Sequence[_RunMark], metric: Metric, keys: Sequence[Key]
) -> Panel:
    by_key = _by_key(marks, keys, metric)
    texts = {key: _range_text(comparison, key, metric, known) for key, (known, _) in by_key.items()}
    x = _row_axis(comparison, metric, [(texts[key], known) for key, (known, _) in by_key.items()])
    series: list[Series] = []
    bars: list[Series] = []
    notes: list[Note] = []
    rows = {key: -float(row) for row, key in enumerate(keys)}
    for key, (known, middle) in by_key.items():
        y, values = rows[key], [value for _, value in known]
        if len(known) > 1 and not _zero(middle, metric):
            bar = ((middle, middle), (y - 0.46, y + 0.46))
            bars.append(Series(key.name, "text", *bar, line=2.5, above=True, in_table=False))
        points = [*zip(values, (y + offset for offset in _offsets(values)), strict=True)]
        size = _SYMBOL if len(known) <= _FEW else _ROW_DOT
        series += _dots(comparison, known, points, metric, size=size)
        notes.append(_beside(texts[key], x, y, *_ends(x, values, metric)))
    names = names_axis([key.short for key in keys])
    every = (*series, *bars)
    return Panel(x, names, every, tuple(notes), title=_heading(metric), name=metric.name)


def _range_text(comparison: Comparison, key: Key, metric: Metric, known: _Known) -> str:
    text = _span(comparison, [value for _, value in known], metric)
    return with_marks(text, comparison.footnotes.at_mark(key.label, metric.column))


def _row_axis(comparison: Comparison, metric: Metric, rows: Sequence[tuple[str, _Known]]) -> Axis:
    """Return the axis that leaves least room right of the marks with room for each row's text."""
    every = [value for _, known in rows for _, value in known if value]

    def fits(x: Axis) -> bool:
        ends = ((text, _ends(x, [value for _, value in known], metric)) for text, known in rows)
        return all(
            _room(text) <= max(x.share(low), 1 - x.share(high)) for text, (low, high) in ends
        )

    *axes, last = (_lying_axis(comparison, metric, every, room=room) for room in _ROOMS)
    return next(filter(fits, axes), last)


def _ends(x: Axis, values: Sequence[float], metric: Metric) -> tuple[float, float]:
    """Return the first and the last place of some values, those without a place at the start."""
    low, high = (x.low if _zero(v, metric) else v for v in (min(values), max(values)))
    return low, high


def _room(text: str) -> float:
    """Return the share of a small screen that a text beside marks takes."""
    return (_GAP + VALUE_CHARACTER * len(text)) / BESIDE_NAMES


def _beside(text: str, x: Axis, y: float, low: float, high: float) -> Note:
    """Return a text right of some marks, or left of them where a small screen has room there."""
    if 1 - x.share(high) < _room(text) <= x.share(low):
        return Note(low, y, text, role="text", align="right", dx=-_GAP)
    return Note(high, y, text, role="text", dx=_GAP)


def _dots(
    comparison: Comparison,
    known: _Known,
    points: Sequence[tuple[float, float]],
    metric: Metric,
    *,
    size: int,
) -> list[Series]:
    """Return a mark per run of a variant at its point."""
    pairs = zip(known, points, strict=True)
    drawn = [(*item, point) for item, point in pairs if not _zero(item[1], metric)]
    if not drawn:
        return []
    key = drawn[0][0].key
    xs, ys = zip(*(point for *_, point in drawn), strict=True)
    hover = tuple(
        f"{key.name}, run {mark.number}\n{metric.title} {comparison.written(metric, value)}"
        for mark, value, _ in drawn
    )
    return [Series(*key.series, xs, ys, marker=size, hover=hover)]


def _order_axis(count: int) -> Axis:
    step = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, count) if count / n <= 12)
    first = 1 if step <= _EVERY else step  # of few 1, 3, 5; of many 1, 5, 10
    numbers = dict.fromkeys([1, *range(first, count + 1, step)])
    ticks = tuple((float(n), show.count(n)) for n in numbers)
    return Axis(
        "linear",
        0.5,
        count + 0.5,
        ticks,
        "Runs of all variants, in the order in which they began",
        grid=False,
    )


def _offsets(values: Sequence[float]) -> list[float]:
    """Return how far above its row each run stands: in order from above, or spread evenly.

    Of many, those next to each other are far apart in height.
    """
    count = len(values)
    if count <= _FEW:
        return [0.25 - 0.5 * n / (count - 1) for n in range(count)] if count > 1 else [0.0]
    by_value = sorted(range(count), key=values.__getitem__)
    ranks = enumerate(scattered(count))
    heights = {by_value[rank]: row / (count - 1) - 0.5 for row, rank in ranks}
    return [_SPREAD * heights[run] for run in range(count)]


def _value_axis(
    comparison: Comparison, metric: Metric, values: Sequence[float], *, room: float
) -> Axis:
    unit = comparison.unit(metric)
    if metric.quantity != "time":
        return from_zero(values, metric.quantity, room=room, steps=4)
    return latency_axis(values, room=room, most=7, unit=unit)


def _lying_axis(
    comparison: Comparison, metric: Metric, values: Sequence[float], *, room: float
) -> Axis:
    if metric.quantity != "time":
        return _value_axis(comparison, metric, values, room=room)
    unit = comparison.unit(metric)
    axis = latency_axis(values, room=_MARGIN, most=_MOST_TICKS, unit=unit)
    wide = replace(axis, high=axis.high * (axis.high / axis.low) ** (room / (1 - room)))
    return apart_along(wide, BESIDE_NAMES, character=VALUE_CHARACTER)


def _heading(metric: Metric) -> str:
    if metric.quantity != "time":
        unit = "req/s, " if metric.quantity == "rate" else ""
        return f"{metric.title}, {unit}from zero"
    named = metric.is_percentile or not metric.is_latency
    return f"{metric.title if named else f'{metric.title} latency'}, log scale"


def _title(comparison: Comparison, spread: Sequence[_Spread], *, even: bool) -> str:
    """Return how far runs of a variant were apart at most, and in what; `even`: if at all."""
    if not spread or not (spread[0].is_wide or even):
        return "Each run"
    most = spread[0]
    if not most.is_wide:
        others = [each.metric.subject for each in spread if each.metric is not most.metric]
        names = [most.metric.title, *dict.fromkeys(others)]
        share = show.share(round(most.ratio - 1, 3))
        verb = "was" if len(names) == 1 else "were"
        return f"{show.listed(names)} of a variant's runs {verb} within {share} of each other"
    unit = f"{show.NBSP}req/s" if most.metric.quantity == "rate" else ""
    count = show.plural(len(most.values), "run")
    values = f"{_span(comparison, most.values, most.metric)}{unit}"
    low, _, high = values.partition(show.EN_DASH)
    ratio = as_read(low, high, most.ratio)
    apart = show.factor(ratio) if show.is_factor(most.ratio) else show.change(ratio).lstrip("+")
    where = f"in {count} of {show.quoted(most.label)}"
    return f"{most.metric.title} of a variant's runs was up to {apart} apart: {values} {where}"


def _of_first(values: Sequence[float | None]) -> str:
    """Return that the first run to begin is why a variant's runs are so far apart, if it is."""
    first, *rest = values
    others = [value for value in rest if value is not None]
    if first is None or len(others) < _FEWEST_OTHERS:
        return ""
    low, high = min(others), max(others)
    if (high / low) ** 2 > max(high, first) / min(low, first):
        return ""
    return f", the first the {'highest' if first > high else 'lowest'}"


def _caption(comparison: Comparison, shown: int, *, along: bool, zeros: bool) -> str:
    few = max(map(len, comparison.variants)) <= _FEW
    if along:
        parts = ["A mark per run, in the order in which they began; lines are medians."]
    elif few:
        parts = ["A mark per run, the first on top; bars are medians, texts the range."]
    else:
        parts = ["A mark per run, spread out by height; bars are medians, texts the range."]
    if comparison.axis:
        parts.append(f"Names end with the {show.clean(comparison.axis, limit=40)}.")
    if shown < len(comparison.variants):
        parts.append(f"The {shown} of {len(comparison.variants)} that varied most.")
    single = sum(len(variant) == 1 for variant in comparison.variants)
    if single:
        parts.append(f"{show.plural(single, 'variant')} with a single run.")
    if failed := failed_too(comparison.variants):
        parts.append(f"All requests count{failed}.")
    if zeros:
        parts.append(ZEROS)
    return " ".join(parts)


def _all_zero(comparison: Comparison, metrics: Sequence[Metric]) -> list[str]:
    """Return of the median that it is not drawn, where all of it is below the clock."""
    sample = [value for variant in comparison.variants for value in variant.sample(P50)]
    hidden = bool(sample) and not any(sample) and P50 not in metrics
    return [f"{P50.title} was 0 in every run, less than a step of the clock."] if hidden else []


def _without(comparison: Comparison, metrics: Sequence[Metric]) -> list[str]:
    """Return which variants have no marks in a metric, and why, a sentence for each."""
    sentences = []
    for metric in metrics:
        empty = [variant for variant in comparison.variants if not variant.sample(metric)]
        for why, alike in grouped(empty, partial(absent, metric=metric)).items():
            names = some([show.quoted(variant.label, limit=40) for variant in alike])
            sentences.append(f"No {metric.subject} of {names}: {why}.")
    return sentences


def _table(marks: Sequence[_RunMark], metrics: Sequence[Metric], *, along: bool) -> DataTable:
    variants = [mark.key.variant for mark in marks]
    numbers = (show.count(mark.position if along else mark.number) for mark in marks)
    columns: list[TableColumn] = [
        ("Run in order" if along else "Run", [(number, None) for number in numbers]),
        *(metric_column(m, [mark.value(m) for mark in marks], variants) for m in metrics),
    ]
    return by_column("Variant", [mark.key.label for mark in marks], columns)
