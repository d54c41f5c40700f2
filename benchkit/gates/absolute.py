"""A rule with a limit of its own about one variant: decided by what its runs measured.

Of five runs or more the interval of their median decides, of fewer their range, of one its value;
each widened by what the step of the clock hides.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchkit import format as show
from benchkit.compare.draft import is_padded
from benchkit.gates.doubts import Doubts
from benchkit.gates.rule import Rule, quantile_of
from benchkit.gates.ruling import Outcome, Ruling
from benchkit.gates.scope import Member
from benchkit.model.failures import (
    error_bounds,
    late_answers,
    may_redirect,
    waiting_connections,
)
from benchkit.model.metric import BY_COLUMN, ERROR_RATIO, Metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.stats import LEVEL
from benchkit.validity.amounts import withheld_at

REDIRECTS: Final = "what is only known to be no 2xx may be redirects"
UNCOUNTED: Final = "other failures are not counted"
WAITING: Final = "timeouts may be lost requests or idle connections"
LATE: Final = "answers after the timeout are no failures"
PADDED: Final = "the tool added samples that it never measured"
#: No added sample is longer than the measured one that it was made from (wrk 4.2.0, `stats.c`,
#: `stats_correct`; HdrHistogram's `recordValueWithExpectedInterval`): the largest was measured.
UP_TO_MAX: Final = f"{PADDED}, none of them longer than the maximum"
MAX: Final = BY_COLUMN["latency_max_s"]


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What the runs leave open: bounds of a value, and how they came about."""

    low: float
    high: float
    level: float | None
    about: str = ""


def ruled(rule: Rule, member: Member, doubts: Doubts) -> Ruling:
    """Return what came of an absolute rule for one variant.

    Args:
        rule: Its scope is not looked at.
        member: The variant.
        doubts: What findings say against its figures.
    """
    metric, variant = rule.metric, member.variant
    runs = variant.having(metric)
    start = Ruling(rule, "missing", scenario=member.scenario, variant=member.label, runs=len(runs))
    if why := _withheld(variant, metric, runs):
        return replace(start, outcome="inconclusive", reason=f"withheld: {why}", runs=0)
    if not runs:
        reason = f"no run has {metric.name}"
        return replace(start, outcome="skipped" if rule.optional else "missing", reason=reason)
    values = [value for run in runs if (value := metric.value(run)) is not None]
    padded = is_padded(metric, runs) and metric is not MAX
    bounds = (_padded_bounds(runs) if padded else None) or _bounds(values)
    bounds = _of_failures(bounds, runs) if metric is ERROR_RATIO else bounds
    basis = MAX if bounds.about == UP_TO_MAX else metric
    coarse = _widened(bounds, _step(basis, variant))
    start = replace(
        start,
        measured=statistics.median(values),
        low=coarse.low,
        high=coarse.high,
        level=coarse.level,
    )
    outcome, reason = _outcome(rule, bounds)
    if _outcome(rule, coarse)[0] != outcome:
        outcome, reason = _outcome(rule, coarse)
    doubt = _absent(metric, variant) or doubts.about(basis, [variant])
    if padded and basis is metric:
        outcome, reason = "inconclusive", PADDED
    elif outcome == "passed" and doubt:
        outcome, reason = "inconclusive", doubt
    return replace(start, outcome=outcome, reason=reason)


def _outcome(rule: Rule, bounds: _Bounds) -> tuple[Outcome, str]:
    holds = rule.holds(bounds.low), rule.holds(bounds.high)
    if all(holds):
        return "passed", bounds.about
    if not any(holds):
        return "failed", bounds.about
    what = "the interval of the median" if bounds.level else "what was measured"
    if bounds.about.startswith(UP_TO_MAX):
        what = "what this leaves open"
    return "inconclusive", "; ".join(filter(None, (f"{what} holds the limit", bounds.about)))


def _bounds(values: Sequence[float]) -> _Bounds:
    """Return what the runs leave open of their median."""
    import numpy as np

    from benchkit.stats.medians import median_bounds

    within = median_bounds(np.array(values), LEVEL)
    if within is not None:
        return _Bounds(within[0], within[2], LEVEL)
    few = f"the range of {show.plural(len(values), 'run')}, too few for an interval"
    return _Bounds(min(values), max(values), None, "one run" if len(values) == 1 else few)


def _padded_bounds(runs: Sequence[Run]) -> _Bounds | None:
    """Return what latencies with added samples leave open: anything up to the largest maximum.

    None where a run does not have its maximum.
    """
    largest = [MAX.value(run) for run in runs]
    known = [value for value in largest if value is not None]
    if len(known) < len(largest):
        return None
    return _Bounds(0.0, max(known), None, UP_TO_MAX)


def _of_failures(bounds: _Bounds, runs: Sequence[Run]) -> _Bounds:
    """Return bounds of a share of failures with what the counts of the runs leave open."""
    shares = [known for run in runs if (known := error_bounds(run)) is not None]
    low, high = (_bounds(ends) for ends in zip(*shares, strict=True))
    about = [
        bounds.about,
        REDIRECTS if any(map(may_redirect, runs)) and low.low < bounds.low else "",
        WAITING if any(map(waiting_connections, runs)) else "",
        UNCOUNTED if high.high > bounds.high else "",
        LATE if any(map(late_answers, runs)) else "",
    ]
    words = "; ".join(filter(None, about))
    return replace(bounds, low=min(low.low, bounds.low), high=high.high, about=words)


def _widened(bounds: _Bounds, step: float) -> _Bounds:
    """Return bounds with what the step of the clock hides.

    A tool that rounds is off by half a step either way, one that cuts off by a whole one.
    """
    if not step:
        return bounds
    coarse = f"the clock has steps of {show.duration(step)}"
    about = "; ".join(filter(None, (bounds.about, coarse)))
    low, high = max(bounds.low - step / 2, 0.0), bounds.high + step
    return _Bounds(low, high, bounds.level, about)


def _step(metric: Metric, variant: Variant) -> float:
    """Return the step of the clock in s; a rule about no latency has none."""
    if not metric.is_latency:
        return 0.0
    return max((run.step_of(metric.column) for run in variant.runs), default=0.0)


def _withheld(variant: Variant, metric: Metric, runs: Sequence[Run]) -> str:
    """Return why a figure is not shown; a percentile beyond one that is not shown is none.

    One that the tool does not print is missing, and not withheld.
    """
    quantile = quantile_of(metric.name)
    if quantile is None:
        return variant.withheld.get(metric.column, "")
    printed = runs or any(run.counts.outcomes for run in variant.runs)
    if not printed and metric.column not in variant.withheld:
        return ""
    return withheld_at(variant, quantile)


def _absent(metric: Metric, variant: Variant) -> str:
    """Return how many runs do not have a figure, empty where all have it."""
    absent = len(variant) - len(variant.having(metric))
    have = "does" if absent == 1 else "do"
    return f"{absent} of {show.plural(len(variant), 'run')} {have} not have it" if absent else ""
