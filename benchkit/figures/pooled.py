"""All requests of each variant, its runs put together, and their shares between latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchkit import format as show
from benchkit.figures import steps
from benchkit.model.comparison import Comparison
from benchkit.names import some

if TYPE_CHECKING:
    from benchkit.distribution import Distribution

#: By the label of the variant, in input order.
Pooled = Mapping[str, "Distribution"]


def pooled(comparison: Comparison) -> Pooled:
    """Return all requests of each variant, in input order, where every run has them."""
    from benchkit.distribution import merged

    parts = {
        label: [run.distribution for run in comparison.by_label[label].runs]
        for label in comparison.order
    }
    whole = {
        label: merged(_of_one_precision([part for part in listed if part is not None]))
        for label, listed in parts.items()
        if None not in listed
    }
    return {label: requests for label, requests in whole.items() if requests.count}


def _of_one_precision(parts: Sequence[Distribution]) -> list[Distribution]:
    from benchkit.distribution import Distribution, bin_of, bounds_of

    coarsest = min(part.precision for part in parts)
    return [
        part
        if part.precision == coarsest
        else Distribution.of_bins(
            bin_of(bounds_of(part.bins, precision=part.precision)[0], precision=coarsest),
            part.counts,
            precision=coarsest,
            min_ns=part.min_ns,
            max_ns=part.max_ns,
        )
        for part in parts
    ]


def shares(requests: Distribution, edges: Sequence[float]) -> list[float]:
    """Return the share of requests between each two edges; those below are in the first."""
    import numpy as np

    from benchkit.distribution import bounds_of

    low, high = bounds_of(requests.bins, precision=requests.precision)
    middle = np.maximum((low + high) / 2e9, edges[0])
    counts, _ = np.histogram(middle, bins=np.asarray(edges), weights=requests.counts)
    return [float(value) for value in counts / requests.count]


def coarsest_step(comparison: Comparison, requests: Pooled) -> float:
    """Return the coarsest step in s in which any of them was written, 0 for none."""
    runs = (run for label in requests for run in comparison.by_label[label].runs)
    return max(map(steps.step_of_run, runs), default=0.0)


def source(comparison: Comparison, requests: Pooled) -> str:
    """Return how many requests are shown, of whom only summaries are known, and the clock."""
    total = sum(each.count for each in requests.values())
    together = ", runs of a variant pooled" if any(len(v) > 1 for v in comparison.variants) else ""
    parts = [f"{total:,} requests{together}."]
    parts += steps.sentence(coarsest_step(comparison, requests))
    missing = [show.clean(label, limit=40) for label in comparison.order if label not in requests]
    if missing:
        parts.append(f"Only summaries of {some(missing)}.")
    return " ".join(parts)


def alt_text(what: str, comparison: Comparison, requests: Pooled) -> str:
    """Return the median and p99 of each variant for readers who see no picture."""
    spans = []
    for name, each in list(requests.items())[:8]:
        p50, p99 = (show.duration(value) for value in each.quantiles_s([0.5, 0.99]))
        below = comparison.by_label[name].trusted_below
        parts = [f"half within {p50}"] if below > 0.5 else []
        parts += [f"99% within {p99}"] if below > 0.99 else []
        spans += [f"{show.clean(name, limit=40)} {', '.join(parts)}"] if parts else []
    text = f": {'; '.join(spans)}" if spans else ""
    return f"{what}{text}; values in the table below"
