"""What percentile figures show: the known quantiles of runs, and variant over baseline at each."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from benchkit import format as show
from benchkit.compare.design import pairs_of, ratio_over_pairs
from benchkit.figures import look
from benchkit.figures.chart import Axis, Note, Panel, Series
from benchkit.figures.exact import exact_quantiles, without_contradictions
from benchkit.figures.look import Key, legend, text_role
from benchkit.figures.marks import PlotArea, clear_in_all, end_names
from benchkit.figures.multiples import sparse
from benchkit.figures.scales import EQUAL, EQUAL_SHARE, percentile_x, ratio_axis
from benchkit.model.comparison import Comparison, Effect, key_effect
from benchkit.model.metric import METRICS
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.amounts import highest_carried

if TYPE_CHECKING:
    from benchkit.stats.interval import Interval

#: Where the line of a full distribution begins.
FIRST: Final = 0.05
_FEW: Final = 25  # points: each is seen


@dataclass(frozen=True, slots=True)
class QuantileCurve:
    """The known quantiles of one run, or of the median over the runs of a variant.

    Attributes:
        points: Latency in s by quantile, ascending, without minimum and maximum: each is one
            request, whose place on the axis says nothing about the others.
        computed: From single requests; else printed by the tool.
        requests: None where the tool does not say.
        max_s: The largest latency.
        step_s: In which the single requests were written; 0 where that is fine or not known.
        exact: The last percentile finer than that; 0 where none is.
        ends_exact: Whether it ends there, as what is beyond is coarse.
        carried: The highest quantile whose requests there are, 1 where no further one is known.
    """

    points: Mapping[float, float]
    computed: bool
    requests: int | None
    max_s: float | None
    step_s: float = 0.0
    exact: float = 0.0
    ends_exact: bool = False
    carried: float = 1.0

    @property
    def has_marks(self) -> bool:
        """Whether its values are printed, and few enough for a mark each."""
        return not self.computed and len(self.points) <= _FEW

    @property
    def drawable(self) -> bool:
        """Whether two of its points have a place on a log axis."""
        return sum(1 for latency in self.points.values() if latency > 0) > 1

    @property
    def line(self) -> Mapping[float, float]:
        """The points that a line goes through: of many those that have room on its axis.

        All below the first lie on less than a hundredth of it, where a fall or a rise is no shape.
        """
        if len(self.points) <= _FEW:
            return self.points
        return {q: s for q, s in self.points.items() if q >= FIRST}

    @property
    def max_x(self) -> float | None:
        """Where the maximum stands on the axis of percentiles: one request of all."""
        if not self.requests or self.requests < 2 or not self.max_s:
            return None
        return math.log10(self.requests)


@dataclass(frozen=True, slots=True)
class VariantCurves:
    """The curves of one variant: the median over its runs, and each of several runs."""

    key: Key
    median: QuantileCurve
    runs: tuple[QuantileCurve, ...]

    @property
    def by_run(self) -> Mapping[Run, QuantileCurve]:
        """The curve of each of several runs."""
        return dict(zip(self.key.variant.runs, self.runs, strict=True))


_COARSE: Final = 10  # steps: a latency of fewer is not drawn beside finer percentiles
#: What `_variant_curves` made of a variant, which is drawn against each baseline.
_MADE: Final[WeakKeyDictionary[Variant, tuple[QuantileCurve, tuple[QuantileCurve, ...]]]] = (
    WeakKeyDictionary()
)


def variant_curves(comparison: Comparison) -> list[VariantCurves]:
    """Return curves of the variants in input order, those without any quantile left out."""
    keys = legend(comparison)
    every = [_variant_curves(keys[label]) for label in comparison.order]
    return [curves for curves in every if curves.median.points]


def _variant_curves(key: Key) -> VariantCurves:
    if (known := _MADE.get(key.variant)) is not None:
        return VariantCurves(key, *known)
    curves = [_curve(run, key) for run in key.variant.runs]
    common = sorted(set.intersection(*(set(each.points) for each in curves)))
    counts = [each.requests for each in curves if each.requests is not None]
    largest = [each.max_s for each in curves if each.max_s is not None]
    median = QuantileCurve(
        points={q: statistics.median(each.points[q] for each in curves) for q in common},
        computed=all(each.computed for each in curves),
        requests=int(statistics.median_low(counts)) if counts else None,
        max_s=statistics.median(largest) if largest else None,
        step_s=max(each.step_s for each in curves),
        exact=min(each.exact for each in curves),
        ends_exact=any(each.ends_exact for each in curves),
        carried=min(each.carried for each in curves),
    )
    variant_curves = VariantCurves(key, median, tuple(curves) if len(curves) > 1 else ())
    _MADE[key.variant] = (median, variant_curves.runs)
    return variant_curves


def _curve(run: Run, key: Key) -> QuantileCurve:
    """Return the quantiles of one run: of all its requests where they are known."""
    requests, full = run.get("requests"), run.distribution
    step, resolution = run.request_step_s, run.number("resolution_s")
    # Printed quantiles may have smaller steps than the requests: ab's `-e` beside `-g`.
    if full is None or (run.quantiles and resolution and resolution < step):
        known = without_contradictions(run.by_quantile, step or resolution)
    else:
        known = _as_compared(run, run.curve)
    # What is known further into the tail rests on hardly any request, or on none.
    carried = highest_carried(run)
    below = min(1, key.variant.trusted_below, key.shown_below)
    trusted = [q for q in sorted(known) if 0 < q < below]
    every = [q for q in trusted if q <= carried]
    end = max(exact_quantiles(run), default=1.0)
    shown = [q for q in every if q <= end or known[q] >= _COARSE * step]
    return QuantileCurve(
        points={q: known[q] for q in shown},
        computed=full is not None,
        requests=requests,
        # Beyond percentiles that are withheld the largest of all says no more than they.
        max_s=run.number("latency_max_s") if below >= 1 else None,
        step_s=step,
        exact=end if end < 1 else 0.0,
        ends_exact=shown != every,
        carried=carried if shown == every != trusted else 1.0,
    )


def _as_compared(run: Run, curve: Mapping[float, float]) -> Mapping[float, float]:
    """Return a curve that goes through the quantiles that are compared.

    Counts in bins give a quantile only within a bin; what the tool printed of it may be finer.
    """
    compared = {q: run.number(column) for q, column in QUANTILE_COLUMNS.items()}
    fixed = {q: s for q, s in compared.items() if q in curve and s is not None}
    order = sorted(curve)
    below = accumulate((fixed.get(q, 0.0) for q in order), max)
    above = [*accumulate((fixed.get(q, math.inf) for q in reversed(order)), min)][::-1]
    bounds = zip(order, below, above, strict=True)
    return {q: min(max(fixed.get(q, curve[q]), low), high) for q, low, high in bounds}


# --- variant over baseline ---

RATIO_PANEL: Final = "ratio"
_ESTIMATE, _MEDIAN = 4.0, 6.0  # px: the dot of an estimate, on a thicker line that of a median
_TICKS_APART: Final = 0.11  # of the axis
_NOTE: Final = 0.16  # of the axis: more room for a text above or below a line
_APART: Final = 0.011  # of the axis: between the bars of two variants at a percentile
_FOOT: Final = 1.0  # px: from a mark to its bar
_SLIM, _WIDE = 2.0, 7.0  # px: a bar, one of a single variant
_CLEAR: Final = 3  # times that, at least: between the bars of two percentiles
_WEIGHTIEST: Final = (0.99, 0.5, 0.9)  # their bars are kept first
_EQUAL: Final = 0.005  # a smaller difference is none worth a number


@dataclass(frozen=True, slots=True)
class PercentileRatio:
    """Variant over baseline at one percentile.

    Attributes:
        ratio: Of the medians drawn, or over pairs of runs: the effect's where there is one.
        effect: None at a percentile that is not compared.
    """

    ratio: float
    effect: Effect | None = None

    @property
    def differs(self) -> bool:
        """Whether it is worth a number."""
        return abs(self.ratio - 1) >= _EQUAL

    @property
    def interval(self) -> Interval | None:
        """That of the effect, None without one that a log scale can show."""
        known = self.effect.interval if self.effect else None
        return known if known and known.low > 0 else None

    @property
    def bounds(self) -> tuple[float, ...]:
        """The ends of its interval, none without one."""
        return self.interval[:2] if self.interval else ()


#: By variant and quantile.
Ratios = Mapping[Key, Mapping[float, PercentileRatio]]


def ratios_of(comparison: Comparison, curves: Sequence[VariantCurves]) -> Ratios:
    """Return the ratios of each variant that is compared with the baseline, none of a sweep."""
    if comparison.axis:
        return {}
    by_label = {each.key.label: each for each in curves}
    first = by_label.get(comparison.baseline)
    if first is None or len(curves) >= look.CROWD or not comparison.grade.comparable:
        return {}
    every = {}
    for label, variant in by_label.items():
        if variant is first or not comparison.grade_of(label).comparable:
            continue
        if comparison.against(label) in {None, comparison.baseline}:
            every[variant.key] = _ratios(comparison, first, variant)
    return {key: ratios for key, ratios in every.items() if len(ratios) > 1}


def _ratios(
    comparison: Comparison, base: VariantCurves, variant: VariantCurves
) -> Mapping[float, PercentileRatio]:
    """Return the ratios at all common percentiles, each estimated as the effects are.

    Where any has an interval they end with the last: beyond, nothing says how sure they are.
    """
    known = {q: comparison.effect(variant.key.label, c) for q, c in QUANTILE_COLUMNS.items()}
    effects = {q: effect for q, effect in known.items() if effect and effect.ratio}
    paired = any(effect.estimate for effect in effects.values())
    pairs = _pairs(base, variant) if paired else []
    ratios = {}
    for quantile, latency in variant.median.line.items():
        before, effect = base.median.points.get(quantile), effects.get(quantile)
        if effect and effect.ratio and bool(effect.estimate) == paired:
            ratios[quantile] = PercentileRatio(effect.ratio, effect)
        elif before and latency > 0:
            values = [(first.points[quantile], second.points[quantile]) for first, second in pairs]
            ratio = ratio_over_pairs(values) if paired else latency / before
            if ratio:
                ratios[quantile] = PercentileRatio(ratio)
    last = max((q for q, at in ratios.items() if at.interval), default=1.0)
    return {q: at for q, at in ratios.items() if q <= last}


def _pairs(
    base: VariantCurves, variant: VariantCurves
) -> Sequence[tuple[QuantileCurve, QuantileCurve]]:
    first, second = base.by_run, variant.by_run
    return [(first[before], second[after]) for before, after in pairs_of([*first], [*second])]


def strip(
    comparison: Comparison, ratios: Ratios, upper: Panel, *, weight: float, height: float
) -> Panel:
    """Return the panel below the curves, so many px high: stems from 1×, lines of several."""
    series = _ratio_lines(comparison, ratios)
    step, asides, slim = _step(upper.x), _asides(len(ratios)), len(ratios) > 1
    kept = barred(ratios, upper.x)
    bars = [
        bar
        for aside, (key, each) in zip(asides, ratios.items(), strict=True)
        for bar in _intervals(key, each, kept, aside=aside * step, slim=slim)
    ]
    changes = leading(comparison, ratios)
    whose = (sharing(comparison, ratios, change) for change in changes)
    roles = ["text" if len(keys) > 1 else text_role(keys[0].role) for keys in whose]
    coloured = [*zip(changes, roles, strict=True)]
    values = [y for s in (*bars, *series) for y in s.ys]
    y = _with_space(ratio_axis(values, as_factors=_in_factors(comparison)), changes)
    lines = (_equal(upper.x, series), *series, *bars)
    drawn, areas = [s.points for s in lines], PlotArea.of_all_widths(upper.x, y, height)
    names, words = _line_names(ratios, upper.x, y, height=height), _callouts(coloured)
    paired = [
        key.short
        for key, each in ratios.items()
        if any(at.effect and at.effect.estimate for at in each.values())
    ]
    owners = "" if len(paired) == len(ratios) else f" of {show.listed(paired)}"
    how = f",{owners} over pairs of runs" if paired else ""
    base = show.quoted(legend(comparison)[comparison.baseline].short)
    return Panel(
        x=upper.x,
        y=y,
        series=lines,
        notes=(*names, *clear_in_all(words, drawn, areas, names=names)),
        title=f"Latency over that of {base}, log scale{how}",
        name=RATIO_PANEL,
        weight=weight,
        unmeasured=upper.unmeasured,
        ends_at_gap=True,
    )


def _line_names(ratios: Ratios, x: Axis, y: Axis, *, height: float) -> tuple[Note, ...]:
    """Return the names of several lines at their ends; one below another where maxima are beside.

    There is nothing of the ratios there: it is room for names.
    """
    if len(ratios) < 2:
        return ()
    last = {key: [*each.items()][-1] for key, each in ratios.items()}
    column = max(percentile_x(quantile) for quantile, _ in last.values()) if x.gap else None
    bars = reach(len(ratios), x) if with_interval(ratios) else 0
    ends = [key.end((column or percentile_x(q)) + bars, at.ratio) for key, (q, at) in last.items()]
    return end_names(ends, y, height=height)


def with_interval(ratios: Ratios) -> list[float]:
    """Return the quantiles at which any ratio has an interval that can be drawn."""
    return sorted({q for each in ratios.values() for q, at in each.items() if at.interval})


def barred(ratios: Ratios, x: Axis) -> list[float]:
    """Return the quantiles at which all ratios with an interval have a bar."""
    return with_room(with_interval(ratios), len(ratios), x)


def with_room(quantiles: Sequence[float], count: int, x: Axis) -> list[float]:
    """Return at which quantiles so many variants have a bar each that stands apart from others'.

    Bars of several variants need a width. All is a share of the axis, so that what is apart is so
    on a small screen too.
    """
    if count < 2:
        return [*quantiles]
    asides = _asides(count)
    least = (max(asides) - min(asides) + _CLEAR) * _step(x)
    kept: list[float] = []
    for quantile in sorted(quantiles, key=lambda q: (*(q != each for each in _WEIGHTIEST), q)):
        if all(abs(percentile_x(quantile) - percentile_x(other)) >= least for other in kept):
            kept.append(quantile)
    return sorted(kept)


def ranged(curves: Sequence[VariantCurves], x: Axis) -> list[float]:
    """Return the quantiles at which the runs' range of each variant is a bar.

    Those are the compared ones that all have, and the last where they all end.
    """
    common = sorted(set.intersection(*(set(each.median.points) for each in curves)))
    compared = [q for q in common if q in QUANTILE_COLUMNS]
    return with_room(sorted({*compared, *common[-1:]}), len(curves), x)


def ranges(curves: Sequence[VariantCurves], x: Axis) -> list[Series]:
    """Return at each quantile of `ranged` bars from the lowest to the highest of the runs.

    They stand beside each other, around dots where the lines have these quantiles.
    """
    kept, marks = ranged(curves, x), []
    for aside, variant in zip(_asides(len(curves)), curves, strict=True):
        dots = []
        for quantile in kept if variant.runs else ():
            known = [run.points[quantile] for run in variant.runs]
            if min(known) > 0:
                at = percentile_x(quantile)
                if not variant.median.has_marks:
                    dots.append((at, variant.median.points[quantile]))
                mark = (at, variant.median.points[quantile])
                beside = at + aside * _step(x)
                ends = min(known), max(known)
                marks += [_foot(variant.key, mark, beside, *ends)] if aside else []
                marks.append(_bar(variant.key, beside, *ends, slim=True))
        marks += _dots(variant.key, dots, size=_MEDIAN)
    return marks


def _dots(key: Key, points: Sequence[tuple[float, float]], *, size: float) -> list[Series]:
    """Return marks on a line, beside which bars stand."""
    if not points:
        return []
    xs, ys = zip(*points, strict=True)
    return [Series(*key.series, xs, ys, marker=size, in_table=False)]


def _bar(key: Key, x: float, low: float, high: float, *, slim: bool) -> Series:
    line = _SLIM if slim else _WIDE
    if low == high:  # as long as it is wide: of no length it is not seen
        return Series(*key.series, (x,), (low,), marker=line, faint=not slim, in_table=False)
    return Series(*key.series, (x, x), (low, high), line=line, faint=not slim, in_table=False)


def _foot(key: Key, mark: tuple[float, float], x: float, low: float, high: float) -> Series:
    """Return a line from a mark to the bar beside it: where lines rise steeply none is near."""
    start, level = mark
    xs, ys = (start, x), (level, min(max(level, low), high))
    return Series(*key.series, xs, ys, line=_FOOT, in_table=False)


def _step(x: Axis) -> float:
    """Return how far the bars of two variants at a percentile are from each other."""
    return _APART * (x.last - x.low)


def reach(count: int, x: Axis) -> float:
    """Return how far beyond a percentile the last of so many bars stands, as a part of an axis."""
    return max(_asides(count)) * _step(x)


def _asides(count: int) -> list[int]:
    """Return on which side of a percentile so many bars stand, and how far; of several none on it.

    There the dots are.
    """
    if count < 2:
        return [0] * count
    return [n for n in range(-(count // 2), count - count // 2 + 1) if n]


def _ratio_lines(comparison: Comparison, ratios: Ratios) -> list[Series]:
    """Return the ratios of each variant: a line, or stems of a single one with few percentiles."""
    stems = len(ratios) == 1 and all(len(each) <= 25 for each in ratios.values())
    return [
        Series(
            *key.series,
            tuple(percentile_x(q) for q in each),
            tuple(at.ratio for at in each.values()),
            line=0 if stems else 2,
            marker=8 if stems else 0,
            stems="y" if stems else "",
            stem_from=1.0,
            hover=tuple(_hover(comparison, key, q, at) for q, at in each.items()),
            in_table=False,
        )
        for key, each in ratios.items()
    ]


def _with_space(axis: Axis, changes: Sequence[Change]) -> Axis:
    """Return the axis of ratios with few ticks, and with room for the texts at the changes."""
    space = (axis.high / axis.low) ** _NOTE
    high = axis.high * space if any(change.ratio > 1 for change in changes) else axis.high
    low = axis.low / space if any(change.ratio < 1 for change in changes) else axis.low
    axis = replace(axis, low=low, high=high)
    return sparse(axis, weightiest=(EQUAL, EQUAL_SHARE), least=_TICKS_APART)


def _equal(x: Axis, lines: Sequence[Series]) -> Series:
    """Return the line of no change, as far as any other goes where names stand behind these."""
    start, end = x.stretches[0]
    end = max(max(line.xs) for line in lines) if len(lines) > 1 else end
    return Series(EQUAL, "muted", (start, end), (1.0, 1.0), line=1.0, in_table=False)


def _intervals(
    key: Key,
    ratios: Mapping[float, PercentileRatio],
    kept: Collection[float],
    *,
    aside: float,
    slim: bool,
) -> list[Series]:
    """Return a bar at each percentile of `kept` of which an interval is known.

    Those of several variants stand beside each other, `aside` is how far from the percentile; a
    dot on the line is where that is.
    """
    known = [
        (percentile_x(q), at.ratio, interval)
        for q, at in ratios.items()
        if q in kept and (interval := at.interval)
    ]
    bars = [_bar(key, x + aside, each.low, each.high, slim=slim) for x, _, each in known]
    dots = [(x, ratio) for x, ratio, _ in known] if slim else []
    feet = [
        _foot(key, (x, ratio), x + aside, each.low, each.high) for x, ratio, each in known if aside
    ]
    return [*feet, *bars, *_dots(key, dots, size=_ESTIMATE)]


def _hover(comparison: Comparison, key: Key, quantile: float, at: PercentileRatio) -> str:
    if at.effect is None:
        text = show.change(at.ratio, as_factor=_in_factors(comparison))
    elif at.effect.interval is None:
        text = comparison.change(at.effect.metric, at.ratio, at.effect.bounds)
    else:
        factors = at.effect.metric.column in comparison.factors
        low, high = at.effect.interval[:2]
        text = show.change_with_interval(at.ratio, low, high, as_factor=factors)
    return f"{key.name}\n{show.percentile(quantile)}: {text}"


def _in_factors(comparison: Comparison) -> bool:
    """Whether the change of any percentile is written as a factor: an axis has one notation."""
    return any(metric.is_percentile and metric.column in comparison.factors for metric in METRICS)


class Change(NamedTuple):
    """A change that a figure names: of a percentile that the comparison looks at.

    Attributes:
        text: The percentile and its change, as in the table of the comparison.
    """

    key: Key
    effect: Effect
    ratio: float
    text: str

    @property
    def size(self) -> float:
        """How far from equal it is, whatever its direction."""
        return abs(math.log(self.ratio))


def leading(comparison: Comparison, ratios: Ratios) -> list[Change]:
    """Return the largest of the changes that the answers for the variants are about.

    Nothing where no variant has one, or nothing may be said. Where a curve crosses that of the
    baseline, the largest change the other way is with it, in the order of the percentiles.
    """
    every = _answers(comparison, ratios)
    if not every:
        return []
    first = max(every, key=lambda each: each.size)
    other = _opposite(comparison, ratios, first)
    return sorted([first, other] if other else [first], key=lambda each: _quantile(each.effect))


def sharing(comparison: Comparison, ratios: Ratios, change: Change) -> list[Key]:
    """Return whose change it is, and whose answers are about one that reads the same."""
    every = [each.key for each in _answers(comparison, ratios) if each.text == change.text]
    return every if change.key in every else [change.key]


def _answers(comparison: Comparison, ratios: Ratios) -> list[Change]:
    """Return the change that the answer for each variant is about, where it has one.

    Of a variant that was tested it needs a verdict; of a copy there is none.
    """
    every = []
    for key, own in ratios.items():
        effect = key_effect(at.effect for at in own.values() if at.effect)
        if effect is None or not effect.ratio or not _telling(comparison, key):
            continue
        tested = comparison.grade_of(key.label).tested
        if effect.verdict in {"faster", "slower"} or not tested:
            every.append(_change(comparison, key, effect, effect.ratio))
    return every


def untested(comparison: Comparison, ratios: Ratios, first: Change) -> Change | None:
    """Return the largest change the other way of a tested variant that nobody tested.

    Its interval says so, and of no change of the variant that way a test was made.
    """
    return _largest(
        first,
        (
            (known, opposite)
            for key in ratios
            if comparison.grade_of(key.label).tested
            for known, opposite in [_both_ways(comparison, ratios, key, first)]
            if not any(change.effect.tested for change in opposite)
        ),
    )


def _opposite(comparison: Comparison, ratios: Ratios, first: Change) -> Change | None:
    """Return the largest change the other way of a variant whose changes go both ways.

    Of a variant that was tested only those count that were.
    """
    return _largest(
        first,
        (
            _both_ways(comparison, ratios, key, first, tested=comparison.grade_of(key.label).tested)
            for key in ratios
        ),
    )


def _both_ways(
    comparison: Comparison, ratios: Ratios, key: Key, first: Change, *, tested: bool = False
) -> tuple[list[Change], list[Change]]:
    """Return the changes of a variant of which intervals tell, and those against the first.

    Nothing of one of which nothing may be said; with `tested` only those of tests.
    """
    if not _telling(comparison, key):
        return [], []
    each = (at.effect for at in ratios[key].values())
    effects = [e for e in each if e and not e.crosses and e.tested >= tested]
    known = [_change(comparison, key, e, e.ratio) for e in effects if e.ratio]
    return known, [each for each in known if (each.ratio > 1) != (first.ratio > 1)]


def _largest(first: Change, changes: Iterable[tuple[list[Change], list[Change]]]) -> Change | None:
    """Return the largest of the opposite changes of those that have others, too.

    The variant of the first change comes before others.
    """
    every = [
        max(opposite, key=lambda each: each.size)
        for known, opposite in changes
        if 0 < len(opposite) < len(known)
    ]
    return max(every, key=lambda each: (each.key == first.key, each.size), default=None)


def _telling(comparison: Comparison, key: Key) -> bool:
    """Whether changes of a variant may be named."""
    return comparison.grade_of(key.label).telling and not key.variant.is_copy


def _change(comparison: Comparison, key: Key, effect: Effect, ratio: float) -> Change:
    text = comparison.change(effect.metric, ratio, effect.bounds)
    return Change(key, effect, ratio, f"{effect.metric.title}{show.NBSP}{text}")


def _quantile(effect: Effect) -> float:
    return effect.metric.quantile or 0.0


def _callouts(changes: Sequence[tuple[Change, str]]) -> list[Note]:
    """Return changes at their marks, each of a role."""
    return [
        Note(percentile_x(_quantile(c.effect)), c.ratio, c.text, role=role) for c, role in changes
    ]
