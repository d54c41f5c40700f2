"""Which metric orders the variants, and the order.

The rule: throughput where the loop is closed. Otherwise, because the throughput is then what was
asked for, the first of p99, p50 and mean that every variant has. Where more requests of one
failed, goodput.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.compare.design import is_paced
from benchkit.compare.obstacles import failing_apart
from benchkit.model.metric import COMPARED, GOODPUT, THROUGHPUT, Metric
from benchkit.model.variant import Variant

_LATENCIES = tuple(COMPARED[name] for name in ("p99", "p50", "mean"))


def rank_metric(variants: Sequence[Variant], *, swept: bool = False) -> Metric | None:
    """Return the metric that ranks these variants, None where none does.

    Args:
        variants: Of one comparison.
        swept: Whether they are levels of a sweep, of which the highest may well fail.
    """
    paced = is_paced([run for variant in variants for run in variant.runs])
    choices = _LATENCIES if paced else (THROUGHPUT, *_LATENCIES)
    if not swept and failing_apart(variants):
        choices = (GOODPUT, *choices)
    return next((m for m in choices if all(v.values[m.column] is not None for v in variants)), None)


def ranked(variants: Sequence[Variant], metric: Metric | None) -> tuple[Variant, ...]:
    """Return the variants best first; equal ones keep their order."""
    if metric is None:
        return tuple(variants)
    sign = -1.0 if metric.higher_is_better else 1.0
    return tuple(sorted(variants, key=lambda v: sign * (v.values[metric.column] or 0.0)))
