"""fortio's JSON: `-json`, `-a`, and what its server keeps.

Times in histograms are seconds, others nanoseconds. `RequestedQPS` is a string, `max` where no
rate was asked for. `RetCodes` has HTTP codes, -1 for no response; of gRPC, TCP and UDP it has
words. An object with `error` is no result: its histogram is made up.

Source: fortio/fortio 1.68.0 `periodic/periodic.go` (RunnerResults), `stats/stats.go`
(HistogramData), `fhttp/httprunner.go` (HTTPRunnerResults, NewErrorResult), `fhttp/http_client.go`
(HTTPOptions), `fgrpc/grpcrunner.go`, `jrpc/jrpcClient.go` (ServerReply).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError
from benchkit.parsing import JsonParser, RunRecord

from . import _fortio
from ._fields import Fields
from ._instant import instant

_RESULT: Final = "a fortio result"


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object has the keys that every type of run prints."""
    return {"RunType", "DurationHistogram", "ActualDuration", "NumThreads"} <= value.keys()


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of one result.

    Raises:
        InputError: it is the result of a run that failed, or a figure has another type than
            fortio gives it.
    """
    fields = Fields(value, _RESULT)
    if fields.holds("error"):
        raise InputError(
            "a fortio result",
            actual=f"the error {fields.words('message') or 'of a run that did not start'!r}",
            hint="the run failed: its figures are made up",
        )
    record = RunRecord()
    _add_set_up(record, fields)
    _add_counts(record, fields)
    if not _fortio.without_answer(record):
        _add_latencies(record, fields.part("DurationHistogram"))
    _add_figures(record, fields)
    if fields.holds("NoCatchUp") and "offered_rate_rps" in record.columns:
        _fortio.note_skipped(record)
    return record


def _add_set_up(record: RunRecord, fields: Fields) -> None:
    threads = fields.count("NumThreads")
    columns: dict[str, Any] = {
        "tool_version": fields.words("Version"),
        "url": fields.words("URL") or fields.words("Destination"),
        "started_at": instant(fields.words("StartTime")),
        "duration_s": fields.scaled("ActualDuration", "1e-9") or None,
        "threads": threads,
        "connections": threads,
        "offered_rate_rps": _rate(fields.words("RequestedQPS")),
        "timeout_s": fields.scaled("HTTPReqTimeOut", "1e-9") or None,
        "resolution_s": fields.number("Resolution") or None,
    }
    streams = fields.count("Streams")
    if streams and threads:
        columns |= {"connections": max(threads // streams, 1), "pipelining": streams}
    if fields.words("RunType") == "HTTP":
        has_body = fields.words("ContentType") or fields.words("Payload")
        columns["method"] = fields.words("MethodOverride") or ("POST" if has_body else "GET")
        if (closes := fields.holds("DisableKeepAlive")) is not None:
            columns["keepalive"] = not closes
    record.columns |= {name: known for name, known in columns.items() if known is not None}


def _rate(text: str | None) -> float | None:
    if text is None or text == "max":
        return None
    try:
        return units.number(text)
    except ValueError:
        raise InputError(f"a number for RequestedQPS of {_RESULT}", actual=text) from None


def _add_counts(record: RunRecord, fields: Fields) -> None:
    codes = fields.part("RetCodes")
    counts = {name: codes.count(name) or 0 for name in codes.names()}
    calls, rate = fields.part("DurationHistogram").count("Count") or 0, fields.number("ActualQPS")
    if all(re.fullmatch(r"-?[0-9]{1,3}", name) for name in counts):
        _fortio.add_codes(record, calls, rate, {int(name): n for name, n in counts.items()})
    else:
        _fortio.add_other_codes(record, calls, rate, counts)


def _add_latencies(record: RunRecord, histogram: Fields) -> None:
    if not histogram.count("Count"):
        return
    names = {"Min": "min", "Avg": "mean", "StdDev": "std", "Max": "max"}
    for name, column in names.items():
        if (seconds := histogram.number(name)) is not None:
            record.columns[f"latency_{column}_s"] = seconds
    for percentile in histogram.parts("Percentiles"):
        percent, seconds = percentile.number("Percentile"), percentile.number("Value")
        if percent is not None and seconds is not None and percent < 100:
            record.quantile(round(percent / 100, 9), seconds)
    for number, bucket in enumerate(histogram.parts("Data"), start=1):
        metric = f"Function Time histogram, {number}"
        for name, statistic, unit in (("End", "max", "s"), ("Count", "total", "")):
            if (value := bucket.number(name)) is not None:
                printed = bucket.text(name) or ""
                record.figure(metric, statistic, value, unit=unit, printed=printed)


def _add_figures(record: RunRecord, fields: Fields) -> None:
    for name, path, unit in (
        ("Sockets used", "SocketCount", ""),
        ("Error cases", "ErrorsDurationHistogram.Count", ""),
        ("Response Body/Total Sizes", "Sizes.Sum", "B"),
    ):
        if (total := fields.count(path)) is not None:
            record.figure(name, "total", total, unit=unit, printed=fields.text(path) or "")
    for name, statistic in (("Avg", "mean"), ("Max", "max")):
        if (seconds := fields.number(f"ConnectionStats.{name}")) is not None:
            printed = fields.text(f"ConnectionStats.{name}") or ""
            record.figure("Connection time", statistic, seconds, unit="s", printed=printed)


PARSERS: Final = (
    JsonParser(
        name="fortio-json",
        tool=_fortio.TOOL,
        reads="the result of -json, of HTTP, gRPC, TCP and UDP",
        versions="1.3 to 1.75",
        fills=("requests",),
        may_fill=(
            *(column for column in _fortio.MAY_FILL if column != "requests"),
            *("started_at", "method", "keepalive", "timeout_s", "resolution_s", "pipelining"),
        ),
        when={
            **_fortio.WHEN,
            "resolution_s": "of the percentiles; of HTTP",
            "pipelining": "of gRPC",
        },
        detail=20,
        constants=_fortio.CONSTANTS,
        rank=None,
        steps=_fortio.STEPS,
        markers=("DurationHistogram",),
        matches=matches,
        parse=parse,
        begins=r'\{\s*+"RunType":',
        needs=("RunType", "DurationHistogram", "ActualDuration", "NumThreads"),
        keys=(
            *("RunType", "RequestedQPS", "ActualQPS", "ActualDuration", "NumThreads"),
            *("DurationHistogram", "ErrorsDurationHistogram", "RetCodes", "NoCatchUp"),
        ),
    ),
)
