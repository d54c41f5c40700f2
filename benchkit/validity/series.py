"""What the repetitions of a variant say of each other: a trend over them, one far from the rest."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.load import speed_metric
from benchkit.model.metric import FIGURES, Metric
from benchkit.model.run import Run, order_of
from benchkit.model.variant import Variant
from benchkit.validity.evidence import RunSet, names
from benchkit.validity.finding import Check, Raised
from benchkit.validity.trend import trend_p

_LEAST_RUNS: Final = 6
#: Without a trend repetitions look like one in so many cases; and by so much it must change them.
_CHANCE, _CHANGE = 0.005, 0.05
#: Others have none that look so in more cases.
_NO_TREND: Final = 0.1
#: A run is far from the rest by so many times the range of these, and by such a share.
_RANGES, _APART = 3.0, 0.1
#: And by more than so many steps of the clock.
_STEPS: Final = 2
#: So many variants are named.
_NAMED: Final = 3


class _Trend(NamedTuple):
    """How one figure of a variant changes with its runs: the medians of its first and last third.

    Attributes:
        chance: In what share of cases runs without a trend look like one.
    """

    variant: Variant
    metric: Metric
    first: float
    last: float
    chance: float

    @property
    def is_steady(self) -> bool:
        """Whether it is no chance, and matters."""
        changed = max(self.first, self.last) > (1 + _CHANGE) * min(self.first, self.last)
        return changed and self.chance <= _CHANCE

    @property
    def text(self) -> str:
        """What it is, in words."""
        ends = [self.metric.prose(value) for value in (self.first, self.last)]
        what = f"{self.metric.subject} of {show.quoted(self.variant.label)}"
        return f"{what} went from {ends[0]} to {ends[1]} over {len(self.variant)} runs"


@Check(
    "TREND",
    "Runs change with every repetition",
    "in the order of the runs the throughput of a variant, at a set rate its p50, rises or falls "
    "so steadily as without a trend in 0.5 % of cases, and by over 5 % from the first third to "
    "the last; error where another has nothing of it",
    needs="six runs of a variant and their order",
    severities=("warning", "error"),
    source="Mann 1945, nonparametric tests against trend",
    advice="Look for what fills up, leaks or heats up, and start the server anew for each run.",
).for_set
def _trend(runs: RunSet) -> Iterator[Raised]:
    order = order_of(runs.runs)
    known = [trend for variant in runs.variants if (trend := _trend_of(variant, order))]
    if not known:
        raise MissingError("no six runs of a variant with their order")
    trends = [trend for trend in known if trend.is_steady]
    if not trends:
        return
    others = [trend.variant for trend in known if trend.chance > _NO_TREND]
    every = [trend.text for trend in trends[:_NAMED]]
    if len(trends) > _NAMED:
        more = show.plural(len(trends) - _NAMED, "more variant")
        every.append(f"{more} changed as steadily")
    text = f"{show.listed(every)}{f'; no such trend in {names(others)}' if others else ''}"
    yield Raised(
        f"In the order of the runs {text}: how many runs were made is part of such a result.",
        severity="error" if others else "warning",
        values={"ends": {t.variant.label: [t.first, t.last] for t in trends}},
        touches=FIGURES,
        runs=[run for trend in trends for run in trend.variant.runs],
    )


def _trend_of(variant: Variant, order: Mapping[Run, float]) -> _Trend | None:
    """Return the trend of a variant with six runs in order that have the figure, else None."""
    metric = speed_metric(variant.runs)
    ordered = sorted((run for run in variant.runs if run in order), key=order.__getitem__)
    values = [value for run in ordered if (value := metric.value(run))]
    if len(values) < max(_LEAST_RUNS, len(variant)):
        return None
    third = len(values) // 3
    first, last = statistics.median(values[:third]), statistics.median(values[-third:])
    return _Trend(variant, metric, first, last, trend_p(values))


@Check(
    "OUTLIER_RUN",
    "One run is far from the others",
    "the throughput of a run, at a set rate its p50, is off those of the others by over three "
    "times their range and 10 %",
    needs="the throughput, or p50, of six runs of a variant",
    advice="Look for what else the machine did in this run, and repeat it.",
).for_set
def _outlier(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for variant in runs.variants:
        metric = speed_metric(variant.runs)
        values = {run: metric.value(run) for run in variant.runs}
        known = {run: value for run, value in values.items() if value is not None}
        if len(known) < _LEAST_RUNS:
            continue
        compared = True
        step = max(run.step_of(metric.column) for run in known) if metric.is_latency else 0.0
        ordered = sorted(known, key=known.__getitem__)
        for far, *others in (ordered, ordered[::-1]):
            ends = sorted((known[others[0]], known[others[-1]]))
            distance = max(ends[0] - known[far], known[far] - ends[1])
            reach = _RANGES * (ends[1] - ends[0]), _APART * ends[0], _STEPS * step
            if distance > max(reach):
                yield _far(variant, metric, far, ends, value=known[far], others=len(others))
    if not compared:
        raise MissingError(f"no {_LEAST_RUNS} runs of a variant with a throughput, or a p50")


def _far(
    variant: Variant,
    metric: Metric,
    run: Run,
    ends: Sequence[float],
    *,
    value: float,
    others: int,
) -> Raised:
    span = " to ".join(metric.prose(end) for end in ends)
    rest = f"{others} other runs of {show.quoted(variant.label)}"
    return Raised(
        f"{run.name}: {metric.subject} was {metric.prose(value)}, in the {rest} {span}. "
        "One such run may cost a verdict, or make one.",
        values={"value": value, "others": [*ends]},
        touches=(metric.column,),
        runs=[run],
    )
