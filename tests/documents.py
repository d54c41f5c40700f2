"""The printed numbers of five published benchmarks, and blocks to print them in.

A block is a template. `<requests>` stands for a printed number and says where it must be found:
`<requests>` in a column of `runs`, `<0.99>` among the quantiles, `<Connect/max>` among the
figures; `<Connect/max ms>` is printed without its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from benchkit.schema import RUNS
from tests.corpus_run import Run

VEGETA = """\
Requests      [total, rate, throughput]         <requests>, <Requests/rate>, <goodput_rps>
Duration      [total, attack, wait]             <duration_s>, <Duration/attack>, <wait_s>
Latencies     [min, mean, 50, 90, 95, 99, max]  \
<latency_min_s>, <latency_mean_s>, <0.5>, <0.9>, <0.95>, <0.99>, <latency_max_s>
Bytes In      [total, mean]                     <received_bytes>, <Bytes In/mean>
Bytes Out     [total, mean]                     <sent_bytes>, <Bytes Out/mean>
Success       [ratio]                           <success_ratio>
"""
WRK = """\
Running 30s test @ {url}
  <threads> threads and <connections> connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency  <latency_mean_s>  <latency_std_s>  <latency_max_s>  <Latency/within_stdev>
    Req/Sec  <Req/Sec/mean>  <Req/Sec/stdev>  <Req/Sec/max>  <Req/Sec/within_stdev>
  <requests> requests in <duration_s>, <received_bytes> read
Requests/sec: <throughput_rps>
Transfer/sec: <Transfer/sec/rate>
"""
AUTOCANNON = """\
| Max | Stat | 2.5% | 50% | 97.5% | 99% | Stdev | Avg |
|----:|------|-----:|----:|------:|----:|------:|----:|
| <latency_max_s> | Latency | <0.025> | <0.5> | <0.975> | <0.99> | <latency_std_s> \
| <latency_mean_s> |

| Stat | Min | Avg | Stdev | 1% | 2.5% | 50% | 97.5% |
|:-----|----:|----:|------:|---:|-----:|----:|------:|
| Bytes/Sec | <Bytes/Sec/min> | <Bytes/Sec/mean> | <Bytes/Sec/stdev> | <Bytes/Sec/p1> \
| <Bytes/Sec/p2.5> | <Bytes/Sec/p50> | <Bytes/Sec/p97.5> |
| Req/Sec | <Req/Sec/min> | <Req/Sec/mean> | <Req/Sec/stdev> | <Req/Sec/p1> \
| <Req/Sec/p2.5> | <Req/Sec/p50> | <Req/Sec/p97.5> |
"""
AB_HEAD = """\
This is ApacheBench, Version <tool_version> <$Revision: <Revision/value> $>

Server Hostname:        localhost
Server Port:            8080

Document Path:          {path}
Document Length:        <Document Length/value> bytes

Concurrency Level:      <connections>
Time taken for tests:   <duration_s> seconds
Complete requests:      <requests>
Failed requests:        <Failed requests/total>
   (Connect: <Failed requests: Connect/total>, Receive: <Failed requests: Receive/total>, \
Length: <Failed requests: Length/total>, Exceptions: <Failed requests: Exceptions/total>)
"""
AB_REST = """\
Total transferred:      <received_bytes> bytes
HTML transferred:       <body_bytes> bytes
Requests per second:    <throughput_rps> [#/sec] (mean)
Time per request:       <Time per request/mean ms> [ms] (mean)
Time per request:       <Time per request, across all concurrent requests/mean ms> [ms] \
(mean, across all concurrent requests)
Transfer rate:          <Transfer rate/rate KB> [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:     <Connect/min ms> <Connect/mean ms> <Connect/stdev ms> <Connect/median ms> \
<Connect/max ms>
Processing:  <Processing/min ms> <Processing/mean ms> <Processing/stdev ms> \
<Processing/median ms> <Processing/max ms>
Waiting:     <Waiting/min ms> <Waiting/mean ms> <Waiting/stdev ms> <Waiting/median ms> \
<Waiting/max ms>
Total:       <latency_min_s ms> <latency_mean_s ms> <latency_std_s ms> <Total/median ms> \
<latency_max_s ms>

Percentage of the requests served within a certain time (ms)
  50%  <0.5 ms>
  66%  <0.66 ms>
  75%  <0.75 ms>
  80%  <0.8 ms>
  90%  <0.9 ms>
  95%  <0.95 ms>
  98%  <0.98 ms>
  99%  <0.99 ms>
 100%  <1.0 ms> (longest request)
"""
AB_NON2XX = "Non-2xx responses:      <non2xx>\n"
#: Rows and columns in another order than ab's, and one column in another unit.
TIMES = """\
| Time in ms | median | max (s) | mean | min | mean +/-sd |
|---|--:|--:|--:|--:|--:|
| Total | <latency_p50_s ms> | <latency_max_s> | <latency_mean_s ms> | <latency_min_s ms> \
| <latency_std_s ms> |
| Waiting | <Waiting/median ms> | <Waiting/max> | <Waiting/mean ms> | <Waiting/min ms> \
| <Waiting/stdev ms> |
| Connect | <Connect/median ms> | <Connect/max> | <Connect/mean ms> | <Connect/min ms> \
| <Connect/stdev ms> |
| Processing | <Processing/median ms> | <Processing/max> | <Processing/mean ms> \
| <Processing/min ms> | <Processing/stdev ms> |
"""

_MARK = re.compile(r"<([^<>$]+)>")
_UNITS = {
    "ns": "1e-9",
    "µs": "1e-6",
    "us": "1e-6",
    "ms": "1e-3",
    "s": "1",
    "m": "60",
    "h": "3600",
    "%": "1e-2",
    "k": "1e3",
    "M": "1e6",
    "B": "1",
    "kB": "1e3",
    "KB": "1024",
    "MB": "1048576",
}


@dataclass(frozen=True)
class Block:
    """One run as it is printed; `where` has what is printed for each place."""

    text: str
    where: Mapping[str, str]


def block(template: str, numbers: str, **words: str) -> Block:
    """Return a template with numbers, separated by commas, at its marks."""
    printed = [number.strip() for number in numbers.split(",")]
    marks = [mark.group(1) for mark in _MARK.finditer(template)]
    assert len(marks) == len(printed)
    rest = iter(printed)
    text = _MARK.sub(lambda _: next(rest), template)
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return Block(text, dict(zip(marks, printed, strict=True)))


def exact(printed: str, unit: str = "") -> float:
    """Return the float nearest to a printed number, in base units."""
    parts = re.findall(r"([\d.]+)\s*([^\d.\s]*)", printed)
    return float(sum(Decimal(n) * Decimal(_UNITS.get(u or unit, "1")) for n, u in parts))


def missing(run: Run, where: Mapping[str, str]) -> Iterator[str]:
    """Yield the printed numbers that are not, exactly, where they belong."""
    for mark, printed in where.items():
        anchor, unit = re.fullmatch(r"(.+?)(?: (ms|KB))?", mark).groups()  # type: ignore[union-attr]
        matches = at(run, anchor)
        wanted: object = printed if anchor == "tool_version" else exact(printed, unit or "")
        if anchor in RUNS.names and RUNS[anchor].kind == "int":
            wanted = round(exact(printed))
        if matches != wanted:
            yield f"{mark}: printed {printed}, found {matches!r}"


def at(run: Run, anchor: str) -> object:
    """Return what the tables have at a place of a block."""
    if anchor in run.columns:
        return run.columns[anchor]
    if re.fullmatch(r"[01]\.\d+", anchor):
        return next(iter(run.quantile(Decimal(anchor))), None)
    metric, _, statistic = anchor.rpartition("/")
    return next(iter(run.figures(re.escape(metric), statistic)), None)


FAILED = "500 Internal Server Error"
TIMED_OUT = [
    f'Get "http://127.0.0.1:8080/{path}": context deadline exceeded{more}'
    for path, more in [
        ("panic", " (Client.Timeout exceeded while awaiting headers)"),
        ("ok", " (Client.Timeout exceeded while awaiting headers)"),
        ("ok", ""),
        ("panic", ""),
    ]
]
HALF = {200: 2500, 500: 2500}
ATTACKS = [
    (
        (
            "5000, 50.01, 0.05, 2m10s, 1m40s, 30.001s, 6.997ms, 29.967s, 30.001s, 30.001s, 30.004s,"
            "30.024s, 30.147s, 72, 0.01, 0, 0.00, 0.12%"
        ),
        {0: 4992, 200: 6, 500: 2},
        [FAILED, *TIMED_OUT],
    ),
    (
        (
            "5000, 50.01, 25.00, 1m40s, 1m40s, 1.993ms, 1.993ms, 1.069ms, 1.016ms, 1.999ms,"
            "2.992ms, 2.996ms, 10.993ms, 30000, 6.00, 0, 0.00, 50.00%"
        ),
        HALF,
        [FAILED],
    ),
    (
        (
            "5000, 50.01, 25.01, 1m40s, 1m40s, 0s, 0s, 13.444µs, 0s, 0s, 0s, 5.446µs, 11.993ms,"
            "122500, 24.50, 0, 0.00, 50.00%"
        ),
        HALF,
        [FAILED],
    ),
    (
        (
            "5000, 50.01, 25.00, 1m40s, 1m40s, 10.985ms, 992µs, 5.103ms, 3.516ms, 10.987ms,"
            "10.994ms, 12.128ms, 42.974ms, 30000, 6.00, 0, 0.00, 50.00%"
        ),
        HALF,
        [FAILED],
    ),
    (
        (
            "5000, 50.01, 25.00, 1m40s, 1m40s, 1.995ms, 1.995ms, 1.092ms, 1.158ms, 2ms, 2.993ms,"
            "2.998ms, 16.991ms, 30000, 6.00, 0, 0.00, 50.00%"
        ),
        HALF,
        [FAILED],
    ),
    (
        (
            "5000, 50.01, 25.00, 1m40s, 1m40s, 0s, 0s, 14.038µs, 0s, 0s, 0s, 97.465µs, 17.99ms,"
            "122500, 24.50, 0, 0.00, 50.00%"
        ),
        HALF,
        [FAILED],
    ),
]


def attack(numbers: str, statuses: Mapping[int, int], errors: Sequence[str]) -> Block:
    """Return vegeta's report of one attack."""
    codes = "  ".join(f"{code}:{count}" for code, count in statuses.items())
    printed = block(VEGETA, numbers)
    end = "\n".join([f"Status Codes  [code:count]                      {codes}", "Error Set:"])
    return Block(printed.text + end + "\n" + "\n".join(errors) + "\n", printed.where)


AB_RUNS = [
    (
        AB_HEAD + AB_NON2XX + AB_REST,
        (
            "2.3, 1879490, 146, 1000, 15.742, 50000, 6424, 0, 0, 6424, 0, 1591, 12924697, 7062881,"
            "3176.16, 314.846, 0.315, 801.77, 0, 0, 1.4, 0, 15, 0, 205, 1145.2, 55, 15719,"
            "0, 205, 1145.1, 55, 15719, 0, 206, 1145.4, 55, 15728,"
            "55, 84, 93, 100, 122, 1063, 1338, 3497, 15728"
        ),
    ),
    (
        AB_HEAD + AB_REST,
        (
            "2.3, 1879490, 146, 1000, 1.530, 50000, 4958, 0, 0, 4958, 0, 13195042, 7295042,"
            "32669.38, 30.610, 0.031, 8419.41, 0, 5, 29.3, 4, 1039, 0, 26, 15.1, 23, 106,"
            "0, 24, 15.0, 22, 106, 0, 30, 33.2, 27, 1093,"
            "27, 35, 39, 42, 50, 57, 66, 74, 1093"
        ),
    ),
]
TIMES_OF = {
    "workers kept": "250, 7.330, 328, 110, 360.0, 192, 0.981, 199, 101, 47.5, 36, 7.088, 114, 0,"
    "355.6, 207, 1.005, 214, 101, 52.1",
    "workers anew": "182, 7.301, 379, 102, 673.9, 153, 3.333, 165, 99, 74.6, 17, 7.071, 207, 0,"
    "664.8, 160, 3.337, 172, 101, 76.2",
}


WRK_RUNS = {
    "relay one, port 8082": "10, 200, 6.61ms, 4.71ms, 49.59ms, 69.36%, 3.24k, 278.42, 9.02k,"
    "75.89%, 969489, 30.10s, 175.67MB, 32213.38, 5.84MB",
    "relay two, port 8081": "10, 200, 12.56ms, 13.35ms, 195.11ms, 86.33%, 2.09k, 215.10, 4.28k,"
    "71.81%, 625781, 30.09s, 123.05MB, 20800.13, 4.09MB",
    "relay three, port 4140": "10, 200, 7.62ms, 5.45ms, 53.51ms, 69.82%, 2.82k, 184.58, 4.11k,"
    "72.17%, 843418, 30.07s, 186.61MB, 28050.76, 6.21MB",
    "straight, port 8000": "10, 200, 2.09ms, 2.07ms, 28.37ms, 85.89%, 11.77k, 2.07k, 45.46k,"
    "70.97%, 3516807, 30.10s, 637.24MB, 116841.15, 21.17MB",
}


AUTOCANNON_RUNS = {
    "silent": "188 ms, 6 ms, 13 ms, 29 ms, 35 ms, 9.12 ms, 14.49 ms, 44 kB, 50 kB, 3.3 kB, 44 kB,"
    "44 kB, 49.7 kB, 54.2 kB, 586, 666.6, 44.01, 586, 586, 662, 723",
    "five short lines": "107 ms, 8 ms, 24 ms, 47 ms, 59 ms, 11.13 ms, 25.01 ms, 25.1 kB, 29.4 kB,"
    "2.31 kB, 25.1 kB, 25.1 kB, 29.4 kB, 32.6 kB, 334, 391.7, 30.84, 334, 334, 392, 435",
    "five long lines": "142 ms, 10 ms, 30 ms, 59 ms, 70 ms, 13.62 ms, 31.54 ms, 18.8 kB, 23.4 kB,"
    "2.28 kB, 18.8 kB, 18.8 kB, 22.8 kB, 26.3 kB, 251, 311.61, 30.41, 251, 251, 304, 351",
    "twenty tiny lines": "182 ms, 20 ms, 58 ms, 130 ms, 142 ms, 26.08 ms, 62.09 ms, 8.32 kB,"
    "11.9 kB, 2.13 kB, 8.33 kB, 8.33 kB, 12.5 kB, 15.2 kB, 111, 159.31, 28.4, 111, 111, 166, 202",
}
