"""Large files read by other processes: the same results, in the same order."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.ingest.engines import workers
from benchkit.ingest.progress import Progress
from benchkit.model.tables import STORED

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
NAMES = ("ok", "errors", "mixed-post", "interrupted", "two-attacks")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / f"{name}.gob").write_bytes((DATA / f"{name}.gob").read_bytes())
    (tmp_path / "ok.csv").write_bytes((DATA / "ok.csv").read_bytes())
    (tmp_path / "notes.txt").write_text("no results")
    (tmp_path / "cut.gob").write_bytes((DATA / "errors.gob").read_bytes()[:-5])
    return tmp_path


def tables(results: Results) -> dict[str, object]:
    return {name: getattr(results, name).to_dict("list") for name in STORED}


def test_other_processes_find_the_same_in_the_same_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = benchkit.load(folder)
    answers = []
    ask = workers._Worker._ask

    def counted(worker: workers._Worker, job: workers.Job) -> workers.Answer | None:
        answers.append(ask(worker, job))
        return answers[-1]

    monkeypatch.setattr("benchkit.ingest.progress.WORTH", 1000)
    monkeypatch.setattr(workers._Worker, "_ask", counted)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    there = benchkit.load(folder)
    assert len(answers) >= len(NAMES)
    assert None not in answers
    assert str(tables(there)) == str(tables(here))


def test_what_a_process_cannot_read_is_read_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = benchkit.load(folder)
    monkeypatch.setattr("benchkit.ingest.progress.WORTH", 1000)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(sys, "executable", str(folder / "no-such-python"))
    assert str(tables(benchkit.load(folder))) == str(tables(here))


def test_a_process_that_dies_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = benchkit.load(folder)
    start = workers._start

    def dying() -> object:
        process = start()
        process.kill()
        return process

    monkeypatch.setattr("benchkit.ingest.progress.WORTH", 1000)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(workers, "_start", dying)
    assert str(tables(benchkit.load(folder))) == str(tables(here))


def test_one_large_file_starts_no_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchkit.ingest.progress.WORTH", 1000)
    monkeypatch.setattr(workers, "_start", None)
    assert len(benchkit.load(folder / "ok.gob")) == 1


def test_progress_counts_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchkit.ingest.progress._INTERVAL_S", 0.0)
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 1000)
    raw = gzip.decompress((DATA / "large.gob.gz").read_bytes()) * 5
    (tmp_path / "a.gob").write_bytes(raw)
    (tmp_path / "b.gob").write_bytes((DATA / "ok.gob").read_bytes())
    seen: list[Progress] = []
    benchkit.load(tmp_path, progress=seen.append)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert {each.bytes_total for each in seen} == {size}
    done = [each.bytes_done for each in seen]
    assert done == sorted(done)
    assert done[0] == 0
    assert 0 < done[1] < len(raw)
    assert next((each.file, each.runs) for each in seen if each.name.endswith("b.gob")) == (2, 1)
