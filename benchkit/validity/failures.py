"""Requests and connections that failed or were given up, and what that does to the figures."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import ROUND_DOWN, Context
from typing import Final

from benchkit import format as show
from benchkit.errors import MissingError
from benchkit.model.failures import (
    error_bounds,
    error_ratio,
    may_redirect,
    requests_sent,
    unanswered,
    waiting_connections,
)
from benchkit.model.grouping import grouped, same_params
from benchkit.model.metric import FIGURES
from benchkit.model.run import Run
from benchkit.model.variant import Variant
from benchkit.names import some
from benchkit.validity.evidence import RunSet, runs_of, spans_of, where_known
from benchkit.validity.finding import Check, Raised

_SOME, _MANY = 0.01, 0.05
#: Shares of failures that differ by more are of different work.
APART: Final = 0.01
_TIMEOUT: Final = re.compile(r"time[- ]?out|deadline exceeded|timed out", re.IGNORECASE)
_STATUS_LINE: Final = re.compile(r"[1-5][0-9]{2}\b")
_SYN_SECONDS: Final = (1, 3, 7, 15, 31)
#: Errors of sockets, with what they mean.
_SOCKETS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (
            r"(?:cannot|can't) assign requested address|EADDRNOTAVAIL|address already in use",
            "the generator's machine had no free port ('cannot assign requested address')",
        ),
        (
            r"too many open files|EMFILE|ENFILE",
            "the generator had no free file descriptor ('too many open files')",
        ),
        (r"no buffer space|ENOBUFS", "the generator's machine had no buffers ('no buffer space')"),
        (
            r"connection reset|ECONNRESET|broken pipe|EPIPE",
            "connections were reset ('connection reset', 'broken pipe')",
        ),
    )
)


def failed_share(run: Run) -> float:
    """Return the share of requests that failed; where only that is known, that got no 2xx.

    Raises:
        MissingError: the counts do not tell.
    """
    share = error_ratio(run)
    if share is None:
        raise MissingError("the number of failures is not known")
    return round(share, 9)


@Check(
    "ERROR_MIX",
    "Over 1\u00a0% of the requests failed",
    "over 1 % failed; error over 5 %, unless all were answered and another variant with "
    "the same params has the same share; error where two variants under the same load differ "
    "by over 1 point",
    needs="success ratio, or requests and failures",
    severities=("warning", "error"),
    advice="Compare goodput, and latencies of successful requests only.",
).for_set
def _error_mix(runs: RunSet) -> Iterator[Raised]:
    """Look at the variants together, and at each run by itself."""
    shares = where_known(runs.runs, failed_share)
    if not shares:
        raise MissingError("the number of failures is not known")
    with suppress(MissingError):
        yield from _error_mix_apart(runs)
    by_design = _answered_shares(shares)
    for run, share in shares.items():
        if share > _SOME:
            yield _failures(run, share, kin=_kin(run, share, by_design))


#: By setting and variant name.
_Answered = Mapping[Hashable, Mapping[str, Sequence[float]]]


def _answered_shares(shares: Mapping[Run, float]) -> _Answered:
    """Return the shares, ascending, of runs of which all were answered."""
    answered: dict[Hashable, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run, share in shares.items():
        if run.number("errors") == 0:
            answered[same_params(run.params)][run.variant].append(share)
    return {
        setting: {name: sorted(listed) for name, listed in by_name.items()}
        for setting, by_name in answered.items()
    }


def _kin(run: Run, share: float, by_design: _Answered) -> str:
    """Return another variant in the same setting of which the same share failed, all answered.

    Empty for none.
    """
    if run.number("errors") != 0:
        return ""
    others = by_design[same_params(run.params)]
    return next((n for n, s in others.items() if n != run.variant and _near(share, s)), "")


def _near(share: float, ascending: Sequence[float]) -> bool:
    at = bisect(ascending, share - APART - 1e-9)
    return at < len(ascending) and ascending[at] <= share + APART


def _failures(run: Run, share: float, *, kin: str) -> Raised:
    same = f" The same share did in {show.quoted(kin)}: perhaps by design." if kin else ""
    bad = "failed" if _certain(run) else "got no 2xx answer"
    redirects = not _certain(run) and share == 1.0 and not run.get("errors")
    mixed = "are of these alone" if share == 1.0 else "mix these with the others"
    return Raised(
        f"{run.name}: {show.share(share)} of the requests {bad}{_counted(run)}. "
        f"Latencies and throughput {mixed}.{same}{_fast(run)}",
        severity="error" if share > _MANY and not kin and not redirects else "warning",
        values={"failed_share": share, "least_failed_share": _least_failed(run, share)}
        | {name: run.get(name) for name in ("errors", "non2xx", "requests")},
        touches=("success_ratio", *FIGURES),
        advice=_advice([run]),
        runs=[run],
    )


def _least_failed(run: Run, share: float) -> float:
    """Return the share that failed for sure, where only more may have."""
    bounds = error_bounds(run)
    return share if bounds is None else min(round(bounds[0], 9), share)


def _advice(runs: Sequence[Run]) -> str:
    """Return what to compare instead, of what these runs have."""
    successes = "latencies of successful requests"
    if all(map(_none_succeeded, runs)):
        return "Mend what fails and measure again: no request succeeded."
    goodput = all(run.get("goodput_rps") is not None for run in runs)
    if goodput and all(run.outcome("success") is not None or _none_succeeded(run) for run in runs):
        return f"Compare goodput, and {successes} only."
    if goodput:
        return f"Compare goodput; {successes} only take a result of each request."
    return f"Mend what fails and measure again: goodput and {successes} are not known here."


def _none_succeeded(run: Run) -> bool:
    return bool(run.get("success_ratio") == 0)


def _certain(run: Run) -> bool:
    """Whether redirects are known not to be among the failures."""
    return run.get("success_ratio") is not None or not may_redirect(run)


def _counted(run: Run) -> str:
    """Return how many failed in which way, in brackets."""
    lost = unanswered(run)
    other, words = run.get("non2xx") or 0, "with another status"
    if run.statuses:
        other = sum(n for code, n in run.statuses.items() if code and not 200 <= code < 400)
        words = "with an error status"
    ways = [(lost, "without an answer"), (other, words)]
    if run.statuses and _certain(run):
        rejected = round(failed_share(run) * requests_sent(run)) - lost - other
        ways.append((rejected, "answered, and rejected by the tool"))
    parts = [f"{show.count(number)} {how}" for number, how in ways if number > 0]
    if not parts or not requests_sent(run):
        return ""
    sent = show.count(requests_sent(run)) if run.get("requests") is not None else ""
    return f" ({' and '.join(parts)}{f', of {sent}' if sent else ''})"


def _fast(run: Run) -> str:
    """Say it where failures were answered in less than half the time of successes."""
    good, bad = (_median(run, outcome) for outcome in ("success", "http-error"))
    if not good or bad is None or bad / good >= 0.5:
        return ""
    return (
        f" Failures took {show.duration(bad)} at the median, successes {show.duration(good)}: "
        "failing made the latencies look better."
    )


def _median(run: Run, outcome: str) -> float | None:
    latencies = run.outcome(outcome)
    return latencies.quantiles_s([0.5])[0] if latencies is not None and latencies.count else None


def _error_mix_apart(runs: RunSet) -> Iterator[Raised]:
    for variants in runs.equally_loaded():
        shares = {v: share for v in variants if (share := mean_failed_share(v)) is not None}
        if len(shares) < 2:
            continue
        least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        if shares[most] - shares[least] <= APART:
            continue
        certain = all(map(_certain, runs_of(variants)))
        # Shares are of all runs together: a table has the median over them.
        shown = {v: show.share(share) for v, share in shares.items()}
        alike = grouped(shares, shown.__getitem__)
        over_runs = "Over all runs, " if any(len(variant) > 1 for variant in variants) else ""
        yield Raised(
            f"{over_runs}{shown[most]} of the requests "
            f"{'failed' if certain else 'got no 2xx answer'} in {_some(alike[shown[most]])}, "
            f"{shown[least]} in {_some(alike[shown[least]])}. Their latencies "
            "and throughputs are of different work.",
            title="Failures differ between variants",
            severity="error",
            values={"failed_shares": {v.label: share for v, share in shares.items()}},
            touches=FIGURES,
            advice=_advice(runs_of(variants)),
            runs=runs_of(variants),
            spans=spans_of({v: (s - APART / 2, s + APART / 2) for v, s in shares.items()}),
        )


def _some(variants: Sequence[Variant]) -> str:
    return some([show.quoted(variant.label) for variant in variants])


def mean_failed_share(variant: Variant) -> float | None:
    """Return `failed_share` of the requests of all runs that have it, None where none has.

    Where the requests of one of them are not known each run counts alike.
    """
    known = where_known(variant.runs, failed_share)
    sent = [requests_sent(run) for run in known]
    weights = sent if all(sent) else [1] * len(sent)
    failed = sum(share * weight for share, weight in zip(known.values(), weights, strict=True))
    return round(failed / sum(weights), 9) if known else None


@Check(
    "CHECKS_FAILED",
    "Checks of the script failed",
    "over 1 % of the checks of a script failed, and more than of the requests; error over 5 %",
    needs="the share of checks that failed",
    severities=("warning", "error"),
    advice="See which answers the script does not expect: the statuses do not show them.",
).for_run
def _checks_failed(run: Run) -> Iterator[Raised]:
    failed, passed = run.figure("checks_failed", "ratio"), run.figure("checks", "ratio")
    if failed is None and passed is None:
        raise MissingError("no checks")
    share = round(1 - (passed or 0.0), 9) if failed is None else failed
    if share > max(_SOME, error_ratio(run) or 0.0):
        yield Raised(
            f"{run.name}: {show.share(share)} of the checks of the script failed: answers were not "
            "what it expects, whatever their status.",
            severity="error" if share > _MANY else "warning",
            values={"failed_checks_share": share},
            touches=("success_ratio", "goodput_rps", *FIGURES),
            runs=[run],
        )


@Check(
    "CENSORED",
    "Latencies cut off by the timeout",
    "requests timed out: percentiles from 1 − their share on are withheld; error over 1 %",
    needs="requests, errors and their texts",
    severities=("warning", "error"),
    source="type-I censoring; vegeta 12 counts a timeout with the time it took",
    advice="Load the server less, or allow a longer timeout, until requests are answered.",
    concerns=lambda tool: tool.timeouts == "timed",
).for_run
def _censored(run: Run) -> Iterator[Raised]:
    share = _timed_out(run)
    if not share:
        return
    timeout = run.get("timeout_s")
    within = f"within {show.duration(timeout)}" if timeout else "before the timeout"
    hidden = [
        column for column, (quantile, _) in run.quantile_columns.items() if quantile >= 1 - share
    ]
    bound = f"above {show.duration(timeout)}" if timeout else "above the timeout"
    shown = show.share(share)
    withheld = dict.fromkeys([*hidden, "latency_max_s"], f"{bound}: {shown} had no answer {within}")
    if share > _SOME:
        withheld["latency_mean_s"] = f"{shown} of the requests had no answer {within}"
    mean = ", and the mean includes it" if share > _SOME else ""
    yield Raised(
        f"{run.name}: {shown} of the requests had no answer {within}. {_hidden(share)} is "
        f"the client's timeout, not a latency{mean}; the true ones are longer.",
        severity="error" if share > _SOME else "warning",
        values={"timed_out_share": share, "timeout_s": timeout, "from_quantile": 1 - share},
        touches=tuple(withheld),
        withheld={name: why for name, why in withheld.items() if run.get(name) is not None},
    )


def _hidden(share: float) -> str:
    """Return the percentiles that lie among timeouts, by the share of these."""
    if share >= 1:
        return "Every percentile"
    certain = Context(prec=2, rounding=ROUND_DOWN).create_decimal(f"{share:.9g}")
    return f"Every percentile from {show.percentile(float(1 - certain))} on"


def _timed_out(run: Run) -> float:
    """Return the share of requests given up after the timeout.

    Raises:
        MissingError: errors are not known, or timeouts not apart from others.
    """
    errors, requests = run.need("errors", "requests")
    if not errors or not requests:
        return 0.0
    texts = {text: n for text, n in run.errors.items() if not _STATUS_LINE.match(text)}
    late = {text: n for text, n in texts.items() if _TIMEOUT.search(text)}
    if not texts:
        raise MissingError("the errors are counted, not told")
    if len(late) == len(texts):
        return errors / requests
    counts = [n for n in late.values() if n is not None]
    if len(counts) < len(late):
        raise MissingError("timeouts are not counted apart from other errors")
    return sum(counts) / requests


@Check(
    "DROPPED_TIMEOUT",
    "Timeouts left out of the latencies",
    "any timeout; percentiles above 1 − their share are withheld; error over 1 % or p99. wrk2 "
    "counts connections that sent nothing for so long, every 2 s anew: a warning",
    needs="timeouts, requests",
    severities=("warning", "error"),
    source="wg/wrk 4 `src/stats.c`, stats_record; giltene/wrk2 `src/wrk.c`, "
    "check_timeouts; autocannon 9 `lib/run.js`",
    advice="Raise the timeout until no request exceeds it.",
    concerns=lambda tool: tool.timeouts in {"left out", "waiting"},
).for_run
def _dropped(run: Run) -> Iterator[Raised]:
    (timeouts,) = run.need("timeouts")
    if not timeouts:
        return
    if not requests_sent(run):
        raise MissingError("requests")
    if waiting_connections(run):
        yield _waiting(run)
        return
    share = timeouts / max(requests_sent(run), timeouts)
    hidden = [
        column for column, (quantile, _) in run.quantile_columns.items() if quantile > 1 - share
    ]
    timeout = run.get("timeout_s")
    limit = f" of {show.duration(timeout)}" if timeout else ""
    rest = (
        f"The printed percentiles are of the fastest {show.share(1 - share)}."
        if share < 1
        else "None was measured."
    )
    severe = share > _SOME or any(column != "latency_p999_s" for column in hidden)
    have = "request exceeded" if timeouts == 1 else "requests exceeded"
    are = "is" if timeouts == 1 else "are"
    yield Raised(
        f"{run.name}: {show.count(timeouts)} {have} the timeout{limit} and {are} "
        f"missing from the latencies: {show.share(share)} of all. {rest}",
        severity="error" if severe else "warning",
        values={"timeouts": timeouts, "timed_out_share": share, "timeout_s": timeout},
        touches=("latency_mean_s", "latency_max_s", *run.quantile_columns),
        withheld=dict.fromkeys(hidden, "lies among the timeouts, which the tool leaves out"),
    )


def _waiting(run: Run) -> Raised:
    timeouts = waiting_connections(run)
    return Raised(
        f"{run.name}: {show.plural(timeouts, 'time')} a connection had sent nothing for longer "
        "than the timeout: an answer and its latency may be missing, or it stood idle.",
        severity="warning",
        values={"timeouts": timeouts},
        touches=("success_ratio", "latency_mean_s", "latency_max_s", *run.quantile_columns),
    )


@Check(
    "SYN_RETRY",
    "Connections that were tried again",
    "it is within 10 % of 1, 3, 7, 15 or 31 s",
    needs="the maximum of 'Connect'",
    source="RFC 6298; the accept queue was full",
    advice="Keep connections alive (-k), or raise the backlog of the server.",
    concerns=lambda tool: tool.prints_connecting,
).for_run
def _syn_retry(run: Run) -> Iterator[Raised]:
    longest = run.need_figure("Connect", "max")
    near = [second for second in _SYN_SECONDS if abs(longest - second) <= 0.1 * second]
    if not near:
        return
    mean, total = run.figure("Connect", "mean"), run.get("latency_mean_s")
    part = (
        f" Connecting is {show.duration(mean)} of the mean of {show.duration(total)}."
        if mean and total
        else ""
    )
    yield Raised(
        f"{run.name}: connecting took up to {show.duration(longest, digits=4)}, close to the "
        f"{near[0]}{show.NBSP}s at which a lost SYN is sent again (RFC 6298).{part} Such "
        "retries stretch mean, standard deviation and maximum.",
        values={"connect_max_s": longest, "connect_mean_s": mean, "latency_mean_s": total},
        touches=("latency_max_s", "latency_std_s", "latency_mean_s"),
    )


@Check(
    "SOCKET_ERRORS",
    "Errors of connections",
    "any error of an address or port in use, of open files, buffers or reset connections, "
    "or a connection that was not opened",
    needs="the texts of errors, or wrk's count of connections that were not opened",
    source="Linux errno(3): EADDRNOTAVAIL, EMFILE, ENOBUFS, ECONNRESET",
    advice=(
        "Keep connections alive, raise the limits of the generator's machine (ulimit -n, "
        "ip_local_port_range) and the backlog of the server."
    ),
).for_run
def _socket_errors(run: Run) -> Iterator[Raised]:
    refused = run.figure("Socket errors: connect", "total")
    if run.get("errors") is None and refused is None and not run.errors:
        raise MissingError("errors are not known")
    kinds: dict[str, list[int | None]] = {}
    for text, count in run.errors.items():
        kind = next((words for pattern, words in _SOCKETS if pattern.search(text)), None)
        if kind:
            kinds.setdefault(kind, []).append(count)
    if not kinds and not refused:
        return
    counts = {kind: _total(listed) for kind, listed in kinds.items()}
    requests = requests_sent(run)
    parts = [f"{kind}{_of_requests(count, requests)}" for kind, count in counts.items()]
    if refused:
        parts.append(f"{show.plural(round(refused), 'connection')} could not be opened")
    yield Raised(
        f"{run.name}: {show.listed(parts)}. Such errors may be the generator's or its "
        "machine's own, and what it could not send the server did not have to answer.",
        values={"errors": counts, "not_opened": refused, "requests": requests or None},
        touches=("errors", "success_ratio", "throughput_rps", "goodput_rps"),
    )


def _of_requests(count: int | None, requests: int) -> str:
    if not count:
        return ""
    share = f", {show.share(count / requests)} of the requests" if requests else ""
    return f" ({show.plural(count, 'time')}{share})"


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
