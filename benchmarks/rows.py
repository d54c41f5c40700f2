"""How long benchkit takes for rows of text, beside DuckDB and Polars.

    python -m venv others && others/bin/pip install duckdb polars
    python benchmarks/rows.py --others others/bin/python [--rows N] [--runs N] [--only FORMAT …]

It writes a table as JMeter's, points as k6's in both forms, of which those of one metric count,
and a log as h2load's, and has each program make the same of them: whole processes from start to
end, in turn. That is what a run's tables hold: count, extremes, mean, deviation, quantiles, bytes;
counts by status and by error; by second the requests sent and ended, lost and failed, their bytes
and quantiles; and counts by slice of time, endpoint, outcome and latency (`rows_duckdb.py`,
`rows_polars.py`). The script checks that all agree, and prints medians, ratios of neighbouring
runs and peak memory as Markdown.
"""

# ruff: noqa: INP001, T201
# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import json
import os
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
import gc, json, os, sys
gc.set_threshold(100_000)  # this, no idle threads, and to leave at once, is what the command does
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from benchkit import registry
from benchkit.runtime.interpreter import quick_turns, rare_collections
from benchkit.ingest.perrequest import read_rows
from benchkit.ingest.sources import open_source
name, path = sys.argv[1:]
with quick_turns(), rare_collections():
    rows = read_rows(registry.parser(name), open_source(path, name=path))
    [(record, summary)] = rows.runs
    seconds, cells = summary.timeline(), summary.cells()
columns = record.columns
print(json.dumps({
    "requests": columns["requests"],
    "mean_us": columns["latency_mean_s"] * 1e6,
    "max_us": columns["latency_max_s"] * 1e6,
    "p50_us": columns["latency_p50_s"] * 1e6,
    "p99_us": columns["latency_p99_s"] * 1e6,
    "received_bytes": columns.get("received_bytes"),
    "statuses": {str(status): count for status, count in record.statuses.items()},
    "errors": sum(record.errors.values()),
    "seconds": sum(second["requests"] > 0 for second in seconds),
    "ended": sum(s["requests"] for s in seconds) - seconds[-1]["in_flight"],
    "largest_p99_us": max(second.get("latency_p99_s", 0) for second in seconds) * 1e6,
    "in_cells": int(cells.counts.sum()),
    "endpoints": len(set(cells.endpoints.tolist())),
}), flush=True)
os._exit(0)
"""
HERE = Path(__file__).resolve().parent
OTHERS = {"DuckDB": HERE / "rows_duckdb.py", "Polars": HERE / "rows_polars.py"}
#: A 99th percentile of a second is taken from one rank or the next, and from bins.
TOLERANCES = {"mean_us": 1e-6, "max_us": 1e-6, "p50_us": 0.001, "p99_us": 0.001}
TOLERANCE = 0.05


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
                f'"2026-11-22T02:{at // 300_000:02}:{at // 5000 % 60:02}.{at % 5000 * 200:06}571Z",'
                f'"value":{value},{tags}'
                for at, value in enumerate(values[: rows - first], first)
            )


def write_point_rows(path: Path, rows: int) -> None:
    """Write the same points as rows of CSV."""
    rng = np.random.default_rng(1)
    header = (
        "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,"
        "name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata\n"
    )
    tags = (
        ",,,,true,,GET,http://127.0.0.1:18080/,HTTP/1.1,closed,,200,,,http://127.0.0.1:18080/,,\n"
    )
    names = ("http_reqs", "http_req_duration", *(f"http_req_{name}" for name in METRICS))
    names = (*names, "http_req_failed")
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(header)
        for first in range(0, rows, BLOCK):
            values = rng.lognormal(0, 0.7, BLOCK).round(6).tolist()
            out.writelines(
                f"{names[at % len(names)]},{1_795_313_659 + at // 5000},{value:.6f}{tags}"
                for at, value in enumerate(values[: rows - first], first)
            )


def write_log(path: Path, rows: int) -> None:
    """Write a log of h2load's."""
    rng = np.random.default_rng(1)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for first in range(0, rows, BLOCK):
            count = min(BLOCK, rows - first)
            took = (rng.lognormal(7, 0.7, count) + 1).astype(int).tolist()
            out.writelines(
                f"{1_795_313_659_867_000 + 137 * (first + at)}\t{200 if at % 500 else 503}\t{us}\n"
                for at, us in enumerate(took)
            )


INPUTS = {
    "jmeter-csv": write_table,
    "k6-points": write_points,
    "k6-csv": write_point_rows,
    "h2load-log": write_log,
}


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
    """Stop where they disagree."""
    answers = {name: json.loads(program.output) for name, program in programs.items()}
    for name, answer in answers.items():
        for what, value in answers[next(iter(answers))].items():
            exact = not what.endswith("_us")
            tolerance = TOLERANCES.get(what, TOLERANCE)
            if answer[what] != value if exact else abs(answer[what] / value - 1) > tolerance:
                sys.exit(f"{what} of {name} is {answer[what]}, and not {value}")


def main() -> None:
    """Make the inputs, run everything in turn, compare, print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    arguments.add_argument("--rows", type=int, default=2_000_000)
    arguments.add_argument("--runs", type=int, default=5, help="of each, after one that warms up")
    arguments.add_argument("--others", help="a Python that has duckdb and polars")
    arguments.add_argument("--only", nargs="*", choices=[*INPUTS], default=[*INPUTS])
    given = arguments.parse_args()
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}")
    for name in given.only:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "input"
            INPUTS[name](path, given.rows)
            programs = {"benchkit": Program([sys.executable, "-c", READ, name, str(path)])}
            for other, script in OTHERS.items() if given.others else ():
                programs[other] = Program([given.others, str(script), name, str(path)])
            for turn in range(given.runs + 1):
                for program in programs.values():
                    program.run(counted=turn > 0)
            size = path.stat().st_size
        check(programs)
        print(f"\n{given.rows:,} rows, {name}, {size / 1e6:,.0f} MB, median of {given.runs} runs\n")
        print(table(programs, "benchkit"))


if __name__ == "__main__":
    main()
