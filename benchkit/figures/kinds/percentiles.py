"""Latency by percentile: where in the distribution do variants differ, and by how much?

Both axes are logarithmic; a percentile stands at -log10(1-q). Markers are printed values, and
lines only connect them; curves of single requests are lines. Nothing is drawn beyond what the
requests carry; maxima stand alone, behind lines of all requests beyond a gap of the axis.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures import look, multiples
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.curves import (
    RATIO_PANEL,
    QuantileCurve,
    Ratios,
    VariantCurves,
    barred,
    ranges,
    ratios_of,
    reach,
    strip,
    variant_curves,
)
from benchkit.figures.kinds.percentile_words import (
    MOST_LINES,
    caption,
    caption_of_ratios,
    has_ranges,
    highest,
    label,
    title,
)
from benchkit.figures.look import Key, legend
from benchkit.figures.marks import RANGE, WIDTH, apart, end_names, with_room
from benchkit.figures.panels import Shows, any_panel
from benchkit.figures.scales import latency_axis, percentile_axis, percentile_x, thinned
from benchkit.figures.tables import by_column, range_columns, ratio_columns
from benchkit.figures.words import highest_first, marked_name
from benchkit.model.comparison import Comparison
from benchkit.model.metric import MAX, Metric, percentile
from benchkit.names import with_marks

_HEIGHT = 500
_ALONE = 370
_EDGE = 0.02  # of the axis, beyond the last mark
_NEAR = 1.0  # decades between the end of a line and its maximum
#: Of the axis: between the last percentile, its end and the column of the maxima; of two maxima.
_GAP, _BESIDE = 0.05, 0.05
_MARK: Final = 16  # px: maxima that are nearer stand beside each other
_UPPER, _STRIP = 0.66, 0.34
_MOST_MAXIMA: Final = 4  # with their values
_P99: Final = 0.99
#: How much more than the panels in the middle an axis of all may span.
_FILLED: Final = 1.6
#: A span by so much longer is no reason to cut off a line.
_LITTLE: Final = 1.3
_TICKS_APART: Final = 0.14  # of an axis of percentiles
_LATENCY_PANEL: Final = "latency"
_LATENCY: Final = "Latency, log scale"
_SCALES: Final = "Latency axes have limits of their own; all span the same factor."


def percentiles(comparison: Comparison, *, shows: Shows = any_panel) -> Chart | None:
    """Return the figure, None where no variant has two percentiles to draw."""
    curves = variant_curves(comparison)
    if not any(variant.median.drawable for variant in curves):
        return None
    beside_each_other = bool(comparison.axis) or len(curves) >= multiples.FROM
    medians = [replace(variant, runs=()) for variant in curves]
    if len(curves) >= look.CROWD and not beside_each_other:
        curves = medians
    ratios = ratios_of(comparison, curves)  # none of so many
    drawn = (medians, {}) if beside_each_other else (curves, ratios)
    chart = Chart(
        title=title(comparison, curves, ratios),
        caption="",
        label=label(comparison, curves),
        panels=(),
        table=_table(comparison, *drawn),
        height=_HEIGHT if ratios else _ALONE,
    )
    if beside_each_other:
        words = caption(comparison, curves, ratios)
        return _beside_each_other(replace(chart, caption=words), comparison, curves)
    height = _HEIGHT * _UPPER * 0.9 if ratios else _ALONE * 0.85
    panels = [_upper(comparison, curves, height=height)]
    if ratios:
        below = _HEIGHT * _STRIP * 0.8
        panels.append(strip(comparison, ratios, panels[0], weight=_STRIP, height=below))
        x = _lined(panels[0].x, ratios)
        panels = [replace(panel, x=x) for panel in panels]
        if shows(RATIO_PANEL) and not shows(_LATENCY_PANEL):
            words = caption_of_ratios(comparison, ratios, x)
            return replace(chart, caption=words, panels=tuple(panels))
        if shows(RATIO_PANEL):
            panels = [_with_word_of_column(panels[0]), *panels[1:]]
        else:
            ratios = {}
    words = caption(comparison, curves, ratios, panels[0].x)
    return replace(chart, caption=words, panels=tuple(panels))


def _with_word_of_column(panel: Panel) -> Panel:
    """Return a panel with what its column of maxima is, where another stands below it.

    The ticks are below that one, which has no such column.
    """
    gap = panel.x.gap
    if gap is None:
        return panel
    column = [(at, word) for at, word in panel.x.ticks if at > gap[1]]
    words = [Note(at, panel.y.low, word, align="center", dy=-10) for at, word in column]
    return replace(panel, notes=(*panel.notes, *words))


def _lined(x: Axis, ratios: Ratios) -> Axis:
    """Return an axis with a line at each percentile that has a word or an interval."""
    places = map(percentile_x, barred(ratios, x))
    return replace(x, lines=tuple(sorted({*places, *(at for at, _ in x.ticks)})))


def _beside_each_other(
    chart: Chart, comparison: Comparison, curves: Sequence[VariantCurves]
) -> Chart:
    """Return the figure with a panel per variant, of too many for one or of several levels.

    The levels of a variant have one colour: in one panel their lines are not told apart.
    """
    drawable = [variant for variant in curves if variant.median.drawable]
    start, last, _ = _extent(drawable)
    x = percentile_axis(start, last + 0.04 * (last - start), last=last)
    x = multiples.sparse(x, weightiest=("p50", "p99"), least=_TICKS_APART)
    hovers = {v.key: _hovers([v]) for v in drawable}
    lines = {v.key: _line(v.key, v.median, hovers=hovers[v.key]) for v in drawable}
    tail = highest(curves) or _P99
    tails = {v.key: s for v in drawable if (s := v.median.points.get(tail))}
    metric = percentile(tail)
    texts = {key: f"{metric.name} {comparison.written(metric, s)}" for key, s in tails.items()}
    if comparison.axis:
        # Levels are far apart, and a variant is compared with the baseline at its own.
        whole = latency_axis(
            [s for line in lines.values() for s in line.ys], unit=comparison.unit(metric)
        )
        own = {v.key: [*_range(v), lines[v.key]] for v in drawable}
        chart = replace(chart, caption=f"{chart.caption} {_SCALES}")
        return multiples.beside_each_other(
            chart,
            comparison,
            own,
            (x, whole),
            texts,
            pairs={key: _pair(key, comparison, tails, metric) for key in tails},
            rows=partial(_alike_axes, unit=comparison.unit(metric)),
        )
    bases = {comparison.against(label) for label in comparison.by_label}
    span, unit = _common_span(lines, bases - {None}), comparison.unit(metric)
    y = latency_axis(span, most=multiples.TICKS, unit=unit, title=_LATENCY)
    cut = {key: multiples.within(line, y) for key, line in lines.items()}
    leaving = [key for key, line in lines.items() if line != cut[key]]
    texts |= {
        key: ", ".join(filter(None, (texts.get(key), _beyond(lines[key], y)))) for key in leaving
    }
    own = {key: [line] if line else [] for key, line in cut.items()}
    return multiples.beside_each_other(chart, comparison, own, (x, y), texts)


def _pair(
    key: Key, comparison: Comparison, tails: Mapping[Key, float], metric: Metric
) -> tuple[str, ...]:
    """Return what a panel tells of a variant and of its baseline, from the longest words on.

    Each has its name, or else the higher comes first, as its line does.
    """
    base = comparison.against(key.label)
    sides = [key, *(other for other in tails if other.label == base)]
    write = partial(comparison.written, metric)
    named = (f"{write(tails[s])} ({show.clean(s.variant.name, limit=40)})" for s in sides)
    both = highest_first([tails[side] for side in sides], write)
    return tuple(f"{metric.name} {text}" for text in (", ".join(named), both))


def _beyond(line: Series, y: Axis) -> str:
    """Return on which sides a line leaves an axis."""
    sides = {"below": min(line.ys) < y.low, "above": max(line.ys) > y.high}
    return f"{show.listed([side for side, leaves in sides.items() if leaves])} the axis"


def _alike_axes(rows: Sequence[Sequence[Series]], *, unit: show.Unit | None) -> list[Axis]:
    """Return an axis around the lines of each row, of as many decades as any needs."""
    ends = [
        [math.log10(s) for each in row for s in (*each.ys, *each.low, *each.high)] for row in rows
    ]
    half = max(max(each) - min(each) for each in ends) / 2
    middles = [(max(each) + min(each)) / 2 for each in ends]
    return [
        latency_axis(
            [10 ** (at - half), 10 ** (at + half)], most=multiples.TICKS, unit=unit, title=_LATENCY
        )
        for at in middles
    ]


def _common_span(lines: Mapping[Key, Series], bases: Collection[str | None]) -> list[float]:
    """Return the latencies of the lines that fill most panels, with the baselines in each.

    Where all together span far more than most of them do, the outermost leave the axis; where
    the others would span little less, they stay.
    """
    spans = {key: (math.log(min(line.ys)), math.log(max(line.ys))) for key, line in lines.items()}
    fixed = [span for key, span in spans.items() if key.label in bases] or [*spans.values()]
    low, high = min(s for s, _ in fixed), max(s for _, s in fixed)
    panels = sorted((min(low, a), max(high, b)) for a, b in spans.values())
    most = _FILLED * statistics.median(b - a for a, b in panels)
    kept = [(a, b) for a, b in panels if b - a <= most]
    whole, less = (max(b for _, b in each) - min(a for a, _ in each) for each in (panels, kept))
    return [
        math.exp(edge) for a, b in (panels if whole <= _LITTLE * less else kept) for edge in (a, b)
    ]


def _extent(curves: Sequence[VariantCurves]) -> tuple[float, float, float]:
    """Return the left end, the last known percentile and the right end, as places."""
    # Of more runs a band is drawn, which is as long as the median.
    lines = ((v.median, *(v.runs if len(v.runs) <= MOST_LINES else ())) for v in curves)
    drawn = (each for own in lines for each in own)
    known = [percentile_x(q) for each in drawn for q in each.line]
    first, last = min(known), max(known)
    right = max([last, *(x for v in curves if (x := v.median.max_x) is not None)])
    start = 0.0 if first < 0.15 else first - 0.06 * (last - first)
    return start, last, right


def _upper(comparison: Comparison, curves: Sequence[VariantCurves], *, height: float) -> Panel:
    _, last, right = _extent(curves)
    computed = any(variant.median.computed for variant in curves)
    gap = last if right > last + 0.5 and not computed else None
    # Where any maximum is near the end of its line, all names stand in a column behind the last.
    near = any(_is_near(variant.median) for variant in curves)
    names = [marked_name(comparison, key) for key in legend(comparison).values()]
    values = [s for v in curves for each in (v.median, *v.runs) for s in each.line.values()]
    values += [v.median.max_s or 0 for v in curves]
    y = latency_axis(values, unit=_unit(comparison, curves))
    groups = _touching(curves, y, height=height)
    x, column = _places(
        curves, names, gap=bool(gap), near=near, beside=max(map(len, groups), default=1)
    )
    listed = [v for v in curves if _end(v.median)[1] > 0]
    bars = reach(len(curves), x) if has_ranges(curves) else 0
    beyond = x.last if near or column else None
    ends = [
        _named_end(v, marked_name(comparison, v.key), beyond=beyond, column=column, bars=bars)
        for v in listed
    ]
    notes = [*end_names(ends, y, height=height)]
    if gap and not near:
        notes += _max_notes(comparison, curves, y, height=height)
    if gap:
        named = show.percentile(max(q for variant in curves for q in variant.median.points))
        why = show.WITHHELD if any(v.median.carried < 1 for v in curves) else show.NOT_PRINTED
        text = f"{named} to max: {why}"
        notes.append(Note(x.last, y.low, text, align="right", dx=-8, dy=-9))
    return Panel(
        x=x,
        y=y,
        series=tuple(_series(curves, x, _column(groups, column, step=_BESIDE * (last - x.low)))),
        notes=tuple(notes),
        weight=_UPPER,
        title=_LATENCY,
        name=_LATENCY_PANEL,
        unmeasured=gap,
    )


def _named_end(
    variant: VariantCurves,
    name: str,
    *,
    beyond: float | None,
    column: float | None,
    bars: float,
) -> Note:
    """Return the name at the end of a line, or beside its maximum in a column of them.

    `beyond` is where the names stand behind the marks, None where each ends its line, which has
    bars that go so far beyond it.
    """
    x, latency = _end(variant.median)
    latency = (variant.median.max_s if column else None) or latency
    return variant.key.end(x + bars if beyond is None else beyond, latency, name)


def _places(
    curves: Sequence[VariantCurves], names: Sequence[str], *, gap: bool, near: bool, beside: int
) -> tuple[Axis, float | None]:
    """Return the axis of the percentiles, with room for some names, and where maxima stand.

    That is a column behind a gap where the lines show all requests, with room for so many beside
    each other; None where each has its own place.
    """
    start, last, right = _extent(curves)
    if not gap and any(variant.median.max_x for variant in curves):
        edge, half = _GAP * (last - start), _BESIDE * (last - start) * (beside + 1) / 2
        column = last + 2 * edge + half
        x = percentile_axis(start, column + half, last=last)
        x = replace(x, ticks=(*x.ticks, (column, MAX.name)), gap=(last + edge, column - half))
        return thinned(with_room(x, names), WIDTH), column
    x = percentile_axis(start, right + (0 if gap else _EDGE * (right - start)), last=last)
    if gap and not near:
        x = replace(x, high=start + 1.07 * (right - start), end=right)
    else:
        x = with_room(x, names)
    return thinned(x, WIDTH), None


def _unit(comparison: Comparison, curves: Sequence[VariantCurves]) -> show.Unit | None:
    """Return the unit of the highest percentile that all variants have, as it is compared."""
    quantile = highest(curves)
    return comparison.unit(percentile(quantile)) if quantile else None


def _touching(curves: Sequence[VariantCurves], y: Axis, *, height: float) -> list[list[Key]]:
    """Return the variants with a maximum, together whose marks would touch in a column."""
    known = {v.key: y.share(s) * height for v in curves if (s := v.median.max_s)}
    groups: list[list[Key]] = []
    for key in sorted(known, key=lambda key: known[key]):
        if groups and known[key] - known[groups[-1][-1]] < _MARK:
            groups[-1].append(key)
        else:
            groups.append([key])
    return groups


def _column(
    groups: Sequence[Sequence[Key]], column: float | None, *, step: float
) -> Mapping[Key, float]:
    """Return where the maxima stand in their column, those of a group so far from each other."""
    if column is None:
        return {}
    return {
        key: column + (n - (len(group) - 1) / 2) * step
        for group in groups
        for n, key in enumerate(group)
    }


def _series(curves: Sequence[VariantCurves], x: Axis, columns: Mapping[Key, float]) -> list[Series]:
    """Return the lines, from behind, and the maxima in a column or where each is."""
    context, lines, maxima = [], [], []
    bars = ranges(curves, x) if has_ranges(curves) else []
    behind = [] if bars else [s for v in curves for s in _around(v)]
    hovers = _hovers(curves)
    for variant in curves:
        line = _line(variant.key, variant.median, hovers=hovers)
        if variant.key.coloured:
            lines.append(line)
            maxima += _maximum(variant, columns.get(variant.key))
        else:
            context.append(line)
    return [*behind, *context, *lines, *bars, *maxima]


def _around(variant: VariantCurves) -> list[Series]:
    """Return the lines of few runs, the range of more."""
    few = variant.runs if len(variant.runs) <= MOST_LINES else ()
    return _range(variant) or [_line(variant.key, run, faint=True) for run in few]


def _range(variant: VariantCurves) -> list[Series]:
    """Return the range of many runs."""
    return [_envelope(variant)] if len(variant.runs) > MOST_LINES else []


def _maximum(variant: VariantCurves, column: float | None) -> list[Series]:
    x, largest = variant.median.max_x, variant.median.max_s
    if x is None or largest is None:
        return []
    x = x if column is None else column
    where = f"one request of {variant.median.requests:,}"
    where = "median of the slowest of each run" if len(variant.runs) > 1 else where
    text = f"{variant.key.name}\nmax {show.duration(largest)}, {where}"
    return [Series(*variant.key.series, (x,), (largest,), marker=9, filled=False, hover=(text,))]


def _envelope(variant: VariantCurves) -> Series:
    drawn = {q: s for q, s in variant.median.line.items() if s > 0}
    spans = {q: [run.points[q] for run in variant.runs] for q in drawn}
    known = [q for q, span in spans.items() if min(span) > 0]
    return Series(
        *variant.key.series,
        tuple(percentile_x(q) for q in known),
        tuple(drawn[q] for q in known),
        low=tuple(min(spans[q]) for q in known),
        high=tuple(max(spans[q]) for q in known),
        band=RANGE,
        in_table=False,
    )


def _line(
    key: Key,
    curve: QuantileCurve,
    *,
    faint: bool = False,
    hovers: Mapping[float, str] | None = None,
) -> Series:
    points = {q: latency for q, latency in curve.line.items() if latency > 0}
    marked = curve.has_marks and not faint
    return Series(
        *key.series,
        tuple(percentile_x(q) for q in points),
        tuple(points.values()),
        line=2.5 if key.coloured and not faint else 1.0,
        marker=(8 if key.coloured else 5) if marked else 0,
        faint=faint,
        hover=tuple(hovers[q] for q in points) if hovers else (),
        in_table=not faint,
    )


def _hovers(curves: Sequence[VariantCurves]) -> dict[float, str]:
    quantiles = {q for variant in curves for q in variant.median.points}
    shown = curves if len(curves) < look.CROWD else curves[:10]
    names = [(variant.key.name, variant.median.points) for variant in shown]
    lines = {}
    for q in quantiles:
        known = [(name, points[q]) for name, points in names if q in points]
        write = show.durations(latency for _, latency in known)
        lines[q] = [f"{name}: {write(latency)}" for name, latency in known]
    return {q: "\n".join([show.percentile(q), *each]) for q, each in lines.items()}


def _end(curve: QuantileCurve) -> tuple[float, float]:
    """Return where a line ends."""
    quantile, latency = list(curve.points.items())[-1]
    return percentile_x(quantile), latency


def _is_near(curve: QuantileCurve) -> bool:
    """Whether the maximum is where the name of the line would stand."""
    return curve.max_x is not None and 0 < curve.max_x - _end(curve)[0] < _NEAR


def _max_notes(
    comparison: Comparison, curves: Sequence[VariantCurves], y: Axis, *, height: float
) -> tuple[Note, ...]:
    notes = []
    for variant in curves if len(curves) <= _MOST_MAXIMA else ():
        x, largest = variant.median.max_x, variant.median.max_s
        if x is not None and largest:
            marks = comparison.footnotes.at_mark(variant.key.label, "latency_max_s")
            text = with_marks(f"max {comparison.written(MAX, largest)}", marks)
            notes.append(Note(x, largest, text, align="right", dx=-look.NAME_GAP))
    return apart(notes, [-y.share(note.y) * height for note in notes], gap=look.LABEL_GAP)


def _is_withheld(quantile: float, trusted_below: float, carried: float) -> bool:
    """Whether it is known, but not shown."""
    return quantile >= trusted_below or carried < quantile < 1


def _table(comparison: Comparison, curves: Sequence[VariantCurves], ratios: Ratios) -> DataTable:
    """Return a row per variant and percentile: latency, the range of the runs, the ratio."""
    quantiles = sorted({q for variant in curves for q in variant.median.points})
    if any(variant.median.max_s is not None for variant in curves):
        quantiles.append(1.0)
    rows = [(variant, q) for variant in curves for q in quantiles]
    latencies = [_at(*row) for row in rows]
    unit = _unit(comparison, curves) or show.time_unit(latencies)
    cells = [
        _cell(*row, text) for row, text in zip(rows, show.in_unit(latencies, unit), strict=True)
    ]
    samples = [_sample(*row) for row in rows]
    several = any(len(sample) > 1 for sample in samples)
    shown = [ratios.get(v.key, {}).get(q) for v, q in rows]
    base = show.quoted(legend(comparison)[comparison.baseline].label, limit=40)
    return by_column(
        "Variant",
        [variant.key.label for variant, _ in rows],
        [
            ("Percentile", [(show.percentile(q), q) for _, q in rows]),
            (f"Latency,{' median of the runs,' * several} {unit.name}", cells),
            *range_columns(f"{{}} run, {unit.name}", samples, partial(show.in_unit, unit=unit)),
            *ratio_columns(
                f"Ratio to {base}", [(at.ratio, at.bounds) if at else None for at in shown]
            ),
        ],
    )


def _at(variant: VariantCurves, quantile: float) -> float | None:
    """Return a latency of a variant, at 1 the maximum: also where no line comes near it."""
    if quantile == 1:
        return variant.key.variant.value(MAX)
    return variant.median.points.get(quantile)


def _sample(variant: VariantCurves, quantile: float) -> list[float]:
    """Return the latencies of several runs where their median is shown."""
    if _at(variant, quantile) is None or not variant.runs:
        return []
    if quantile == 1:
        return list(variant.key.variant.sample(MAX))
    return [s for run in variant.runs if (s := run.points.get(quantile)) is not None]


def _cell(variant: VariantCurves, quantile: float, text: str | None) -> Cell:
    withheld = _is_withheld(quantile, variant.key.variant.trusted_below, variant.median.carried)
    known = text or (show.WITHHELD if withheld else show.NOT_PRINTED)
    return known, _at(variant, quantile)
