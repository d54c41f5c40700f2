"""The runs of a comparison one by one: whose each is, when it began, how far they are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.compare.design import is_paced
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT, Metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant

_LATENCIES: Final = (
    *(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p95", "p50")),
    MEAN,
)
_FIXED: Final = 1.01


@dataclass(frozen=True, slots=True)
class RunMark:
    """One run: its number among those of its variant, and its position in time."""

    run: Run
    variant: Variant
    number: int
    position: int

    @property
    def label(self) -> str:
        """The label of the variant."""
        return self.variant.label

    def value(self, metric: Metric) -> float | None:
        """Return a metric of the run, None where it is missing or withheld."""
        return None if metric.column in self.variant.withheld else metric.value(self.run)


@dataclass(frozen=True, slots=True)
class Spread:
    """The values of one variant's runs in one metric, and the largest over the smallest."""

    ratio: float
    label: str
    metric: Metric
    values: tuple[float, ...]


def metrics_of(comparison: Comparison) -> list[Metric]:
    """Return throughput, unless something fixed it, and the latency that most variants have."""
    known = {
        metric: sum(bool(variant.sample(metric)) for variant in comparison.variants)
        for metric in (THROUGHPUT, *_LATENCIES)
    }
    latency = max(_LATENCIES, key=lambda metric: known[metric])
    paced = is_paced([run for variant in comparison.variants for run in variant.runs])
    chosen = [] if (paced or _is_constant(comparison)) and known[latency] else [THROUGHPUT]
    return [metric for metric in (*chosen, latency) if known[metric]]


def _is_constant(comparison: Comparison) -> bool:
    """Whether throughput was the same in all runs, as under a schedule."""
    rates = [rate for variant in comparison.variants for rate in variant.sample(THROUGHPUT)]
    return bool(rates) and max(rates) <= _FIXED * min(rates)


def in_order(comparison: Comparison) -> tuple[list[RunMark], bool]:
    """Return the runs in the order in which they began, and whether that is known."""
    listed = [
        (run, comparison.by_label[label], number)
        for label in comparison.order
        for number, run in enumerate(comparison.by_label[label].runs, 1)
    ]
    begun = [run.get("started_at") for run, _, _ in listed]
    ordered = None not in begun and len(set(begun)) == len(begun)
    if ordered:
        listed.sort(key=lambda item: item[0].get("started_at"))
    marks = [
        RunMark(run, variant, run.get("repeat") or number, position)
        for position, (run, variant, number) in enumerate(listed, 1)
    ]
    return marks, ordered


def span(values: Sequence[float], metric: Metric) -> str:
    """Return the smallest and the largest of some values in words, once where they look equal."""
    write: Callable[[float], str] = show.rate if metric == THROUGHPUT else show.duration
    low, high = write(min(values)), write(max(values))
    if low == high:
        return low
    number, unit = low.partition(show.NBSP)[::2]
    same = unit and high.endswith(f"{show.NBSP}{unit}")
    return f"{number if same else low}{show.EN_DASH}{high}"


def is_ranked(comparison: Comparison, metric: Metric) -> bool:
    """Whether every variant's runs are so many times apart in a metric.

    Where one has 0 beside other values, nothing tells which varied most.
    """
    samples = (variant.sample(metric) for variant in comparison.variants)
    return not any(sample and min(sample) <= 0 < max(sample) for sample in samples)


def spreads(comparison: Comparison, metrics: Sequence[Metric]) -> list[Spread]:
    """Return how far the runs of each variant were apart in each metric, the furthest first."""
    known = [
        (variant.label, metric, variant.sample(metric))
        for metric in metrics
        if is_ranked(comparison, metric)
        for variant in comparison.variants
    ]
    spread = [
        Spread(max(sample) / min(sample), label, metric, sample)
        for label, metric, sample in known
        if len(sample) > 1 and min(sample) > 0
    ]
    return sorted(spread, key=lambda each: -each.ratio)
