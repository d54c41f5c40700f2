"""rewrk: its command line, its report and its JSON.

A latency is the time from before a request is sent until the last byte of its body, or until it
failed and a new connection was made: failed requests are among the requests, their rate and
their latencies. Only the report tells how many there are, and JSON nothing of them. The rate is
the requests over the mean time that the connections took.

The table of --pct has no percentiles: beside 99% stands the mean of the slowest hundredth.

Source: lnx-search/rewrk 0.3.1 and 0.3.2 `src/results.rs` (get_percentile, avg_request_per_sec,
display_errors, display_json), `src/bench.rs`, `src/http/mod.rs`, `src/utils.rs` (format_data),
`src/main.rs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchkit import units
from benchkit.parsing import JsonParser, RunOrError, RunRecord, TextParser
from benchkit.text import Text
from benchkit.tool import Tool

from . import _options
from ._fields import Fields
from ._grammar import Grammar, Report, note_loss
from ._line import Line, Slot, time_in

_SHORT: Final = _options.letters(
    "t=threads c=connections h=host d=duration r=rounds m=method H=header b=body"
)
_SWITCHES: Final = frozenset({"http2", "pct", "json", "help", "version"})
_CONSTANTS: Final[Mapping[str, Any]] = {
    "load_model": "closed",
    "correction": "none",
    "clock": "send-to-last-byte",
}
_MAY_FILL: Final = (
    *("throughput_rps", "received_bytes"),
    *("latency_min_s", "latency_mean_s", "latency_std_s", "latency_max_s"),
)

# --- the command line ---


def options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (long name, value)."""
    yield from _options.options(arguments, short=_SHORT, switches=_SWITCHES)


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the columns of `runs` that a command line sets, with rewrk's defaults."""
    given = dict(options(arguments))
    if "host" not in given:
        return {}
    columns: dict[str, Any] = {
        "url": given["host"],
        "method": given.get("method", "GET").upper(),
        "threads": _options.whole(given.get("threads", "1")),
        "connections": _options.whole(given.get("connections", "1")),
        "load_model": "closed",
    }
    return {name: value for name, value in columns.items() if value is not None}


TOOLS: Final = (
    Tool(
        name="rewrk",
        programs=("rewrk",),
        opening=r"Beginning round [0-9]+\.\.\.",
        read=read,
        options=options,
        asks={"connections": "connections", "threads": "threads", "duration": "duration_s"},
        header="header",
        loops=("closed",),
        errors_are_requests=True,
    ),
)

# --- the report ---

_SLOTS: Final = {
    "ms": Slot("a time", r"[0-9]++\.[0-9]{2}\s?+ms", time_in("ms"), ended="ms$"),
    "rate": Slot("a rate", r"[0-9]++\.[0-9]{2}(?![0-9])", units.number, ended=r"\.[0-9]{2}$"),
    "share": Slot("a percentage", r"[0-9]{2}(?:\.9)?%", units.percent, exact=True, first="[0-9]"),
}
ROUND = Line(r"Beginning round [0-9]++\.\.\.")
BENCHMARKING = Line("Benchmarking {connections:count} connections @ {url:url} for {length:rest}")
LATENCIES = Line("Latencies:")
NAMES = Line("Avg Stdev Min Max")
TIMES = Line("{mean:ms} {std:ms} {min:ms} {max:ms}", slots=_SLOTS, foreign=0)
REQUESTS = Line("Requests:")
TOTAL = Line("Total: {requests:count} Req/Sec: {rate:rate}", slots=_SLOTS)
TRANSFER = Line("Transfer:")
SIZES = Line("Total: {total:size} Transfer Rate: {rate:size}/Sec", ended="/Sec$")
TABLE = Line(r"(?>(?:[|+] ?)?)Percentile ?\|? ?Avg Latency(?>(?: ?\|)?)")
MEAN = Line(
    r"(?>(?:\| ?)?){share:share} ?\|? ?{latency:ms}(?>(?: ?\|)?)",
    slots=_SLOTS,
    repeats=True,
    ended=r"ms(?:\s?\|)?$",
)
ERROR = Line("{count:count} Errors: {error:rest}", repeats=True)

REPORT: Final = Grammar(
    *(ROUND, BENCHMARKING, LATENCIES, NAMES, TIMES, REQUESTS, TOTAL, TRANSFER, SIZES),
    *(TABLE, MEAN, ERROR),
    begins={ROUND: (BENCHMARKING,), BENCHMARKING: (), NAMES: (TIMES,), REQUESTS: (TOTAL,)},
    head=BENCHMARKING,
    closes=(SIZES, MEAN, ERROR),
    markers=("Beginning round", "connections @", "Req/Sec:"),
    whole=(TIMES, TOTAL, SIZES),
    marks=(TIMES, TOTAL),
)


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the rounds of rewrk in a text, and what is left of broken ones."""
    for report in REPORT.reports(text):
        if report.has(TIMES) or report.has(TOTAL):
            yield report.run(_set_up, _counts, _times, note_loss)
        elif report.has(BENCHMARKING) or report.has(ROUND):
            below = next((piece.text for piece in report.below() if piece.text), "")
            yield report.broken_off(
                "the rest of the report, from its line 'Latencies:' on",
                hint="rewrk had no result, or was ended before it",
                actual=below or "the end of the report",
            )


def _set_up(record: RunRecord, report: Report) -> None:
    named = report.get(BENCHMARKING)
    if named is not None:
        record.columns |= {"url": named["url"], "connections": int(named.read("connections"))}


def _counts(record: RunRecord, report: Report) -> None:
    """Read the requests; where no errors are printed there may be some below a cut."""
    for line in report.all(ERROR):
        record.errors[line["error"]] = int(line.read("count"))
    failed = sum(filter(None, record.errors.values()))
    total, sizes = report.get(TOTAL), report.get(SIZES)
    if total is not None:
        requests = int(total.read("requests"))
        record.columns["requests"] = requests
        if failed:
            record.columns["errors"] = failed
        if requests:
            answered = max(requests - failed, 0) / requests
            record.columns["throughput_rps"] = total.read("rate") * answered
    if sizes is not None:
        record.columns["received_bytes"] = int(sizes.read("total"))


def _times(record: RunRecord, report: Report) -> None:
    line = report.get(TIMES)
    if line is not None:
        for name in ("min", "mean", "std", "max"):
            record.columns[f"latency_{name}_s"] = line.read(name)
    for mean in report.all(MEAN):
        metric = f"slowest {round(100 - 100 * mean.read('share'), 1):g} %"
        record.figure(metric, "mean", mean.read("latency"), unit="s", printed=mean["latency"])


# --- JSON ---


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the keys that rewrk prints."""
    return {"latency_std_deviation", "requests_total", "requests_avg", "transfer_total"} <= {*value}


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one round.

    Raises:
        InputError: a figure is no number.
    """
    fields = Fields(value, "a rewrk result")
    record = RunRecord(columns={"requests": fields.need_count("requests_total")})
    names = {"min": "min", "avg": "mean", "std_deviation": "std", "max": "max"}
    for name, column in names.items():
        if (seconds := fields.scaled(f"latency_{name}", "1e-3")) is not None:
            record.columns[f"latency_{column}_s"] = seconds
    if (rate := fields.number("requests_avg")) is not None:
        record.columns["throughput_rps"] = rate
    if (size := fields.number("transfer_total")) is not None:
        record.columns["received_bytes"] = int(size)
    return record


PARSERS: Final = (
    TextParser(
        name="rewrk-text",
        tool="rewrk",
        reads="the report, a run per round, anywhere in a text",
        versions="0.2 and 0.3",
        may_fill=("url", "connections", "requests", "errors", *_MAY_FILL),
        when={"errors": "where there are some"},
        constants={**_CONSTANTS, "resolution_s": 1e-5},
        markers=REPORT.markers,
        scan=scan,
    ),
    JsonParser(
        name="rewrk-json",
        tool="rewrk",
        reads="the result of --json, an object per round",
        versions="0.3",
        fills=("requests",),
        may_fill=_MAY_FILL,
        when={"throughput_rps": "with failed requests, of which it tells nothing"},
        detail=10,
        constants={**_CONSTANTS, "resolution_s": 1e-9},
        markers=("latency_std_deviation",),
        matches=matches,
        parse=parse,
        begins=r'\{\s*+"latency_avg":',
        needs=("requests_total", "latency_std_deviation"),
        keys=(
            *("latency_avg", "latency_std_deviation", "requests_total", "requests_avg"),
            *("transfer_total", "transfer_rate"),
        ),
    ),
)
