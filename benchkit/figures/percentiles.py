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
from benchkit.figures.measured import Curve, VariantCurves, trusted_below
from benchkit.figures.names import short_names, with_marks
from benchkit.figures.ratios import extreme, ratios_of, strip
from benchkit.figures.scales import (
    latency_axis,
    percentile_axis,
    percentile_x,
    spread,
)
from benchkit.schema import QUANTILE_COLUMNS

_HEIGHT = 470
_ALONE = 340
_WIDTH = 560  # of the plot area in px, about
_UPPER, _STRIP = 0.66, 0.34
_MOST_RUNS = 5  # beyond this many runs of a variant only the median is drawn


def percentiles(comparison: Comparison, curves: Sequence[VariantCurves]) -> Chart | None:
    """Return the figure, None where no variant has two percentiles to draw."""
    if not any(_drawable(one.median) for one in curves):
        return None
    if len(curves) >= look.CROWD:
        curves = [replace(one, runs=()) for one in curves]
    roles = look.roles(comparison)
    ratios = ratios_of(comparison, curves)
    ends = _ends(curves)
    upper = _upper(comparison, curves, roles, ends, tall=not ratios)
    panels = [upper, strip(comparison, ratios, roles, upper, weight=_STRIP)] if ratios else [upper]
    return Chart(
        kind="percentiles",
        title=_title(comparison, ratios),
        subtitle=_subtitle(comparison, curves),
        label=_label(comparison, curves),
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
    right = max([last, *(x for one in curves if (x := _max_x(one.median)) is not None)])
    start = 0.0 if first < 0.15 else first - 0.06 * (last - first)
    return start, last, right


def _max_x(curve: Curve) -> float | None:
    if not curve.requests or curve.requests < 2 or not curve.max_s:
        return None
    return math.log10(curve.requests)


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
    high = start + (right - start) * (1.07 if band else _label_room(comparison))
    values = [s for one in curves for s in [*one.median.points.values(), one.median.max_s or 0]]
    values += [s for one in curves for run in _shown(one) for s in run.points.values()]
    y = latency_axis(values)
    height = _HEIGHT * _UPPER * 0.9 if not tall else _ALONE * 0.85
    notes = _names(curves, roles, y.low, y.high, height)
    notes += _max_notes(comparison, curves, band, scale=height / math.log10(y.high / y.low))
    if band:
        text = f"{_last_name(curves)} to max: {show.NOT_PRINTED}"
        notes.append(Note(high, y.low, text, align="right", dx=-8, dy=-9))
    return Panel(
        x=percentile_axis(start, high, last=right),
        y=y,
        series=tuple(_series(curves, roles)),
        notes=tuple(notes),
        weight=_UPPER,
        unmeasured=band,
    )


def _label_room(comparison: Comparison) -> float:
    """Return how much longer than its data the x axis is, for the names at the line ends."""
    longest = max(map(len, short_names(list(comparison.order)).values()))
    return 1 / (1 - min(0.5, (8 * longest + 40) / _WIDTH))


def _series(curves: Sequence[VariantCurves], roles: Mapping[str, str]) -> list[Series]:
    behind, lines, tops = [], [], []
    hovers = _hovers(curves)
    for one in curves:
        role = roles[one.label]
        thin = role == look.CONTEXT
        behind += [_line(one.label, role, run, faint=True) for run in _shown(one)]
        lines.append(_line(one.label, role, one.median, hovers=hovers, thin=thin))
        x, top = _max_x(one.median), one.median.max_s
        if x is not None and top is not None:
            where = f"one request of {one.median.requests:,}"
            text = f"{show.clean(one.label, limit=40)}\nmax {show.duration(top)}, {where}"
            tops.append(
                Series(one.label, role, (x,), (top,), marker=9, filled=False, hover=(text,))
            )
    context = [s for s in lines if s.role == look.CONTEXT]
    return [*behind, *context, *(s for s in lines if s.role != look.CONTEXT), *tops]


def _shown(one: VariantCurves) -> tuple[Curve, ...]:
    return one.runs if len(one.runs) <= _MOST_RUNS else ()


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


def _names(
    curves: Sequence[VariantCurves],
    roles: Mapping[str, str],
    low: float,
    high: float,
    height: float,
) -> list[Note]:
    named = [one for one in curves if roles[one.label] != look.CONTEXT and _drawable(one.median)]
    short = short_names([*roles])
    ends = [list(one.median.points.items())[-1] for one in named]
    scale = height / math.log10(high / low)
    places = [-math.log10(latency) * scale for _, latency in ends]
    moved = spread(places, gap=look.LABEL_GAP + 2)
    return [
        Note(
            _label_x(one.median, q),
            latency,
            short[one.label],
            role=look.text_role(roles[one.label]),
            dx=12,
            dy=place - was,
            bold=True,
        )
        for one, (q, latency), place, was in zip(named, ends, moved, places, strict=True)
    ]


def _label_x(curve: Curve, quantile: float) -> float:
    """Return where a name stands: at the line's end, or past a maximum that is near it."""
    end, top = percentile_x(quantile), _max_x(curve)
    return top if top is not None and 0 <= top - end < 0.6 else end


def _max_notes(
    comparison: Comparison, curves: Sequence[VariantCurves], band: float | None, *, scale: float
) -> list[Note]:
    if band is None or len(curves) > 4:
        return []
    placed = [(one, x) for one in curves if (x := _max_x(one.median)) is not None]
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


def _title(comparison: Comparison, ratios: Mapping[str, Mapping[float, float]]) -> str:
    if not ratios or comparison.grade.key == "unshown":
        return "Latency by percentile"
    label, quantile, value = extreme(ratios)
    change = show.change(1 / value)
    if change is None or not change.amount:
        return "No percentile differed by half a per cent"
    name = show.percentile(quantile)
    if len(comparison.variants) == 2:
        return f"The difference was largest at {name}: {change}"
    return f"The difference was largest at {name}: {change} with {show.clean(label, limit=60)}"


def _subtitle(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    parts = ["Latency by percentile, both axes log."]
    if any(not one.median.computed for one in curves):
        parts.append("Markers are printed values; lines only connect them.")
    if any(one.median.computed for one in curves):
        parts.append("Lines without markers are all requests.")
    if any(one.runs > 1 for one in comparison.variants):
        thin = any(_shown(one) for one in curves)
        parts.append("Lines are medians over runs" + (", thin ones runs." if thin else "."))
    if any(_max_x(one.median) is not None for one in curves):
        parts.append("Open marks are the slowest request.")
    parts += _left_out(comparison, curves)
    if any(
        comparison.effect(one.label, column)
        for one in comparison.others
        for column in QUANTILE_COLUMNS.values()
    ):
        parts.append("Bars below are intervals of the ratio.")
    if any(s <= 0 for one in curves for s in one.median.points.values()):
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts)


def _left_out(comparison: Comparison, curves: Sequence[VariantCurves]) -> list[str]:
    """Return which percentiles are not drawn, and whether somebody printed them."""
    by_label = {one.label: one for one in comparison.variants}
    cut = {label: q for label in comparison.order if (q := trusted_below(by_label[label])) < 1}
    told = []
    for quantile in sorted(set(cut.values())):
        names = [show.quoted(label, limit=40) for label, q in cut.items() if q == quantile]
        of = "" if len(names) == len(by_label) else f" of {show.listed(names)}"
        told.append(f"Withheld from {show.percentile(quantile)} on{of}.")
    missing = [one for one in comparison.order if one not in _named(curves) and one not in cut]
    if missing:
        names = [show.quoted(label, limit=40) for label in missing]
        told.append(f"No percentiles of {show.listed(names)}.")
    return told


def _named(curves: Sequence[VariantCurves]) -> set[str]:
    return {one.label for one in curves}


def _label(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    spans = []
    for one in curves[:8]:
        (low_q, low), *_, (high_q, high) = [*one.median.points.items()] * 2
        first, last = show.percentile(low_q), show.percentile(high_q)
        name = show.clean(one.label, limit=40)
        spans.append(f"{name} {first} {show.duration(low)} to {last} {show.duration(high)}")
    where = f" of {show.clean(comparison.scenario, limit=60)}" if comparison.scenario else ""
    return f"Latency by percentile{where}: {'; '.join(spans)}; values in the table below"


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
