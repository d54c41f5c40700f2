"""The runs of a comparison one by one: whose each is, when it began, what it measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from benchkit import format as show
from benchkit.compare import Comparison, VariantSummary, rows_of

if TYPE_CHECKING:
    from benchkit.results import Results

_LATENCIES: Final = ("latency_p99_s", "latency_p95_s", "latency_p50_s", "latency_mean_s")
_FIXED: Final = 1.01


@dataclass(frozen=True, slots=True)
class Run:
    """One run: whose it is, its number among those, its place in time, its values."""

    label: str
    number: int
    place: int
    values: Mapping[str, float | None]
    withheld: frozenset[str]


@dataclass(frozen=True, slots=True)
class Spread:
    """The values of one variant's runs in one column, and the largest over the smallest."""

    ratio: float
    label: str
    column: str
    values: tuple[float, ...]


def columns(comparison: Comparison) -> list[str]:
    """Return throughput, unless something fixed it, and the latency that most variants have."""
    known = {
        c: sum(one.values[c] is not None for one in comparison.variants)
        for c in ("throughput_rps", *_LATENCIES)
    }
    latency = max(_LATENCIES, key=lambda c: known[c])
    fixed = comparison.facts("load_model") == ("open",) or _constant(comparison)
    chosen = [] if fixed and known[latency] else ["throughput_rps"]
    return [column for column in (*chosen, latency) if known[column]]


def _constant(comparison: Comparison) -> bool:
    """Whether throughput was the same in all runs, as under a schedule."""
    low = [v for one in comparison.variants if (v := one.low["throughput_rps"]) is not None]
    high = [v for one in comparison.variants if (v := one.high["throughput_rps"]) is not None]
    return bool(low) and max(high) <= _FIXED * min(low)


def collected(
    results: Results, comparison: Comparison, columns: Sequence[str]
) -> tuple[list[Run], bool]:
    """Return the runs in the order in which they began, and whether that is known."""
    rows = {row["run_id"]: row for row in rows_of(results.runs)}
    by_label = {one.label: one for one in comparison.variants}
    listed = [
        (rows[run_id], by_label[label], number)
        for label in comparison.order
        for number, run_id in enumerate(by_label[label].run_ids, 1)
    ]
    begun = [row["started_at"] for row, _, _ in listed]
    ordered = None not in begun and len(set(begun)) == len(begun)
    if ordered:
        listed.sort(key=lambda item: item[0]["started_at"])
    return [
        Run(
            label=one.label,
            number=row["repeat"] or number,
            place=place,
            values=_values(row, one, columns),
            withheld=frozenset(one.withheld),
        )
        for place, (row, one, number) in enumerate(listed, 1)
    ], ordered


def _values(
    row: Mapping[str, Any], one: VariantSummary, columns: Sequence[str]
) -> dict[str, float | None]:
    return {c: None if c in one.withheld or row[c] is None else float(row[c]) for c in columns}


def of(found: Sequence[Run], label: str, column: str) -> list[tuple[Run, float]]:
    """Return the runs of a variant that have a value in a column, with it."""
    mine = [one for one in found if one.label == label]
    return [(one, value) for one in mine if (value := one.values[column]) is not None]


def span(values: Sequence[float], column: str) -> str:
    """Return the smallest and the largest of some values in words, one where they look equal."""
    write: Callable[[float], str] = show.rate if column == "throughput_rps" else show.duration
    low, high = write(min(values)), write(max(values))
    if low == high:
        return low
    number, unit = low.partition(show.NBSP)[::2]
    same = unit and high.endswith(f"{show.NBSP}{unit}")
    return f"{number if same else low}{show.EN_DASH}{high}"


def ranked(found: Sequence[Run], columns: Sequence[str]) -> list[str]:
    """Return the columns in which every variant's runs are so many times apart.

    Where one has 0 beside other values, nothing tells which varied most.
    """
    labels = dict.fromkeys(one.label for one in found)

    def known(column: str) -> bool:
        every = ([v for _, v in of(found, label, column)] for label in labels)
        return not any(values and min(values) <= 0 < max(values) for values in every)

    return [column for column in columns if known(column)]


def spreads(found: Sequence[Run], columns: Sequence[str]) -> list[Spread]:
    """Return how far the runs of each variant were apart in each column, the furthest first."""
    labels = dict.fromkeys(one.label for one in found)
    kept = ranked(found, columns)
    known = {(label, c): [v for _, v in of(found, label, c)] for label in labels for c in kept}
    spread = [
        Spread(max(values) / min(values), label, column, tuple(values))
        for (label, column), values in known.items()
        if len(values) > 1 and min(values) > 0
    ]
    return sorted(spread, key=lambda one: -one.ratio)
