"""Figures that cannot be, or do not mean what they seem to."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from benchkit import format as show
from benchkit import registry
from benchkit.errors import MissingError
from benchkit.model.failures import unanswered
from benchkit.model.run import Run
from benchkit.validity.amounts import stopped_short
from benchkit.validity.finding import Check, Raised

#: Two figures may differ by this much because each is rounded on its own.
_ROUNDING: Final = 0.01
#: A throughput may differ by this much from requests over duration: some leave a start or end out.
_CONTRADICTION: Final = 0.10
_THOUSAND: Final = 1000
_WORDS: Final = {
    "min": "minimum",
    "mean": "mean",
    "p50": "p50",
    "std": "standard deviation",
    "max": "maximum",
}


#: A latency with the words and the column for it.
_Named = tuple[str, str, float]


@Check(
    "IMPOSSIBLE_ORDER",
    "Figures that no data can give",
    "not min ≤ percentiles in order ≤ max, or not min ≤ mean ≤ max, or "
    "|mean − median| above the standard deviation, or that above the maximum, "
    "each by more than rounding",
    needs="two of minimum, percentiles, mean, maximum",
    severities=("error",),
    source="arithmetic; Hotelling & Solomons 1932; vegeta 12 `lib/metrics.go` (minimum)",
    advice="Take none of these figures; measure again, or compute them from raw results.",
).for_run
def _impossible(run: Run) -> Iterator[Raised]:
    pairs = list(_must_ascend(run))
    if not pairs:
        raise MissingError("fewer than two latencies")
    # Figures of one run may come from several files, of which some have larger steps.
    slack = max(float(run.get("resolution_s") or 0.0), registry.tool(run.tool).step_s)
    wrong = [
        (f"the {low[0]} ({_t(low[2])}) is above the {high[0]} ({_t(high[2])})", low[1], high[1])
        for low, high in pairs
        if low[2] > high[2] * (1 + _ROUNDING) + slack
    ]
    if wrong:
        yield _impossible_finding(run, wrong)


def _must_ascend(run: Run) -> Iterator[tuple[_Named, _Named]]:
    """Yield pairs of figures of which the first is at most the second."""
    known = {
        name: (words, f"latency_{name}_s", latency)
        for name, words in _WORDS.items()
        if (latency := run.number(f"latency_{name}_s")) is not None
    }
    quantiles = [
        (show.percentile(quantile), column, latency)
        for column, (quantile, latency) in run.quantile_columns.items()
    ]
    first, last = ([known[name]] if name in known else [] for name in ("min", "max"))
    yield from pairwise([*first, *quantiles, *last])
    for low, high in (("min", "mean"), ("mean", "max"), ("std", "max")):
        if low in known and high in known:
            yield known[low], known[high]
    if {"mean", "p50", "std"} <= known.keys() and not registry.tool(run.tool).interpolates:
        mean, median = known["mean"][2], known["p50"][2]
        # Each may be off by its rounding, or by the width of a bin.
        blur = _ROUNDING * max(mean, median)
        apart = abs(mean - median)
        if apart > known["std"][2] + blur:
            yield ("distance of mean and median", "latency_p50_s", apart), known["std"]


def _impossible_finding(run: Run, wrong: list[tuple[str, str, str]]) -> Raised:
    columns = tuple(dict.fromkeys(column for _, *pair in wrong for column in pair))
    restarts = registry.tool(run.tool).restarts_minimum
    reset = restarts and columns[0] == "latency_min_s" and len(wrong) <= 2
    why = (
        f" {run.tool} starts its minimum anew at each latency of 0, so there was one, and this "
        "is the least of the requests after it."
        if reset
        else ""
    )
    return Raised(
        f"{run.name}: {'; '.join(text for text, *_ in wrong)}. No data can give that.{why}",
        values={column: run.get(column) for column in columns},
        touches=columns,
        withheld={"latency_min_s": "above the mean"} if reset else {},
        advice="Leave the minimum out." if reset else "",
    )


def _t(seconds: float) -> str:
    return show.duration(seconds) if seconds else "0"


@Check(
    "RATE_DIFFERS",
    "A throughput that its own requests and duration contradict",
    "throughput × duration over 10 % above requests and errors together, or below requests "
    "without errors, beyond what the last digit of each allows",
    needs="throughput, requests, duration",
    severities=("error",),
    source="arithmetic; under 6 % in all recorded outputs of 19 tools",
    advice="Take none of the three; measure again, or find what changed the report.",
).for_run
def _rate_differs(run: Run) -> Iterator[Raised]:
    rate, requests, duration = run.need("throughput_rps", "requests", "duration_s")
    if run.figure("generators", "count") is not None:
        raise MissingError("the throughput is that of the time in which all generators sent")
    known = run.number("errors")
    errors = unanswered(run) if known is None else known
    # Some tools round thousands: 1k may be 500 to 1,499.
    rounding = _THOUSAND / 2 if requests and requests % _THOUSAND == 0 else 0.0
    fewest = (requests - errors - rounding) * (1 - _CONTRADICTION)
    most = (requests + errors + rounding) * (1 + _CONTRADICTION)
    half_rate, half_s = _half_step(rate), _half_step(duration)
    if (rate + half_rate) * (duration + half_s) < fewest or (
        max(rate - half_rate, 0.0) * max(duration - half_s, 0.0) > most
    ):
        yield Raised(
            f"{run.name}: {show.rate(rate)}{show.NBSP}req/s for {show.duration(duration)} would be "
            f"{show.count(rate * duration)} requests, not {show.count(requests)}.",
            values={"throughput_rps": rate, "requests": requests, "duration_s": duration},
            touches=("throughput_rps", "goodput_rps", "requests", "duration_s"),
        )


def _half_step(value: float) -> float:
    """Return half of the last digit of a number."""
    exponent = int(Decimal(repr(value)).normalize().as_tuple().exponent)
    return 0.5 * 10.0 ** min(exponent, 0)


@Check(
    "PER_THREAD",
    "'Req/Sec' is of one thread",
    "threads × mean of Req/Sec is within 2 % of the throughput, with 2 threads or more",
    needs="threads, throughput, the mean of 'Req/Sec'",
    severities=("info",),
    source="wg/wrk `src/wrk.c`, sample_rate",
    advice="Quote 'Requests/sec'.",
    concerns=lambda tool: tool.rates_of == "thread",
).for_run
def _per_thread(run: Run) -> Iterator[Raised]:
    threads, throughput = run.need("threads", "throughput_rps")
    each = run.need_figure("Req/Sec", "mean")
    if threads < 2 or not throughput or abs(threads * each / throughput - 1) > 0.02:
        return
    yield Raised(
        f"{run.name}: the mean of 'Req/Sec', {show.rate(each)}, is of one thread of "
        f"{show.count(threads)}. The throughput is {show.rate(throughput)}{show.NBSP}req/s.",
        values={"threads": threads, "req_sec_mean": each, "throughput_rps": throughput},
        touches=("throughput_rps",),
    )


@Check(
    "AB_LENGTH",
    "'Failed' counts bodies of another length",
    "any length failure beyond the non-2xx ones. With k = (HTML − (requests − failures) × "
    "document) / (failures − non-2xx), the mean body of these, info where k > 0 and "
    "within 20 % or 16 bytes of the document's length, or beyond it where there are non-2xx, whose "
    "bodies are in k; else warning",
    needs="length failures, document length, HTML transferred, requests, non-2xx",
    severities=("info", "warning"),
    source="httpd 2.4 `support/ab.c`: a length other than the first response's is a failure",
    advice="Let ab accept any length (-l).",
    concerns=lambda tool: tool.fails_by_length,
).for_run
def _ab_length(run: Run) -> Iterator[Raised]:
    odd = run.need_figure("Failed requests: Length", "total")
    document = run.need_figure("Document Length", "value")
    body, done, non2xx = run.need("body_bytes", "requests", "non2xx")
    if odd <= non2xx:
        return
    real = non2xx + sum(
        run.figure(f"Failed requests: {kind}", "total") or 0
        for kind in ("Connect", "Receive", "Exceptions")
    )
    other = (body - (done - odd) * document) / (odd - non2xx)
    close = max(0.2 * document, 16)
    # The bodies of errors, whose length nobody prints, count as theirs.
    above = other - document > close
    explained = other > 0 and document - other <= close and (not above or bool(non2xx))
    about = (
        f"{run.name}: {show.count(odd)} of {show.count(done)} requests count as failed by length"
    )
    most = ", with those of errors" if above and non2xx else ""
    sizes = f"{show.number(other)} bytes on average{most}, the first was {show.number(document)}"
    failed = f"{show.count(real)} failed otherwise" if real else "none failed otherwise"
    yield Raised(
        f"{about}. Their bodies would be {sizes}: that explains them, without proving it; {failed}."
        if explained
        else f"{about}, and bodies of another length do not explain it: they would be {sizes}. "
        f"These may be failures; {failed}.",
        severity="info" if explained else "warning",
        values={
            "length_failures": odd,
            "document_length": document,
            "non2xx": non2xx,
            "failures": real,
            "other_length": other,
        },
        touches=("success_ratio", "goodput_rps"),
        advice=f"Let {run.tool} accept any length (-l), or serve bodies of one length.",
    )


@Check(
    "COMMAND_DIFFERS",
    "The command is not that of the output",
    "requests, connections, threads or duration differ between command and report",
    needs="the command, and a figure of the report that it sets",
    source="arithmetic",
    advice="Find the command that made this output, and say it.",
).for_run
def _command_differs(run: Run) -> Iterator[Raised]:
    command = run.get("command")
    if not command:
        raise MissingError("no command")
    wanted = registry.tool(run.tool).asked(str(command))
    compared = 0
    wrong: list[str] = []
    values: dict[str, Any] = {}
    for name, words, reported, step in _reported(run):
        want = wanted.get(name)
        if want is None or reported is None:
            continue
        compared += 1
        if abs(reported - want) > step:
            wrong.append(f"{show.number(want)} {words}, the report says {show.number(reported)}")
            values |= {f"{name}_asked": want, f"{name}_reported": reported}
    if not compared:
        raise MissingError("nothing in the command that the report states too")
    only_requests = set(values) == {"requests_asked", "requests_reported"}
    if only_requests and stopped_short(
        run, values["requests_reported"] + (run.get("errors") or 0), values["requests_asked"]
    ):
        return  # ENDED_EARLY has it
    if wrong:
        yield Raised(
            f"{run.name}: the command asks for {'; for '.join(wrong)}. It is not the command "
            "of this output, or the run ended early.",
            values=values,
            touches=("command", "requests"),
        )


def _reported(run: Run) -> Iterator[tuple[str, str, float | None, float]]:
    """Yield what a report says of what a command asks: name, words, value, what it may be off."""
    for name in ("requests", "threads"):
        yield name, name, run.number(name), 0.0
    connections = run.figure("connections", "value")
    opened = run.number("connections") if connections is None else connections
    yield "connections", "connections", opened, 0.0
    if registry.tool(run.tool).tells_sends:
        sending = _sending_s(run)
        # The last request is sent an interval before the end.
        early = 1.1 / float(run.get("requests") or 50)
        yield "duration_s", "seconds", sending, max(0.02, early) * (sending or 0.0)
        return
    running = run.figure("Running", "value")
    # Whole minutes are printed as such.
    step = 0.5 if (running or 0) < 60 else 60 if (running or 0) < 3600 else 3600
    yield "duration_s", "seconds", running, step


def _sending_s(run: Run) -> float | None:
    printed = run.figure("Duration", "attack")
    duration, wait = run.number("duration_s"), run.number("wait_s")
    if printed is None and duration is not None and wait is not None:
        return duration - wait
    return printed
