"""Whether the generator sent what it was asked to, and recorded what it sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchkit import format as show
from benchkit.validity.evidence import Run, RunSet
from benchkit.validity.model import Check, NotApplicableError, Raised

#: What a timer of the operating system is late by without being late.
_TIMER_S: Final = 1e-3
_BEHIND, _FAR_BEHIND = 0.99, 0.95


def _seq_gap(run: Run) -> Iterator[Raised]:
    missing, recorded = run.row["unrecorded"], run.row["requests"]
    if missing is None or recorded is None:
        raise NotApplicableError("no number of each request")
    if not missing:
        return
    values: dict[str, float] = {"missing": missing, "recorded": recorded}
    tail = ""
    duration, slowest = run.get("duration_s"), run.get("latency_max_s")
    if duration is not None and slowest is not None:
        values["biased_from_s"] = since = max(duration - slowest, 0.0)
        tail = f" Of those sent from {show.duration(since)} on, the fast ones are there."
    yield Raised(
        severity="error",
        message=(
            f"{run.name}: {show.count(missing)} of {show.count(recorded + missing)} requests are "
            "missing, their numbers do not occur. They were in flight when the recording "
            f"stopped, or the file is a part of it.{tail}"
        ),
        values=values,
        touches=("requests", "latency_mean_s", "latency_p50_s", "latency_p99_s", "latency_max_s"),
    )


def achieved(run: Run) -> float:
    """Return the requests per second that were sent (vegeta) or answered.

    Raises:
        NotApplicableError: nothing tells.
    """
    if run.tool != "vegeta":
        (throughput,) = run.need("throughput_rps")
        return throughput
    printed = run.figure("Requests", "rate")
    if printed is not None:
        return printed
    requests, duration, wait = run.need("requests", "duration_s", "wait_s")
    if requests < 2 or duration <= wait:
        raise NotApplicableError("fewer than two requests")
    return (requests - 1) / (duration - wait)


def _rate_miss(run: Run) -> Iterator[Raised]:
    (target,) = run.need("offered_rate_rps")
    if not target:
        raise NotApplicableError("no rate was set")
    reached = achieved(run)
    share = reached / target
    if share >= _BEHIND:
        return
    what = "sent" if run.tool == "vegeta" else "answered"
    yield Raised(
        severity="error" if share < _FAR_BEHIND else "warning",
        message=(
            f"{run.name}: {show.rate(reached)} requests per second were {what} of "
            f"{show.rate(target)} asked for ({show.share(share)}). Its latencies are of "
            "a lower load than that."
        ),
        values={"offered_rate_rps": target, "achieved_rps": reached, "share": share},
        touches=("offered_rate_rps", "throughput_rps", "latency_p50_s", "latency_p99_s"),
    )


def _rates_apart(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for arms in runs.comparable():
        rates: dict[str, float] = {}
        targets = set()
        for arm in arms:
            known = [run for run in arm.runs if run.get("offered_rate_rps")]
            if known:
                targets |= {run.get("offered_rate_rps") for run in known}
                rates[arm.name] = sum(achieved(run) for run in known) / len(known)
        if len(rates) < 2 or len(targets) > 1:
            continue
        compared = True
        least, most = min(rates, key=rates.__getitem__), max(rates, key=rates.__getitem__)
        if rates[most] <= 1.01 * rates[least]:
            continue
        yield Raised(
            severity="error",
            message=(
                f"{most} was at {show.number(rates[most])} requests per second and {least} at "
                f"{show.number(rates[least])}, with the same rate asked for. Their latencies are "
                "of different loads."
            ),
            values={"achieved_rps": rates},
            touches=("latency_p50_s", "latency_p99_s", "latency_mean_s"),
            runs=[run for arm in arms for run in arm.runs],
        )
    if not compared:
        raise NotApplicableError("no two variants with one rate asked for")


def _late_sends(run: Run) -> Iterator[Raised]:
    import numpy as np

    (rate,) = run.need("offered_rate_rps")
    if not rate:
        raise NotApplicableError("no rate was set")
    seq, started = run.requests.need()
    order = np.argsort(seq, kind="stable")
    seq, started = seq[order], started[order]
    if (np.diff(seq) == 0).any():
        raise NotApplicableError("several attacks under one name")
    slips = (started - started[0]) / 1e9 - (seq - seq[0]) / rate
    late = float((slips > max(1 / rate, _TIMER_S)).mean())
    p99 = float(np.quantile(slips, 0.99))
    latency = float(np.quantile(run.requests.latency_s, 0.99))
    if late <= 0.05 and p99 <= max(0.05 * latency, _TIMER_S):
        return
    with_slip = float(np.quantile(run.requests.latency_s[order] + np.maximum(slips, 0), 0.99))
    yield Raised(
        severity="warning",
        message=(
            f"{run.name}: {show.share(late)} of the requests were sent over "
            f"{show.duration(max(1 / rate, _TIMER_S))} after they were due; 1% of them "
            f"{show.duration(p99)} or more. From when they were due, p99 is "
            f"{show.duration(with_slip)}, not {show.duration(latency)}."
        ),
        values={
            "late_share": late,
            "slip_p99_s": p99,
            "latency_p99_s": latency,
            "latency_p99_due_s": with_slip,
        },
        touches=("latency_p50_s", "latency_p99_s", "latency_max_s"),
    )


CHECKS: Final = (
    Check(
        id="SEQ_GAP",
        title="Requests that were never recorded",
        needs="the number of each request",
        rule="numbers from 0 to the largest are missing",
        severities=("error",),
        source="vegeta 12 numbers its requests and writes a result when it has ended",
        advice=(
            "Let an attack end by itself or with one interrupt; cut off the end up to the longest "
            "latency."
        ),
        tools=("vegeta",),
        of_run=_seq_gap,
    ),
    Check(
        id="RATE_MISS",
        title="The rate was not reached",
        needs="the rate asked for, and the rate reached",
        rule=(
            "reached / asked is below 0.99, error below 0.95; error where variants with one rate "
            "asked for differ by over 1 %"
        ),
        severities=("warning", "error"),
        source="Schroeder, Wierman & Harchol-Balter 2006",
        advice="Lower the rate, or use a faster generator or more of its workers.",
        tools=("vegeta", "autocannon", "wrk2"),
        of_run=_rate_miss,
        of_set=_rates_apart,
    ),
    Check(
        id="LATE_SENDS",
        title="Requests were sent late",
        needs="number and time of each request in rows, the rate asked for",
        rule=(
            "over 5 % were sent later than due by more than an interval, or 1 % by more than 5 % "
            "of the p99 latency; 1 ms is not counted"
        ),
        severities=("warning",),
        source="Fortio warns from 5 %; Tene, coordinated omission",
        advice="Read latencies from when a request was due; use a faster generator.",
        tools=("vegeta",),
        of_run=_late_sends,
    ),
)
