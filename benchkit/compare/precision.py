"""How narrow intervals are wanted, as it is typed (`±3%`, `p99:±5%`), and where runs stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from benchkit import format as show
from benchkit.compare.assess import Assessment
from benchkit.errors import UsageError
from benchkit.model.comparison import DECIDED, Effect
from benchkit.model.metric import Metric
from benchkit.model.metric import metric as named_metric

_PATTERN: Final = re.compile(
    r"\s*+(?>(?:([\w.]++)\s*+:\s*+)?)(?>(?:±|\+/?-)?)\s*+((?:[0-9]{1,9}+(?:\.[0-9]{1,9}+)?))\s*+%\s*+"
)
_HINT: Final = "write for example ±3% or p99:±5%"
#: Two bounds a factor of two from their centre: nobody plans for less than that.
_WIDEST: Final = 1.0


@dataclass(frozen=True, slots=True)
class Precision:
    """The half width that the interval of a change should have.

    Attributes:
        half_width: 0.03 for 3 %, as `Interval.half_width`.
        metric: None for every metric that is tested.
        text: As it is written.
    """

    half_width: float
    metric: Metric | None
    text: str


def precision(text: str) -> Precision:
    """Return a precision from its text.

    Raises:
        UsageError: it is not a percentage from above 0 to 100, of a metric that may be tested.
    """
    match = _PATTERN.fullmatch(text)
    half_width = float(match[2]) / 100 if match else 0.0
    if match is None or not 0 < half_width <= _WIDEST:
        raise UsageError(f"--until {show.clean(text, limit=60)}: no width of an interval; {_HINT}")
    metric = named_metric(match[1]) if match[1] else None
    if metric is not None and metric.role == "described":
        raise UsageError(f"--until {metric.name}: it is described only, {_HINT}")
    name = f"{metric.name}:" if metric else ""
    return Precision(half_width, metric, f"{name}±{match[2]}%")


def metrics_of(precisions: Sequence[Precision]) -> tuple[str, ...]:
    """Return the metrics to test for some precisions; none where the primary ones will do."""
    named = [each.metric for each in precisions if each.metric is not None]
    if len(named) < len(precisions) or all(metric.role == "primary" for metric in named):
        return ()
    return tuple(dict.fromkeys(metric.name for metric in named))


@dataclass(frozen=True, slots=True)
class Standing:
    """One change whose interval is to become narrow.

    Attributes:
        name: Of what is compared, without the metric.
        limit: The half width that is wanted.
    """

    effect: Effect
    name: str
    limit: float

    @property
    def half_width(self) -> float | None:
        """Of the interval at present, None where there is none."""
        return self.effect.interval.half_width if self.effect.interval else None

    @property
    def decided(self) -> bool:
        """Whether a verdict stands."""
        return self.effect.verdict in DECIDED

    @property
    def narrow(self) -> bool:
        """Whether its interval is as narrow as wanted."""
        return self.half_width is not None and self.half_width <= self.limit

    @property
    def settled(self) -> bool:
        """Whether it needs no more runs."""
        return self.decided or self.narrow

    @property
    def hopeless(self) -> bool:
        """Whether further runs would settle nothing, however many."""
        effect = self.effect
        if effect.obstacle in {"forbidden", "withheld"}:
            return True
        enough = effect.obstacle != "few" and min(effect.runs, effect.baseline_runs)
        return bool(enough) and effect.interval is None


@dataclass(frozen=True)
class Look:
    """Where the runs stand at one look.

    Attributes:
        standings: All changes that are looked at; none where nothing can be compared.
    """

    standings: tuple[Standing, ...]

    @cached_property
    def open(self) -> tuple[Standing, ...]:
        """What needs more runs, the farthest from its goal first."""
        unsettled = (each for each in self.standings if not each.settled)
        return tuple(sorted(unsettled, key=_far, reverse=True))

    @property
    def widest(self) -> Standing | None:
        """What is farthest from its goal, of those with an interval; None where none has one."""
        known = [each for each in self.open or self.standings if each.half_width is not None]
        return max(known, key=_far, default=None)

    @property
    def ending(self) -> str:
        """Why no more runs are needed; empty where they are."""
        if not self.standings:
            return "nothing that was asked about can be compared"
        if self.open:
            if not all(each.hopeless for each in self.open):
                return ""
            first = self.open[0].effect
            return f"more runs would settle nothing: {first.metric.name}, {first.reason}"
        if all(each.decided for each in self.standings):
            return "a verdict stands"
        if all(each.narrow for each in self.standings):
            return "every interval is narrow enough"
        return "every interval is narrow enough, or a verdict stands"


def _far(standing: Standing) -> float:
    return (standing.half_width or 0.0) / standing.limit


def look(assessment: Assessment, precisions: Sequence[Precision]) -> Look:
    """Return where the runs stand, in every metric that a precision is about.

    One without a metric is about those that are tested; one of a metric goes before it. Copies of
    the baseline and whole sweeps are not waited for.
    """
    named = {each.metric: each.half_width for each in precisions if each.metric is not None}
    others = [each.half_width for each in precisions if each.metric is None]
    standings = []
    for comparison in assessment.comparisons:
        for effect in comparison.effects:
            limit = named.get(effect.metric)
            if limit is None and effect.tested and others:
                limit = min(others)
            if limit is not None and not comparison.by_label[effect.variant].is_copy:
                label = show.joined(effect.variant, comparison.setting)
                standings.append(Standing(effect, label, limit))
    return Look(tuple(standings))
