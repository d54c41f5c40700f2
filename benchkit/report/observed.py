"""Sentences about runs of which nothing was tested: what was seen, in the past tense."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from benchkit import format as show
from benchkit.compare.draft import is_padded
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.report import changes
from benchkit.validity.amounts import withheld_at

_KEY: Final = tuple(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p95", "p50", "mean"))
#: Values so near to each other are about equal.
_EVEN: Final = 1.005
#: A throughput so far from the other is said beside latencies that do not say it.
_FAR: Final = 1.05


def alone(comparison: Comparison) -> str:
    """Return what was measured of a variant that is compared with nothing."""
    variant = comparison.base
    known = [(m, value) for m in (THROUGHPUT, *_KEY) if (value := variant.value(m))]
    parts = [
        f"{metric.subject} was {comparison.written(metric, value)}" for metric, value in known[:2]
    ]
    name = show.clean(variant.label, limit=60)
    return f"{name}: {'; '.join(parts) or 'no summary figures'}."


def pair(comparison: Comparison, base: Variant, variant: Variant) -> str:
    """Return what was seen of two variants."""
    names = show.quoted(variant.label), show.quoted(base.label)
    key = _shared(base, variant) or THROUGHPUT
    direction, where = _percentiles(base, variant)
    effect = comparison.tabled_effect(variant.label, THROUGHPUT)
    ratio, rates = 1.0, ""
    if effect and effect.ratio:
        ratio, rates = effect.ratio, f"throughput {changes.in_words(comparison, effect)}"
    latency = _key(comparison, base, variant)
    if rates and is_padded(key, [*base.runs, *variant.runs]):
        rates += _overlap(base, variant, THROUGHPUT)
        latency = f"{latency} with the samples that the tool added" if latency else ""
        return f"{names[0]} against {names[1]}: {'; '.join(filter(None, (rates, latency)))}."
    parts = ["" if direction else where, latency]
    if not where:
        parts = [rates, _conflict(comparison, variant) or latency]
    elif not direction and max(ratio, 1 / ratio) > _FAR:
        parts.insert(0, rates)
    shown = "; ".join(filter(None, parts))
    if not (shown or direction):
        if _shared(base, variant) is None and effect is None:
            return f"{names[0]} and {names[1]} share no figure that could be compared."
        return f"{names[0]} and {names[1]} were equal in what both have."
    if direction:
        claim = f"{names[0]} had {direction} latencies than {names[1]} at {where}"
        against = ratio < 1 / _FAR if direction == "lower" else ratio > _FAR
        claim += f", but {rates}" if against else ""
    else:
        claim = f"{names[0]} against {names[1]}"
    overlap = "" if _equal(base, variant, key) else _overlap(base, variant, key)
    return f"{claim}{f': {shown}' if shown else ''}{overlap}."


def without_latencies(
    comparison: Comparison, base: Variant, variant: Variant, metrics: Iterable[Metric]
) -> str:
    """Return what was seen of two variants in metrics that were asked for, none of them latencies.

    What their latencies were is another question, whose answer may be the opposite.
    """
    parts = []
    for metric in metrics:
        after, before = variant.value(metric), base.value(metric)
        if after is None or before is None:
            continue
        now, then = (comparison.written(metric, value) for value in (after, before))
        seen = f"was equal, {now}" if after == before else f"was {now} instead of {then}"
        parts.append(f"{metric.subject} {seen}{_overlap(base, variant, metric)}")
    names = show.quoted(variant.label), show.quoted(base.label)
    if not parts:
        return f"{names[0]} and {names[1]} share no figure that could be compared."
    return f"{names[0]} against {names[1]}: {'; '.join(parts)}."


def several(comparison: Comparison) -> str:
    """Return which of several variants was ahead."""
    metric = comparison.rank_metric
    if metric is None:
        return "These runs share no figure that orders them."
    first, second = _ahead(comparison, metric)
    values = [variant.value(metric) or 0.0 for variant in comparison.variants]
    if max(values) <= _EVEN * min(values):
        return f"{metric.subject.capitalize()} was about equal for all {len(values)}."
    extreme = "highest" if metric.higher_is_better else "lowest"
    value = comparison.written(metric, first.value(metric) or 0.0)
    name = show.quoted(first.label)
    several_runs = min(len(first), len(second)) > 1
    best = _best(comparison, first, metric)
    if len(best) > 1:
        names, median = show.listed(best), "median " * several_runs
        return f"{names} had the {extreme} {median}{metric.subject}, {value} each."
    if several_runs and not _apart(first, second, metric):
        return (
            f"{name} had the {extreme} median {metric.subject}, {value}, "
            f"but its runs overlap with those of {show.quoted(second.label)}."
        )
    ahead = f", ahead in {_runs((first, second), metric)}" if several_runs else ""
    start = f"{name} had the {extreme} {metric.subject}, {value}"
    return f"{start}{ahead}{_beside(comparison, metric)}."


def _ahead(comparison: Comparison, metric: Metric) -> Sequence[Variant]:
    """Return the two best in a metric, whatever the variants are in the order of."""
    known = [each for each in comparison.variants if each.value(metric) is not None]
    ranked = sorted(
        known, key=lambda each: each.value(metric) or 0.0, reverse=metric.higher_is_better
    )
    return [*ranked, *(each for each in comparison.variants if each not in known)][:2]


def _best(comparison: Comparison, first: Variant, metric: Metric) -> list[str]:
    """Return the names of the variants that are the best in a metric: the first, and its equals."""
    known = (v for v in comparison.variants if v.value(metric) is not None)
    return [show.quoted(v.label) for v in known if v is first or _equal(first, v, metric)]


def _beside(comparison: Comparison, metric: Metric) -> str:
    """Return the change of the first, or where it is the baseline of the second."""
    first, second = _ahead(comparison, metric)
    is_first = comparison.is_baseline(first)
    effect = comparison.tabled_effect((second if is_first else first).label, metric)
    if effect is None or not effect.ratio or (is_first and effect.baseline != first.label):
        return ""
    change = changes.in_words(comparison, effect)
    if is_first:
        return f"; the next was {show.quoted(second.label)}, {change}"
    return f": {change} against {show.quoted(effect.baseline)}"


def _percentiles(base: Variant, variant: Variant) -> tuple[str, str]:
    """Return in which direction percentiles differ and which of them, or no direction and a clause.

    Both are empty where the two have too few in common.
    """
    sides = (base, variant)
    common = [q for q in base.quantiles if q in variant.quantiles and 0 < q < 1]
    common = [q for q in common if not any(withheld_at(side, q) for side in sides)]
    if len(common) < 2:
        return "", ""
    lower = [q for q in common if variant.quantiles[q] < base.quantiles[q]]
    higher = [q for q in common if variant.quantiles[q] > base.quantiles[q]]
    if lower and higher:
        low, high = show.percentile(lower[-1]), show.percentile(higher[-1])
        return "", f"percentiles went both ways, {low} lower and {high} higher"
    origins = {q.origin for side in sides for run in side.runs for q in run.quantiles}
    printed = "printed " if origins == {"printed"} else ""
    every = {q for side in sides for q in side.quantiles if 0 < q < 1}
    both = " that both have" if every - {*common} else ""
    differing = len(lower or higher)
    if not differing:
        return "", f"every {printed}percentile{both} was equal"
    word = "lower" if lower else "higher"
    if differing == len(common):
        return word, f"every {printed}percentile{both}"
    return word, f"{differing} of {len(common)} {printed}percentiles{both}, the others were equal"


def _shared(base: Variant, variant: Variant) -> Metric | None:
    """Return the weightiest latency that both have, one that differs before one that is equal."""
    shared = [metric for metric in _KEY if base.value(metric) and variant.value(metric)]
    differing = (metric for metric in shared if not _equal(base, variant, metric))
    return next(differing, shared[0] if shared else None)


def _equal(base: Variant, variant: Variant, metric: Metric) -> bool:
    """Whether two medians are the same, but for how they were computed."""
    return math.isclose(base.value(metric) or 0.0, variant.value(metric) or 0.0, rel_tol=1e-9)


def _key(comparison: Comparison, base: Variant, variant: Variant) -> str:
    metric = _shared(base, variant)
    if metric is None or _equal(base, variant, metric):
        return ""
    values = (variant.value(metric) or 0.0, base.value(metric) or 0.0)
    now, then = (comparison.written(metric, value) for value in values)
    return f"{metric.subject} was {now} instead of {then}"


def _conflict(comparison: Comparison, variant: Variant) -> str:
    """Return both directions where middle and mean disagree: neither alone is the answer."""
    effects = [comparison.tabled_effect(variant.label, metric) for metric in reversed(_KEY)]
    known = [effect for effect in effects if effect and effect.ratio]
    up = next((e for e in known if e.ratio and e.ratio > _EVEN), None)
    down = next((e for e in known if e.ratio and e.ratio < 1 / _EVEN), None)
    if up is None or down is None:
        return ""
    return (
        f"{down.metric.subject} {changes.in_words(comparison, down)}, "
        f"but {up.metric.subject} {changes.in_words(comparison, up)}"
    )


def _overlap(base: Variant, variant: Variant, metric: Metric) -> str:
    if min(len(base), len(variant)) < 2:
        return ""
    if _apart(base, variant, metric):
        return f", in {_runs((base, variant), metric)}"
    return " by the medians, while the runs overlap"


def _runs(sides: Iterable[Variant], metric: Metric) -> str:
    whole = all(len(side.sample(metric)) == len(side) for side in sides)
    return "all runs" if whole else "all runs that have it"


def _apart(first: Variant, second: Variant, metric: Metric) -> bool:
    sides = first.sample(metric), second.sample(metric)
    if not all(sides):
        return False
    return max(sides[0]) < min(sides[1]) or max(sides[1]) < min(sides[0])
