"""Which files hold the same run: their figures tell, not their place."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import benchkit
from benchkit.results import Results

Put = Callable[..., Path]


@pytest.fixture
def put(data: Path, tmp_path: Path) -> Put:
    """Copy a recorded file to a place under the test's folder."""

    def copy(source: str, target: str) -> Path:
        path = tmp_path / target
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(data / source, path))

    return copy


def found(folder: Path) -> list[tuple[str, set[str]]]:
    """Return (file, other files) of each run, by name."""
    runs = benchkit.load(folder).runs
    others = runs["other_sources"].fillna("")
    return [
        (Path(source).name, {Path(name).name for name in other.split("; ") if name})
        for source, other in zip(runs["source"], others, strict=True)
    ]


@pytest.mark.parametrize("name", ["ok", "mixed-post", "errors"])
def test_vegetas_binary_and_everything_made_from_it_is_one_run(
    data: Path, put: Put, tmp_path: Path, name: str
) -> None:
    files = [
        f.name for f in (data / "vegeta").glob(f"{name}.*") if f.suffix not in {".cmd", ".targets"}
    ]
    for file in files:
        put(f"vegeta/{file}", file)
    assert found(tmp_path) == [(f"{name}.gob", set(files) - {f"{name}.gob"})]


@pytest.mark.parametrize("name", ["slow-all", "odd", "few", "reset-r"])
def test_abs_report_and_its_two_files_are_one_run(put: Put, tmp_path: Path, name: str) -> None:
    for suffix in ("csv", "tsv", "txt"):
        put(f"ab/{name}.{suffix}", f"{name}.{suffix}")
    assert found(tmp_path) == [(f"{name}.tsv", {f"{name}.csv", f"{name}.txt"})]


def test_autocannons_json_and_table_are_one_run(put: Put, tmp_path: Path) -> None:
    put("autocannon/same-run.json", "out.json")
    put("autocannon/same-run.txt", "err.txt")
    assert found(tmp_path) == [("out.json", {"err.txt"})]


def test_two_runs_in_one_folder_stay_two(put: Put, tmp_path: Path) -> None:
    for name in ("ab-with.txt", "pct-with.csv", "ab-without.txt", "pct-without.csv"):
        put(f"ab/two-runs/{name}", name)
    assert found(tmp_path) == [
        ("ab-with.txt", {"pct-with.csv"}),
        ("ab-without.txt", {"pct-without.csv"}),
    ]


def test_names_that_mislead_do_not_mislead(put: Put, tmp_path: Path) -> None:
    put("ab/two-runs/ab-with.txt", "ab-with.txt")
    put("ab/two-runs/ab-without.txt", "ab-without.txt")
    put("ab/two-runs/pct-with.csv", "pct-without.csv")
    put("ab/two-runs/pct-without.csv", "pct-with.csv")
    assert found(tmp_path) == [
        ("ab-with.txt", {"pct-without.csv"}),
        ("ab-without.txt", {"pct-with.csv"}),
    ]


def test_neighbours_whose_figures_differ_are_two_runs(put: Put, tmp_path: Path) -> None:
    put("ab/two-runs/ab-with.txt", "run.txt")
    put("ab/two-runs/pct-without.csv", "run.csv")
    assert found(tmp_path) == [("run.csv", set()), ("run.txt", set())]


def test_a_run_far_away_is_known_again(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.gob", "raw/2026/results.bin")
    put("vegeta/ok.report.txt", "notes/vegeta.txt")
    assert found(tmp_path) == [("results.bin", {"vegeta.txt"})]


def test_a_report_quoted_in_a_page_is_the_run_of_its_file(put: Put, tmp_path: Path) -> None:
    report = put("wrk/latency.txt", "wrk.txt").read_text(encoding="utf-8")
    page = f"# Our server\n\nIt is fast:\n\n```\n{report}```\n"
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    assert len(benchkit.load(tmp_path)) == 1


def states(results: Results) -> dict[str, str]:
    names = [Path(source).name for source in results.files["source"]]
    return dict(zip(names, results.files["state"], strict=True))


def test_the_same_content_twice_is_one_run(put: Put, tmp_path: Path) -> None:
    path = put("autocannon/refused.json", "a.json")
    put("autocannon/refused.json", "b.json")
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    results = benchkit.load(tmp_path)
    assert len(results) == 1
    assert states(results) == {"a.json": "read", "b.json": "duplicate", "c.json.gz": "duplicate"}


def test_an_encoding_of_two_attacks_is_the_two_runs_again(put: Put, tmp_path: Path) -> None:
    for name in ("two-attacks.gob", "two-attacks.csv", "named-a.gob", "named-b.gob"):
        put(f"vegeta/{name}", name)
    results = benchkit.load(tmp_path)
    assert sorted(results.runs["variant"]) == ["a", "b"]
    assert results.runs["other_sources"].notna().all()


@pytest.mark.parametrize("name", ["ok", "mixed-post", "errors"])
def test_reports_without_their_binary_are_one_run(put: Put, tmp_path: Path, name: str) -> None:
    files = {f"{name}.report.json", f"{name}.report.txt", f"{name}.hist.txt", f"{name}.hdrplot.txt"}
    for file in files:
        put(f"vegeta/{file}", file)
    assert found(tmp_path) == [(f"{name}.report.json", files - {f"{name}.report.json"})]


def test_a_histogram_of_another_run_stays_apart(put: Put, tmp_path: Path) -> None:
    put("vegeta/ok.report.json", "ok.json")
    put("vegeta/errors.hist.txt", "ok.txt")
    assert len(found(tmp_path)) == 2
