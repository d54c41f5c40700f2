"""From estimates to verdicts: one family of tests, one margin per metric.

`faster` and `slower` need an adjusted p-value of at most 5 % and an interval beyond the margin,
`same` needs the 90 % interval inside it. Everything else is `inconclusive`, and says what would
settle it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from benchkit import format as show
from benchkit.compare.estimate import Estimate
from benchkit.compare.holm import holm
from benchkit.compare.power import ALPHA, LEAST_RUNS, least_runs, runs_for_effect, runs_for_same

Word = Literal["faster", "slower", "same", "inconclusive", "not-tested"]
#: Differences below this are not worth a verdict, however surely they are there.
MARGIN: Final = 0.01
#: The effect asked about, where nobody says otherwise.
EFFECT: Final = 0.05
#: Beyond so many further runs it is better to make each run longer.
_MANY: Final = 50


@dataclass(frozen=True, slots=True)
class Question:
    """One metric of one variant, tested against the baseline.

    Attributes:
        higher_is_better: Whether a ratio above 1 is good.
        runs: Of the baseline and of the variant.
        margin: 0.01 where ratios from 1/1.01 to 1.01 count as no difference.
        blur: Step of the clock as a share of the value: differences below it were not seen,
            which is not to say that there are none.
    """

    estimate: Estimate
    higher_is_better: bool
    runs: tuple[int, int]
    margin: float = MARGIN
    blur: float = 0.0

    @property
    def edge(self) -> float:
        """The ratio beyond which a difference is one."""
        return 1 + max(self.margin, self.blur)


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, the reason in a sentence, and the further runs of each variant it would take."""

    verdict: Word
    reason: str
    more_runs: int | None = None


def judge(family: Sequence[Question], *, effect: float = EFFECT) -> list[Answer]:
    """Return an answer per question; the questions share one chance of 5 % to be wrong.

    Args:
        family: All tests of one scenario.
        effect: The size of difference that further runs should be able to find.
    """
    adjusted = holm([one.estimate.p_value for one in family])
    attainable = holm([one.estimate.least_p for one in family])
    return [
        _Case(one, p, least, len(family), effect).answer()
        for one, p, least in zip(family, adjusted, attainable, strict=True)
    ]


def margin_of(pairs: Sequence[Estimate]) -> float:
    """Return the margin: 1 %, or half the widest interval of declared equal pairs."""
    halves = [math.log(one.interval.high / one.interval.low) / 2 for one in pairs]
    return max(MARGIN, *(math.expm1(half) for half in halves)) if halves else MARGIN


@dataclass(frozen=True, slots=True)
class _Case:
    question: Question
    adjusted_p: float
    attainable_p: float
    tests: int
    effect: float

    def answer(self) -> Answer:
        if min(self.question.runs) < LEAST_RUNS:
            return self._too_few()
        side = self._side()
        if side and self.adjusted_p <= ALPHA:
            better = (side > 0) == self.question.higher_is_better
            return Answer("faster" if better else "slower", f"{self._p()}; {self._method()}")
        if self.question.blur > self.question.margin and not side:
            return self._blurred()
        inner, edge = self.question.estimate.inner, self.question.edge
        if 1 / edge < inner.low and inner.high < edge:
            level = show.share(round(inner.confidence, 3))
            within = show.share(round(self.question.margin, 4))
            return Answer("same", f"the {level} interval lies within ±{within}; {self._method()}")
        return self._inconclusive(side)

    def _side(self) -> int:
        """Return 1 or -1 where the interval lies beyond the margin, else 0."""
        interval, edge = self.question.estimate.interval, self.question.edge
        return int(interval.low > edge) - int(interval.high < 1 / edge)

    def _too_few(self) -> Answer:
        least = least_runs(self.tests)
        reason = (
            f"{self._versus()} can reach no verdict at all: it takes {least} of each{self._among()}"
        )
        return Answer("inconclusive", reason, self._more(least))

    def _inconclusive(self, side: int) -> Answer:
        if self.attainable_p > ALPHA:
            return self._out_of_reach()
        size = show.share(self.effect)
        needed = self._needed()
        if needed is None:
            within = show.share(round(self.question.margin, 4))
            reason = f"the margin of {within} hides a difference of {size}; ask about a larger one"
            return Answer("inconclusive", reason)
        why = self._p() if side or self.adjusted_p > ALPHA else self._inside()
        if needed > min(self.question.runs):
            more = self._more(needed)
            return Answer("inconclusive", f"{why}; {self._until(more, needed, size)}", more)
        return self._small(why, size)

    def _out_of_reach(self) -> Answer:
        needed = max(least_runs(self.tests), self._needed() or 0)
        reason = (
            f"{self._versus()} can show no difference, whatever its size: "
            f"p cannot fall below {_p(self.attainable_p)}{self._among()}; it takes {needed} of each"
        )
        return Answer("inconclusive", reason, self._more(needed))

    def _blurred(self) -> Answer:
        step = show.share(round(self.question.blur, 3))
        reason = f"the step of the clock is {step} of it: a smaller difference cannot be seen"
        return Answer("inconclusive", reason)

    def _small(self, why: str, size: str) -> Answer:
        """Enough runs to have found the effect asked about, which is not there."""
        deviation = self.question.estimate.deviation
        needed = runs_for_same(margin=self.question.margin, deviation=deviation)
        more = max(self._more(needed), 1)
        within = show.share(round(self.question.margin, 4))
        reason = (
            f"{why}; a difference of {size} would probably have been found; "
            f"{show.plural(more, 'more run')} of each may tell whether it is within ±{within}"
        )
        return Answer("inconclusive", reason, more)

    def _needed(self) -> int | None:
        return runs_for_effect(
            self.effect,
            margin=self.question.margin,
            deviation=self.question.estimate.deviation,
            tests=self.tests,
        )

    def _until(self, more: int, needed: int, size: str) -> str:
        text = f"{show.plural(more, 'more run')} of each ({show.count(needed)} in all)"
        longer = "; longer runs would vary less" if more > _MANY else ""
        return f"a difference of {size} would take about {text}{longer}"

    def _inside(self) -> str:
        within = show.share(round(self.question.margin, 4))
        return f"the interval reaches into the margin of ±{within}"

    def _more(self, needed: int) -> int:
        return max(needed - min(self.question.runs), 0)

    def _versus(self) -> str:
        base, variant = self.question.runs
        each = f"{show.plural(base, 'run')} of each"
        return each if base == variant else f"{show.plural(variant, 'run')} against {base}"

    def _among(self) -> str:
        return f" with {self.tests} tests" if self.tests > 1 else ""

    def _p(self) -> str:
        among = f", adjusted for {self.tests} tests" if self.tests > 1 else ""
        return f"p = {_p(self.adjusted_p)}{among}"

    def _method(self) -> str:
        pairs = self.question.estimate.pairs
        return f"signed-rank test of {pairs} pairs" if pairs else "rank-sum test of the runs"


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 0.0001 else f"{value:.0e}"


def untested(reason: str) -> Answer:
    """Return the answer where nothing is tested."""
    return Answer("not-tested", reason)


def remarked(answer: Answer, remarks: Sequence[str]) -> Answer:
    """Return the answer with further remarks in its reason."""
    return replace(answer, reason="; ".join([*(p for p in (answer.reason,) if p), *remarks]))
