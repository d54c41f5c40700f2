"""Whether variants were measured on the same work, under the same load, in a fair order."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from operator import itemgetter
from typing import Final
from urllib.parse import urlsplit

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.failures import counts_redirects, error_ratio, requests_sent, unanswered
from benchkit.model.metric import BY_COLUMN, FIGURES
from benchkit.model.run import Run, order_of
from benchkit.model.variant import Variant
from benchkit.validity.amounts import TO_DECIDE
from benchkit.validity.evidence import RunSet, lie_apart, names, runs_of, spans_of, where_known
from benchkit.validity.failures import failed_share
from benchkit.validity.finding import Check, Raised

_DIFFERENT: Final = 0.01
_CONFLICT: Final = 0.03
_LOOPBACK: Final = re.compile(r"^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0)$", re.IGNORECASE)
_URL: Final = re.compile(r"https?://[^\s\"'<>]+")
#: With fewer repeats one order may be chance.
_ROUNDS: Final = 6
_FEW_ANSWERS: Final = 100
#: Of more variants not each two are set against each other.
_RIVALS: Final = 8
#: When the runs of each variant began.
_Starts = Mapping[Variant, Sequence[float]]
#: Statuses that send a request elsewhere, and how far apart their shares may be.
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_REDIRECTS_APART: Final = 0.1
#: Headers of servers differ in length; so many bytes more are no other work.
_HEADERS: Final = 32
#: A body of so many bytes on average is of a few answers, or none.
_OF_NOTHING: Final = 1


@Check(
    "SIGN_CONFLICT",
    "Better in one metric, worse in another",
    "they differ in direction, each by over 3 % and the step of the clock; with several "
    "runs those that overlap do not count",
    needs="two of p50, mean and p99, of two variants under the same load",
    source="arithmetic",
    advice="Say which figure matters before naming a better one.",
).for_set
def _sign_conflict(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for pair in (pair for alike in runs.equally_loaded() for pair in _pairs(alike)):
        ratios = _latency_ratios(*pair, runs.withheld)
        compared = compared or len(ratios) > 1
        lower = (
            [column for column, ratio in ratios.items() if ratio > 1],
            [column for column, ratio in ratios.items() if ratio < 1],
        )
        if not all(lower):
            continue
        first, other = (
            f"{names([variant])} has the lower {_in_words(columns)}"
            for variant, columns in zip(pair, lower, strict=True)
        )
        yield Raised(
            f"{first}, but {other}. Which of the two is better depends on the figure that matters.",
            values={"ratios": ratios, "variants": [variant.label for variant in pair]},
            touches=tuple(ratios),
            runs=runs_of(pair),
        )
    if not compared:
        raise MissingError("no two of p50, mean and p99 in both variants")


def _pairs(variants: Sequence[Variant]) -> Iterable[tuple[Variant, Variant]]:
    """Return each two variants; of many, which are a sweep rather than rivals, the first and each.

    So a hundred variants cost a hundred pairs.
    """
    if len(variants) <= _RIVALS:
        return combinations(variants, 2)
    return ((variants[0], other) for other in variants[1:])


def _latency_ratios(
    first: Variant, other: Variant, withheld: Collection[tuple[str, str]]
) -> dict[str, float]:
    """Return the other over the first of p50, mean and p99 that are shown; 1 where runs overlap."""
    ratios = {}
    for column in ("latency_p50_s", "latency_mean_s", "latency_p99_s"):
        base, own = (_range(variant, column) for variant in (first, other))
        hidden = any((run.run_id, column) in withheld for run in runs_of((first, other)))
        if hidden or base is None or own is None or not (base[1] and own[1]):
            continue
        apart = max(base[0], own[0]) > min(base[2], own[2]) or len(first) == 1 == len(other)
        step = max([*first.distinct("resolution_s"), *other.distinct("resolution_s"), 0.0])
        less, more = sorted((base[1], own[1]))
        real = more / less - 1 > _CONFLICT and more - less > 1.5 * step
        ratios[column] = own[1] / base[1] if apart and real else 1.0
    return ratios


def _range(variant: Variant, column: str) -> tuple[float, float, float] | None:
    values = [value for run in variant.runs if (value := run.number(column)) is not None]
    return (min(values), statistics.median(values), max(values)) if values else None


def _in_words(columns: Collection[str]) -> str:
    """Return the names of some figures; by how much they differ the comparison says."""
    return show.listed([BY_COLUMN[column].subject for column in columns])


@Check(
    "WORK_DIFFERS",
    "The responses differ in size",
    "bytes per response differ by over 1 % (from printed rates: 2 %), by more than the "
    "responses that ab's time limit cuts off, and, where headers are counted, by over 32 "
    "bytes more; error where one variant sends bodies and another none",
    needs="bytes and requests of two variants",
    severities=("warning", "error"),
    advice="Let all variants send the same response.",
).for_set
def _work_differs(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for variants in runs.comparable():
        basis = _basis(variants)
        sizes = {v: size for v in variants if (size := _size(v, basis)) is not None}
        if len(sizes) < 2:
            continue
        compared = True
        least, most = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        slack = 1 + _DIFFERENT + (_DIFFERENT if basis == "Bytes/Sec" else 0)
        bare = 0 if sizes[least] else _OF_NOTHING
        headers = bare if basis == "body_bytes" else _HEADERS
        if sizes[most] <= (slack + _cut_off(most)) * sizes[least] + headers:
            continue
        sized = [f"{show.number(size)} in {names([variant])}" for variant, size in sizes.items()]
        shown = show.listed(
            sized
            if len(sized) <= 6
            else [sized[0], f"up to {show.number(sizes[most])} in {names([most])}"]
        )
        shares = where_known(runs_of(sizes), failed_share).values()
        failed = " Failures may be a cause." if any(share > 0 for share in shares) else ""
        body = "body bytes" if basis == "body_bytes" else "bytes"
        yield Raised(
            f"{body.capitalize()} per response differ: {shown}. The variants do not do the "
            f"same work.{failed}",
            severity="warning" if sizes[least] else "error",
            values={"bytes_per_response": {variant.label: size for variant, size in sizes.items()}},
            touches=("received_bytes", "body_bytes", "throughput_rps", "latency_mean_s"),
            runs=runs_of(sizes),
            spans=spans_of({v: (size, slack * size + headers) for v, size in sizes.items()}),
        )
    if not compared:
        raise MissingError("bytes per response are not known of two variants")


@Check(
    "REDIRECTS_DIFFER",
    "One variant redirects, another answers",
    "the shares of answers with a status of a redirect (301 to 303, 307, 308; from counts, any "
    "from 300 to 399) differ by over 10 points",
    needs="statuses, or the shares of successes and of answers with another status than 2xx",
    severities=("error",),
    advice="Send the requests where they are answered, or let the tool follow redirects.",
).for_set
def _redirects_differ(runs: RunSet) -> Iterator[Raised]:
    compared = False
    for variants in runs.comparable():
        shares = {v: share for v in variants if (share := _redirects(v)) is not None}
        if len(shares) < 2:
            continue
        compared = True
        least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        if shares[most] - shares[least] > _REDIRECTS_APART:
            yield Raised(
                f"{show.share(shares[most])} of the answers in {names([most])} are redirects, "
                f"{show.share(shares[least])} in {names([least])}: they do not do the same work.",
                severity="error",
                values={"redirects": {variant.label: share for variant, share in shares.items()}},
                touches=FIGURES,
                runs=runs_of(shares),
            )
    if not compared:
        raise MissingError("how many answers are redirects is not known of two variants")


@Check(
    "REDIRECTED",
    "The answers are redirects",
    "over 10 % of the answers have a status of a redirect, as above",
    needs="statuses, or the shares of successes and of answers with another status than 2xx",
    advice="Send the requests where they are answered, or let the tool follow redirects.",
).for_run
def _redirected_run(run: Run) -> Iterator[Raised]:
    share = _redirected(run)
    if share is None:
        raise MissingError("how many answers are redirects is not known")
    if share > _REDIRECTS_APART:
        every = "all" if share == 1 else show.share(share)
        yield Raised(
            f"{run.name}: {every} of the answers are redirects; where they lead was not measured.",
            values={"redirects": share},
            touches=FIGURES,
        )


def _redirects(variant: Variant) -> float | None:
    """Return the median share of redirects over the runs, None where no run tells it."""
    shares = [share for run in variant.runs if (share := _redirected(run)) is not None]
    return round(statistics.median(shares), 6) if shares else None


def _redirected(run: Run) -> float | None:
    answers = sum(count for code, count in run.statuses.items() if code)
    if answers:
        return sum(run.statuses.get(code, 0) for code in _REDIRECTS) / answers
    success, non2xx, sent = run.number("success_ratio"), run.number("non2xx"), requests_sent(run)
    if success is None or non2xx is None or not sent or not counts_redirects(run):
        return None
    failed = (1 - success) * sent - unanswered(run)
    return max(non2xx - max(failed, 0.0), 0.0) / sent


def _basis(variants: Sequence[Variant]) -> str:
    """Return the count of bytes that most variants have, two at least; body bytes first."""
    columns = ("body_bytes", "received_bytes", "Bytes/Sec")
    known = {
        column: sum(_size(variant, column) is not None for variant in variants)
        for column in columns
    }
    return max(columns, key=lambda column: known[column])


def _size(variant: Variant, basis: str) -> float | None:
    """Return bytes per answered request over the runs of a variant, None where that is little."""
    octets = answers = 0.0
    for run in variant.runs:
        if error_ratio(run) == 1.0:
            continue
        if basis == "Bytes/Sec":
            each, rate = run.figure(basis, "mean"), run.figure("Req/Sec", "mean")
            if each and rate:
                octets, answers = octets + each, answers + rate
            continue
        total, requests = run.get(basis), run.get("requests")
        tool = registry.tool(run.tool)
        # Where a lost answer also counts as one of another length, how many were lost is not told.
        counted = tool.errors_are_requests and not tool.fails_by_length
        lost = (run.get("errors") or 0) if counted else 0
        if total is not None and requests is not None and requests - lost >= _FEW_ANSWERS:
            octets, answers = octets + total, answers + requests - lost
    return octets / answers if answers else None


def _cut_off(variant: Variant) -> float:
    """Return unfinished responses per answered one at most, where a time limit broke them off.

    Their bytes are counted, they are not.
    """
    tool = registry.tool(variant.runs[0].tool)
    counts = [
        (run.get("connections"), run.get("requests"))
        for run in variant.runs
        if tool.unfinished in dict(tool.given(run.get("command") or ""))
    ]
    return max((c / n for c, n in counts if c and n), default=0.0)


@Check(
    "ONE_HOST",
    "Generator and server on one machine",
    "its host is this machine: localhost, 127.0.0.0/8, ::1; warning where that is so of all runs "
    "of a variant, and of none of another",
    needs="the URL",
    severities=("info", "warning"),
    advice="Put the generator on a second machine, or bind each to its own processors.",
).for_set
def _one_host(runs: RunSet) -> Iterator[Raised]:
    hosts = {run.run_id: _hosts(run) for run in runs.runs}
    if not any(hosts.values()):
        raise MissingError("no URL")
    local = [run for run in runs.runs if any(_LOOPBACK.match(host) for host in hosts[run.run_id])]
    if not local:
        return
    host = next(host for host in hosts[local[0].run_id] if _LOOPBACK.match(host))
    near, far = _near_and_far(runs.variants, hosts, {run.run_id for run in local})
    if near and far:
        yield Raised(
            f"All runs of {names(near)} went to {host}, none of {names(far)} did: one shared its "
            "machine with the generator, and had no network between.",
            severity="warning",
            values={"hosts": sorted({host for each in hosts.values() for host in each})},
            touches=FIGURES,
            runs=local,
            advice="Put the generator in the same place for all variants.",
            title="One variant ran beside the generator",
        )
        return
    known = [each for each in hosts.values() if each]
    whole = len(local) == len(known)
    every = "All runs" if whole else f"{len(local)} of {len(known)} runs of known target"
    yield Raised(
        f"{every if len(runs.runs) > 1 else 'The run'} went to {host}: generator and server "
        "shared one machine, so each took processor time from the other, and no network "
        "lay between.",
        values={"hosts": sorted({host for each in hosts.values() for host in each})},
        touches=FIGURES,
        runs=local,
    )


def _near_and_far(
    variants: Sequence[Variant], hosts: Mapping[str, Sequence[str]], local: Collection[str]
) -> tuple[list[Variant], list[Variant]]:
    """Return the variants all of whose runs went to this machine, and those of which none did."""
    sides = {v: {run_id in local for run_id in v.run_ids if hosts[run_id]} for v in variants}
    near = [variant for variant, side in sides.items() if side == {True}]
    return near, [variant for variant, side in sides.items() if side == {False}]


def _hosts(run: Run) -> list[str]:
    """Return the hosts of the target; where it is not known, those in the error texts."""
    texts = [str(run.get("url"))] if run.get("url") else [*map(str, run.errors)]
    hosts = []
    for url in (url for text in texts for url in _URL.findall(text)):
        try:
            host = urlsplit(url).hostname
        except ValueError:
            continue
        if host:
            hosts.append(show.clean(host, limit=60))
    return hosts


@Check(
    "BLOCKED_ORDER",
    "One variant after the other",
    "all or nearly all runs of one came before those of the other: a rank sum that an order "
    "drawn by lot has in 2 % of cases; where outputs say no time, by dates in the names or a count "
    "that goes through all of them",
    needs="the time of the runs of two variants, of two runs of one at least",
    severities=("error",),
    source="golang/perf benchstat, tips; studies/inference.py",
    advice="Take the variants in turn.",
).for_set
def _blocked(runs: RunSet) -> Iterator[Raised]:
    order = order_of(runs.runs)
    known = {
        variant: starts
        for variant in runs.variants
        if len(variant) > 1 and (starts := [order[run] for run in variant.runs if run in order])
    }
    if len(known) < 2 or max(map(len, known.values())) < 2:
        raise MissingError("no second variant with the time of its runs")
    blocked = [group for group in _compared(runs, known) if _apart(group)]
    if not blocked:
        return
    ordered = blocked[0]
    early, late = _apart(ordered)[0]
    every = len(ordered) > 2 and len(_neighbours(ordered)) == len(ordered) - 1
    by_name = all(run.started_s is None for run in runs_of(ordered))
    nearly = "Nearly all" if max(ordered[early]) > min(ordered[late]) else "All"
    yield Raised(
        f"{nearly} runs of {names([early])} came before {nearly.lower()} runs of {names([late])}"
        f"{', and so on, one variant after the other' if every else ''}"
        f"{', by their names' if by_name else ''}: what changed on the machine meanwhile looks "
        "like a difference between them.",
        values={"order": [variant.label for variant in ordered]},
        runs=runs_of(variant for group in blocked for variant in group),
        forbids="all runs of one came before all runs of the other"
        if every or (nearly == "All" and len(ordered) == 2)
        else "all or nearly all runs of one came before those of the other",
        spans={
            run.run_id: (order[run], order[run])
            for group in blocked
            for run in runs_of(group)
            if run in order
        },
    )


@Check(
    "ORDER_UNKNOWN",
    "In which order the runs were made is not known",
    "two variants have five runs or more each, and no output, metadata or name says when they were "
    "made: had all of one come first, what changed meanwhile would look like a difference",
    needs="two variants with so many runs",
    source="golang/perf benchstat, tips",
    advice="Take the variants in turn as benchkit run does, or number the files in that order.",
).for_set
def _order_unknown(runs: RunSet) -> Iterator[Raised]:
    order = order_of(runs.runs)
    groups = [[v for v in group if len(v) >= TO_DECIDE] for group in _groups(runs)]
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        raise MissingError(f"not {TO_DECIDE} runs of two variants")
    unknown = [group for group in groups if order.keys().isdisjoint(runs_of(group))]
    if unknown:
        yield Raised(
            "Nothing says in which order the runs were made: had all of one variant come first, "
            "what changed on the machine meanwhile would look like a difference.",
            touches=FIGURES,
            runs=runs_of(variant for group in unknown for variant in group),
        )


@Check(
    "FIXED_ORDER",
    "The variants always came in one order",
    "every repeat ran the variants in the same order, at every level and in every setting: an "
    "order drawn by lot may come out alike at one of them",
    needs="the time of six or more repeats of two variants",
    severities=("info",),
    source="studies/inference.py: with a drift of 10 % over eight pairs, 7 % false verdicts",
    advice="Draw the order of the variants anew for each repeat.",
).for_set
def _fixed_order(runs: RunSet) -> Iterator[Raised]:
    firsts: list[tuple[Variant, int]] = []
    groups = 0
    order = order_of(runs.runs)
    for group in runs.comparable():
        by_repeat: dict[int, list[tuple[float, Variant]]] = defaultdict(list)
        for variant in group:
            for run in variant.runs:
                if run in order and (repeat := run.get("repeat")) is not None:
                    by_repeat[repeat].append((order[run], variant))
        whole = [sorted(each, key=itemgetter(0)) for each in by_repeat.values()]
        full = [each for each in whole if len(each) == len(group)]
        rounds = sorted(full, key=lambda each: each[0][0])
        in_turn = all(earlier[-1][0] < later[0][0] for earlier, later in pairwise(rounds))
        orders = [tuple(variant for _, variant in each) for each in rounds]
        if len(orders) < _ROUNDS or not in_turn:
            continue
        groups += 1
        if len(set(orders)) == 1:
            firsts.append((orders[0][0], len(orders)))
    if not groups:
        raise MissingError(f"not {_ROUNDS} repeats of two variants with their times")
    for variant, repeats in firsts if len(firsts) == groups else ():
        yield Raised(
            f"In each of {repeats} repeats the variants came in one order, "
            f"{names([variant])} first: what grows from run to run favours one of them.",
            values={"first": variant.label, "repeats": repeats},
            runs=variant.runs,
        )


def _compared(runs: RunSet, known: _Starts) -> Iterator[_Starts]:
    """Yield the starts of variants with the same params, else of all, by their beginnings."""
    for group in _groups(runs):
        ordered = sorted((v for v in group if v in known), key=lambda v: min(known[v]))
        yield {v: known[v] for v in ordered}


def _groups(runs: RunSet) -> Sequence[Sequence[Variant]]:
    """Return variants with the same params, else all."""
    try:
        return runs.comparable()
    except MissingError:
        return [runs.variants]


def _apart(ordered: _Starts) -> list[tuple[Variant, Variant]]:
    """Return neighbours of which one ended before the other began, else the two furthest apart.

    Nothing where even these do not lie apart, or where one run of each is known.
    """
    for begins, ends in ((min, max), (statistics.fmean, statistics.fmean)):
        if not ordered:
            break
        first = min(ordered, key=lambda variant: ends(ordered[variant]))
        last = max(ordered, key=lambda variant: begins(ordered[variant]))
        sides = [[(at, at) for at in ordered[variant]] for variant in (first, last)]
        if first is not last and len(sides[0]) + len(sides[1]) > 2 and lie_apart(*sides):
            return _neighbours(ordered) or [(first, last)]
    return []


def _neighbours(ordered: _Starts) -> list[tuple[Variant, Variant]]:
    return [
        (earlier, later)
        for earlier, later in pairwise(ordered)
        if max(ordered[earlier]) < min(ordered[later])
    ]
