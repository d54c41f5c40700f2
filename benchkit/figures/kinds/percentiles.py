"""Latency by percentile: where in the distribution do variants differ, and by how much?

Both axes are logarithmic; a percentile stands at -log10(1-q). Markers are printed values, and
lines only connect them; curves of single requests are lines. Nothing is drawn beyond 1-1/n,
where the maximum stands alone.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures import look, multiples
from benchkit.figures.chart import Axis, Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.curves import (
    FIRST,
    QuantileCurve,
    Ratios,
    VariantCurves,
    leading,
    ratios_of,
    sharing,
    strip,
    variant_curves,
)
from benchkit.figures.look import Key, coloured, legend
from benchkit.figures.marks import RANGE, WIDTH, apart, end_names, name_room, with_room
from benchkit.figures.requests import clock
from benchkit.figures.scales import ZEROS, latency_axis, percentile_axis, percentile_x, thinned
from benchkit.figures.words import furthest_apart, named_between, withheld_from
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.metric import MAX, percentile
from benchkit.names import some, with_marks

_HEIGHT = 500
_ALONE = 370
_EDGE = 0.02  # of the axis, beyond the last mark
_NEAR = 1.0  # decades between the end of a line and its maximum
_ASIDE: Final = 0.1  # of the axis, for the column of the maxima
_PASSED: Final = 2 * look.LABEL_GAP  # px: a name may be moved by one
_MARK: Final = 11  # px: maxima that are nearer stand beside each other
_UPPER, _STRIP = 0.66, 0.34
#: Of more runs of a variant than these the range is drawn.
_MOST_LINES: Final = 5
_MOST_BANDS: Final = 2  # whose colours are told apart where they lie over each other
_MOST_MARKS: Final = 25
_MOST_MAXIMA: Final = 4  # with their values
_P99: Final = 0.99
_NAMED: Final = frozenset({0.5, 0.9, 0.95, _P99})
#: How much more than the panels in the middle an axis of all may span.
_FILLED: Final = 1.6
_TICKS_APART: Final = 0.14  # of an axis of percentiles
_LATENCY: Final = "Latency, log scale"
_SCALES: Final = "Latency axes have limits of their own; all span the same factor."
_CONNECTED: Final = "Lines only connect printed values."
_UNMARKED: Final = "Lines without markers are"


def percentiles(comparison: Comparison) -> Chart | None:
    """Return the figure, None where no variant has two percentiles to draw."""
    curves = variant_curves(comparison)
    if not any(variant.median.drawable for variant in curves):
        return None
    beside_each_other = bool(comparison.axis) or len(curves) >= multiples.FROM
    if len(curves) >= look.CROWD and not beside_each_other:
        curves = [replace(variant, runs=()) for variant in curves]
    ratios = ratios_of(comparison, curves)  # none of so many
    made = Chart(
        title=_title(comparison, curves, ratios),
        caption=_caption(comparison, curves, ratios, one_panel=not beside_each_other),
        label=_label(comparison, curves),
        panels=(),
        table=_table(curves, _unit(comparison, curves)),
        height=_HEIGHT if ratios else _ALONE,
    )
    if beside_each_other:
        return _beside_each_other(made, comparison, curves)
    height = _HEIGHT * _UPPER * 0.9 if ratios else _ALONE * 0.85
    panels = [_upper(comparison, curves, height=height)]
    if ratios:
        below = _HEIGHT * _STRIP * 0.8
        panels.append(strip(comparison, ratios, panels[0], weight=_STRIP, height=below))
    return replace(made, panels=tuple(panels))


def _beside_each_other(
    made: Chart, comparison: Comparison, curves: Sequence[VariantCurves]
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
    tail = max(_common(curves) & _NAMED, default=_P99)
    tails = {v.key: s for v in drawable if (s := v.median.points.get(tail))}
    metric = percentile(tail)
    texts = {key: f"{metric.name} {comparison.written(metric, s)}" for key, s in tails.items()}
    if comparison.axis:
        # Levels are far apart, and a variant is compared with the baseline at its own.
        whole = latency_axis(
            [s for line in lines.values() for s in line.ys], unit=comparison.unit(metric)
        )
        own = {key: [line] for key, line in lines.items()}
        made = replace(made, caption=f"{made.caption} {_SCALES}")
        return multiples.beside_each_other(
            made,
            comparison,
            own,
            (x, whole),
            texts,
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
    return multiples.beside_each_other(made, comparison, own, (x, y), texts)


def _beyond(line: Series, y: Axis) -> str:
    """Return on which sides a line leaves an axis."""
    sides = {"below": min(line.ys) < y.low, "above": max(line.ys) > y.high}
    return f"{show.listed([side for side, leaves in sides.items() if leaves])} the axis"


def _alike_axes(rows: Sequence[Sequence[Series]], *, unit: show.Unit | None) -> list[Axis]:
    """Return an axis around the lines of each row, of as many decades as any needs."""
    ends = [[math.log10(s) for line in row for s in line.ys] for row in rows]
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

    Where all together span far more than most of them do, the outermost leave the axis.
    """
    spans = {key: (math.log(min(line.ys)), math.log(max(line.ys))) for key, line in lines.items()}
    fixed = [span for key, span in spans.items() if key.label in bases] or [*spans.values()]
    low, high = min(s for s, _ in fixed), max(s for _, s in fixed)
    panels = sorted((min(low, a), max(high, b)) for a, b in spans.values())
    most = _FILLED * statistics.median(b - a for a, b in panels)
    kept = [(a, b) for a, b in panels if b - a <= most]
    return [math.exp(edge) for a, b in kept for edge in (a, b)]


def _extent(curves: Sequence[VariantCurves]) -> tuple[float, float, float]:
    """Return the left end, the last known percentile and the right end, as places."""
    drawn = (each for variant in curves for each in (variant.median, *variant.runs))
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
    names = [key.short for key in coloured(legend(comparison))]
    x, column = _places(curves, names, gap=bool(gap), near=near)
    values = [s for v in curves for each in (v.median, *v.runs) for s in each.line.values()]
    values += [v.median.max_s or 0 for v in curves]
    y = latency_axis(values, unit=_unit(comparison, curves))
    listed = [v for v in curves if v.key.coloured and v.median.drawable]
    free = {v.key: _end(v.median)[0] for v in listed if not near or column}
    if column:
        free |= {v.key: last for v in listed if _is_passed(v, listed, y, height=height)}
    ends = [v.key.end(free.get(v.key, x.last), _end(v.median)[1]) for v in listed]
    notes = [*end_names(ends, y, height=height)]
    if gap and not near:
        notes += _max_notes(comparison, curves, y, height=height)
    if gap:
        named = show.percentile(max(q for variant in curves for q in variant.median.points))
        text = f"{named} to max: {show.NOT_PRINTED}"
        notes.append(Note(x.last, y.low, text, align="right", dx=-8, dy=-9))
    return Panel(
        x=x,
        y=y,
        series=tuple(_series(curves, _column(curves, column, x, y, height=height))),
        notes=tuple(notes),
        weight=_UPPER,
        title=_LATENCY,
        name="latency",
        unmeasured=gap,
    )


def _places(
    curves: Sequence[VariantCurves], names: Sequence[str], *, gap: bool, near: bool
) -> tuple[Axis, float | None]:
    """Return the axis of the percentiles, with room for some names, and where maxima stand.

    That is a column where the lines show all requests, None where each has its own place.
    """
    start, last, right = _extent(curves)
    if not gap and any(variant.median.max_x for variant in curves):
        # The names stand between the ends of the lines and the maxima.
        whole = (last - start) / (1 - name_room(names, inside=True) - _ASIDE)
        column = start + (1 - _ASIDE / 2) * whole
        x = percentile_axis(start, start + whole, last=last)
        return thinned(replace(x, ticks=(*x.ticks, (column, MAX.name))), WIDTH), column
    x = percentile_axis(start, right + (0 if gap else _EDGE * (right - start)), last=last)
    if gap and not near:
        x = replace(x, high=start + 1.07 * (right - start), end=right)
    else:
        x = with_room(x, names)
    return thinned(x, WIDTH), None


def _is_passed(
    variant: VariantCurves, curves: Sequence[VariantCurves], y: Axis, *, height: float
) -> bool:
    """Whether the name at the end of a line would lie on another one, which goes on."""
    end, latency = _end(variant.median)
    beyond = (
        s
        for other in curves
        if _end(other.median)[0] > end
        for q, s in other.median.points.items()
        if percentile_x(q) >= end and s > 0
    )
    return any(abs(y.share(s) - y.share(latency)) * height < _PASSED for s in beyond)


def _unit(comparison: Comparison, curves: Sequence[VariantCurves]) -> show.Unit | None:
    """Return the unit of the highest percentile that all variants have, as it is compared."""
    quantile = max(_common(curves) & _NAMED, default=None)
    return comparison.unit(percentile(quantile)) if quantile else None


def _column(
    curves: Sequence[VariantCurves], column: float | None, x: Axis, y: Axis, *, height: float
) -> Mapping[Key, float]:
    """Return where the maxima stand in their column, beside each other where they would touch."""
    known = {v.key: y.share(s) * height for v in curves if (s := v.median.max_s)}
    if column is None:
        return {}
    groups: list[list[Key]] = []
    for key in sorted(known, key=lambda key: known[key]):
        if groups and known[key] - known[groups[-1][-1]] < _MARK:
            groups[-1].append(key)
        else:
            groups.append([key])
    step = _MARK / WIDTH * (x.high - x.low)
    return {
        key: column + (n - (len(group) - 1) / 2) * step
        for group in groups
        for n, key in enumerate(group)
    }


def _series(curves: Sequence[VariantCurves], columns: Mapping[Key, float]) -> list[Series]:
    """Return the lines, from behind, and the maxima in a column or where each is."""
    behind, context, lines, maxima = [], [], [], []
    hovers, outlined = _hovers(curves), _outlined(curves)
    for variant in curves:
        if len(variant.runs) <= _MOST_LINES:
            behind += [_line(variant.key, run, faint=True) for run in variant.runs]
        else:
            band = _envelope(variant)
            behind += _outline(band) if outlined else [band]
        line = _line(variant.key, variant.median, hovers=hovers)
        if variant.key.coloured:
            lines.append(line)
            maxima += _maximum(variant, columns.get(variant.key))
        else:
            context.append(line)
    return [*behind, *context, *lines, *maxima]


def _maximum(variant: VariantCurves, column: float | None) -> list[Series]:
    x, largest = variant.median.max_x, variant.median.max_s
    if x is None or largest is None:
        return []
    x = x if column is None else column
    where = f"one request of {variant.median.requests:,}"
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


def _outlined(curves: Sequence[VariantCurves]) -> bool:
    """Whether bands are too many to lie over each other."""
    return sum(len(variant.runs) > _MOST_LINES for variant in curves) > _MOST_BANDS


def _outline(band: Series) -> list[Series]:
    """Return the edges of a band."""
    edge = replace(band, low=(), high=(), line=1.0, faint=True)
    return [replace(edge, ys=ys) for ys in (band.low, band.high)]


def _line(
    key: Key,
    curve: QuantileCurve,
    *,
    faint: bool = False,
    hovers: Mapping[float, str] | None = None,
) -> Series:
    points = {q: latency for q, latency in curve.line.items() if latency > 0}
    marked = _marked(curve) and not faint
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


def _marked(curve: QuantileCurve) -> bool:
    """Whether its values are printed, and few enough for a mark each."""
    return not curve.computed and len(curve.points) <= _MOST_MARKS


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
            marks = comparison.marks(variant.key.label, "latency_max_s")
            text = with_marks(f"max {comparison.written(MAX, largest)}", marks)
            notes.append(Note(x, largest, text, align="right", dx=-10))
    return apart(notes, [-y.share(note.y) * height for note in notes], gap=look.LABEL_GAP)


def _table(curves: Sequence[VariantCurves], unit: show.Unit | None) -> DataTable:
    quantiles = sorted({q for variant in curves for q in variant.median.points})
    rows = [(q, [variant.median.points.get(q) for variant in curves]) for q in quantiles]
    maxima = [variant.median.max_s for variant in curves]
    if any(largest is not None for largest in maxima):
        rows.append((1.0, maxima))
    unit = unit or show.time_unit(value for _, values in rows for value in values)
    limits = [variant.key.variant.trusted_below for variant in curves]

    def cells(quantile: float, values: Sequence[float | None]) -> tuple[Cell, ...]:
        texts = zip(show.in_unit(values, unit), values, limits, strict=True)
        return tuple(
            (text or (show.WITHHELD if quantile >= limit else show.NOT_PRINTED), value)
            for text, value, limit in texts
        )

    return DataTable(
        ("Percentile", *(f"{variant.key.label}, {unit.name}" for variant in curves)),
        tuple((show.percentile(q), cells(q, values)) for q, values in rows),
    )


# --- words ---


def _title(comparison: Comparison, curves: Sequence[VariantCurves], ratios: Ratios) -> str:
    """Return the change that the answer is about, where there is any."""
    if comparison.axis:
        # What one level showed would stand for the others.
        return f"Latency by percentile: {_at_level(comparison, curves)}"
    if ratios and not any(at.differs for each in ratios.values() for at in each.values()):
        return "No percentile differed by half a per cent"
    changes = leading(comparison, ratios)
    if not changes:
        return f"Latency by percentile: {_spans(comparison, curves)}"
    whose = grouped(changes, lambda change: _listed(sharing(comparison, ratios, change)))
    clauses = (f"{_both(change.text for change in own)} with {name}" for name, own in whose.items())
    bases = {change.effect.baseline for change in changes}
    against = f" against {show.quoted(bases.pop())}" if len(bases) == 1 else ""
    return f"Latency by percentile: {_both(clauses)}{against}"


def _listed(keys: Sequence[Key]) -> str:
    return show.listed([show.quoted(key.label) for key in keys])


def _both(directions: Iterable[str]) -> str:
    """Return changes the one and the other way, or the only one."""
    return ", but ".join(directions)


def _common(curves: Sequence[VariantCurves]) -> set[float]:
    """Return the percentiles that all variants have."""
    return set.intersection(*(set(variant.median.points) for variant in curves))


def _spans(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return from where to where the highest percentile goes that all variants have."""
    quantile = max(_common(curves) & _NAMED, default=None)
    if quantile is None:
        return show.plural(len(curves), "variant")
    at = [(v.key.quoted, v.median.points[quantile]) for v in curves]
    metric = percentile(quantile)
    return f"{metric.name} {named_between(at, partial(comparison.written, metric))}"


def _at_level(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return at which level of a sweep the highest percentile that all have differs most."""
    axis, quantile = comparison.axis, max(_common(curves) & _NAMED, default=None)
    param = show.clean(axis, limit=40)
    if quantile is None:
        return f"at each {param}"
    metric = percentile(quantile)
    by_level = grouped(curves, lambda v: v.key.variant.level(axis))
    named = {
        level: [(show.quoted(v.key.variant.name, limit=40), v.median.points[quantile]) for v in own]
        for level, own in by_level.items()
        if level is not None
    }
    apart = furthest_apart(param, named, partial(comparison.written, metric))
    return f"{metric.name} {apart}" if apart else f"{metric.name} at each {param}"


def _caption(
    comparison: Comparison, curves: Sequence[VariantCurves], ratios: Ratios, *, one_panel: bool
) -> str:
    parts, many = ["Latency by percentile, both axes log."], not one_panel
    marked = not many and any(_marked(variant.median) for variant in curves)
    if any(not variant.median.computed for variant in curves):
        parts.append(
            "Markers are printed values; lines only connect them." if marked else _CONNECTED
        )
    if any(variant.median.computed for variant in curves):
        others = "Others show" if _CONNECTED in parts else _UNMARKED if marked else "Lines show"
        parts.append(f"{others} all requests.")
        parts += clock(max(variant.median.step_s for variant in curves))
        if any(variant.median.ends_exact for variant in curves):
            parts.append("Where that is coarse lines end with the exact percentiles.")
    if any(len(variant) > 1 for variant in comparison.variants):
        counts = [len(variant.runs) for variant in curves if variant.runs]
        around = ", thin ones runs" if any(count <= _MOST_LINES for count in counts) else ""
        if any(count > _MOST_LINES for count in counts):
            bands = (
                "thin ones their lowest and highest" if _outlined(curves) else "bands their range"
            )
            around += f", {bands}"
        parts.append(f"Lines are medians over runs{'' if many else around}.")
    if any(variant.median.line != variant.median.points for variant in curves):
        parts.append(f"Lines begin at {show.percentile(FIRST)}.")
    if not many and any(variant.median.max_x is not None for variant in curves):
        parts.append("Open marks are the slowest request.")
    parts += _left_out(comparison, curves)
    if any(at.effect and at.effect.interval for each in ratios.values() for at in each.values()):
        single = all(len(variant) == 1 for variant in comparison.variants)
        whose = "hold for these single runs; further runs may differ more"
        aside = ", side by side at one percentile" if len(ratios) > 1 else ""
        parts.append(f"Bars below {whose if single else 'are intervals of the ratio'}{aside}.")
    if any(s <= 0 for variant in curves for s in variant.median.points.values()):
        parts.append(ZEROS)
    return " ".join(parts)


def _left_out(comparison: Comparison, curves: Sequence[VariantCurves]) -> list[str]:
    """Return which percentiles are not drawn, and whether somebody printed them."""
    keys = (legend(comparison)[label] for label in comparison.order)
    limits = {key.label: min(key.variant.trusted_below, key.shown_below) for key in keys}
    sentences = withheld_from(limits)
    drawn = {variant.key.label for variant in curves}
    missing = [label for label in comparison.order if label not in drawn and limits[label] >= 1]
    if missing:
        names = [show.quoted(label, limit=40) for label in missing]
        sentences.append(f"No percentiles of {some(names)}.")
    return sentences


def _label(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return the extremes of each variant for readers who see no picture."""
    spans = []
    for variant in curves[:8]:
        (low_q, low), *_, (high_q, high) = [*variant.median.points.items()] * 2
        first, last = show.percentile(low_q), show.percentile(high_q)
        span = f"{first} {show.duration(low)} to {last} {show.duration(high)}"
        spans.append(f"{variant.key.name} {span}")
    where = f" of {show.clean(comparison.scenario, limit=60)}" if comparison.scenario else ""
    return f"Latency by percentile{where}: {'; '.join(spans)}; values in the table below"
