"""Artillery's report as JSON, `--output`: its `aggregate`, which is the run.

Beside it stands `intermediate`, a report for every ten seconds. The run lasts from the first
metric to the last: from when the first virtual user came until the last one was done.

Source: Artillery 2.0.34 `lib/cmds/run.ts`, `lib/core/ssms.ts`; 1.7.9 `core/lib/stats2.js` (report).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from benchkit import units
from benchkit.errors import InputError, printable
from benchkit.parsing import JsonParser, RunRecord

from ._artillery import (
    CONSTANTS,
    MAY_FILL,
    TOOL,
    Metrics,
    add_latencies,
    add_requests,
    add_statuses,
    fill,
)

_STATISTIC: Final = re.compile(r"min|max|mean|median|count|p[0-9]{2,3}")
#: Errors of a connection, which are of requests without a response.
_OF_CONNECTION: Final = re.compile(r"E[A-Z_]{3,}")


def matches(value: Mapping[str, Any]) -> bool:
    """Whether an object is a report with an aggregate."""
    aggregate = value.get("aggregate")
    return (
        isinstance(aggregate, Mapping)
        and isinstance(value.get("intermediate"), list)
        and (_is_first(aggregate) or isinstance(aggregate.get("counters"), Mapping))
    )


def _is_first(aggregate: Mapping[str, Any]) -> bool:
    return {"scenariosCreated", "requestsCompleted", "latency"} <= aggregate.keys()


def parse(value: Mapping[str, Any]) -> RunRecord:
    """Return the run of a report.

    Raises:
        InputError: it has no HTTP request, or a figure is no number.
    """
    aggregate: Mapping[str, Any] = value["aggregate"]
    run = RunRecord()
    if _is_first(aggregate):
        _add_first(run, aggregate)
        return run
    metrics = Metrics(
        counts=_numbers(_within(aggregate, "counters"), "counters"),
        rates=_numbers(_within(aggregate, "rates"), "rates"),
        summaries={
            name: _numbers({k: n for k, n in part.items() if _STATISTIC.fullmatch(k)}, name)
            for name, part in _within(aggregate, "summaries").items()
            if isinstance(part, Mapping)
        },
    )
    if not metrics.has_requests:
        raise _no_request(len(metrics.counts))
    fill(run, metrics)
    _add_times(run, aggregate, metrics.responses)
    return run


def _no_request(others: int) -> InputError:
    return InputError(
        "HTTP requests, 'http.requests', in Artillery's report",
        actual=f"{others} other counters",
        hint="the script sent no request over HTTP",
    )


def _add_times(run: RunRecord, aggregate: Mapping[str, Any], responses: float | None) -> None:
    """Add start, duration and rates from the first and the last metric, in ms since 1970."""
    first, last = (
        _number(aggregate[key], key) if aggregate.get(key) is not None else 0.0
        for key in ("firstMetricAt", "lastMetricAt")
    )
    if not 0 < first < last < 7e12:
        return
    run.columns["started_at"] = datetime.fromtimestamp(first / 1e3, UTC)
    run.columns["duration_s"] = seconds = (last - first) / 1e3
    if responses is not None:
        run.columns["throughput_rps"] = responses / seconds
    ratio, requests = run.columns.get("success_ratio"), run.columns.get("requests")
    if ratio is not None and requests:
        run.columns["goodput_rps"] = ratio * requests / seconds


def _add_first(run: RunRecord, aggregate: Mapping[str, Any]) -> None:
    """Add what a report of version 1 has."""
    responses = int(_number(aggregate["requestsCompleted"], "requestsCompleted"))
    statuses = {
        int(code): int(n)
        for code, n in _numbers(_within(aggregate, "codes"), "codes").items()
        if re.fullmatch(r"[1-9][0-9]{2}", code)
    }
    add_statuses(run, statuses)
    run.errors = {
        name: int(n) for name, n in _numbers(_within(aggregate, "errors"), "errors").items() if n
    }
    sent = _within(aggregate, "rps").get("count")
    requests = None if sent is None else int(_number(sent, "rps.count"))
    if not requests and not responses:
        raise _no_request(len(aggregate))
    if requests is None and all(map(_OF_CONNECTION.fullmatch, run.errors)):
        requests = responses + sum(n or 0 for n in run.errors.values())
    if requests is not None:
        add_requests(run, requests, responses)
    created = _number(aggregate["scenariosCreated"], "scenariosCreated")
    if created == requests:
        run.columns["load_model"] = "open"
    add_latencies(run, _numbers(_within(aggregate, "latency"), "latency"))
    run.figure("scenariosCreated", "total", created)
    for name in ("scenariosCompleted", "scenariosAvoided"):
        if aggregate.get(name) is not None:
            run.figure(name, "total", _number(aggregate[name], name))
    for name, count in _numbers(_within(aggregate, "scenarioCounts"), "scenarioCounts").items():
        run.figure(f"scenarioCounts.{name}", "total", count)


def _within(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, Mapping) else {}


def _numbers(part: Mapping[str, Any], what: str) -> dict[str, float]:
    """Return the numbers of an object by key; null is missing."""
    return {name: _number(n, f"{what}.{name}") for name, n in part.items() if n is not None}


def _number(value: object, what: str) -> float:
    text = repr(value)
    try:
        number = None if isinstance(value, (bool, str)) else units.number(text)
    except ValueError:
        number = None
    if number is None or number < 0:
        shown = printable(what).strip("'")
        raise InputError(f"a number as {shown} in Artillery's report", actual=text[:60])
    return number


PARSERS: Final = (
    JsonParser(
        name="artillery-json",
        tool=TOOL,
        reads="the report of `--output`",
        versions="1.3 to 2",
        may_fill=(*MAY_FILL, "started_at", "duration_s", "throughput_rps", "goodput_rps"),
        when={
            "duration_s": "2.0 on",
            "throughput_rps": "2.0 on",
            "load_model": "where each virtual user sends one request",
            "clock": "2.0 on",
        },
        detail=20,
        constants=CONSTANTS,
        rank=None,
        markers=("aggregate",),
        matches=matches,
        parse=parse,
        begins=r'\{\s*+"aggregate":\s*+\{\s*+"(?:period|counters|timestamp)":',
        needs=("aggregate", "intermediate"),
        keys=(
            *("aggregate", "intermediate", "vusers.created", "http.requests", "http.responses"),
            *("http.response_time", "scenariosCreated", "scenariosCompleted", "requestsCompleted"),
            *("firstMetricAt", "lastMetricAt", "firstCounterAt", "vusers.session_length"),
        ),
    ),
)
