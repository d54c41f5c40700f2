"""What is said about the variants of one scenario: the one object that every output renders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from benchkit import format as show
from benchkit.model.footnotes import Footnotes, Numbered
from benchkit.model.grouping import grouped
from benchkit.model.metric import BY_COLUMN, TABLED, Metric
from benchkit.model.variant import Variant, distinct

if TYPE_CHECKING:
    from benchkit.stats.contrast import Contrast
    from benchkit.stats.interval import Interval
    from benchkit.validity.finding import Status

Verdict = Literal["faster", "slower", "same", "inconclusive", "not-tested"]
#: What keeps an effect from a verdict or a figure: too few runs, a finding that forbids it, a
#: figure that is withheld, or, where it is the same, primary metrics that are not shown to be.
Obstacle = Literal["", "few", "forbidden", "withheld", "others"]
GradeKey = Literal[
    "established", "limited", "unshown", "forbidden", "few", "once", "described", "incomparable"
]

#: Verdicts that contradict each other, and all that a test reached.
DIRECTIONS: Final = ("faster", "slower")
DECIDED: Final = frozenset({*DIRECTIONS, "same"})
#: The metrics that a sentence is about, the weightiest first.
_KEY: Final = ("p99", "throughput", "p50", "p95", "p90", "mean", "p99.9", "goodput")


@dataclass(frozen=True, slots=True)
class Grade:
    """How far the evidence carries; it limits the verb of every sentence about it.

    Attributes:
        symbol: One character that goes with the words.
        words: The grade in words.
        reasons: Sentences that say what limits the comparison, the weightiest first.
    """

    key: GradeKey
    symbol: str
    words: str
    reasons: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether differences may be put into words at all."""
        return self.key != "incomparable"

    @property
    def tested(self) -> bool:
        """Whether a verdict was asked for, of enough runs."""
        return self.key in {"established", "limited", "unshown", "forbidden"}

    @property
    def telling(self) -> bool:
        """Whether a difference that is seen may be named."""
        return self.key not in {"unshown", "forbidden", "incomparable"}


_METHODS: Final = {"pairs": "paired"}


@dataclass(frozen=True, slots=True)
class Effect:
    """One metric of one variant against its baseline; values in base units.

    Attributes:
        variant: Label within the comparison.
        baseline: Label of what it is compared with.
        baseline_value: Median over the runs, as shown.
        value: Likewise.
        ratio: Variant over baseline: of the values shown, or what `estimate` names.
        points: Variant less baseline, of a share that has no ratio as a run has 0; else None.
        contrast: What was tested, None where nothing was.
        estimate: How the ratio was estimated; empty where it is that of the values shown.
        interval: Of that ratio; None where nothing supports one.
        baseline_runs: Runs of the baseline that have the metric.
        runs: Runs of the variant that have it.
        verdict: `faster` means a lower latency or a higher rate.
        adjusted_p: Over all tests of the scenario; None where nothing was tested.
        more_runs: Further runs of each that would be needed, where a verdict is missing.
        reason: Why this verdict, and what limits it, for people.
        obstacle: The same for whoever has to decide.
        throughput_rps: Of whole sweeps that at which their metric is compared, where they first
            reach it.
        passed_again: Labels of those whose throughput falls back through that at higher levels.
    """

    metric: Metric
    variant: str
    baseline: str
    baseline_value: float | None
    value: float | None
    ratio: float | None
    estimate: str = ""
    interval: Interval | None = None
    baseline_runs: int = 0
    runs: int = 0
    verdict: Verdict = "not-tested"
    adjusted_p: float | None = None
    more_runs: int | None = None
    reason: str = ""
    obstacle: Obstacle = ""
    points: float | None = None
    throughput_rps: float | None = None
    passed_again: tuple[str, ...] = ()
    contrast: Contrast | None = field(default=None, compare=False, repr=False)

    @property
    def method(self) -> str:
        """How the ratio was estimated, in a word; empty where it is that of the values shown."""
        return _METHODS.get(self.estimate, self.estimate)

    @property
    def bounds(self) -> tuple[float, float] | tuple[()]:
        """The lower and the upper end of its interval, nothing where there is none."""
        return (self.interval.low, self.interval.high) if self.interval else ()

    @property
    def amount(self) -> float:
        """How much the variant differs, as a ratio or in points; 0 where neither says so."""
        return self.ratio or self.points or 0.0

    @property
    def tested(self) -> bool:
        """Whether it is one of the tests of its scenario."""
        return self.verdict != "not-tested"

    @property
    def crosses(self) -> bool:
        """Whether its interval holds 1, no difference; also where there is no interval."""
        return self.interval is None or self.interval.low <= 1 <= self.interval.high

    def gain(self, margin: float) -> int:
        """Return 1 for clearly better, -1 for clearly worse, 0 where that is not known.

        Of what was tested the test alone says so.
        """
        if self.tested:
            return {"faster": 1, "slower": -1}.get(self.verdict, 0)
        if not self.ratio or self.crosses or abs(self.ratio - 1) <= margin:
            return 0
        return 1 if (self.ratio > 1) == self.metric.higher_is_better else -1


def key_effect(effects: Iterable[Effect], leading: Metric | None = None) -> Effect | None:
    """Return the effect that a sentence about a variant is about, None where none has an amount.

    It is one that differs where there is any, then one that does not, then one that was tested;
    of several that of the `leading` metric, which orders the variants, then the weightiest.
    """
    known = [effect for effect in effects if effect.amount]
    for wanted in ({"faster", "slower"}, {"same"}, {"inconclusive"}, {"not-tested"}):
        chosen = [effect for effect in known if effect.verdict in wanted]
        if chosen:
            return min(chosen, key=lambda effect: (effect.metric is not leading, _weight(effect)))
    return None


def _weight(effect: Effect) -> int:
    name, _, condition = effect.metric.name.partition("@")
    if name == "throughput" and condition:  # within bounds that somebody asked about
        return -1
    return _KEY.index(name) if name in _KEY else len(_KEY)


def by_labels(effects: Iterable[Effect]) -> Mapping[tuple[str, str], Sequence[Effect]]:
    """Return effects by the labels of baseline and variant."""
    return grouped(effects, lambda effect: (effect.baseline, effect.variant))


@dataclass(frozen=True, slots=True)
class Knee:
    """Where the throughput of one swept variant stops growing.

    Attributes:
        variant: Its name without the swept param.
        level: That of the medians over runs; None where it still grew at the last level.
        low: Lowest of those of the repetitions and `level`.
        high: Highest of these.
        peak_rps: Highest of the medians.
        repetitions: How many there were.
    """

    variant: str
    param: str
    level: float | None
    low: float | None
    high: float | None
    peak_rps: float
    repetitions: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """The variants of one scenario measured with one tool under one setting.

    Attributes:
        scenario: None where the runs have none.
        setting: The params by which it differs from other comparisons of its scenario and tool.
        axis: The param whose levels were swept, and which orders the variants; empty for none.
        shared_params: Params that all variants have in common.
        baseline: Label of the baseline.
        reference: Label of what is the baseline unless somebody chooses another.
        rank_metric: The metric that orders `variants`; None where the order is that of the
            input, because nothing ranks them or they are not comparable.
        variants: Best first; of a sweep in the order of its levels.
        order: The labels in order of first appearance, whatever the baseline: colours follow it.
        grades: Of each variant that is compared with something, by label; a copy's is no answer.
        effects: Variant by variant, metric by metric.
        sweep_effects: Likewise of whole sweeps: the highest throughput within bounds, latencies
            and costs at equal throughput; their labels are without the swept param.
        sweep_grades: Of these, by the labels of baseline and variant.
        knees: Where the throughput of each swept variant stops growing.
        findings: The serious first; numbers ascend from 1.
        statuses: What became of each check.
        tests: How many tests were made in the scenario, of which this may be a part.
        margin: The difference that counts as none, 0.03 for 3 %.
        looks: How often the runs are looked at, as announced before the first look or recorded.
        factors: Columns whose changes are written as factors, as one of them is large; of the
            leading metric in any setting of the scenario.
        without_first: The same without the first run of each variant, where that was looked at.
    """

    scenario: str | None
    tool: str
    setting: Mapping[str, Any]
    axis: str
    shared_params: Mapping[str, Any]
    baseline: str
    reference: str
    rank_metric: Metric | None
    variants: tuple[Variant, ...]
    order: tuple[str, ...]
    grade: Grade
    grades: Mapping[str, Grade] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    sweep_effects: tuple[Effect, ...] = ()
    sweep_grades: Mapping[tuple[str, str], Grade] = field(default_factory=dict)
    knees: tuple[Knee, ...] = ()
    findings: tuple[Numbered, ...] = ()
    statuses: tuple[Status, ...] = ()
    tests: int = 0
    margin: float = 0.03
    looks: int = 1
    factors: Collection[str] = ()
    without_first: Comparison | None = None

    @property
    def name(self) -> str:
        """What is compared: the scenario, or else the tool, and the setting."""
        return show.joined(self.scenario or self.tool, self.setting)

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes it the same comparison, whatever its baseline and runs."""
        return self.tool, self.name, self.order

    @cached_property
    def by_label(self) -> Mapping[str, Variant]:
        """The variants by their labels."""
        return {variant.label: variant for variant in self.variants}

    @property
    def base(self) -> Variant:
        """The variant that the others are compared with."""
        return self.by_label[self.baseline]

    @property
    def others(self) -> tuple[Variant, ...]:
        """All but the baseline, best first."""
        return tuple(v for v in self.variants if v.label != self.baseline)

    @property
    def runs(self) -> int:
        """Number of runs of all variants."""
        return sum(map(len, self.variants))

    def is_baseline(self, variant: Variant) -> bool:
        """Whether others are compared with it: in a sweep there is a baseline at each level."""
        return variant.label in self._baselines

    @cached_property
    def _baselines(self) -> frozenset[str]:
        return frozenset({self.baseline, *filter(None, map(self.against, self.effects_by_variant))})

    def facts(self, column: str) -> tuple[Any, ...]:
        """Return the distinct known values of one of `FACTS` over all variants."""
        return distinct(value for variant in self.variants for value in variant.facts[column])

    # --- effects ---

    @cached_property
    def _effects(self) -> Mapping[tuple[str, str], Effect]:
        return {(effect.variant, effect.metric.column): effect for effect in self.effects}

    @cached_property
    def effects_by_variant(self) -> Mapping[str, Sequence[Effect]]:
        """The effects of each variant that is compared with something, in their order."""
        return grouped(self.effects, lambda effect: effect.variant)

    def effect(self, label: str, column: str) -> Effect | None:
        """Return the effect in one metric of one variant, None where there is none."""
        return self._effects.get((label, column))

    def ratio(self, label: str, column: str) -> float | None:
        """Return the change of one metric as variant over baseline, None where there is none."""
        effect = self.effect(label, column)
        return None if effect is None else effect.ratio

    def tabled_effect(self, label: str, metric: Metric) -> Effect | None:
        """Return the effect in a metric, also in one that is not compared.

        None for the baseline, and where the variant is compared with nothing.
        """
        effect, against = self.effect(label, metric.column), self.against(label)
        if effect is not None or against is None:
            return effect
        before, after = self.by_label[against].value(metric), self.by_label[label].value(metric)
        ratio = after / before if before and after else None
        return Effect(metric, label, against, before, after, ratio)

    def unit(self, metric: Metric) -> show.Unit | None:
        """Return the one unit of a metric wherever it stands, None where no time is known."""
        if metric not in self._units:
            # What is worked out at equal throughput is no figure of a run.
            known = metric.column in BY_COLUMN or metric.derive is not None
            timed = self.variants if known and metric.quantity == "time" else ()
            values = [variant.value(metric) for variant in timed]
            self._units[metric] = show.time_unit(values) if any(values) else None
        return self._units[metric]

    @cached_property
    def _units(self) -> dict[Metric, show.Unit | None]:
        return {}

    def written(self, metric: Metric, value: float) -> str:
        """Return a value of a metric with its unit, which is that of its column."""
        return metric.prose(value, self.unit(metric))

    @property
    def large_changes(self) -> set[str]:
        """The columns with a change so large that it is written as a factor, if comparable."""
        untested = (
            self.tabled_effect(label, BY_COLUMN[column])
            for label in self.effects_by_variant
            for column in TABLED
            if (label, column) not in self._effects and label in self.by_label
        )
        if not self.grade.comparable:
            return set()
        effects = [each for each in (*self.effects, *self.sweep_effects, *untested) if each]
        comparable = [each for each in effects if self.grade_of(each.variant).comparable]
        return {e.metric.column for e in comparable if e.ratio and show.is_factor(e.ratio)}

    def change(self, metric: Metric, ratio: float, bounds: Sequence[float] = ()) -> str:
        """Return a change of a metric as all of its changes in the comparison are written."""
        return show.change(ratio, *bounds, as_factor=metric.column in self.factors)

    def grade_of(self, label: str) -> Grade:
        """Return the grade of a variant, that of the comparison where it has none of its own."""
        return self.grades.get(label, self.grade)

    def lacks_baseline(self, effect: Effect) -> bool:
        """Whether the baseline was not run with the params of a variant."""
        return effect.variant in self.by_label and effect.baseline not in self.by_label

    def against(self, label: str) -> str | None:
        """Return the label of what a variant is compared with, None for nothing."""
        effects = self.effects_by_variant.get(label, ())
        named = (effect.baseline for effect in effects if effect.baseline_runs)
        return next((name for name in named if name in self.by_label), None)

    # --- findings ---

    @cached_property
    def doubts(self) -> tuple[Numbered, ...]:
        """The findings without the notes."""
        return tuple(numbered for numbered in self.findings if not numbered.is_note)

    @property
    def serious(self) -> tuple[Numbered, ...]:
        """Findings that say that a figure or the comparison is not what it seems."""
        return tuple(numbered for numbered in self.findings if numbered.serious)

    @cached_property
    def footnotes(self) -> Footnotes:
        """Where the number of each finding stands."""
        return Footnotes(self.variants, self.findings)

    def only(self, numbered: Numbered) -> str | None:
        """Return the label of the one variant that a finding is about, None where it is more."""
        labels = [v.label for v in self.variants if not numbered.run_ids.isdisjoint(v.run_ids)]
        return labels[0] if len(labels) == 1 and len(self.variants) > 1 else None
