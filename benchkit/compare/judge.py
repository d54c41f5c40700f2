"""From drafts to effects: one family of tests in a scenario, one rule for every verdict.

`faster` and `slower` need an adjusted p-value of at most 5 % and an interval without 1 that
reaches beyond the margin; `same` needs every primary metric of the variant within it. Everything
else is `inconclusive`, and says what would settle it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit.compare.draft import Draft
from benchkit.errors import UsageError
from benchkit.model.comparison import Effect, Obstacle, Verdict
from benchkit.stats import ALPHA, MARGIN
from benchkit.units import as_number

if TYPE_CHECKING:
    from benchkit.stats.contrast import Contrast
    from benchkit.stats.decision import Decision
    from benchkit.stats.estimate import Estimate

#: The effect asked about, where nobody says otherwise.
EFFECT: Final = 0.05
#: Beyond so many further runs something else helps more than repeating.
_MANY: Final = 36
#: More are none that anybody makes.
_HOPELESS: Final = 1000
#: Smaller changes read as none.
_SEEN: Final = 5e-5


@dataclass(frozen=True, slots=True)
class Rules:
    """How verdicts are reached.

    Attributes:
        margin: Differences up to it count as none, 0.03 for 3 %.
        effect: The difference that further runs should be able to find.
        looks: How often the runs are looked at, as announced before the first look.
    """

    margin: float = MARGIN
    effect: float = EFFECT
    looks: int = 1

    def __post_init__(self) -> None:
        shares: Mapping[str, tuple[object, float]] = {
            "margin": (self.margin, 1.0),
            "effect": (self.effect, math.inf),
        }
        for name, (value, most) in shares.items():
            if not 0 < (as_number(value) or 0.0) < most:
                below = "" if most == math.inf else f" and below {most:g}"
                expected = f"a share above 0{below}, such as 0.03 for 3 %"
                raise UsageError(f"{name} {value!r:.40}: expected {expected}")
        looks = as_number(self.looks) or 0.0
        if not (looks >= 1 and looks % 1 == 0):
            raise UsageError(f"looks {self.looks!r:.40}: expected a whole number from 1 on")

    @property
    def alpha(self) -> float:
        """The chance that any verdict of the family is wrong."""
        return ALPHA / self.looks


def judge(drafts: Sequence[Draft], rules: Rules) -> list[Effect]:
    """Return an effect per draft of a scenario; the tested ones share one chance to be wrong."""
    from benchkit.stats.decision import decide

    family = [(d, d.asked) for d in drafts if d.asked is not None and d.asked.testable]
    variants = max(len({draft.pair_key for draft, _ in family}), 1)

    def decided(contrasts: Sequence[Contrast]) -> list[Decision]:
        return decide(contrasts, margin=rules.margin, alpha=rules.alpha, variants=variants)

    decisions = zip(family, decided([contrast for _, contrast in family]), strict=True)
    by_draft = {id(draft): decision for (draft, _), decision in decisions}
    apart = _not_the_same(drafts, by_draft, lambda contrast: decided([contrast])[0])
    effects = []
    for draft in drafts:
        decision = by_draft.get(id(draft))
        if decision is None:
            effects.append(_untested(draft))
        else:
            sizes = len(family), variants
            case = _Case(draft, decision, rules, *sizes, apart.get(draft.pair_key))
            effects.append(case.effect())
    return effects


def _not_the_same(
    drafts: Sequence[Draft],
    decisions: Mapping[int, Decision],
    decide: Callable[[Contrast], Decision],
) -> dict[object, list[Draft]]:
    """Return per pair with primary metrics those that are not shown to be the same.

    Doubtful ones never are: long pauses fill the upper percentiles with added samples, which
    agree where the measured ones do not.
    """
    apart: dict[object, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if not draft.primary:
            continue
        different = apart[draft.pair_key]
        decision = decisions.get(id(draft))
        if decision is None and draft.contrast and not draft.doubtful:
            decision = decide(draft.contrast)
        if decision is None or not decision.equivalent:
            different.append(draft)
    return apart


def _untested(draft: Draft) -> Effect:
    from benchkit.stats.estimate import estimate

    few, more = _too_few(draft) if draft.too_few else ("", None)
    forbidden = draft.forbidden if draft.tested else ""
    verdict: Verdict = "inconclusive" if forbidden or few else "not-tested"
    made = estimate(draft.contrast) if draft.contrast else None
    return _effect(draft, made, forbidden, few, verdict=verdict, more=more)


def _effect(
    draft: Draft,
    estimate: Estimate | None,
    *reasons: str,
    verdict: Verdict,
    more: int | None,
    adjusted_p: float | None = None,
) -> Effect:
    withheld = any(draft.metric.column in side.withheld for side in draft.pair.sides)
    obstacle: Obstacle = "withheld" if withheld else ""
    if draft.tested and (draft.forbidden or draft.too_few):
        obstacle = "forbidden" if draft.forbidden else "few"
    texts = (*reasons, _other_direction(draft, estimate), *draft.remarks)
    return Effect(
        metric=draft.metric,
        baseline=draft.labels[0],
        variant=draft.labels[1],
        baseline_value=draft.baseline_value,
        value=draft.value,
        ratio=estimate.ratio if estimate else draft.ratio,
        estimate=estimate.method if estimate else "",
        points=draft.points,
        contrast=None if draft.too_few else draft.asked,
        interval=estimate.interval if estimate else draft.interval,
        baseline_runs=draft.runs[0],
        runs=draft.runs[1],
        verdict=verdict,
        adjusted_p=adjusted_p,
        more_runs=more,
        reason="; ".join(text for text in texts if text),
        obstacle=obstacle,
        throughput_rps=draft.throughput_rps,
        passed_again=draft.passed_again,
    )


def _too_few(draft: Draft) -> tuple[str, int]:
    assert draft.contrast is not None  # noqa: S101 - else nothing were asked
    base, variant = draft.runs
    each = f"{show.plural(base, 'run')} of each"
    versus = each if base == variant else f"{show.plural(variant, 'run')} against {base}"
    least = draft.contrast.least
    text = f"{versus} can reach no verdict: it takes {least} of each"
    return text, least - min(base, variant)


@dataclass(frozen=True, slots=True)
class _Case:
    """One test with its outcome.

    Attributes:
        apart: The primary metrics of the pair that are not the same, None where it has none.
    """

    draft: Draft
    decision: Decision
    rules: Rules
    tests: int
    variants: int
    apart: Sequence[Draft] | None

    @property
    def contrast(self) -> Contrast:
        """What was tested."""
        contrast = self.draft.contrast
        assert contrast is not None  # noqa: S101 - else it were no test
        return contrast

    def effect(self) -> Effect:
        """Return the verdict and the reason for it."""
        verdict, reason, more = self._verdict()
        estimate, p_value = self.decision.estimate, self.decision.adjusted_p
        effect = _effect(
            self.draft, estimate, reason, verdict=verdict, more=more, adjusted_p=p_value
        )
        others = self.decision.equivalent and verdict != "same" and not effect.obstacle
        return replace(effect, obstacle="others") if others else effect

    def _verdict(self) -> tuple[Verdict, str, int | None]:
        if self.decision.direction:
            better = (self.decision.direction > 0) == self.draft.metric.higher_is_better
            return "faster" if better else "slower", f"{self._p()}; {self._method()}", None
        if self.decision.equivalent and not self.apart:
            every = "" if self.apart is None else " in every primary metric"
            return "same", f"within {self._margin()}{every}", None
        if self.decision.equivalent and self.apart:
            names = show.listed([draft.metric.name for draft in self.apart])
            padded = all(draft.padded for draft in self.apart)
            why = ", to which the tool added samples" if padded else ""
            text = f"within {self._margin()}, which is not shown of {names}{why}"
            return "inconclusive", text, None
        return self._inconclusive()

    def _inconclusive(self) -> tuple[Verdict, str, int | None]:
        estimate, effect = self.decision.estimate, self.rules.effect
        if estimate.interval is None:
            return "inconclusive", "the step of the clock is as large as the value", None
        size = show.share(effect)
        if estimate.hidden >= effect:
            return "inconclusive", f"{self._p()}; {self._hidden()}, and {size} is less", None
        more = self._more(self._for_effect(effect))
        if not more and estimate.interval.half_width > effect:
            text = f"the runs vary too unevenly to say how many find a difference of {size}"
            return "inconclusive", f"{self._p()}; {text}", None
        if not more:
            return self._small(size)
        if more > _HOPELESS:
            text = f"the runs vary too much to find a difference of {size} by repeating them"
            return "inconclusive", f"{self._p()}; {text}", None
        text = f"to find a difference of {size} takes about {self._runs(more)}"
        return "inconclusive", f"{self._p()}; {text}", more

    def _small(self, size: str) -> tuple[Verdict, str, int | None]:
        """Enough runs to have found the effect asked about, which is not there."""
        from benchkit.stats.power import runs_for_same

        estimate, margin = self.decision.estimate, self.rules.margin
        text = f"{self._p()}; a difference of {size} would probably have been found"
        seen, least = (
            max(estimate.ratio, 1 / estimate.ratio),
            estimate.interval.least if estimate.interval else 1.0,
        )
        # What the step hides is lost to either question.
        within = max(seen, least * (1 + estimate.hidden)) < 1 + margin
        if not within and seen - 1 <= estimate.hidden:
            return "inconclusive", f"{text}; {self._hidden()}", None
        if within:
            needed = runs_for_same(
                least,
                margin=(1 + margin) / (1 + estimate.hidden) - 1,
                deviation=estimate.deviation,
                paired=self.contrast.paired,
                variants=self.variants,
                alpha=self.rules.alpha,
            )
            more = max(self._more(needed), 1)
            whether = f" may tell whether it is within {self._margin()}"
            return "inconclusive", f"{text}; {self._runs(more, whether)}", more
        more = max(self._more(self._for_effect(seen - 1)), 1)
        takes = f"to tell the change seen from none takes about {self._runs(more)}"
        return "inconclusive", f"{text}; {takes}", more

    def _for_effect(self, size: float) -> int:
        from benchkit.stats.power import runs_for_effect

        estimate = self.decision.estimate
        return runs_for_effect(
            size,
            hidden=estimate.hidden,
            deviation=estimate.deviation,
            paired=self.contrast.paired,
            tests=self.tests,
            alpha=self.rules.alpha,
        )

    def _more(self, needed: int) -> int:
        return max(needed - self.contrast.runs, 0)

    def _runs(self, more: int, purpose: str = "") -> str:
        needed = self.contrast.runs + more
        text = f"{show.plural(more, 'more run')} of each ({show.count(needed)} in all){purpose}"
        if more > _MANY and 2 * self.decision.estimate.hidden > self.rules.effect:
            return f"{text}; a tool that prints finer steps would help more than repeating"
        if more > _MANY:
            text += "; longer runs on a quieter machine would help more than repeating"
        return text

    def _hidden(self) -> str:
        hidden = show.share(self.decision.estimate.hidden)
        return f"the step of the clock hides differences of up to {hidden}, however many the runs"

    def _margin(self) -> str:
        return show.margin(self.rules.margin)

    def _p(self) -> str:
        text = f"{self.decision.adjusted_p:.2g}"  # never below 1 in `permutations.MOST_EXACT`
        among = f" adjusted for {self.tests} tests" if self.tests > 1 else ""
        alpha, looks = show.share(self.rules.alpha), self.rules.looks
        needed = f", and {alpha} is needed for {looks} looks" if looks > 1 else ""
        return f"p = {text}{among}{needed}"

    def _method(self) -> str:
        sizes = len(self.contrast.baseline), len(self.contrast.variant)
        if self.contrast.paired:
            return f"{sizes[1]} pairs of interleaved runs"
        return f"permutations and Welch's test of {sizes[0]} and {sizes[1]} runs"


def _other_direction(draft: Draft, estimate: Estimate | None) -> str:
    """Say where the medians shown and the estimate over pairs point apart."""
    if estimate is None or not estimate.method or draft.ratio is None:
        return ""
    pairs, medians = estimate.ratio - 1, draft.ratio - 1
    if min(abs(pairs), abs(medians)) < _SEEN or pairs * medians > 0:
        return ""
    more, less = ("higher", "lower") if pairs > 0 else ("lower", "higher")
    return f"{more} over the pairs, although {less} in the medians shown"
