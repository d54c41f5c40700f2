"""What the percentile figure says in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare import Comparison
from benchkit.figures.intervals import Intervals
from benchkit.figures.ratios import extreme
from benchkit.measured import VariantCurves, trusted_below
from benchkit.names import some

#: Of more runs of a variant than these the range is drawn.
MOST_LINES: Final = 5
_WITHIN: Final = "Bands below hold for these single runs; further runs may differ more."


def title(comparison: Comparison, ratios: Mapping[str, Mapping[float, float]]) -> str:
    """Return where the difference was largest, where one may be told."""
    if comparison.axis:
        # What one level showed would stand for the others.
        return f"Latency by percentile at each {show.clean(comparison.axis, limit=40)}"
    if not ratios or comparison.grade.key == "unshown":
        return "Latency by percentile"
    label, quantile, value = extreme(ratios)
    change = show.change(1 / value)
    if change is None or not change.amount:
        return "No percentile differed by half a per cent"
    name = show.percentile(quantile)
    if len(comparison.variants) == 2:
        return f"The difference was largest at {name}: {change}"
    return f"The difference was largest at {name}: {change} with {show.quoted(label)}"


def subtitle(
    comparison: Comparison, curves: Sequence[VariantCurves], sure: Intervals | None
) -> str:
    """Return quantity, scales and marks; `sure` is None where no ratios are drawn."""
    parts = ["Latency by percentile, both axes log."]
    if any(not one.median.computed for one in curves):
        parts.append("Markers are printed values; lines only connect them.")
    if any(one.median.computed for one in curves):
        parts.append("Lines without markers are all requests.")
    if any(one.runs > 1 for one in comparison.variants):
        parts.append(f"Lines are medians over runs{_around(curves)}.")
    if any(one.median.max_x is not None for one in curves):
        parts.append("Open marks are the slowest request.")
    parts += _left_out(comparison, curves)
    if sure is not None and sure.of:
        parts.append(_WITHIN if sure.within else "Bands below are intervals of the ratio.")
    if any(s <= 0 for one in curves for s in one.median.points.values()):
        parts.append("0 s cannot stand on a log axis; the table has it.")
    return " ".join(parts)


def _around(curves: Sequence[VariantCurves]) -> str:
    """Return what stands around the medians."""
    counts = [len(one.runs) for one in curves if one.runs]
    parts = [", thin ones runs"] if any(count <= MOST_LINES for count in counts) else []
    parts += [", bands their range"] if any(count > MOST_LINES for count in counts) else []
    return "".join(parts)


def _left_out(comparison: Comparison, curves: Sequence[VariantCurves]) -> list[str]:
    """Return which percentiles are not drawn, and whether somebody printed them."""
    by_label = {one.label: one for one in comparison.variants}
    cut = {label: q for label in comparison.order if (q := trusted_below(by_label[label])) < 1}
    told = []
    for quantile in sorted(set(cut.values())):
        names = [show.quoted(label, limit=40) for label, q in cut.items() if q == quantile]
        of = "" if len(names) == len(by_label) else f" of {some(names)}"
        told.append(f"Withheld from {show.percentile(quantile)} on{of}.")
    missing = [one for one in comparison.order if one not in _named(curves) and one not in cut]
    if missing:
        names = [show.quoted(label, limit=40) for label in missing]
        told.append(f"No percentiles of {some(names)}.")
    return told


def _named(curves: Sequence[VariantCurves]) -> set[str]:
    return {one.label for one in curves}


def label(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return the extremes of each variant for readers who see no picture."""
    spans = []
    for one in curves[:8]:
        (low_q, low), *_, (high_q, high) = [*one.median.points.items()] * 2
        first, last = show.percentile(low_q), show.percentile(high_q)
        name = show.clean(one.label, limit=40)
        spans.append(f"{name} {first} {show.duration(low)} to {last} {show.duration(high)}")
    where = f" of {show.clean(comparison.scenario, limit=60)}" if comparison.scenario else ""
    return f"Latency by percentile{where}: {'; '.join(spans)}; values in the table below"
