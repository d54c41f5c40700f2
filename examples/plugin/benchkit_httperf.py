"""httperf for benchkit: its command line, and the report that it prints.

A reply time is from the first byte of a request to the first byte of its reply, and from there to
the last one (`transfer`): only means are printed, to a tenth of a millisecond. Where nothing came
back they are 0.0, and are none. A connection that was refused sent no request.

Source: httperf 0.9.0, httperf(1), sections OUTPUT and OPTIONS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.tool import Tool

#: The version of `benchkit.parsing` that this was written for.
INTERFACE = 1

_N = "([0-9]++)"
_F = r"([0-9]++\.[0-9]++)"
TOTAL = re.compile(rf"Total: connections {_N} requests {_N} replies {_N} test-duration {_F} s$")
#: What follows, in this order; of each line the figures that are kept.
LINES = {
    "rate": re.compile(rf"Request rate: {_F} req/s "),
    "time": re.compile(rf"Reply time \[ms\]: response {_F} transfer {_F}$"),
    "size": re.compile(rf"Reply size \[B\]: header {_F} content {_F} footer {_F} "),
    "status": re.compile(rf"Reply status: 1xx={_N} 2xx={_N} 3xx={_N} 4xx={_N} 5xx={_N}$"),
    "errors": re.compile(
        rf"Errors: total {_N} client-timo {_N} socket-timo {_N} connrefused {_N} connreset {_N}$"
    ),
    "end": re.compile("Errors: fd-unavail "),
}
ERRORS = ("total", "client-timo", "socket-timo", "connrefused", "connreset")
#: Lines of a report, sessions included.
LONGEST = 40


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield each report in a text, or the line at which it breaks off."""
    lines = text.bare  # without indentation, quote and comment marks
    for first, line in enumerate(lines):
        total = TOTAL.match(line)
        if total is None:
            continue
        read: dict[str, list[float]] = {}
        last = first
        for name, pattern in LINES.items():
            for number in range(last + 1, min(first + LONGEST, len(lines))):
                if matched := pattern.match(lines[number]):
                    read[name], last = [float(figure) for figure in matched.groups()], number
                    break
        if len(read) < len(LINES):
            yield InputError(
                "the whole report of httperf, to its line 'Errors: fd-unavail'",
                actual="a part of it",
                where=Where(line=last + 1),
                hint="use the whole output",
            )
        elif not int(total[3]):
            yield InputError(
                "a run with replies",
                actual=f"none; errors: {read['errors'][0]:g}",
                where=Where(line=first + 1),
                hint="repeat the run when the server answers",
            )
        else:
            yield _run(total, read, (first, last))


def _run(total: re.Match[str], read: dict[str, list[float]], lines: tuple[int, int]) -> RunRecord:
    _, requests, replies = (int(total[n]) for n in (1, 2, 3))
    seconds, good = float(total[4]), read["status"][1] + read["status"][2]
    # Of requests, with more digits than the duration; that of replies where each got one.
    rate = read["rate"][0] if replies == requests else replies / seconds
    record = RunRecord(lines=lines)
    record.columns = {
        "requests": requests,
        "errors": requests - replies,
        "non2xx": replies - int(read["status"][1]),
        "duration_s": seconds,
        "throughput_rps": rate,
        "goodput_rps": rate * good / replies,
        "success_ratio": good / requests,
        "latency_mean_s": round(sum(read["time"]), 1) / 1000,
    }
    record.figure("Total", "connections", int(total[1]))
    for part, value in zip(("header", "content", "footer"), read["size"], strict=True):
        record.figure("Reply size", part, value, unit="B")
    for name, value in zip(ERRORS, read["errors"], strict=True):
        record.figure("Errors", name, value)
    if read["errors"][0]:
        counts = [f"{n} {v:g}" for n, v in zip(ERRORS, read["errors"], strict=True) if v]
        record.notes.append(f"connections or requests that failed: {', '.join(counts)}")
    return record


def command(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets.

    At a rate connections are begun without waiting; requests on one connection follow each other.
    """
    given = dict(_options(arguments))
    columns: dict[str, Any] = {}
    if "server" in given:
        port = given.get("port", "80")
        columns["url"] = f"http://{given['server']}:{port}{given.get('uri', '/')}"
    columns["method"] = given.get("method", "GET")
    if timeout := _number(given.get("timeout")):
        columns["timeout_s"] = timeout
    rate, calls = _number(given.get("rate")), _number(given.get("num-calls", "1"))
    if "wsess" not in given and calls:
        if rate:
            columns["offered_rate_rps"] = rate * calls
        if not rate or calls == 1:
            columns["load_model"] = "open" if rate else "closed"
    return columns


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    for word in arguments:
        name, equals, value = word.removeprefix("--").partition("=")
        if word.startswith("--"):
            yield name, value if equals else "true"


def _number(text: str | None) -> float | None:
    matched = re.fullmatch(r"[0-9]++(?:\.[0-9]++)?+", text or "")
    return float(matched[0]) if matched else None


PARSERS = (
    TextParser(
        name="httperf-text",
        tool="httperf",
        reads="the report that httperf prints",
        versions="0.9",
        fills=(
            *("requests", "errors", "non2xx", "duration_s", "throughput_rps", "goodput_rps"),
            *("success_ratio", "latency_mean_s"),
        ),
        constants={"correction": "none", "resolution_s": 1e-4, "clock": "send-to-last-byte"},
        rank=None,
        markers=("Total: connections",),
        scan=scan,
    ),
)
TOOLS = (
    Tool(
        name="httperf",
        programs=("httperf",),
        opening=r"httperf --",
        read=command,
        options=_options,
        loops=("open", "closed"),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="left out",
        step_s=1e-4,
    ),
)
