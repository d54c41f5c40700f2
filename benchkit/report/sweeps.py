"""Sentences about sweeps: who is ahead at which levels, and where throughput stops growing."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.compare.sweep import NEAR_PEAK
from benchkit.model.comparison import Comparison, Effect, Knee, key_effect
from benchkit.model.metric import Metric
from benchkit.report import changes

_NAMED: Final = 3
#: Ratios so near to 1 are about equal where nothing was tested.
_EVEN: Final = 0.005


@dataclass(frozen=True, slots=True)
class _Level:
    """One variant at one level: its change, and what that is worth."""

    level: float
    effect: Effect
    ratio: float
    word: str


def swept(comparison: Comparison) -> str:
    """Return what a sweep shows in a sentence, empty where no metric is known at two levels."""
    metric = _swept_metric(comparison)
    if metric is None:
        return ""
    base = comparison.base.name
    names = dict.fromkeys(v.name for v in comparison.variants if v.name != base)
    levels = {name: _levels(comparison, name, metric) for name in names}
    if all(len(own) < 2 for own in levels.values()):
        return ""
    levels = {name: own for name, own in levels.items() if own}
    named = levels
    if len(levels) > _NAMED:
        first = (max if metric.higher_is_better else min)(levels, key=lambda n: _mean(levels[n]))
        named = {first: levels[first]}
    parts = [
        f"{_described(comparison, metric, (show.quoted(name), show.quoted(base)), own)}"
        f"{_but(comparison, name, own)}"
        for name, own in named.items()
    ]
    if others := [own for name, own in levels.items() if name not in named]:
        parts.append(_others(comparison, metric, others))
    return f"{'; '.join(parts)}." if parts else ""


def _swept_metric(comparison: Comparison) -> Metric | None:
    """Return the metric that orders the variants, or what was asked for in its place."""
    metric = comparison.rank_metric
    if metric is None or any(effect.metric == metric for effect in comparison.effects):
        return metric
    effect = key_effect(comparison.effects)
    return effect.metric if effect else None


def _mean(levels: Sequence[_Level]) -> float:
    """Return by what factor a variant differs over all its levels."""
    return statistics.geometric_mean(level.ratio for level in levels)


def _others(comparison: Comparison, metric: Metric, others: Sequence[Sequence[_Level]]) -> str:
    """Return how many variants are ahead or behind, beside the one that is furthest ahead."""
    words = changes.adjectives(comparison.margin) | {
        word: f"{text} {metric.subject}"
        for word, text in (("more", "higher"), ("less", "lower"), ("equal", "about equal"))
    }

    def direction(levels: Sequence[_Level]) -> str:
        own = {level.word for level in levels}
        ways = [word for word in ("faster", "slower", "more", "less") if word in own]
        if not ways:
            return words[min(own, key=list(words).index)]
        where = "at each level" if own == {*ways} and len(ways) == 1 else "at some levels"
        return f"{show.listed([words[way] for way in ways])} {where}"

    counts = Counter(map(direction, others)).most_common()
    first, *rest = [f"{show.count(count)} {text}" for text, count in counts]
    return f"{show.plural(len(others), 'variant')} behind it: {show.listed([first, *rest])}"


def knee_sentence(comparison: Comparison, knee: Knee) -> str:
    """Return where the throughput of a swept variant stops growing."""
    where = ", ".join(filter(None, (comparison.scenario, *show.params(comparison.setting))))
    names = [name for name in (where, knee.variant) if name]
    subject = f"{show.clean(': '.join(names))}: throughput"
    peak = f"{show.rate(knee.peak_rps)}{show.NBSP}req/s"
    param = show.clean(knee.param)
    if knee.level is None:
        return f"{subject} still grew at the last {param}; the highest was {peak}."
    near = show.share(NEAR_PEAK)
    at = f"{param} {show.level(knee.level)}{_span(knee)}"
    return f"{subject} reaches {near} of its highest, {peak}, at {at}."


def _span(knee: Knee) -> str:
    if knee.repetitions < 2:
        return ""
    low, high = (
        "beyond the last" if level is None else show.level(level) for level in (knee.low, knee.high)
    )
    if low == high:
        return f" (in each of {knee.repetitions} repetitions)"
    return f" ({low} to {high} over {knee.repetitions} repetitions)"


def _levels(comparison: Comparison, name: str, metric: Metric) -> list[_Level]:
    levels = []
    for variant in comparison.variants:
        effect = comparison.tabled_effect(variant.label, metric)
        level = variant.level(comparison.axis)
        if variant.name != name or level is None or effect is None or not effect.ratio:
            continue
        word: str = effect.verdict
        if not comparison.grade.tested:
            even = abs(effect.ratio - 1) <= _EVEN
            word = "equal" if even else "more" if effect.ratio > 1 else "less"
        elif effect.obstacle == "forbidden":
            word = changes.NO_VERDICT
        elif effect.obstacle == "few":
            word = changes.UNTESTED
        elif not effect.tested:
            continue
        levels.append(_Level(level, effect, effect.ratio, word))
    return sorted(levels, key=lambda level: level.level)


def _described(
    comparison: Comparison, metric: Metric, names: tuple[str, str], levels: Sequence[_Level]
) -> str:
    seen = {"more": "", "less": "", "equal": "about equal"}  # where nothing was tested
    start, parts = f"{names[0]} against {names[1]} in {metric.subject}: ", list[str]()
    for word, text in (changes.adjectives(comparison.margin) | seen).items():
        some = [level for level in levels if level.word == word]
        if not some:
            continue
        where = _where(some, levels, comparison.axis)
        span = _changes(comparison, some)
        if word not in {"faster", "slower"}:
            parts.append(f"{text or span} {where}")
        elif parts:
            parts.append(f"{text} {where}: {span}")
        else:
            start = f"{names[0]} is {text} than {names[1]} {where}: "
            parts.append(f"{metric.subject} {span}")
    return f"{start}{'; '.join(parts)}"


def _but(comparison: Comparison, name: str, levels: Sequence[_Level]) -> str:
    """Return where tests of other metrics decided what none of the leading one did."""
    missing = {"faster", "slower"} - {level.word for level in levels}
    metrics = dict.fromkeys(effect.metric for effect in comparison.effects if effect.tested)
    parts = []
    for metric in (each for each in metrics if each != comparison.rank_metric):
        every = _levels(comparison, name, metric)
        for word in ("faster", "slower"):
            some = [level for level in every if level.word == word]
            if some and word in missing and comparison.grade.tested:
                where = _where(some, every, comparison.axis)
                span = _changes(comparison, some)
                parts.append(f"{word} in {metric.subject} {where}, {span}")
    return f"; but {show.listed(parts)}" if parts else ""


def _where(some: Sequence[_Level], levels: Sequence[_Level], axis: str) -> str:
    param = show.clean(axis, limit=30)
    if len(some) == len(levels) > 1:
        span = f"{show.level(levels[0].level)} to {show.level(levels[-1].level)}"
        of_what = "levels" if param == "level" else f"levels of {param}"
        return f"at each of {len(levels)} {of_what}, {span}"
    if len(some) > _NAMED:
        return f"at {len(some)} of {len(levels)} levels"
    return f"at {param} {show.listed([show.level(level.level) for level in some])}"


def _changes(comparison: Comparison, some: Sequence[_Level]) -> str:
    """Return the least and the most, and behind them how they were estimated."""
    span = changes.span(comparison, [level.effect for level in some])
    estimates = dict.fromkeys(level.effect.method for level in some if level.effect.method)
    return f"{span} ({', '.join(estimates)})" if estimates else span
