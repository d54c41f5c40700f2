"""Rules against the baseline: all of a check are one family, decided together.

The interval of the comparison, at 95 %, must lie wholly within the limit or wholly beyond it, and
the limit must be rejected as the true change at 5 % over all relative rules of the check. That is
tested with the variant's runs divided by the limit: a change of exactly the limit is then none,
and the test is the one of every comparison, adjusted step by step over the family (see
`benchkit.stats.family`, which loses nothing where metrics move together).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchkit import format as show
from benchkit.compare.assess import Assessment
from benchkit.compare.blocks import Block, has_baseline
from benchkit.gates.doubts import Doubts
from benchkit.gates.rule import Rule
from benchkit.gates.ruling import Outcome, Ruling
from benchkit.gates.scope import Member
from benchkit.model.comparison import Comparison
from benchkit.model.variant import Variant
from benchkit.stats import ALPHA
from benchkit.stats.contrast import Contrast
from benchkit.stats.family import adjusted_p

_ALONE: Final = "nothing is compared with the baseline"
_ITSELF: Final = "it is the baseline itself"
_UNMATCHED: Final = "no other variant has runs with these params"
_NO_BASELINE: Final = "no baseline is named: --baseline NAME"


@dataclass(frozen=True, slots=True)
class Question:
    """A relative rule about one variant before it is decided.

    Attributes:
        ruling: What came of it, where nothing is tested.
        contrast: What is tested, the variant divided by the limit; None where nothing is.
        absent: How many runs of either side do not have the metric.
        looks: How often the runs are looked at, as they record it.
        sides: The variants that are compared.
    """

    ruling: Ruling
    contrast: Contrast | None = None
    absent: int = 0
    looks: int = 1
    sides: tuple[Variant, ...] = ()


@dataclass(frozen=True, eq=False)
class Arena:
    """One comparison, and whether it has the baseline that is asked for."""

    comparison: Comparison
    members: tuple[Member, ...]
    has_baseline: bool
    wanted: str = ""

    def questions(self, rule: Rule) -> Iterator[Question]:
        """Yield what a rule asks here; nothing where it is about nothing here."""
        chosen = [member for member in self.members if member.fits(rule.scope)]
        if not chosen:
            return
        if not self.has_baseline:
            why = f"there is no baseline {self.wanted} here" if self.wanted else _NO_BASELINE
            for member in chosen:
                yield Question(_missing(rule, member, why))
            return
        others = [member for member in chosen if not self._is_base(member)]
        real = [member for member in others if not member.variant.is_copy] or others
        yield from (self._question(rule, member) for member in real)
        for member in chosen:
            if member not in others and member.variant.label not in self._partners(real):
                yield Question(_missing(rule, member, self._unasked(member)))

    def _is_base(self, member: Member) -> bool:
        """Whether others are compared with it, or would be at its level."""
        if member.variant.is_copy:
            return False
        names = {each.variant.name for each in self.members}
        is_named = len(names) > 1 and member.variant.name == self.comparison.base.name
        return is_named or self.comparison.is_baseline(member.variant)

    def _unasked(self, member: Member) -> str:
        """Return why a rule asks nothing about what others would be compared with."""
        if all(map(self._is_base, self.members)):
            return _ALONE
        return _ITSELF if member.variant.label in self._partners(self.members) else _UNMATCHED

    def _partners(self, members: Sequence[Member]) -> set[str]:
        """Return the labels of what these are compared with."""
        effects = self.comparison.effects_by_variant
        return {e.baseline for member in members for e in effects.get(member.variant.label, ())}

    def _question(self, rule: Rule, member: Member) -> Question:
        effect = self.comparison.effect(member.variant.label, rule.metric.column)
        if effect is None:
            return Question(_missing(rule, member, _ALONE))
        base = self.comparison.by_label.get(effect.baseline)
        start = Ruling(
            rule,
            "inconclusive",
            scenario=member.scenario,
            variant=member.label,
            baseline=show.joined(effect.baseline, self.comparison.setting),
            measured=effect.ratio,
            runs=effect.runs,
            baseline_runs=effect.baseline_runs,
            reason=effect.reason or "not tested",
        )
        if effect.interval is not None:
            low, high, level = effect.interval
            start = replace(start, low=low, high=high, level=level)
        if not (effect.runs and effect.baseline_runs) and effect.obstacle != "withheld":
            is_absent = effect.baseline_runs or base is not None
            outcome: Outcome = "skipped" if rule.optional and is_absent else "missing"
            return Question(replace(start, outcome=outcome))
        if effect.contrast is None:
            return Question(start)
        sides = (member.variant,) if base is None else (base, member.variant)
        absent = sum(map(len, sides)) - effect.runs - effect.baseline_runs
        shifted = _shifted(effect.contrast, rule.limit)
        return Question(start, shifted, absent, self.comparison.looks, sides)


def arenas(assessment: Assessment, *, stated: bool) -> list[Arena]:
    """Return the comparisons of an assessment as rules see them, without warm-ups.

    Args:
        assessment: Of all runs.
        stated: Whether its baseline was asked for; else it is that of the metadata, and a block
            without one has none.
    """
    pairs = zip(assessment.blocks, assessment.comparisons, strict=True)
    return [
        Arena(
            comparison,
            tuple(
                Member(comparison.scenario, variant, comparison.setting)
                for variant in block.variants
                if not variant.is_warm_up
            ),
            has_baseline([block], assessment.wanted) if stated else _is_stated(block),
            assessment.wanted or "",
        )
        for block, comparison in pairs
    ]


def decided(questions: Sequence[Sequence[Question]], doubts: Doubts) -> list[list[Ruling]]:
    """Return what came of all relative rules of a check, which are one family, rule by rule."""
    family = [q.contrast for asked in questions for q in asked if q.contrast is not None]
    p_values = iter(adjusted_p(family))
    return [
        [
            question.ruling
            if question.contrast is None
            else _decided(question, next(p_values), doubts, tests=len(family))
            for question in asked
        ]
        for asked in questions
    ]


def tests(questions: Sequence[Sequence[Question]]) -> int:
    """Return how many questions are tested."""
    return sum(question.contrast is not None for asked in questions for question in asked)


def _decided(question: Question, p_value: float, doubts: Doubts, *, tests: int) -> Ruling:
    ruling = question.ruling
    rule, among = ruling.rule, f" adjusted for {tests} rules" if tests > 1 else ""
    p_text = f"p = {p_value:.2g}{among}"
    if ruling.low is None or ruling.high is None:
        return replace(ruling, reason="the step of the clock is as large as the value")
    holds = rule.holds(ruling.low), rule.holds(ruling.high)
    if all(holds) != any(holds):
        return replace(ruling, reason="the interval of the change holds the limit")
    if p_value > ALPHA / question.looks:
        over = f" over {show.plural(question.looks, 'look')}" if question.looks > 1 else ""
        return replace(ruling, reason=f"{p_text}: too few runs to tell{over}")
    if all(holds) and question.absent:
        absent = show.plural(question.absent, "run")
        have = "does" if question.absent == 1 else "do"
        return replace(ruling, reason=f"{absent} {have} not have it")
    if all(holds) and (doubt := doubts.about(rule.metric, question.sides)):
        return replace(ruling, reason=doubt)
    return replace(ruling, outcome="passed" if all(holds) else "failed", reason=p_text)


def _shifted(contrast: Contrast, limit: float) -> Contrast:
    """Return the contrast in which a change of exactly the limit is none."""
    return replace(contrast, variant=tuple(value / limit for value in contrast.variant))


def _missing(rule: Rule, member: Member, why: str) -> Ruling:
    return Ruling(rule, "missing", why, scenario=member.scenario, variant=member.label)


def _is_stated(block: Block) -> bool:
    return any(variant.name == block.stated_baseline for variant in block.real)
