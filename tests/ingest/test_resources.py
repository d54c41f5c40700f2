"""Samples of processes beside an output."""

import shutil
from pathlib import Path

import pytest

import benchkit
from benchkit.errors import InputError
from benchkit.ingest.resources import read_resources

HEADER = "elapsed_s,process,cpu_ratio,rss_bytes,threads,descriptors\n"


@pytest.fixture
def run(tmp_path: Path, data: Path) -> Path:
    shutil.copy(data / "ab" / "few.txt", tmp_path / "report.txt")
    return tmp_path


def test_samples_belong_to_the_run_of_their_folder(run: Path) -> None:
    rows = "0.25,server,0.5,1000,3,7\n0.25,ab,0.1,500,1,5\n0.5,server,,,,\n"
    (run / "resources.csv").write_text(HEADER + rows, encoding="utf-8")
    results = benchkit.load(run)
    (run_id,) = results.runs["run_id"]
    matches = results.resources
    assert set(matches["run_id"]) == {run_id}
    assert matches["process"].tolist() == ["server", "ab", "server"]
    assert matches["cpu_ratio"].tolist()[:2] == [0.5, 0.1]
    assert matches["threads"].isna().tolist() == [False, False, True]
    assert len(results.files) == 1  # like meta.json it is no result itself


def test_where_two_runs_lie_nothing_tells_whose_they_are(run: Path, data: Path) -> None:
    shutil.copy(data / "wrk" / "latency.txt", run / "wrk.txt")
    (run / "resources.csv").write_text(HEADER + "0.25,server,0.5,1,3,7\n", encoding="utf-8")
    assert benchkit.load(run).resources.empty


def test_columns_may_be_missing_or_in_another_order(run: Path) -> None:
    text = "process,elapsed_s,cpu_ratio\nserver,0.25,0.5\n"
    (run / "resources.csv").write_text(text, encoding="utf-8")
    assert benchkit.load(run).resources["cpu_ratio"].tolist() == [0.5]


@pytest.mark.parametrize("header", ["time,cpu\n", "elapsed_s,process,cores\n", "", "process\n"])
def test_a_file_of_that_name_may_be_a_strangers(header: str, run: Path) -> None:
    (run / "resources.csv").write_text(header + "1,2,3\n", encoding="utf-8")
    assert read_resources(str(run)) is None
    results = benchkit.load(run)
    assert results.resources.empty
    assert results.files["state"].tolist() == ["read", "foreign"]


@pytest.mark.parametrize(
    ("row", "actual"),
    [
        ("0.25,server,fast,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found 'fast'"),
        ("0.25,server,0.5,1,3.5,7\n", "'threads' to be a whole number, at least 0, found '3.5'"),
        ("0.25,server,-1,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found '-1'"),
        ("0.25,server,nan,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found 'nan'"),
        (",server,0.5,1,3,7\n", "'elapsed_s' to be a number, at least 0, found 'nothing'"),
        ("0.25,,0.5,1,3,7\n", "'process' to be a string, found 'nothing'"),
        ("0.25,server,0.5,1,3,7,9\n", "as many cells as the header has, found '1 cells too many'"),
    ],
)
def test_a_wrong_row_is_told_and_the_run_is_kept(row: str, actual: str, run: Path) -> None:
    (run / "resources.csv").write_text(HEADER + "0.1,a,1,1,1,1\n" + row, encoding="utf-8")
    error = read_resources(str(run))
    assert isinstance(error, InputError)
    assert str(error).endswith(f"resources.csv, line 3: expected {actual}")
    results = benchkit.load(run)
    assert (len(results), len(results.resources)) == (1, 0)
    assert results.files["state"].tolist() == ["read", "skipped"]
