"""Saves to trends: each metric of each variant along the commits, and where its level changed."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.errors import UsageError, unknown
from benchkit.history.circumstances import (
    Break,
    Circumstances,
    circumstances_of,
    grouped,
    set_apart,
)
from benchkit.history.references import in_order, name_of, pooled
from benchkit.history.saves import Save, runs_of_saves, saves_of
from benchkit.model.grouping import by_scenario_and_tool, same_params, variants_of
from benchkit.model.metric import COSTS, METRICS, Metric
from benchkit.model.metric import metric as named_metric
from benchkit.model.run import Run
from benchkit.model.variant import Variant, called
from benchkit.redaction import redact
from benchkit.stats import LEVEL
from benchkit.stores import Store

if TYPE_CHECKING:
    from benchkit.compare.assess import Assessment
    from benchkit.model.comparison import Effect

#: Looked at first where nobody names a branch.
_USUAL: Final = ("main", "master", "trunk")
#: So many saves on either side of a change are compared, the nearest.
MOST_COMPARED: Final = 20
#: Sides that are kept in memory.
_POOLS: Final = 8
BEFORE: Final = "before"
AFTER: Final = "after"


@dataclass(frozen=True)
class SavedPoint:
    """One metric of one variant in one save; values in base units.

    Attributes:
        runs: That have the metric.
        value: Their median.
        low: Lower bound of its interval, or where there are too few runs the smallest of them.
        high: Likewise.
        confidence: Of that interval; None where the bounds are the range over the runs.
        group: Points of one number were measured alike: machine, tool, load, benchkit.
        step: Of the clock, of a latency that was printed in steps; else 0.
    """

    save: Save
    runs: int
    value: float
    low: float
    high: float
    confidence: float | None
    group: int
    step: float = 0.0


@dataclass(frozen=True, eq=False)
class ChangePoint:
    """Where a metric of a variant changed its level, with the comparison of both sides.

    Attributes:
        at: The first save of the new level.
        last: The last one of the old level.
        before: The saves that are compared with those after.
        assessment: Of both sides, under the names `before` and `after`.
        effect: The one of this metric in it.
        command: The command line that shows the comparison.
        circumstances: What sets its series apart from others of the trend, as `cores: 2`.
    """

    at: Save
    last: Save
    before: tuple[Save, ...]
    after: tuple[Save, ...]
    assessment: Assessment
    effect: Effect
    command: str
    circumstances: tuple[str, ...] = ()

    @property
    def worse(self) -> bool | None:
        """Whether the new level is the worse one; None where neither is."""
        better, ratio = self.effect.metric.better, self.effect.ratio
        change = self.effect.points if ratio is None else ratio - 1
        return (change > 0) == (better == "lower") if better and change else None


@dataclass(frozen=True, eq=False)
class Trend:
    """One metric of one variant along the commits.

    Attributes:
        variant: Its name with its params.
        points: In the order of the commits.
        breaks: Where something other than the commit changed; they are never change points.
        groups: What is known of the points of each group.
    """

    scenario: str | None
    variant: str
    tool: str
    metric: Metric
    points: tuple[SavedPoint, ...]
    changes: tuple[ChangePoint, ...] = ()
    breaks: tuple[Break, ...] = ()
    groups: tuple[Circumstances, ...] = ()

    @property
    def tools(self) -> str:
        """What measured it, in the order in which each came."""
        return ", then ".join(dict.fromkeys(str(group["tool"]) for group in self.groups))

    @property
    def name(self) -> str:
        """Scenario, where there is one, and variant."""
        return f"{self.scenario}: {self.variant}" if self.scenario else self.variant


@dataclass(frozen=True, eq=False)
class History:
    """The saves of a store, and the trends along one branch.

    Attributes:
        address: Of the store.
        saves: All, in the order of their commits; of one branch where that was asked for.
        branch: The one whose trends these are.
        tests: How many series were searched for change points, which share one chance of a
            false alarm.
    """

    address: str
    saves: tuple[Save, ...]
    branch: str
    trends: tuple[Trend, ...]
    tests: int

    @cached_property
    def on_branch(self) -> tuple[Save, ...]:
        """The saves that the trends are made of."""
        return tuple(save for save in self.saves if save.branch == self.branch)

    @cached_property
    def branches(self) -> Mapping[str, int]:
        """Number of saves by branch."""
        counts: dict[str, int] = defaultdict(int)
        for save in self.saves:
            counts[save.branch] += 1
        return counts

    @property
    def changes(self) -> list[tuple[Trend, ChangePoint]]:
        """All change points with their trends, the latest first."""
        order = {save.id: n for n, save in enumerate(self.saves)}
        listed = [(trend, change) for trend in self.trends for change in trend.changes]
        return sorted(listed, key=lambda pair: -order[pair[1].at.id])


def history_of(
    store: Store,
    *,
    branch: str | None = None,
    metrics: Sequence[str] = (),
    scenarios: Sequence[str] = (),
) -> History:
    """Return the trends of a store.

    Args:
        store: With at least one save.
        branch: Only this one; by default `main`, or else the one with the most saves.
        metrics: Names, as `benchkit compare` knows them; by default the primary ones.
        scenarios: Only these; by default all.

    Raises:
        UsageError: no save, or no such branch, metric or scenario.
        InputError: the store cannot be read.
    """
    chosen = [named_metric(name) for name in dict.fromkeys(metrics)]
    chosen = chosen or [metric for metric in METRICS if metric.role == "primary"]
    saves = in_order(saves_of(store))
    counts = {name: sum(s.branch == name for s in saves) for name in {s.branch for s in saves}}
    branch = branch and redact(branch)  # as those of saves are read
    if branch is not None and branch not in counts:
        raise unknown("branch", branch, sorted(counts))
    usual = (name for name in _USUAL if name in counts)
    followed = branch or next(usual, max(sorted(counts), key=lambda name: counts[name]))
    own = [save for save in saves if save.branch == followed]
    samples = list(_samples(store, own, chosen))
    _check_scenarios(scenarios, {sample.variant.runs[0].scenario for sample in samples})
    wanted = [s for s in samples if not scenarios or s.variant.runs[0].scenario in scenarios]
    trends = list(_trends(wanted, chosen))
    searched = [_searched(trend) for trend in trends]
    tests = sum(len(series) for series in searched)
    changed = tuple(
        replace(trend, changes=tuple(_changes(store, trend, own, series, max(tests, 1))))
        for trend, series in zip(trends, searched, strict=True)
    )
    kept = own if branch is not None else saves
    return History(store.address, tuple(kept), followed, changed, tests)


def _check_scenarios(scenarios: Iterable[str], known: Iterable[str | None]) -> None:
    there = sorted({name for name in known if name is not None})
    for name in scenarios:
        if name not in there:
            raise unknown("scenario", name, there)


# --- points ---


@dataclass(frozen=True, eq=False)
class _SavedSample:
    """The runs of one variant in one save."""

    save: Save
    variant: Variant
    circumstances: Circumstances


def _samples(
    store: Store, saves: Sequence[Save], metrics: Iterable[Metric]
) -> Iterator[_SavedSample]:
    tables = ["runs", *(["resources"] if {*metrics} & {*COSTS} else [])]
    try:
        by_save = runs_of_saves(saves, store, tables)
    except FileNotFoundError as error:
        hint = "if it was compacted just now, try again"
        raise UsageError(f"{store.address}: saved data are gone; {hint}") from error
    for save in saves:
        for part in by_scenario_and_tool(by_save[save.id]).values():
            for variant in variants_of(part):
                if not (variant.is_copy or variant.is_warm_up):
                    yield _SavedSample(
                        save, _withholding(variant, save), circumstances_of(variant, save)
                    )


def _withholding(variant: Variant, save: Save) -> Variant:
    withheld: dict[str, str] = {}
    for run_id in variant.run_ids:
        withheld |= save.withheld.get(run_id, {})
    return replace(variant, withheld=withheld)


def _trends(samples: Iterable[_SavedSample], metrics: Iterable[Metric]) -> Iterator[Trend]:
    by_variant: dict[tuple[Any, ...], list[_SavedSample]] = defaultdict(list)
    for sample in samples:
        first, params = sample.variant.runs[0], same_params(sample.variant.params)
        by_variant[first.scenario, sample.variant.name, params].append(sample)
    for (scenario, _, _), listed in by_variant.items():
        for tool, own in _by_tool(listed).items():
            variant = own[0].variant
            name = show.joined(variant.name, variant.params)
            numbers, groups, breaks = grouped([(each.save, each.circumstances) for each in own])
            for metric in metrics:
                pairs = zip(own, numbers, strict=True)
                points = tuple(p for each, n in pairs if (p := _point(each, metric, n)))
                if points:
                    yield Trend(
                        *(scenario, name, tool, metric, points),
                        breaks=tuple(breaks),
                        groups=tuple(groups),
                    )


def _by_tool(samples: Sequence[_SavedSample]) -> dict[str, list[_SavedSample]]:
    """Return the samples by tool where any save has several; else together, under the last."""
    by_tool: dict[str, list[_SavedSample]] = defaultdict(list)
    for sample in samples:
        by_tool[sample.variant.runs[0].tool].append(sample)
    ids = [sample.save.id for sample in samples]
    if len(set(ids)) < len(ids):
        return by_tool
    return {samples[-1].variant.runs[0].tool: list(samples)}


def _point(sample: _SavedSample, metric: Metric, group: int) -> SavedPoint | None:
    import numpy as np

    from benchkit.stats.medians import median_bounds

    values = sample.variant.sample(metric)
    if not values:
        return None
    bounds = median_bounds(np.asarray(values), LEVEL)
    low, value, high = bounds or (min(values), float(np.median(values)), max(values))
    confidence = LEVEL if bounds else None
    steps = (run.step_of(metric.column) for run in sample.variant.runs if metric.is_latency)
    step = max(steps, default=0.0)
    return SavedPoint(sample.save, len(values), value, low, high, confidence, group, step)


# --- change points ---


def _searched(trend: Trend) -> list[list[SavedPoint]]:
    """Return the series of a trend that are long enough, each measured alike throughout."""
    from benchkit.stats.changepoint import LEAST

    groups: dict[int, list[SavedPoint]] = defaultdict(list)
    for point in trend.points:
        groups[point.group].append(point)
    return [points for points in groups.values() if len(points) >= 2 * LEAST]


def _changes(
    store: Store,
    trend: Trend,
    branch: Sequence[Save],
    searched: Iterable[Sequence[SavedPoint]],
    tests: int,
) -> Iterator[ChangePoint]:
    import numpy as np

    from benchkit.stats.changepoint import change_points

    for points in searched:
        values = np.asarray([point.value for point in points])
        starts = change_points(values, tests=tests, step=max(point.step for point in points))
        edges = [0, *starts, len(points)]
        for n, start in enumerate(starts, 1):
            before = points[edges[n - 1] : start][-MOST_COMPARED:]
            after = points[start : edges[n + 1]][:MOST_COMPARED]
            yield _change(store, trend, branch, before, after)


def _is_of(run: Run, trend: Trend, tool: str | None) -> bool:
    name = show.joined(run.variant, run.params)
    return run.scenario == trend.scenario and run.tool == tool and name == trend.variant


def _change(
    store: Store,
    trend: Trend,
    branch: Sequence[Save],
    points_before: Sequence[SavedPoint],
    points_after: Sequence[SavedPoint],
) -> ChangePoint:
    """Return a change point with the comparison that its command makes."""
    from benchkit.compare.assess import Options, assess

    before, after = (tuple(p.save for p in side) for side in (points_before, points_after))
    group = points_after[0].group
    tool = trend.groups[group]["tool"]  # not always that of the last save
    pools = {BEFORE: _pool(store, before), AFTER: _pool(store, after)}
    own = next(run for run in pools[AFTER] if _is_of(run, trend, tool))
    sides: list[Run] = []
    wanted: dict[str, list[str]] = {}
    for name, runs in pools.items():
        named = (trend.scenario, own.variant)
        of_tool = (run for run in runs if run.tool == tool)
        kept = called([run for run in of_tool if (run.scenario, run.variant) == named], name)
        sides += kept
        same = same_params(own.params)
        wanted[name] = [run.run_id for run in kept if same_params(run.params) == same]
    options = Options(metrics=(trend.metric.name,))
    assessment = assess(sides, baseline=BEFORE, options=options)
    return ChangePoint(
        at=after[0],
        last=before[-1],
        before=before,
        after=after,
        assessment=assessment,
        effect=_effect(assessment, trend.metric, {*wanted[AFTER]}),
        command=_command(store, trend, own, branch, (before, after)),
        circumstances=set_apart(trend.groups, group),
    )


@lru_cache(maxsize=_POOLS)
def _pool(store: Store, saves: tuple[Save, ...]) -> list[Run]:
    """Return the runs of some saves, which several metrics that change together ask for."""
    return pooled(store, saves)


def _effect(assessment: Assessment, metric: Metric, run_ids: set[str]) -> Effect:
    """Return the effect of a metric of some runs."""
    for comparison in assessment.comparisons:
        for effect in comparison.effects:
            variant = comparison.by_label.get(effect.variant)
            if effect.metric == metric and variant and {*variant.run_ids} & run_ids:
                return effect
    raise LookupError("both sides have the metric")


def _command(
    store: Store,
    trend: Trend,
    run: Run,
    branch: Sequence[Save],
    sides: tuple[Sequence[Save], Sequence[Save]],
) -> str:
    words = ["benchkit", "compare"]
    for name, saves in zip((BEFORE, AFTER), sides, strict=True):
        words.append(f"{name}={store.address}@{name_of(saves, branch)}")
    if trend.scenario is not None:
        words += ["--scenario", trend.scenario]
    words += ["--variant", str(run.get("variant") or run.variant)]
    return shlex.join([*words, "--metric", trend.metric.name])
