"""Little's law: throughput times mean latency is in flight, and no more than the connections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from benchkit import format as show
from benchkit.validity.amounts import samples_of
from benchkit.validity.evidence import Arm, Run, RunSet, names
from benchkit.validity.model import Check, NotApplicableError, Raised

_HIGH, _VERY_HIGH = 1.05, 1.25
_LOW, _VERY_LOW = 0.90, 0.75
_LONG, _VERY_LONG = 0.10, 0.50
_APART: Final = 0.02
_LITTLE: Final = "Little 1961, 'A proof for the queuing formula L = λW'"
_LATENCIES: Final = (
    *("latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_p999_s"),
)


@dataclass(frozen=True, slots=True)
class Busy:
    """How many connections waited for an answer, on average.

    Attributes:
        share: Of the places for a request (connections times pipelining).
        low: The least that share can be, given how the mean is rounded.
        high: The most.
        places: Connections times pipelining.
    """

    share: float
    low: float
    high: float
    places: float
    throughput: float
    mean_s: float


def busy(run: Run) -> Busy:
    """Return how busy the connections of a closed loop were.

    Raises:
        NotApplicableError: the loop is not known to be closed, or a figure is missing.
    """
    if run.get("clock") == "due-to-last-byte" or run.get("load_model") == "open":
        raise NotApplicableError("requests do not wait for a free connection")
    if run.get("load_model") is None and run.tool != "autocannon":
        raise NotApplicableError("not known whether the loop is closed")
    throughput, mean, connections = run.need("throughput_rps", "latency_mean_s", "connections")
    if not throughput or not connections:
        raise NotApplicableError("no request was answered")
    if not mean:
        raise NotApplicableError("the mean is printed as 0")
    places = connections * float(run.get("pipelining") or 1)
    below, above = _rounding(run, mean)
    share = throughput / places
    return Busy(
        share=share * (mean + (below + above) / 2 - below),
        low=share * max(mean - below, 0.0),
        high=share * (mean + above),
        places=places,
        throughput=throughput,
        mean_s=mean,
    )


def _rounding(run: Run, mean: float) -> tuple[float, float]:
    """Return how much the true mean may lie below and above the printed one, in s."""
    if run.tool == "autocannon":
        return 0.0, 1e-3  # latencies are cut off to whole milliseconds
    if run.tool == "ab":
        return 0.5e-3, 0.5e-3
    return 0.005 * mean, 0.005 * mean  # two decimals of at least 1


def _little_high(run: Run) -> Iterator[Raised]:
    found = busy(run)
    if found.low <= _HIGH:
        return
    true_mean = found.places / found.throughput
    severe = found.low >= _VERY_HIGH or _changes_ranking(run)
    yield Raised(
        severity="error" if severe else "warning",
        message=(
            f"{run.name}: mean latency × throughput is {show.number(found.share * found.places)} "
            f"requests in flight, but there are {show.count(found.places)} "
            f"{_places(run)}. {_cause(run)} By Little's law the mean is "
            f"{show.duration(true_mean)}, not {show.duration(found.mean_s)}."
        ),
        values={
            "kappa": found.share,
            "in_flight": found.share * found.places,
            "connections": run.get("connections"),
            "throughput_rps": found.throughput,
            "latency_mean_s": found.mean_s,
            "little_mean_s": true_mean,
        },
        touches=_LATENCIES,
        advice=(
            "Compare throughputs, or the means that Little's law gives; for percentiles measure "
            "with a generator that adds no samples, at a set rate."
        ),
    )


def _places(run: Run) -> str:
    return "places for one (connections × pipelining)" if _pipelined(run) else "connections"


def _pipelined(run: Run) -> bool:
    return (run.get("pipelining") or 1) > 1


def _cause(run: Run) -> str:
    if run.tool == "wrk" and run.get("pipelining") == 1:
        return (
            "The latencies contain samples that wrk added for pauses; the command has no script "
            "that sends several requests at a time."
        )
    if run.tool == "wrk":
        return (
            "Either the latencies contain samples that wrk added for pauses, or a script sends "
            "several requests at a time on a connection."
        )
    return "The printed figures contradict each other."


def _changes_ranking(run: Run) -> bool:
    """Whether the printed means order some other run the other way than Little's law does."""
    mine = busy(run)
    for other in run.set.runs:
        if other is run or other.variant == run.variant:
            continue
        try:
            theirs = busy(other)
        except NotApplicableError:
            continue
        if theirs.places != mine.places:
            continue
        printed = mine.mean_s / theirs.mean_s
        little = (mine.places / mine.throughput) / (theirs.places / theirs.throughput)
        if (printed - 1) * (little - 1) < 0 and min(abs(printed - 1), abs(little - 1)) > _APART:
            return True
    return False


def _little_low(run: Run) -> Iterator[Raised]:
    if run.get("offered_rate_rps"):
        raise NotApplicableError("a rate was set: connections are idle by design")
    found = busy(run)
    if found.high >= _LOW:
        return
    few = run.tool == "autocannon" and (samples_of(run) or 0) < 3  # its seconds are not full
    severe = found.high < _VERY_LOW and run.get("load_model") == "closed" and not few
    expected = found.places / found.mean_s
    limits = "" if run.get("load_model") else " (or a rate was set that is not known here)"
    refused = run.figure("Socket errors: connect", "total")
    if refused:
        limits = f" ({show.count(refused)} attempts to connect failed)"
    yield Raised(
        severity="error" if severe else "warning",
        message=(
            f"{run.name}: on average only {show.share(found.share)} of the "
            f"{show.count(found.places)} {_places(run)} waited for an answer{limits}. At the "
            f"mean of {show.duration(found.mean_s)} they could give about "
            f"{show.number(_two_digits(expected))}{show.NBSP}req/s, not "
            f"{show.number(found.throughput)}."
        ),
        values={
            "kappa": found.share,
            "connections": run.get("connections"),
            "throughput_rps": found.throughput,
            "latency_mean_s": found.mean_s,
            "expected_rps": expected,
        },
        touches=("throughput_rps", "goodput_rps", "latency_mean_s"),
    )


def _two_digits(value: float) -> float:
    return float(f"{value:.1e}")


def _straggler(run: Run) -> Iterator[Raised]:
    if run.tool == "vegeta":
        yield from _late_end(run)
        return
    slowest, duration = run.need("latency_max_s", "duration_s")
    if not duration:
        raise NotApplicableError("no duration")
    share = slowest / duration
    if share <= _LONG:
        return
    idle = busy(run).high < _LOW
    if not idle:
        return  # the others went on meanwhile
    yield Raised(
        severity="error" if share > _VERY_LONG else "warning",
        message=(
            f"{run.name}: the slowest request took {show.duration(slowest, digits=4)} of the "
            f"test's {show.duration(duration, digits=4)}, and connections were idle meanwhile. "
            "The throughput describes that request."
        ),
        values={"latency_max_s": slowest, "duration_s": duration, "share": share},
        touches=("throughput_rps", "goodput_rps", "duration_s", "latency_max_s"),
    )


def _late_end(run: Run) -> Iterator[Raised]:
    wait, duration = run.need("wait_s", "duration_s")
    attack = duration - wait
    if attack <= 0:
        raise NotApplicableError("a single send")
    share = wait / attack
    timeout = run.get("timeout_s")
    if share <= _LONG or (timeout and wait >= 0.98 * timeout):
        return  # a wait for a timeout is no request's latency
    yield Raised(
        severity="error" if share > _VERY_LONG else "warning",
        message=(
            f"{run.name}: after {show.duration(attack)} of sending the last response took another "
            f"{show.duration(wait)}. The throughput counts this wait as part of the test."
        ),
        values={"wait_s": wait, "attack_s": attack, "share": share},
        touches=("throughput_rps", "goodput_rps", "duration_s"),
    )


def _same_fact(runs: RunSet) -> Iterator[Raised]:
    found = False
    for arms in runs.equally_loaded():
        closed = [arm for arm in arms if arm.values("load_model") == ("closed",)]
        if len(closed) < 2:
            continue
        products = _products(closed)
        found = True
        if all(abs(product - 1) < 0.05 for product in products):
            yield Raised(
                severity="info",
                message=(
                    f"{names(closed)}: throughput and mean latency are one measurement here. In a "
                    "closed loop with equal connections each follows from the other."
                ),
                values={"ratio_products": products},
                touches=("throughput_rps", "latency_mean_s"),
                runs=[run for arm in closed for run in arm.runs],
            )
    if not found:
        raise NotApplicableError("no two variants in a closed loop")


def _products(arms: Sequence[Arm]) -> list[float]:
    """Return ratio of throughputs × ratio of means for each pair.

    Raises:
        NotApplicableError: a figure is missing.
    """
    works = []
    for arm in arms:
        throughput, mean = arm.median("throughput_rps"), arm.median("latency_mean_s")
        if not throughput or not mean:
            raise NotApplicableError("throughput or mean latency not known")
        works.append(throughput * mean)
    return [one / other for one, other in combinations(works, 2)]


CHECKS: Final = (
    Check(
        id="LITTLE_HIGH",
        title="More requests in flight than connections",
        needs="closed loop; throughput, mean latency, connections",
        rule=(
            "throughput × mean latency / (connections × pipelining), less the rounding of the "
            "mean, is above 1.05; error from 1.25, or where it changes the order of two variants"
        ),
        severities=("warning", "error"),
        source=f"{_LITTLE}; wg/wrk 4 `src/stats.c`, stats_correct",
        advice="Compare throughputs, or the means that Little's law gives.",
        tools=("wrk", "autocannon", "ab", "vegeta"),
        of_run=_little_high,
    ),
    Check(
        id="LITTLE_LOW",
        title="Connections stood idle",
        needs="closed loop without a set rate; throughput, mean latency, connections",
        rule="the same share, with the rounding of the mean, is below 0.90; error below 0.75",
        severities=("warning", "error"),
        source=_LITTLE,
        advice=(
            "Look for stragglers, for timeouts left out of the latencies, for a generator "
            "without processor time; measure for a set time rather than a set number."
        ),
        tools=("wrk", "autocannon", "ab", "vegeta"),
        of_run=_little_low,
    ),
    Check(
        id="STRAGGLER",
        title="One slow request sets the throughput",
        needs="maximum, duration and what LITTLE_LOW needs; of vegeta duration and wait",
        rule=(
            "the slowest request lasted over 10 % of the test while connections stood idle "
            "(vegeta: the wait for the last response, over 10 % of the attack); error over 50 %"
        ),
        severities=("warning", "error"),
        source="convention",
        advice="Repeat for a set time, long against the slowest request.",
        of_run=_straggler,
    ),
    Check(
        id="SAME_FACT",
        title="Throughput and mean latency are one measurement",
        needs="two variants in a closed loop with equal connections; throughput, mean latency",
        rule="ratio of throughputs × ratio of means is within 5 % of 1 for every pair",
        severities=("info",),
        source=_LITTLE,
        advice="Count the difference once.",
        of_set=_same_fact,
    ),
)
