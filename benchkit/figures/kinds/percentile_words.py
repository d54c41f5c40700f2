"""What the percentile figure says in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchkit import format as show
from benchkit.figures import steps
from benchkit.figures.curves import VariantCurves, coarsest_step
from benchkit.figures.kinds.percentile_ratios import Ratios, extreme
from benchkit.figures.scales import percentile_x
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
    label, quantile, at, overall = extreme(ratios)
    if not at.differs:
        return "No percentile differed by half a per cent"
    if comparison.grade.key == "unshown" or _untold(ratios, label, quantile):
        return "Latency by percentile"
    which = "Of the percentiles" if overall else "Of the percentiles from p50 on"
    change = f"{show.change(at.ratio)} with {show.quoted(label)}"
    return f"{which}, {show.percentile(quantile)} differed most: {change}"


def _untold(ratios: Ratios, label: str, quantile: float) -> bool:
    """Whether the nearest percentile that is compared is not known to differ."""
    known = [(q, at.effect) for q, at in ratios[label].items() if at.effect]
    if not known:
        return False
    at = percentile_x(quantile)
    _, effect = min(known, key=lambda pair: abs(percentile_x(pair[0]) - at))
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
        parts += steps.sentence(coarsest_step(curves))
    if any(len(variant) > 1 for variant in comparison.variants):
        parts.append(f"Lines are medians over runs{_around(curves)}.")
    if any(variant.median.max_x is not None for variant in curves):
        parts.append("Open marks are the slowest request.")
    parts += _left_out(comparison, curves)
    if any(at.effect and at.effect.interval for each in ratios.values() for at in each.values()):
        parts.append(_bands(comparison))
    if any(s <= 0 for variant in curves for s in variant.median.points.values()):
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts)


def _bands(comparison: Comparison) -> str:
    if all(len(variant) == 1 for variant in comparison.variants):
        return "Bands below hold for these single runs; further runs may differ more."
    return "Bands below are intervals of the ratio."


def _around(curves: Sequence[VariantCurves]) -> str:
    """Return what stands around the medians."""
    counts = [len(variant.runs) for variant in curves if variant.runs]
    parts = [", thin ones runs"] if any(count <= MOST_LINES for count in counts) else []
    parts += [", bands their range"] if any(count > MOST_LINES for count in counts) else []
    return "".join(parts)


def _left_out(comparison: Comparison, curves: Sequence[VariantCurves]) -> list[str]:
    """Return which percentiles are not drawn, and whether somebody printed them."""
    limits = {label: comparison.by_label[label].trusted_below for label in comparison.order}
    cut = {label: round(limit, 7) for label, limit in limits.items() if limit < 1}
    sentences = []
    for quantile in sorted(set(cut.values())):
        names = [show.quoted(label, limit=40) for label, q in cut.items() if q == quantile]
        whose = "" if len(names) == len(limits) else f" of {some(names)}"
        sentences.append(f"Withheld from {show.percentile(quantile)} on{whose}.")
    drawn = {variant.label for variant in curves}
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
        name = show.clean(variant.label, limit=40)
        spans.append(f"{name} {first} {show.duration(low)} to {last} {show.duration(high)}")
    where = f" of {show.clean(comparison.scenario, limit=60)}" if comparison.scenario else ""
    return f"Latency by percentile{where}: {'; '.join(spans)}; values in the table below"
