"""What a sweep measured: per variant and level the values of its runs, and what they say."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from benchkit import format as show
from benchkit.compare.sweep import LevelCurve, are_at_set_rates, sweeps
from benchkit.figures import look
from benchkit.figures.look import SeriesName
from benchkit.figures.marks import Spot, Spots
from benchkit.model.circumstances import cost_processes
from benchkit.model.comparison import Comparison, Effect, Knee
from benchkit.model.metric import (
    COMPARED,
    CPU,
    ERROR_RATIO,
    MEMORY,
    P50,
    P99,
    THROUGHPUT,
    Metric,
    is_cost,
)
from benchkit.model.run import Run
from benchkit.names import short_names
from benchkit.stats import LEVEL
from benchkit.stats.medians import median_bounds


def _cores(run: Run) -> float | None:
    loads = [
        [float(sample["cpu_ratio"]) for sample in part if sample.get("cpu_ratio") is not None]
        for process, part in run.samples_by_process.items()
        if process is not None and is_cost(process, run)
    ]
    return sum(sum(part) / len(part) for part in loads if part) if any(loads) else None


CORES: Final = Metric("cores", "cores", "Processors", "count", "lower", derive=_cores)
#: What figures of a sweep show of each level, and latencies that somebody may want.
METRICS: Final = (THROUGHPUT, P50, P99, ERROR_RATIO, CORES, CPU, MEMORY)
OTHERS: Final = tuple(COMPARED[name] for name in ("mean", "p90", "p95", "p99.9", "max"))


@dataclass(frozen=True, eq=False)
class SweepLine(SeriesName):
    """One curve of the figure; beside it are values of params without their names.

    Attributes:
        knee: None where none is known, as in an open loop.
    """

    dotted: bool
    curve: LevelCurve
    knee: Knee | None

    @property
    def variant(self) -> str:
        """The name of its variant, whatever the params."""
        return self.curve.name

    @cached_property
    def spots(self) -> Mapping[Metric, Spots]:
        """Per metric the levels at which any run has it."""
        return {
            metric: {
                level: spot(sample)
                for level, variant in self.curve.levels.items()
                if (sample := variant.sample(metric))
            }
            for metric in (*METRICS, *OTHERS)
        }


@dataclass(frozen=True, eq=False)
class DrawnSweep:
    """All curves of a comparison against one param, the baseline's first."""

    param: str
    levels: tuple[float, ...]
    lines: tuple[SweepLine, ...]
    comparison: Comparison

    @property
    def name(self) -> str:
        """The param, safe to print."""
        return show.clean(self.param, limit=30)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What is said of them as wholes."""
        return self.comparison.sweep_effects

    @property
    def named(self) -> list[SweepLine]:
        """The lines that stand out."""
        return [line for line in self.lines if line.coloured]

    @property
    def upward(self) -> list[SweepLine]:
        """The lines as they are drawn, those that stand out above the others."""
        return sorted(self.lines, key=lambda line: line.coloured)

    @cached_property
    def processes(self) -> list[str]:
        """Whose processor time and memory are shown, put together."""
        return cost_processes(run for line in self.lines for run in line.curve.runs)

    @property
    def most_runs(self) -> int:
        """The most runs at a level."""
        return max(self._counts, default=0)

    @property
    def medians(self) -> str:
        """How many runs are at a level, in words."""
        fewest, most = min(self._counts, default=0), self.most_runs
        count = show.plural(most, "run") if fewest == most else f"{fewest} to {most} runs"
        return f"medians of {count}"

    @cached_property
    def _counts(self) -> list[int]:
        spots = (line.spots[metric] for line in self.lines for metric in METRICS)
        return [spot.runs for each in spots for spot in each.values()]


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two lines whose bands lie apart, one way up to a level and the other way from another.

    Attributes:
        everywhere: Whether they lie apart at every level but those between the two.
    """

    metric: Metric
    first: SweepLine
    second: SweepLine
    until: float
    since: float
    everywhere: bool


def drawn_sweep(comparison: Comparison) -> DrawnSweep | None:
    """Return the sweep of a comparison, None where nothing is swept.

    Of several swept params that with the most levels.
    """
    listed = sweeps([comparison.by_label[label] for label in look.roles(comparison)])
    if not listed:
        return None
    chosen = max(
        listed, key=lambda each: (each.param == comparison.axis, len(_levels(each.curves)))
    )
    curves = chosen.curves
    knees = {(knee.variant, knee.param): knee for knee in comparison.knees}
    names = zip(_names(curves, keys=True), _names(curves, keys=False), strict=True)
    lines = [
        SweepLine(name, role, short, dotted, curve, knees.get((curve.variant, chosen.param)))
        for curve, (name, short), (role, dotted) in zip(curves, names, _looks(curves), strict=True)
    ]
    base = comparison.base
    # Behind the line of the baseline its variant's others.
    lines.sort(key=lambda line: (base not in line.curve.levels.values(), line.variant != base.name))
    return DrawnSweep(chosen.param, _levels(curves), tuple(lines), comparison)


def crossings(sweep: DrawnSweep, metric: Metric) -> list[Crossing]:
    """Return where a line and the baseline change places, their bands apart on both sides.

    A throughput that was asked for has no order: it is off by the last answer's time.
    """
    if metric is THROUGHPUT and are_at_set_rates([line.curve for line in sweep.lines]):
        return []
    first, *others = sweep.lines
    comparable = [o for o in others if o.coloured and o.curve.rest == first.curve.rest]
    every = (_crossing(sweep, first, other, metric) for other in comparable)
    return [crossing for crossing in every if crossing]


def _crossing(
    sweep: DrawnSweep, first: SweepLine, second: SweepLine, metric: Metric
) -> Crossing | None:
    ours, theirs = first.spots[metric], second.spots[metric]
    pairs = [(n, ours[n], theirs[n]) for n in sweep.levels if n in ours and n in theirs]
    sides = [(n, own.side(other)) for n, own, other in pairs if min(own.runs, other.runs) > 1]
    known = [(level, side) for level, side in sides if side]
    turns = [(a, b) for (a, x), (b, y) in pairwise(known) if x != y]
    if len(turns) != 1:
        return None
    (until, since), order = turns[0], (first, second)
    upper, lower = order if known[0][1] > 0 else order[::-1]
    everywhere = all(side or until < level < since for level, side in sides)
    return Crossing(metric, upper, lower, until, since, everywhere)


def spot(values: Sequence[float]) -> Spot:
    """Return the median of some runs with its interval, of fewer than five with their range."""
    bounds = median_bounds(np.asarray(values, float), LEVEL)
    low, middle, high = bounds or (min(values), statistics.median(values), max(values))
    return Spot(middle, low, high, len(values))


def _levels(curves: Sequence[LevelCurve]) -> tuple[float, ...]:
    return tuple(sorted({level for curve in curves for level in curve.levels}))


def _names(curves: Sequence[LevelCurve], *, keys: bool) -> list[str]:
    """Return a name per curve: its variant, with the params in which curves differ."""
    apart = [
        key
        for key in dict.fromkeys(key for curve in curves for key in curve.rest)
        if len({str(curve.rest.get(key)) for curve in curves}) > 1
    ]
    single = len({curve.name for curve in curves}) == 1
    labels = []
    for curve in curves:
        known = {key: curve.rest[key] for key in apart if key in curve.rest}
        alone = single and bool(known)
        # A value says enough without the name of its param, unless it is only on or off.
        spelt = {
            k: show.params({k: v})[0] if isinstance(v, bool) else str(v) for k, v in known.items()
        }
        rest = show.params(known) if keys or alone else [*spelt.values()]
        labels.append(", ".join(rest if alone else [curve.name, *rest]))
    short = short_names(labels)
    return [short[label] for label in labels]


def _looks(curves: Sequence[LevelCurve]) -> list[tuple[str, bool]]:
    """Return role of and whether dotted each curve, in the order of the roles.

    A variant keeps its colour where at most one param besides has two values; else each curve
    has one of its own, and of many only the first and the outermost two.
    """
    variants = list(dict.fromkeys(curve.name for curve in curves))
    rests = [str(sorted(curve.rest.items())) for curve in curves]
    settings = list(dict.fromkeys(rests))
    if 1 < len(variants) <= len(look.ROLES) // 2 and len(settings) == 2:
        return [
            (look.ROLES[variants.index(curve.name)], settings.index(rest) > 0)
            for curve, rest in zip(curves, rests, strict=True)
        ]
    if len(curves) <= len(look.ROLES):
        return [(role, False) for role, _ in zip(look.ROLES, curves, strict=False)]
    ranked = sorted(range(1, len(curves)), key=lambda i: _best(curves[i]))
    focus = dict(zip((0, ranked[-1], ranked[0]), look.ROLES, strict=False))
    return [(focus.get(i, look.CONTEXT), False) for i in range(len(curves))]


def _best(curve: LevelCurve) -> float:
    """Return the best of a curve, higher is better."""
    from benchkit.model.load import is_paced

    rates = [variant.value(THROUGHPUT) or 0.0 for variant in curve.levels.values()]
    if any(rates) and not is_paced(curve.runs):
        return max(rates)
    return -max(variant.value(P99) or 0.0 for variant in curve.levels.values())
