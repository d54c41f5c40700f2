"""Files of all kinds that are no output of a load generator, as real folders have them."""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from random import Random

Made = tuple[str, bytes]


def foreign_files(count: int, *, seed: int = 1) -> Iterator[Made]:
    """Yield that many names and contents, each kind in turn, no content twice."""
    random = Random(seed)  # noqa: S311 - nothing secret
    for number in range(count):
        name, content = KINDS[number % len(KINDS)](random)
        folder = random.choice(("", "logs/", "src/deep/er/", "old/2023/", "results/tmp/"))
        yield f"{folder}{number:04}-{name}", content


def _access_log(random: Random) -> Made:
    lines = [
        f'10.0.0.{random.randrange(255)} - - [12/Mar/2024:10:{n:02}:07 +0000] "GET /a?id={n} '
        f'HTTP/1.1" {random.choice((200, 404, 500))} {random.randrange(9999)} "-" '
        f'"ApacheBench/2.3" {random.random():.3f}'
        for n in range(60)
    ]
    return "access.log", "\n".join(lines).encode()


def _app_log(random: Random) -> Made:
    lines = [
        f"2024-03-12T10:00:{n % 60:02}Z INFO Latency {random.random():.2f}ms Requests/sec: "
        f"{random.randrange(999)} in worker {n}"
        for n in range(60)
    ]
    return "app.log", "\n".join(lines).encode()


def _json_log(random: Random) -> Made:
    rows = [
        {"timestamp": f"2024-03-12T10:00:00.{n:03}Z", "code": 200, "latency": random.random(),
         "msg": "done"}
        for n in range(40)
    ]  # fmt: skip
    return "events.jsonl", "\n".join(json.dumps(row) for row in rows).encode()


def _package(random: Random) -> Made:
    content = {
        "name": f"bench-{random.randrange(10**9)}",
        "scripts": {"bench": "autocannon -c 100 -d 10 http://localhost:3000"},
        "devDependencies": {"autocannon": "^7.0.0"},
    }
    return "package.json", json.dumps(content, indent=2).encode()


def _other_summary(random: Random) -> Made:
    content = {
        "metrics": {"http_req_duration": {"avg": random.random(), "p(95)": random.random()}},
        "latency": {"p50": random.random()},
        "requests": random.randrange(9999),
        "errors": [],
    }
    return "summary.json", json.dumps(content).encode()


def _half_json(random: Random) -> Made:
    return "half.json", json.dumps([{"id": n, "x": random.random()} for n in range(9)])[
        :-7
    ].encode()


def _targets(random: Random) -> Made:
    lines = [f"GET http://127.0.0.1:8080/item/{random.randrange(10**6)}" for _ in range(20)]
    return "attack.targets", ("\n".join(lines) + "\nX-Id: 1\n").encode()


def _numbers(random: Random) -> Made:
    columns = random.choice((2, 3, 6, 9, 12))
    rows = [",".join(str(random.randrange(10**6)) for _ in range(columns)) for _ in range(50)]
    return "numbers.csv", "\n".join(rows).encode()


def _headed(random: Random) -> Made:
    head = random.choice(("timestamp,code,latency,bytes", "Percent,Time", "seconds,ctime,wait"))
    rows = [",".join(f"{random.random():.3f}" for _ in head.split(",")) for _ in range(50)]
    return "table.csv", "\n".join([head, *rows]).encode()


def _tabs(random: Random) -> Made:
    rows = [f"{n}\t{random.random():.4f}\t{random.randrange(500)}" for n in range(50)]
    return "plot.tsv", "\n".join(["start\tseconds\tvalue", *rows]).encode()


def _noise(random: Random) -> Made:
    return "blob.bin", random.randbytes(random.randrange(1, 4000))


def _packed_noise(random: Random) -> Made:
    return "blob.gz", gzip.compress(random.randbytes(500), mtime=0)


def _picture(random: Random) -> Made:
    body = zlib.compress(random.randbytes(300))
    return "plot.png", b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(body)) + b"IDAT" + body


def _source_code(random: Random) -> Made:
    text = f"""package main

import vegeta "github.com/tsenart/vegeta/v12/lib"

// Latencies [min, mean, 50, 90, 95, 99, max] are printed by the reporter; see report.go
func main() {{
\trate := vegeta.Rate{{Freq: {random.randrange(10**6)}, Per: time.Second}}
\tfmt.Printf("Requests\\t[total, rate, throughput]\\t%d\\n", metrics.Requests)
}}
"""
    return "main.go", text.encode()


def _script(random: Random) -> Made:
    text = f"""#!/bin/sh
# run {random.randrange(10**9)}
wrk -t2 -c10 -d30s --latency http://127.0.0.1:8080/ | tee wrk.txt
ab -n 1000 -c 10 -e out.csv http://127.0.0.1:8080/ > ab.txt
echo "GET http://127.0.0.1:8080/" | vegeta attack -duration=5s | vegeta report
"""
    return "bench.sh", text.encode()


def _lua(random: Random) -> Made:
    text = f"""done = function(summary, latency, requests)
  io.write("Latency Distribution {random.randrange(10**9)}\\n")
  for _, p in pairs({{ 50, 90, 99 }}) do io.write(p .. "%," .. latency:percentile(p) .. "\\n") end
end
"""
    return "report.lua", text.encode()


def _prose(random: Random) -> Made:
    text = f"""# Notes {random.randrange(10**9)}

We compared ab, wrk, vegeta and autocannon. ApacheBench prints 'Requests per second' and
'Percentage of the requests served within a certain time'; wrk prints 'Requests/sec:' and
'Thread Stats'; vegeta's report begins with Requests [total, rate]; autocannon's table has the
columns Stat, 2.5%, 50%, 97.5%, 99%, Avg, Stdev and Max. The latency was 12 ms on average, with
{random.randrange(9999)} requests in 10s. Running 10s test after test teaches patience.
"""
    return "notes.md", text.encode()


def _page(random: Random) -> Made:
    text = (
        f"<html><body><h1>Report {random.random()}</h1><td>Latency</td><td>12 ms</td></body></html>"
    )
    return "report.html", text.encode()


def _settings(random: Random) -> Made:
    text = f"wrk:\n  threads: 2\n  connections: {random.randrange(10**9)}\nlatency: true\n"
    return "bench.yaml", text.encode()


def _other_tool(random: Random) -> Made:
    text = f"""
Load test done
  took        {random.random():.4f} s
  throughput  {random.randrange(10**6)}.1234 requests/s

Latencies (ms)
  50%  1.2
  99%  10.0

Statuses
  200  200 responses
"""
    return "load.txt", text.encode()


def _metrics(random: Random) -> Made:
    text = f"""# TYPE http_request_duration_seconds summary
http_request_duration_seconds{{quantile="0.5"}} {random.random()}
http_request_duration_seconds{{quantile="0.99"}} {random.random()}
http_requests_total{{code="200"}} {random.randrange(10**6)}
"""
    return "metrics.prom", text.encode()


def _markdown_table(random: Random) -> Made:
    text = f"""| Framework | Avg latency | p99 | Requests/sec |
|---|---|---|---|
| one | {random.random():.2f} ms | 9 ms | {random.randrange(10**5)} |
| two | {random.random():.2f} ms | 7 ms | {random.randrange(10**5)} |
"""
    return "table.md", text.encode()


def _wide_text(random: Random) -> Made:
    return "windows.txt", f"Ergebnis {random.random()}: Latenz 12 ms\r\n".encode("utf-16")


def _half_text(random: Random) -> Made:
    text = f"step 1 of {random.randrange(10**9)} done\nstep 2 of 9 do"
    return "partial.out", text.encode()


def _empty(_: Random) -> Made:
    return "empty.txt", b""


KINDS: tuple[Callable[[Random], Made], ...] = (
    *(_access_log, _app_log, _json_log, _package, _other_summary, _half_json, _targets, _numbers),
    *(_headed, _tabs, _noise, _packed_noise, _picture, _source_code, _script, _lua, _prose, _page),
    *(_settings, _other_tool, _metrics, _markdown_table, _wide_text, _half_text, _empty),
)
