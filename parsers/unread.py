"""Load generators whose outputs are known by sight, and not read yet.

Source: outputs of siege 4.0.7, bombardier 2.0.2, k6 1.8,
fortio 1.68, JMeter 2.13 and 5.6, Locust 2.47, Gatling 3.11 and 3.15, Artillery 2.0.34, plow 1.4,
httperf 0.9, rewrk 0.3, tsung 1.8; ghz's `printer.go`; HdrHistogram's log format 1.3.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import Unread

UNREAD: Final = (
    Unread(
        "siege",
        (
            rb'"transactions":\s*+[0-9]++,\s*+"availability":',
            rb"\nTransactions:\s++[0-9]++ hits",
            rb"\n(?:\*\* )?Preparing [0-9]++ concurrent users",
        ),
    ),
    Unread(
        "bombardier",
        (
            rb"\nBombarding http",
            rb"\n[ \t]++HTTP codes:\r?\n\s++1xx - [0-9]",
            rb'\{"spec":\{"numberOfConnections":',
        ),
    ),
    Unread(
        "plow",
        (
            rb"\n[ \t]++RPS\s++[0-9.]++\r?\n\s++Concurrency\s++[0-9]",
            rb'"Elapsed": "[^"\n]*+",\s*+"Count": [0-9]',
        ),
    ),
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
        "fortio",
        (
            rb"\nFortio [0-9.]++ running at",
            rb'"RunType": *+"(?:HTTP|GRPC|TCP|UDP)"',
            rb'\n\{"latency":[0-9.e-]++,"timestamp":[0-9]++,"thread":',
        ),
    ),
    Unread(
        "JMeter",
        (
            rb"\ntimeStamp.elapsed.label",
            rb"\n[0-9]{13},[0-9]++,(?:[^,\n]*+,)+?[^,\n]* [0-9]++-[0-9]++,\w*+,(?:true|false),",
            rb"<testResults version=",
            rb"summary [+=] ++[0-9]++ in ",
            rb'"pct1ResTime"',
            rb"NonGUIDriver",
        ),
    ),
    Unread(
        "Locust",
        (
            rb"\nType,Name,Request Count,Failure Count",
            rb"\nTimestamp,User Count,Type,Name",
            rb"\nMethod,Name,Error,Occurrences",
            rb"locust\.main: ",
            rb"\nType ++Name ++# reqs",
        ),
    ),
    Unread(
        "Gatling",
        (
            rb"\nRUN\t[\w.]++\t\w*+\t(?:\w*+\t)?[0-9]{13}\t",
            rb"\n---- Requests -{20}",
            rb"\n> Global ++\(OK=",
            rb'"meanNumberOfRequestsPerSecond"',
            rb"\A\n\0{4}.[0-9]\.[0-9]++\.[0-9]",
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
    Unread(
        "ghz",
        (
            rb"\nSummary:\r?\n\s++Count:\s++[0-9]++\r?\n\s++Total:",
            rb'"statusCodeDistribution"',
            rb"\nduration \(ms\),status,error",
        ),
    ),
    Unread("httperf", (rb"\nhttperf --", rb"\nTotal: connections [0-9]++ requests")),
    Unread(
        "rewrk", (rb"\nBeginning round [0-9]++\.\.\.", rb"\nBenchmarking [0-9]++ connections @")
    ),
    Unread("tsung", (rb"\n# stats: dump at ", rb"\nstats: (?:users|request|page|connect) ")),
    Unread(
        "HdrHistogram",
        (
            rb"\n#\[Histogram log format",
            rb"\n[ \t]*+Value\s++Percentile\s++TotalCount\s++1/\(1-Percentile\)",
        ),
    ),
)
