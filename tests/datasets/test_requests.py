"""Rows of requests go into a dataset and out of it piece by piece."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import benchkit
from benchkit.export import ROWS

pytest.importorskip("resource", reason="only POSIX tells how much memory was needed")

#: Writes and reads so many pieces of requests; prints rows, peak memory and the largest row group.
PROGRAM = """
import io, json, resource, sys
from pathlib import Path

import numpy as np
import pandas as pd
from pyarrow.parquet import ParquetFile

import benchkit
from benchkit.api import Results
from benchkit.export import write_table
from benchkit.schema import REQUESTS

pieces, folder = int(sys.argv[1]), sys.argv[2]


def requests():
    for piece in range(pieces):
        latency_s = np.random.default_rng(piece).uniform(0, 1, 120_000)
        yield REQUESTS.of_columns({"run_id": ["a"] * 120_000, "latency_s": latency_s})


class Nowhere(io.RawIOBase):
    def write(self, data):
        return len(data)


run = {"run_id": "a", "label": "a", "tool": "vegeta", "format": "x", "source": "x"}
Results.from_tables({"runs": [run]}, {"a": requests}).ingest(folder, requests=True)
(path,) = Path(folder, "tables", "requests").rglob("*.parquet")
groups = ParquetFile(path).metadata
largest = max(groups.row_group(n).num_rows for n in range(groups.num_row_groups))
again = benchkit.load(folder)
write_table(again, "requests", form="parquet", to=Nowhere())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([sum(map(len, again.request_parts())), peak, largest]))
"""


def measured(pieces: int, folder: Path) -> tuple[int, int, int]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(pieces), str(folder)],
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "MALLOC_ARENA_MAX": "1"},
    )
    rows, peak, largest = json.loads(done.stdout)
    return rows, peak, largest


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    few, some_memory, _ = measured(2, tmp_path / "few")
    many, more_memory, largest = measured(16, tmp_path / "many")
    assert many == 8 * few
    assert largest <= ROWS
    assert more_memory < 1.15 * some_memory


def test_rows_of_several_runs_are_told_apart(data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "vegeta" / "ok.gob", data / "vegeta" / "errors.gob"])
    results.ingest(tmp_path / "set", requests=True)
    again = benchkit.load(tmp_path / "set")
    for run in results:
        assert again.requests(run.run_id).equals(results.requests(run.run_id))
    first, second = (next(iter(r)).requests for r in (results, again))
    assert first is not None
    assert second is not None
    for each, other in zip(first.batches(), second.batches(), strict=True):
        assert (each.latency_ns == other.latency_ns).all()
        assert each.started_ns is not None
        assert other.started_ns is not None
        assert (each.started_ns == other.started_ns).all()
