"""Kill workers of a Dask cluster, or the client, at random moments: what is lost?

    python -m studies.killed_workers --workers 20 --clients 10

Prints a line per try, and how many gave the bytes of a reading that nobody disturbed.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"


def command(dataset: Path, *options: str) -> list[str]:
    """Return the command that makes a dataset of all that is recorded."""
    return [sys.executable, "-m", "benchkit", "ingest", str(DATA), "--to", str(dataset), *options]


def files_of(dataset: Path) -> dict[str, bytes]:
    """Return the files of a dataset with their bytes."""
    paths = [path for path in dataset.rglob("*") if path.is_file()]
    return {path.relative_to(dataset).as_posix(): path.read_bytes() for path in paths}


def workers_of(client: int) -> list[psutil.Process]:
    """Return the workers of a client."""
    children = psutil.Process(client).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def disturbed(dataset: Path, dice: random.Random, *, whom: str) -> float:
    """Make a dataset whose client, or a worker of it, is killed; return after how many s."""
    client = subprocess.Popen(
        command(dataset, "--engine", "dask"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    began = time.monotonic()
    while not list(dataset.glob("outcomes/*.json")) and client.poll() is None:
        time.sleep(0.01)
    time.sleep(dice.uniform(0, 3))
    if client.poll() is not None:
        return 0.0  # it was quicker
    after_s = time.monotonic() - began
    if whom == "client":
        client.kill()
        client.wait()
        subprocess.run(command(dataset, "--engine", "dask"), capture_output=True, check=True)
        return after_s
    workers = workers_of(client.pid)
    if workers:
        dice.choice(workers).kill()
    client.wait()
    return after_s if workers else 0.0


def main() -> None:
    """Try, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        subprocess.run(command(whole), capture_output=True, check=True)
        wanted = files_of(whole)
        for whom, times in (("worker", given.workers), ("client", given.clients)):
            same = tried = 0
            while tried < times:
                dataset = Path(folder) / f"{whom}{tried}"
                after_s = disturbed(dataset, dice, whom=whom)
                is_same = files_of(dataset) == wanted
                tried += bool(after_s)
                same += bool(after_s) and is_same
                print(f"{whom} {tried}: killed after {after_s:.1f} s, same: {is_same}", flush=True)
            print(f"{whom}s: {same} of {times} lost nothing", flush=True)


if __name__ == "__main__":
    main()
