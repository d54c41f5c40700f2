"""What DuckDB and Polars answer from a dataset, as docs/datasets.md asks them, is what we say."""

from __future__ import annotations

import io
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benchkit
from benchkit.api import Results
from benchkit.export import write_table
from benchkit.schema import TABLES

duckdb = pytest.importorskip("duckdb")
polars = pytest.importorskip("polars")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the Python of the page leaves behind."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "examples" / "results", folder / "examples" / "results")
    page = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    known: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.chdir(folder)
        exec(compile(program, "datasets.md", "exec"), known)  # noqa: S102 - ours
        frames = {name: known[name].df() for name in ("best", "p95", "course")}
        frames |= {name: known[name].to_pandas() for name in ("best_too", "p95_too", "course_too")}
    return {**frames, "results": benchkit.load(folder / "archive")}


def test_the_best_p99_is_that_of_the_runs(answers: dict[str, Any]) -> None:
    runs = answers["results"].table("runs")
    medians = runs.groupby(["scenario", "variant", "params"], dropna=False)[
        "latency_p99_s"
    ].median()
    lowest = medians.groupby("scenario").min()
    assert len(lowest) == 2
    for name in ("best", "best_too"):
        made = answers[name].set_index("scenario")["p99_s"]
        assert made.to_dict() == pytest.approx(lowest.to_dict(), rel=1e-12)


def test_bins_give_the_quantiles_of_the_runs(answers: dict[str, Any]) -> None:
    runs = answers["results"].table("runs")
    known = runs[runs["scenario"] == "gin-panic"].set_index("run_id")["latency_p95_s"].dropna()
    assert len(known) > 10
    for name in ("p95", "p95_too"):
        made = answers[name].set_index("run_id")["p95_s"].to_dict()
        assert made == pytest.approx(known.to_dict(), rel=1 / 1024)


def test_throughput_over_time_is_that_of_the_timeline(answers: dict[str, Any]) -> None:
    results: Results = answers["results"].select(scenario="gin-panic")
    joined = results.table("timeline").merge(results.table("runs")[["run_id", "variant"]])
    sums = joined.groupby(["variant", "second"])[["requests", "span_s"]].sum()
    known = (sums["requests"] / sums["span_s"]).to_dict()
    assert len(known) > 10
    for name in ("course", "course_too"):
        made = answers[name].set_index(["variant", "second"])["rps"].to_dict()
        assert made == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize("scenario", [None, "10", "2026-01-02", "a/b=c%20ü ", "null", "x" * 200])
def test_engines_read_the_scenario_from_the_folders(
    scenario: str | None, data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    recorded = benchkit.load(data / "vegeta" / "ok.gob")
    Results([run.with_columns(scenario=scenario) for run in recorded]).ingest(folder)
    files = str(folder / "tables" / "histogram" / "**" / "*.parquet")
    (pair,) = duckdb.sql(
        f"SELECT DISTINCT scenario, tool FROM read_parquet('{files}', hive_types_autocast = false)"  # noqa: S608 - ours
    ).fetchall()
    types = {"scenario": polars.String, "tool": polars.String}
    rows = polars.scan_parquet(files, hive_schema=types).select("scenario", "tool").unique()
    assert rows.collect().rows() == [pair]
    shown = scenario if scenario is None or len(scenario) < 100 else f"{scenario[:12]}~"
    assert pair[1] == "vegeta"
    assert pair[0] == shown or str(pair[0]).startswith(str(shown))


@pytest.mark.parametrize("name", TABLES)
def test_engines_see_the_rows_that_export_writes(name: str, data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "vegeta" / "errors.gob", data / "ab" / "few.txt"])
    results.ingest(tmp_path / "set", requests=True)
    out = io.BytesIO()
    write_table(results, name, form="parquet", to=out)
    files = tmp_path / "set" / "tables" / name / "**" / "*.parquet"
    columns = ", ".join(f'"{column}"' for column in TABLES[name].names)
    made = duckdb.sql(f"SELECT {columns} FROM read_parquet('{files}')").fetchall()  # noqa: S608 - ours
    (tmp_path / "exported.parquet").write_bytes(out.getvalue())
    exported = duckdb.sql(f"SELECT {columns} FROM '{tmp_path / 'exported.parquet'}'").fetchall()  # noqa: S608 - ours
    assert sorted(map(repr, made)) == sorted(map(repr, exported))
    assert len(made) == len(pd.read_parquet(tmp_path / "exported.parquet"))
