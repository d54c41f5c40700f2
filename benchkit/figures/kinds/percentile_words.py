"""The words of the figure of percentiles: title, caption, and a label for who sees no picture."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from benchkit import format as show
from benchkit.figures.chart import Axis
from benchkit.figures.curves import (
    FIRST,
    Change,
    Ratios,
    VariantCurves,
    barred,
    leading,
    ranged,
    sharing,
    untested,
    with_interval,
)
from benchkit.figures.look import Key, legend
from benchkit.figures.marks import MOST_BANDS
from benchkit.figures.requests import clock
from benchkit.figures.scales import ZEROS
from benchkit.figures.words import failed_too, furthest_apart, named_between, withheld_from
from benchkit.model.comparison import Comparison
from benchkit.model.grouping import grouped
from benchkit.model.metric import percentile
from benchkit.names import some
from benchkit.schema import QUANTILE_COLUMNS

#: Of more runs of a variant than these the range is drawn.
MOST_LINES: Final = 5
#: Of the ratios' extent: as high as a line and what is seen beside it.
_COVERED: Final = 0.055
_NAMED: Final = frozenset({0.5, 0.9, 0.95, 0.99})
_CONNECTED: Final = "Lines only connect printed values"
_UNMARKED: Final = "Lines without markers are"


def title(comparison: Comparison, curves: Sequence[VariantCurves], ratios: Ratios) -> str:
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
    rest = _undecided(comparison, changes, ratios) + _untested(comparison, changes, ratios)
    # Over pairs of runs a change is another than that of the medians that are drawn.
    how = ", paired" if all(change.effect.estimate for change in changes) else ""
    how += ", not tested" if comparison.grade.key == "described" else ""
    return f"Latency by percentile{how}: {_both(clauses)}{against}{rest}"


def _untested(comparison: Comparison, changes: Sequence[Change], ratios: Ratios) -> str:
    """Return the change the other way that is seen of the intervals, and that is not tested."""
    change = untested(comparison, ratios, changes[0]) if len(changes) == 1 else None
    return f"; {change.text} with {change.key.quoted}, not tested" if change else ""


def _undecided(comparison: Comparison, changes: Sequence[Change], ratios: Ratios) -> str:
    """Return which other percentiles were tested and decide nothing, of the one variant named."""
    if len({key for each in changes for key in (each.key, *sharing(comparison, ratios, each))}) > 1:
        return ""
    named = {change.effect.metric for change in changes}
    known = sorted(ratios[changes[0].key].items())
    tested = [at.effect for _, at in known if at.effect and at.effect.adjusted_p is not None]
    others = (effect for effect in tested if effect.metric not in named)
    names = [effect.metric.subject for effect in others if effect.verdict == "inconclusive"]
    whose = "its " if len(ratios) > 1 else ""
    return f"; {whose}{show.listed(names)} inconclusive" if names else ""


def _listed(keys: Sequence[Key]) -> str:
    return show.listed([show.quoted(key.label) for key in keys])


def _both(directions: Iterable[str]) -> str:
    """Return changes the one and the other way, or the only one."""
    return ", but ".join(directions)


def highest(curves: Sequence[VariantCurves]) -> float | None:
    """Return the highest of the usual percentiles that all variants have, None without one."""
    common = set.intersection(*(set(variant.median.points) for variant in curves))
    return max(common & _NAMED, default=None)


def _spans(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return from where to where the highest percentile goes that all variants have.

    Of those that cannot be compared only who they are.
    """
    if not comparison.grade.comparable and len(comparison.variants) > 1:
        return f"{some([v.key.quoted for v in curves])}, not compared"
    curves = _comparable(comparison, curves)
    quantile = highest(curves)
    if quantile is None:
        return show.plural(len(curves), "variant")
    at = [(v.key.quoted, v.median.points[quantile]) for v in curves]
    metric = percentile(quantile)
    return f"{metric.name} {named_between(at, partial(comparison.written, metric))}"


def _comparable(comparison: Comparison, curves: Sequence[VariantCurves]) -> Sequence[VariantCurves]:
    """Return those that a title may rank, if any: failures are often faster than answers."""
    return [v for v in curves if comparison.grade_of(v.key.label).comparable] or curves


def _at_level(comparison: Comparison, curves: Sequence[VariantCurves]) -> str:
    """Return at which level of a sweep the highest percentile that all have differs most."""
    curves = _comparable(comparison, curves)
    axis, quantile = comparison.axis, highest(curves)
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


def caption(
    comparison: Comparison,
    curves: Sequence[VariantCurves],
    ratios: Ratios,
    x: Axis | None = None,
) -> str:
    """Return what lines, marks and bars are, and what is not drawn.

    `x` is the axis of the only panel of curves, None where each variant has one.
    """
    parts, many = ["Latency by percentile, both axes log."], x is None
    both = x is not None and _share_bars(curves, ratios, x)
    marked = not many and any(variant.median.has_marks for variant in curves)
    computed = [variant for variant in curves if variant.median.computed]
    printed = [variant for variant in curves if not variant.median.computed]
    if printed:
        text = "Markers are printed values; lines only connect them" if marked else _CONNECTED
        parts.append(f"{text}{_begin(printed)}.")
        answered = (
            v.key.variant for v in printed if any(r.get("non2xx") for r in v.key.variant.runs)
        )
        if failed := failed_too(answered):
            parts.append(f"They are of all requests{failed}.")
    if computed:
        others = _UNMARKED if marked else "Others show" if printed else "Lines show"
        failed = failed_too(variant.key.variant for variant in computed)
        parts.append(f"{others} all requests{_begin(computed)}{failed}.")
        parts += _steps(curves)
    if any(len(variant) > 1 for variant in comparison.variants):
        around = "" if many and not comparison.axis else _runs(curves, x, both=both)
        parts.append(f"Lines are medians over runs{around}.")
    parts += _ends(curves)
    if x and any(variant.median.max_x is not None for variant in curves):
        aside = ", beyond the gap in the axis," if x.gap else ""
        several = any(len(variant.runs) > 1 for variant in curves)
        slowest = (
            "medians of the slowest requests of the runs" if several else "the slowest request"
        )
        parts.append(f"Open marks{aside} are {slowest}.")
    parts += _left_out(comparison, curves)
    parts += _below(comparison, ratios, x, above=curves, both=both) if x else []
    if any(s <= 0 for variant in curves for s in variant.median.points.values()):
        parts.append(ZEROS)
    return " ".join(parts)


def caption_of_ratios(comparison: Comparison, ratios: Ratios, x: Axis) -> str:
    """Return what lines and bars of the ratios are where nothing stands above them."""
    base = show.quoted(legend(comparison)[comparison.baseline].label, limit=40)
    start = f"Latency over that of {base} by percentile, both axes log."
    limits = {key.label: min(key.variant.trusted_below, key.shown_below) for key in ratios}
    return " ".join([start, *withheld_from(limits), *_below(comparison, ratios, x)])


def _runs(curves: Sequence[VariantCurves], x: Axis | None, *, both: bool) -> str:
    """Return what shows the runs around the medians; of many the range alone without an axis.

    Where `both` panels have bars at the same percentiles, the words of the lower say which.
    """
    if x is not None and has_ranges(curves):
        kept = ranged(curves, x)
        at = "" if both else f" at {_placed(kept)}"
        return f", bars beside them the range of the runs{at}" if kept else ""
    counts = [len(variant.runs) for variant in curves if variant.runs]
    lines = ", thin ones runs" if x and any(count <= MOST_LINES for count in counts) else ""
    return f"{lines}, bands their range" if any(count > MOST_LINES for count in counts) else lines


def _begin(curves: Sequence[VariantCurves]) -> str:
    """Return from where on lines are drawn, empty where that is their first value."""
    later = any(variant.median.line != variant.median.points for variant in curves)
    return f", from {show.percentile(FIRST)} on" if later else ""


def _ends(curves: Sequence[VariantCurves]) -> list[str]:
    """Return where lines end before the last request, nothing where none does."""
    coarse = [
        v.median for v in curves if v.median.ends_exact and max(v.median.points) <= v.median.exact
    ]
    ends = []
    if coarse:
        step = show.duration(max(median.step_s for median in coarse))
        ends.append(f"where only steps of {step} are known")
    if any(variant.median.carried < 1 for variant in curves):
        ends.append("where a variant's requests carry no further percentile")
    return [f"Lines end {' or '.join(ends)}."] if ends else []


def _steps(curves: Sequence[VariantCurves]) -> list[str]:
    """Return how fine latencies are, nothing where that is not seen."""
    coarse = [variant for variant in curves if variant.median.step_s]
    step = max((variant.median.step_s for variant in coarse), default=0.0)
    exact = min((variant.median.exact for variant in coarse), default=0.0)
    if not exact:
        return clock(step)
    names = [show.quoted(variant.key.label, limit=40) for variant in coarse]
    whose = "They" if len(coarse) == len(curves) else f"Those of {some(names)}"
    left_out = any(variant.median.ends_exact for variant in coarse)
    last = max(q for variant in coarse for q in variant.median.points)
    if last <= exact:
        return [f"{whose} go through exact percentiles."]
    beyond = ", and left out where that is coarse" if left_out else ""
    text = f"{whose} go through exact percentiles up to {show.percentile(exact)}"
    return [f"{text}, beyond in steps of {show.duration(step)}{beyond}."]


def _share_bars(curves: Sequence[VariantCurves], ratios: Ratios, x: Axis) -> bool:
    """Whether ranges above and intervals below stand at the same percentiles."""
    return has_ranges(curves) and len(ratios) > 1 and barred(ratios, x) == ranged(curves, x)


def _placed(quantiles: Sequence[float]) -> str:
    """Return where the bars of several variants stand."""
    at = show.listed([*map(show.percentile, quantiles)])
    return f"{at}, side by side and joined to the marks on the lines"


def _below(
    comparison: Comparison,
    ratios: Ratios,
    x: Axis,
    *,
    above: Sequence[VariantCurves] = (),
    both: bool = False,
) -> list[str]:
    """Return what lines and bars below the latencies are, nothing without bars.

    Where no curves are `above`, nothing is below them; `both` have bars where these have.
    """
    below = " below" if above else ""
    effects = [at.effect for each in ratios.values() for at in each.values() if at.effect]
    kept = barred(ratios, x)
    if not kept:
        return []
    at = show.listed([*map(show.percentile, kept)])
    if len(ratios) > 1 and (both or not (has_ranges(above) and ranged(above, x))):
        at = _placed(kept)  # where it was not said of the bars above
    aside = f", both at {at}" if both else f" at {at}"
    named = {tick for _, tick in x.ticks}
    every = [show.percentile(q) for q in with_interval(ratios) if q not in kept]
    if left := [name for name in every if name in named]:
        aside += f" (no bars at {show.listed(left)}, too near another)"
    hidden = (
        ["One that is not seen is about as small as a line is wide."]
        if _hides_bars(ratios, kept)
        else []
    )
    last = max(q for each in ratios.values() for q in each)
    if any(max(variant.median.points) > last for variant in above):
        hidden.append(f"Ratios end at {show.percentile(last)}, the last with an interval.")
    if all(len(variant) == 1 for variant in comparison.variants):
        bars = "hold for these single runs; further runs may differ more"
        return [f"Bars{below}{aside} {bars}.", *hidden]
    if not all(effect.estimate for effect in effects):
        return [f"Bars{below} are intervals of the ratio{aside}.", *hidden]
    medians = "the lines above" if above else "medians of runs"
    lines = f"Ratios{below} are estimated over pairs of runs, not from {medians}"
    return [f"{lines}; bars are their intervals{aside}.", *hidden]


def _hides_bars(ratios: Ratios, kept: Collection[float]) -> bool:
    """Whether an interval is so short, beside how far the ratios go, that its line covers it."""
    every = [at for each in ratios.values() for at in each.values()]
    known = [
        i for each in ratios.values() for q, at in each.items() if q in kept and (i := at.interval)
    ]
    values = [1.0, *(at.ratio for at in every), *(end for i in known for end in (i.low, i.high))]
    extent = math.log(max(values) / min(values))
    return any(math.log(i.high / i.low) < _COVERED * extent for i in known)


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
    return [*sentences, *_in_some_runs(curves)]


def _in_some_runs(curves: Sequence[VariantCurves]) -> Iterator[str]:
    """Yield which compared percentiles are not drawn as some runs of a variant did not print them.

    A line that ends before others would seem to have been cut for no reason.
    """
    lacking = {v.key.label: _lacking(v) for v in curves}
    for quantiles, labels in grouped(lacking, lacking.__getitem__).items():
        if quantiles:
            names = some([show.quoted(label, limit=40) for label in labels])
            which = show.listed([show.percentile(q) for q in quantiles])
            yield f"{which} of {names} left out, as not every run has it."


def _lacking(variant: VariantCurves) -> tuple[float, ...]:
    """Return what some runs printed and others, whose requests carry it, did not."""
    printed = [run for run in variant.runs if not run.computed and not run.ends_exact]
    every = sorted({q for run in printed for q in run.points if q in QUANTILE_COLUMNS})
    return tuple(q for q in every if any(q not in r.points and q <= r.carried for r in printed))


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


def has_ranges(curves: Sequence[VariantCurves]) -> bool:
    """Whether bars show how far runs go, as bands are too many to lie over each other."""
    return sum(len(variant.runs) > MOST_LINES for variant in curves) > MOST_BANDS
