"""One metric of one pair of variants: its figures, and whether they can be tested."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit import format as show
from benchkit.compare.bands import Bands
from benchkit.compare.bounds import bound_remarks
from benchkit.compare.estimate import Estimate, estimate
from benchkit.compare.grades import obstacles
from benchkit.compare.interleaved import by_repeat, interleaved
from benchkit.compare.measures import COUNT_FAILURES, Measure, Values
from benchkit.compare.model import VariantSummary
from benchkit.compare.ranksum import Interval
from benchkit.compare.signedrank import LEAST_PAIRS

Run = Mapping[str, Any]
#: With more failures than this, latency and throughput are of something else.
MOST_FAILING: Final = 0.1


@dataclass(frozen=True, slots=True)
class Runs:
    """All runs: their rows of `runs`, their metrics by name, and what redrawing them says.

    Attributes:
        hidden: Why a figure is withheld, by run and column; `values` leaves it out.
    """

    rows: Mapping[str, Run]
    values: Mapping[str, Values]
    bands: Bands
    hidden: Mapping[tuple[str, str], str] = field(default_factory=dict)
    cuts: Mapping[str, float] = field(default_factory=dict)
    trim_s: float = 0.0

    def knows(self, run_id: str, of: Measure) -> bool:
        """Whether a run has a metric, even where it is withheld."""
        known = self.values[run_id].get(of.name) is not None
        return known or (run_id, of.column) in self.hidden

    def having(self, one: VariantSummary, name: str) -> list[str]:
        """Return the runs of a variant that have a metric."""
        return [run_id for run_id in one.run_ids if self.values[run_id].get(name) is not None]

    def of(self, run_ids: Sequence[str], name: str) -> list[float]:
        """Return the metric in these runs."""
        found = (self.values[run_id].get(name) for run_id in run_ids)
        return [value for value in found if value is not None]


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of one metric of one pair before anything is judged.

    Attributes:
        sides: Values of the runs of the baseline and of the variant.
        ratio: Variant over baseline, None where there is none.
        estimate: From repeated runs; None where nothing can be tested.
        interval: Of the ratio, where anything supports one.
        remarks: What limits the comparison, why nothing is tested first.
    """

    measure: Measure
    sides: tuple[list[float], list[float]]
    ratio: float | None = None
    estimate: Estimate | None = None
    interval: Interval | None = None
    remarks: tuple[str, ...] = ()


def draft(runs: Runs, baseline: VariantSummary, variant: VariantSummary, of: Measure) -> Draft:
    """Return what the runs of two variants say about one metric."""
    chosen = [runs.having(one, of.name) for one in (baseline, variant)]
    sides = (runs.of(chosen[0], of.name), runs.of(chosen[1], of.name))
    missing = tuple(_missing(runs, of, (baseline, variant), chosen))
    if not all(sides):
        return Draft(of, sides, remarks=missing)
    against = _against(runs, baseline, variant, of)
    if against:
        return Draft(of, sides, remarks=(*against, *missing))
    return _described(runs, of, (chosen[0], chosen[1]), sides, missing)


def _described(
    runs: Runs,
    of: Measure,
    chosen: tuple[list[str], list[str]],
    sides: tuple[list[float], list[float]],
    missing: tuple[str, ...],
) -> Draft:
    if min(map(min, sides)) <= 0:
        ratio = _plain(sides) if min(map(len, sides)) == 1 else None
        return Draft(of, sides, ratio, remarks=(_of_zeros(of, sides), *missing))
    if min(map(len, sides)) == 1:
        return _once(runs, of, chosen, sides, missing)
    rows = [[runs.rows[run_id] for run_id in ids] for ids in chosen]
    pairs = len(sides[0]) >= LEAST_PAIRS and interleaved(rows[0], rows[1])
    values = sides
    if pairs:
        ordered = [[run["run_id"] for run in by_repeat(side)] for side in rows]
        values = (runs.of(ordered[0], of.name), runs.of(ordered[1], of.name))
    found = estimate(*values, paired=pairs)
    return Draft(of, sides, found.ratio, found, found.interval, missing)


def _of_zeros(of: Measure, sides: tuple[list[float], list[float]]) -> str:
    if any(map(any, sides)):
        return "no ratio where a run has 0"
    time = of.metric.quantity == "time"
    return "0 in every run, less than a step of the clock" if time else "none in any run"


def _once(
    runs: Runs,
    of: Measure,
    chosen: tuple[list[str], list[str]],
    sides: tuple[list[float], list[float]],
    missing: tuple[str, ...],
) -> Draft:
    ratio = _plain(sides)
    if max(map(len, sides)) > 1:
        return Draft(of, sides, ratio, remarks=("one run on a side: nothing is tested", *missing))
    pair = (chosen[0][0], chosen[1][0])
    band = runs.bands.of(pair, of.name, ratio) if ratio else None
    if band is not None:
        block = show.duration(band.block_s)
        text = (
            "one run of each: the band describes these two runs only, "
            f"from redrawn stretches of {block}; another run may differ more"
        )
        return Draft(of, sides, ratio, interval=band.interval, remarks=(text, *missing))
    remarks = ["one run of each: no run-to-run spread is known, so no interval"]
    if of.name == "mean":
        remarks += bound_remarks(runs.rows[pair[0]], runs.rows[pair[1]])
    return Draft(of, sides, ratio, remarks=(*remarks, *missing))


def _plain(sides: tuple[list[float], list[float]]) -> float | None:
    base, value = (statistics.median(side) for side in sides)
    return value / base if base else None


def _missing(
    runs: Runs,
    of: Measure,
    variants: Sequence[VariantSummary],
    chosen: Sequence[Sequence[str]],
) -> Iterator[str]:
    for one, ids in zip(variants, chosen, strict=True):
        absent = [run_id for run_id in one.run_ids if run_id not in ids]
        if not absent:
            continue
        every = "no run" if not ids else f"not {show.plural(len(absent), 'run')}"
        why = [runs.hidden.get((run_id, of.column)) for run_id in absent]
        reason = f": withheld, {show.clean(why[0], limit=120)}" if why[0] else ""
        yield f"{every} of {show.clean(one.label, limit=80)} has it{reason}"


def _against(
    runs: Runs, baseline: VariantSummary, variant: VariantSummary, of: Measure
) -> list[str]:
    """Return why the two cannot be compared in this metric."""
    counted = of.name in COUNT_FAILURES
    found = obstacles((baseline, variant), failures=not counted)
    if found:
        reasons = [f"{one[0].lower()}{one[1:]}".rstrip(".") for one in found]
        return [f"not comparable: {'; '.join(reasons)}"]
    failing = [share for one in (baseline, variant) if (share := _failing(runs, one)) is not None]
    if failing and max(failing) > MOST_FAILING and not counted:
        failed = show.share(max(failing))
        return [f"not comparable: {failed} of the requests of a side failed"]
    ids = {*baseline.run_ids, *variant.run_ids}
    if runs.trim_s and 0 < len(ids & set(runs.cuts)) < len(ids):
        return ["not comparable: only some of these runs could be trimmed"]
    return []


def _failing(runs: Runs, one: VariantSummary) -> float | None:
    """Return the share of failures where only counts tell it; else the grade has looked."""
    shares = runs.of(one.run_ids, "error_ratio")
    known = any(runs.rows[run_id].get("success_ratio") is not None for run_id in one.run_ids)
    return None if known or not shares else statistics.median(shares)
