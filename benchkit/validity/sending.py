"""Whether the generator sent what it was asked to, and recorded what it sent, as one run."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.metric import LATENCIES
from benchkit.model.run import Lateness, Run
from benchkit.model.variant import Variant
from benchkit.validity.amounts import carries
from benchkit.validity.evidence import (
    SAME_RATE,
    RunSet,
    median_of,
    names,
    runs_of,
    seconds_of_sending,
    sending_rate,
    spans_of,
)
from benchkit.validity.finding import Check, Raised
from benchkit.validity.rows import requests_of

if TYPE_CHECKING:
    from benchkit.parsing import RequestBatch

#: What a timer of the operating system is late by without being late.
_TIMER_S: Final = 1e-3
#: A share of the requests.
_MANY_LATE: Final = 0.05
_BEHIND, _FAR_BEHIND = 0.99, 0.95
#: A second with less of the rate is one in which the generator did not keep it.
_SAGS: Final = 0.9
_LEAST_SECONDS: Final = 5
#: How near a number in a name is to the rate that it means.
_NAMED_WITHIN: Final = 0.02
#: Runs without numbers that adjoin by chance are not so many.
_CHAIN: Final = 3
#: A new process sends its first request no sooner, s.
_STARTED_S: Final = 4e-3
#: Rows are in order of their ends: a piece may begin with numbers before the last one's.
_OUT_OF_ORDER: Final = 64
_TOUCHED: Final = (
    *("requests", "latency_mean_s", "latency_p50_s", "latency_p99_s", "latency_max_s"),
)


@Check(
    "PIECES",
    "Pieces of one run",
    "requests are numbered on from one run to the next, or from above 0; without numbers "
    "three or more runs of a variant begin within 1.5 intervals, and 4 ms of the next, of the last "
    "send of the one before",
    needs="the number and time of each request, or the time of three or more runs",
    severities=("error",),
    source="vegeta 12 numbers the requests of an attack from 0",
    advice="Put the pieces together again, and repeat the run itself.",
    concerns=lambda tool: tool.numbers_requests,
).for_set
def _pieces(runs: RunSet) -> Iterator[Raised]:
    """Look for runs that go on where the one before ended, and for a lone later part."""
    began = {run: at for run in runs.runs if (at := run.started_s) is not None}
    ordered = sorted(began, key=began.__getitem__)
    if not any(run.counts.first_seq is not None for run in ordered) and len(ordered) < _CHAIN:
        raise MissingError("no number of each request, nor the time of several runs")
    for chain in _chains(ordered):
        numbered = chain[0].counts.first_seq is not None
        if len(chain) < (2 if numbered else _CHAIN):
            if chain[0].counts.first_seq:
                yield _part(chain[0])
            continue
        how = "each begins where the one before ended, without a pause"
        yield Raised(
            f"{chain[0].name} to {chain[-1].name} are {show.count(len(chain))} pieces of one "
            f"run: {f'their requests are numbered on, and {how}' if numbered else how}. They "
            "repeat nothing, and how much a repetition would differ is not known.",
            values={"pieces": [run.run_id for run in chain]},
            runs=chain,
            forbids="its runs are pieces of one run",
        )


def _part(run: Run) -> Raised:
    first = run.counts.first_seq or 0
    return Raised(
        f"{run.name}: its requests are numbered from {show.count(first)} on. It is a later "
        "part of a run, whose beginning is not here.",
        values={"first_seq": first},
        runs=[run],
        forbids="it is a part of a run",
    )


def _chains(ordered: Sequence[Run]) -> Iterator[list[Run]]:
    chain: list[Run] = []
    for run in ordered:
        if chain and not _adjoins(chain[-1], run):
            yield chain
            chain = []
        chain.append(run)
    if chain:
        yield chain


def _adjoins(run: Run, later: Run) -> bool:
    """Whether a run goes on where another ended: by its numbers, else by its time."""
    last, first = run.counts.last_seq, later.counts.first_seq
    if last is not None and first is not None:
        return 0 < first <= last + 1 + _OUT_OF_ORDER and (later.counts.last_seq or 0) > last
    start, next_start, wait = run.started_s, later.started_s, run.number("wait_s")
    duration = run.number("duration_s")
    if start is None or next_start is None or duration is None or wait is None:
        return False
    try:
        interval = 1 / sending_rate(run)
    except MissingError:
        return False
    # A loop of attacks waits for the last interval too, and then for a process to start.
    latest = min(1.5 * interval, interval + _STARTED_S)
    same = (run.variant, run.params) == (later.variant, later.params)
    return same and 0 < next_start - (start + duration - wait) < latest


@Check(
    "SEQ_GAP",
    "Requests that were never recorded, or twice",
    "numbers from 0 to the largest are missing, or occur more than once",
    needs="the number of each request",
    severities=("error",),
    source="vegeta 12 numbers its requests and writes a result when it has ended",
    advice=(
        "Let an attack end by itself or with one interrupt; cut off the end up to the longest "
        "latency. Append no file to itself, and give attacks in one file names of their own."
    ),
    concerns=lambda tool: tool.numbers_requests,
).for_run
def _seq_gap(run: Run) -> Iterator[Raised]:
    missing, recorded = run.get("unrecorded"), run.get("requests")
    if missing is None or recorded is None:
        raise MissingError("no number of each request")
    if twice := run.counts.repeated_seq:
        yield Raised(
            f"{run.name}: {show.count(twice)} of {show.count(recorded)} results have a number that "
            "one before them has. The file holds results twice, or those of several attacks.",
            values={"repeated": twice, "recorded": recorded},
            touches=_TOUCHED,
        )
    before = run.counts.first_seq or 0
    if missing <= before:  # PIECES says what comes before
        return
    missing -= before
    values: dict[str, float] = {"missing": missing, "recorded": recorded}
    tail = ""
    duration, slowest = run.get("duration_s"), run.get("latency_max_s")
    if duration is not None and slowest is not None:
        values["biased_from_s"] = since = max(duration - slowest, 0.0)
        tail = f" Of those sent from {show.duration(since)} on, the fast ones are there."
    yield Raised(
        f"{run.name}: {show.count(missing)} of {show.count(recorded + missing)} requests are "
        "missing, their numbers do not occur. They were in flight when the recording "
        f"stopped, or the file is a part of it.{tail}",
        values=values,
        touches=_TOUCHED,
    )


def achieved(run: Run) -> float:
    """Return the requests per second that were sent, or else those that were answered.

    Raises:
        MissingError: nothing tells.
    """
    if _tells(run):
        return sending_rate(run)
    (throughput,) = run.need("throughput_rps")
    return throughput


def _tells(runs: Run | RunSet) -> bool:
    """Whether the tool's output tells when it sent."""
    return registry.tool(runs.tool).tells_sends


@Check(
    "RATE_MISS",
    "The rate was not reached",
    "reached / asked is below 0.99, error below 0.95; where no rate is known, but what was due "
    "and never begun, so of that; of vegeta without a known rate "
    "where half of the seconds or more have one rate within 1 %, and some under 0.9 of it "
    "or all of them under 0.99",
    needs="the rate asked for and reached, or what was due and never begun; of vegeta in an "
    "open loop the requests per second",
    severities=("warning", "error"),
    source="Schroeder, Wierman & Harchol-Balter 2006",
    advice="Lower the rate, or use a faster generator or more of its workers.",
    concerns=lambda tool: tool.sets_rate,
).for_run
def _rate_miss(run: Run) -> Iterator[Raised]:
    drops = registry.tool(run.tool).drops
    if run.get("offered_rate_rps") is None and (drops or _tells(run)):
        yield from _dropped(run, *drops) if drops else _sagging(run)
        return
    (target,) = run.need("offered_rate_rps")
    if not target:
        raise MissingError("no rate was set")
    reached = achieved(run)
    share = reached / target
    if share >= _BEHIND:
        return
    what = "sent" if _tells(run) else "answered"
    yield Raised(
        f"{run.name}: {show.rate(reached)} requests per second were {what} of "
        f"{show.rate(target)} asked for ({show.share(share)}). Its latencies are of "
        "a lower load than that.",
        severity="error" if share < _FAR_BEHIND else "warning",
        values={"offered_rate_rps": target, "achieved_rps": reached, "share": share},
        touches=("offered_rate_rps", "throughput_rps", "latency_p50_s", "latency_p99_s"),
    )


def _dropped(run: Run, never: str, begun: str) -> Iterator[Raised]:
    """Look at what the schedule asked for and the generator never began, and what it did."""
    dropped = run.need_figure(never, "total")
    due = dropped + run.need_figure(begun, "total")
    share = 1 - dropped / due if due else 1.0
    if share >= _BEHIND:
        return
    yield Raised(
        f"{run.name}: {show.count(dropped)} of {show.count(due)} that were due were never begun "
        f"({show.share(1 - share)}; '{never}'). Its latencies are of a lower load than was asked "
        "for.",
        severity="error" if share < _FAR_BEHIND else "warning",
        values={"dropped": dropped, "due": due, "share": share},
        touches=("throughput_rps", "latency_p50_s", "latency_p99_s"),
    )


def _sagging(run: Run) -> Iterator[Raised]:
    """Look for seconds below the constant rate that the others show."""
    if run.get("load_model") == "closed":
        raise MissingError("no rate was set")
    # The first second and the last may be a part of one.
    sent = [row["requests"] / (row["span_s"] or 1.0) for row in seconds_of_sending(run)][1:-1]
    if len(sent) < _LEAST_SECONDS:
        raise MissingError("neither the rate asked for nor enough seconds")
    rate = statistics.median(sent)
    steady = sum(abs(each - rate) <= max(1.0, (1 - _BEHIND) * rate) for each in sent)
    if not rate or steady < len(sent) / 2:
        raise MissingError("neither the rate asked for nor a constant one")
    low = sum(each < _SAGS * rate for each in sent)
    reached = statistics.mean(sent)
    share = reached / rate
    if not low and share >= _BEHIND:
        return
    seconds = show.count(len(sent))
    yield Raised(
        f"{run.name}: {show.rate(rate)} requests per second were sent in most seconds, but "
        f"under {show.share(_SAGS)} of that in {show.count(low)} of {seconds}; "
        f"{show.rate(reached)} on average. The generator did not keep its rate.",
        severity="error" if share < _FAR_BEHIND else "warning",
        values={"steady_rps": rate, "achieved_rps": reached, "share": share, "low_seconds": low},
        touches=("throughput_rps", "latency_p50_s", "latency_p99_s"),
    )


@Check(
    "RATES_DIFFER",
    "The variants ran at different rates",
    "the rates reached differ by over 1 %, with one rate asked for or, of vegeta in an "
    "open loop, none that is known, unless their names say the rates; of vegeta, which "
    "then sent other loads, there is no verdict",
    needs="two variants with the same params, at a rate that was set; of vegeta any rate sent",
    severities=("error",),
    source="Schroeder, Wierman & Harchol-Balter 2006",
    advice="Send to all variants at one rate that each of them can answer.",
    concerns=lambda tool: tool.sets_rate,
).for_set
def _rates_differ(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for variants in runs.comparable():
        rates = {v: rate for v in variants if _paced(v) and (rate := median_of(v, achieved))}
        targets = {target for v in rates for target in v.distinct("offered_rate_rps")}
        if len(rates) < 2 or len(targets) > 1:
            continue
        compared = True
        least, most = min(rates, key=lambda v: rates[v]), max(rates, key=lambda v: rates[v])
        if rates[most] <= SAME_RATE * rates[least] or all(_names_rate(v, rates[v]) for v in rates):
            continue
        sent, half = _tells(runs), SAME_RATE**0.5
        yield Raised(
            f"{names([most])} was at {show.number(rates[most])} requests per second and "
            f"{names([least])} at {show.number(rates[least])}"
            f"{', with the same rate asked for' if targets else ''}. Their latencies are "
            "of different loads.",
            values={"achieved_rps": {v.label: rate for v, rate in rates.items()}},
            touches=LATENCIES,
            runs=runs_of(rates),
            forbids="they were sent at different rates" if sent else "",
            spans=spans_of({v: (r / half, r * half) for v, r in rates.items() if sent}),
        )
    if not compared:
        raise MissingError("no second variant at a rate that was set")


def _paced(variant: Variant) -> bool:
    """Whether the generator was to keep a rate."""
    if _tells(variant.runs[0]):
        return variant.distinct("load_model") != ("closed",)
    return bool(variant.distinct("offered_rate_rps"))


def _names_rate(variant: Variant, rate: float) -> bool:
    """Whether the name of a variant says its rate."""
    numbers = re.findall(r"[0-9]+(?:\.[0-9]+)?", variant.name)
    return any(abs(float(number) - rate) <= _NAMED_WITHIN * rate for number in numbers)


@Check(
    "LATE_SENDS",
    "Requests were sent late",
    "over 5 % were sent later than due by more than an interval, or 1 % by more than 5 % "
    "of the p99 latency; 1 ms is not counted",
    needs="number and time of each request in rows, the rate asked for",
    source="Fortio warns from 5 %; Tene, coordinated omission",
    advice="Read latencies from when a request was due; use a faster generator.",
    concerns=lambda tool: tool.numbers_requests,
).for_run
def _late_sends(run: Run) -> Iterator[Raised]:
    known = lateness(run)
    if isinstance(known, str):
        raise MissingError(known)
    late, p99, latency, with_slip = known
    if late <= _MANY_LATE and p99 <= max(0.05 * latency, _TIMER_S):
        return
    worst = f"{show.share(0.01)} of"
    slowest = f"{worst} the requests were sent {show.duration(p99)} or more after they were due"
    many = late > _MANY_LATE
    due = (
        f"{show.share(late)} of the requests were sent over "
        f"{show.duration(max(1 / run.need('offered_rate_rps')[0], _TIMER_S))} after they were due"
    )
    change = f"p99 is {show.duration(with_slip)}, not {show.duration(latency)}"
    if not carries(run, 0.99):
        change = "their latencies are longer by as much"
    yield Raised(
        f"{run.name}: {f'{due}, {worst} all {show.duration(p99)} or more' if many else slowest}."
        f" From when they were due, {change}.",
        values=known._asdict(),
        touches=LATENCIES,
    )


def lateness(run: Run, batches: Iterable[RequestBatch] | None = None) -> Lateness | str:
    """Return how late the requests of a run were sent, or why that is not known.

    `batches` are its requests, where its file may be there no more.
    """
    if run.lateness is not None:
        return run.lateness
    try:
        return _lateness(run, batches)
    except MissingError as error:
        return str(error)


def _lateness(run: Run, batches: Iterable[RequestBatch] | None) -> Lateness:
    import numpy as np

    from benchkit.counting.quantiles import sample_quantiles

    (rate,) = run.need("offered_rate_rps")
    if not rate:
        raise MissingError("no rate was set")
    numbers, instants, latencies = requests_of(run, batches)
    order = np.argsort(numbers, kind="stable")
    seq, started = numbers[order], instants[order]
    if (np.diff(seq) == 0).any():
        raise MissingError("several attacks under one name")
    slips = (started - started[0]) / 1e9 - (seq - seq[0]) / rate
    from_due = latencies[order] + np.maximum(slips, 0)
    return Lateness(
        float((slips > max(1 / rate, _TIMER_S)).mean()),
        *(float(sample_quantiles(values, 0.99)) for values in (slips, latencies, from_due)),
    )
