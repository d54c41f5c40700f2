"""Whether variants were measured on the same work, under the same load, in a fair order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final
from urllib.parse import urlsplit

from benchkit import format as show
from benchkit.validity.evidence import Arm, Run, RunSet
from benchkit.validity.failures import failed_share
from benchkit.validity.model import Check, NotApplicableError, Raised

_DIFFERENT: Final = 0.01
_CONFLICT: Final = 0.03
_LOOPBACK: Final = re.compile(r"^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0)$", re.IGNORECASE)
_URL: Final = re.compile(r"https?://[^\s\"'<>]+")
_AB_TIME: Final = re.compile(r"\s-t\s*\d")
_FEW_ANSWERS: Final = 100


def _sign_conflict(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for arms in runs.equally_loaded():
        first = arms[0]
        for other in arms[1:]:
            ratios = _latency_ratios(first, other)
            compared = compared or len(ratios) > 1
            better = {name: ratio for name, ratio in ratios.items() if ratio < 1}
            worse = {name: ratio for name, ratio in ratios.items() if ratio > 1}
            if not better or not worse:
                continue
            low, high = (_in_words(part) for part in (better, worse))
            yield Raised(
                severity="warning",
                message=(
                    f"{other.name} against {first.name}: {low}, but {high}. Which of the two is "
                    "better depends on the figure that matters."
                ),
                values={"ratios": ratios, "baseline": first.variant, "variant": other.variant},
                touches=tuple(ratios),
                runs=[*first.runs, *other.runs],
            )
    if not compared:
        raise NotApplicableError("no two of p50, mean and p99 in both variants")


def _latency_ratios(first: Arm, other: Arm) -> dict[str, float]:
    """Return variant over baseline of p50, mean and p99, where the runs do not overlap."""
    ratios = {}
    for column in ("latency_p50_s", "latency_mean_s", "latency_p99_s"):
        one, two = (_range(arm, column) for arm in (first, other))
        if one is None or two is None or not one[0]:
            continue
        ratio = two[1] / one[1] if one[1] else 1.0
        apart = max(one[0], two[0]) > min(one[2], two[2]) or len(first.runs) == 1 == len(other.runs)
        step = max([*first.values("resolution_s"), *other.values("resolution_s"), 0.0])
        real = abs(ratio - 1) > _CONFLICT and abs(two[1] - one[1]) > 1.5 * step
        ratios[column] = ratio if apart and real and two[1] else 1.0
    return ratios


def _range(arm: Arm, column: str) -> tuple[float, float, float] | None:
    values = [float(run.get(column)) for run in arm.runs if run.get(column) is not None]
    middle = arm.median(column)
    return None if middle is None else (min(values), middle, max(values))


def _in_words(ratios: Mapping[str, float]) -> str:
    title = {"latency_p50_s": "p50", "latency_mean_s": "mean", "latency_p99_s": "p99"}
    return show.listed([f"{title[name]} {show.change(ratio)}" for name, ratio in ratios.items()])


def _work_differs(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for arms in runs.comparable():
        basis = _basis(arms)
        sizes = {arm: size for arm in arms if (size := _size(arm, basis)) is not None}
        if len(sizes) < 2:
            continue
        compared = True
        least = min(sizes, key=lambda arm: sizes[arm])
        most = max(sizes, key=lambda arm: sizes[arm])
        slack = 1 + _DIFFERENT + (_DIFFERENT if basis == "Bytes/Sec" else 0)
        if sizes[most] <= (slack + _cut_off(most)) * sizes[least]:
            continue
        sized = [f"{show.number(size)} in {arm.name}" for arm, size in sizes.items()]
        shown = show.listed(
            sized
            if len(sized) <= 6
            else [sized[0], f"up to {show.number(sizes[most])} in {most.name}"]
        )
        failed = " Failures may be a cause." if _any_failed(sizes) else ""
        body = "body bytes" if basis == "body_bytes" else "bytes"
        yield Raised(
            severity="warning",
            message=(
                f"{body.capitalize()} per response differ: {shown}. The variants do not do the "
                f"same work.{failed}"
            ),
            values={"bytes_per_response": {arm.name: size for arm, size in sizes.items()}},
            touches=("received_bytes", "body_bytes", "throughput_rps", "latency_mean_s"),
            runs=[run for arm in sizes for run in arm.runs],
        )
    if not compared:
        raise NotApplicableError("bytes per response are not known of two variants")


def _basis(arms: Sequence[Arm]) -> str:
    """Return the count of bytes that most arms have, two at least; body bytes first."""
    columns = ("body_bytes", "received_bytes", "Bytes/Sec")
    known = {column: sum(_size(arm, column) is not None for arm in arms) for column in columns}
    return max(columns, key=lambda column: known[column])


def _size(arm: Arm, basis: str) -> float | None:
    """Return bytes per answered request over the runs of an arm, None where that is little."""
    octets = answers = 0.0
    for run in arm.runs:
        if basis == "Bytes/Sec":
            each, rate = run.figure(basis, "mean"), run.figure("Req/Sec", "mean")
            if each and rate:
                octets, answers = octets + each, answers + rate
            continue
        total, requests = run.get(basis), run.get("requests")
        lost = (run.get("errors") or 0) if run.tool == "vegeta" else 0
        if total is not None and requests is not None and requests - lost >= _FEW_ANSWERS:
            octets, answers = octets + total, answers + requests - lost
    return octets / answers if answers and octets else None


def _cut_off(arm: Arm) -> float:
    """Return unfinished responses per answered one at most, where ab ended by its time limit.

    Their bytes are counted, they are not.
    """
    timed = [
        run for run in arm.runs if run.tool == "ab" and _AB_TIME.search(run.row["command"] or "")
    ]
    counts = [(run.get("connections"), run.get("requests")) for run in timed]
    return max((c / n for c, n in counts if c and n), default=0.0)


def _any_failed(arms: Mapping[Arm, float]) -> bool:
    for run in (run for arm in arms for run in arm.runs):
        try:
            if failed_share(run) > 0:
                return True
        except NotApplicableError:
            continue
    return False


def _one_host(runs: RunSet) -> Iterator[Raised]:
    hosts = {run.run_id: _hosts(run) for run in runs.runs}
    if not any(hosts.values()):
        raise NotApplicableError("no URL")
    local = [run for run in runs.runs if any(_LOOPBACK.match(host) for host in hosts[run.run_id])]
    if not local:
        return
    host = next(host for host in hosts[local[0].run_id] if _LOOPBACK.match(host))
    whole = len(local) == len(runs.runs)
    every = "All runs" if whole else f"{len(local)} of {len(runs.runs)} runs"
    yield Raised(
        severity="warning",
        message=(
            f"{every if len(runs.runs) > 1 else 'The run'} went to {host}: generator and server "
            "shared one machine, so each took processor time from the other, and no network "
            "lay between."
        ),
        values={"hosts": sorted({host for found in hosts.values() for host in found})},
        touches=("throughput_rps", "latency_p50_s", "latency_p99_s"),
        runs=local,
    )


def _hosts(run: Run) -> list[str]:
    """Return the hosts of the target; where it is not known, those in the error texts."""
    texts = [str(run.get("url"))] if run.get("url") else [*map(str, run.errors)]
    found = []
    for url in (url for text in texts for url in _URL.findall(text)):
        try:
            host = urlsplit(url).hostname
        except ValueError:
            continue
        if host:
            found.append(show.clean(host, limit=60))
    return found


def _blocked(runs: RunSet) -> Iterator[Raised]:
    arms = [arm for arm in runs.arms if len(_starts(arm)) > 1]
    if len(arms) < 2:
        raise NotApplicableError("no two variants with the time of two runs")
    apart = [
        (one, other)
        for one, other in combinations(arms, 2)
        if max(_starts(one)) < min(_starts(other)) or max(_starts(other)) < min(_starts(one))
    ]
    if not apart:
        return
    one, other = apart[0]
    if max(_starts(other)) < min(_starts(one)):
        one, other = other, one
    more = f" The same holds for {len(apart) - 1} more pairs." if len(apart) > 1 else ""
    yield Raised(
        severity="warning",
        message=(
            f"All runs of {one.name} came before all runs of {other.name}: what changed on the "
            f"machine meanwhile looks like a difference between them.{more}"
        ),
        values={"pairs": [[a.name, b.name] for a, b in apart]},
        runs=[*one.runs, *other.runs],
    )


def _starts(arm: Arm) -> list[Any]:
    return [run.get("started_at") for run in arm.runs if run.get("started_at") is not None]


CHECKS: Final = (
    Check(
        id="SIGN_CONFLICT",
        title="Better by one figure, worse by another",
        needs="two of p50, mean and p99, of two variants under the same load",
        rule=(
            "they differ in direction, each by over 3 % and the step of the clock; with several "
            "runs those that overlap do not count"
        ),
        severities=("warning",),
        source="arithmetic",
        advice="Say which figure matters before naming a better one.",
        of_set=_sign_conflict,
    ),
    Check(
        id="WORK_DIFFERS",
        title="The responses differ in size",
        needs="bytes and requests of two variants",
        rule=(
            "bytes per response differ by over 1 % (from printed rates: 2 %), and by more than "
            "the responses that ab's time limit cuts off"
        ),
        severities=("warning",),
        source="convention",
        advice="Let all variants send the same response.",
        of_set=_work_differs,
    ),
    Check(
        id="ONE_HOST",
        title="Generator and server on one machine",
        needs="the URL",
        rule="its host is this machine: localhost, 127.0.0.0/8, ::1",
        severities=("warning",),
        source="convention",
        advice="Put the generator on a second machine, or bind each to its own processors.",
        of_set=_one_host,
    ),
    Check(
        id="BLOCKED_ORDER",
        title="One variant after the other",
        needs="the time of two or more runs of two variants",
        rule="all runs of one came before all runs of the other",
        severities=("warning",),
        source="golang/perf benchstat, tips",
        advice="Take the variants in turn.",
        of_set=_blocked,
    ),
)
