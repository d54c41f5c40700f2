"""The one answer: which variant is better, how sure that is, and what speaks against it.

The order matters. Findings come first: they take out figures that cannot be believed and say
between which variants nothing may be established. What is left is tested as one family in each
scenario, and graded once; every output renders what is made here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from benchkit import format as show
from benchkit.compare.blocks import (
    Block,
    Pair,
    baselines,
    blocks_of,
    default_baseline,
    has_baseline,
    of_variant,
    paired,
    with_baseline,
)
from benchkit.compare.draft import ROWS, Bands, Draft, Drafter
from benchkit.compare.grades import described, graded, limited_by, rank_metric, ranked, together
from benchkit.compare.judge import Rules, judge
from benchkit.compare.obstacles import are_mixed, failing_apart, obstacles, waited
from benchkit.compare.slo import Objective
from benchkit.compare.sweep import curve_pairs, knees_of, level_pairs, sweep_drafts
from benchkit.compare.trim import trimmed
from benchkit.model.comparison import Comparison, Effect, Grade, by_labels
from benchkit.model.footnotes import Numbered
from benchkit.model.grouping import grouped
from benchkit.model.load import is_paced
from benchkit.model.metric import COUNT_FAILURES, GOODPUT, THROUGHPUT, Metric
from benchkit.model.metric import metric as named_metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.validity import Examination, Finding, Status, examine
from benchkit.validity.text import groups

_SECONDARY: Final = "described, not tested: ask for it with --metric"
PADDED: Final = "described, not tested: the tool added samples that it never measured"
_EXTREME: Final = "the largest of all requests: described, never tested"
#: Goodput, which is throughput where nothing failed, is written as this.
_RATES: Final = frozenset({THROUGHPUT.column, GOODPUT.column})
_COPY: Final = "a declared copy: its difference is noise, and never tested"
#: First runs are left out where so many remain of each variant.
_LEAST_LEFT: Final = 2


@dataclass(frozen=True, slots=True)
class Options(Rules):
    """What is asked, besides the rules of verdicts.

    Attributes:
        metrics: Names, each of which is then tested; empty for all, of which the primary are.
        objectives: The highest throughput within all of them is compared.
        trim_start_s: So much of the start of each run is left out.
    """

    metrics: tuple[str, ...] = ()
    objectives: tuple[Objective, ...] = ()
    trim_start_s: float = 0.0


@dataclass(frozen=True, eq=False)
class Assessment:
    """All comparisons of some runs.

    Attributes:
        runs: What is compared.
        measured: The runs as they are compared, with all their figures.
        wanted: The baseline that was asked for, None for each block's own.
        cuts: By `run_id` what was left out of the start, in s.
        examined: What the checks found in these runs; None where nobody has asked yet.
        _parts: What is left without some runs, by their ids, for any baseline.
    """

    runs: tuple[Run, ...]
    measured: tuple[Block, ...]
    options: Options = field(default_factory=Options)
    wanted: str | None = None
    cuts: Mapping[str, float] = field(default_factory=dict)
    examined: Examination | None = None
    bands: Bands = field(default_factory=Bands)
    _parts: dict[frozenset[str], tuple[tuple[Run, ...], Examination, tuple[Block, ...]]] = field(
        default_factory=dict, repr=False
    )

    @cached_property
    def examination(self) -> Examination:
        """What the checks found in the runs."""
        return self.examined or examine(self.runs)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The runs as they are compared, without figures that are withheld."""
        return _believed(self.measured, self.examination)

    @cached_property
    def scenarios(self) -> Mapping[str | None, Assessment]:
        """Each scenario alone, in order of first appearance: no answer depends on another."""
        blocks = grouped(self.measured, lambda block: block.scenario)
        if len(blocks) < 2:
            return dict.fromkeys(blocks, self)
        runs = grouped(self.runs, lambda run: run.scenario)
        known = vars(self).get("examination", self.examined)
        examined = known.by_scenario if known else {}
        return {
            name: replace(
                self,
                runs=tuple(runs[name]),
                measured=tuple(own),
                wanted=self.wanted if has_baseline(own, self.wanted) else None,
                examined=examined.get(name),
                _parts={},
            )
            for name, own in blocks.items()
        }

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """In order of first appearance; of settings in the order of their levels.

        Each carries what it is without the first run of each variant, where servers had to warm
        up. That is chosen after the fact and no answer, but limits one that it contradicts.
        """
        if len(self.scenarios) != 1:
            return self._joined(lambda scenario: scenario.comparisons)
        many = [comparison for comparison in self.of_all_runs if _has_many(comparison)]
        first = {variant.run_ids[0] for comparison in many for variant in comparison.variants}
        left = {c.key: c for c in self.without(first).of_all_runs} if first else {}
        return tuple(
            limited_by(c, other)
            if _has_many(c) and (other := left.get(c.key)) and other.baseline == c.baseline
            else c
            for c in self.of_all_runs
        )

    @cached_property
    def of_all_runs(self) -> tuple[Comparison, ...]:
        """The comparisons before anything is known of them without the first runs."""
        if len(self.scenarios) != 1:
            return self._joined(lambda scenario: scenario.of_all_runs)
        return tuple(_Assessor(self).comparisons())

    def _joined(
        self, comparisons: Callable[[Assessment], Sequence[Comparison]]
    ) -> tuple[Comparison, ...]:
        """Return the comparisons of all scenarios, one for each block."""
        baselines(self.measured, self.wanted)  # says that there is no such baseline
        left = {name: iter(comparisons(part)) for name, part in self.scenarios.items()}
        return tuple(next(left[block.scenario]) for block in self.measured)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects, with those of sweeps, labels in full."""
        return tuple(
            effect
            for comparison in self.of_all_runs  # first runs limit grades, which no effect has
            for effect in (*_in_full(comparison), *comparison.sweep_effects)
        )

    def again(self, *, baseline: str) -> Assessment:
        """Return the same with another baseline; findings and values are kept.

        Raises:
            UsageError: when its comparisons are asked for: no block has that baseline.
        """
        return replace(self, wanted=baseline, examined=self.examination)

    def without(self, run_ids: Collection[str], *, any_baseline: bool = False) -> Assessment:
        """Return the same without some runs; what was found of single runs is kept.

        With `any_baseline` each block has its own where the one that was asked for is left out.
        """
        key = frozenset(run_ids)
        if key not in self._parts:  # which no baseline changes
            left = tuple(run for run in self.runs if run.run_id not in key)
            self._parts[key] = left, examine(left, known=self.examination), tuple(blocks_of(left))
        left, examined, measured = self._parts[key]
        missing = any_baseline and not has_baseline(measured, self.wanted)
        wanted = None if missing else self.wanted
        return replace(
            self, runs=left, examined=examined, measured=measured, wanted=wanted, _parts={}
        )


def assess(
    runs: Iterable[Run],
    *,
    baseline: str | None = None,
    options: Options | None = None,
    examined: Examination | None = None,
) -> Assessment:
    """Return the comparisons of some runs.

    Args:
        runs: Any.
        baseline: A variant, `scenario/variant` or a label; by default the variant that metadata
            name, or else the first of each block in path order.
        options: What is asked; by default everything, of which the primary metrics are tested.
        examined: What the checks found in these runs, where that is known.

    Raises:
        UsageError: an unknown metric, nothing that can be trimmed, or `baseline` matches nothing.
    """
    asked = options or Options()
    for name in asked.metrics:
        named_metric(name)
    kept, cuts = tuple(runs), dict[str, float]()
    if asked.trim_start_s:
        shorter, cuts = trimmed(kept, asked.trim_start_s)
        kept, examined = tuple(shorter), None
    measured = tuple(blocks_of(kept))
    baselines(measured, baseline)  # says now that there is no such baseline
    return Assessment(kept, measured, asked, of_variant(measured, baseline), cuts, examined)


def _believed(blocks: Iterable[Block], examined: Examination) -> tuple[Block, ...]:
    """Return blocks without figures that are withheld."""
    reasons: dict[str, dict[str, str]] = defaultdict(dict)
    for finding in examined.findings:
        for run_id in finding.run_ids if finding.withheld else ():
            reasons[run_id] = {**finding.withheld, **reasons[run_id]}
    return tuple(
        replace(block, variants=tuple(_withholding(v, reasons) for v in block.variants))
        for block in blocks
    )


def _withholding(variant: Variant, reasons: Mapping[str, Mapping[str, str]]) -> Variant:
    """Return a variant that withholds what any of its runs does: the others would be better."""
    withheld: dict[str, str] = {}
    for run_id in variant.run_ids if reasons else ():
        withheld = {**reasons.get(run_id, {}), **withheld}
    return replace(variant, withheld=withheld) if withheld else variant


def _has_many(comparison: Comparison) -> bool:
    """Whether something is compared, and first runs can be left out."""
    compared = len(comparison.variants) > 1 and comparison.grade.comparable
    return compared and min(map(len, comparison.variants)) > _LEAST_LEFT


def _is_measured(draft: Draft) -> bool:
    """Whether runs have a metric, be it withheld: it may differ where nobody may look."""
    withheld = any(draft.metric.column in side.withheld for side in draft.pair.sides)
    return withheld or any(draft.runs)


def _successes(pair: Pair) -> str:
    """Return what is known of the requests that succeeded, a clause."""
    if all(variant.value(GOODPUT) is not None for variant in pair.sides):
        return "and goodput counts those that succeeded"
    return "and how many succeeded per second is not known"


def _in_full(comparison: Comparison) -> Iterator[Effect]:
    """Yield the effects with labels that are unique within the scenario and tool."""
    for effect in comparison.effects:
        yield replace(
            effect,
            variant=show.joined(effect.variant, comparison.setting),
            baseline=show.joined(effect.baseline, comparison.setting),
        )


class _Assessor:
    """Makes the comparisons of one scenario."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment
        self.options = assessment.options
        self.drafter = Drafter(assessment.bands, assessment.cuts)
        self.chosen = [named_metric(name) for name in dict.fromkeys(self.options.metrics)]
        # Whoever asks about one metric is not told "the same" where another primary one differs.
        silent = [m for m in ROWS if m.role == "primary" and m not in self.chosen]
        self.rows = [*self.chosen, *silent] if self.chosen else ROWS
        self.blocks = paired(assessment.blocks, assessment.wanted)
        self.findings = assessment.examination.findings
        #: Which of them are about a run.
        self.about: dict[str, list[int]] = defaultdict(list)
        for number, finding in enumerate(self.findings):
            for run_id in finding.run_ids:
                self.about[run_id].append(number)
        statuses: dict[tuple[str | None, str], list[Status]] = defaultdict(list)
        for status in assessment.examination.statuses:
            statuses[status.scenario, status.tool].append(status)
        self.statuses = {key: tuple(listed) for key, listed in statuses.items()}

    def comparisons(self) -> Iterator[Comparison]:
        """Yield a comparison per block; they share one family of tests."""
        siblings = self.blocks
        asked = [
            (list(self._drafts(block, siblings)), self._sweep_drafts(block)) for block in siblings
        ]
        rules = replace(self.options, looks=self._looks(siblings))
        effects = iter(judge([d for parts in asked for part in parts for d in part], rules))
        judged = [
            [
                [effect for draft, effect in zip(part, effects, strict=False) if draft.shown]
                for part in parts
            ]
            for parts in asked
        ]
        tests = sum(e.adjusted_p is not None for parts in judged for part in parts for e in part)
        comparisons = [
            self._comparison(block, plain, swept, tests)
            for block, (plain, swept) in zip(siblings, judged, strict=True)
        ]
        # What orders the variants stands in one table for all settings.
        leading = {c.rank_metric.column for c in comparisons if c.rank_metric}
        large = [comparison.large_changes for comparison in comparisons]
        common = leading & set[str]().union(*large)
        for comparison, own in zip(comparisons, large, strict=True):
            factors = own | common
            alike = _RATES if factors & _RATES else frozenset()
            yield replace(comparison, looks=rules.looks, factors=factors | alike)

    def _looks(self, siblings: Sequence[Block]) -> int:
        """Return how often the runs of a scenario are looked at: as asked, or more as recorded."""
        runs = (run for block in siblings for variant in block.variants for run in variant.runs)
        return max(self.options.looks, *(int(run.get("looks") or 1) for run in runs))

    # --- questions ---

    def _drafts(self, block: Block, siblings: Sequence[Block]) -> Iterator[Draft]:
        remarks = self._remarks(block, siblings)
        for pair in block.pairs:
            forbids = self._forbidden(pair)
            failing = failing_apart(pair.sides)
            primary = self._primary(pair, failing)
            for draft in self.drafter.drafts(pair, self.rows, self.chosen):
                why = self._why_untested(draft, primary, failing) if draft.contrast else ""
                shown = not self.chosen or draft.metric in self.chosen
                yield replace(
                    draft.remarked(why, *remarks),
                    labels=_labels(block, draft),
                    tested=shown and draft.contrast is not None and not why,
                    shown=shown,
                    primary=draft.metric in primary and _is_measured(draft),
                    doubtful=draft.padded or bool(failing),
                    forbidden=forbids,
                    pair_key=(block.scenario, id(block), draft.pair.variant.label),
                )
        for pair in block.copies:
            for draft in self.drafter.drafts(pair, self.chosen or ROWS, self.chosen):
                why = _COPY if draft.contrast else ""
                yield replace(draft.remarked(why, *remarks), labels=_labels(block, draft))
        yield from self._other_tool(block, siblings)

    def _forbidden(self, pair: Pair) -> str:
        """Return why there may be no verdict between two variants, empty where one may."""
        return next((f.forbids for f in self._findings(pair) if f.forbids), "")

    def _findings(self, pair: Pair) -> Iterator[Finding]:
        """Yield what was found about a comparison, the weightiest first."""
        numbers = {n for v in pair.sides for run_id in v.run_ids for n in self.about[run_id]}
        for number in sorted(numbers):
            if self.findings[number].concerns(pair.sides):
                yield self.findings[number]

    @staticmethod
    def _primary(pair: Pair, failing: str) -> list[Metric]:
        """Return the metrics that decide between two variants."""
        primary = [metric for metric in ROWS if metric.role == "primary"]
        if is_paced([run for v in pair.sides for run in v.runs]):
            primary.remove(THROUGHPUT)
        return [*primary, GOODPUT] if failing else primary

    def _why_untested(self, draft: Draft, primary: Collection[Metric], failing: str) -> str:
        metric = draft.metric
        if metric.role == "described":
            return _EXTREME
        if failing and metric.name not in COUNT_FAILURES:
            return f"described, not tested: {failing}, {_successes(draft.pair)}"
        if draft.padded:
            return PADDED
        if metric in {THROUGHPUT, GOODPUT}:
            rates = waited(run for side in draft.pair.sides for run in side.runs)
            if rates:
                return f"described, not tested: {rates}"
        return "" if metric in primary or self.chosen else _SECONDARY

    def _sweep_drafts(self, block: Block) -> list[Draft]:
        drafts = sweep_drafts(block, self.options.objectives, self._forbidden)
        return [draft.remarked(self._cut_remark()) for draft in drafts]

    def _remarks(self, block: Block, siblings: Sequence[Block]) -> tuple[str, str]:
        others = {sibling.tool for sibling in siblings}
        text = f"measured with {block.tool}; other tools are compared apart"
        return text if len(others) > 1 else "", self._cut_remark()

    def _cut_remark(self) -> str:
        if not self.assessment.cuts:
            return ""
        return f"without the first {show.duration(max(self.assessment.cuts.values()))} of each run"

    def _other_tool(self, block: Block, siblings: Sequence[Block]) -> Iterator[Draft]:
        """Yield rows that say that a variant was measured with another tool than the baseline."""
        wanted = self.assessment.wanted
        if len(block.variants) > 1:
            return
        first = with_baseline(siblings, wanted)
        if first.tool == block.tool:
            return
        variant = block.variants[0]
        base = next(v for v in first.variants if v.label == first.baseline)
        if base.name == variant.name:
            return
        why = f"measured with {block.tool}, the baseline with {first.tool}: not comparable"
        for metric in self.chosen or ROWS:
            runs = len(base.having(metric)), len(variant.having(metric))
            if any(runs):
                values = base.value(metric), variant.value(metric)
                draft = Draft(metric, Pair(variant, base), *values, runs, remarks=(why,))
                yield replace(draft, labels=(base.label, variant.label))

    # --- answers ---

    def _comparison(
        self, block: Block, effects: Sequence[Effect], swept: Sequence[Effect], tests: int
    ) -> Comparison:
        findings = self._numbered(block)
        # A copy says nothing of how often the others were run.
        whole = described(block.real if len(block.real) > 1 else block.variants)
        grades = self._grades(block, effects)
        copies = {pair.variant.label for pair in block.copies}
        answers = {label: grade for label, grade in grades.items() if label not in copies}
        metric = None
        if whole.comparable:
            metric = rank_metric(block.variants, swept=bool(block.axis))
        return Comparison(
            scenario=block.scenario,
            tool=block.tool,
            setting=block.setting,
            axis=block.axis,
            shared_params=block.shared_params,
            baseline=block.baseline,
            reference=default_baseline(block),
            rank_metric=metric,
            variants=block.variants if block.axis else ranked(block.variants, metric),
            order=tuple(v.label for v in block.variants),
            grade=together(whole, answers or grades),
            grades=grades,
            sweep_grades=self._sweep_grades(block, swept),
            effects=tuple(effects),
            sweep_effects=tuple(swept),
            knees=tuple(knees_of(block.variants)),
            findings=findings,
            statuses=self.statuses.get((block.scenario, block.tool), ()),
            tests=tests,
            margin=self.options.margin,
        )

    def _numbered(self, block: Block) -> tuple[Numbered, ...]:
        """Return the findings about the runs of a block, as far as they are about these."""
        mine: dict[int, list[str]] = defaultdict(list)
        for run_id in (run_id for variant in block.variants for run_id in variant.run_ids):
            for number in self.about[run_id]:
                mine[number].append(run_id)
        narrowed = [self.findings[number].narrowed(mine[number]) for number in sorted(mine)]
        return tuple(Numbered(n, group) for n, group in enumerate(groups(narrowed), 1))

    def _grades(self, block: Block, effects: Sequence[Effect]) -> Mapping[str, Grade]:
        """Return the grade of each variant against its baseline, by its label."""
        pairs = {v.label: Pair(v, None) for v in block.variants}
        pairs |= {pair.variant.label: pair for pair in (*block.pairs, *block.copies)}

        def against(pair: Pair) -> list[str]:
            # Beside a baseline of another tool there is but one reason: that it is another.
            sides = pair.sides
            return obstacles(sides, failures=self._asks_speed) if len(sides) > 1 else []

        return {
            label: graded(
                part, limited=self._is_limited([pairs[label]]), against=against(pairs[label])
            )
            for (_, label), part in by_labels(effects).items()
        }

    def _sweep_grades(
        self, block: Block, effects: Sequence[Effect]
    ) -> Mapping[tuple[str, str], Grade]:
        """Return the grade over all levels, by the labels of baseline and variant."""
        parts = by_labels(effects)
        curves = curve_pairs(block) if parts else []
        pairs = {(base.variant, other.variant): level_pairs(base, other) for base, other in curves}
        return {
            labels: graded(part, limited=self._is_limited(pairs[labels]))
            for labels, part in parts.items()
        }

    def _is_limited(self, pairs: Iterable[Pair]) -> bool:
        """Whether figures of a comparison are not what they seem."""
        return any(
            (self._asks_speed and are_mixed(pair.sides))
            or any(f.severity == "error" for f in self._findings(pair))
            for pair in pairs
        )

    @property
    def _asks_speed(self) -> bool:
        """Whether any metric is asked for besides those that count failures."""
        return not self.chosen or any(m.name not in COUNT_FAILURES for m in self.chosen)


def _labels(block: Block, draft: Draft) -> tuple[str, str]:
    """Return the labels of a pair; where no baseline was run, what that would be called."""
    base, variant = draft.pair.baseline, draft.pair.variant
    if base is not None:
        return base.label, variant.label
    named = next(v.name for v in block.variants if v.label == block.baseline)
    return f"{named}{variant.label.removeprefix(variant.name)}", variant.label
