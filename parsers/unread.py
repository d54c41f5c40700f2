"""Load generators whose outputs are known by sight, and not read yet.

Source: outputs of h2load 1.52, siege 4.0.7, hey 0.1.5, oha 1.16, bombardier 2.0.2, k6 1.8,
fortio 1.68, JMeter 2.13 and 5.6, Locust 2.47, Gatling 3.11 and 3.15, Artillery 2.0.34, plow 1.4,
httperf 0.9, rewrk 0.3, tsung 1.8; ghz's `printer.go`; HdrHistogram's log format 1.3.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import Unread

UNREAD: Final = (
    Unread(
        "h2load",
        rb"^starting benchmark\.\.\.\r?\n(?:.*\n)?spawning thread #"
        rb"|^[ \t]*+finished in [0-9.]+m?s, ",
    ),
    Unread(
        "siege",
        rb'"transactions":\s*[0-9]+,\s*"availability":|^Transactions:\s+[0-9]+ hits'
        rb"|^(?:\*\* )?Preparing [0-9]+ concurrent users",
    ),
    Unread(
        "hey",
        rb"^Summary:\r?\n\s+Total:\s+[0-9.]+ secs\r?\n\s+Slowest:"
        rb"|^response-time,DNS\+dialup,DNS,Request-write",
    ),
    Unread(
        "oha",
        rb"^[ \t]++Success rate:\s+[0-9.]+%?\r?\n\s+Total:"
        rb'|"successRate":[^{}]{0,400}"requestsPerSec":'
        rb"|^request-start,DNS,DNS\+dialup,Response-delay",
    ),
    Unread(
        "bombardier",
        rb"^Bombarding http|^[ \t]++HTTP codes:\r?\n\s+1xx - [0-9]"
        rb'|\{"spec":\{"numberOfConnections":',
    ),
    Unread(
        "plow",
        rb'^[ \t]++RPS\s+[0-9.]+\r?\n\s+Concurrency\s+[0-9]|"Elapsed": "[^"]*",\s*"Count": [0-9]',
    ),
    Unread(
        "k6",
        rb'"http_req_duration"\s*:|^[ \t]*+http_req_duration[.{:\r\n]'
        rb'|level=\w+ msg="[^\n]{0,400}threshold|^\{"type":"Metric",'
        rb"|^metric_name,timestamp,metric_value|/\\\s+(?:Grafana|\|.*\|)",
    ),
    Unread(
        "fortio",
        rb'^Fortio [0-9.]+ running at|"RunType": *"(?:HTTP|GRPC|TCP|UDP)"'
        rb'|^\{"latency":[0-9.e-]+,"timestamp":[0-9]+,"thread":',
    ),
    Unread(
        "JMeter",
        rb"^timeStamp.elapsed.label"
        rb"|^[0-9]{13},[0-9]+,[^\n]*,[^,\n]* [0-9]+-[0-9]+,\w*,(?:true|false),"
        rb'|<testResults version=|^(?:\S+ )*summary [+=] +[0-9]+ in |"pct1ResTime"|NonGUIDriver',
    ),
    Unread(
        "Locust",
        rb"^Type,Name,Request Count,Failure Count|^Timestamp,User Count,Type,Name"
        rb"|^Method,Name,Error,Occurrences|locust\.main: |^Type +Name +# reqs",
    ),
    Unread(
        "Gatling",
        rb"^RUN\t[\w.]+\t\w*\t\w*\t?[0-9]{13}\t|^---- Requests -{20,}|^> Global +\(OK="
        rb'|"meanNumberOfRequestsPerSecond"|\A\0{4}.[0-9]\.[0-9]+\.[0-9]',
    ),
    Unread("Artillery", rb'^Metrics for period to: |"http\.response_time"|^Phase started: '),
    Unread(
        "ghz",
        rb'^Summary:\r?\n\s+Count:\s+[0-9]+\r?\n\s+Total:|"statusCodeDistribution"'
        rb"|^duration \(ms\),status,error",
    ),
    Unread("httperf", rb"^httperf --|^Total: connections [0-9]+ requests"),
    Unread("rewrk", rb"^Beginning round [0-9]+\.\.\.|^Benchmarking [0-9]+ connections @"),
    Unread("tsung", rb"^# stats: dump at |^stats: (?:users|request|page|connect) "),
    Unread(
        "HdrHistogram",
        rb"^#\[Histogram log format|^[ \t]*+Value\s+Percentile\s+TotalCount\s+1/\(1-Percentile\)",
    ),
)
