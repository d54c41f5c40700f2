"""What reading, sending and combining cost here: processor time and memory, sizes doubled.

Each figure comes from a process of its own that may use one core, so that files are read from end
to end as a worker of a busy cluster reads them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchkit.datasets.writing import write
from benchkit.ingest.combination import combined
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.packing import packed, unpacked
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.redaction import redact

ROOT: Final = Path(__file__).resolve().parents[1]
#: Outcomes are packed and unpacked so often, of which the median counts.
_TIMES: Final = 5
_VARIANTS: Final = 10
#: Minutes that the results of vegeta's file are spread over, and bytes of a row, roughly.
_MINUTES: Final = 25
_ROW_BYTES: Final = {"vegeta, gob": 117, "JMeter, CSV": 99, "k6, JSON lines": 292}


@dataclass(frozen=True)
class FileCost:
    """What a file, or several, cost who reads them.

    Attributes:
        read_s: Processor time to its outcome, hash included.
        pack_s: To the bytes of that.
        unpack_s: From the bytes to the outcome again, what is sent checked.
        outcome_bytes: On disk and over the wire.
        peak_mb: Of the process.
    """

    file_bytes: int
    read_s: float
    pack_s: float
    unpack_s: float
    outcome_bytes: int
    peak_mb: float


@dataclass(frozen=True)
class RunsCost:
    """What many outcomes of large files cost who combines them: processor time, memory so far."""

    runs: int
    take_s: float
    taken_mb: float
    combine_s: float
    combined_mb: float
    write_s: float
    written_mb: float
    dataset_bytes: int


@dataclass(frozen=True)
class Process:
    """What a whole process took."""

    cpu_s: float
    peak_mb: float


def _benchmark(name: str) -> Any:  # noqa: ANN401 - a script
    """Return one of the scripts that lie beside each other in `benchmarks`."""
    folder = str(ROOT / "benchmarks")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def write_file(form: str, path: Path, megabytes: float) -> None:
    """Write a file of about so many MB with a request per row, as a tool would."""
    rows = round(megabytes * 1e6 / _ROW_BYTES[form])
    if form == "vegeta, gob":
        vegeta = _benchmark("vegeta")
        vegeta.Recorded.from_file(vegeta.RECORDED).spread(rows, _MINUTES, path)
    elif form == "JMeter, CSV":
        _benchmark("rows").write_table(path, rows)
    else:
        _benchmark("rows").write_points(path, rows)


FORMS: Final = tuple(_ROW_BYTES)


def write_variants(folder: Path, variants: int, runs: int) -> Path:
    """Write so many reports of wrk of each variant, each in a folder of its own."""
    limits, reports = _benchmark("limits"), _benchmark("reports")
    draw = random.Random(1)  # noqa: S311 - figures, not secrets
    for number in range(variants):
        slower = draw.uniform(1, 1.3)
        for repeat in range(1, runs + 1):
            target = folder / "bench" / f"variant{limits._letters(number)}" / str(repeat)  # noqa: SLF001
            target.mkdir(parents=True)
            text = reports.report_text(draw, slower=slower)
            (target / "wrk.txt").write_text(text, encoding="utf-8")
    return folder


def process(*arguments: str) -> Process:
    """Return what a whole command of benchkit takes."""
    cost = _benchmark("limits").cost_of([sys.executable, "-m", "benchkit", *arguments])
    return Process(cost.seconds, cost.mb)


def file_cost(path: Path) -> FileCost:
    """Return what a file, or all files of a folder, cost in a process with one core."""
    return FileCost(**_probed("file", str(path)))


def runs_cost(path: Path, runs: int, dataset: Path) -> RunsCost:
    """Return what so many files like one cost who combines them, and write their dataset."""
    return RunsCost(**_probed("runs", str(path), str(runs), str(dataset)))


def worker_start() -> Process:
    """Return what a worker needs until it can read: modules, of Dask too."""
    code = (
        "import distributed, benchkit.ingest.engines.cluster, benchkit.registry as r; r.parsers()"
    )
    cost = _benchmark("limits").cost_of([sys.executable, "-c", code])
    return Process(cost.seconds, cost.mb)


# --- within the process ---


def _probed(*arguments: str) -> dict[str, Any]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "studies.scale_costs", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    before = time.process_time()
    result = call()
    return time.process_time() - before, result


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def _file(path: str) -> FileCost:
    whole = Path(path)
    files = [each for each in sorted(whole.rglob("*")) if each.is_file()] or [whole]
    entries = [Input(str(file), str(file), str(file)) for file in files]
    read_s, outcomes = _timed(lambda: [read_file(entry) for entry in entries])
    peak_mb = _peak_mb()
    packs = [
        _timed(lambda: [packed(outcome, clean=redact) for outcome in outcomes])
        for _ in range(_TIMES)
    ]
    data = packs[0][1]
    unpacks = [_timed(lambda: [_taken(each, path) for each in data])[0] for _ in range(_TIMES)]
    size = sum(file.stat().st_size for file in files)
    pack_s = median(seconds for seconds, _ in packs)
    return FileCost(size, read_s, pack_s, median(unpacks), sum(map(len, data)), peak_mb)


def _runs(path: str, runs: int, dataset: str) -> RunsCost:
    content = json.loads(packed(read_file(Input(path, path, path))))
    start_mb, take_s, outcomes = _peak_mb(), 0.0, []
    for number in range(runs):
        seconds, outcome = _timed(partial(_taken, _alike(content, number), path))
        take_s += seconds
        outcomes.append(outcome)
    del content
    for number, outcome in enumerate(outcomes):
        outcome.input = _input(number)
    taken_mb = _peak_mb() - start_mb
    combine_s, reading = _timed(lambda: combined(outcomes, named=("results",)))
    combined_mb = _peak_mb() - start_mb
    if len(reading.runs) != runs:
        raise ValueError(f"{len(reading.runs)} runs of {runs} files")
    write_s, _ = _timed(lambda: write(reading, dataset))
    written_mb = _peak_mb() - start_mb
    files = [file for file in Path(dataset).rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    return RunsCost(runs, take_s, taken_mb, combine_s, combined_mb, write_s, written_mb, size)


def _taken(data: bytes, source: str) -> FileOutcome:
    outcome = unpacked(data, source=source)
    outcome.rest()
    return outcome


def _input(number: int) -> Input:
    variant, repeat = number % _VARIANTS, number // _VARIANTS + 1
    letters = "abcdefghij"[variant]
    short = f"bench/variant-{letters}/{repeat}/results"
    return Input(
        short, short, short, parts=tuple(short.split("/")[:-1]), named=False, top="results"
    )


def _alike(content: Mapping[str, Any], number: int) -> bytes:
    """Return the bytes of another file's outcome that took a little longer."""
    made = json.loads(json.dumps(content))
    outcome = made["outcome"]
    for name in ("key", "content_key", "sha256"):
        outcome[name] = hashlib.sha256(f"{number}".encode()).hexdigest()
    for run in outcome["runs"]:
        pairs = run["record"]["columns"]
        run["record"]["columns"] = [
            [name, value * (1 + number * 1e-6) if name == "duration_s" else value]
            for name, value in pairs
        ]
    return json.dumps(made, separators=(",", ":")).encode()


def _serve() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("file", "runs"))
    parser.add_argument("rest", nargs="*")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if given.what == "file":
        measured: Any = _file(*given.rest)
    else:
        path, runs, dataset = given.rest
        measured = _runs(path, int(runs), dataset)
    print(json.dumps(asdict(measured)))


if __name__ == "__main__":
    _serve()
