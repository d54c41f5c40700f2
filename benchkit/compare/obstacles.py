"""Why two variants, or one metric of them, cannot be compared at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from benchkit import format as show
from benchkit.model.grouping import grouped
from benchkit.model.metric import BY_COLUMN, COUNT_FAILURES, ERROR_RATIO, Metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.names import some
from benchkit.validity.failures import APART, mean_failed_share

#: Below this share of successes, or with shares further apart, latencies are of other things.
_SUCCESS_NEEDED: Final = 0.9
_SUCCESS_APART: Final = 0.1
#: With fewer successes nothing was done.
_SUCCESS_SOME: Final = 0.1
#: Shares so near to each other are the same, as the checks see it.
_SUCCESS_SAME: Final = 0.01
#: With more failures than this, latency and throughput are of something else.
_MOST_FAILING: Final = 0.1
_RATE_APART: Final = 0.01
#: A wait of more than this share of the sending makes a rate one of the timeout.
_WAITS: Final = 0.1
#: What is said of requests among which redirects may be, or those that got no answer.
_NO_2XX: Final = "got no 2xx answer"
_MEANINGS: Final = {
    "load_model": "the load model (open or closed loop)",
    "correction": "whether the tool added samples",
    "clock": "what a latency spans",
}


def obstacles(variants: Sequence[Variant], *, failures: bool = True) -> list[str]:
    """Return why these variants cannot be compared, nothing where they can.

    Failing requests are no obstacle where they are what is counted.
    """
    reasons = [*_meanings(variants), *_load(variants)]
    return [*reasons, *failure_reasons(variants)] if failures else reasons


def metric_obstacle(baseline: Variant, variant: Variant, metric: Metric) -> str:
    """Return why two variants cannot be compared in a metric, empty where they can."""
    counted = metric.name in COUNT_FAILURES
    reasons = obstacles((baseline, variant), failures=not counted)
    if reasons:
        clauses = [f"{text[0].lower()}{text[1:]}".rstrip(".") for text in reasons]
        return f"not comparable: {'; '.join(clauses)}"
    failing = [share for v in (baseline, variant) if (share := _failing(v)) is not None]
    if failing and max(failing) > _MOST_FAILING and not counted:
        return f"not comparable: {show.share(max(failing))} of the requests of a side {_NO_2XX}"
    return ""


def waited(runs: Iterable[Run]) -> str:
    """Return why rates of runs are none of the server: they count the wait for the last answers."""
    pairs = [(run.number("wait_s"), run.number("duration_s")) for run in runs]
    shares = [wait / (all_s - wait) for wait, all_s in pairs if wait and all_s and all_s > wait]
    most = max(shares, default=0.0)
    if most <= _WAITS:
        return ""
    return f"rates count the wait for the last answers, up to {show.share(most)} of the sending"


def failing_apart(variants: Sequence[Variant]) -> str:
    """Return why only goodput is tested of variants that can be compared, empty where all is."""
    each = [(mean_failed_share(variant), variant) for variant in variants]
    shares = sorted(((s, v) for s, v in each if s is not None), key=lambda known: -known[0])
    least = shares[-1][0] if len(shares) == len(variants) else 0.0
    if not shares or len(each) < 2 or shares[0][0] - least <= APART or obstacles(variants):
        return ""
    (most, worst), *others = shares
    rest = [f"{show.share(share)} of {show.quoted(variant.label)}" for share, variant in others]
    rest += [f"of {show.quoted(v.label)} that is not known" for share, v in each if share is None]
    failed = "failed" if _failing(worst) is None else _NO_2XX
    of_worst = f"of the requests of {show.quoted(worst.label)} {failed}"
    return f"{show.share(most)} {of_worst}, {show.listed(rest)}"


def are_mixed(variants: Sequence[Variant]) -> bool:
    """Whether many requests of a variant failed: latencies and throughput are of these, too."""
    shares = [share for v in variants if (share := v.values["success_ratio"]) is not None]
    return any(share < _SUCCESS_NEEDED for share in shares)


def _failing(variant: Variant) -> float | None:
    """Return the share of failures where only counts tell it; `obstacles` looks at the others."""
    if any(run.get("success_ratio") is not None for run in variant.runs):
        return None
    return variant.value(ERROR_RATIO)


def _meanings(variants: Sequence[Variant]) -> list[str]:
    reasons = []
    for column, what in _MEANINGS.items():
        values = sorted({value for variant in variants for value in variant.facts[column]})
        if len(values) > 1:
            reasons.append(f"The runs differ in {what}: {show.listed(values)}.")
    return reasons


def _load(variants: Sequence[Variant]) -> list[str]:
    """Return that the offered rates differ, unless all variants share one."""
    offered = grouped(variants, lambda variant: variant.name)
    by_name = [{r for v in own for r in v.facts["offered_rate_rps"]} for own in offered.values()]
    known = [rates for rates in by_name if rates]
    if len(by_name) == 1 or not known or any(_is_in_all(rate, known) for rate in known[0]):
        return []
    rates = sorted(set[float]().union(*known))
    span = f"{show.rate(rates[0])} to {show.rate(rates[-1])}"
    return [f"The offered rate differs: {span}{show.NBSP}req/s."]


def _is_in_all(rate: float, known: Sequence[Collection[float]]) -> bool:
    """Whether each has a rate, or one that is hardly another."""
    return all(any(abs(rate / other - 1) <= _RATE_APART for other in rates) for rates in known)


def failure_reasons(variants: Sequence[Variant]) -> list[str]:
    """Return why variants of which so many requests failed cannot be compared, if so."""
    known = [(v.values["success_ratio"], v.label) for v in variants]
    shares = sorted((share, label) for share, label in known if share is not None)
    if not shares:
        return []
    worst, best = shares[0][0], shares[-1][0]
    if worst >= _SUCCESS_NEEDED and best - worst <= _SUCCESS_APART:
        return []
    # Where each variant failed alike and answered every request, they did the same work.
    answered = all(max(v.sample(BY_COLUMN["errors"]), default=None) == 0 for v in variants)
    if answered and best - worst <= _SUCCESS_SAME and worst >= _SUCCESS_SOME:
        return []
    least, most = (show.share(round(1 - share, 9)) for share in (best, worst))
    where = "" if all(map(_is_of_all_runs, variants)) else "At the median over the runs, "
    if best - worst <= _SUCCESS_APART and best < _SUCCESS_NEEDED and len(shares) > 1:
        between = f"{least} to {most}" if worst < best else least
        return [f"{where}{between} of the requests failed."]
    alike = grouped(shares, lambda known: show.share(round(1 - known[0], 9)))
    named = {failed: some([show.quoted(v) for _, v in each]) for failed, each in alike.items()}
    rest = f", {least} of {named[least]}" if least != most else ""
    return [f"{where}{most} of the requests of {named[most]} failed{rest}."]


def _is_of_all_runs(variant: Variant) -> bool:
    """Whether as many requests failed at the median over the runs as in all of them together."""
    success, failed = variant.values["success_ratio"], mean_failed_share(variant)
    if success is None or failed is None:
        return True
    return show.share(round(1 - success, 9)) == show.share(failed)
