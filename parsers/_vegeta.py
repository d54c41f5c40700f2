"""What the readers of vegeta's outputs share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._rows_columns import CodedText, Number, RowField

#: What follows from the tool alone: a latency is `time.Since` the send, in
#: nanoseconds, and no sample is added. Source: vegeta 12.13 `lib/attack.go`.
CONSTANTS: Final[Mapping[str, Any]] = {
    "correction": "none",
    "resolution_s": 1e-9,
    "clock": "connect-to-last-byte",
}

#: What the parsers of a row per request declare alike.
ROWS: Final[Mapping[str, Any]] = {
    "tool": "vegeta",
    "fills": (
        *("started_at", "duration_s", "wait_s", "requests", "errors", "non2xx"),
        *("received_bytes", "sent_bytes", "body_bytes", "success_ratio"),
        *("latency_min_s", "latency_mean_s", "latency_p50_s", "latency_p75_s", "latency_p90_s"),
        *("latency_p95_s", "latency_p99_s", "latency_p999_s", "latency_max_s"),
    ),
    "may_fill": ("url", "method", "unrecorded", "latency_std_s", "throughput_rps", "goodput_rps"),
    "when": {"url": "12.8 on", "method": "12.8 on", "unrecorded": "8.0 on"},
    "constants": CONSTANTS,
}
#: What those of a summary do: vegeta estimates quantiles, by a t-digest.
SUMMARY: Final[Mapping[str, Any]] = {"tool": "vegeta", "rank": None, "constants": CONSTANTS}

#: What a line per request has besides its instant, as CSV and as JSON.
COLUMNS: Final = (
    RowField("status", "code"),
    RowField("latency_ns", "latency"),
    RowField("sent_bytes", "bytes_out", Number(), absent=0),
    RowField("received_bytes", "bytes_in", Number(), absent=0),
    RowField("seq", "seq", Number(), absent=0),
    *(
        RowField(name, name, CodedText(), absent=-1)
        for name in ("error", "attack", "method", "url")
    ),
)
