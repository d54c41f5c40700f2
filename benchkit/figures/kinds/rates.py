"""A row per variant: throughput and goodput from zero; above the latencies where these are few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from benchkit import format as show
from benchkit.figures.chart import Chart, DataTable, Panel, Series
from benchkit.figures.look import Key, legend
from benchkit.figures.marks import ROW, Dot, height, span
from benchkit.figures.scales import from_zero, latency_axis, names_axis
from benchkit.figures.tables import (
    TableColumn,
    by_column,
    metric_column,
    range_columns,
    ratio_columns,
)
from benchkit.figures.words import (
    baselines,
    between,
    claimed,
    failed_too,
    named_between,
    outermost,
    unit_of,
)
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.load import is_paced
from benchkit.model.metric import BY_COLUMN, GOODPUT, MEAN, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.names import some, with_marks

_TALL: Final = 36  # px of a row whose labels stand above the marks
_SEEN: Final = 0.01  # of the axis: a shorter bar is a dot on a small screen
_ALIKE: Final = 1.01
_CLEAR: Final = 0.015  # of the axis
_UNIT: Final = f"{show.NBSP}req/s"
_MAX: Final = BY_COLUMN["latency_max_s"]
_STD: Final = BY_COLUMN["latency_std_s"]
_SUCCESS: Final = BY_COLUMN["success_ratio"]


def throughput(comparison: Comparison) -> Chart | None:
    """Return throughput (filled) and goodput (open) per variant, None where neither is known."""
    panel = _rates(comparison)
    if panel is None:
        return None
    title = _title(comparison)
    return Chart(
        title=title,
        caption=_caption(comparison),
        label=f"{title}. Throughput and goodput per variant; values in the table below",
        panels=(panel,),
        table=_table(comparison, (THROUGHPUT, GOODPUT, _SUCCESS)),
        height=height(len(comparison.variants)),
    )


def overview(comparison: Comparison) -> Chart | None:
    """Return throughput above mean-to-max latency, None without either."""
    rates, latencies = _rates(comparison), _latencies(comparison)
    panels = tuple(panel for panel in (rates, latencies) if panel)
    if not panels:
        return None
    title = _title(comparison) if rates else "Mean and slowest request"
    caption = "Throughput from zero; latency on a log axis, mean (filled) to max (open)."
    if any(variant.value(_STD) is not None for variant in comparison.variants):
        caption += " Standard deviations are in the table: they describe spread, not uncertainty."
    tall = height(len(comparison.variants))
    return Chart(
        title=title,
        caption=caption,
        label=f"{title}. Throughput and latency per variant; values in the table below",
        panels=panels,
        table=_table(comparison, (THROUGHPUT, MEAN, _STD, _MAX)),
        height=sum(round(tall * panel.weight) for panel in panels),
    )


def is_scheduled(comparison: Comparison) -> bool:
    """Whether all was sent at a set rate, and came back alike with every variant."""
    if not is_paced([run for variant in comparison.variants for run in variant.runs]):
        return False
    rates = [[v.value(metric) for v in comparison.variants] for metric in (THROUGHPUT, GOODPUT)]
    known = [[value for value in values if value is not None] for values in rates]
    return all(
        len(v) == len(r) and max(v) <= _ALIKE * min(v)
        for v, r in zip(known, rates, strict=True)
        if v
    )


def _title(comparison: Comparison) -> str:
    rates = ((variant.label, variant.value(THROUGHPUT)) for variant in comparison.variants)
    known = {label: rate for label, rate in rates if rate is not None}
    label = outermost(known, show.rate)
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    if known and is_scheduled(comparison) and _kept_up(comparison, known):
        return _at_the_rate(comparison, known)
    # Levels are compared with the baseline at their own, not with each other.
    untested = paced or comparison.axis
    if label is None or untested or not claimed(comparison, label, THROUGHPUT.column):
        return _span(comparison, known)
    highest = "higher" if len(known) == 2 else "highest"
    return f"{show.quoted(label)} had the {highest} throughput, {THROUGHPUT.prose(known[label])}"


def _at_the_rate(comparison: Comparison, rates: Mapping[str, float]) -> str:
    """Return that all answered as fast as they were asked, and how much of it was no failure."""
    whose = "Every variant" if len(rates) > 1 else show.quoted(next(iter(rates)), limit=40)
    answered = f"{between(rates.values(), show.rate)}{_UNIT}"
    title = f"{whose} answered {answered}, about the rate that was asked"
    apart = (variant.value(GOODPUT) for variant in comparison.variants if _apart(variant))
    goods = [good for good in apart if good is not None]
    of_some = "" if len(goods) == len(rates) else f" with {len(goods)} of {len(rates)}"
    good = f", but goodput was {between(goods, show.rate)}{_UNIT}{of_some}" if goods else ""
    return f"{title}{good}"


def _kept_up(comparison: Comparison, rates: Mapping[str, float]) -> bool:
    """Whether each of some rates is what was asked for in all runs of its variant."""
    offered = {
        label: [run.number("offered_rate_rps") for run in comparison.by_label[label].runs]
        for label in rates
    }
    return all(
        asked is not None and max(asked, rates[label]) <= _ALIKE * min(asked, rates[label])
        for label, every in offered.items()
        for asked in every
    )


def _span(comparison: Comparison, rates: Mapping[str, float]) -> str:
    """Return from where to where throughput goes, and goodput where that is another."""
    apart = any(map(_apart, comparison.variants))
    goods = [(v.label, v.value(GOODPUT)) for v in comparison.variants if apart]
    known = {label: good for label, good in goods if good is not None}
    parts = [f"Throughput was {_named(rates)}"] if rates else []
    verb = "goodput" if rates else "Goodput was"
    parts += [f"{verb} {_named(known)}"] if known else []
    return ", ".join(parts)


def _named(rates: Mapping[str, float]) -> str:
    """Return from where to where the rates of some variants go, and whose the ends are."""
    named = ((show.quoted(label, limit=40), rate) for label, rate in rates.items())
    return named_between(named, lambda rate: f"{show.rate(rate)}{_UNIT}")


def _caption(comparison: Comparison) -> str:
    # Of the others the goodput is seen.
    unknown = failed_too(v for v in comparison.variants if v.value(GOODPUT) is None)
    parts = [f"Requests answered per second{unknown}.", "Axis from zero."]
    if comparison.axis:
        parts.append(f"Names end with the {show.clean(comparison.axis, limit=40)}.")
    if against := _against(comparison):
        how = ", estimated over pairs of runs" if against.paired else ""
        how += ", with its interval" if any(e.interval for e in _effects(comparison)) else ""
        parts.append(f"Beside each, as far as there is room: its {against}{how}.")
    if any(_apart(variant) for variant in comparison.variants):
        parts.append("Open marks are goodput, where it differs: responses of status 200 to 399.")
    absent = [v.label for v in comparison.variants if v.value(GOODPUT) is None]
    if absent and len(absent) == len(comparison.variants):
        parts.append("Goodput cannot be told from this output.")
    elif absent:
        names = [show.quoted(label, limit=30) for label in absent]
        parts.append(f"Of {show.listed(names)} it is not known which responses failed.")
    if any(len(variant) > 1 for variant in comparison.variants):
        parts.append(f"Marks are medians, {_bars(comparison)}.")
    return " ".join(parts)


def _bars(comparison: Comparison) -> str:
    """Return what the bars below the marks are, and whose runs are too near for one."""
    samples = {v.label: v.sample(THROUGHPUT) for v in comparison.variants}
    several = {label: sample for label, sample in samples.items() if len(sample) > 1}
    top = max(_values(comparison), default=0.0)
    near = [label for label, sample in several.items() if not _has_bar(sample, top)]
    if len(near) == len(several):
        return "the runs too near for a bar"
    names = some([show.quoted(label, limit=40) for label in near])
    short = f", too short to be seen for {names}" if near else ""
    return f"the bars below them the range over runs{short}"


def _has_bar(sample: Sequence[float], top: float) -> bool:
    """Whether several runs are so far apart that their range is seen on an axis up to `top`."""
    return len(sample) > 1 and max(sample) - min(sample) > _SEEN * top


def _apart(variant: Variant) -> bool:
    """Whether goodput is a mark of its own."""
    good, every = variant.value(GOODPUT), variant.value(THROUGHPUT)
    return good is not None and (every is None or abs(good - every) > 0.001 * every)


def _values(comparison: Comparison) -> list[float]:
    """Return all throughputs and goodputs: what the axis holds."""
    samples = (v.sample(m) for v in comparison.variants for m in (THROUGHPUT, GOODPUT))
    return [value for sample in samples for value in sample]


def _rates(comparison: Comparison) -> Panel | None:
    values = _values(comparison)
    if not values:
        return None
    keys = _keys(comparison)
    top = max(values)
    marks = (_rate_marks(comparison, key, -float(row), top) for row, key in enumerate(keys))
    x, against = from_zero(values, "rate", room=0.34), _against(comparison)
    # What is beyond is for words.
    x = replace(x, end=top or x.high, ticks=tuple(tick for tick in x.ticks if tick[0] <= top))
    endings = against.endings if against else ()
    return Panel(
        # A mark at 0 is clear of the names.
        x=x if min(values) > 0 else replace(x, low=-_CLEAR * x.high),
        y=names_axis([key.short for key in keys]),
        series=tuple(series for each in marks for series in each),
        title=f"Throughput, req/s{endings[0] if endings else ''}",
        endings=endings,
    )


class _Against(NamedTuple):
    """What the changes beside the marks are, and against what; whether all are of pairs of runs."""

    change: str
    base: str
    paired: bool

    def __str__(self) -> str:
        return f"{self.change} {self.base}"

    @property
    def endings(self) -> tuple[str, ...]:
        """What a title says of it, from the longest words to the shortest."""
        whole = f", and its {self}{', paired' if self.paired else ''}"
        return whole, f", {self}", f", and {self.change.partition(' ')[0]}"


def _against(comparison: Comparison) -> _Against | None:
    """Return what the changes beside the marks are, None where there are none."""
    effects = _effects(comparison)
    bases = [base for e in effects if (base := comparison.by_label.get(e.baseline))]
    if not bases:
        return None
    texts = [comparison.change(THROUGHPUT, e.ratio, e.bounds) for e in effects if e.ratio]
    what = "ratio to" if all(text.endswith(show.TIMES) for text in texts) else "change against"
    return _Against(what, baselines(comparison, bases), all(effect.method for effect in effects))


def _effects(comparison: Comparison) -> list[Effect]:
    """Return the changes beside the marks."""
    known = (_effect(comparison, variant.label) for variant in comparison.variants)
    return [effect for effect in known if effect]


def _effect(comparison: Comparison, label: str) -> Effect | None:
    """Return the change of a variant, None where there is none or it cannot be compared."""
    effect = comparison.effect(label, THROUGHPUT.column)
    comparable = comparison.grade.comparable and comparison.grade_of(label).comparable
    return effect if effect and effect.ratio and comparable else None


def _keys(comparison: Comparison) -> list[Key]:
    keys = legend(comparison)
    return [keys[variant.label] for variant in comparison.variants]


def _rate_marks(comparison: Comparison, key: Key, y: float, top: float) -> list[Series]:
    variant, sample = key.variant, key.variant.sample(THROUGHPUT)
    every, good = variant.value(THROUGHPUT), variant.value(GOODPUT)
    marks: list[Series] = []
    if _has_bar(sample, top):
        reach, below = (min(sample), max(sample)), (y - 0.36, y - 0.36)
        marks.append(Series(*key.series, reach, below, line=2.5, faint=True, in_table=False))
    beside = ""
    if good is not None and _apart(variant):
        text = f"goodput {show.rate(good)}"
        beside = f", {text}"
        dot = Dot(good, (), f"{key.name}\n{text} req/s", filled=False)
        dot = dot if every is not None else dot._replace(stems="x", labels=(text,))
        marks.append(dot.series(key, y, size=10))
    if every is not None:
        effect = _effect(comparison, key.label)
        change = ""
        if effect:
            effects = _effects(comparison)
            # What is true of all stands above.
            how = effect.method if len({each.method for each in effects}) > 1 else ""
            change = f", {_change(comparison, effect)} {how}".rstrip()
        text = show.rate(every) + change + beside
        labels = (with_marks(text, comparison.footnotes.at_mark(key.label, THROUGHPUT.column)),)
        marks.append(Dot(every, labels, f"{key.name}\n{text}", stems="x").series(key, y, size=10))
    return marks


def _change(comparison: Comparison, effect: Effect) -> str:
    """Return a change with its interval, where it has one."""
    ratio, factors = effect.ratio or 1.0, THROUGHPUT.column in comparison.factors
    if not effect.interval:
        return comparison.change(THROUGHPUT, ratio)
    return show.change_with_interval(ratio, *effect.bounds, as_factor=factors)


def _latencies(comparison: Comparison) -> Panel | None:
    values = [variant.value(metric) for variant in comparison.variants for metric in (MEAN, _MAX)]
    if not any(values):
        return None
    keys = _keys(comparison)
    marks: list[Series] = []
    for row, key in enumerate(keys):
        dots = []
        for metric in (MEAN, _MAX):
            if value := key.variant.value(metric):
                text = comparison.written(metric, value)
                labels = (with_marks(text, comparison.footnotes.at_mark(key.label, metric.column)),)
                hover = f"{key.name}\n{metric.name} {text}"
                dots.append(Dot(value, labels, hover, filled=metric is MEAN))
        marks += span(key, -float(row), dots, size=10, label_at="above")
    return Panel(
        x=latency_axis(
            [value for value in values if value], room=0.1, unit=unit_of(comparison, MEAN, _MAX)
        ),
        y=names_axis([key.short for key in keys], above=0.9),
        series=tuple(marks),
        weight=_TALL / ROW,
        title="Latency: mean (filled) to max (open), log scale",
    )


def _table(comparison: Comparison, metrics: Sequence[Metric]) -> DataTable:
    variants = comparison.variants
    columns: list[TableColumn] = []
    for metric in metrics:
        values = [variant.value(metric) for variant in variants]
        if any(value is not None for value in values):
            samples = [
                () if value is None else variant.sample(metric)
                for variant, value in zip(variants, values, strict=True)
            ]
            heading, cells = metric_column(metric, values, variants)
            lower = f"{heading[0].lower()}{heading[1:]}"
            columns += [(heading, cells), *range_columns(f"{{}} {lower}", samples, metric.cells)]
        if metric is THROUGHPUT and (against := _against(comparison)):
            effects = (_effect(comparison, variant.label) for variant in variants)
            ratios = [(e.ratio or 1.0, e.bounds) if e else None for e in effects]
            columns += ratio_columns(f"{metric.title} ratio to {against.base}", ratios)
    return by_column("Variant", [variant.label for variant in variants], columns)
