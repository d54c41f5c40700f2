"""Sweeps as runs: a repetition of a sweep is one value of each quantity that the sweep gives."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from benchkit import format as show
from benchkit.compare.draft import Draft, is_padded
from benchkit.compare.judge import Question
from benchkit.compare.obstacles import failing_apart, metric_obstacle
from benchkit.compare.pairs import Pair, Plan
from benchkit.compare.slo import Objective
from benchkit.compare.sweep import (
    LevelCurve,
    Point,
    capacity,
    equal_load,
    repetitions,
    sweeps,
    value_at,
)
from benchkit.model.metric import COMPARED, COSTS, COUNT_FAILURES, Metric
from benchkit.stats.contrast import Contrast

#: What is compared at equal throughput, beside the latencies what it costs.
_AT_EQUAL_LOAD: Final = (COMPARED["p50"], COMPARED["p99"], *COSTS)


def sweep_questions(
    plan: Plan, objectives: Sequence[Objective], forbidden: Callable[[Pair], str]
) -> Iterator[Question]:
    """Yield what the sweeps of a block say: capacities, quantities at equal throughput.

    Args:
        plan: Of the block.
        objectives: The bounds of the capacities, none for no capacities.
        forbidden: Returns why nothing may be established between two variants; what forbids it
            at a level forbids it of the whole.
    """
    for base, other in curve_pairs(plan):
        sides = [repetitions(curve) for curve in (base, other)]
        if objectives:
            question = _capacity((base, other), sides, objectives)
            reasons = filter(None, map(forbidden, level_pairs(base, other)))
            yield replace(question, forbidden=next(reasons, ""))
        if min(len(base.levels), len(other.levels)) > 1:
            yield from _at_equal_load((base, other), sides)


def level_pairs(base: LevelCurve, other: LevelCurve) -> list[Pair]:
    """Return the variants of two curves level by level."""
    return [Pair(other.levels[level], variant) for level, variant in base.levels.items()]


def curve_pairs(plan: Plan) -> list[tuple[LevelCurve, LevelCurve]]:
    """Return the baseline and each variant that is compared with it, at all levels."""
    real = plan.block.real
    base = next(v for v in real if v.label == plan.baseline)
    full = plan.block.full
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
            for pair in plan.pairs
            if pair.baseline
        ]
    own = [curve for curve in swept if base in curve.levels.values()]
    return [
        (first, curve)
        for first in own
        for curve in swept
        if curve is not first
        and list(curve.levels) == list(first.levels)
        and curve.rest == first.rest
    ]


def _capacity(
    curves: tuple[LevelCurve, LevelCurve],
    sides: Sequence[Sequence[Sequence[Point]]],
    objectives: Sequence[Objective],
) -> Question:
    text = ",".join(objective.text for objective in objectives)
    name = f"throughput@{text}"
    metric = Metric(name, name, f"Throughput within {text}", "rate", "higher", "secondary")
    values = [[capacity(points, objectives) for points in side] for side in sides]
    bounds = {objective.metric for objective in objectives}
    padded = any(is_padded(metric, curve.runs) for metric in bounds for curve in curves)
    why = "the tool added samples to what is bounded" if padded else ""
    if not any(metric.name in COUNT_FAILURES for metric in bounds):
        failing = (failing_apart(pair.sides) for pair in level_pairs(*curves))
        why = why or next((f"{text}; bound error_ratio too" for text in failing if text), "")
    remark = "the highest at any measured level"
    remark += f"; described, not tested: {why}" if why else ""
    return _question(curves, values, metric, remark=remark, tested=not why)


def _at_equal_load(
    curves: tuple[LevelCurve, LevelCurve], sides: Sequence[Sequence[Sequence[Point]]]
) -> Iterator[Question]:
    at = equal_load(sides)
    if at is None or any(run.get("load_model") == "open" for run in curves[0].runs):
        return
    for plain in _AT_EQUAL_LOAD:
        values = [[value_at(points, plain, at) for points in side] for side in sides]
        if any(value is None for side in values for value in side):
            continue
        name = f"{plain.name}@equal-throughput"
        metric = replace(
            plain,
            name=name,
            column=name,
            title=f"{plain.title} at equal throughput",
            role="secondary",
        )
        where = f"at {show.rate(at)} req/s, between the measured levels"
        yield _question(
            curves, values, metric, remark=f"{where}; described, not tested", tested=False
        )


def _question(
    curves: tuple[LevelCurve, LevelCurve],
    values: Sequence[Sequence[float | None]],
    metric: Metric,
    *,
    remark: str,
    tested: bool,
) -> Question:
    """Return the question of two lists of values, each repetition standing for a run.

    A repetition of a sweep is no moment in time, so nothing is paired.
    """
    sides = [tuple(value for value in side if value is not None) for side in values]
    firsts = [next(iter(curve.levels.values())) for curve in curves]
    base, value = (statistics.median(side) if side else None for side in sides)
    draft = Draft(metric, Pair(firsts[1], firsts[0]), base, value, (len(sides[0]), len(sides[1])))
    obstacle = metric_obstacle(firsts[0], firsts[1], metric)
    if obstacle or not all(sides):
        draft = replace(draft, remarks=(obstacle or "no repetition of a side has it",))
    elif min(map(min, sides)) <= 0:
        why = "no ratio where a run has 0" if any(map(any, sides)) else "none in any run"
        draft = replace(draft, remarks=(why,))
    elif min(map(len, sides)) == 1:
        why = "one run of each: no run-to-run spread is known, so no interval"
        draft = replace(draft, ratio=(value or 0.0) / (base or 1.0), remarks=(why,))
    else:
        ratio = (value or 0.0) / (base or 1.0)
        draft = replace(draft, ratio=ratio, contrast=Contrast(sides[0], sides[1]))
    labels = curves[0].variant, curves[1].variant
    return Question(draft, labels, tested=tested, remark=remark, pair_key=(metric.name, *labels))
