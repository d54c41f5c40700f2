"""ghz's JSON: `-O json` and `-O pretty`.

Times are nanoseconds. Without a call that is OK there is no latency, and what there is of it is 0
or null. Each call is in `details`, by the instant at which it ended; they are not read.

Source: bojand/ghz 0.93 and 0.121 `runner/reporter.go` (Report, Options, Finalize).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import JsonParser, RunRecord

from . import _ghz
from ._fields import Fields


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the keys that every version prints."""
    return {"count", "total", "average", "rps", "statusCodeDistribution"} <= value.keys()


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one result.

    Raises:
        InputError: a figure has another type than ghz gives it.
    """
    fields = Fields(value, "a ghz result")
    record = RunRecord(name=fields.words("name"))
    _add_set_up(record, fields.part("options"))
    seconds = fields.scaled("total", "1e-9")
    if seconds:
        record.columns["duration_s"] = seconds
    errors, statuses = fields.part("errorDistribution"), fields.part("statusCodeDistribution")
    record.errors = {text: errors.count(text) for text in errors.names()}
    counts = {status: statuses.need_count(status) for status in statuses.names()}
    calls = fields.need_count("count")
    fine = _ghz.add_counts(record, calls, fields.number("rps"), counts)
    _add_latencies(record, fields, fine=fine)
    return record


def _add_set_up(record: RunRecord, options: Fields) -> None:
    columns: dict[str, Any] = {
        "url": options.words("host"),
        "timeout_s": options.scaled("timeout", "1e-9") or None,
    }
    if options.words("load-schedule") in {"const", None}:
        columns["offered_rate_rps"] = options.number("rps") or None
    if options.names():
        columns["load_model"] = "open" if options.holds("async") else "closed"
    columns |= _ghz.load_columns(options.count("connections"), options.count("concurrency"))
    record.columns |= {name: known for name, known in columns.items() if known is not None}
    if (workers := options.count("concurrency")) is not None:
        record.figure("concurrency", "value", workers, printed=str(workers))
    if skipped := options.count("skipFirst"):
        record.notes.append(f"the first calls are in no figure: {skipped}")


def _add_latencies(record: RunRecord, fields: Fields, *, fine: bool) -> None:
    average = fields.scaled("average", "1e-9")
    if average and fine:
        record.columns["latency_mean_s"] = average
    elif average:
        printed = fields.text("average") or ""
        record.figure("Average", "mean", average, unit="s", printed=printed)
    for name, column in (("fastest", "latency_min_s"), ("slowest", "latency_max_s")):
        if seconds := fields.scaled(name, "1e-9"):
            record.columns[column] = seconds
    for percentile in fields.parts("latencyDistribution"):
        percent, latency = percentile.count("percentage"), percentile.scaled("latency", "1e-9")
        if percent and latency is not None and percent < 100:
            record.quantile(percent / 100, latency)
    for number, bucket in enumerate(fields.parts("histogram"), start=1):
        metric = f"Response time histogram, {number}"
        if (mark := bucket.number("mark")) is not None:
            record.figure(metric, "max", mark, unit="s", printed=bucket.text("mark") or "")
        if (count := bucket.count("count")) is not None:
            record.figure(metric, "total", count, printed=str(count))


PARSERS: Final = (
    JsonParser(
        name="ghz-json",
        tool=_ghz.TOOL,
        reads="the result of -O json and -O pretty",
        versions="0.60 to 0.121",
        fills=("requests",),
        may_fill=(
            *("url", "connections", "pipelining", "timeout_s", "offered_rate_rps", "load_model"),
            *(column for column in _ghz.MAY_FILL if column != "requests"),
        ),
        when={**_ghz.WHEN, "pipelining": "where each connection has as many workers"},
        detail=20,
        constants={**_ghz.CONSTANTS, "resolution_s": 1e-9},
        markers=("statusCodeDistribution",),
        matches=matches,
        parse=parse,
        begins=r'\{\s*+(?>(?:"name":\s*+"[^"]*+",\s*+)?)"date":\s*+"[^"]{20,40}",\s*+"endReason":',
        needs=("count", "total", "average", "rps", "statusCodeDistribution"),
        keys=(
            *("endReason", "errorDistribution", "statusCodeDistribution", "latencyDistribution"),
            *("load-schedule", "load-start", "load-step", "load-step-duration"),
            *("concurrency-schedule", "concurrency-start", "concurrency-step"),
        ),
    ),
)
