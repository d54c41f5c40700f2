"""What the percentile figure says in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures import steps
from benchkit.figures.curves import VariantCurves
from benchkit.figures.kinds.percentile_ratios import PercentileRatio, Ratios, extreme
from benchkit.figures.scales import ZEROS, percentile_x
from benchkit.model.comparison import Comparison
from benchkit.names import some

#: Of more runs of a variant than these the range is drawn.
MOST_LINES: Final = 5


def title(comparison: Comparison, ratios: Ratios) -> str:
    """Return which percentile differed most, where the tests do not forbid it."""
    if comparison.axis:
        # What one level showed would stand for the others.
        return f"Latency by percentile at each {show.clean(comparison.axis, limit=40)}"
    if not ratios:
        return "Latency by percentile"
    key, quantile, at, overall = extreme(ratios)
    if not at.differs:
        return "No percentile differed by half a per cent"
    if comparison.grade.key == "unshown" or _undecided(ratios[key], quantile):
        return "Latency by percentile"
    which = "Of the percentiles" if overall else "Of the percentiles from p50 on"
    change = f"{show.change(at.ratio)} with {show.quoted(key.label)}"
    return f"{which}, {show.percentile(quantile)} differed most: {change}"


def _undecided(ratios: Mapping[float, PercentileRatio], quantile: float) -> bool:
    """Whether the nearest percentile that is compared is not known to differ."""
    effects = {percentile_x(q): at.effect for q, at in ratios.items() if at.effect}
    if not effects:
        return False
    effect = effects[min(effects, key=lambda x: abs(x - percentile_x(quantile)))]
    if effect.tested:
        return effect.verdict not in {"faster", "slower"}
    return effect.interval is not None and effect.crosses


def subtitle(comparison: Comparison, curves: Sequence[VariantCurves], ratios: Ratios) -> str:
    """Return quantity, scales and marks."""
    parts = ["Latency by percentile, both axes log."]
    if any(not variant.median.computed for variant in curves):
        parts.append("Markers are printed values; lines only connect them.")
    if any(variant.median.computed for variant in curves):
        parts.append("Lines without markers are all requests.")
        parts += steps.sentence(max(variant.median.step_s for variant in curves))
    if any(len(variant) > 1 for variant in comparison.variants):
        counts = [len(variant.runs) for variant in curves if variant.runs]
        around = ", thin ones runs" if any(count <= MOST_LINES for count in counts) else ""
        around += ", bands their range" if any(count > MOST_LINES for count in counts) else ""
        parts.append(f"Lines are medians over runs{around}.")
    if any(variant.median.max_x is not None for variant in curves):
        parts.append("Open marks are the slowest request.")
    parts += _left_out(comparison, curves)
    if any(at.effect and at.effect.interval for each in ratios.values() for at in each.values()):
        single = all(len(variant) == 1 for variant in comparison.variants)
        whose = "hold for these single runs; further runs may differ more"
        parts.append(f"Bands below {whose if single else 'are intervals of the ratio'}.")
    if any(s <= 0 for variant in curves for s in variant.median.points.values()):
        parts.append(ZEROS)
    return " ".join(parts)


def _left_out(comparison: Comparison, curves: Sequence[VariantCurves]) -> list[str]:
    """Return which percentiles are not drawn, and whether somebody printed them."""
    limits = {label: comparison.by_label[label].trusted_below for label in comparison.order}
    cut = {label: round(limit, 7) for label, limit in limits.items() if limit < 1}
    sentences = []
    for quantile in sorted(set(cut.values())):
        names = [show.quoted(label, limit=40) for label, q in cut.items() if q == quantile]
        whose = "" if len(names) == len(limits) else f" of {some(names)}"
        sentences.append(f"Withheld from {show.percentile(quantile)} on{whose}.")
    drawn = {variant.key.label for variant in curves}
    missing = [label for label in comparison.order if label not in drawn and label not in cut]
    if missing:
        names = [show.quoted(label, limit=40) for label in missing]
        sentences.append(f"No percentiles of {some(names)}.")
    return sentences


def label(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return the extremes of each variant for readers who see no picture."""
    spans = []
    for variant in curves[:8]:
        (low_q, low), *_, (high_q, high) = [*variant.median.points.items()] * 2
        first, last = show.percentile(low_q), show.percentile(high_q)
        span = f"{first} {show.duration(low)} to {last} {show.duration(high)}"
        spans.append(f"{variant.key.name} {span}")
    where = f" of {show.clean(comparison.scenario, limit=60)}" if comparison.scenario else ""
    return f"Latency by percentile{where}: {'; '.join(spans)}; values in the table below"
