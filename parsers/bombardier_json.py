"""bombardier's JSON: `-o json`.

With `-p i,r` the line that names the target stands in front. Large figures are written as
`1.004854e+06`. Headers of the requests are in it, credentials too; they are not read.

Source: codesenberg/bombardier 2.0.2 `templates.go` (jsonTemplate).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from benchkit.parsing import JsonParser, RunRecord

from . import _bombardier
from ._fields import Fields


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has what bombardier asked for, and what came of it."""
    spec, result = value.get("spec"), value.get("result")
    return (
        isinstance(spec, Mapping)
        and isinstance(result, Mapping)
        and "numberOfConnections" in spec
        and {"timeTakenSeconds", "req2xx", "others"} <= result.keys()
    )


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one result.

    Raises:
        InputError: a figure has another type than bombardier gives it.
    """
    fields = Fields(value, "a bombardier result")
    record = RunRecord()
    _add_set_up(record, fields.part("spec"))
    result = fields.part("result")
    classes = {number: result.need_count(f"req{number}xx") for number in range(1, 6)}
    for error in result.parts("errors"):
        text = error.words("description")
        if text is not None:
            record.errors[text] = error.count("count")
    answered = _bombardier.add_counts(record, classes, result.need_count("others"))
    seconds = result.number("timeTakenSeconds")
    for name, column in (("bytesRead", "received_bytes"), ("bytesWritten", "sent_bytes")):
        if (count := result.count(name)) is not None:
            record.columns[column] = count
    if seconds:
        record.columns["duration_s"] = seconds
        _bombardier.add_rates(record, answered / seconds, classes)
    if answered:
        _add_latencies(record, result.part("latency"))
    elif record.columns["errors"]:
        _bombardier.note_no_answer(record)
    _add_rate(record, result.part("rps"))
    return record


def _add_set_up(record: RunRecord, spec: Fields) -> None:
    columns: dict[str, Any] = {
        "url": spec.words("url"),
        "method": spec.words("method"),
        "connections": spec.count("numberOfConnections"),
        "offered_rate_rps": spec.number("rate"),
        "timeout_s": spec.number("timeoutSeconds") or None,
    }
    record.columns |= {name: known for name, known in columns.items() if known is not None}


def _add_latencies(record: RunRecord, latency: Fields) -> None:
    for name, column in (("mean", "latency_mean_s"), ("max", "latency_max_s")):
        if (seconds := latency.scaled(name, "1e-6")) is not None:
            record.columns[column] = seconds
    if (deviation := latency.scaled("stddev", "1e-6")) is not None:
        printed = latency.text("stddev") or ""
        record.figure("Latency", "stdev", deviation, unit="s", printed=printed)
    percentiles = latency.part("percentiles")
    for name in percentiles.names():
        seconds = percentiles.scaled(name, "1e-6")
        if seconds is not None and re.fullmatch(r"\s?[0-9]{1,2}", name):
            record.quantile(int(name) / 100, seconds)


def _add_rate(record: RunRecord, rate: Fields) -> None:
    for name, statistic in (("mean", "mean"), ("stddev", "stdev"), ("max", "max")):
        if (value := rate.number(name)) is not None:
            printed = rate.text(name) or ""
            record.figure("Reqs/sec", statistic, value, unit="1/s", printed=printed)
    percentiles = rate.part("percentiles")
    for name in percentiles.names():
        if (value := percentiles.number(name)) is not None and name.strip().isdecimal():
            printed = percentiles.text(name) or ""
            record.figure("Reqs/sec", f"p{name.strip()}", value, unit="1/s", printed=printed)


PARSERS: Final = (
    JsonParser(
        name="bombardier-json",
        tool=_bombardier.TOOL,
        reads="the result of `-o json`, alone or below the line that names the target",
        versions="1.2 to 2.0",
        fills=("requests", "errors", "non2xx"),
        may_fill=(
            *("url", "method", "connections", "offered_rate_rps", "timeout_s", "duration_s"),
            *("received_bytes", "sent_bytes", "timeouts", "throughput_rps", "goodput_rps"),
            *("success_ratio", *_bombardier.LATENCIES),
        ),
        when={k: v for k, v in _bombardier.WHEN.items() if k != "errors"},
        detail=20,
        constants=_bombardier.CONSTANTS,
        rank=_bombardier.rank,
        markers=("spec",),
        matches=matches,
        parse=parse,
        begins=r'\{\s*+"spec":\s*+\{\s*+"numberOfConnections":',
        needs=("spec.numberOfConnections", "result.timeTakenSeconds", "result.req2xx"),
        keys=(
            *("numberOfConnections", "testType", "testDurationSeconds", "timeoutSeconds"),
            *("timeTakenSeconds", "bytesWritten", "req1xx", "req2xx", "req5xx", "others"),
        ),
    ),
)
