"""Sweeps as runs: a repetition of a sweep is one value of each figure that the sweep gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchkit import format as show
from benchkit.compare.drafts import Draft, Runs, draft
from benchkit.compare.measures import MEASURES, Measure, Values
from benchkit.compare.metrics import Metric
from benchkit.compare.model import VariantSummary
from benchkit.compare.pairs import Plan
from benchkit.compare.params import factors, is_copy
from benchkit.compare.slo import Objective
from benchkit.compare.sweep import (
    Curve,
    Point,
    capacity,
    equal_load,
    repetitions,
    sweeps,
    value_at,
)

#: What is compared at equal throughput, beside the latencies what it costs.
_AT_EQUAL_LOAD = ("p50", "p99", "cpu_per_request", "rss")


@dataclass(frozen=True, slots=True)
class Found:
    """A draft of one figure of a whole sweep, and the names of the two sides."""

    baseline: str
    variant: str
    draft: Draft
    asked: bool


def of_sweeps(plan: Plan, runs: Runs, objectives: Sequence[Objective]) -> list[Found]:
    """Return what the sweeps of a group say: capacities, latencies at equal throughput."""
    found: list[Found] = []
    for base, other in _curve_pairs(plan):
        sides = [_points(curve, runs) for curve in (base, other)]
        if objectives:
            found.append(_capacity(base, other, sides, runs, objectives))
        if min(len(base.levels), len(other.levels)) > 1:
            found += _at_equal_load(base, other, sides, runs)
    return found


def _curve_pairs(plan: Plan) -> list[tuple[Curve, Curve]]:
    real = [one for one in plan.group.variants if not is_copy(one)]
    base = next(one for one in real if one.label == plan.baseline)
    swept = [_named(curve, plan) for sweep in sweeps(real) for curve in sweep.curves]
    if not swept:
        full = plan.group.full
        curves = [Curve(full(one.label), factors(one), {0.0: one}) for one in real]
        return [
            (Curve(full(pair.baseline.label), {}, {0.0: pair.baseline}), curve)
            for pair in plan.pairs
            if pair.baseline
            for curve in curves
            if curve.levels[0.0] is pair.variant
        ]
    own = [c for c in swept if base in c.levels.values()]
    return [
        (first, curve)
        for first in own
        for curve in swept
        if curve is not first
        and list(curve.levels) == list(first.levels)
        and curve.rest == first.rest
    ]


def _named(curve: Curve, plan: Plan) -> Curve:
    """Return a curve whose name tells it from that of the same variant in another setting."""
    return replace(curve, variant=plan.group.full(curve.variant))


def _points(curve: Curve, runs: Runs) -> list[list[Point]]:
    repeats = {run_id: row["repeat"] for run_id, row in runs.rows.items()}
    return repetitions(curve, repeats, runs.values)


def _capacity(
    base: Curve,
    other: Curve,
    sides: Sequence[Sequence[Sequence[Point]]],
    runs: Runs,
    objectives: Sequence[Objective],
) -> Found:
    text = ",".join(one.text for one in objectives)
    metric = Metric("throughput_rps", f"Throughput within {text}", "rate", "higher")
    of = Measure(f"throughput@{text}", "", metric)
    values = [[capacity(points, objectives) for points in side] for side in sides]
    made = _draft((base, other), values, runs, of)
    note = "the highest at any measured level"
    made = replace(made, remarks=(*made.remarks, note))
    return Found(base.variant, other.variant, made, asked=True)


def _at_equal_load(
    base: Curve, other: Curve, sides: Sequence[Sequence[Sequence[Point]]], runs: Runs
) -> list[Found]:
    at = equal_load(sides)
    if at is None or any(runs.rows[i]["load_model"] == "open" for i in _ids(base)):
        return []
    found = []
    for name in _AT_EQUAL_LOAD:
        values = [[value_at(points, name, at) for points in side] for side in sides]
        if any(value is None for side in values for value in side):
            continue
        plain = MEASURES[name]
        metric = replace(plain.metric, title=f"{plain.metric.title} at equal throughput")
        of = replace(plain, name=f"{name}@equal-throughput", column="", metric=metric)
        made = _draft((base, other), values, runs, of)
        note = f"at {show.rate(at)} req/s, between the measured levels"
        made = replace(made, remarks=(note, *made.remarks))
        found.append(Found(base.variant, other.variant, made, asked=False))
    return found


def _draft(
    curves: tuple[Curve, Curve],
    values: Sequence[Sequence[float | None]],
    runs: Runs,
    of: Measure,
) -> Draft:
    """Return the draft of two lists of values, each repetition standing for a run."""
    rows, found = {}, {}
    summaries: list[VariantSummary] = []
    for curve, side in zip(curves, values, strict=True):
        first = next(iter(curve.levels.values()))
        ids = tuple(f"{curve.variant} {number} {len(summaries)}" for number in range(len(side)))
        summaries.append(replace(first, label=curve.variant, run_ids=ids))
        for run_id, value in zip(ids, side, strict=True):
            found[run_id] = _only(of.name, value)
            # A repetition of a sweep is no moment in time, so nothing is paired.
            rows[run_id] = {**runs.rows[first.run_ids[0]], "started_at": None}
    return draft(replace(runs, rows=rows, values=found), summaries[0], summaries[1], of)


def _only(name: str, value: float | None) -> Values:
    return {name: value}


def _ids(curve: Curve) -> list[str]:
    return [run_id for summary in curve.levels.values() for run_id in summary.run_ids]
