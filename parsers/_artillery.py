"""What Artillery's reports have in common: its metrics by name, and the run they make.

`http.response_time` is the time from the end of a request's last byte sent to the first byte of
the response, in whole milliseconds; percentiles are those of a sketch, off by up to 1 %. A
request that got no response is among `http.requests`, and by its code among `errors.…`; there are
captures and expectations that failed, too, whose requests were answered. A redirect that is
followed is a request of its own. `http.request_rate` is the mean of periods in which requests were
sent: no requests per second. New virtual users come on schedule; each sends one request after the
other.

Source: Artillery 2.0.34 `lib/core/engine_http.ts`, `lib/core/ssms.ts` (pack,
summarizeHistogram), `lib/core/phases.ts`; got 14 `timings.phases.firstByte`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchkit import units
from benchkit.parsing import RunRecord
from benchkit.schema import QUANTILE_COLUMNS

TOOL: Final = "artillery"
#: Samples are whole milliseconds. Source: got's timer, `Date.now`.
STEP_S: Final = 1e-3
CONSTANTS: Final[Mapping[str, Any]] = {"correction": "none", "resolution_s": STEP_S}
MAY_FILL: Final = (
    *("requests", "errors", "timeouts", "non2xx", "success_ratio", "load_model", "clock"),
    *("latency_min_s", "latency_mean_s", "latency_max_s", *QUANTILE_COLUMNS.values()),
)
LATENCY: Final = "http.response_time"
_STATISTICS: Final = {"min": "latency_min_s", "mean": "latency_mean_s", "max": "latency_max_s"}
_QUANTILES: Final = {
    "median": 0.5,
    "p50": 0.5,
    "p75": 0.75,
    "p90": 0.9,
    "p95": 0.95,
    "p99": 0.99,
    "p999": 0.999,
}
_CODE: Final = re.compile(r"http\.codes\.([1-9][0-9]{2})")
#: A metric whose values are no times, or not known to be.
_TIME: Final = re.compile(
    r"http\.(?:response_time|dns|tcp|tls|total)\b|vusers\.session_length|"
    r"plugins\.metrics-by-endpoint\.response_time\."
)


@dataclass
class Metrics:
    """The metrics of a report: counts and rates by name, and by name the statistics of others."""

    counts: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    summaries: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def has_requests(self) -> bool:
        """Whether there was any HTTP request."""
        return bool(self.counts.get("http.requests") or self.counts.get("http.responses"))

    @property
    def has_answers(self) -> bool:
        """Whether codes or times of responses are there."""
        return LATENCY in self.summaries or any(map(_CODE.fullmatch, self.counts))

    @property
    def responses(self) -> float | None:
        """The number of responses, whose counter is not printed at 0; None where it is lost."""
        known = self.counts.get("http.responses")
        if known is None and "vusers.created" in self.counts and not self.has_answers:
            return 0.0  # that counter comes last
        return known


def fill(record: RunRecord, metrics: Metrics) -> None:
    """Add to a run what its metrics say."""
    record.columns["clock"] = "send-to-first-byte"
    counts = metrics.counts
    requests, responses = counts.get("http.requests"), metrics.responses
    add_statuses(
        record,
        {int(code[1]): int(n) for name, n in counts.items() if (code := _CODE.fullmatch(name))},
    )
    record.errors = {
        name.removeprefix("errors."): int(count)
        for name, count in counts.items()
        if name.startswith("errors.") and count
    }
    if requests is not None and responses is not None:
        add_requests(record, int(requests), int(responses))
    elif requests is not None and metrics.has_answers:
        record.columns["requests"] = int(requests)
        record.damaged("'http.responses' is missing, and with it how many requests failed")
    if requests is not None and requests == counts.get("vusers.created"):
        record.columns["load_model"] = "open"
    add_latencies(record, metrics.summaries.get(LATENCY, {}))
    _keep(record, metrics)
    skipped = counts.get("vusers.skipped")
    if skipped:
        record.notes.append(
            f"{int(skipped):,} virtual users were due and not created: there were as many "
            "as the script allows"
        )


def add_statuses(record: RunRecord, statuses: dict[int, int]) -> None:
    """Add the number of responses per status."""
    record.statuses = statuses
    if statuses:
        record.columns["non2xx"] = sum(n for code, n in statuses.items() if not 200 <= code < 300)


def add_requests(record: RunRecord, requests: int, responses: int) -> None:
    """Add the requests, those without a response, and the share of successes."""
    record.columns["requests"] = requests
    if responses > requests:
        return
    record.columns["errors"] = failed = requests - responses
    timeouts = record.errors.get("ETIMEDOUT") or 0
    if sum(count or 0 for count in record.errors.values()) < failed:
        record.damaged("the errors are not as many as the requests without a response")
    elif timeouts <= failed:
        record.columns["timeouts"] = timeouts
    if requests and sum(record.statuses.values()) == responses:
        good = sum(n for code, n in record.statuses.items() if 200 <= code < 400)
        record.columns["success_ratio"] = good / requests


def add_latencies(record: RunRecord, statistics: Mapping[str, float]) -> None:
    """Add latencies in ms by Artillery's names."""
    for name, value in statistics.items():
        if name in _STATISTICS:
            record.columns[_STATISTICS[name]] = _seconds(value)
        elif name in _QUANTILES and not (name == "p50" and "median" in statistics):
            record.quantile(_QUANTILES[name], _seconds(value))


def _seconds(milliseconds: float) -> float:
    return units.scaled(repr(milliseconds), "1e-3")


def _keep(record: RunRecord, metrics: Metrics) -> None:
    """Keep what has no column."""
    for name, count in metrics.counts.items():
        if not _CODE.fullmatch(name) and not name.startswith("errors."):
            record.figure(name, "total", count, unit="B" if name.endswith("_bytes") else "")
    for name, rate in metrics.rates.items():
        record.figure(name, "mean", rate, unit="1/s")
    for name, statistics in metrics.summaries.items():
        if name == LATENCY:
            continue
        is_time = _TIME.match(name) is not None
        for statistic, value in statistics.items():
            if statistic == "count":
                record.figure(name, "total", value)
            elif statistic != "p50" or "median" not in statistics:
                shown = _seconds(value) if is_time else value
                record.figure(name, statistic, shown, unit="s" if is_time else "")
