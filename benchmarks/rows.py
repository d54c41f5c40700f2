"""How long benchkit takes for rows of text, beside DuckDB and Polars.

    python -m venv others && others/bin/pip install duckdb polars
    python benchmarks/rows.py --others others/bin/python [--rows N] [--runs N]

It writes a table as JMeter's and points as k6's, of which those of one metric count, and has each
program count them and find the 99th percentile: whole processes from start to end, in turn.
`count` is benchkit's reader alone with the same two answers, `all` counts every column
that the reader knows as `benchkit show` does. It checks that all agree, and prints medians,
ratios of neighbouring runs and peak memory as Markdown.
"""

# ruff: noqa: INP001, T201
# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
from vegeta import Program, machine

METRICS = ("blocked", "connecting", "tls_handshaking", "sending", "waiting", "receiving")
HEADER = (
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
    "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"
)
BLOCK = 100_000

READ = """
import os
import sys
from benchkit.parsing import Source
from benchkit.parsers._rows_columns import MS, STATUS, Column, Instant, Number, Text
from benchkit.parsers._rows_csv import Table
from benchkit.parsers._rows_json import Objects
from benchkit.counting.distribution import Distribution
kind, every, path = sys.argv[1:]
class Pieces:
    file = open(path, "rb")
    size = os.path.getsize(path)
    def read(self, start, count):
        self.file.seek(start)
        return self.file.read(count)
if kind == "table":
    columns = [Column("latency_ns", "elapsed", Number(MS))]
    if every == "all":
        columns += [
            Column("started_ns", "timeStamp", Number(MS)),
            Column("status", "responseCode", STATUS),
            Column("url", "label", Text()),
            Column("received_bytes", "bytes"),
            Column("sent_bytes", "sentBytes"),
            Column("first_byte_ns", "Latency", Number(MS)),
            Column("connect_ns", "Connect", Number(MS)),
        ]
    rows = Table(columns=columns)
else:
    columns = [Column("latency_ns", ("data", "value"), Number(MS, whole=False))]
    if every == "all":
        columns += [
            Column("started_ns", ("data", "time"), Instant()),
            Column("status", ("data", "tags", "status"), STATUS),
            Column("method", ("data", "tags", "method"), Text()),
            Column("url", ("data", "tags", "name"), Text()),
        ]
    rows = Objects(columns=columns, only={"metric": "http_req_duration", "type": "Point"})
batches = rows.batches(Source(path, Pieces()))
if every == "all":
    from benchkit.counting.summaries import Summaries
    summaries = Summaries(compiled=True)
    for batch in batches:
        summaries.add(batch)
    [summary] = summaries.by_name().values()
    latencies = summary.distribution
else:
    latencies = Distribution()
    for batch in batches:
        latencies += Distribution.from_latencies(batch.latency_ns)
print(latencies.count, latencies.quantiles_s([0.99])[0] * 1e3)
"""
DUCKDB = """
import sys
import duckdb
kind, path = sys.argv[1:]
if kind == "table":
    query = "SELECT count(*), quantile_disc(elapsed, 0.99) FROM read_csv(?)"
else:
    query = '''SELECT count(*), quantile_disc(data.value, 0.99)
    FROM read_json(?, format='newline_delimited',
        columns={metric: 'VARCHAR', type: 'VARCHAR', data: 'STRUCT(value DOUBLE)'})
    WHERE metric = 'http_req_duration' AND type = 'Point' '''
duckdb.execute("SET enable_progress_bar = false")
print(*duckdb.execute(query, [path]).fetchone())
"""
POLARS = """
import sys
import polars
kind, path = sys.argv[1:]
if kind == "table":
    frame, value = polars.scan_csv(path), polars.col("elapsed")
else:
    schema = {"metric": polars.String, "type": polars.String}
    schema["data"] = polars.Struct({"value": polars.Float64})
    frame = polars.scan_ndjson(path, schema=schema)
    chosen = (polars.col("metric") == "http_req_duration") & (polars.col("type") == "Point")
    frame, value = frame.filter(chosen), polars.col("data").struct.field("value")
asked = [polars.len(), value.quantile(0.99, "higher").alias("p99")]
print(*frame.select(asked).collect(engine="streaming").row(0))
"""


def write_table(path: Path, rows: int) -> None:
    """Write a table with a request per row."""
    rng = np.random.default_rng(1)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER + "\n")
        for first in range(0, rows, BLOCK):
            count = min(BLOCK, rows - first)
            elapsed = (rng.lognormal(3, 0.7, count) + 1).astype(int).tolist()
            out.writelines(
                f"{1_795_313_659_867 + first + at},{ms},GET /{at % 7},200,OK,users 1-{at % 50},"
                f"text,true,,325,118,50,50,http://127.0.0.1:18080/{at % 7},{ms},0,{at % 2}\n"
                for at, ms in enumerate(elapsed)
            )


def write_points(path: Path, rows: int) -> None:
    """Write points of several metrics, so many in all."""
    rng = np.random.default_rng(1)
    tags = (
        '"tags":{"expected_response":"true","group":"","method":"GET",'
        '"name":"http://127.0.0.1:18080/","proto":"HTTP/1.1","scenario":"closed","status":"200",'
        '"url":"http://127.0.0.1:18080/"}}}\n'
    )
    names = ("http_reqs", "http_req_duration", *(f"http_req_{name}" for name in METRICS))
    names = (*names, "http_req_failed")
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for first in range(0, rows, BLOCK):
            values = rng.lognormal(0, 0.7, BLOCK).round(6).tolist()
            out.writelines(
                f'{{"metric":"{names[at % len(names)]}","type":"Point","data":{{"time":'
                f'"2026-11-22T02:{at // 60 % 60:02}:{at % 60:02}.879068571Z","value":{value},{tags}'
                for at, value in enumerate(values[: rows - first], first)
            )


def table(programs: dict[str, Program], base: str) -> str:
    """Return medians, and ratios of neighbouring runs to those of one program, as Markdown."""
    lines = ["| whole process | wall, s | processor, s | peak memory, MB | wall | processor |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    ours = programs[base]
    for name, program in programs.items():
        wall, cpu, peak = map(statistics.median, (program.wall_s, program.cpu_s, program.peak_mb))
        walls, cpus = (
            statistics.median(theirs / mine for theirs, mine in zip(many, own, strict=True))
            for many, own in ((program.wall_s, ours.wall_s), (program.cpu_s, ours.cpu_s))
        )
        ratios = f"{walls:.2f} × | {cpus:.2f} ×"
        lines.append(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {ratios} |")
    return "\n".join(lines)


def check(programs: dict[str, Program]) -> None:
    """Stop where they disagree: our quantiles are bins of 0.8 % at most."""
    answers = {name: program.output.split() for name, program in programs.items()}
    counts = {name: int(answer[0]) for name, answer in answers.items()}
    quantiles = [float(answer[1]) for answer in answers.values()]
    if len(set(counts.values())) > 1 or max(quantiles) > 1.01 * min(quantiles):
        sys.exit(f"they disagree: {answers}")


def main() -> None:
    """Make the inputs, run everything in turn, compare, print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    arguments.add_argument("--rows", type=int, default=2_000_000)
    arguments.add_argument("--runs", type=int, default=5, help="of each, after one that warms up")
    arguments.add_argument("--others", help="a Python that has duckdb and polars")
    given = arguments.parse_args()
    print(machine())
    for kind, write in (("table", write_table), ("points", write_points)):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "input"
            write(path, given.rows)
            programs = {
                f"benchkit, {every}": Program([sys.executable, "-c", READ, kind, every, str(path)])
                for every in ("count", "all")
            }
            for name, code in (("DuckDB", DUCKDB), ("Polars", POLARS)):
                if given.others:
                    programs[name] = Program([given.others, "-c", code, kind, str(path)])
            for turn in range(given.runs + 1):
                for program in programs.values():
                    program.run(counted=turn > 0)
            size = path.stat().st_size
        check(programs)
        print(f"\n{given.rows:,} rows, {kind}, {size / 1e6:,.0f} MB, median of {given.runs} runs\n")
        print(table(programs, "benchkit, count"))


if __name__ == "__main__":
    main()
