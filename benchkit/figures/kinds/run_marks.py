"""Each run of a comparison by itself: whose each is, when it began, how far they are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchkit import format as show
from benchkit.compare.design import is_paced
from benchkit.figures.legend import Key, legend
from benchkit.model.comparison import Comparison
from benchkit.model.metric import BY_COLUMN, MEAN, THROUGHPUT, Metric
from benchkit.model.run import Run

_LATENCIES: Final = (*(BY_COLUMN[f"latency_{name}_s"] for name in ("p99", "p95", "p50")), MEAN)
_FIXED: Final = 1.01


@dataclass(frozen=True, slots=True)
class RunMark:
    """One run: its number among those of its variant, and its position in time."""

    key: Key
    run: Run
    number: int
    position: int

    def value(self, metric: Metric) -> float | None:
        """Return a metric of the run, None where it is missing or withheld."""
        return None if metric.column in self.key.variant.withheld else metric.value(self.run)


@dataclass(frozen=True, slots=True)
class Spread:
    """The values of one variant's runs in one metric, and the largest over the smallest."""

    ratio: float
    label: str
    metric: Metric
    values: tuple[float, ...]


def metrics_of(comparison: Comparison) -> list[Metric]:
    """Return throughput, unless something fixed it, and the latency that most variants have."""
    variants = comparison.variants
    known = {m: sum(bool(v.sample(m)) for v in variants) for m in (THROUGHPUT, *_LATENCIES)}
    latency = max(_LATENCIES, key=lambda metric: known[metric])
    rates = [rate for variant in variants for rate in variant.sample(THROUGHPUT)]
    # As under a schedule, also where no tool says so.
    constant = bool(rates) and max(rates) <= _FIXED * min(rates)
    fixed = constant or is_paced([run for variant in variants for run in variant.runs])
    chosen = [latency] if fixed and known[latency] else [THROUGHPUT, latency]
    return [metric for metric in chosen if known[metric]]


def in_order(comparison: Comparison) -> tuple[list[RunMark], bool]:
    """Return the runs in the order in which they began, and whether that is known."""
    keys = legend(comparison)
    listed = [
        (run, keys[label], number)
        for label in comparison.order
        for number, run in enumerate(comparison.by_label[label].runs, 1)
    ]
    begun = [run.get("started_at") for run, _, _ in listed]
    ordered = None not in begun and len(set(begun)) == len(begun)
    if ordered:
        listed.sort(key=lambda item: item[0].get("started_at"))
    marks = [
        RunMark(key, run, run.get("repeat") or number, position)
        for position, (run, key, number) in enumerate(listed, 1)
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
    spread = [
        Spread(max(sample) / min(sample), variant.label, metric, sample)
        for metric in metrics
        if is_ranked(comparison, metric)
        for variant in comparison.variants
        if len(sample := variant.sample(metric)) > 1 and min(sample) > 0
    ]
    return sorted(spread, key=lambda each: -each.ratio)
