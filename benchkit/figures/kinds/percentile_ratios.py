"""Variant over baseline by percentile."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.compare.design import ratio_over_pairs
from benchkit.figures import look
from benchkit.figures.chart import Note, Panel, Series
from benchkit.figures.curves import VariantCurves
from benchkit.figures.look import Key, legend
from benchkit.figures.scales import percentile_x, ratio_axis
from benchkit.model.comparison import Comparison, Effect
from benchkit.schema import QUANTILE_COLUMNS

_MEDIAN: Final = 0.5
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


#: By variant and quantile.
Ratios = Mapping[Key, Mapping[float, PercentileRatio]]


def ratios_of(comparison: Comparison, curves: Sequence[VariantCurves]) -> Ratios:
    """Return the ratios of each variant that is compared with the baseline."""
    base = next((each for each in curves if each.key.label == comparison.baseline), None)
    if base is None or len(curves) >= look.CROWD or not comparison.grade.comparable:
        return {}
    every = {}
    for variant in curves:
        against = comparison.against(variant.key.label)
        # In a sweep a variant is compared with the baseline only at its level.
        alone = against is None and not comparison.axis
        if variant is not base and (against == comparison.baseline or alone):
            every[variant.key] = _ratios(comparison, base, variant)
    return {key: ratios for key, ratios in every.items() if len(ratios) > 1}


def _ratios(
    comparison: Comparison, base: VariantCurves, variant: VariantCurves
) -> Mapping[float, PercentileRatio]:
    """Return the ratios at all common percentiles, each estimated as the effects are."""
    known = {q: comparison.effect(variant.key.label, c) for q, c in QUANTILE_COLUMNS.items()}
    effects = {q: effect for q, effect in known.items() if effect and effect.ratio}
    paired = any(effect.estimate for effect in effects.values())
    ratios = {}
    for quantile, latency in variant.median.points.items():
        before, effect = base.median.points.get(quantile), effects.get(quantile)
        if effect and effect.ratio and bool(effect.estimate) == paired:
            ratios[quantile] = PercentileRatio(effect.ratio, effect)
        elif before and latency > 0:
            sides = (base.at(quantile), variant.at(quantile)) if paired else None
            ratio = ratio_over_pairs(*sides) if sides else latency / before
            if ratio:
                ratios[quantile] = PercentileRatio(ratio)
    return ratios


def strip(comparison: Comparison, ratios: Ratios, upper: Panel, *, weight: float) -> Panel:
    """Return the panel below the curves: stems from 1×, or lines where there are several."""
    stems = len(ratios) == 1 and all(len(each) <= 25 for each in ratios.values())
    series = [
        Series(
            *key.series,
            tuple(percentile_x(q) for q in each),
            tuple(at.ratio for at in each.values()),
            line=0 if stems else 2,
            marker=8 if stems else 0,
            stems="y" if stems else "",
            stem_from=1.0,
            hover=tuple(_hover(key, q, at) for q, at in each.items()),
            in_table=False,
        )
        for key, each in ratios.items()
    ]
    bands = [band for key, each in ratios.items() for band in _band(key, each)]
    spans = [y for s in (*bands, *series) for y in (*s.low, *s.ys, *s.high)]
    paired = [key.short for key, each in ratios.items() if _paired(each)]
    names = "" if len(paired) == len(ratios) else f" of {show.listed(paired)}"
    how = f",{names} over pairs of runs" if paired else ""
    base = legend(comparison)[comparison.baseline].short
    return Panel(
        x=upper.x,
        y=ratio_axis(spans),
        series=(*bands, *series),
        notes=_largest(ratios),
        title=f"Latency over that of {base}{how}, log scale",
        weight=weight,
        unmeasured=upper.unmeasured,
    )


def _paired(ratios: Mapping[float, PercentileRatio]) -> bool:
    return any(at.effect and at.effect.estimate for at in ratios.values())


def _band(key: Key, ratios: Mapping[float, PercentileRatio]) -> list[Series]:
    """Return the intervals of one variant: a band, a bar where there is only one."""
    known = [
        (percentile_x(q), interval.low, at.ratio, interval.high)
        for q, at in ratios.items()
        if at.effect and (interval := at.effect.interval) and interval.low > 0
    ]
    if not known:
        return []
    xs, low, middle, high = zip(*known, strict=True)
    if len(xs) == 1:
        return [Series(*key.series, xs * 2, low + high, line=7, faint=True, in_table=False)]
    return [Series(*key.series, xs, middle, low=low, high=high, in_table=False)]


def _hover(key: Key, quantile: float, at: PercentileRatio) -> str:
    text = show.change(at.ratio)
    if at.effect and at.effect.interval:
        text = show.change_with_interval(at.ratio, at.effect.interval.low, at.effect.interval.high)
    return f"{key.name}\n{show.percentile(quantile)}: {text}"


def extreme(ratios: Ratios) -> tuple[Key, float, PercentileRatio, bool]:
    """Return variant, quantile and ratio of the largest difference, and whether of all.

    Otherwise it is that from p50 on, as long as anything differs there: it is slow requests
    that hurt.
    """
    every = [(key, q, at) for key, each in ratios.items() for q, at in each.items()]
    every.sort(key=lambda item: -abs(math.log(item[2].ratio)))
    upper = (item for item in every if item[1] >= _MEDIAN and item[2].differs)
    chosen = next(upper, every[0])
    return *chosen, chosen is every[0]


def _largest(ratios: Ratios) -> tuple[Note, ...]:
    _, quantile, at, _ = extreme(ratios)
    if not at.differs:
        return ()
    x, text = percentile_x(quantile), show.change(at.ratio)
    return (Note(x, at.ratio, text, role="text", dx=9, dy=-8 if at.ratio > 1 else 6),)
