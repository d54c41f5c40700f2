"""Which metric orders the variants, and the order.

The rule: throughput where the loop is closed, or where no load model is known, no rate was
set and every variant has a throughput. Otherwise, because an open loop's throughput is what
was asked for, the first of p99, p50 and mean that every variant has.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.compare.metrics import BY_NAME
from benchkit.compare.model import VariantSummary

_LATENCIES = ("latency_p99_s", "latency_p50_s", "latency_mean_s")


def rank_metric(variants: Sequence[VariantSummary]) -> str:
    """Return the metric that ranks these variants, empty where none does."""
    models = {model for one in variants for model in one.facts["load_model"]}
    paced = any(one.facts["offered_rate_rps"] for one in variants)
    choices: tuple[str, ...] = _LATENCIES
    if models == {"closed"} or (not models and not paced):
        choices = ("throughput_rps", *_LATENCIES)
    return next((name for name in choices if _all_have(variants, name)), "")


def ranked(variants: Sequence[VariantSummary], metric: str) -> tuple[VariantSummary, ...]:
    """Return the variants best first; equal ones keep their order."""
    if not metric:
        return tuple(variants)
    sign = -1.0 if BY_NAME[metric].better == "higher" else 1.0
    return tuple(sorted(variants, key=lambda one: sign * (one.values[metric] or 0.0)))


def _all_have(variants: Sequence[VariantSummary], name: str) -> bool:
    return all(one.values[name] is not None for one in variants)
