"""How many times lower or higher than the baseline a variant was, by percentile."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.compare.model import Effect
from benchkit.figures import look
from benchkit.figures.chart import Note, Panel, Series
from benchkit.figures.intervals import Intervals
from benchkit.figures.scales import percentile_x, ratio_axis
from benchkit.measured import VariantCurves
from benchkit.names import short_names

_MEDIAN = 0.5


def ratios_of(
    comparison: Comparison, curves: Sequence[VariantCurves], sure: Intervals
) -> dict[str, dict[float, float]]:
    """Return baseline over variant by quantile: above 1 the variant was lower.

    Of the medians, or, where runs repeat, as estimated from all of them.
    """
    estimates = {} if sure.within else sure.of
    medians = {one.label: one.median.points for one in curves}
    base = medians.pop(comparison.baseline, {})
    medians = {k: v for k, v in medians.items() if comparison.against(k) == comparison.baseline}
    if len(medians) + 1 >= look.CROWD or not comparison.grade.comparable:
        return {}
    found = {
        label: {
            q: 1 / estimates[label][q].ratio if q in estimates.get(label, {}) else base[q] / s
            for q, s in points.items()
            if s > 0 and base.get(q, 0) > 0
        }
        for label, points in medians.items()
    }
    return {label: ratios for label, ratios in found.items() if len(ratios) > 1}


def strip(
    comparison: Comparison,
    ratios: Mapping[str, Mapping[float, float]],
    upper: Panel,
    sure: Intervals,
    *,
    weight: float,
) -> Panel:
    """Return the panel below the curves: stems from 1×, or lines where there are several."""
    roles = look.roles(comparison)
    word, times = _direction(ratios)
    stems = len(times) == 1 and all(len(one) <= 25 for one in times.values())
    series = [
        Series(
            label,
            roles[label],
            tuple(percentile_x(q) for q in one),
            tuple(one.values()),
            line=0 if stems else 2,
            marker=8 if stems else 0,
            stems="y" if stems else "",
            stem_from=1.0,
            hover=tuple(_ratio_hover(label, q, ratios[label][q]) for q in one),
            in_table=False,
        )
        for label, one in times.items()
    ]
    higher = word == "higher"
    bands = [_band(label, roles[label], sure.of.get(label, {}), higher=higher) for label in times]
    bands = [one for one in bands if one.xs]
    base = short_names([*roles])[comparison.baseline]
    spans = [y for one in (*bands, *series) for y in (*one.low, *one.ys, *one.high)]
    return Panel(
        x=upper.x,
        y=ratio_axis(spans),
        series=(*bands, *series),
        notes=_largest(times),
        title=f"How many times {word} than {base}",
        weight=weight,
        unmeasured=upper.unmeasured,
    )


def _band(label: str, role: str, effects: Mapping[float, Effect], *, higher: bool) -> Series:
    """Return the intervals of one variant: a band, a bar where there is only one."""
    known = sorted(effects.items())
    ratios = [(one.low, one.ratio, one.high) for _, one in known]
    if not higher:
        ratios = [(1 / high, 1 / middle, 1 / low) for low, middle, high in ratios]
    xs = tuple(percentile_x(q) for q, _ in known)
    if len(xs) == 1:
        (low, _, high) = ratios[0]
        return Series(label, role, xs * 2, (low, high), line=7, faint=True, in_table=False)
    return Series(
        label,
        role,
        xs,
        tuple(middle for _, middle, _ in ratios),
        low=tuple(low for low, _, _ in ratios),
        high=tuple(high for _, _, high in ratios),
        in_table=False,
    )


def _direction(
    ratios: Mapping[str, Mapping[float, float]],
) -> tuple[str, Mapping[str, Mapping[float, float]]]:
    """Return the word for most of the differences, and the factors in that direction."""
    if sum(math.log(value) for one in ratios.values() for value in one.values()) >= 0:
        return "lower", ratios
    turned = {label: {q: 1 / v for q, v in one.items()} for label, one in ratios.items()}
    return "higher", turned


def _ratio_hover(label: str, quantile: float, value: float) -> str:
    change = show.change(1 / value)
    return f"{show.clean(label, limit=40)}\n{show.percentile(quantile)}: {change}"


def extreme(ratios: Mapping[str, Mapping[float, float]]) -> tuple[str, float, float]:
    """Return variant, quantile and ratio of the largest difference.

    Below p50 only where nothing differs from there on: it is slow requests that hurt.
    """
    every = [(label, q, value) for label, one in ratios.items() for q, value in one.items()]
    upper = [item for item in every if item[1] >= _MEDIAN and _differs(item[2])]
    return max(upper or every, key=lambda item: abs(math.log(item[2])))


def _differs(ratio: float) -> bool:
    change = show.change(ratio)
    return change is not None and bool(change.amount)


def _largest(times: Mapping[str, Mapping[float, float]]) -> tuple[Note, ...]:
    _, quantile, value = extreme(times)
    if value < 1.005:
        return ()
    x = percentile_x(quantile)
    return (Note(x, value, show.factor(value), role="text", dx=9, dy=-8),)
