"""What k6's summaries have in common, printed or as JSON: its metrics, and the run they make.

`http_req_duration` is the time of sending, waiting and receiving, without that of resolving and
connecting. A request without a response is counted like the others: its duration is 0 where
there was no connection, and else lasts until it was given up. `http_req_failed` counts, as what
is true, the requests without a response and those of a status outside 200 to 399, unless the
script has another rule (`http.setResponseCallback`). Percentiles are interpolated.

`dropped_iterations` are those for which an executor with an arrival rate had no free virtual
user when they were due: they are not made up for.

Source: k6 1.8 `lib/netext/httpext/tracer.go` (Done), `transport.go` (measureAndEmitMetrics),
`metrics/sink.go`, `js/modules/k6/http/http.go` (defaultExpectedStatuses),
`lib/executor/constant_arrival_rate.go`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit.parsing import RunRecord
from benchkit.schema import QUANTILE_COLUMNS

TOOL: Final = "k6"
CONSTANTS: Final[Mapping[str, Any]] = {"correction": "none", "clock": "send-to-last-byte"}
MAY_FILL: Final = (
    *("duration_s", "threads", "requests", "errors"),
    *("throughput_rps", "goodput_rps", "success_ratio"),
    *("latency_min_s", "latency_mean_s", "latency_max_s", *QUANTILE_COLUMNS.values()),
)
DURATION: Final = "http_req_duration"
REQUESTS: Final = "http_reqs"
FAILED: Final = "http_req_failed"
_LATENCIES: Final = {
    "avg": "latency_mean_s",
    "min": "latency_min_s",
    "max": "latency_max_s",
}
_STATISTICS: Final = {"avg": "mean", "med": "median", "count": "total", "passes": "total"}
_PERCENTILE: Final = re.compile(r"p\(([0-9]{1,3}(?:\.[0-9]{1,9})?)\)")


@dataclass
class Aggregate:
    """The statistics of one metric, by k6's names for them, in base units.

    Attributes:
        unit: Of its values, as figures have it.
        printed: Per statistic the characters in the file.
    """

    values: dict[str, float] = field(default_factory=dict)
    unit: str = ""
    printed: dict[str, str] = field(default_factory=dict)


def fill(record: RunRecord, metrics: Mapping[str, Aggregate], *, rounded: bool = False) -> None:
    """Add to a run what its metrics say; `rounded`: a latency of 0 may be one of some µs."""
    duration = metrics.get(DURATION, Aggregate()).values
    # Only of a request that had no connection nothing took any time.
    unsent = {} if rounded else {name: duration.get(name) == 0 for name in ("min", "max")}
    _add_counts(record, metrics, unsent)
    _add_latencies(record, duration, unsent)
    for name, metric in metrics.items():
        keep(record, name, metric)
    dropped = metrics.get("dropped_iterations", Aggregate()).values.get("count")
    if dropped:
        record.notes.append(
            f"{int(dropped):,} iterations were dropped: no virtual user was free when they "
            "were due, and they were not made up for"
        )


def crossed(record: RunRecord, thresholds: Iterable[tuple[str, str]]) -> None:
    """Note the thresholds (metric, expression) that were crossed, and only these."""
    listed = [f"{metric}: {rule}" if rule else metric for metric, rule in thresholds]
    if listed:
        record.notes.append(f"thresholds crossed: {'; '.join(listed)}")


def _add_counts(
    record: RunRecord, metrics: Mapping[str, Aggregate], unsent: Mapping[str, bool]
) -> None:
    sent = metrics.get(REQUESTS, Aggregate()).values
    count, rate = sent.get("count"), sent.get("rate")
    if count is None:
        return
    record.columns["requests"] = int(count)
    duration = record.columns.get("duration_s")
    if rate:
        record.columns.setdefault("duration_s", count / rate)
    elif rate is None and duration:  # the new summary has none
        rate = count / duration
    failed = _failed(metrics, count)
    if failed is not None and count:
        _add_failures(record, failed, count, unsent)
    ratio, errors = record.columns.get("success_ratio"), record.columns.get("errors")
    if rate is None:
        return
    if ratio is not None:
        record.columns["goodput_rps"] = rate * ratio
    if errors is not None:
        record.columns["throughput_rps"] = rate * (1 - errors / count)
    elif failed == count or (failed and unsent.get("min")):
        return
    elif failed is not None or FAILED not in metrics:  # which it is not before 0.31
        record.columns["throughput_rps"] = rate


def _add_failures(
    record: RunRecord, failed: float, count: float, unsent: Mapping[str, bool]
) -> None:
    """Add the share of successes; the errors where none failed, or none had a connection."""
    record.columns["success_ratio"] = (count - failed) / count
    if not failed or (failed == count and unsent.get("max")):
        record.columns["errors"] = int(failed)
        return
    record.notes.append(
        f"{int(failed):,} requests failed, by their status or without a response: k6 does "
        "not tell which, and counts them in its rate and its latencies"
    )


def _failed(metrics: Mapping[str, Aggregate], count: float) -> float | None:
    """Return how many requests failed, None where that is not known of all."""
    values = metrics.get(FAILED, Aggregate()).values
    if "passes" not in values or values["passes"] + values.get("fails", 0) != count:
        return None
    return values["passes"]


def _add_latencies(
    record: RunRecord, duration: Mapping[str, float], unsent: Mapping[str, bool]
) -> None:
    latencies = {name: value for name, value in duration.items() if name != "count"}
    if not any(latencies.values()) and (unsent or not record.columns.get("success_ratio")):
        if latencies:
            record.notes.append("no request was sent: the zeros in the output stand for no latency")
        return
    for name, value in latencies.items():
        quantile = 0.5 if name == "med" else _quantile(name)
        if quantile is not None:
            record.quantile(quantile, value)
        elif name in _LATENCIES and not unsent.get(name):
            record.columns[_LATENCIES[name]] = value


def _quantile(name: str) -> float | None:
    matched = _PERCENTILE.fullmatch(name)
    share = round(float(matched[1]) / 100, 12) if matched else 0.0
    return share if 0 < share < 1 else None


def keep(record: RunRecord, name: str, metric: Aggregate) -> None:
    """Keep the figures of a metric that have no column."""
    columns = {*_LATENCIES, "med"} if name == DURATION else set()
    for statistic, value in metric.values.items():
        if statistic in columns or (name == DURATION and _quantile(statistic)):
            continue
        unit = metric.unit
        if statistic in {"count", "passes", "fails"}:
            unit = "B" if unit == "B" else ""
        elif statistic == "rate":
            unit = f"{unit or '1'}/s"
        percentile = _PERCENTILE.fullmatch(statistic)
        shown = f"p{percentile[1]}" if percentile else _STATISTICS.get(statistic, statistic)
        record.figure(name, shown, value, unit=unit, printed=metric.printed.get(statistic, ""))
