"""Every table and column, once: name, type, unit, meaning.

Latencies are seconds, sizes bytes, rates per second, instants UTC. Missing is NA, never 0 and
never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from benchkit.errors import unknown
from benchkit.frames import Column as Column  # noqa: PLC0414 - also from here
from benchkit.frames import Table as Table  # noqa: PLC0414

#: The least of a number that may be below 0.
_ANY: Final = -math.inf


def _id() -> Column:
    return Column("run_id", "string", "the run this row belongs to", required=True)


def _s(name: str, meaning: str) -> Column:
    return Column(name, "float", meaning, unit="s")


def _step(name: str, meaning: str) -> Column:
    """Return a part of a latency, which two clocks of a tool may make any number."""
    return Column(name, "float", meaning, unit="s", least=_ANY)


def _n(name: str, meaning: str) -> Column:
    return Column(name, "int", meaning)


def _b(name: str, meaning: str) -> Column:
    return Column(name, "int", meaning, unit="B")


def _text(name: str, meaning: str, *values: str, required: bool = False) -> Column:
    return Column(name, "string", meaning, values=values, required=required)


def _object(name: str, meaning: str) -> Column:
    return Column(name, "string", meaning, is_object=True)


def _bin(parts: int) -> tuple[Column, ...]:
    meaning = (
        "what came back; http-error is a status outside 200 to 399, or an answer that the tool "
        "rejected; NA where the format does not tell"
    )
    return (
        _text("outcome", meaning, "success", "http-error", "no-response"),
        _s("latency_low_s", "lower bound of the bin, included"),
        _s("latency_high_s", f"upper bound of the bin, excluded: at most 1/{parts} more"),
        Column("count", "int", "requests in the bin", required=True),
    )


ORIGINS: Final = ("printed", "computed")
LOAD_MODELS: Final = ("open", "closed")
CORRECTIONS: Final = ("none", "backfilled")
CLOCKS: Final = (
    *("connect-to-last-byte", "send-to-last-byte", "due-to-last-byte", "send-to-first-byte"),
)
FILE_STATES: Final = ("read", "merged", "duplicate", "skipped", "foreign")

#: Quantiles that have a column of their own in `runs`.
QUANTILE_COLUMNS: Final[Mapping[float, str]] = {
    0.5: "latency_p50_s",
    0.75: "latency_p75_s",
    0.9: "latency_p90_s",
    0.95: "latency_p95_s",
    0.99: "latency_p99_s",
    0.999: "latency_p999_s",
}

RUNS: Final = Table(
    "runs",
    "one run of one load generator",
    (
        Column("run_id", "string", "stable name, from the content of the file", required=True),
        _text("scenario", "what is compared: runs are ranked within one scenario"),
        _text(
            "variant",
            "what is being compared: a server, a build, a setting; ends with ', copy' where it "
            "is a declared copy of another here",
        ),
        _object(
            "params", "further factors of the run, a JSON object; in Python also columns `param_…`"
        ),
        _text("baseline", "the variant of the scenario that metadata name to compare with"),
        _n("repeat", "number of the repetition within scenario, variant and params, from 1"),
        _text("label", "the run's name for people, unique among the runs", required=True),
        _text("tool", "the load generator", required=True),
        _text("tool_version", "its version, where the output or metadata states it"),
        _text("format", "which kind of its outputs was read", required=True),
        _text("source", "the file", required=True),
        _text("other_sources", "further files that hold the same run, separated by '; '"),
        _text("sha256", "hash of the file as it lies on disk; of large ones only if asked for"),
        _text("command", "the command line, where the page or metadata gives it"),
        _text("server", "the process under test as `resources` names it, where others run too"),
        _text("url", "the target"),
        _text("method", "the HTTP method"),
        Column("started_at", "instant", "first send", unit="UTC"),
        _s("duration_s", "first send to last response"),
        _n("threads", "threads or workers of the generator"),
        _n("connections", "connections the generator really opened"),
        _n("pipelining", "requests in flight per connection"),
        Column(
            "keepalive",
            "bool",
            "whether connections were reused, where that is counted (ab); else as asked for",
        ),
        Column("offered_rate_rps", "float", "requests per second that were asked for", unit="1/s"),
        _s("timeout_s", "how long the generator waits for a response"),
        _s("wait_s", "last send to last response"),
        _n("requests", "requests as the tool counts them"),
        _n("errors", "requests without a response, timeouts included"),
        _n("unrecorded", "requests that are numbered and in no row, where the format numbers them"),
        _n("timeouts", "requests given up, or answered, after the timeout"),
        _n("non2xx", "responses with a status outside 200 to 299 (wrk: above 399)"),
        _b("received_bytes", "bytes received as the tool counts them: compare within one tool"),
        _b("sent_bytes", "bytes sent as the tool counts them"),
        _b("body_bytes", "bytes of response bodies"),
        Column("throughput_rps", "float", "responses per second, any status", unit="1/s"),
        Column(
            "goodput_rps",
            "float",
            "responses per second of status 200 to 399 that the tool did not reject",
            unit="1/s",
        ),
        Column("success_ratio", "float", "share of requests with such a response", most=1),
        _s("latency_min_s", "smallest latency"),
        _s("latency_mean_s", "mean latency"),
        _s("latency_std_s", "standard deviation of latency"),
        *(
            _s(name, f"{100 * q:g} % of latencies are at most this")
            for q, name in QUANTILE_COLUMNS.items()
        ),
        _s("latency_max_s", "largest latency"),
        _text("load_model", "whether a new request waits for an earlier answer", *LOAD_MODELS),
        _text("correction", "whether the tool added samples it never measured", *CORRECTIONS),
        _s("resolution_s", "smallest step of a latency in this output"),
        _text("clock", "what a latency spans", *CLOCKS),
        Column(
            "warm_up_capped",
            "bool",
            "whether the warm-up was ended by its cap, before the rate was steady",
        ),
        _n(
            "looks",
            "looks at the runs of the scenario while they were made, as planned before the first; "
            "verdicts keep their level over that many",
        ),
        _object(
            "environment",
            "the machine as metadata describe it, a JSON object; in Python also columns "
            "`environment_…`",
        ),
    ),
)

QUANTILES: Final = Table(
    "quantiles",
    "one quantile of one run and origin; `Results.quantiles` prefers what was printed",
    (
        _id(),
        Column("quantile", "float", "0 to 1", required=True, most=1),
        Column("latency_s", "float", "latency at this quantile", unit="s", required=True),
        _text("origin", "printed by the tool or computed here", *ORIGINS, required=True),
    ),
)

FIGURES: Final = Table(
    "figures",
    "one printed figure that has no column of its own",
    (
        _id(),
        _text("metric", "what it is of, as the tool calls it", required=True),
        _text("statistic", "mean, stdev, min, max, median, p2.5, total, value, …", required=True),
        Column("value", "float", "in base units", required=True, least=_ANY),
        _text("unit", "s, B, 1/s, B/s, ratio, or empty for a plain number"),
        _text("printed", "the characters of the figure as they stood in the file"),
    ),
)

LATENCIES: Final = Table(
    "latencies",
    "requests in one fine latency bin of one outcome of one whole run; each request is in one row",
    (
        _id(),
        *_bin(1024),
    ),
)

HISTOGRAM: Final = Table(
    "histogram",
    "requests in one latency bin of one time slice of one endpoint and outcome of one run; "
    "each request is in one row",
    (
        _id(),
        Column(
            "slice_start_s",
            "float",
            "start of the time slice since the first send, which is in the first",
            unit="s",
            least=_ANY,
        ),
        _s("slice_s", "length of the time slice; NA where requests have no instant"),
        _text("endpoint", "method and URL; 'other' beyond the 50 busiest"),
        *_bin(64),
    ),
)

TIMELINE: Final = Table(
    "timeline",
    "one second of one run; in runs of more than about an hour several",
    (
        _id(),
        Column(
            *("second", "int", "whole seconds from the start of the time slice of the first send"),
            required=True,
            least=_ANY,
        ),
        _s("span_s", "how long the row reaches: 1, or a power of two"),
        _n("requests", "requests sent in this second"),
        _n("errors", "of these, without a response"),
        _n(
            "http_errors",
            "of these, answered by another status than 200 to 399, or rejected",
        ),
        _b("received_bytes", "bytes of their responses"),
        _n("in_flight", "requests unanswered at the end of this second"),
        _s("latency_p50_s", "median latency of the requests sent in this second"),
        _s("latency_p90_s", "90 % of them"),
        _s("latency_p99_s", "99 % of them"),
        _s("latency_max_s", "the slowest of them"),
    ),
)

STATUSES: Final = Table(
    "statuses",
    "one status code of one run",
    (
        _id(),
        Column("status", "int", "HTTP status code; 0 is no response", required=True),
        Column("count", "int", "responses with it", required=True),
    ),
)

ERRORS: Final = Table(
    "errors",
    "one distinct error of one run",
    (
        _id(),
        _text("error", "kind or message, as the tool gives it", required=True),
        _n("count", "how often; NA where the tool lists it without a count"),
    ),
)

RESOURCES: Final = Table(
    "resources",
    "one sample of one process during one run",
    (
        _id(),
        Column("elapsed_s", "float", "from the start of the run", unit="s", required=True),
        _text("process", "which process"),
        Column("cpu_ratio", "float", "processor time per wall time, 1 is one processor"),
        _b("rss_bytes", "resident memory"),
        _n("threads", "threads"),
        _n("descriptors", "open file descriptors"),
    ),
)

REQUESTS: Final = Table(
    "requests",
    "one request of one run",
    (
        _id(),
        Column("started_at", "instant", "when it was sent", unit="UTC"),
        Column("latency_s", "float", "its latency", unit="s", required=True),
        _n("status", "HTTP status code; 0 is no response"),
        _text("error", "what went wrong"),
        _text("method", "HTTP method"),
        _text("url", "target"),
        _n("seq", "number of the request in its attack"),
        _b("received_bytes", "bytes of the response body"),
        _b("sent_bytes", "bytes of the request body"),
        _step("connect_s", "time to connect"),
        _step("first_byte_s", "time from sending to the first byte of the response"),
    ),
)

FILES: Final = Table(
    "files",
    "one file that was looked at",
    (
        _text("source", "the file", required=True),
        _text("state", "what became of it", *FILE_STATES, required=True),
        _text("format", "what it was recognised as"),
        _n("runs", "runs found in it"),
        _text("sha256", "hash of the file as it lies on disk; of large ones only if asked for"),
        _b("size_bytes", "its size on disk"),
        _text("message", "why it was skipped, what of it is lost, or whose run it holds again"),
    ),
)

NOTES: Final = Table(
    "notes",
    "one remark about how a run was read",
    (_id(), _text("note", "the remark, one sentence", required=True)),
)

TABLES: Final[Mapping[str, Table]] = {
    table.name: table
    for table in (
        *(RUNS, QUANTILES, FIGURES, LATENCIES, HISTOGRAM, TIMELINE),
        *(STATUSES, ERRORS, RESOURCES, REQUESTS, FILES, NOTES),
    )
}


def table(name: str) -> Table:
    """Return the table of that name.

    Raises:
        UsageError: there is none; the message lists those there are.
    """
    if name not in TABLES:
        raise unknown("table", name, TABLES)
    return TABLES[name]


def markdown() -> str:
    """Return the whole schema as Markdown, a table per table."""
    parts = ["# The tables", "", (__doc__ or "").split("\n\n", 1)[1].strip(), ""]
    for table in TABLES.values():
        parts += [f"## {table.name}", "", f"A row is {table.row}.", ""]
        parts += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in table.columns:
            values = f" ({', '.join(column.values)})" if column.values else ""
            need = "" if column.required else ", may be NA"
            parts.append(
                f"| `{column.name}` | {column.kind}{need} | {column.unit} "
                f"| {column.meaning}{values} |"
            )
        parts.append("")
    return "\n".join(parts)
