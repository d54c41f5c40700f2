"""Moments in which nothing was answered, and what they hide."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.validity.amounts import carries
from benchkit.validity.evidence import RunSet
from benchkit.validity.finding import Check, Raised
from benchkit.validity.load import is_closed
from benchkit.validity.rows import bins_of

_LEAST_SECONDS: Final = 20
#: A second stands out where its slowest request took so many times the usual, and so much more.
_STANDS_OUT, _MORE_S = 5.0, 0.010
#: So many stalls at even distances are no chance; a distance may be off by a second from so many.
_EVEN_STALLS, _OFF_FROM = 5, 5
#: A run stands out of its repetitions where its slowest request took so many times theirs.
_OUTLIES, _LEAST_S, _LEAST_RUNS = 8.0, 0.1, 3
#: What is beyond p99 by this is hidden from it, and matters from this share of the time on.
_HIDDEN, _HIDDEN_PRINTED = 10.0, 20.0
_SHARE: Final = 0.01
_TAIL: Final = ("latency_p99_s", "latency_p999_s", "latency_max_s")


@Check(
    "PERIODIC_STALLS",
    "Stalls at even distances",
    "the maxima of five or more seconds are five times the usual one and 10 ms above it, "
    "in equal distances (from 5 s on within 1 s), over half of the run or more",
    needs="the maximum of each second, of 20 s or more",
    advice="Find what recurs; quote the tail, and measure over many of the distances.",
).for_run
def _periodic(run: Run) -> Iterator[Raised]:
    rows = [row for row in run.timeline if row.get("latency_max_s") is not None]
    if len(rows) < _LEAST_SECONDS:
        raise MissingError(f"figures of fewer than {_LEAST_SECONDS} seconds")
    usual = statistics.median(row["latency_max_s"] for row in rows)
    least = max(_STANDS_OUT * usual, usual + _MORE_S)
    seconds = [row["second"] for row in rows if row["latency_max_s"] >= least]
    span = rows[0]["span_s"] or 1
    starts = seconds[:1] + [late for early, late in pairwise(seconds) if late - early > span]
    distance = _even(starts)
    if distance is None or starts[-1] - starts[0] < (rows[-1]["second"] - rows[0]["second"]) / 2:
        return
    longest = statistics.median(row["latency_max_s"] for row in rows if row["second"] in starts)
    yield Raised(
        f"{run.name}: about every {show.duration(distance)} the slowest request took "
        f"{show.duration(longest)}, otherwise {show.duration(usual)} ({len(starts)} times). "
        "Something recurs: a collection of garbage, a flush, a timer, another job.",
        values={"distance_s": distance, "stalls": len(starts), "stall_s": longest},
        touches=_TAIL,
    )


def _even(starts: Sequence[int]) -> float | None:
    """Return the distance of stalls in s where they are even, None where they are not."""
    distances = [late - early for early, late in pairwise(starts)]
    if len(starts) < _EVEN_STALLS:
        return None
    usual = statistics.median(distances)
    slack = 1 if usual >= _OFF_FROM else 0
    return usual if all(abs(each - usual) <= slack for each in distances) else None


@Check(
    "STALLED_RUN",
    "Some runs were held up",
    "a maximum of 100 ms or more is eight times the median of those of all runs",
    needs="the maxima of three or more runs of a variant",
    advice="Look for what else the machine did in these runs, and repeat them.",
).for_set
def _in_some_runs(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for variant in runs.variants:
        known = {run: slow for run in variant.runs if (slow := run.number("latency_max_s"))}
        if len(known) < _LEAST_RUNS:
            continue
        compared = True
        usual = statistics.median(known.values())
        least = max(_OUTLIES * usual, _LEAST_S)
        stalled = {run: slow for run, slow in known.items() if slow >= least}
        if stalled:
            yield _stalled(variant, stalled, usual)
    if not compared:
        raise MissingError("no second and third run of a variant with a maximum")


def _stalled(variant: Variant, stalled: dict[Run, float], usual: float) -> Raised:
    names = show.listed([run.name for run in list(stalled)[:3]])
    more = f" and {len(stalled) - 3} more" if len(stalled) > 3 else ""
    return Raised(
        f"{names}{more}: the slowest request took up to "
        f"{show.duration(max(stalled.values()))}, in other runs of {show.quoted(variant.label)} "
        f"{show.duration(usual)}. Something held {len(stalled)} of {len(variant)} runs up.",
        values={"latency_max_s": [*stalled.values()], "usual_s": usual},
        touches=_TAIL,
        runs=list(stalled),
    )


@Check(
    "OMISSION",
    "Stalls that percentiles leave out",
    "two or more requests above 10 × p99 took 1 % of the connections' time or more; from "
    "printed figures a note where the maximum is 20 × p99 and 1 % of the run",
    needs="a closed loop, or connections that were all busy, without added samples; rows, or p99, "
    "maximum and duration",
    severities=("info", "warning"),
    source="Tene, coordinated omission; Schroeder, Wierman & Harchol-Balter 2006",
    advice="Measure at a set rate, from when each request is due (wrk2, vegeta -rate).",
).for_run
def _omission(run: Run) -> Iterator[Raised]:
    if not is_closed(run):
        raise MissingError("not known to be a closed loop")
    if run.get("correction") == "backfilled":
        raise MissingError("the tool added samples for pauses")
    if run.distribution is not None:
        yield from _in_requests(run)
    else:
        yield from _in_printed(run)


def _in_requests(run: Run) -> Iterator[Raised]:
    """Compare the time that slow requests took with how many they are."""
    step = run.get("resolution_s") or 0.0
    middles, counts = bins_of(run)
    middles = middles + step / 2  # a latency that is cut off to whole steps
    p99 = run.latency_at(0.99) or 0.0
    least = _HIDDEN * (p99 + step)
    slow = middles > least
    requests, total = int(counts[slow].sum()), float((middles * counts).sum())
    share = float((middles * counts)[slow].sum()) / total if total else 0.0
    if requests < 2 or share < _SHARE:
        return
    yield Raised(
        f"{run.name}: {show.count(requests)} requests above {show.duration(least)} are "
        f"{show.share(requests / int(counts.sum()))} of all and took {show.share(share)} of "
        f"the connections' time. {_HOLDS_BACK} {_p99_of(run)} is {show.duration(p99)}.",
        severity="warning",
        values={"slow_requests": requests, "time_share": share, "above_s": least, "p99_s": p99},
        touches=_TAIL,
    )


def _in_printed(run: Run) -> Iterator[Raised]:
    """Say what is known: how far the slowest is from p99, and what one such stall would take."""
    p99, slowest, duration = run.need("latency_p99_s", "latency_max_s", "duration_s")
    step = run.get("resolution_s") or 0.0
    if slowest < _HIDDEN_PRINTED * max(p99, step) or slowest < _SHARE * duration:
        return
    yield Raised(
        f"{run.name}: the slowest request took {show.duration(slowest)}, {_p99_of(run)} is "
        f"{show.duration(p99) if p99 else '0'}. {_HOLDS_BACK} If all connections waited with "
        f"it, that was {show.share(slowest / duration)} of the run; the figures do not say how "
        "often it happened.",
        values={"latency_max_s": slowest, "p99_s": p99, "time_share": slowest / duration},
        touches=_TAIL,
    )


def _p99_of(run: Run) -> str:
    """Return p99 as a subject, where it is withheld with the reason."""
    return "p99" if carries(run, 0.99) else "p99 of so few requests"


_HOLDS_BACK: Final = (
    "In a closed loop a stall holds back the requests that would have waited in it: percentiles "
    "do not have them."
)


@Check(
    "HEAVY_TAIL",
    "Few requests make the mean",
    "the mean is above p99 by more than the steps of both",
    needs="mean and p99",
    source="arithmetic",
    advice="Quote p99.9 and the maximum beside them: neither mean nor p99 tells what happened.",
).for_run
def _heavy_tail(run: Run) -> Iterator[Raised]:
    mean, p99 = run.need("latency_mean_s", "latency_p99_s")
    if mean <= p99 + run.step_of("latency_mean_s") + run.step_of("latency_p99_s"):
        return
    # All others took p99 at most.
    share = show.share(1 - (1 - _SHARE) * p99 / mean)
    yield Raised(
        f"{run.name}: the mean, {show.duration(mean)}, is above p99, {show.duration(p99)}: at most "
        f"1{show.PERCENT} of the requests took {share} of the time at least.",
        values={"mean_s": mean, "p99_s": p99},
        touches=("latency_mean_s", *_TAIL),
    )
