"""A change against the baseline, for a table and for a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from benchkit import format as show
from benchkit.model.comparison import Comparison, Effect, key_effect
from benchkit.report.tabular import BAR, Change

#: What effects say together besides a verdict: both of them, none that may be given, or nothing.
MIXED: Final = "mixed"
NO_VERDICT: Final = "withheld"
UNTESTED: Final = "untested"
NOT_TESTED: Final = "not tested"
#: Of these either alone would mislead where they contradict each other.
_PRIMARY: Final = frozenset({"throughput", "p50", "p99"})


def adjectives(margin: float) -> dict[str, str]:
    """Return what a variant is beside its baseline, in words, by what its effects say."""
    return {
        "faster": "faster",
        "slower": "slower",
        "same": f"the same within {show.margin(margin)}",
        MIXED: "faster by some metrics and slower by others",
        "inconclusive": "not shown to differ",
        NO_VERDICT: "without a verdict",
        UNTESTED: "without a verdict",
    }


def verdict(comparison: Comparison, effect: Effect) -> str:
    """Return the verdict with its margin; of what no test was made where others were, that.

    It is empty where nothing was tested.
    """
    if effect.verdict == "same":
        return f"same within {show.margin(comparison.margin)}"
    if effect.tested:
        return effect.verdict
    return NOT_TESTED if has_verdicts(comparison) else ""


def has_verdicts(comparison: Comparison) -> bool:
    """Whether anything in a comparison was tested, be it of too few runs."""
    return comparison.grade.tested or comparison.grade.key == "few"


def change(comparison: Comparison, effect: Effect | None, *, longest: float = 0.0) -> Change | None:
    """Return the change of a table cell, None where there is none.

    `longest` is the logarithm of the ratio whose bar is the longest, 0 for no bars.
    """
    if effect is None or not effect.amount:
        return None
    as_factor = effect.metric.column in comparison.factors
    if not effect.ratio:
        return Change(show.points(effect.amount), verdict=verdict(comparison, effect))
    bounds = effect.bounds
    return Change(
        text=comparison.change(effect.metric, effect.ratio, bounds),
        estimate=effect.method,
        interval=(
            show.change_interval(effect.ratio, *bounds, as_factor=as_factor) if bounds else ""
        ),
        verdict=verdict(comparison, effect),
        bar=_bar(effect, longest),
    )


def written(comparison: Comparison, effects: Iterable[Effect]) -> list[str]:
    """Return the ratios of effects, each as in its cell of a table; equal ones once."""
    ratios = ((effect, effect.ratio) for effect in effects)
    texts = [comparison.change(e.metric, ratio, e.bounds) for e, ratio in ratios if ratio]
    return list(dict.fromkeys(texts))


def span(comparison: Comparison, effects: Iterable[Effect]) -> str:
    """Return the smallest and the largest ratio of effects: `+36 % to +76 %`, `2.0× to 300×`."""
    ordered = sorted(effects, key=lambda effect: effect.ratio or math.inf)
    return " to ".join(written(comparison, [ordered[0], ordered[-1]]))


def primary(effects: Iterable[Effect], sign: int, comparison: Comparison) -> Effect | None:
    """Return the leading one of the primary metrics that is clearly better, 1, or worse, -1."""
    each = (effect for effect in effects if effect.metric.name in _PRIMARY)
    return key_effect(
        [e for e in each if e.gain(comparison.margin) == sign], comparison.rank_metric
    )


def longest(effects: Iterable[Effect | None]) -> float:
    """Return the largest logarithm of the ratios, whatever their direction."""
    return max((_length(effect) for effect in effects if effect), default=0.0)


def in_words(comparison: Comparison, effect: Effect) -> str:
    """Return a change for a sentence: `+5.1 % (paired, +3.9 to +6.3 %)`; the ratio is known."""
    cell = change(comparison, effect)
    assert cell is not None  # noqa: S101 - the caller has looked
    beside = ", ".join(part for part in (cell.estimate, cell.interval) if part)
    return f"{cell.text} ({beside})" if beside else cell.text


def subject(effect: Effect) -> str:
    """Return the metric at the start of a sentence."""
    text = effect.metric.subject
    return text if effect.metric.title[:1] == "p" else f"{text[:1].upper()}{text[1:]}"


def confidences(effects: Iterable[Effect]) -> set[float]:
    """Return those of the intervals that there are."""
    return {effect.interval.confidence for effect in effects if effect.interval}


def levels(confidences: Iterable[float]) -> list[str]:
    """Return confidences as they are shown, ascending, each once."""
    return list(dict.fromkeys(show.share(round(level, 3)) for level in sorted(confidences)))


def runs(effect: Effect) -> str:
    """Return the runs of both sides: `8 runs each`."""
    if effect.runs == effect.baseline_runs:
        return f"{show.plural(effect.runs, 'run')} each"
    return f"{effect.runs} and {show.plural(effect.baseline_runs, 'run')}"


def _bar(effect: Effect, longest: float) -> int:
    """Return the length of a bar, below 0 for worse; a bar would say more of what is open."""
    is_open = effect.interval is not None and effect.crosses
    if not longest or is_open or effect.verdict == "same" or not effect.ratio:
        return 0
    length = min(BAR, round(BAR * _length(effect) / longest))
    return length if (effect.ratio > 1) == effect.metric.higher_is_better else -length


def _length(effect: Effect) -> float:
    return abs(math.log(effect.ratio)) if effect.ratio else 0.0
