"""oha: its command line, and what its formats share.

A latency is the time from before a connection is asked for until the last byte of the body; with
`-q` and `--latency-correction` from when the request was due. Which of the two no output says,
nor the URL, the connections, the rate or the start. Only answers have one: a request that failed,
timed out, or was under way at the end of `-z` is counted by its error, and in `Requests/sec`.
oha's success rate is the share of answers, whatever their status, among the requests that were
not aborted at the end. Of n sorted latencies the p-th percentile is that with index floor(n*p/100)
from 0, one above the nearest rank where n*p/100 is whole.

Source: hatoo/oha 1.16.0 `src/lib.rs` (Opts), `src/client.rs` (ClientError, RequestResult),
`src/result_data.rs` (success_rate, percentile_iter), `src/printer.rs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.parsing import RunRecord
from benchkit.tool import Tool

#: What follows from the tool alone: no sample is added.
CONSTANTS: Final[Mapping[str, Any]] = {"correction": "none", "resolution_s": 1e-9}
#: What a request is counted as that was under way when the time was over.
ABORTED: Final = "aborted due to deadline"
TIMEOUT: Final = "timeout"
#: Columns that text and JSON may fill.
COUNTED: Final = (
    *("duration_s", "requests", "errors", "timeouts", "non2xx", "throughput_rps"),
    *("goodput_rps", "success_ratio", "latency_min_s", "latency_mean_s", "latency_max_s"),
    *("latency_p50_s", "latency_p75_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"),
    "latency_p999_s",
)

#: Options that take no value, by their letter and their name.
_SWITCHES: Final = frozenset(
    {
        *("w", "wait-ongoing-requests-after-deadline", "rand-regex-url", "urls-from-file"),
        *("latency-correction", "no-tui", "proxy-http2", "http2", "disable-compression"),
        *("disable-keepalive", "no-pre-lookup", "ipv6", "ipv4", "insecure", "no-color"),
        *("disable-color", "stats-success-breakdown", "debug", "help", "h", "version", "V"),
    }
)
_LETTERS: Final = {"method": "m", "output": "o", "redirect": "r", "form": "F", "time-unit": "u"}
_SPAN: Final = re.compile(r"(?<![0-9.])([0-9]++(?:\.[0-9]++)?) ?(ns|us|ms|s|sec|m|min|h|hour|d)")
_SECONDS: Final = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "hour": 3600.0,
    "d": 86400.0,
}


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with oha's defaults.

    Each of -c connections has a request under way, over HTTP/2 -p of them; with -q all together
    send at most so many a second.
    """
    given = dict(options(arguments))
    if "url" not in given or {"help", "version", "debug", "dump-urls"} & given.keys():
        return {}
    rate = _number(given.get("q"))
    due = rate is not None and "latency-correction" in given
    columns: dict[str, Any] = {
        "url": None if {"rand-regex-url", "urls-from-file"} & given.keys() else given["url"],
        "method": given.get("m", "GET").upper(),
        "keepalive": "disable-keepalive" not in given,
        "load_model": "open" if due else "closed",
        "clock": "due-to-last-byte" if due else "connect-to-last-byte",
        "offered_rate_rps": rate,
        "timeout_s": _seconds(given.get("t")),
    }
    connections, parallel = _number(given.get("c", "50")), _number(given.get("p", "1"))
    if connections:
        columns["connections"] = int(connections)
    if parallel and parallel > 1:
        columns["pipelining"] = int(parallel)
    return {name: value for name, value in columns.items() if value is not None}


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value), and the target as ("url", …): `-c 8`, `-c8`, `--method=GET`."""
    words = iter(arguments)
    for word in words:
        long = re.fullmatch(r"--([a-z0-9][a-z0-9-]*)(?:=(.*))?", word, re.DOTALL)
        short = re.fullmatch(r"-([A-Za-z])=?(.*)", word, re.DOTALL)
        if long is not None:
            name, value = long[1], long[2]
        elif short is not None:
            name, value = short[1], short[2] or None
            while name in _SWITCHES and value:  # `-wc 8`
                yield name, ""
                name, value = value[0], value[1:] or None
        else:
            yield "url", next(words, "") if word == "--" else word
            continue
        if name not in _SWITCHES and value is None:
            value = next(words, "")
        yield _LETTERS.get(name, name), value or ""


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else units.number(text)
    except ValueError:
        return None


def _seconds(text: str | None) -> float | None:
    """Return a time as humantime has it: `1m 30s`."""
    parts = _SPAN.findall(text or "")
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) if parts else None


def rank(quantile: float, n: int) -> int:
    """Return the rank, from 0, at which oha reads a percentile of n latencies."""
    return min(int(quantile * n + 1e-9 * n), n - 1)


def add_counts(record: RunRecord, rate: float) -> None:
    """Add what follows from all statuses and errors of a run, and the rate of both together."""
    lost = sum(filter(None, record.errors.values()))
    answered = sum(record.statuses.values())
    good = sum(n for code, n in record.statuses.items() if 200 <= code < 400)
    finished = answered + lost - (record.errors.get(ABORTED) or 0)
    record.columns |= {
        "requests": answered + lost,
        "errors": lost,
        "timeouts": record.errors.get(TIMEOUT) or 0,
        "non2xx": sum(n for code, n in record.statuses.items() if not 200 <= code < 300),
    }
    if finished:
        record.columns["success_ratio"] = good / finished
    if answered + lost:
        record.columns |= {
            "throughput_rps": rate * (answered / (answered + lost)),
            "goodput_rps": rate * (good / (answered + lost)),
        }


TOOLS: Final = (
    Tool(
        name="oha",
        programs=("oha", "oha-linux-amd64", "oha-macos-amd64", "oha-windows-amd64.exe"),
        opening=r"Summary:\s+Success rate:",
        read=read,
        options=options,
        asks={"n": "requests", "c": "connections", "z": "duration_s"},
        voids={"z": "requests"},
        credentials={"a": ":"},
        loops=("closed", "open"),
        sets_rate=True,
        errors_are_requests=True,
        timeouts="left out",
    ),
)
