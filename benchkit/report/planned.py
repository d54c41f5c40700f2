"""A plan in words, as a table, as Markdown and as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare.planning import ComparisonPlan, MetricPlan
from benchkit.report.markdown import escaped, table
from benchkit.report.terminal import PrintedColumn, printed_table, text_of, wrapped

if TYPE_CHECKING:
    from rich.console import RenderableType

HEADINGS: Final = ("metric", "variant", "runs", "spread", "within a run", "repeats", "minutes")
#: Columns of numbers.
_RIGHT: Final = range(2, len(HEADINGS))
UNKNOWN: Final = "not known from these runs"
#: Below this share of the variance, what happens within a run does not matter.
_SMALL: Final = 0.1


def title(plan: ComparisonPlan) -> str:
    """Return what is planned, and what for."""
    size, power = show.share(plan.effect), show.share(plan.power)
    return f"{show.clean(plan.name)}: to find {size} in {power} of experiments"


def rows(plan: ComparisonPlan) -> list[list[str]]:
    """Return a row of texts per metric, as `HEADINGS` has them."""
    return [
        [
            metric.metric.name,
            show.clean(metric.variant, limit=40),
            show.count(metric.runs),
            "" if metric.spread is None else show.share(metric.spread),
            "" if metric.within is None else show.share(metric.within),
            "" if metric.repeats is None else show.count(metric.repeats),
            _minutes(metric.minutes),
        ]
        for metric in plan.metrics
    ]


def _minutes(minutes: float | None) -> str:
    return "" if minutes is None else f"{minutes:.1f}" if minutes < 99.95 else show.count(minutes)


def sentences(plan: ComparisonPlan) -> Iterator[str]:
    """Yield what follows: how many repeats, what a block takes, what the length of a run does."""
    if plan.alone:
        yield "A second variant is missing; what follows takes it to vary as this one does."
    if not (plan.metrics or plan.untested):
        yield "Nothing here can be tested, however often it is repeated."
    yield from _untested(plan)
    for metric in plan.metrics:
        if metric.repeats is None:
            yield f"{metric.metric.name}: {show.clean(metric.reason, limit=200)}."
    if plan.repeats is None:
        return
    cost = plan.cost
    every = all(metric.repeats is not None for metric in plan.metrics)
    what = "in every metric" if every else "in every metric that has a number"
    if plan.untested:
        names = [metric.metric.name for metric in plan.metrics if metric.repeats is not None]
        what = f"in {show.listed(names)}"
    blocks = f"{show.plural(plan.repeats, 'repeat')} of {show.plural(cost.runs, 'run')} each"
    if plan.minutes is None:
        yield f"{blocks} find it {what}; how long they take is {UNKNOWN}."
    else:
        counted = "with starts, warm-ups and pauses" if cost.whole else "without starts and pauses"
        yield (
            f"{blocks} find it {what}: {_minutes(plan.minutes)} min, "
            f"{show.duration(cost.block_s or 0.0)} for each repeat {counted}."
        )
    if not plan.alone and not all(
        metric.paired for metric in plan.metrics if metric.repeats is not None
    ):
        yield "The runs were not interleaved: where repeats are, a drift costs less."
    yield _of_length(plan)


def _untested(plan: ComparisonPlan) -> Iterator[str]:
    """Yield why metrics that would decide are not tested, those of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for metric, reason in plan.untested.items():
        by_reason.setdefault(reason, []).append(metric.name)
    for reason, names in by_reason.items():
        yield f"{show.listed(names)}: {show.clean(reason, limit=200)}."


def _of_length(plan: ComparisonPlan) -> str:
    """Return what longer or shorter runs would do."""
    counted = [metric for metric in plan.metrics if metric.repeats is not None]
    best = plan.best
    if best is None or plan.cost.run_s is None:
        return (
            f"What the length of a run does is {UNKNOWN}: it takes runs with the times of requests."
        )
    now = show.duration(plan.cost.run_s)
    if all(_share(metric) < _SMALL for metric in counted):
        return (
            f"Longer runs than {now} would not help: less than {show.share(_SMALL)} of the "
            "variance lies within a run."
        )
    if abs(best.run_s - plan.cost.run_s) < 1e-9 * best.run_s:
        return f"Runs of {now} are about right: shorter or longer ones take longer in all."
    return (
        f"Runs of {show.duration(best.run_s)} in place of {now} would do it with "
        f"{show.plural(best.repeats, 'repeat')}, {_minutes(best.minutes)} min in all."
    )


def _share(metric: MetricPlan) -> float:
    if not metric.spread or metric.within is None:
        return 0.0
    return (metric.within / metric.spread) ** 2


def terminal(plans: Sequence[ComparisonPlan], *, width: int) -> str:
    """Return the plans for a terminal of so many columns."""
    parts: list[list[RenderableType]] = []
    for plan in plans:
        columns = [
            PrintedColumn(HEADINGS[at], texts, right=at in _RIGHT)
            for at, texts in enumerate(zip(*rows(plan), strict=True))
        ]
        shown = [printed_table(columns, width)] if columns else []
        parts.append([*wrapped([title(plan)], width), *shown, *wrapped(sentences(plan), width)])
    return text_of(parts, width, colour=False)


def markdown(plans: Sequence[ComparisonPlan]) -> str:
    """Return the plans as Markdown, a heading for each."""
    parts = []
    for plan in plans:
        parts += [f"### {escaped(title(plan))}", ""]
        cells = [[escaped(cell) for cell in row] for row in rows(plan)]
        parts += [table(HEADINGS, cells, right=_RIGHT), ""] if cells else []
        parts += [f"{escaped(sentence)}\n" for sentence in sentences(plan)]
    return "\n".join(parts)


def records(plans: Sequence[ComparisonPlan]) -> list[dict[str, Any]]:
    """Return a record per comparison and metric, in base units; missing is None."""
    return [
        {
            "scenario": plan.scenario,
            "setting": dict(plan.setting),
            "tool": plan.tool,
            "metric": metric.metric.name,
            "variant": metric.variant,
            "baseline": metric.baseline or None,
            "effect": plan.effect,
            "power": plan.power,
            "runs": metric.runs,
            "paired": metric.paired,
            "spread": metric.spread,
            "spread_within": metric.within,
            "repeats": metric.repeats,
            "minutes": metric.minutes,
            "block_runs": plan.cost.runs,
            "block_s": plan.cost.block_s,
            "block_whole": plan.cost.whole,
            "run_s": plan.cost.run_s,
            "lengths": [asdict(each) for each in metric.lengths],
            "reason": metric.reason,
        }
        for plan in plans
        for metric in plan.metrics
    ]
