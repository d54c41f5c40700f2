"""From pilot runs to a plan: how many repeats of which length find a difference, in what time.

The number of repeats is that of `benchkit.stats.power`, as in `more_runs`. A run's time is from
its own start to that of the next run, so that warm-up, server start and pauses count. What longer
runs would gain follows from how much of the spread from run to run is chance within each run.
"""

from __future__ import annotations

import math
import statistics
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from benchkit.compare.assess import Assessment
from benchkit.compare.blocks import Block, Pair, paired
from benchkit.compare.design import by_repeat, interleaved
from benchkit.compare.draft import Draft, Drafter, redrawn
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.metric import Metric
from benchkit.model.run import Run
from benchkit.stats import ALPHA
from benchkit.stats.contrast import Contrast
from benchkit.validity.evidence import started_s

if TYPE_CHECKING:
    from benchkit.counting.cells import LatencyMatrix
    from benchkit.stats.estimate import Estimate

#: The lengths of run that are weighed up, as multiples of the pilot's.
_LENGTHS: Final = (0.5, 1.0, 2.0, 4.0)
#: Runs of each variant that are redrawn, and how often: a variance to a seventh of itself.
_REDRAWN: Final = 6
_DRAWS: Final = 100


@dataclass(frozen=True, slots=True)
class Length:
    """Runs of one length: how many repeats then do, and in what time."""

    run_s: float
    repeats: int
    minutes: float | None


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """One metric of one comparison; of several variants the one that needs most.

    Attributes:
        runs: Of the pilot, of the side that has fewer.
        paired: Whether the repeats are counted as interleaved pairs.
        spread: Standard deviation of the logarithm from run to run; None where nothing tells it.
        within: What chance within a run adds to it, likewise; None where no run tells it.
        repeats: That find the difference; None where none do, or nothing says.
        minutes: That they take.
        lengths: The same for other lengths of run; none where `within` is not known.
        reason: Why there is no number of repeats; empty where there is one.
    """

    metric: Metric
    variant: str
    baseline: str
    runs: int
    paired: bool = False
    spread: float | None = None
    within: float | None = None
    repeats: int | None = None
    minutes: float | None = None
    lengths: tuple[Length, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one repeat of all variants takes.

    Attributes:
        runs: In a block, copies included.
        run_s: Median length of what is measured in a run; None where no run tells it.
        block_s: From the start of a block to that of the next; None likewise.
        whole: Whether that counts pauses, starts and warm-ups, as the times of the runs have them.
    """

    runs: int
    run_s: float | None
    block_s: float | None
    whole: bool

    def minutes(self, repeats: int, factor: float = 1.0) -> float | None:
        """Return the minutes of so many blocks whose runs are so many times as long."""
        if self.block_s is None:
            return None
        return repeats * (self.block_s + (factor - 1) * self.runs * (self.run_s or 0.0)) / 60


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The metrics that decide one comparison, and what a block of it costs.

    Attributes:
        effect: The difference that is to be found, 0.05 for 5 %.
        power: In this share of experiments.
    """

    scenario: str | None
    name: str
    tool: str
    setting: Mapping[str, Any]
    cost: Cost
    metrics: tuple[MetricPlan, ...]
    effect: float
    power: float

    @property
    def repeats(self) -> int | None:
        """As many as every metric that has a number needs; None where none has one."""
        return max((m.repeats for m in self.metrics if m.repeats is not None), default=None)

    @property
    def minutes(self) -> float | None:
        """That these take."""
        return None if self.repeats is None else self.cost.minutes(self.repeats)

    @property
    def best(self) -> Length | None:
        """The length of run that finds the difference soonest; None where nothing says so."""
        counted = [m for m in self.metrics if m.repeats is not None]
        if not counted or not all(m.lengths for m in counted):
            return None
        together: list[Length] = [
            max(each, key=_needed) for each in zip(*(m.lengths for m in counted), strict=True)
        ]
        return min(together, key=lambda length: length.minutes or math.inf)


def _needed(length: Length) -> int:
    return length.repeats


def plans(assessment: Assessment, *, power: float) -> list[ComparisonPlan]:
    """Return a plan per comparison, in their order, to find the effect that its options name."""
    blocks = paired(assessment.blocks, assessment.wanted)
    asked: dict[str | None, int] = defaultdict(int)
    for comparison in assessment.comparisons:
        asked[comparison.scenario] += len(_asked(comparison))
    return [
        # Too few runs are no tests yet.
        _Planner(
            assessment, block, comparison, comparison.tests or asked[comparison.scenario], power
        ).plan()
        for block, comparison in zip(blocks, assessment.comparisons, strict=True)
    ]


def _asked(comparison: Comparison) -> list[Effect]:
    """Return the effects that a plan is for: those that are tested, or would be if repeated."""
    return [
        effect
        for effect in comparison.effects
        if not comparison.by_label[effect.variant].is_copy
        and (effect.tested or (effect.metric.role == "primary" and _once(effect)))
    ]


def _once(effect: Effect) -> bool:
    return min(effect.runs, effect.baseline_runs) == 1


@dataclass(frozen=True)
class _Planner:
    assessment: Assessment
    block: Block
    comparison: Comparison
    tests: int
    power: float

    def plan(self) -> ComparisonPlan:
        """Return the plan of one comparison."""
        comparison = self.comparison
        runs = [r for r in self.assessment.runs if r.scenario == comparison.scenario]
        cost = _cost(self.block, [run for run in runs if run.tool == comparison.tool])
        by_metric: dict[Metric, list[MetricPlan]] = defaultdict(list)
        for effect in _asked(comparison):
            by_metric[effect.metric].append(self._metric(effect, cost))
        return ComparisonPlan(
            scenario=comparison.scenario,
            name=comparison.name,
            tool=comparison.tool,
            setting=comparison.setting,
            cost=cost,
            metrics=tuple(max(each, key=_weight) for each in by_metric.values()),
            effect=self.assessment.options.effect,
            power=self.power,
        )

    def _metric(self, effect: Effect, cost: Cost) -> MetricPlan:
        from benchkit.stats.estimate import estimate

        runs = min(effect.runs, effect.baseline_runs)
        plain = MetricPlan(
            effect.metric, effect.variant, effect.baseline, runs, reason=effect.reason
        )
        pair = next(p for p in self.block.pairs if p.variant.label == effect.variant)
        drafter = Drafter(self.assessment.bands, self.assessment.cuts)
        contrast = _contrast(drafter.draft(pair, effect.metric), pair)
        if contrast is None:
            return plain
        made = estimate(contrast)
        size = self.assessment.options.effect
        if made.hidden >= size:
            return plain
        within = _within(pair, effect.metric)
        lengths = self._lengths(made, contrast, within, cost)
        repeats = self._repeats(made, contrast, made.deviation)
        return MetricPlan(
            metric=effect.metric,
            variant=effect.variant,
            baseline=effect.baseline,
            runs=runs,
            paired=contrast.paired,
            spread=made.deviation,
            within=within,
            repeats=repeats,
            minutes=cost.minutes(repeats),
            lengths=lengths,
        )

    def _repeats(self, made: Estimate, contrast: Contrast, deviation: float) -> int:
        from benchkit.stats.power import runs_for_effect

        return runs_for_effect(
            self.assessment.options.effect,
            hidden=made.hidden,
            deviation=deviation,
            paired=contrast.paired,
            tests=max(self.tests, 1),
            alpha=ALPHA / self.comparison.looks,
            power=self.power,
        )

    def _lengths(
        self, made: Estimate, contrast: Contrast, within: float | None, cost: Cost
    ) -> tuple[Length, ...]:
        if within is None or cost.run_s is None:
            return ()
        between = max(made.deviation**2 - within**2, 0.0)
        lengths = []
        for factor in _LENGTHS:
            deviation = math.sqrt(between + (made.deviation**2 - between) / factor)
            repeats = self._repeats(made, contrast, deviation)
            lengths.append(Length(factor * cost.run_s, repeats, cost.minutes(repeats, factor)))
        return tuple(lengths)


def _weight(plan: MetricPlan) -> tuple[bool, int, float]:
    return plan.repeats is not None, plan.repeats or 0, plan.spread or 0.0


def _contrast(draft: Draft, pair: Pair) -> Contrast | None:
    """Return the runs of both sides, as pairs where they are interleaved, however few."""
    contrast = draft.contrast
    if contrast is None or contrast.paired or pair.baseline is None:
        return contrast
    sides = pair.baseline.having(draft.metric), pair.variant.having(draft.metric)
    if not interleaved(*sides):
        return contrast
    base, variant = (
        tuple(draft.metric.value(run) or 0.0 for run in by_repeat(runs)) for runs in sides
    )
    return Contrast(base, variant, paired=True, step=contrast.step)


def _within(pair: Pair, metric: Metric) -> float | None:
    """Return what chance within a run adds to its logarithm; None where no run tells."""
    variances = [
        variance_within(run.matrix, metric, seed=zlib.crc32(run.run_id.encode()))
        for variant in pair.sides
        for run in variant.having(metric)[:_REDRAWN]
        if run.matrix is not None
    ]
    known = [variance for variance in variances if variance is not None]
    return math.sqrt(statistics.mean(known)) if known else None


def variance_within(slices: LatencyMatrix, metric: Metric, *, seed: int) -> float | None:
    """Return the variance of a metric's logarithm over redrawn stretches of one run.

    None where there are too few slices, or they do not tell the metric.
    """
    from benchkit.compare.bootstrap import LEAST_SLICES, Draws

    if len(slices) < LEAST_SLICES:
        return None
    import numpy as np

    values = redrawn(Draws(slices, seed=seed, draws=_DRAWS), metric)
    if values is None or not (values > 0).all():
        return None
    return float(np.log(values).var(ddof=1))


# --- what a block takes ---


def _cost(block: Block, runs: Sequence[Run]) -> Cost:
    """Return what one repeat of all variants of a block takes.

    Args:
        block: What is compared.
        runs: All of its scenario and tool: the next run in time may be one of another setting.
    """
    lengths = [length for run in runs if (length := run.number("duration_s")) is not None]
    cycles = dict(_cycles(runs))
    block_s, whole = 0.0, True
    for variant in block.variants:
        own = [cycles[run.run_id] for run in variant.runs if run.run_id in cycles]
        whole &= bool(own)
        own = own or [each for run in variant.runs if (each := run.number("duration_s"))]
        if not own:
            return Cost(len(block.variants), None, None, whole=False)
        block_s += statistics.median(own)
    run_s = statistics.median(lengths) if lengths else None
    return Cost(len(block.variants), run_s, block_s, whole)


def _cycles(runs: Sequence[Run]) -> Iterator[tuple[str, float]]:
    """Yield per run the seconds from its start to that of the next; the last has none."""
    timed = [(began_s, run) for run in runs if (began_s := started_s(run)) is not None]
    timed.sort(key=itemgetter(0))
    for (began_s, run), (next_s, _) in pairwise(timed):
        if next_s - began_s >= (run.number("duration_s") or 0.0):  # else they ran at once
            yield run.run_id, next_s - began_s
