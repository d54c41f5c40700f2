"""k6's summary as JSON: `--summary-export`, what handleSummary is given, and the new summary.

Of thresholds in `--summary-export` true says that one was crossed; in what handleSummary is
given `ok` says that it was not; the new summary has none. Times are milliseconds. In
`--summary-export` nothing tells which own metrics are times: these keep their numbers.

Source: k6 1.8 `internal/js/summary.go` (summarizeMetricsToObject), `summary-wrapper.js`
(oldJSONSummary), `internal/lib/summary/machine_readable.go`; 0.29 `ui/summary.go`
(SummarizeMetricsJSON) has the figures of `--summary-export`, but no rate of a rate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, printable
from benchkit.parsing import JsonParser, RunRecord

from ._k6 import CONSTANTS, DURATION, MAY_FILL, REQUESTS, TOOL, Aggregate, crossed, fill

_BUILT_IN: Final = re.compile(
    r"(?:http_req_(?!failed)|iteration_|group_|grpc_|ws_|browser_web_vital_)\w++"
)
_TREND: Final = re.compile(r"avg|min|med|max|p\([0-9.]++\)")
_BEGINS: Final = (
    r'\{\s*+"(?:root_group":\s*+\{\s*+"(?:name|path|id|groups|checks)"|config":\s*+\{\s*+"duration":'
    r'|metrics":\s*+\{\s*+"(?:http_req|vus|iteration|data_(?:sent|received)|checks|group_duration'
    r"|dropped_iterations))"
)
#: What the new summary calls statistics, and the others.
_NAMES: Final = {"p90": "p(90)", "p95": "p(95)", "matches": "passes", "value": "value"}
_STATISTIC: Final = re.compile(
    r"avg|min|med|max|p90|p95|p\([0-9]{1,3}(?:\.[0-9]{1,9})?\)|count|rate|value|passes|fails|matches"
    r"|total"
)


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object is a summary of a k6 run."""
    return _listed(value) is not None or _by_name(value)


def _by_name(value: Mapping[str, Any]) -> bool:
    metrics = value.get("metrics")
    if not isinstance(metrics, Mapping) or "root_group" not in value:
        return False
    return isinstance(value["root_group"], Mapping) and (
        not metrics
        or isinstance(metrics.get("iterations", metrics.get("data_sent")), Mapping)
        or REQUESTS in metrics
    )


def _listed(value: Mapping[str, Any]) -> list[Any] | None:
    """Return the metrics of the new summary."""
    results = value.get("results")
    metrics = results.get("metrics") if isinstance(results, Mapping) else None
    known = isinstance(metrics, list) and {"config", "metadata"} <= value.keys()
    return metrics if known else None


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of a summary.

    Raises:
        InputError: it has no HTTP request, or a statistic is no number.
    """
    run = RunRecord()
    listed = _listed(value)
    state = value.get("state")
    if listed is not None:
        metrics = dict(_new(listed))
        _add_version(run, value)
    else:
        metrics = dict(_old(value["metrics"]))
        crossed(run, _crossed(value["metrics"]))
        if isinstance(state, Mapping) and "testRunDurationMs" in state:
            text = _number(state["testRunDurationMs"], "testRunDurationMs")
            run.columns["duration_s"] = units.scaled(text, "1e-3")
    if not metrics.keys() & {REQUESTS, DURATION}:
        raise InputError(
            f"HTTP requests, '{REQUESTS}', in the summary of k6",
            actual=f"{len(metrics)} other metrics",
            hint="the script sent no request",
        )
    fill(run, metrics)
    received = metrics.get("data_received", Aggregate()).values.get("count")
    sent = metrics.get("data_sent", Aggregate()).values.get("count")
    run.columns |= {
        name: int(count)
        for name, count in (("received_bytes", received), ("sent_bytes", sent))
        if count is not None
    }
    most = metrics.get("vus_max", Aggregate()).values.get("max")
    if most:
        run.columns["threads"] = int(most)
    return run


def _add_version(run: RunRecord, value: Mapping[str, Any]) -> None:
    """Add the version and duration that the new summary has."""
    version, seconds = value["metadata"], value["config"]
    if isinstance(version, Mapping) and isinstance(version.get("k6_version"), str):
        run.columns["tool_version"] = version["k6_version"]
    if isinstance(seconds, Mapping) and "duration" in seconds:
        run.columns["duration_s"] = units.number(_number(seconds["duration"], "duration"))


def _old(metrics: Mapping[str, Any]) -> Iterator[tuple[str, Aggregate]]:
    """Yield the metrics by name: statistics within them, or within their `values`."""
    for name, metric in metrics.items():
        if isinstance(metric, Mapping):
            values = metric.get("values")
            plain = values if isinstance(values, Mapping) else metric
            yield name, _metric(name, plain, metric.get("contains"))


def _new(metrics: list[Any]) -> Iterator[tuple[str, Aggregate]]:
    for metric in metrics:
        if isinstance(metric, Mapping) and isinstance(metric.get("name"), str):
            values = metric.get("values")
            if isinstance(values, Mapping):
                yield metric["name"], _metric(metric["name"], values, metric.get("contains"))


def _metric(name: str, values: Mapping[str, Any], contains: object) -> Aggregate:
    is_trend = any(_TREND.fullmatch(key) for key in values) and "value" not in values
    is_stated = contains in {"time", "data", "default"}
    is_time = contains == "time" or (not is_stated and _BUILT_IN.match(name) is not None)
    is_data = contains == "data" or (not is_stated and name in {"data_sent", "data_received"})
    metric = Aggregate(unit="s" if is_trend and is_time else "B" if is_data else "")
    for key, value in values.items():
        if not _STATISTIC.fullmatch(key) or value is None:
            continue
        text = _number(value, f"{key} of {name}")
        statistic = _NAMES.get(key, key)
        in_ms = metric.unit == "s" and key != "count"
        metric.values[statistic] = units.scaled(text, "1e-3") if in_ms else units.number(text)
        metric.printed[statistic] = text
    _name_rate(metric)
    return metric


def _name_rate(metric: Aggregate) -> None:
    """Give the share of a rate one name, and its counts those of the old summaries."""
    values, printed = metric.values, metric.printed
    if "passes" not in values:
        return
    for name in ("rate", "value"):
        if name in values:
            values["ratio"], printed["ratio"] = values.pop(name), printed.pop(name)
    if "total" in values:
        values["fails"] = values.pop("total") - values["passes"]
        printed.pop("total")


def _number(value: object, what: str) -> str:
    text = repr(value)
    try:
        number = None if isinstance(value, (bool, str)) else units.number(text)
    except ValueError:
        number = None
    if number is None or number < 0:
        raise InputError(
            f"a number as {printable(what).strip(chr(39))} in the summary of k6", actual=text[:60]
        )
    return text


def _crossed(metrics: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the thresholds that were crossed: true by themselves, or not ok."""
    for name, metric in metrics.items():
        thresholds = metric.get("thresholds") if isinstance(metric, Mapping) else None
        if isinstance(thresholds, Mapping):
            for expression, state in thresholds.items():
                if state is True or (isinstance(state, Mapping) and state.get("ok") is False):
                    yield name, expression


PARSERS: Final = (
    JsonParser(
        name="k6-json",
        tool=TOOL,
        reads="the summary of `--summary-export`, or what handleSummary is given",
        versions="0.26 to 2",
        may_fill=(*MAY_FILL, "received_bytes", "sent_bytes", "tool_version"),
        when={
            "errors": "where no request failed: else k6 does not tell what failed by its status",
            "success_ratio": "0.31 on; as the script defines a failure",
            "tool_version": "in the new summary",
        },
        detail=20,
        constants={**CONSTANTS, "resolution_s": 1e-9},
        rank=None,
        markers=("metrics", "results"),
        matches=matches,
        parse=parse,
        begins=_BEGINS,
        needs=("metrics.http_reqs", "root_group"),
        keys=(
            *("root_group", "http_reqs", DURATION, "http_req_failed", "http_req_waiting"),
            *("iterations", "iteration_duration", "vus_max", "data_received", "data_sent"),
            *("testRunDurationMs", "k6_version", "summaryTrendStats", "checks", "groups", "vus"),
            *("http_req_blocked", "http_req_connecting", "http_req_tls_handshaking"),
            *("http_req_sending", "http_req_receiving", "dropped_iterations"),
        ),
    ),
)
