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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchkit.compare.assess import PADDED, Assessment
from benchkit.compare.block_cost import Cost, cost_of
from benchkit.compare.blocks import Block, Pair, paired
from benchkit.compare.design import by_repeat, interleaved
from benchkit.compare.draft import Draft, Drafter, redrawn
from benchkit.model.comparison import Comparison, Effect
from benchkit.model.load import is_paced
from benchkit.model.metric import METRICS, THROUGHPUT, Metric
from benchkit.model.variant import Variant
from benchkit.stats import ALPHA
from benchkit.stats.contrast import Contrast

if TYPE_CHECKING:
    from benchkit.counting.cells import LatencyMatrix
    from benchkit.stats.estimate import Estimate

#: The lengths of run that are weighed up, as multiples of the pilot's.
_LENGTHS: Final = (0.5, 1.0, 2.0, 4.0)
#: Runs of each variant that are redrawn, and how often: a variance to a seventh of itself.
_REDRAWN: Final = 6
_DRAWS: Final = 100
_STEP: Final = "the step of the clock is as large as the difference"
_ONE_RUN: Final = "one run tells no spread"


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
class ComparisonPlan:
    """The metrics that decide one comparison, and what a block of it costs.

    Attributes:
        untested: Metrics that would decide, and why they are not tested.
        effect: The difference that is to be found, 0.05 for 5 %.
        power: In this share of experiments.
        alone: Whether there is one variant only, beside which another is planned that varies as
            it does.
    """

    scenario: str | None
    name: str
    tool: str
    setting: Mapping[str, Any]
    cost: Cost
    metrics: tuple[MetricPlan, ...]
    untested: Mapping[Metric, str]
    effect: float
    power: float
    alone: bool = False

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
        cost = cost_of(self.block, [run for run in runs if run.tool == comparison.tool])
        asked = _asked(comparison)
        by_metric: dict[Metric, list[MetricPlan]] = defaultdict(list)
        for effect in asked:
            by_metric[effect.metric].append(self._metric(effect, cost))
        # That the baseline was not run somewhere is no reason where it was.
        by_baseline = sorted(comparison.effects, key=lambda effect: effect.baseline_runs > 0)
        untested = {
            effect.metric: effect.reason
            for effect in by_baseline
            if effect.metric.role == "primary" and effect not in asked and effect.runs
        }
        plan = ComparisonPlan(
            scenario=comparison.scenario,
            name=comparison.name,
            tool=comparison.tool,
            setting=comparison.setting,
            cost=cost,
            metrics=tuple(part for each in by_metric.values() for part in _telling(each)),
            untested={m: reason for m, reason in untested.items() if m not in by_metric},
            effect=self.assessment.options.effect,
            power=self.power,
        )
        if len(self.block.variants) > 1 or self.block.variants[0].is_warm_up:
            return plan
        return self._alone(plan, self.block.variants[0])

    def _alone(self, plan: ComparisonPlan, variant: Variant) -> ComparisonPlan:
        """Return the plan of a variant with a second one that varies as it does."""
        drafter = Drafter(self.assessment.bands, self.assessment.cuts)
        pair = Pair(variant, variant)
        primary = [metric for metric in METRICS if metric.role == "primary"]
        drafts = [draft for draft in drafter.drafts(pair, primary, ()) if any(draft.runs)]
        if is_paced(variant.runs):
            drafts = [draft for draft in drafts if draft.metric is not THROUGHPUT]
        tested = [draft for draft in drafts if draft.contrast is not None and not draft.padded]
        planner = replace(self, tests=len(tested))
        cost = plan.cost.doubled()
        return replace(
            plan,
            cost=cost,
            metrics=tuple(planner.of_itself(draft, cost) for draft in tested),
            untested={
                draft.metric: PADDED if draft.padded else next(iter(draft.remarks), _ONE_RUN)
                for draft in drafts
                if draft not in tested
            },
            alone=True,
        )

    def of_itself(self, draft: Draft, cost: Cost) -> MetricPlan:
        """Return the plan of one metric of a variant and another that varies as it does."""
        plain = MetricPlan(draft.metric, draft.pair.variant.label, "", max(draft.runs))
        if draft.contrast is None or plain.runs < 2:
            return replace(plain, reason=_ONE_RUN)
        return self._counted(plain, replace(draft.contrast, paired=False), draft.pair, cost)

    def _metric(self, effect: Effect, cost: Cost) -> MetricPlan:
        runs = min(effect.runs, effect.baseline_runs)
        plain = MetricPlan(
            effect.metric, effect.variant, effect.baseline, runs, reason=effect.reason
        )
        pair = next(p for p in self.block.pairs if p.variant.label == effect.variant)
        drafter = Drafter(self.assessment.bands, self.assessment.cuts)
        contrast = _contrast(drafter.draft(pair, effect.metric), pair)
        return plain if contrast is None else self._counted(plain, contrast, pair, cost)

    def _counted(self, plain: MetricPlan, contrast: Contrast, pair: Pair, cost: Cost) -> MetricPlan:
        """Return how many repeats of a contrast find the effect."""
        from benchkit.stats.estimate import estimate

        difference = estimate(contrast)
        if difference.hidden >= self.assessment.options.effect:
            return replace(plain, reason=_STEP)
        within = _within(pair, plain.metric)
        lengths = self._lengths(difference, contrast, within, cost)
        repeats = self._repeats(difference, contrast, difference.deviation)
        return replace(
            plain,
            reason="",
            paired=contrast.paired,
            spread=difference.deviation,
            within=within,
            repeats=repeats,
            minutes=cost.minutes(repeats),
            lengths=lengths,
        )

    def _repeats(self, difference: Estimate, contrast: Contrast, deviation: float) -> int:
        from benchkit.stats.power import runs_for_effect

        return runs_for_effect(
            self.assessment.options.effect,
            hidden=difference.hidden,
            deviation=deviation,
            paired=contrast.paired,
            tests=max(self.tests, 1),
            alpha=ALPHA / self.comparison.looks,
            power=self.power,
        )

    def _lengths(
        self, difference: Estimate, contrast: Contrast, within: float | None, cost: Cost
    ) -> tuple[Length, ...]:
        if within is None or cost.run_s is None:
            return ()
        between = max(difference.deviation**2 - within**2, 0.0)
        lengths = []
        for factor in _LENGTHS:
            deviation = math.sqrt(between + (difference.deviation**2 - between) / factor)
            repeats = self._repeats(difference, contrast, deviation)
            lengths.append(Length(factor * cost.run_s, repeats, cost.minutes(repeats, factor)))
        return tuple(lengths)


def _telling(parts: Sequence[MetricPlan]) -> list[MetricPlan]:
    """Return of one metric the part that needs most, and one that no number of repeats helps."""
    without = [part for part in parts if part.repeats is None]
    counted = [part for part in parts if part.repeats is not None]
    return [max(counted, key=_weight), *without[:1]] if counted else [max(parts, key=_weight)]


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
    return Contrast(base, variant, paired=True, steps=contrast.steps)


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
