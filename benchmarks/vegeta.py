"""How long benchkit takes for vegeta's binary results, beside vegeta itself.

    python benchmarks/vegeta.py [--results N] [--minutes N] [--runs N] [--recorded FILE]
                                [--vegeta PROGRAM]

It repeats the results of a recorded file until there are as many as asked for, sent at a
constant rate, give or take what a generator is late, for 25 minutes; with `--minutes 0` at the
recorded times over and over. It runs `benchkit show`, `benchkit report` and, where it is
installed, `vegeta report` in turn, whole processes from start to end, checks that they agree on
counts, sums, bytes and extremes, and prints medians, ratios of neighbouring runs and peak memory
as Markdown.
"""

# ruff: noqa: INP001, S603, T201
# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "data" / "vegeta" / "large.gob.gz"
SEQ = 2  # from no field to the second one, the number of the request
TIME = b"\x0f\x01\x00"  # fifteen bytes: a version, and seconds since the year 1
SHOW, PAGE, VEGETA = "benchkit show", "benchkit report", "vegeta report"


def as_installed() -> dict[str, str]:
    """Return the environment, where Python may keep the bytecode that an installation has."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


@dataclass
class Program:
    """A command, and what its runs took."""

    command: Sequence[str]
    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)
    peak_mb: list[float] = field(default_factory=list)
    output: str = ""

    def run(self, *, counted: bool) -> None:
        """Run it from start to end."""
        with tempfile.TemporaryFile() as out:
            before = time.perf_counter()
            process = subprocess.Popen(
                self.command, stdout=out, stderr=subprocess.DEVNULL, env=as_installed()
            )
            cpu_s, peak_mb = waited(process)
            wall_s = time.perf_counter() - before
            out.seek(0)
            self.output = out.read().decode()
        if process.returncode:
            sys.exit(f"{' '.join(self.command)} failed: {process.returncode}")
        if counted:
            self.wall_s.append(wall_s)
            self.cpu_s.append(cpu_s)
            self.peak_mb.append(peak_mb)


def waited(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """Wait for a process; return its processor time in s and peak memory in MB, NaN if unknown."""
    if not hasattr(os, "wait4"):
        process.wait()
        return float("nan"), float("nan")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def number(data: bytes, at: int) -> tuple[int, int]:
    """Return an unsigned number of a gob stream, and the place after it."""
    if data[at] < 128:
        return data[at], at + 1
    count = 256 - data[at]
    return int.from_bytes(data[at + 1 : at + 1 + count], "big"), at + 1 + count


def coded(value: int) -> bytes:
    """Return an unsigned number as a gob stream has it."""
    if value < 128:
        return bytes([value])
    size = (value.bit_length() + 7) // 8
    return bytes([256 - size]) + value.to_bytes(size, "big")


@dataclass
class Recorded:
    """A recorded stream: what comes before the results, and these."""

    head: bytes
    results: list[bytes]

    @classmethod
    def from_file(cls, file: Path) -> Recorded:
        """Return what is in a file, which may be packed."""
        raw = file.read_bytes()
        data = gzip.decompress(raw) if file.suffix == ".gz" else raw
        at, head, results = 0, b"", []
        while at < len(data):
            length, start = number(data, at)
            if number(data, start)[0] % 2 == 0:  # a value; definitions have negative numbers
                head = head or data[:at]
                results.append(data[start : start + length])
            at = start + length
        return cls(head, results)

    def repeated(self, results: int, target: Path) -> int:
        """Write the results as they are again and again; return how many."""
        times = -(-results // len(self.results))
        data = b"".join(coded(len(result)) + result for result in self.results)
        with target.open("wb") as out:
            out.write(self.head)
            for _ in range(times):
                out.write(data)
        return times * len(self.results)

    def spread(self, results: int, minutes: float, target: Path) -> int:
        """Write the results again and again, numbered, at a constant rate; return how many."""
        count = len(self.results)
        times = -(-results // count)
        every_ns = minutes * 60e9 / (times * count)
        template = Template.from_results(self.results)
        rng = np.random.default_rng(1)
        with target.open("wb") as out:
            out.write(self.head)
            for turn in range(times):
                seq = turn * count + template.order
                late_ns = rng.exponential(50_000, count) + (rng.random(count) < 1e-4) * 2e6
                out.write(template.with_times(seq, (seq * every_ns + late_ns).astype(np.int64)))
        return times * count


@dataclass
class Template:
    """Results one after another, and where their numbers and times stand."""

    data: npt.NDArray[np.uint8]
    order: npt.NDArray[np.int64]
    seq_at: npt.NDArray[np.int64]
    seconds_at: npt.NDArray[np.int64]
    base: int

    @classmethod
    def from_results(cls, results: Sequence[bytes]) -> Template:
        """Return a template with room for numbers of three bytes."""
        parts, at = [], 0
        order, seq_at, seconds_at, base = [], [], [], 0
        for result in results:
            _, start = number(result, 0)
            seq, rest = number(result, start + 1) if result[start] == SEQ else (0, start)
            # Without the first number, the next field counts from before it.
            tail = (
                result[rest:]
                if rest > start
                else bytes([result[start] - SEQ]) + result[start + 1 :]
            )
            body = result[:start] + bytes([SEQ, 0xFD, 0, 0, 0]) + tail
            length = coded(len(body))
            seq_at.append(at + len(length) + start + 2)
            time = body.index(TIME, start + 5)
            seconds_at.append(at + len(length) + time + 2)
            base = base or int.from_bytes(body[time + 2 : time + 10], "big")
            order.append(seq)
            parts += [length, body]
            at += len(length) + len(body)
        data = np.frombuffer(b"".join(parts), np.uint8).copy()
        return cls(data, np.array(order), np.array(seq_at), np.array(seconds_at), base)

    def with_times(self, seq: npt.NDArray[np.int64], since_ns: npt.NDArray[np.int64]) -> bytes:
        """Return the results with other numbers, sent so long after the first was recorded."""
        data = self.data.copy()
        write(data, self.seq_at, seq, 3)
        write(data, self.seconds_at, self.base + since_ns // 10**9, 8)
        write(data, self.seconds_at + 8, since_ns % 10**9, 4)
        return data.tobytes()


def write(
    data: npt.NDArray[np.uint8], at: npt.NDArray[np.int64], values: npt.NDArray[np.int64], size: int
) -> None:
    """Write numbers of so many bytes, the highest first, to some places."""
    for byte in range(size):
        data[at + byte] = values >> 8 * (size - 1 - byte) & 0xFF


def check(shown: str, reported: str, results: int) -> None:
    """Stop where benchkit and vegeta disagree on what was counted."""
    ours, theirs = json.loads(shown)[0], json.loads(reported)
    latencies = theirs["latencies"]
    pairs: dict[str, tuple[Any, Any]] = {
        "requests": (ours["requests"], theirs["requests"]),
        "results written": (ours["requests"], results),
        "sum of latencies, ns": (
            round(ours["latency_mean_s"] * 1e9 * results, -3),
            round(latencies["total"], -3),
        ),
        "largest latency, ns": (round(ours["latency_max_s"] * 1e9), latencies["max"]),
        "bytes": (ours["received_bytes"], theirs["bytes_in"]["total"]),
    }
    for what, (mine, other) in pairs.items():
        if abs(mine - other) > 1e-14 * abs(other):
            sys.exit(f"{what}: benchkit says {mine}, vegeta {other}")


def machine() -> str:
    """Return the processor and the versions."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {version(name)}" for name in ("benchkit", "numpy", "pandas")]
    return f"{os.cpu_count()} × {model}, {platform.system()}, {', '.join(versions)}"


def table(programs: dict[str, Program]) -> str:
    """Return medians, and ratios of neighbouring runs, as Markdown."""
    lines = ["| whole process | wall, s | processor, s | peak memory, MB | vegeta takes |"]
    lines.append("|---|---:|---:|---:|---:|")
    base = programs.get(VEGETA)
    for name, program in programs.items():
        wall, cpu, peak = map(statistics.median, (program.wall_s, program.cpu_s, program.peak_mb))
        ratio = ""
        if base is not None and program is not base:
            pairs = zip(base.wall_s, program.wall_s, strict=True)
            ratio = f"{statistics.median(theirs / ours for theirs, ours in pairs):.1f} × as long"
        lines.append(f"| `{name}` | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {ratio} |")
    return "\n".join(lines)


def main() -> None:
    """Make the input, run everything in turn, compare, print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    arguments.add_argument("--results", type=int, default=2_000_000)
    arguments.add_argument("--minutes", type=float, default=25, help="0: as recorded, repeated")
    arguments.add_argument("--runs", type=int, default=5, help="of each, after one that warms up")
    arguments.add_argument("--recorded", type=Path, default=RECORDED, help="vegeta's binary output")
    arguments.add_argument("--vegeta", default=shutil.which("vegeta"), help="the program")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder) / "results.gob", Path(folder) / "report.html"
        recorded = Recorded.from_file(given.recorded)
        if given.minutes:
            results = recorded.spread(given.results, given.minutes, file)
        else:
            results = recorded.repeated(given.results, file)
        ours = [sys.executable, "-m", "benchkit"]
        programs = {
            SHOW: Program([*ours, "show", str(file), "--format", "json"]),
            PAGE: Program([*ours, "report", str(file), "-o", str(page)]),
        }
        if given.vegeta:
            programs[VEGETA] = Program([given.vegeta, "report", "-type=json", str(file)])
        for turn in range(given.runs + 1):
            for program in programs.values():
                program.run(counted=turn > 0)
        if given.vegeta:
            check(programs[SHOW].output, programs[VEGETA].output, results)
        size = file.stat().st_size
    times = f"over {given.minutes:g} minutes" if given.minutes else "times as recorded, repeated"
    print(f"{results:,} results, {size / 1e6:,.0f} MB ({size / results:.0f} bytes each), {times},")
    print(f"median of {given.runs} runs, in turn. {machine()}\n")
    print(table(programs))


if __name__ == "__main__":
    main()
