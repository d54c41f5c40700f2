"""What vegeta's text and JSON reports share: columns that follow from the printed ones."""

from __future__ import annotations

from typing import Final

from benchkit.parsing import RunRecord

#: The mean is cut to whole nanoseconds.
STEPS: Final = {"latency_mean_s": 2e-9}
#: The version that first printed a column.
SINCE: Final = {
    "latency_p50_s": "1.1 on",
    "wait_s": "5.0.1 on",
    "throughput_rps": "5.0.1 on",
    "goodput_rps": "12.6 on",
    "latency_min_s": "12.8 on",
    "latency_p90_s": "12.8 on",
}
#: Columns that a report may give, with its latency_max_s and requests.
MAY_FILL: Final = (
    *("requests", "errors", "non2xx", "duration_s", "wait_s", "success_ratio"),
    *("throughput_rps", "goodput_rps", "received_bytes", "sent_bytes", "body_bytes"),
    *("latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s"),
    *("latency_p95_s", "latency_p99_s", "latency_p999_s"),
)

#: Of a share of successes that is printed with two decimals.
_STEP: Final = 0.0001
_UP_TO_500: Final = "the duration is from first to last send, as vegeta up to 5.0.0 prints it"
_MERGED: Final = (
    "the layout is vegeta's, but the durations are 0 beside latencies above 0: another program "
    "put several runs together, and what it left at 0 is missing here"
)
_KEPT: Final = frozenset(
    {"requests", "received_bytes", "sent_bytes", "body_bytes", "latency_min_s", "latency_max_s"}
)


def complete(record: RunRecord, *, has_wait: bool) -> None:
    """Add the columns that follow from those that are printed.

    Args:
        record: With its printed columns and status codes.
        has_wait: Whether the duration reaches to the last response.
    """
    columns = record.columns
    if columns.get("duration_s") == 0 and columns.get("latency_max_s", 0) > 0 and has_wait:
        _drop_zeros(record)
    if columns.get("duration_s") is not None and not has_wait:
        record.notes.append(_UP_TO_500)
    if record.statuses:
        _count(record, has_wait=has_wait)


def _drop_zeros(record: RunRecord) -> None:
    """Leave out what vegeta computes last, and other programs do not compute."""
    for name in [n for n, value in record.columns.items() if value == 0 and n not in _KEPT]:
        del record.columns[name]
    record.quantiles = [(q, latency) for q, latency in record.quantiles if latency]
    record.figures = [figure for figure in record.figures if figure.value]
    record.notes.append(_MERGED)


def _count(record: RunRecord, *, has_wait: bool) -> None:
    columns, statuses = record.columns, record.statuses
    total, lost = sum(statuses.values()), statuses.get(0, 0)
    good = sum(n for code, n in statuses.items() if 200 <= code < 400)
    printed = columns.get("success_ratio")
    differs = total and printed is not None and abs(printed - good / total) > _STEP
    if columns.get("requests", total) != total or ("requests" not in columns and differs):
        record.damaged("the status codes are not as many as the requests: some are missing")
        return
    columns["errors"] = lost
    columns["non2xx"] = total - lost - sum(n for code, n in statuses.items() if 200 <= code < 300)
    if not total:
        return
    if printed is None or differs:
        if printed is not None:
            record.figure("Success", "ratio", printed, unit="ratio")
        columns["success_ratio"] = good / total
    duration = columns.get("duration_s")
    if duration and has_wait:
        columns["throughput_rps"] = (total - lost) / duration
        columns.setdefault("goodput_rps", good / duration)
