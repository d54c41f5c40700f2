"""Latency by percentile: where in the distribution do variants differ, and by how much?

Both axes are logarithmic; a percentile stands at -log10(1-q). Markers are printed values, and
lines only connect them; curves of single requests are lines. Nothing is drawn beyond 1-1/n,
where the maximum stands alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchkit import format as show
from benchkit.figures import look
from benchkit.figures.chart import Cell, Chart, DataTable, Note, Panel, Series
from benchkit.figures.curves import QuantileCurve, VariantCurves, variant_curves
from benchkit.figures.kinds.percentile_ratios import ratios_of, strip
from benchkit.figures.kinds.percentile_words import MOST_LINES, label, subtitle, title
from benchkit.figures.legend import Key, coloured, legend
from benchkit.figures.linenames import apart, end_names, with_room
from benchkit.figures.scales import latency_axis, percentile_axis, percentile_x
from benchkit.model.comparison import Comparison
from benchkit.names import with_marks

_HEIGHT = 470
_ALONE = 340
_NEAR = 1.0  # decades between the end of a line and its maximum
_UPPER, _STRIP = 0.66, 0.34
_RANGE = 0.12


def draw(comparison: Comparison, _siblings: Sequence[Comparison]) -> Chart | None:
    """Return the figure, None where no variant has two percentiles to draw."""
    curves = variant_curves(comparison)
    if not any(variant.median.drawable for variant in curves):
        return None
    if len(curves) >= look.CROWD:
        curves = [replace(variant, runs=()) for variant in curves]
    ratios = ratios_of(comparison, curves)
    height = _HEIGHT * _UPPER * 0.9 if ratios else _ALONE * 0.85
    upper = _upper(comparison, curves, height=height)
    panels = [upper]
    panels += [strip(comparison, ratios, upper, weight=_STRIP)] if ratios else []
    return Chart(
        kind="percentiles",
        title=title(comparison, ratios),
        subtitle=subtitle(comparison, curves, ratios),
        label=label(comparison, curves),
        panels=tuple(panels),
        table=_table(curves),
        height=_HEIGHT if ratios else _ALONE,
    )


def _extent(curves: Sequence[VariantCurves]) -> tuple[float, float, float]:
    """Return the left end, the last known percentile and the right end, as places."""
    known = [percentile_x(q) for variant in curves for q in variant.median.points]
    first, last = min(known), max(known)
    right = max([last, *(x for v in curves if (x := v.median.max_x) is not None)])
    start = 0.0 if first < 0.15 else first - 0.06 * (last - first)
    return start, last, right


def _upper(comparison: Comparison, curves: Sequence[VariantCurves], *, height: float) -> Panel:
    start, last, right = _extent(curves)
    computed = any(variant.median.computed for variant in curves)
    gap = last if right > last + 0.5 and not computed else None
    x = percentile_axis(start, right, last=right)
    # Names stand beside maxima.
    beside = any(_end(variant.median)[0] > last for variant in curves)
    if gap and not beside:
        x = replace(x, high=start + 1.07 * (right - start))
    else:
        x = with_room(x, [key.short for key in coloured(legend(comparison))])
    values = [s for v in curves for s in [*v.median.points.values(), v.median.max_s or 0]]
    values += [s for v in curves for run in v.runs for s in run.points.values()]
    y = latency_axis(values)
    names = [
        variant.key.end(*_end(variant.median))
        for variant in curves
        if variant.key.coloured and variant.median.drawable
    ]
    notes = [*end_names(names, y, height=height)]
    if gap and (not beside or len(curves) <= 2):
        notes += _max_notes(comparison, curves, scale=height / math.log10(y.high / y.low))
    if gap:
        named = show.percentile(max(q for variant in curves for q in variant.median.points))
        text = f"{named} to max: {show.NOT_PRINTED}"
        notes.append(Note(x.high, y.low, text, align="right", dx=-8, dy=-9))
    return Panel(
        x=x,
        y=y,
        series=tuple(_series(curves)),
        notes=tuple(notes),
        weight=_UPPER,
        unmeasured=gap,
    )


def _series(curves: Sequence[VariantCurves]) -> list[Series]:
    behind, context, lines, maxima = [], [], [], []
    hovers = _hovers(curves)
    for variant in curves:
        if len(variant.runs) <= MOST_LINES:
            behind += [_line(variant.key, run, faint=True) for run in variant.runs]
        else:
            behind.append(_envelope(variant))
        line = _line(variant.key, variant.median, hovers=hovers)
        if variant.key.coloured:
            lines.append(line)
            maxima += _maximum(variant)
        else:
            context.append(line)
    return [*behind, *context, *lines, *maxima]


def _maximum(variant: VariantCurves) -> list[Series]:
    x, largest = variant.median.max_x, variant.median.max_s
    if x is None or largest is None:
        return []
    where = f"one request of {variant.median.requests:,}"
    text = f"{variant.key.name}\nmax {show.duration(largest)}, {where}"
    return [Series(*variant.key.series, (x,), (largest,), marker=9, filled=False, hover=(text,))]


def _envelope(variant: VariantCurves) -> Series:
    """Return the band between the lowest and the highest run at each percentile."""
    drawn = {q: s for q, s in variant.median.points.items() if s > 0}
    spans = {q: [run.points[q] for run in variant.runs] for q in drawn}
    known = [q for q, span in spans.items() if min(span) > 0]
    return Series(
        *variant.key.series,
        tuple(percentile_x(q) for q in known),
        tuple(drawn[q] for q in known),
        low=tuple(min(spans[q]) for q in known),
        high=tuple(max(spans[q]) for q in known),
        band=_RANGE,
        in_table=False,
    )


def _line(
    key: Key,
    curve: QuantileCurve,
    *,
    faint: bool = False,
    hovers: Mapping[float, str] | None = None,
) -> Series:
    points = {q: latency for q, latency in curve.points.items() if latency > 0}
    marked = not curve.computed and len(points) <= 25 and not faint
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
    return {
        q: "\n".join(
            [
                show.percentile(q),
                *(f"{name}: {show.duration(points[q])}" for name, points in names if q in points),
            ]
        )
        for q in quantiles
    }


def _end(curve: QuantileCurve) -> tuple[float, float]:
    """Return where a name stands: at the line's end, or beside a maximum that is near it."""
    quantile, latency = list(curve.points.items())[-1]
    end, top = percentile_x(quantile), curve.max_x
    if top is not None and curve.max_s and 0 <= top - end < _NEAR:
        return top, curve.max_s
    return end, latency


def _max_notes(
    comparison: Comparison, curves: Sequence[VariantCurves], *, scale: float
) -> tuple[Note, ...]:
    notes = []
    for variant in curves if len(curves) <= 4 else ():
        x, largest = variant.median.max_x, variant.median.max_s
        if x is not None and largest:
            marks = comparison.marks(variant.key.label, "latency_max_s")
            text = with_marks(f"max {show.duration(largest)}", marks)
            notes.append(Note(x, largest, text, align="right", dx=-10))
    return apart(notes, [-math.log10(note.y) * scale for note in notes], gap=look.LABEL_GAP)


def _table(curves: Sequence[VariantCurves]) -> DataTable:
    quantiles = sorted({q for variant in curves for q in variant.median.points})
    rows = [(q, [variant.median.points.get(q) for variant in curves]) for q in quantiles]
    maxima = [variant.median.max_s for variant in curves]
    if any(largest is not None for largest in maxima):
        rows.append((1.0, maxima))
    unit = show.time_unit(value for _, values in rows for value in values)
    return DataTable(
        ("Percentile", *(f"{variant.key.label}, {unit.name}" for variant in curves)),
        tuple((show.percentile(q), _cells(q, values, curves, unit)) for q, values in rows),
    )


def _cells(
    quantile: float,
    values: Sequence[float | None],
    curves: Sequence[VariantCurves],
    unit: show.Unit,
) -> tuple[Cell, ...]:
    limits = [each.key.variant.trusted_below for each in curves]
    return tuple(
        (text or (show.WITHHELD if quantile >= limit else show.NOT_PRINTED), value)
        for text, value, limit in zip(show.in_unit(values, unit), values, limits, strict=True)
    )
