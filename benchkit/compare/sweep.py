"""Runs at several levels of a numeric param: where throughput stops growing, what fits an SLO.

Each repetition of the sweep gives one knee, one capacity and one latency at a given throughput,
so that these have as many values as there are repetitions, and are compared as runs are.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from benchkit import format as show
from benchkit.compare.blocks import LEAST_LEVELS, Block, Pair
from benchkit.compare.design import by_repeat
from benchkit.compare.draft import ONCE, Draft, is_padded
from benchkit.compare.obstacles import failing_apart, metric_obstacle
from benchkit.compare.slo import Objective
from benchkit.model.comparison import Knee
from benchkit.model.grouping import grouped, same_params
from benchkit.model.load import is_paced
from benchkit.model.metric import (
    COMPARED,
    COSTS,
    COUNT_FAILURES,
    ERROR_RATIO,
    THROUGHPUT,
    Metric,
)
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.stats.contrast import Contrast

#: The knee is where throughput first reaches this share of its highest.
NEAR_PEAK: Final = 0.95
#: Variants are compared at this share of the lower of their highest throughputs.
EQUAL_LOAD: Final = 0.8


@dataclass(frozen=True, slots=True)
class LevelCurve:
    """One variant at all levels.

    Attributes:
        variant: Name of the variant, with the params that are not swept where they tell it apart.
        rest: Those params.
        levels: The runs at each level, ascending.
        param: What is swept; empty where nothing is.
        lone_levels: Those left out of a comparison, because the other side has no runs at them.
    """

    variant: str
    rest: Mapping[str, object]
    levels: Mapping[float, Variant]
    param: str = ""
    lone_levels: tuple[float, ...] = ()

    def shared_with(self, other: LevelCurve) -> LevelCurve:
        """Return the curve at the levels that another one has, too."""
        levels = {level: v for level, v in self.levels.items() if level in other.levels}
        lone = tuple(level for level in self.levels if level not in levels)
        return replace(self, levels=levels, lone_levels=lone)

    @property
    def name(self) -> str:
        """What the variant is called at all levels."""
        return next(iter(self.levels.values())).name

    @property
    def runs(self) -> list[Run]:
        """Its runs at all levels."""
        return [run for variant in self.levels.values() for run in variant.runs]


@dataclass(frozen=True, slots=True)
class Sweep:
    """All variants against one param."""

    param: str
    curves: tuple[LevelCurve, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One repetition at one level, and what is withheld of its variant."""

    level: float
    run: Run
    withheld: Mapping[str, str]

    def value(self, metric: Metric) -> float | None:
        """Return a metric, None where it is withheld."""
        return None if metric.column in self.withheld else metric.value(self.run)

    @property
    def rate(self) -> float | None:
        """Its throughput per second."""
        return self.value(THROUGHPUT)


def sweeps(variants: Sequence[Variant]) -> list[Sweep]:
    """Return the sweeps among the variants of one block, one per numeric param."""
    real = [v for v in variants if not v.is_copy]
    levels: dict[str, set[float | None]] = {}
    for variant in real:
        for name in variant.factors:
            levels.setdefault(name, set()).add(variant.level(name))
    # First by its own levels: a curve looks at all other params too.
    names = [name for name, known in levels.items() if len(known - {None}) >= LEAST_LEVELS]
    listed = (Sweep(name, _curves(real, name)) for name in names)
    return [sweep for sweep in listed if sweep.curves]


def _curves(variants: Sequence[Variant], param: str) -> tuple[LevelCurve, ...]:
    """Return the curves against a param; one of few levels only beside another like it."""
    parts: dict[tuple[str, str], dict[float, Variant]] = defaultdict(dict)
    for variant in variants:
        level = variant.level(param)
        if level is not None:
            rest = {key: value for key, value in variant.factors.items() if key != param}
            parts[variant.name, json.dumps(rest, sort_keys=True)][level] = variant
    swept = {rest for (_, rest), levels in parts.items() if len(levels) >= LEAST_LEVELS}
    named = [(key, levels) for key, levels in parts.items() if key[1] in swept]
    plain = len({name for (name, _), _ in named}) == len(named)
    return tuple(
        LevelCurve(
            name if plain else show.joined(name, json.loads(rest)),
            json.loads(rest),
            dict(sorted(levels.items())),
            param,
        )
        for (name, rest), levels in named
    )


def repetitions(curve: LevelCurve) -> list[list[Point]]:
    """Return, for each repetition that has every level, its points in the order of the levels.

    Numbers that run on from level to level tell the order within each.
    """
    parts: dict[int, dict[float, Point]] = defaultdict(dict)
    numbers = [{run.get("repeat") for run in variant.runs} for variant in curve.levels.values()]
    every = set[int | None]().union(*numbers)
    apart = sum(map(len, numbers)) == len(every)
    runs_on = len(numbers) > 1 and apart and None not in every
    for level, variant in curve.levels.items():
        runs = by_repeat(variant.runs) if runs_on else variant.runs
        for at, run in enumerate(runs, 1):
            number = None if runs_on else run.get("repeat")
            parts[at if number is None else number][level] = Point(level, run, variant.withheld)
    whole = (parts[number] for number in sorted(parts) if len(parts[number]) == len(curve.levels))
    return [sorted(points.values(), key=lambda point: point.level) for points in whole]


def knees_of(variants: Sequence[Variant]) -> list[Knee]:
    """Return the knees of the sweeps of closed loops; none where nothing is swept.

    In an open loop the rate is what is asked for, and has no knee of its own.
    """
    knees = (
        knee(curve.variant, sweep.param, _throughputs(curve), repetitions(curve))
        for sweep in sweeps(variants)
        if not are_at_set_rates(sweep.curves)
        for curve in sweep.curves
    )
    return [each for each in knees if each is not None]


def are_at_set_rates(curves: Sequence[LevelCurve]) -> bool:
    """Whether the throughput at most levels is that which was asked for."""
    at_level: dict[float, list[Run]] = defaultdict(list)
    for level, variant in chain.from_iterable(curve.levels.items() for curve in curves):
        at_level[level] += variant.runs
    return 2 * sum(map(_is_at_set_rate, at_level.values())) > len(at_level)


def _is_at_set_rate(runs: Sequence[Run]) -> bool:
    """Whether runs did what they were asked for, and could have done more."""
    if not is_paced(runs) or any(run.get("load_model") == "open" for run in runs):
        return is_paced(runs)
    pairs = [(run.number("throughput_rps"), run.number("offered_rate_rps")) for run in runs]
    reached = [rate / offered for rate, offered in pairs if rate is not None and offered]
    return not reached or statistics.median(reached) >= NEAR_PEAK


def _throughputs(curve: LevelCurve) -> dict[float, float]:
    """Return the throughput of each level as it is shown, the median over its runs."""
    medians = {level: variant.value(THROUGHPUT) for level, variant in curve.levels.items()}
    return {level: rate for level, rate in medians.items() if rate}


def knee(
    variant: str, param: str, shown: Mapping[float, float], series: Sequence[Sequence[Point]]
) -> Knee | None:
    """Return the knee of one curve, and how it varies over its repetitions.

    `shown` is the throughput of each level, ascending. None without throughputs.
    """
    known = ({p.level: rate for p in points if (rate := p.rate)} for points in series)
    varied = [_near_peak(rates) for rates in known if len(rates) >= LEAST_LEVELS]
    if len(shown) < LEAST_LEVELS or not varied:
        return None
    level = _near_peak(shown)
    ends = level, min(level, *varied), max(level, *varied)
    middle, low, high = (each if math.isfinite(each) else None for each in ends)
    return Knee(variant, param, middle, low, high, max(shown.values()), len(varied))


def _near_peak(rates: Mapping[float, float]) -> float:
    """Return the lowest level near the highest throughput, infinity where that is the last."""
    near = NEAR_PEAK * max(rates.values())
    first = next(level for level, rate in rates.items() if rate >= near)
    return first if first < max(rates) else math.inf


def capacity(points: Sequence[Point], objectives: Sequence[Objective]) -> float | None:
    """Return the highest measured throughput at a level that keeps all objectives.

    0 where no level keeps them, None where the runs do not tell: also where a level has more of
    which they do not, unless a lower one fails. Nothing is interpolated: more may be possible
    between two levels.
    """
    best: float | None = None
    unknown, has_failed = 0.0, False
    for point in points:
        values = {name: point.value(metric) for name, metric in COMPARED.items()}
        kept = [objective.met(values) for objective in objectives]
        if point.rate is None:
            continue
        if False in kept:
            best, has_failed = best or 0.0, True
        elif None not in kept:
            best = max(best or 0.0, point.rate)
        elif not has_failed:
            unknown = max(unknown, point.rate)
    return None if best is not None and unknown > best else best


def value_at(points: Sequence[Point], metric: Metric, throughput: float) -> float | None:
    """Return a metric where a sweep first reaches a throughput, on the line between two levels.

    Only the rising part counts, up to the highest throughput; None where the throughput is not
    within it.
    """
    rising: list[tuple[float, float]] = []
    for point in points:
        rate, value = point.rate, point.value(metric)
        if rate and value and (not rising or rate > rising[-1][0]):
            rising.append((rate, value))
    for (rate, value), (further, later) in pairwise(rising):
        if rate <= throughput <= further:
            return value + (later - value) * (throughput - rate) / (further - rate)
    return None


def equal_load(sides: Sequence[Sequence[Sequence[Point]]]) -> float | None:
    """Return the throughput at which two variants are compared, None without any."""
    peaks = []
    for series in sides:
        for points in series:
            rates = [rate for point in points if (rate := point.rate)]
            if not rates:
                return None
            peaks.append(max(rates))
    return EQUAL_LOAD * min(peaks) if peaks else None


#: What is compared at equal throughput, beside the latencies what it costs.
_AT_EQUAL_LOAD: Final = (COMPARED["p50"], COMPARED["p99"], *COSTS)


def sweep_drafts(
    block: Block, objectives: Sequence[Objective], forbidden: Callable[[Pair], str]
) -> Iterator[Draft]:
    """Yield what the sweeps of a block say: capacities within bounds, and at equal throughput.

    `forbidden` returns why nothing may be established between two variants; what forbids it at a
    level forbids it of the whole.
    """
    for base, other in curve_pairs(block):
        if objectives:
            draft = _capacity((base.shared_with(other), other.shared_with(base)), objectives)
            reasons = filter(None, map(forbidden, level_pairs(base, other)))
            yield replace(draft, forbidden=next(reasons, ""))
        if min(len(base.levels), len(other.levels)) > 1:
            yield from _at_equal_load((base, other))


def level_pairs(base: LevelCurve, other: LevelCurve) -> list[Pair]:
    """Return the variants of two curves at the levels that both have."""
    return [
        Pair(other.levels[level], variant)
        for level, variant in base.levels.items()
        if level in other.levels
    ]


def curve_pairs(block: Block) -> list[tuple[LevelCurve, LevelCurve]]:
    """Return the baseline and each variant that is compared with it, each at all its levels."""
    real = block.real
    base = next(v for v in real if v.label == block.baseline)
    full = block.full
    swept = [
        replace(curve, variant=full(curve.variant))
        for sweep in sweeps(real)
        for curve in sweep.curves
    ]
    if not swept:
        return [
            (
                LevelCurve(full(pair.baseline.label), {}, {0.0: pair.baseline}),
                LevelCurve(full(pair.variant.label), pair.variant.factors, {0.0: pair.variant}),
            )
            for pair in block.pairs
            if pair.baseline
        ]
    own = [curve for curve in swept if base in curve.levels.values()]
    own += [curve for curve in swept if curve.name == base.name and curve not in own]
    alike = grouped(swept, lambda curve: (curve.param, same_params(curve.rest)))
    return [
        (first, curve)
        for first in own
        for curve in alike[first.param, same_params(first.rest)]
        if curve is not first and not first.levels.keys().isdisjoint(curve.levels)
    ]


def _capacity(curves: tuple[LevelCurve, LevelCurve], objectives: Sequence[Objective]) -> Draft:
    text = ",".join(objective.text for objective in objectives)
    name = f"throughput@{text}"
    metric = Metric(name, name, f"Throughput within {text}", "rate", "higher", "secondary")
    values = [[capacity(points, objectives) for points in repetitions(c)] for c in curves]
    bounds = {objective.metric for objective in objectives}
    counted = any(each.name in COUNT_FAILURES for each in bounds)
    pairs = level_pairs(*curves)
    obstacles = (
        metric_obstacle(baseline, variant, ERROR_RATIO if counted else metric)
        for baseline, variant in (pair.sides for pair in pairs)
    )
    why = _undecided(curves, bounds)
    if not (why or counted):
        failing = (failing_apart(pair.sides) for pair in pairs)
        why = next((f"{text}; bound error_ratio too" for text in failing if text), "")
    remark = _levels_asked(curves)
    remark += f"; described, not tested: {why}" if why else ""
    draft = _draft(
        curves, values, metric, remark=remark, obstacle=next(filter(None, obstacles), "")
    )
    return replace(draft, tested=not why)


def _undecided(curves: Sequence[LevelCurve], bounds: Collection[Metric]) -> str:
    """Return why a capacity is no result of both sides alike, empty where it is."""
    if any(is_padded(metric, curve.runs) for metric in bounds for curve in curves):
        return "the tool added samples to what is bounded"
    if are_at_set_rates(curves):
        return "the rates were asked for"
    lone = any(curve.lone_levels for curve in curves)
    return "a side may reach more at levels that the other lacks" if lone else ""


def _levels_asked(curves: Sequence[LevelCurve]) -> str:
    """Return at which levels a capacity is sought, and which only one side was measured at."""
    if not all(curve.param for curve in curves):
        return "at this load"
    lone = [
        f"{show.quoted(curve.variant)} alone was measured at "
        f"{curve.param} {show.listed([f'{level:g}' for level in curve.lone_levels])}"
        for curve in curves
        if curve.lone_levels
    ]
    if not lone:
        return "the highest at any measured level"
    return f"the highest at any level of both; {show.listed(lone)}"


def _never_kept(labels: Sequence[str], sides: Sequence[Sequence[float]]) -> str:
    """Return in how many repetitions of which variants no level kept all objectives."""
    parts = [
        f"{side.count(0.0)} of {show.plural(len(side), 'repetition')} of {show.quoted(label)}"
        for label, side in zip(labels, sides, strict=True)
        if not all(side)
    ]
    return f"no level kept it in {show.listed(parts)}"


def _at_equal_load(curves: tuple[LevelCurve, LevelCurve]) -> Iterator[Draft]:
    sides = [repetitions(curve) for curve in curves]
    at = equal_load(sides)
    if at is None or are_at_set_rates(curves):
        return
    again = tuple(curve.variant for curve in curves if _passes(curve, at) > 1)
    where = f"at {show.rate(at)} req/s, between the measured levels"
    if again:
        names = show.listed([show.quoted(name) for name in again])
        verb = "passes" if len(again) == 1 else "pass"
        where = f"{where} where first reached; {names} {verb} it again at higher levels"
    below = _begin_above(curves, sides, at)
    for plain in _AT_EQUAL_LOAD:
        values = [[value_at(points, plain, at) for points in side] for side in sides]
        unknown = any(value is None for side in values for value in side)
        if unknown and not (below and _is_known(plain, sides)):
            continue
        name = f"{plain.name}@equal-throughput"
        metric = replace(
            plain,
            name=name,
            column=name,
            title=f"{plain.title} at equal throughput",
            role="secondary",
        )
        baseline, variant = (next(iter(curve.levels.values())) for curve in curves)
        obstacle = below if unknown else metric_obstacle(baseline, variant, metric)
        remark = "" if unknown else f"{where}; described, not tested"
        draft = _draft(curves, values, metric, remark=remark, obstacle=obstacle)
        yield replace(draft, throughput_rps=at, passed_again=again)


def _begin_above(
    curves: Sequence[LevelCurve], sides: Sequence[Sequence[Sequence[Point]]], throughput: float
) -> str:
    """Return which variants have more than a throughput at their lowest level, if any."""
    names = [
        show.quoted(curve.variant)
        for curve, side in zip(curves, sides, strict=True)
        if any(value_at(points, THROUGHPUT, throughput) is None for points in side)
    ]
    have = "has" if len(names) == 1 else "have"
    more = f"{have} more than {show.rate(throughput)} req/s already at the lowest level"
    return f"{show.listed(names)} {more}" if names else ""


def _is_known(metric: Metric, sides: Sequence[Sequence[Sequence[Point]]]) -> bool:
    """Whether each repetition has a metric at some level."""
    return all(any(point.value(metric) for point in points) for side in sides for points in side)


def _passes(curve: LevelCurve, throughput: float) -> int:
    """Return how often the medians of a curve pass a throughput, on the lines between levels."""
    known = (variant.value(THROUGHPUT) for variant in curve.levels.values())
    rates = [rate for rate in known if rate is not None]
    return sum(min(pair) < throughput <= max(pair) for pair in pairwise(rates))


def _draft(
    curves: tuple[LevelCurve, LevelCurve],
    values: Sequence[Sequence[float | None]],
    metric: Metric,
    *,
    remark: str,
    obstacle: str,
) -> Draft:
    """Return the draft of two lists of values, each repetition standing for a run.

    A repetition of a sweep is no moment in time, so nothing is paired.
    """
    sides = [tuple(value for value in side if value is not None) for side in values]
    firsts = [next(iter(curve.levels.values())) for curve in curves]
    # Half of what one repetition had, where another had none, is what none had.
    middles = (statistics.median if all(side) else statistics.median_low for side in sides)
    base, value = (m(side) if side else None for m, side in zip(middles, sides, strict=True))
    labels = curves[0].variant, curves[1].variant
    draft = Draft(
        metric,
        Pair(firsts[1], firsts[0]),
        base,
        value,
        (len(sides[0]), len(sides[1])),
        labels=labels,
        pair_key=(metric.name, *labels),
    )
    whole = _whole_repetitions(curves, values)
    if obstacle or not all(sides):
        return draft.remarked(obstacle or whole or "no repetition of a side has it", remark)
    if min(map(min, sides)) <= 0:
        return draft.remarked(_never_kept(labels, sides), remark)
    draft = replace(draft, ratio=(value or 0.0) / (base or 1.0))
    if min(map(len, sides)) == 1:
        return draft.remarked(whole or ONCE, remark)
    return replace(draft, contrast=Contrast(sides[0], sides[1])).remarked(whole, remark)


def _whole_repetitions(curves: Sequence[LevelCurve], values: Sequence[Sequence[object]]) -> str:
    """Return of which sides only some repetitions have every level, empty where all have."""
    most = [max(map(len, curve.levels.values())) for curve in curves]
    parts = [
        f"{len(side) or 'none'} of {show.plural(number, 'repetition')} of {show.quoted(c.variant)}"
        for c, side, number in zip(curves, values, most, strict=True)
        if len(side) < number
    ]
    return f"every level was run in {show.listed(parts)}" if parts else ""
