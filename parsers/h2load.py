"""h2load: its command line, and the report that it prints.

A latency is the time from submitting a request, on a connection that is there, until its stream
ends; streams of a connection (-m) share it. `req/s` is that of answers, whatever their status.
`succeeded` are those of status 200 to 399; `failed` the others and those `errored`, which got no
answer, or were never sent as their connection failed; `timeout` are of these. With `-D` the time
in `finished in` has the warm-up in it, the rate has not. A status counts when it comes, a request
when its answer ends: where one breaks off, and with `-D` at the end, there are more statuses than
requests `done`. Without an answer times are 0us; after a warm-up those of connecting are, too.
Since 1.67 there are a median and percentiles; before 1.3 timeouts are not counted, and up to 0.7.0
there are no latencies.

Times are cut to microseconds below a millisecond; above, they have two decimals.

Source: nghttp2 0.4.0, 0.7.10, 1.0.0, 1.3.0, 1.52.0 and 1.70.0 `src/h2load.cc` (main,
output_sd_stat, on_status_code, on_stream_close, process_time_stats), `src/util.cc`
(format_duration).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.tool import Tool

from . import _options
from ._grammar import Grammar, Report
from ._line import FAR, Line, ReportLine

#: What follows from the tool alone.
CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "resolution_s": 1e-6,
    "clock": "send-to-last-byte",
}
_SHORT: Final = _options.letters(
    "n=requests c=clients d=data t=threads i=input-file m=max-concurrent-streams H=header r=rate "
    "D=duration T=connection-active-timeout N=connection-inactivity-timeout B=base-uri v=verbose "
    "h=help"
)
_SWITCHES: Final = frozenset(
    {"verbose", "help", "version", "h1", "h3", "no-udp-gso", "ktls", "histogram"}
)

# --- the command line ---


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with h2load's defaults.

    Each of -c clients has a connection with at most -m requests under way; with --rps each sends
    so many a second.
    """
    given = dict(reversed([*options(arguments)]))
    if ("url" not in given and "input-file" not in given) or {"help", "version"} & given.keys():
        return {}
    clients = _whole(given.get("clients", "1"))
    rate = _options.number(given.get("rps", ""), units.number)
    columns: dict[str, Any] = {
        "url": given.get("url"),
        "method": "POST" if "data" in given else "GET",
        "keepalive": True,
        "load_model": "closed",
        "connections": clients,
        "threads": _whole(given.get("threads", "1")),
        "pipelining": _whole(given.get("max-concurrent-streams", "1")),
    }
    if clients and rate:
        columns["offered_rate_rps"] = clients * rate
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value), and targets as ("url", …)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def _whole(text: str) -> int | None:
    number = _options.number(text, units.number)
    return None if number is None or number < 1 else int(number)


TOOLS: Final = (
    Tool(
        name="h2load",
        programs=("h2load",),
        opening=r"finished in [0-9.]+m?u?s, ",
        remarks=(r"starting benchmark\.\.\.", r"req/s\s{1,20}+:.{0,120}+"),
        read=read,
        options=options,
        asks={"requests": "requests", "clients": "connections", "threads": "threads"},
        voids={"duration": "requests"},
        header="header",
        loops=("closed",),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="left out",
    ),
)

# --- the report ---

_ROW: Final = "{min:time} {max:time} {mean:time} {sd:time} {within:percent}"
_LONG_ROW: Final = (
    "{min:time} {max:time} {median:time} {p95:time} {p99:time} {mean:time} {sd:time} "
    "{within:percent}"
)

_THREAD: Final = r"spawning thread #{thread:whole}: {clients:whole} total client\(s\)\. "
SPAWNING = Line(
    _THREAD + "{requests:whole} total requests",
    _THREAD + r"Up to {rate:whole} client\(s\) will be created every {period:time} "
    "{requests:whole} total requests",
    "spawning thread #{thread:whole}: {clients:whole} concurrent clients, "
    "{requests:whole} total requests",  # before 1.3
    repeats=True,
)
TIMED = Line(
    _THREAD + "Timing-based test with "
    r"{warm:time} of warm-up time and {main:time} of main duration for measurements\.",
    repeats=True,
)
#: What it says while it runs.
COURSE = Line(
    r"progress: {done:whole}% (?:done|of clients started)",
    "Application protocol: {protocol:word}",
    "TLS Protocol: {tls:word}",
    r"Cipher: [\w-]++",
    r"Server Temp Key: [\w -]++",
    r"Warm-up (?:started|phase is over) for thread #{thread:whole}\.",
    r"Main benchmark duration is (?:started|over) for thread #{thread:whole}\."
    r"(?>(?: Stopping all clients\.)?)",
    "Stopped all clients for thread #{thread:whole}",
    again=True,
)
FINISHED = Line(
    "finished in {time:time}, {rate:number} req/s, {speed:size}",
    "finished in {seconds:whole} ?sec, {millis:whole} ?millisec and {micros:whole} ?microsec, "
    "{rate:number} req/s, {speed:whole} kbytes/s",  # up to 0.7.0
    foreign=FAR,
)
_ASKED: Final = (
    "requests: {total:count} total, {started:count} started, {done:count} done, "
    "{succeeded:count} succeeded, {failed:count} failed, {errored:count} errored"
)
REQUESTS = Line(_ASKED + ", {timeout:count} timeout", _ASKED)
STATUSES = Line("status codes: {c2:count} 2xx, {c3:count} 3xx, {c4:count} 4xx, {c5:count} 5xx")
TRAFFIC = Line(
    r"traffic: {all:size} \({total:count}\) total, {top:size} \({headers:count}\) headers"
    r"(?: \(space savings [0-9.]++%\))?, {bodies:size} \({data:count}\) data",
    "traffic: {total:count} bytes total, {headers:count} bytes headers, {data:count} bytes data",
)
HEADING = Line(r"min max mean sd \+/- sd", r"min max median p95 p99 mean sd \+/- sd")
REQUEST = Line(f"time for request: ?{_ROW}", f"request ?: ?{_LONG_ROW}")
CONNECT = Line(f"time for connect: ?{_ROW}", f"connect ?: ?{_LONG_ROW}")
FIRST_BYTE = Line(f"time to 1st byte: ?{_ROW}", f"TTFB ?: ?{_LONG_ROW}")
_PERCENTILES: Final = {"median": 0.5, "p95": 0.95, "p99": 0.99}
_PARTS: Final = {"connect": CONNECT, "1st byte": FIRST_BYTE}

REPORT: Final = Grammar(
    *(SPAWNING, TIMED, COURSE, FINISHED, REQUESTS, STATUSES, TRAFFIC, HEADING),
    *(REQUEST, CONNECT, FIRST_BYTE),
    begins={
        SPAWNING: (SPAWNING, COURSE, FINISHED),
        TIMED: (TIMED, COURSE, FINISHED),
        FINISHED: (REQUESTS,),
        REQUESTS: (STATUSES,),
    },
    head=SPAWNING,
    end=FIRST_BYTE,
    markers=("finished in", "time for request", "status codes:"),
    marks=(FINISHED, REQUESTS, STATUSES),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of h2load in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if report.has(FINISHED) or report.has(REQUESTS):
            yield report.run(_clients, _counts, _rates, _sizes, _latencies, _note_end)
        else:
            yield report.broken_off("the end of the report, from its line 'finished in' on")


def _clients(record: RunRecord, report: Report) -> None:
    threads = [*report.all(SPAWNING), *report.all(TIMED)]
    if not threads:
        return
    if _is_complete(report, threads):
        record.columns["threads"] = len(threads)
        record.columns["connections"] = sum(int(line.read("clients")) for line in threads)
    else:
        record.damaged("the line of a thread is missing, and with it how many and their clients")


def _is_complete(report: Report, threads: Sequence[ReportLine]) -> bool:
    """Whether each thread has its line: they count from 0, and share all requests."""
    numbers = sorted(int(line.read("thread")) for line in threads)
    shares = [int(line.read("requests")) for line in report.all(SPAWNING)]
    course = (line for line in report.all(COURSE) if "thread" in line.form.slots)
    requests = report.get(REQUESTS)
    return (
        numbers == [*range(len(numbers))]
        and all(line.read("thread") < len(numbers) for line in course)
        and (not shares or requests is None or sum(shares) == requests.read("total"))
    )


def _counts(record: RunRecord, report: Report) -> None:
    requests, statuses = report.get(REQUESTS), report.get(STATUSES)
    if requests is not None:
        record.columns |= {
            "requests": int(requests.read("total")),
            "errors": int(requests.read("errored")),
        }
        if "timeout" in requests.form.slots:
            record.columns["timeouts"] = int(requests.read("timeout"))
    if statuses is not None:
        counts = {name: int(statuses.read(name)) for name in ("c2", "c3", "c4", "c5")}
        record.columns["non2xx"] = sum(counts.values()) - counts["c2"]
        for name, count in counts.items():
            record.figure(f"status codes, {name[1]}xx", "total", count)
    if requests is None or not record.columns["requests"]:
        return
    if _adds_up(requests):
        record.columns["success_ratio"] = requests.read("succeeded") / record.columns["requests"]
    else:
        record.damaged(f"the counts of line {requests.number + 1} do not add up to its total")


def _adds_up(requests: ReportLine) -> bool:
    """Whether the counts of requests can be: what was not sent is among those that failed."""
    total, succeeded, failed, errored = (
        requests.read(name) for name in ("total", "succeeded", "failed", "errored")
    )
    return succeeded + failed == total and errored <= failed


def _answers(report: Report) -> tuple[float, float] | None:
    """Return how many answers there were, and how many of them with a status from 200 to 399."""
    requests, statuses = report.get(REQUESTS), report.get(STATUSES)
    if requests is not None and _adds_up(requests):
        succeeded = requests.read("succeeded")
        return succeeded + requests.read("failed") - requests.read("errored"), succeeded
    if statuses is None:
        return None
    good = statuses.read("c2") + statuses.read("c3")
    return good + statuses.read("c4") + statuses.read("c5"), good


def _rates(record: RunRecord, report: Report) -> None:
    """Read rate and time; where there was a warm-up the time is that of the measurement."""
    finished, timed = report.get(FINISHED), report.get(TIMED)
    if finished is None:
        return
    rate, took_s = finished.read("rate"), _elapsed_s(finished)
    answered, good = _answers(report) or (None, None)
    if "seconds" in finished.form.slots and answered != record.columns.get("requests"):
        record.columns["duration_s"] = took_s
        return  # at first the rate was that of all requests
    record.columns["throughput_rps"] = rate
    if answered and good is not None:
        record.columns["goodput_rps"] = rate * (good / answered)
    if timed is not None:
        record.columns["duration_s"] = timed.read("main")
    elif answered is None or abs(answered - rate * took_s) <= 0.01 * answered + 0.005 * took_s + 1:
        record.columns["duration_s"] = took_s
    else:
        record.notes.append("the time of the report has a warm-up in it: it is left out")


def _elapsed_s(finished: ReportLine) -> float:
    if "time" in finished.form.slots:
        return finished.read("time")
    parts = (int(finished.read(name)) for name in ("seconds", "millis", "micros"))
    seconds, millis, micros = parts
    return units.scaled(str(seconds * 1_000_000 + millis * 1000 + micros), "1e-6")


def _sizes(record: RunRecord, report: Report) -> None:
    report.fill(record, TRAFFIC, total="received_bytes", data="body_bytes")


def _latencies(record: RunRecord, report: Report) -> None:
    line, statuses = report.get(REQUEST), report.get(STATUSES)
    if line is not None and line.read("max"):
        columns = {"min": "min", "mean": "mean", "sd": "std", "max": "max"}
        for slot, statistic in columns.items():
            record.columns[f"latency_{statistic}_s"] = line.read(slot)
        for slot in _PERCENTILES.keys() & line.form.slots.keys():
            record.quantile(_PERCENTILES[slot], line.read(slot))
    elif line is not None and statuses is not None:
        record.notes.append("no answer: the zeros in the output stand for no latency")
    for name, kind in _PARTS.items():
        _part(record, name, report.get(kind))


def _part(record: RunRecord, name: str, line: ReportLine | None) -> None:
    """Keep what connecting or the first byte took, where that was measured."""
    if line is None or not line.read("max"):
        return
    for slot, statistic in {"min": "min", "mean": "mean", "sd": "std", "max": "max"}.items():
        line.keep(record, f"time for {name}", statistic, slot, unit="s")


def _note_end(record: RunRecord, report: Report) -> None:
    if not _is_whole(report):
        record.damaged(f"the report breaks off at line {report.span[1] + 1}")


def _is_whole(report: Report) -> bool:
    """Whether the last line is there that the version prints."""
    finished, requests = report.get(FINISHED), report.get(REQUESTS)
    if finished is not None and "seconds" in finished.form.slots:
        return report.has(TRAFFIC)
    if requests is not None and "timeout" in requests.form.slots:
        return report.has(FIRST_BYTE)
    return report.has(REQUEST)


def step_s(latency_s: float) -> float:
    """Return the step to which a time is printed."""
    if latency_s >= 1:
        return 1e-2
    return 1e-5 if latency_s >= 1e-3 else 1e-6


PARSERS: Final = (
    TextParser(
        name="h2load-text",
        tool="h2load",
        reads="the report, anywhere in a text",
        versions="0.4 on",
        may_fill=(
            *("connections", "threads", "duration_s", "requests", "errors", "timeouts", "non2xx"),
            *("received_bytes", "body_bytes", "throughput_rps", "goodput_rps", "success_ratio"),
            *("latency_min_s", "latency_mean_s", "latency_std_s", "latency_max_s"),
            *("latency_p50_s", "latency_p95_s", "latency_p99_s"),
        ),
        when=dict.fromkeys(("latency_p50_s", "latency_p95_s", "latency_p99_s"), "1.67 on"),
        constants=CONSTANTS,
        step_s=step_s,
        markers=REPORT.markers,
        scan=scan,
    ),
)
