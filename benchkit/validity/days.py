"""Whether runs of several days lie apart: pooled, the days look like spread between runs."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.load import speed_metric
from benchkit.model.metric import BY_COLUMN, FIGURES
from benchkit.model.run import day_of
from benchkit.model.variant import Variant
from benchkit.validity.evidence import RunSet, names, runs_of
from benchkit.validity.finding import Check, Raised

#: Days that differ by less are no matter.
_LEAST: Final = 1.05
#: Of a single run of a day nothing is known but that it is one.
_RUNS: Final = 2
#: So many variants are named with their change within a day.
_NAMED: Final = 3
#: A metric of each run, by day.
_Days = Mapping[int, Sequence[float]]


@Check(
    "DAYS_DIFFER",
    "One day was slower than another",
    "all variants have two runs or more on each of several days, and in each of them all runs of "
    "one day lie apart from those of another, by over 5 % on average",
    needs="the day of the runs of two variants, in outputs, metadata or names, and their "
    "throughput, at a set rate p50",
    advice="Compare within a day, or take the variants in turn, as pairs that a day has alike.",
).for_set
def _days_differ(runs: RunSet) -> Iterator[Raised]:
    known = False
    for variants in runs.equally_loaded():
        column = speed_metric(runs_of(variants)).column
        days = {variant: _by_day(variant, column) for variant in variants}
        common = sorted(set.intersection(*(set(by_day) for by_day in days.values())))
        if len(common) < 2:
            continue
        known = True
        level = {day: statistics.geometric_mean(_middles(days, day)) for day in common}
        low, high = min(common, key=level.__getitem__), max(common, key=level.__getitem__)
        apart = all(max(by_day[low]) < min(by_day[high]) for by_day in days.values())
        if apart and level[high] > _LEAST * level[low]:
            yield _between(days, common, column, level[low] / level[high], (low, high))
    if not known:
        raise MissingError("no two days with two runs of each variant")


def _by_day(variant: Variant, column: str) -> _Days:
    values: defaultdict[int, list[float]] = defaultdict(list)
    for run in variant.runs:
        day, value = day_of(run), run.number(column)
        if day is not None and value:
            values[day].append(value)
    return {day: own for day, own in values.items() if len(own) >= _RUNS}


def _middles(days: Mapping[Variant, _Days], day: int) -> list[float]:
    return [statistics.median(by_day[day]) for by_day in days.values()]


def _between(
    days: Mapping[Variant, _Days],
    common: Sequence[int],
    column: str,
    shift: float,
    extremes: tuple[int, int],
) -> Raised:
    """Say how far two days are apart, and what the variants differ by within one."""
    first, *others = days
    within = {
        other: [_middles(days, day)[at] / _middles(days, day)[0] for day in common]
        for at, other in enumerate(others, 1)
    }
    subject = BY_COLUMN[column].subject
    changes = [
        f"{names([other])} {show.change_span(ratios)}"
        for other, ratios in list(within.items())[:_NAMED]
    ]
    low, high = map(_date, extremes)
    return Raised(
        f"{names([*days])} have runs of {len(common)} days, and the {subject} of each differs "
        f"between them: by {show.change(shift)} on {low} against {high}. Pooled, that looks like "
        f"spread from run to run. Within a day, {subject} against {names([first])}: "
        f"{show.listed(changes)}.",
        values={
            "days": [_date(day) for day in common],
            "shift": shift,
            "within": {other.label: ratios for other, ratios in within.items()},
        },
        touches=FIGURES,
        runs=runs_of(days),
    )


def _date(day: int) -> str:
    return datetime.fromtimestamp(day * 86400, UTC).date().isoformat()
