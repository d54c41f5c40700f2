"""Outputs of a load generator for many commits, as its own report would have them."""

import io
import json
import random
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.cli.guard import run
from benchkit.history.saves import Save, runs_of_saves, save_results
from benchkit.stores.folder import Folder

#: A report that wrk printed with these settings, its figures left open.
REPORT = """Running 10s test @ http://127.0.0.1:8080/
  2 threads and 20 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     {mean:.3f}ms    {std:.3f}ms  {max:.3f}ms   78.31%
    Req/Sec     {thread:.2f}k   120.10     9.00k    70.00%
  Latency Distribution
     50%    {p50:.3f}ms
     75%    {p75:.3f}ms
     90%    {p90:.3f}ms
     99%    {p99:.3f}ms
  {requests} requests in 10.00s, 50.00MB read
Requests/sec:  {rps:.2f}
Transfer/sec:      5.00MB
"""


def report(rng: random.Random, factor: float = 1.0, noise: float = 0.01) -> str:
    """A report of a server whose latencies are `factor` times the usual."""

    def latency(usual: float) -> float:
        return usual * factor * rng.lognormvariate(0, noise)

    rps = 20_000 / latency(1)
    return REPORT.format(
        mean=latency(1),
        std=latency(0.4),
        max=latency(5),
        thread=rps / 2000,
        p50=latency(0.9),
        p75=latency(1.2),
        p90=latency(1.6),
        p99=latency(2.5),
        requests=int(10 * rps),
        rps=rps,
    )


@dataclass
class Series:
    """Commits that are measured one after the other and saved into one store."""

    store: Path
    results: Path
    steps: Path

    def commit(
        self,
        name: str,
        factor: float = 1.0,
        *,
        runs: int = 2,
        branch: str = "main",
        label: str | None = None,
        noise: float = 0.01,
        meta: Mapping[str, object] | None = None,
    ) -> Save:
        """Measure a commit, and save its runs."""
        rng = random.Random(name)  # noqa: S311 - no secret
        folder = self.results / str(len(list(self.results.iterdir())))
        folder.mkdir()
        for n in range(1, runs + 1):
            path = folder / f"server_{n}.txt"
            path.write_text(report(rng, factor, noise), encoding="utf-8")
        described = {"scenario": "load", "variant": "server", **(meta or {})}
        (folder / "meta.json").write_text(json.dumps(described), encoding="utf-8")
        results = benchkit.load(folder)
        store = Folder(self.store)
        return save_results(results, store, commit=name, branch=branch, label=label)


@pytest.fixture(scope="session")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the stores that have a step are kept, each for all tests that begin with it."""
    return tmp_path_factory.mktemp("steps")


@pytest.fixture
def series(tmp_path: Path, steps: Path) -> Series:
    made = Series(tmp_path / "store", tmp_path / "measured", steps)
    made.results.mkdir()
    return made


@dataclass
class Done:
    status: int
    out: str
    err: str


@pytest.fixture
def command(
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Done]:
    """`command("history", store)` runs a command in this process, as in a pipe."""

    def call(*arguments: str | Path, columns: int = 100) -> Done:
        monkeypatch.setenv("COLUMNS", str(columns))
        out = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", write_through=True)
        err = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Done(status, captured.out.decode(), captured.err.decode())

    return call


Command = Callable[..., Done]


def saved(save: Save, store: Folder) -> Results:
    """The runs of one save."""
    return Results(runs_of_saves([save], store)[save.id])


def step(series: Series, *, before: int = 7, after: int = 7, factor: float = 1.2) -> None:
    """Save commits of one level, then of another, into a store that is empty yet."""
    kept = series.steps / f"{before} {after} {factor}"
    if not kept.exists():
        made = Series(kept, series.results, series.steps)
        for n, level in enumerate([1.0] * before + [factor] * after):
            made.commit(f"c{n:02}", level)
    shutil.copytree(kept, series.store)
