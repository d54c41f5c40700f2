"""What many small files cost: time beside a plain script and the import of pandas.

    python benchmarks/reports.py [--runs N] [--reports N]

It writes so many of wrk's reports, and half as many, into a temporary folder, and times whole
processes in turn: `benchkit show` of both and `benchkit report` beside `plain.py`, and reading
and reporting the samples in `examples/results` beside `import pandas`. What it prints are ratios
of the median times within one run of it, as Markdown.
"""

# ruff: noqa: INP001, S603, T201
# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parent / "examples" / "results"
VARIANTS = 16
REPORT = """\
Running 30s test @ http://127.0.0.1:8080/
  2 threads and {connections} connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   {mean:.2f}ms  {deviation:.2f}ms  {slowest:.2f}ms   {near:.2f}%
    Req/Sec    {thread:.2f}k   120.50     {peak:.2f}k    71.33%
  Latency Distribution
     50%    {p50:.2f}ms
     75%    {p75:.2f}ms
     90%    {p90:.2f}ms
     99%    {p99:.2f}ms
  {requests} requests in 30.03s, {size:.2f}MB read
Requests/sec:  {rate:.2f}
Transfer/sec:     {transfer:.2f}MB
"""


def report_text(draw: random.Random, *, slower: float = 1.0, connections: int = 64) -> str:
    """Return what wrk prints of a server that is so many times slower than the first."""
    slower *= draw.lognormvariate(0, 0.02)
    rate, middle = 20_000 / slower, 3.0 * slower * draw.lognormvariate(0, 0.01)
    return REPORT.format(
        connections=connections,
        mean=64e3 / rate,
        deviation=middle * 0.6,
        slowest=middle * 20,
        near=81 + draw.random(),
        thread=rate / 2000,
        peak=rate / 1500,
        p50=middle,
        p75=middle * 1.4,
        p90=middle * 2,
        p99=middle * 4,
        requests=round(rate * 30),
        size=rate * 30 * 150 / 1e6,
        rate=rate,
        transfer=rate * 150 / 1e6,
    )


def write_reports(folder: Path, amount: int) -> Path:
    """Write reports of variants that differ by 2 % each, repeated in turn."""
    draw = random.Random(1)  # noqa: S311 - figures, not secrets
    for number in range(amount):
        variant, repeat = number % VARIANTS, number // VARIANTS + 1
        slower = 1 + 0.02 * variant
        target = folder / "bench" / f"v{variant:02}" / str(repeat)
        target.mkdir(parents=True)
        (target / "wrk.txt").write_text(report_text(draw, slower=slower), encoding="utf-8")
    return folder


def timed(command: Sequence[str]) -> tuple[float, float]:
    """Return how long a whole process takes by the clock, and its processor time, in s.

    Raises:
        SystemExit: it failed.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - begun
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return wall_s, usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--reports", type=int, default=2048)
    asked = parser.parse_args()
    python = sys.executable
    with tempfile.TemporaryDirectory() as scratch:
        whole = write_reports(Path(scratch) / "whole", asked.reports)
        half = write_reports(Path(scratch) / "half", asked.reports // 2)
        page = str(Path(scratch) / "page.html")
        load = "import sys, benchkit; benchkit.load(sys.argv[1])"
        commands = {
            "import pandas": [python, "-c", "import pandas"],
            "load of the samples": [python, "-c", load, str(SAMPLES)],
            "report of the samples": [
                *(python, "-m", "benchkit", "report", str(SAMPLES), "-o", page),
            ],
            "plain script": [python, str(HERE / "plain.py"), str(whole)],
            "show": [python, "-m", "benchkit", "show", str(whole)],
            "report": [python, "-m", "benchkit", "report", str(whole), "-o", page],
            "show of half": [python, "-m", "benchkit", "show", str(half)],
            "start": [python, "-m", "benchkit", "--version"],
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for number in range(asked.runs + 1):
            for name, command in commands.items():
                taken = timed(command)
                if number:  # the first round warms the caches
                    times[name].append(taken)
    middle = {
        name: [statistics.median(seconds) for seconds in zip(*each, strict=True)]
        for name, each in times.items()
    }
    rows = (
        ("load of the samples", "import pandas"),
        ("report of the samples", "import pandas"),
        ("show", "plain script"),
        ("report", "plain script"),
    )
    print(f"Medians of {asked.runs} runs, {asked.reports} reports\n")
    print("| whole process | s | beside | s | times by the clock | times in processor time |")
    print("|---|--:|---|--:|--:|--:|")
    for name, beside in rows:
        (wall_s, cpu_s), (beside_s, beside_cpu_s) = middle[name], middle[beside]
        ratios = f"{wall_s / beside_s:.1f} | {cpu_s / beside_cpu_s:.1f}"
        print(f"| {name} | {wall_s:.2f} | {beside} | {beside_s:.2f} | {ratios} |")
    start, half, whole = (middle[name][0] for name in ("start", "show of half", "show"))
    growth = (whole - start) / (half - start)
    print(f"\n`show` of twice as many reports takes {growth:.2f} times as long beyond the start.")


if __name__ == "__main__":
    main()
