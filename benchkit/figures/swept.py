"""What a sweep measured: per variant and level the values of its runs, and what they say."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary, rows_of
from benchkit.compare.measures import Values, values_of
from benchkit.compare.sweep import (
    Curve,
    Knee,
    Point,
    Sweep,
    equal_load,
    knee,
    repetitions,
    sweeps,
    value_at,
)
from benchkit.figures import look
from benchkit.figures.samples import of_server, use
from benchkit.names import short_names

if TYPE_CHECKING:
    from benchkit.results import Results

#: What is known of each level.
METRICS: Final = ("throughput", "p50", "p99", "error_ratio", "cores", "cpu_per_request", "rss")
#: So many runs give an interval of their median; fewer a range.
LEAST_FOR_INTERVAL: Final = 6
_LEVEL: Final = 0.95
_MOST_COLOURED: Final = 6


@dataclass(frozen=True, slots=True)
class Spot:
    """The runs of one curve at one level: their median and the edges of their band."""

    median: float
    low: float
    high: float
    runs: int


@dataclass(frozen=True, slots=True)
class Line:
    """One curve of the figure.

    Attributes:
        short: The name beside it: values of params without their names.
        spots: Per metric and level.
        points: Of each repetition that has every level.
        knee: None where there is none to tell, as in an open loop.
    """

    name: str
    short: str
    role: str
    dotted: bool
    variant: str
    rest: Mapping[str, object]
    spots: Mapping[str, Mapping[float, Spot]]
    points: Sequence[Sequence[Point]]
    knee: Knee | None

    @property
    def named(self) -> bool:
        """Whether it stands out."""
        return self.role != look.CONTEXT


@dataclass(frozen=True, slots=True)
class Swept:
    """All curves against one param, the baseline's first."""

    param: str
    levels: tuple[float, ...]
    lines: tuple[Line, ...]

    @property
    def runs(self) -> tuple[int, int]:
        """The fewest and the most runs at a level."""
        counts = [s.runs for one in self.lines for m in one.spots.values() for s in m.values()]
        return min(counts), max(counts)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two lines whose bands lie apart, one way up to a level and the other way from another."""

    metric: str
    first: Line
    second: Line
    until: float
    since: float


def swept(results: Results, comparison: Comparison) -> Swept | None:
    """Return the sweep of a comparison, None where nothing is swept.

    Of several swept params that with the most levels.
    """
    by_label = {one.label: one for one in comparison.variants}
    found = sweeps([by_label[label] for label in comparison.order])
    if not found:
        return None
    chosen = max(found, key=lambda one: (one.param == comparison.axis, len(_levels(one.curves))))
    curves = _baseline_first(chosen, comparison.base)
    looks = _looks(curves, comparison)
    names = zip(_names(curves, keys=True), _names(curves, keys=False), strict=True)
    values = _values(results, comparison)
    repeats = {row["run_id"]: row["repeat"] for row in rows_of(results.runs)}
    scheduled = comparison.facts("load_model") == ("open",)
    lines = []
    for curve, (name, short), (role, dotted) in zip(curves, names, looks, strict=True):
        points = repetitions(curve, repeats, values)
        lines.append(
            Line(
                name=name,
                short=short,
                role=role,
                dotted=dotted,
                variant=_variant(curve),
                rest=curve.rest,
                spots=_spots(curve, values),
                points=points,
                knee=None if scheduled else knee(points),
            )
        )
    return Swept(chosen.param, _levels(curves), tuple(lines))


def crossings(swept: Swept, metric: str) -> list[Crossing]:
    """Return where a line and the baseline change places, their bands apart on both sides."""
    first, *others = swept.lines
    found = []
    for other in others:
        if not other.named or other.rest != first.rest:
            continue
        ours, theirs = first.spots.get(metric, {}), other.spots.get(metric, {})
        signs = [
            (level, _side(ours[level], theirs[level]))
            for level in swept.levels
            if level in ours and level in theirs and min(ours[level].runs, theirs[level].runs) > 1
        ]
        known = [(level, side) for level, side in signs if side]
        turns = [(a, b) for (a, x), (b, y) in pairwise(known) if x != y]
        if len(turns) == 1:
            (until, since), order = turns[0], (first, other)
            upper, lower = order if known[0][1] > 0 else order[::-1]
            found.append(Crossing(metric, upper, lower, until, since))
    return found


def at_equal_load(swept: Swept, metric: str = "p99") -> tuple[float, dict[str, float]] | None:
    """Return a throughput, and a latency of each line at it; None where that is not to be had.

    Only lines of the baseline's other params are compared.
    """
    first, *others = swept.lines
    lines = [first, *(one for one in others if one.rest == first.rest and one.named)]
    at = equal_load([one.points for one in lines])
    if len(lines) < 2 or at is None or any(one.knee is None for one in lines):
        return None
    found: dict[str, float] = {}
    for one in lines:
        values = [value_at(points, metric, at) for points in one.points]
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return None
        found[one.name] = statistics.median(known)
    return at, found


def spot(values: Sequence[float]) -> Spot:
    """Return the median of some runs with the narrowest interval of it, or their range.

    The interval lies between two order statistics and holds the median of all possible runs
    with a probability of at least 95 % (of six runs it is their range).
    """
    ordered, size = sorted(values), len(values)
    cut = 0
    if size >= LEAST_FOR_INTERVAL:
        tail = [sum(math.comb(size, i) for i in range(k + 1)) / 2**size for k in range(size // 2)]
        cut = max(k for k, share in enumerate(tail) if 1 - 2 * share >= _LEVEL)
    return Spot(statistics.median(ordered), ordered[cut], ordered[size - 1 - cut], size)


def _side(a: Spot, b: Spot) -> int:
    return int(a.low > b.high) - int(a.high < b.low)


def _levels(curves: Sequence[Curve]) -> tuple[float, ...]:
    return tuple(sorted({level for curve in curves for level in curve.levels}))


def _baseline_first(of: Sweep, base: VariantSummary) -> list[Curve]:
    """Return the curves, that of the baseline at their head, its variant's others behind it."""

    def order(curve: Curve) -> tuple[bool, bool]:
        return (base not in curve.levels.values(), _variant(curve) != base.variant)

    return sorted(of.curves, key=order)


def _variant(curve: Curve) -> str:
    return next(iter(curve.levels.values())).variant


def _names(curves: Sequence[Curve], *, keys: bool) -> list[str]:
    """Return a name per curve: its variant, with the params in which curves differ."""
    apart = [
        key
        for key in dict.fromkeys(key for curve in curves for key in curve.rest)
        if len({str(curve.rest.get(key)) for curve in curves}) > 1
    ]
    one = len({_variant(curve) for curve in curves}) == 1
    labels = []
    for curve in curves:
        known = {key: curve.rest[key] for key in apart if key in curve.rest}
        alone = one and bool(known)
        rest = show.params(known) if keys or alone else [_value(k, v) for k, v in known.items()]
        labels.append(", ".join(rest if alone else [_variant(curve), *rest]))
    short = short_names(labels)
    return [short[label] for label in labels]


def _value(key: str, value: Any) -> str:  # noqa: ANN401 - any value of a param
    """Return a value that says enough without the name of its param."""
    return show.params({key: value})[0] if isinstance(value, bool) else str(value)


def _looks(curves: Sequence[Curve], comparison: Comparison) -> list[tuple[str, bool]]:
    """Return role of and whether dotted each curve.

    A variant keeps its colour where at most one param besides has two values; else each curve
    has one of its own, and of many only the baseline's and the outermost two.
    """
    variants = list(dict.fromkeys(_variant(curve) for curve in curves))
    rests = list(dict.fromkeys(str(sorted(curve.rest.items())) for curve in curves))
    roles = (look.BASELINE, *look.COLOURED)
    if len(variants) <= _MOST_COLOURED // 2 and len(rests) == 2 and len(variants) > 1:
        return [
            (roles[variants.index(_variant(c))], rests.index(str(sorted(c.rest.items()))) > 0)
            for c in curves
        ]
    if len(curves) <= _MOST_COLOURED:
        return [(role, False) for role, _ in zip(roles, curves, strict=False)]
    ordered = sorted(range(1, len(curves)), key=lambda i: _peak(curves[i], comparison))
    focus = {ordered[-1]: look.COLOURED[0], ordered[0]: look.COLOURED[1], 0: look.BASELINE}
    return [(focus.get(i, look.CONTEXT), False) for i in range(len(curves))]


def _peak(curve: Curve, comparison: Comparison) -> float:
    """Return the best of a curve, higher is better."""
    rates = [one.values["throughput_rps"] or 0.0 for one in curve.levels.values()]
    if comparison.facts("load_model") != ("open",) and any(rates):
        return max(rates)
    return -max(one.values["latency_p99_s"] or 0.0 for one in curve.levels.values())


def _values(results: Results, comparison: Comparison) -> dict[str, Values]:
    """Return the metrics of each run, what is withheld left out, with its use of processors."""
    hidden = {
        (run_id, column)
        for one in comparison.variants
        for column in one.withheld
        for run_id in one.run_ids
    }
    known = values_of(results, hidden)
    ids = [run_id for one in comparison.variants for run_id in one.run_ids]
    used = {run_id: use(one) for run_id, one in of_server(results, ids).items()}
    return {
        run_id: {**known[run_id], "cores": used[run_id].cores if run_id in used else None}
        for run_id in ids
    }


def _spots(curve: Curve, values: Mapping[str, Values]) -> dict[str, dict[float, Spot]]:
    found: dict[str, dict[float, Spot]] = {}
    for metric in METRICS:
        for level, summary in curve.levels.items():
            every = [values[run_id].get(metric) for run_id in summary.run_ids]
            known = [value for value in every if value is not None]
            if known:
                found.setdefault(metric, {})[level] = spot(known)
    return found
