"""Which variant is better, how sure is that: from tables to one row per variant and metric.

The run is the unit. What repeated runs support is tested, what a single run supports is
described, and each row says which of the two it is and why.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.bands import Bands
from benchkit.compare.drafts import Draft, Runs, draft
from benchkit.compare.measures import MEASURES, Measure, measure, values_of
from benchkit.compare.model import VariantSummary
from benchkit.compare.pairs import Pair, Plan, plans
from benchkit.compare.rows import Row
from benchkit.compare.summaries import Group, groups_of
from benchkit.compare.sweepdrafts import of_sweeps
from benchkit.compare.trim import trimmed
from benchkit.compare.verdicts import (
    EFFECT,
    MARGIN,
    Answer,
    Question,
    judge,
    margin_of,
    remarked,
    untested,
)
from benchkit.frames import rows_of
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity import findings, withheld

if TYPE_CHECKING:
    from benchkit.compare.slo import Objective
    from benchkit.results import Results
    from benchkit.validity import Finding

#: Tested wherever they are known; throughput only where the loop is closed.
_PRIMARY: Final = frozenset({"p50", "p99"})
#: Steps of columns that come from a coarser file than the rest: ab's p99.9 from `-g`.
_STEPS: Final = {("ab", "latency_p999_s"): 1e-3}
_SECONDARY: Final = "described, not tested: ask for it with --metric"


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked.

    Attributes:
        metrics: Names, each of which is then tested; empty for all, of which some are.
        objectives: The highest throughput within all of them is compared.
        trim_start_s: So much of the start of each run is left out.
        effect: The difference that further runs should be able to find, 0.05 for 5 %.
    """

    metrics: tuple[str, ...] = ()
    objectives: tuple[Objective, ...] = ()
    trim_start_s: float = 0.0
    effect: float = EFFECT


@dataclass(frozen=True, slots=True)
class _Entry:
    scenario: str | None
    tool: str
    baseline: str
    variant: str
    draft: Draft
    question: Question | None
    answer: Answer
    remarks: tuple[str, ...] = ()


def infer(
    results: Results,
    *,
    baseline: str | None = None,
    options: Options | None = None,
    found: Sequence[Finding] | None = None,
) -> list[Row]:
    """Return a row per scenario, variant and metric; none where there is nothing to compare.

    Args:
        results: The runs.
        baseline: As for `benchkit.compare.compare`.
        options: What is asked; by default everything, of which the primary metrics are tested.
        found: What the checks found, where that is known: they withhold figures.

    Raises:
        UsageError: an unknown baseline or metric, or nothing that can be trimmed.
    """
    asked = options or Options()
    chosen = [measure(name) for name in dict.fromkeys(asked.metrics)]
    cuts: dict[str, float] = {}
    if asked.trim_start_s:
        results, cuts = trimmed(results, asked.trim_start_s)
    rows = {row["run_id"]: row for row in rows_of(results.runs)}
    groups = groups_of(results)
    hidden = _of_variants(withheld(findings(results) if found is None else found), groups)
    values = values_of(results, hidden)
    runs = Runs(rows, values, Bands(results), hidden, cuts, asked.trim_start_s)
    planned = plans(groups, baseline)
    by_scenario: dict[str | None, list[_Entry]] = defaultdict(list)
    for plan in planned:
        tools = {one.group.tool for one in planned if one.group.scenario == plan.group.scenario}
        by_scenario[plan.group.scenario] += _Group(plan, runs, asked, chosen, tools).entries()
        by_scenario[plan.group.scenario] += _apart(plan, planned, runs, chosen)
    return [row for entries in by_scenario.values() for row in _judged(entries, asked.effect)]


def _of_variants(
    hidden: Mapping[tuple[str, str], str], groups: Sequence[Group]
) -> dict[tuple[str, str], str]:
    """Withhold from a whole variant what one of its runs withholds.

    The runs that could tell would be the better ones.
    """
    found: dict[tuple[str, str], str] = {}
    for variant in (variant for group in groups for variant in group.variants):
        reasons = {
            column: why for (run_id, column), why in hidden.items() if run_id in variant.run_ids
        }
        found |= {
            (run_id, name): why for run_id in variant.run_ids for name, why in reasons.items()
        }
    return found


def _judged(entries: Sequence[_Entry], effect: float) -> Iterator[Row]:
    family = [one.question for one in entries if one.question]
    answers = iter(judge(family, effect=effect))
    for one in entries:
        answer = next(answers) if one.question else one.answer
        yield _row(one, remarked(answer, one.remarks))


@dataclass(frozen=True, slots=True)
class _Group:
    """One scenario measured with one tool."""

    plan: Plan
    runs: Runs
    options: Options
    chosen: Sequence[Measure]
    tools: Collection[str]

    def entries(self) -> Iterator[_Entry]:
        """Yield variant by variant, metric by metric, sweeps last."""
        for pair in self.plan.pairs:
            for of in self._measures(pair):
                yield self._entry(pair, of)
        for pair in self.plan.copies:
            for of in self._measures(pair):
                yield self._copy(pair, of)
        for one in of_sweeps(self.plan, self.runs, self.options.objectives):
            tested = one.asked and one.draft.estimate is not None
            question = self._question(one.draft, margin=MARGIN) if tested else None
            answer = untested("" if one.draft.estimate is None else "described, not tested")
            yield _Entry(
                self.plan.group.scenario,
                self.plan.group.tool,
                one.baseline,
                one.variant,
                one.draft,
                question,
                answer,
                (*one.draft.remarks, *self._remarks(one.draft)),
            )

    def _measures(self, pair: Pair) -> list[Measure]:
        if self.chosen:
            return list(self.chosen)
        ids = [i for one in (pair.baseline, pair.variant) if one for i in one.run_ids]
        return [
            of for of in MEASURES.values() if any(self.runs.knows(run_id, of) for run_id in ids)
        ]

    def _entry(self, pair: Pair, of: Measure) -> _Entry:
        if pair.baseline is None:
            sides: tuple[list[float], list[float]] = (
                [],
                self.runs.of(pair.variant.run_ids, of.name),
            )
            why = "the baseline was not run with these params"
            return self._of(pair, Draft(of, sides, remarks=(why,)), None, untested(""))
        made = draft(self.runs, pair.baseline, pair.variant, of)
        if made.estimate is None:
            return self._of(pair, made, None, untested(""))
        if not of.testable:
            why = "the largest of all requests: described, never tested"
            return self._of(pair, made, None, untested(why))
        if not self.chosen and not self._primary(of, pair):
            return self._of(pair, made, None, untested(_SECONDARY))
        return self._of(pair, made, self._question(made, margin=self._margin(of)), untested(""))

    def _copy(self, pair: Pair, of: Measure) -> _Entry:
        assert pair.baseline is not None  # noqa: S101 - `plans` leaves others out
        made = draft(self.runs, pair.baseline, pair.variant, of)
        why = "a declared copy: half its interval is the margin of this metric"
        return self._of(pair, made, None, untested(why if made.estimate else ""))

    def _of(self, pair: Pair, made: Draft, question: Question | None, answer: Answer) -> _Entry:
        label = pair.baseline.label if pair.baseline else self.plan.baseline
        remarks = (*made.remarks, *self._remarks(made))
        group = self.plan.group
        names = (group.full(label), group.full(pair.variant.label))
        return _Entry(group.scenario, group.tool, *names, made, question, answer, remarks)

    def _question(self, made: Draft, *, margin: float) -> Question:
        assert made.estimate is not None  # noqa: S101 - callers have looked
        runs = (len(made.sides[0]), len(made.sides[1]))
        return Question(
            made.estimate, made.measure.higher_is_better, runs, margin, self._blur(made)
        )

    def _margin(self, of: Measure) -> float:
        copies = (
            draft(self.runs, pair.baseline, pair.variant, of)
            for pair in self.plan.copies
            if pair.baseline
        )
        return margin_of([one.estimate for one in copies if one.estimate])

    def _blur(self, made: Draft) -> float:
        """Return the step of the clock as a share of a quantile: less cannot be told apart."""
        if made.measure.column not in QUANTILE_COLUMNS.values():
            return 0.0
        labels = self.plan.group.variants
        steps = [step for one in labels for step in one.facts["resolution_s"] if step]
        steps.append(_STEPS.get((self.plan.group.tool, made.measure.column), 0.0))
        smallest = min(statistics.median(side) for side in made.sides)
        return max(steps, default=0.0) / smallest

    def _primary(self, of: Measure, pair: Pair) -> bool:
        return of.name in _PRIMARY or (of.name == "throughput" and _closed(pair))

    def _remarks(self, made: Draft) -> list[str]:
        found = []
        if len(self.tools) > 1:
            found.append(f"measured with {self.plan.group.tool}; other tools are compared apart")
        if self.runs.cuts and made.ratio is not None:
            latest = max(self.runs.cuts.values())
            found.append(f"without the first {show.duration(latest)} of each run")
        return found


def _closed(pair: Pair) -> bool:
    """Whether throughput measures the server: a closed loop, or no rate that was asked for."""
    sides = [one for one in (pair.baseline, pair.variant) if one]
    models = {model for one in sides for model in one.facts["load_model"]}
    paced = any(one.facts["offered_rate_rps"] for one in sides)
    return models == {"closed"} or (not models and not paced)


def _apart(
    plan: Plan, planned: Sequence[Plan], runs: Runs, chosen: Sequence[Measure]
) -> Iterator[_Entry]:
    """Yield rows that say that a variant was measured with another tool than the rest."""
    group = plan.group
    others = [
        one
        for one in planned
        if one.group.scenario == group.scenario and one.group.tool != group.tool
    ]
    alone = not plan.pairs and len(group.variants) == 1
    if not alone or not others:
        return
    first = others[0]
    base = next(one for one in first.group.variants if one.label == first.baseline)
    if base.variant == group.variants[0].variant:
        return
    why = f"measured with {group.tool}, the baseline with {first.group.tool}: not comparable"
    for of in chosen or MEASURES.values():
        sides = _sides(runs, base, group.variants[0], of)
        if any(sides):
            made = Draft(of, sides)
            names = (base.label, group.variants[0].label)
            yield _Entry(group.scenario, group.tool, *names, made, None, untested(why))


def _sides(
    runs: Runs, base: VariantSummary, one: VariantSummary, of: Measure
) -> tuple[list[float], list[float]]:
    return runs.of(base.run_ids, of.name), runs.of(one.run_ids, of.name)


def _row(one: _Entry, answer: Answer) -> Row:
    made = one.draft
    interval = made.interval
    base, value = (statistics.median(side) if side else None for side in made.sides)
    return Row(
        scenario=one.scenario,
        tool=one.tool,
        metric=made.measure.name,
        baseline=one.baseline,
        variant=one.variant,
        baseline_value=base,
        value=value,
        ratio=made.ratio,
        ci_low=None if interval is None else interval.low,
        ci_high=None if interval is None else interval.high,
        confidence=None if interval is None else interval.confidence,
        baseline_runs=len(made.sides[0]),
        runs=len(made.sides[1]),
        verdict=answer.verdict,
        more_runs=answer.more_runs,
        reason=answer.reason,
    )
