"""Little's law: throughput times mean latency is in flight, and no more than the connections."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.schema import QUANTILE_COLUMNS
from benchkit.validity.amounts import samples_of
from benchkit.validity.evidence import RunSet, median, names, runs_of, where_known
from benchkit.validity.finding import Check, Raised

_HIGH, _VERY_HIGH = 1.05, 1.25
_LOW, _VERY_LOW = 0.90, 0.75
#: From this share of them on connections were never idle.
_FULL: Final = 0.95
_LONG, _VERY_LONG = 0.10, 0.50
_APART: Final = 0.02
_LITTLE: Final = "Little 1961, 'A proof for the queuing formula L = λW'"


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

    @property
    def little_mean_s(self) -> float:
        """The mean latency by Little's law, were all places taken."""
        return self.places / self.throughput


def busy(run: Run) -> Busy:
    """Return how busy the connections of a closed loop were.

    Raises:
        MissingError: the loop is not known to be closed, or a figure is missing.
    """
    if run.get("load_model") is None and registry.tool(run.tool).loops != ("closed",):
        raise MissingError("not known whether the loop is closed")
    return _in_flight(run)


def is_closed(run: Run) -> bool:
    """Whether requests wait for a free connection: so it is said, or all of them were busy."""
    if run.get("load_model") is not None:
        return bool(run.get("load_model") == "closed")
    try:
        state = _in_flight(run)
    except MissingError:
        return False
    return state.low <= _HIGH and state.high >= _FULL


def _in_flight(run: Run) -> Busy:
    if run.get("clock") == "due-to-last-byte" or run.get("load_model") == "open":
        raise MissingError("requests do not wait for a free connection")
    throughput, mean, connections = run.need("throughput_rps", "latency_mean_s", "connections")
    if not throughput or not connections:
        raise MissingError("no request was answered")
    if not mean:
        raise MissingError("the mean is printed as 0")
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
    tool = registry.tool(run.tool)
    if tool.truncates:
        return 0.0, tool.step_s
    if tool.step_s:
        return tool.step_s / 2, tool.step_s / 2
    return 0.005 * mean, 0.005 * mean  # two decimals of at least 1


@Check(
    "LITTLE_HIGH",
    "More requests in flight than connections",
    "throughput × mean latency / (connections × pipelining), less the rounding of the "
    "mean, is above 1.05; error from 1.25, or where it changes the order of two variants. "
    "Of padded samples without pipelining the mean is withheld, and the percentiles from "
    "the lowest on at which the printed ones alone need a larger mean",
    needs="closed loop; throughput, mean latency, connections",
    severities=("warning", "error"),
    source=f"{_LITTLE}; wg/wrk 4 `src/stats.c`, stats_correct",
    advice="Compare throughputs, or the means that Little's law gives.",
    concerns=lambda tool: tool.closed,
).for_set
def _little_high(runs: RunSet) -> Iterator[Raised]:
    known = where_known(runs.runs, busy)
    if not known:
        busy(runs.runs[-1])  # raises: its reason stands for all
    high = {run: state for run, state in known.items() if state.low > _HIGH}
    turned = _turned_round(runs) if high else set()
    for run, state in high.items():
        yield _too_many(run, state, severe=state.low >= _VERY_HIGH or run.variant in turned)


def _too_many(run: Run, state: Busy, *, severe: bool) -> Raised:
    return Raised(
        f"{run.name}: mean latency × throughput is {show.number(state.share * state.places)} "
        f"requests in flight, but there {'is' if state.places == 1 else 'are'} "
        f"{_places(run, state.places)}. {_cause(run)} By Little's law the mean is "
        f"{show.duration(state.little_mean_s)}, not {show.duration(state.mean_s)}.",
        severity="error" if severe else "warning",
        values={
            "kappa": state.share,
            "in_flight": state.share * state.places,
            "connections": run.get("connections"),
            "throughput_rps": state.throughput,
            "latency_mean_s": state.mean_s,
            "little_mean_s": state.little_mean_s,
        },
        touches=("latency_mean_s", *QUANTILE_COLUMNS.values()),
        advice=(
            "Compare throughputs, or the means that Little's law gives; for percentiles measure "
            "with a generator that adds no samples, at a set rate."
        ),
        withheld=_ruled_out(run, state.little_mean_s),
        runs=[run],
    )


def _ruled_out(run: Run, mean_s: float) -> dict[str, str]:
    """Return the figures of padded samples that the largest possible mean rules out.

    Whatever the rest is, the requests beyond each printed quantile took at least its latency:
    from the lowest on at which that alone makes a larger mean, none is a latency of requests.
    Where a script may have sent several requests at a time, the bound does not hold.
    """
    if run.get("correction") != "backfilled" or run.get("pipelining") is None:
        return {}
    reason = f"ruled out by Little's law: the mean is at most {show.duration(mean_s)}"
    columns = {quantile: column for column, (quantile, _) in run.quantile_columns.items()}
    latencies = {**run.by_quantile, **dict(run.quantile_columns.values())}
    below_s, before, ruled_out = 0.0, (0.0, 0.0), ["latency_mean_s"]
    for quantile, latency_s in sorted(latencies.items()):
        below_s += (quantile - before[0]) * before[1]
        before = (quantile, latency_s)
        excluded = below_s + (1 - quantile) * latency_s > _HIGH * mean_s
        if quantile in columns and (excluded or len(ruled_out) > 1):
            ruled_out.append(columns[quantile])
    return dict.fromkeys(ruled_out, reason)


def _places(run: Run, count: float) -> str:
    if (run.get("pipelining") or 1) > 1:
        return f"{show.count(count)} places for one (connections × pipelining)"
    return show.plural(round(count), "connection")


def _cause(run: Run) -> str:
    pads = registry.tool(run.tool).pads == "pauses"
    if pads and run.get("pipelining") == 1:
        return (
            f"The latencies contain samples that {run.tool} added for pauses; the command has "
            "no script that sends several requests at a time."
        )
    if pads:
        return (
            f"Either the latencies contain samples that {run.tool} added for pauses, or a script "
            "sends several requests at a time on a connection."
        )
    return "The printed figures contradict each other."


def _turned_round(runs: RunSet) -> set[str]:
    """Return variants that the printed means order the other way than Little's law does.

    By the medians over their runs, among variants with as many places for a request.
    """
    by_places: dict[float, list[tuple[float, float, str]]] = defaultdict(list)
    for variant in runs.variants:
        if known := where_known(variant.runs, busy).values():
            places = statistics.median(state.places for state in known)
            printed = statistics.median(state.mean_s for state in known)
            little = statistics.median(state.little_mean_s for state in known)
            by_places[places].append((printed, little, variant.name))
    return {name for alike in by_places.values() for name in _out_of_order(alike)}


def _out_of_order(means: list[tuple[float, float, str]]) -> Iterator[str]:
    """Yield the names of (printed, by Little's law, name) whose neighbour is out of order."""
    for (low, little, name), (high, other_little, other) in pairwise(sorted(means)):
        if name != other and high > (1 + _APART) * low and little > (1 + _APART) * other_little:
            yield from (name, other)


@Check(
    "LITTLE_LOW",
    "Some connections stood idle",
    "throughput × mean latency / (connections × pipelining), with the rounding of the mean, is "
    "below 0.90; error below 0.75",
    needs="closed loop without a set rate; throughput, mean latency, connections",
    severities=("warning", "error"),
    source=_LITTLE,
    advice=(
        "Look for stragglers, for timeouts left out of the latencies, for a generator "
        "without processor time; measure for a set time rather than a set number."
    ),
    concerns=lambda tool: tool.closed,
).for_run
def _little_low(run: Run) -> Iterator[Raised]:
    if run.get("offered_rate_rps"):
        raise MissingError("a rate was set: connections are idle by design")
    state = busy(run)
    if state.high >= _LOW:
        return
    in_seconds = registry.tool(run.tool).rates_of == "second"
    few = in_seconds and (samples_of(run) or 0) < 3  # these are not full
    severe = state.high < _VERY_LOW and run.get("load_model") == "closed" and not few
    expected = state.places / state.mean_s
    limits = "" if run.get("load_model") else " (or a rate was set that is not known here)"
    refused = run.figure("Socket errors: connect", "total")
    if refused:
        limits = f" ({show.count(refused)} attempts to connect failed)"
    yield Raised(
        f"{run.name}: on average only {show.share(state.share)} of the "
        f"{_places(run, state.places)} waited for an answer{limits}. At the "
        f"mean of {show.duration(state.mean_s)} they could give about "
        f"{show.number(float(f'{expected:.1e}'))}{show.NBSP}req/s, not "
        f"{show.number(state.throughput)}.",
        severity="error" if severe else "warning",
        title="Many connections stood idle" if severe else "",
        values={
            "kappa": state.share,
            "connections": run.get("connections"),
            "throughput_rps": state.throughput,
            "latency_mean_s": state.mean_s,
            "expected_rps": expected,
        },
        touches=("throughput_rps", "goodput_rps", "latency_mean_s"),
    )


_IN_PART: Final = "One slow request weighs on the throughput"


@Check(
    "STRAGGLER",
    "One slow request sets the throughput",
    "the slowest request lasted over 10 % of the test while connections stood idle "
    "(vegeta: the wait for the last response, over 10 % of the attack); error over 50 %",
    needs="maximum, duration and what LITTLE_LOW needs; of vegeta duration and wait",
    severities=("warning", "error"),
    advice="Repeat for a set time, long against the slowest request.",
).for_run
def _straggler(run: Run) -> Iterator[Raised]:
    if registry.tool(run.tool).tells_sends:
        yield from _late_end(run)
        return
    slowest, duration = run.need("latency_max_s", "duration_s")
    if not duration:
        raise MissingError("no duration")
    share = slowest / duration
    if share <= _LONG:
        return
    idle = busy(run).high < _LOW
    if not idle:
        return  # the others went on meanwhile
    most = share > _VERY_LONG
    rests = "describes" if most else "depends on"
    yield Raised(
        f"{run.name}: the slowest request took {show.duration(slowest, digits=4)} of the "
        f"test's {show.duration(duration, digits=4)}, {show.share(share)} of it, and connections "
        f"were idle meanwhile. The throughput {rests} that request.",
        severity="error" if most else "warning",
        title="" if most else _IN_PART,
        values={"latency_max_s": slowest, "duration_s": duration, "share": share},
        touches=("throughput_rps", "goodput_rps", "duration_s", "latency_max_s"),
    )


#: An attack ends with its last answer, be there one late request or many.
_WAITED: Final = "The wait for the last answers is in the throughput"


def _late_end(run: Run) -> Iterator[Raised]:
    wait, duration = run.need("wait_s", "duration_s")
    attack = duration - wait
    if attack <= 0:
        raise MissingError("a single send")
    share = wait / attack
    timeout = run.get("timeout_s")
    if share <= _LONG or (timeout and wait >= 0.98 * timeout):
        return  # a wait for a timeout is no request's latency
    most = share > _VERY_LONG
    yield Raised(
        f"{run.name}: after {show.duration(attack)} of sending the last response took another "
        f"{show.duration(wait)}. The throughput counts this wait as part of the test.",
        severity="error" if most else "warning",
        title=_WAITED,
        advice="Compare the shares of successes; a longer attack makes the wait weigh less.",
        values={"wait_s": wait, "attack_s": attack, "share": share},
        touches=("throughput_rps", "goodput_rps", "duration_s"),
    )


@Check(
    "SAME_FACT",
    "Throughput and mean latency are one measurement",
    "ratio of throughputs × ratio of means is within 5 % of 1 for every pair",
    needs="two variants in a closed loop with equal connections; throughput, mean latency",
    severities=("info",),
    source=_LITTLE,
    advice="Count the difference once.",
).for_set
def _same_fact(runs: RunSet) -> Iterator[Raised]:
    loads = [
        [variant for variant in variants if variant.distinct("load_model") == ("closed",)]
        for variants in runs.equally_loaded()
    ]
    known = [(load, _products(load)) for load in loads if len(load) > 1]
    if not known:
        raise MissingError("no two variants in a closed loop")
    alike = [(load, works) for load, works in known if max(works) < 1.05 * min(works)]
    if alike:
        variants = [variant for load, _ in alike for variant in load]
        subject = f"Under {len(alike)} of {len(known)} loads: throughput"
        if len(alike) == 1:
            subject = f"{names(variants)}: throughput"
        elif len(alike) == len(known):  # a reader may see those of one load only
            subject = "Between variants under one load throughput"
        yield Raised(
            f"{subject} and mean latency are one measurement here. In a closed loop "
            "with equal connections each follows from the other.",
            values={"in_flight": [work for _, works in alike for work in works]},
            touches=("throughput_rps", "latency_mean_s"),
            runs=runs_of(variants),
        )


def _products(variants: Sequence[Variant]) -> list[float]:
    """Return throughput × mean latency of each variant.

    Raises:
        MissingError: a figure is missing.
    """
    works = []
    for variant in variants:
        throughput, mean = median(variant, "throughput_rps"), median(variant, "latency_mean_s")
        if not throughput or not mean:
            raise MissingError("throughput or mean latency not known")
        works.append(throughput * mean)
    return works
