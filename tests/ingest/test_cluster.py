"""Files read by the workers of a Dask cluster: what one process gives, whoever dies meanwhile."""

# Futures and tasks of any kind:
# ruff: noqa: ANN401

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import dask
import psutil
import pytest
from distributed import LocalCluster

import benchkit
from benchkit.api import Results
from benchkit.errors import UsageError
from benchkit.export import write_table
from benchkit.ingest.engines import cluster, futures
from benchkit.ingest.engines.cluster import Cluster
from benchkit.ingest.engines.tasks import read_there
from benchkit.ingest.paths import Input
from benchkit.model.tables import STORED
from tests.ingest.test_parts import content

OUTPUTS: Final = (
    *("ab/keepalive.txt", "autocannon/plain.json", "h2load/plain.txt", "hey/plain.txt"),
    *("k6/full.txt", "locust/plain.txt", "oha/mixed.txt", "vegeta/ok.gob", "vegeta/mixed-post.gob"),
    *("vegeta/two-attacks.gob", "wrk/latency.txt", "ab/refused.txt"),
)
#: A file of this plug-in ends the process that parses it.
POISON: Final = """
import os
from benchkit.parsing import FileParser
INTERFACE = 1
def sniff(source):
    return source.head.startswith(b"poison")
def parse(source):
    os._exit(1)
PARSERS = (FileParser(name="tock-log", tool="tock", reads="poison", versions="1", sniff=sniff,
                      parse=parse),)
"""
SEED: Final = 7
ONE_WORKER: Final[Any] = {
    "n_workers": 1,
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "silence_logs": logging.CRITICAL,
}
#: How soon Dask takes who does not answer for gone.
QUICK: Final = {"distributed.comm.timeouts.connect": "2s"}


def fill(folder: Path, data: Path, *, copies: int = 1) -> Path:
    """Outputs of many tools with what else lies in folders."""
    for number in range(copies):
        for name in OUTPUTS:
            path = folder / "results" / f"run{number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((data / name).read_bytes())
    (folder / "results" / "notes.txt").write_text("no results", encoding="utf-8")
    (folder / "results" / "cut.gob").write_bytes((data / "vegeta/errors.gob").read_bytes()[:-5])
    (folder / "results" / "run0" / "ab" / "meta.json").write_text('{"variant": "gin"}')
    return folder / "results"


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    return fill(tmp_path, data)


def written(results: Results, folder: Path) -> dict[str, bytes]:
    """Every table as it is exported, and the page."""
    made = {}
    for name in (*STORED, "files"):
        file = io.BytesIO()
        write_table(results, name, form="csv", to=file)
        made[name] = file.getvalue()
    made["page"] = benchkit.report(results, folder / "page.html").read_bytes()
    return made


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_workers_gives_what_one_process_gives(
    workers: int, folder: Path, tmp_path: Path
) -> None:
    text: list[str] = []
    there = benchkit.load(folder, engine=Cluster(workers=workers, announce=text.append))
    assert written(there, tmp_path) == written(benchkit.load(folder), tmp_path)
    assert [line.partition("http://")[0] for line in text] == ["Dask dashboard: "]
    assert not workers_of_ours()


def workers_of_ours() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


class Assassin:
    """Kills a random worker when so many files are read."""

    def __init__(self, random: Random, files: int) -> None:
        self._random, self._left = random, random.randrange(1, files)
        self.killed: list[int] = []

    def __call__(self, _: object) -> None:
        self._left -= 1
        if not self._left:
            victim = self._random.choice(workers_of_ours())
            victim.kill()
            self.killed.append(victim.pid)


def test_a_worker_that_is_killed_loses_nothing(folder: Path, tmp_path: Path) -> None:
    assassin = Assassin(Random(SEED), len(OUTPUTS))  # noqa: S311 - no secret
    there = benchkit.load(folder, engine=Cluster(workers=2), progress=assassin)
    assert len(assassin.killed) == 1
    assert written(there, tmp_path) == written(benchkit.load(folder), tmp_path)


@pytest.fixture
def poisoned(folder: Path, tmp_path: Path) -> Callable[..., str]:
    """Run benchkit where a plug-in parses files that end it; returns what it prints."""
    (tmp_path / "tock.py").write_text(POISON, encoding="utf-8")
    info = tmp_path / "tock-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tock\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[benchkit.parsers]\ntock = tock\n")
    for number in (1, 2):
        (folder / f"poison{number}.log").write_text(f"poison {number}")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "benchkit", *arguments],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert "Traceback" not in done.stderr
        return done.stdout

    return run


def test_a_file_that_ends_workers_is_a_line_and_the_others_are_read(
    poisoned: Callable[..., str],
) -> None:
    there = poisoned("files", "results", "--engine", "dask", "--format", "markdown").splitlines()
    for number in (1, 2):
        assert sum(f"poison{number}.log" in line for line in there) == 1
        assert any(
            "parsing it ended 2 workers" in line for line in there if f"{number}.log" in line
        )
    here = poisoned("files", "results", "--ignore", "*.log", "--format", "markdown").splitlines()
    assert [line for line in there if "poison" not in line][2:] == [
        line for line in here if "poison" not in line
    ][2:]


def test_workers_that_nobody_watches_any_more_are_replaced() -> None:
    with Cluster(workers=1)._client() as client:
        (lost,) = client.scheduler_info()["workers"]
        (nanny,) = client.cluster.workers.values()
        client.cluster.sync(nanny.close)
        asked = client.submit(os.getpid)
        assert asked.result(timeout=120) != os.getpid()
        assert lost not in client.scheduler_info()["workers"]


def test_a_scheduler_that_is_there_already_is_used(folder: Path, tmp_path: Path) -> None:
    with Cluster(workers=1)._client() as client:
        there = benchkit.load(folder, engine="dask", scheduler=client.scheduler.address)
    assert written(there, tmp_path) == written(benchkit.load(folder), tmp_path)


def test_standard_input_is_read_here(folder: Path, data: Path, tmp_path: Path) -> None:
    arguments = ["export", "--table", "requests", "--engine", "dask", "-", str(folder / "run0")]
    done = subprocess.run(
        [sys.executable, "-m", "benchkit", *arguments],
        input=(data / "vegeta" / "errors.gob").read_bytes(),
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    runs = benchkit.load([data / "vegeta" / "errors.gob", folder / "run0"]).requests()
    assert len(done.stdout.splitlines()) == 1 + len(runs)


def test_no_scheduler_is_told_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECTED_S", 1.0)
    with pytest.raises(
        UsageError, match=r"no Dask scheduler with a worker at tcp://127\.0\.0\.1:9"
    ):
        benchkit.load(folder, engine="dask", scheduler="tcp://127.0.0.1:9")


def test_a_scheduler_whose_workers_have_gone_is_told_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(futures, "_DESERTED_S", 1.0)
    monkeypatch.setattr(futures, "_LOOK_S", 0.2)
    submit = futures.ClusterReading._submit
    with LocalCluster(**ONE_WORKER) as there:

        def last(self: Any, *given: Any, **options: Any) -> Any:
            there.scale(0)
            while there.scheduler.workers:
                time.sleep(0.05)
            return submit(self, *given, **options)

        monkeypatch.setattr(futures.ClusterReading, "_submit", last)
        with pytest.raises(UsageError, match=r"^the Dask scheduler has had no worker for 1 s$"):
            benchkit.load(folder, engine="dask", scheduler=there.scheduler_address)


def test_a_scheduler_that_has_gone_is_told_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = futures.ClusterReading._submit
    with dask.config.set(QUICK), LocalCluster(**ONE_WORKER) as there:

        def last(self: Any, *given: Any, **options: Any) -> Any:
            future = submit(self, *given, **options)
            there.sync(there.scheduler.close)
            return future

        monkeypatch.setattr(futures.ClusterReading, "_submit", last)
        with pytest.raises(UsageError, match=r"^the Dask scheduler has gone, and with it"):
            benchkit.load(folder / "cut.gob", engine="dask", scheduler=there.scheduler_address)


def test_without_dask_it_is_told_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        UsageError, match=r"needs Dask: pip install 'distributed>=2024\.5' 'bokeh>=3\.1'"
    ):
        benchkit.load(folder, engine="dask")


def test_a_script_without_the_guard_is_told_of_it_once(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import benchkit\nbenchkit.load({os.fspath(folder)!r}, engine='dask')\n", encoding="utf-8"
    )
    ended = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.stderr.count("Traceback") == 1
    assert ended.stderr.rstrip().endswith('a script does this below `if __name__ == "__main__":`')


def test_a_scheduler_is_for_dask(folder: Path) -> None:
    with pytest.raises(UsageError, match="name that engine too"):
        benchkit.load(folder, scheduler="tcp://127.0.0.1:9")


def test_a_worker_says_that_it_has_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_there(Input(str(tmp_path / "a"), "a", "a"), hashed=False)


# --- parts of large files ---


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of three parts each, beside a small one."""
    monkeypatch.setattr(futures, "PART_BYTES", 2**24)
    folder = tmp_path / "large"
    folder.mkdir()
    stream = content("vegeta/large.gob.gz")
    (folder / "a.gob").write_bytes(stream * (3 * 2**24 // len(stream) + 1))
    rows = content("vegeta/errors.csv")
    (folder / "b.csv").write_bytes(rows * (3 * 2**24 // len(rows) + 1))
    (folder / "c.gob").write_bytes(content("vegeta/ok.gob"))
    return folder


def test_the_parts_of_large_files_are_read_by_several(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = written(benchkit.load(large), tmp_path)
    submitted: list[str] = []
    submit = futures.ClusterReading._submit

    def noted(self: Any, task: Any, *given: Any, **options: Any) -> Any:
        submitted.append(getattr(task, "func", task).__name__)
        return submit(self, task, *given, **options)

    monkeypatch.setattr(futures.ClusterReading, "_submit", noted)
    there = benchkit.load(large, engine=Cluster(workers=2))
    assert Counter(submitted) == {
        "read_there": 1,
        "cut_there": 2,
        "hash_there": 2,
        "read_part_there": 6,
        "join_there": 2,
    }
    assert written(there, tmp_path) == here


def test_a_worker_that_is_killed_while_parts_are_read_loses_nothing(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = written(benchkit.load(large), tmp_path)
    killed: list[int] = []
    in_parts = futures.ClusterReading._in_parts

    def disturbed(self: Any, file: Input, cut: Any) -> Any:
        joined = in_parts(self, file, cut)
        if not killed:
            time.sleep(0.3)  # parts are read
            victim = workers_of_ours()[0]
            victim.kill()
            killed.append(victim.pid)
        return joined

    monkeypatch.setattr(futures.ClusterReading, "_in_parts", disturbed)
    there = benchkit.load(large, engine=Cluster(workers=2))
    assert killed
    assert written(there, tmp_path) == here
