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
from benchkit.compare import Comparison
from benchkit.figures import look
from benchkit.figures.chart import Chart, DataTable, Note, Panel, Series
from benchkit.figures.ends import End, end_names, with_room
from benchkit.figures.intervals import Intervals
from benchkit.figures.percentile_words import MOST_LINES, label, subtitle, title
from benchkit.figures.ratios import ratios_of, strip
from benchkit.figures.scales import (
    latency_axis,
    percentile_axis,
    percentile_x,
    spread,
)
from benchkit.measured import Curve, VariantCurves, trusted_below
from benchkit.names import short_names, with_marks

_HEIGHT = 470
_ALONE = 340
_NEAR = 1.0  # decades between the end of a line and its maximum
_UPPER, _STRIP = 0.66, 0.34
_RANGE = 0.12


def percentiles(
    comparison: Comparison, curves: Sequence[VariantCurves], sure: Intervals
) -> Chart | None:
    """Return the figure, None where no variant has two percentiles to draw.

    Args:
        comparison: The variants.
        curves: What was measured of each.
        sure: Intervals of the ratios.
    """
    if not any(_drawable(one.median) for one in curves):
        return None
    if len(curves) >= look.CROWD:
        curves = [replace(one, runs=()) for one in curves]
    roles = look.roles(comparison)
    ratios = ratios_of(comparison, curves, sure)
    ends = _ends(curves)
    upper = _upper(comparison, curves, roles, ends, tall=not ratios)
    panels = [upper]
    panels += [strip(comparison, ratios, upper, sure, weight=_STRIP)] if ratios else []
    return Chart(
        kind="percentiles",
        title=title(comparison, ratios),
        subtitle=subtitle(comparison, curves, sure if ratios else None),
        label=label(comparison, curves),
        panels=tuple(panels),
        table=_table(comparison, curves),
        height=_HEIGHT if ratios else _ALONE,
    )


def _drawable(curve: Curve) -> bool:
    return sum(1 for latency in curve.points.values() if latency > 0) > 1


def _ends(curves: Sequence[VariantCurves]) -> tuple[float, float, float]:
    """Return the left end, the last known percentile and the right end, as places."""
    known = [percentile_x(q) for one in curves for q in one.median.points]
    first, last = min(known), max(known)
    right = max([last, *(x for one in curves if (x := one.median.max_x) is not None)])
    start = 0.0 if first < 0.15 else first - 0.06 * (last - first)
    return start, last, right


def _upper(
    comparison: Comparison,
    curves: Sequence[VariantCurves],
    roles: Mapping[str, str],
    ends: tuple[float, float, float],
    *,
    tall: bool,
) -> Panel:
    start, last, right = ends
    computed = any(one.median.computed for one in curves)
    band = last if right > last + 0.5 and not computed else None
    x = percentile_axis(start, right, last=right)
    beside = any(_end(one.median)[0] > last for one in curves)  # names stand beside maxima
    if band and not beside:
        x = replace(x, high=start + 1.07 * (right - start))
    else:
        x = with_room(x, _short(roles))
    values = [s for one in curves for s in [*one.median.points.values(), one.median.max_s or 0]]
    values += [s for one in curves for run in one.runs for s in run.points.values()]
    y = latency_axis(values)
    height = _HEIGHT * _UPPER * 0.9 if not tall else _ALONE * 0.85
    notes = [*end_names(_line_ends(curves, roles), y, height=height)]
    if not beside or len(curves) <= 2:
        notes += _max_notes(comparison, curves, band, scale=height / math.log10(y.high / y.low))
    if band:
        text = f"{_last_name(curves)} to max: {show.NOT_PRINTED}"
        notes.append(Note(x.high, y.low, text, align="right", dx=-8, dy=-9))
    return Panel(
        x=x,
        y=y,
        series=tuple(_series(curves, roles)),
        notes=tuple(notes),
        weight=_UPPER,
        unmeasured=band,
    )


def _short(roles: Mapping[str, str]) -> list[str]:
    """Return the names that stand at the lines."""
    short = short_names([*roles])
    return [short[label] for label, role in roles.items() if role != look.CONTEXT]


def _line_ends(curves: Sequence[VariantCurves], roles: Mapping[str, str]) -> list[End]:
    short = short_names([*roles])
    found = []
    for one in curves:
        if roles[one.label] != look.CONTEXT and _drawable(one.median):
            x, y = _end(one.median)
            found.append(End(x, y, short[one.label], roles[one.label]))
    return found


def _series(curves: Sequence[VariantCurves], roles: Mapping[str, str]) -> list[Series]:
    behind, lines, tops = [], [], []
    hovers = _hovers(curves)
    for one in curves:
        role = roles[one.label]
        thin = role == look.CONTEXT
        if len(one.runs) <= MOST_LINES:
            behind += [_line(one.label, role, run, faint=True) for run in one.runs]
        else:
            behind.append(_envelope(one, role))
        lines.append(_line(one.label, role, one.median, hovers=hovers, thin=thin))
        x, top = one.median.max_x, one.median.max_s
        if x is not None and top is not None and not thin:
            where = f"one request of {one.median.requests:,}"
            text = f"{show.clean(one.label, limit=40)}\nmax {show.duration(top)}, {where}"
            tops.append(
                Series(one.label, role, (x,), (top,), marker=9, filled=False, hover=(text,))
            )
    context = [s for s in lines if s.role == look.CONTEXT]
    return [*behind, *context, *(s for s in lines if s.role != look.CONTEXT), *tops]


def _envelope(one: VariantCurves, role: str) -> Series:
    """Return the band between the lowest and the highest run at each percentile."""
    drawn = {q: s for q, s in one.median.points.items() if s > 0}
    spans = {q: [run.points[q] for run in one.runs] for q in drawn}
    known = [q for q, span in spans.items() if min(span) > 0]
    return Series(
        one.label,
        role,
        tuple(percentile_x(q) for q in known),
        tuple(drawn[q] for q in known),
        low=tuple(min(spans[q]) for q in known),
        high=tuple(max(spans[q]) for q in known),
        band=_RANGE,
        in_table=False,
    )


def _line(
    label: str,
    role: str,
    curve: Curve,
    *,
    faint: bool = False,
    thin: bool = False,
    hovers: Mapping[float, str] | None = None,
) -> Series:
    points = {q: latency for q, latency in curve.points.items() if latency > 0}
    marked = not curve.computed and len(points) <= 25 and not faint
    return Series(
        label,
        role,
        tuple(percentile_x(q) for q in points),
        tuple(points.values()),
        line=1.0 if faint or thin else 2.5,
        marker=(5 if thin else 8) if marked else 0,
        faint=faint,
        hover=tuple(hovers[q] for q in points) if hovers else (),
        in_table=not faint,
    )


def _hovers(curves: Sequence[VariantCurves]) -> dict[float, str]:
    quantiles = {q for one in curves for q in one.median.points}
    shown = curves if len(curves) < look.CROWD else curves[:10]
    return {
        q: "\n".join(
            [
                show.percentile(q),
                *(
                    f"{show.clean(one.label, limit=40)}: {show.duration(one.median.points[q])}"
                    for one in shown
                    if q in one.median.points
                ),
            ]
        )
        for q in quantiles
    }


def _end(curve: Curve) -> tuple[float, float]:
    """Return where a name stands: at the line's end, or beside a maximum that is near it."""
    quantile, latency = list(curve.points.items())[-1]
    end, top = percentile_x(quantile), curve.max_x
    if top is not None and curve.max_s and 0 <= top - end < _NEAR:
        return top, curve.max_s
    return end, latency


def _max_notes(
    comparison: Comparison, curves: Sequence[VariantCurves], band: float | None, *, scale: float
) -> list[Note]:
    if band is None or len(curves) > 4:
        return []
    placed = [(one, x) for one in curves if (x := one.median.max_x) is not None]
    tops = [(one, x, top) for one, x in placed if (top := one.median.max_s)]
    places = [-math.log10(top) * scale for *_, top in tops]
    moved = spread(places, gap=look.LABEL_GAP)
    return [
        Note(x, top, _max_text(comparison, one.label, top), align="right", dx=-10, dy=new - old)
        for (one, x, top), old, new in zip(tops, places, moved, strict=True)
    ]


def _max_text(comparison: Comparison, label: str, top: float) -> str:
    return with_marks(f"max {show.duration(top)}", comparison.marks(label, "latency_max_s"))


def _last_name(curves: Sequence[VariantCurves]) -> str:
    return show.percentile(max(q for one in curves for q in one.median.points))


def _table(comparison: Comparison, curves: Sequence[VariantCurves]) -> DataTable:
    quantiles = sorted({q for one in curves for q in one.median.points})
    maxima = [one.median.max_s for one in curves]
    rows = [(q, [one.median.points.get(q) for one in curves]) for q in quantiles]
    if any(one is not None for one in maxima):
        rows.append((1.0, maxima))
    unit = show.time_unit(value for _, values in rows for value in values)
    by_label = {one.label: one for one in comparison.variants}
    ends = [trusted_below(by_label[one.label]) for one in curves]
    return DataTable(
        ("Percentile", *(f"{one.label}, {unit.name}" for one in curves)),
        tuple((show.percentile(q), _cells(q, values, ends, unit)) for q, values in rows),
    )


def _cells(
    quantile: float, values: Sequence[float | None], ends: Sequence[float], unit: show.Unit
) -> tuple[tuple[str, float | None], ...]:
    texts = show.in_unit(values, unit)
    return tuple(
        (text or (show.WITHHELD if quantile >= end else show.NOT_PRINTED), value)
        for text, value, end in zip(texts, values, ends, strict=True)
    )
