"""Runs at several levels of a numeric param: where throughput stops growing, what fits an SLO.

Each repetition of the sweep gives one knee, one capacity and one latency at a given throughput,
so that these have as many values as there are repetitions, and are compared as runs are.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit.compare.measures import Values
from benchkit.compare.model import VariantSummary
from benchkit.compare.params import LEAST_LEVELS, factors, is_copy, level_of
from benchkit.compare.slo import Objective

#: The knee is where throughput first reaches this share of its highest.
NEAR_PEAK: Final = 0.95
#: Variants are compared at this share of the lower of their highest throughputs.
EQUAL_LOAD: Final = 0.8


@dataclass(frozen=True, slots=True)
class Curve:
    """One variant at all levels.

    Attributes:
        variant: Name of the variant, with the params that are not swept where they tell it apart.
        rest: Those params.
        levels: The summary of the runs at each level, ascending.
    """

    variant: str
    rest: Mapping[str, object]
    levels: Mapping[float, VariantSummary]


@dataclass(frozen=True, slots=True)
class Sweep:
    """All variants against one param."""

    param: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class Knee:
    """Where throughput stops growing.

    Attributes:
        level: Median over the repetitions; None where it still grew at the last level.
        low: Lowest of the repetitions.
        high: Highest of them.
        peak_rps: Highest throughput, median over the repetitions.
    """

    level: float | None
    low: float | None
    high: float | None
    peak_rps: float


Point = tuple[float, Values]


def sweeps(variants: Sequence[VariantSummary]) -> list[Sweep]:
    """Return the sweeps among the variants of one group, one per numeric param."""
    real = [one for one in variants if not is_copy(one)]
    names = dict.fromkeys(name for one in real for name in factors(one))
    found = (Sweep(name, _curves(real, name)) for name in names)
    return [sweep for sweep in found if sweep.curves]


def _curves(variants: Sequence[VariantSummary], param: str) -> tuple[Curve, ...]:
    found: dict[tuple[str, str], dict[float, VariantSummary]] = defaultdict(dict)
    for one in variants:
        level = level_of(one, param)
        if level is not None:
            rest = {k: v for k, v in factors(one).items() if k != param}
            found[one.variant, json.dumps(rest, sort_keys=True)][level] = one
    named = [(key, levels) for key, levels in found.items() if len(levels) >= LEAST_LEVELS]
    several = {name for name, _ in (key for key, _ in named)}
    plain = len(several) == len(named)
    return tuple(
        Curve(_name(name, rest, plain=plain), json.loads(rest), dict(sorted(levels.items())))
        for (name, rest), levels in named
    )


def _name(variant: str, rest: str, *, plain: bool) -> str:
    if plain:
        return variant
    return show.joined(variant, json.loads(rest))


def repetitions(
    curve: Curve, repeats: Mapping[str, int | None], values: Mapping[str, Values]
) -> list[list[Point]]:
    """Return, for each repetition that has every level, its points in the order of the levels.

    Args:
        curve: One variant.
        repeats: Number of the repetition by `run_id`.
        values: Metrics by `run_id`.
    """
    found: dict[int, dict[float, Values]] = defaultdict(dict)
    for level, summary in curve.levels.items():
        for place, run_id in enumerate(summary.run_ids):
            number = repeats.get(run_id)
            found[place + 1 if number is None else number][level] = values[run_id]
    whole = (found[n] for n in sorted(found) if len(found[n]) == len(curve.levels))
    return [sorted(points.items(), key=lambda point: point[0]) for points in whole]


def knee(runs: Sequence[Sequence[Point]]) -> Knee | None:
    """Return the knee over the repetitions of one curve; None without throughputs."""
    peaks, levels = [], []
    for points in runs:
        rates = [(level, values["throughput"]) for level, values in points]
        known = [(level, rate) for level, rate in rates if rate]
        if len(known) < LEAST_LEVELS:
            continue
        peak = max(rate for _, rate in known)
        first = next(level for level, rate in known if rate >= NEAR_PEAK * peak)
        peaks.append(peak)
        levels.append(first if first < known[-1][0] else math.inf)
    if not peaks:
        return None
    levels.sort()
    middle = levels[(len(levels) - 1) // 2]
    return Knee(_finite(middle), _finite(levels[0]), _finite(levels[-1]), _median(peaks))


def capacity(points: Sequence[Point], objectives: Sequence[Objective]) -> float | None:
    """Return the highest measured throughput at a level that keeps all objectives.

    0 where no level keeps them, None where the runs do not tell. Nothing is interpolated: more
    may be possible between two levels.
    """
    best = None
    for _, values in points:
        rate = values["throughput"]
        kept = [one.met(values) for one in objectives]
        if rate is None or None in kept:
            continue
        best = max(best or 0.0, rate if all(kept) else 0.0)
    return best


def value_at(points: Sequence[Point], name: str, throughput: float) -> float | None:
    """Return a metric where a sweep passes a throughput, between levels on logarithmic scales.

    Only the rising part counts, up to the highest throughput; None where the throughput is not
    within it.
    """
    rising: list[tuple[float, float]] = []
    for _, values in points:
        rate, value = values["throughput"], values.get(name)
        if rate and value and (not rising or rate > rising[-1][0]):
            rising.append((rate, value))
    for (rate, value), (further, later) in pairwise(rising):
        if rate <= throughput <= further:
            share = math.log(throughput / rate) / math.log(further / rate)
            return math.exp(math.log(value) * (1 - share) + math.log(later) * share)
    return None


def equal_load(sides: Sequence[Sequence[Sequence[Point]]]) -> float | None:
    """Return the throughput at which two variants are compared, None without any."""
    peaks = []
    for runs in sides:
        for points in runs:
            rates = [rate for _, values in points if (rate := values["throughput"])]
            if not rates:
                return None
            peaks.append(max(rates))
    return EQUAL_LOAD * min(peaks) if peaks else None


def _finite(level: float) -> float | None:
    return level if math.isfinite(level) else None


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
