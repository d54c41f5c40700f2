"""Load generators whose outputs are known by sight, and not read yet.

Source: outputs of JMeter 2.13 and 5.6, Locust 2.47, Gatling 3.11 and 3.15,
httperf 0.9, tsung 1.8; HdrHistogram's log format 1.3.
"""

from __future__ import annotations

from typing import Final

from benchkit.parsing import Unread

UNREAD: Final = (
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
    Unread("httperf", (rb"\nhttperf --", rb"\nTotal: connections [0-9]++ requests")),
    Unread("tsung", (rb"\n# stats: dump at ", rb"\nstats: (?:users|request|page|connect) ")),
    Unread(
        "HdrHistogram",
        (
            rb"\n#\[Histogram log format",
            rb"\n[ \t]*+Value\s++Percentile\s++TotalCount\s++1/\(1-Percentile\)",
        ),
    ),
)
