"""What many inputs of one kind cost a whole command: processor time and memory of each more.

    python benchmarks/limits.py [SHAPE …] [--scale X]

Each shape is written at two sizes, the second twice the first, into a temporary folder, and
commands read both, whole processes from start to end. Printed, as Markdown, are the processor time
at the larger size, what each of its runs costs beyond the start of the program, growth (the time
beyond the start at the larger size, as a multiple of that at half of it: 2 is linear), and the peak
memory with what each run adds to it.
"""

# ruff: noqa: INP001, S603, T201
# A script, which runs the programs it is told to, and talks to who runs it.

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reports import report_text, write_reports

Write = Callable[[Path, int], object]


@dataclass(frozen=True)
class Shape:
    """An input of any size.

    Attributes:
        write: Writes so many into an empty folder.
        many: How many there are at the larger size.
        unit: What they are.
        commands: What reads them.
    """

    write: Write
    many: int
    unit: str
    commands: Sequence[str] = ("show", "export", "report")


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    seconds: float
    mb: float


def _draw() -> random.Random:
    return random.Random(1)  # noqa: S311 - figures, not secrets


def _one_file(folder: Path, amount: int) -> None:
    draw = _draw()
    texts = (f"## run {n}\n\n{report_text(draw)}\n" for n in range(amount))
    (folder / "runs.md").write_text("".join(texts), encoding="utf-8")


def _equal_reports(folder: Path, amount: int) -> None:
    (folder / "runs.txt").write_text((report_text(_draw()) + "\n") * amount, encoding="utf-8")


def _variants(folder: Path, amount: int) -> None:
    draw = _draw()
    for number in range(amount):
        for repeat in (1, 2):
            target = folder / f"variant{_letters(number)}" / str(repeat)
            target.mkdir(parents=True)
            (target / "wrk.txt").write_text(report_text(draw), encoding="utf-8")


def _levels(folder: Path, amount: int) -> None:
    draw = _draw()
    for number in range(amount):
        for variant in ("asyncio", "uvloop"):
            target = folder / variant / f"c{number + 2}"
            target.mkdir(parents=True)
            text = report_text(draw, connections=number + 2)
            (target / "wrk.txt").write_text(text, encoding="utf-8")


def _params(folder: Path, amount: int) -> None:
    draw = _draw()
    values = ", ".join(f'"factor{n}": {n}' for n in range(amount))
    for variant in ("asyncio", "uvloop"):
        target = folder / variant
        target.mkdir()
        (target / "wrk.txt").write_text(report_text(draw), encoding="utf-8")
        text = f'{{"variant": "{variant}", "params": {{{values}}}}}'
        (target / "meta.json").write_text(text, encoding="utf-8")


def _foreign(folder: Path, amount: int) -> None:
    (folder / "wrk.txt").write_text(report_text(_draw()), encoding="utf-8")
    for number in range(amount):
        (folder / f"server{number}.log").write_text("listening on :8080\n" * 9, encoding="utf-8")


def _line(folder: Path, megabytes: int) -> None:
    (folder / "wrk.txt").write_text(report_text(_draw()), encoding="utf-8")
    (folder / "line.txt").write_text("x y " * (megabytes * 250_000), encoding="utf-8")


def _letters(number: int) -> str:
    """Return a name without digits, which would be a level."""
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:04}")


SHAPES: Final[Mapping[str, Shape]] = {
    "files": Shape(write_reports, 5000, "files"),
    "one-file": Shape(_one_file, 2000, "reports in one file"),
    "equal": Shape(_equal_reports, 2000, "equal reports in one file", ("show",)),
    "variants": Shape(_variants, 200, "variants of two runs", ("show", "report")),
    "levels": Shape(_levels, 100, "levels of two variants", ("show", "report")),
    "params": Shape(_params, 2000, "params of two runs", ("show", "report")),
    "foreign": Shape(_foreign, 5000, "files of other kinds", ("show",)),
    "line": Shape(_line, 64, "MB in one line", ("show",)),
}


def cost_of(command: Sequence[str]) -> Cost:
    """Return what a whole process takes.

    Raises:
        SystemExit: it failed.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    silent = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=silent, stderr=silent, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return Cost(usage.ru_utime + usage.ru_stime, peak)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("shapes", nargs="*", default=[*SHAPES], metavar="SHAPE")
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual sizes")
    asked = parser.parse_args()
    benchkit = [sys.executable, "-m", "benchkit"]
    start = cost_of([*benchkit, "--version"])
    print(
        "| shape | command | s | ms each | growth | MB | kB each |\n|---|---|--:|--:|--:|--:|--:|"
    )
    for name in asked.shapes:
        shape = SHAPES[name]
        many = max(round(shape.many * asked.scale), 2)
        with tempfile.TemporaryDirectory() as scratch:
            folders = [Path(scratch) / size for size in ("half", "whole")]
            for folder, amount in zip(folders, (many // 2, many), strict=True):
                folder.mkdir()
                shape.write(folder, amount)
            for command in shape.commands:
                output = ["-o", f"{scratch}/page.html"] if command == "report" else []
                half, whole = (
                    cost_of([*benchkit, command, str(folder), *output]) for folder in folders
                )
                growth = (whole.seconds - start.seconds) / (half.seconds - start.seconds)
                each_ms = (whole.seconds - half.seconds) / (many - many // 2) * 1e3
                each_kb = (whole.mb - half.mb) / (many - many // 2) * 1e3
                print(
                    f"| {many} {shape.unit} | {command} | {whole.seconds:.1f} | {each_ms:.1f} "
                    f"| {growth:.2f} | {whole.mb:.0f} | {each_kb:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
