"""What was measured of each run: its quantiles as far as they are known, its distribution."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from benchkit.compare import Comparison, VariantSummary, rows_of
from benchkit.schema import QUANTILE_COLUMNS

if TYPE_CHECKING:
    from benchkit.distribution import Distribution
    from benchkit.results import Results

#: Quantiles at which a curve of single requests is drawn: even in rarity, few enough to list.
GRID: Final = (
    *(0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    *(0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99),
    *(0.9925, 0.995, 0.9975, 0.998, 0.999, 0.9995, 0.9999, 0.99995, 0.99999, 0.999999),
)
_ROUNDING: Final = 1e-6


#: Step of the rows of ab's `-g`.
_ROWS_STEP_S: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Curve:
    """The known quantiles of one run, or of the median over the runs of a variant.

    Attributes:
        points: Latency in s by quantile, ascending, without minimum and maximum: each is one
            request, whose place on the axis says nothing about the others.
        computed: From single requests; else printed by the tool.
        requests: None where the tool does not say.
        max_s: The largest latency.
    """

    points: Mapping[float, float]
    computed: bool
    requests: int | None
    max_s: float | None

    @property
    def max_x(self) -> float | None:
        """Where the maximum stands on the axis of percentiles: one request of all."""
        if not self.requests or self.requests < 2 or not self.max_s:
            return None
        return math.log10(self.requests)


@dataclass(frozen=True, slots=True)
class VariantCurves:
    """The curves of one variant: each run's, and the median over them."""

    label: str
    median: Curve
    runs: tuple[Curve, ...]


def variant_curves(results: Results, comparison: Comparison) -> list[VariantCurves]:
    """Return curves of the variants in input order, those without any quantile left out."""
    runs = _run_curves(results, [i for one in comparison.variants for i in one.run_ids])
    by_label = {one.label: one for one in comparison.variants}
    found = [_of_variant(by_label[label], runs) for label in comparison.order]
    return [one for one in found if one.median.points]


def trusted_below(one: VariantSummary) -> float:
    """Return the smallest quantile that is withheld: from it on nothing is drawn; 2 for none."""
    withheld = [q for q, column in QUANTILE_COLUMNS.items() if column in one.withheld]
    return min(withheld, default=2.0)


def distributions(
    results: Results, run_ids: Sequence[str], *, outcome: str | None = None
) -> dict[str, Distribution]:
    """Return the latency distribution of each run that has a row per request.

    From the whole run's fine bins; from its slices where these are all there is.
    """
    fine = set(results.latencies["run_id"])
    found: dict[str, Distribution] = {}
    for table, inside in (
        (results.latencies, [one for one in run_ids if one in fine]),
        (results.histogram, [one for one in run_ids if one not in fine]),
    ):
        frame = table[table["run_id"].isin(inside)]
        if outcome is not None:
            frame = frame[frame["outcome"] == outcome]
        found |= {str(run_id): _distribution(part) for run_id, part in frame.groupby("run_id")}
    return found


def _distribution(part: object) -> Distribution:
    import numpy as np

    from benchkit.distribution import Distribution, bin_of

    low = np.asarray(part["latency_low_s"], dtype=np.float64)  # type: ignore[index]
    counts = np.asarray(part["count"], dtype=np.int64)  # type: ignore[index]
    bins, where = np.unique(bin_of(np.rint(low * 1e9).astype(np.int64)), return_inverse=True)
    total = np.zeros(len(bins), np.int64)
    np.add.at(total, where, counts)
    from benchkit.distribution import bounds_of

    first, last = bounds_of(bins[[0, -1]])
    return Distribution(bins=bins, counts=total, min_ns=int(first[0]), max_ns=int(last[1]) - 1)


def _run_curves(results: Results, run_ids: Sequence[str]) -> dict[str, Curve]:
    full = distributions(results, run_ids)
    printed: dict[str, dict[float, float]] = {run_id: {} for run_id in run_ids}
    for row in rows_of(results.quantiles[results.quantiles["run_id"].isin(list(run_ids))]):
        printed[row["run_id"]][row["quantile"]] = row["latency_s"]
    facts = {row["run_id"]: row for row in rows_of(results.runs)}
    return {run_id: _curve(facts[run_id], printed[run_id], full.get(run_id)) for run_id in run_ids}


def _curve(
    run: Mapping[str, object], printed: Mapping[float, float], full: Distribution | None
) -> Curve:
    requests, max_s = run["requests"], run["latency_max_s"]
    if full is None or _finer(run):
        step = run["resolution_s"] if full is None else _ROWS_STEP_S
        known = _without_contradictions(printed, step=step)
    else:
        inside = [q for q in GRID if q <= 1 - 1 / full.count]
        known = dict(zip(inside, full.quantiles_s(inside), strict=True))
    # A tool may print further into the tail than it has requests; there is nothing to draw.
    last = 1 - 1 / requests if isinstance(requests, int) and requests > 1 else 1.0
    points = {q: known[q] for q in sorted(known) if 0 < q < 1 and q <= last}
    return Curve(
        points=points,
        computed=full is not None,
        requests=requests if isinstance(requests, int) else None,
        max_s=max_s if isinstance(max_s, float) else None,
    )


def _without_contradictions(known: Mapping[float, float], *, step: object) -> dict[float, float]:
    """Return quantiles without those rounded to the step of the clock that finer ones belie.

    Two outputs of a run may print the same quantile with different precision.
    """
    ordered = dict(sorted(known.items()))
    if not isinstance(step, float):
        return ordered
    values = list(ordered.values())
    below, above = accumulate(values, max), [*accumulate(reversed(values), min)][::-1]
    return {
        q: value
        for (q, value), low, high in zip(ordered.items(), below, above, strict=True)
        if low <= value <= high or abs(value / step - round(value / step)) > _ROUNDING
    }


def _finer(run: Mapping[str, object]) -> bool:
    """Whether printed quantiles have smaller steps than the rows: ab's `-e` beside its `-g`."""
    step = run["resolution_s"]
    return run["tool"] == "ab" and isinstance(step, float) and step < _ROWS_STEP_S


def _of_variant(one: VariantSummary, runs: Mapping[str, Curve]) -> VariantCurves:
    curves = [runs[run_id] for run_id in one.run_ids]
    below = trusted_below(one) - 1e-9
    curves = [_cut(curve, below, top="latency_max_s" not in one.withheld) for curve in curves]
    common = sorted(set.intersection(*(set(curve.points) for curve in curves)))
    counts = [curve.requests for curve in curves if curve.requests is not None]
    largest = [curve.max_s for curve in curves if curve.max_s is not None]
    median = Curve(
        points={q: statistics.median(c.points[q] for c in curves) for q in common},
        computed=all(curve.computed for curve in curves),
        requests=int(statistics.median_low(counts)) if counts else None,
        max_s=statistics.median(largest) if largest else None,
    )
    return VariantCurves(one.label, median, tuple(curves) if len(curves) > 1 else ())


def _cut(curve: Curve, below: float, *, top: bool) -> Curve:
    return replace(
        curve,
        points={q: latency for q, latency in curve.points.items() if q < below},
        max_s=curve.max_s if top else None,
    )
