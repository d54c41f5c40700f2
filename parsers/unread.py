"""Load generators whose outputs are known by sight, and not read yet.

Source: outputs of k6 1.8, Artillery 2.0.34, httperf 0.9, tsung 1.8.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import Unread

UNREAD: Final = (
    Unread(
        "k6",
        (
            rb'"http_req_duration"\s*+:',
            rb"\n[ \t]*+http_req_duration[.{:\r\n]",
            rb'level=\w++ msg="[^\n"]*threshold',
            rb'\n\{"type":"Metric",',
            rb"\nmetric_name,timestamp,metric_value",
            rb"/\\[ \t]++(?:Grafana|\|[^|\n]*+\|)",
        ),
    ),
    Unread(
        "Artillery",
        (
            rb"\nMetrics for period to: ",
            rb'"http\.response_time"',
            rb"\nPhase started: ",
        ),
    ),
    Unread("httperf", (rb"\nhttperf --", rb"\nTotal: connections [0-9]++ requests")),
    Unread("tsung", (rb"\n# stats: dump at ", rb"\nstats: (?:users|request|page|connect) ")),
)
