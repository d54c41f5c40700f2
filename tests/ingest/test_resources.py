"""Samples of processes beside an output."""

import gzip
import shutil
from pathlib import Path

import pytest

import benchkit
from benchkit.cli.guard import run as command
from benchkit.errors import InputError
from benchkit.ingest.resources import Samples, read_resources

HEADER = "elapsed_s,process,cpu_ratio,rss_bytes,threads,descriptors\n"

ELAPSED = "'elapsed_s' to be a number, at least 0, below 3,155,760,000"


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


@pytest.mark.parametrize("header", ["time,cpu\n", "", "process\n"])
def test_a_file_of_that_name_may_be_a_strangers(header: str, run: Path) -> None:
    (run / "resources.csv").write_text(header + "1,2,3\n", encoding="utf-8")
    assert read_resources(str(run)) is None
    results = benchkit.load(run)
    assert results.resources.empty
    assert results.files["state"].tolist() == ["read", "foreign"]


@pytest.mark.parametrize(
    ("content", "actual"),
    [(b"", "nothing"), (b"\n \n", "nothing"), (gzip.compress(HEADER.encode(), mtime=0), "gzip")],
    ids=["empty", "blank", "packed"],
)
def test_what_holds_no_samples_is_told(content: bytes, actual: str, run: Path) -> None:
    (run / "resources.csv").write_bytes(content)
    error = read_resources(str(run))
    assert isinstance(error, InputError)
    assert error.actual == actual


@pytest.mark.parametrize(
    ("header", "actual"),
    [
        (b"elapsed_s,process,cpu\n", "'cpu'"),
        (b"elapsed_s,cpu_ratio\n", "no 'process'"),
        (b"elapsed_s;process;cpu_ratio\n", "no 'elapsed_s', no 'process'"),
        (b"elapsed_s,process,process\n", "'process' twice"),
        ("elapsed_s,process\n".encode("utf-16"), "can't decode byte 0xff"),
        (b"\0elapsed_s,process\n", "no 'elapsed_s'"),
    ],
)
def test_a_header_of_ours_that_does_not_fit_is_told(header: bytes, actual: str, run: Path) -> None:
    (run / "resources.csv").write_bytes(header + b"1,2,3\n")
    error = read_resources(str(run))
    assert isinstance(error, InputError)
    assert actual in str(error)


@pytest.mark.parametrize(
    ("row", "actual"),
    [
        (
            "1_0,server,0.5,1,3,7\n",
            "'elapsed_s' to be a number, at least 0, below 3,155,760,000, found '1_0'",
        ),
        (
            "4e9,server,0.5,1,3,7\n",
            "'elapsed_s' to be a number, at least 0, below 3,155,760,000, found '4e9'",
        ),
        ("0.25,server,fast,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found 'fast'"),
        ("0.25,server,0.5,1,3.5,7\n", "'threads' to be a whole number, at least 0, found '3.5'"),
        ("0.25,server,-1,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found '-1'"),
        ("0.25,server,nan,1,3,7\n", "'cpu_ratio' to be a number, at least 0, found 'nan'"),
        (",server,0.5,1,3,7\n", f"{ELAPSED}, found 'nothing'"),
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


CUT = "1,a,1,50000000,2,3\n2,a,1,5"
LAST = "its last row has no end of line, so that it may be cut off, and is left out"


@pytest.mark.parametrize(
    ("rows", "kept", "lost"),
    [
        ("1,a,1,50,2,3\n2,a,1,50,2,3\n", [1.0, 2.0], None),
        ("1,a,1,50,2,3\r\n2,a,1,50,2,3\r\n", [1.0, 2.0], None),
        ("", [], None),
        ("1,a,1,50,2,3\n2,a,1,50,2,3", [1.0], LAST),
        (CUT, [1.0], LAST),
        ("1,a,1,50,2,3\n2,a,-", [1.0], LAST),
        ('1,a,1,50,2,3\n2,"a', [1.0], LAST),
        (
            "1,a,1,50,2,3\n2,a,1,5\n3,a,1,50,2,3\n",
            [1.0, 3.0],
            "1 row has fewer cells than the header (line 3) and is left out",
        ),
        (
            "1,a\n2,a,1,5\n3,a,1",
            [],
            f"2 rows have fewer cells than the header (line 2) and are left out; {LAST}",
        ),
    ],
)
def test_a_row_that_may_be_cut_off_is_left_out(
    rows: str, kept: list[float], lost: str | None, run: Path
) -> None:
    """A part of a number is another number: 5 of 50000000."""
    (run / "resources.csv").write_bytes((HEADER + rows).encode())
    samples = read_resources(str(run))
    assert isinstance(samples, Samples)
    assert ([row["elapsed_s"] for row in samples.rows], samples.lost) == (kept, lost)


def test_what_was_left_out_of_samples_is_told(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "resources.csv").write_text(HEADER + CUT, encoding="utf-8")
    results = benchkit.load(run)
    assert results.resources["rss_bytes"].tolist() == [50_000_000]
    assert [row["message"] for row in results.sources] == [
        None,
        f"{run.as_posix()}/resources.csv: {LAST}",
    ]
    for named, line in (
        (run, f"recovered {run.as_posix()}/resources.csv: {LAST}"),
        (
            run / "report.txt",
            f"recovered {run.as_posix()}/report.txt: resources.csv beside it: {LAST}",
        ),
    ):
        assert command(["show", str(named)]) == 0
        assert command(["show", str(named), "--strict"]) == 2
        assert (
            capsys.readouterr().err
            == f"benchkit: {line}\n" * 2 + "benchkit: --strict: 1 recovered\n"
        )


def test_samples_that_cannot_be_read_are_told_of_a_file_that_is_named(run: Path) -> None:
    (run / "resources.csv").write_text(HEADER + "1,a,x,50,2,3\n", encoding="utf-8")
    (row,) = (row for row in benchkit.load(run / "report.txt").sources if row["state"] == "skipped")
    assert "resources.csv, line 2: expected 'cpu_ratio' to be a number" in row["message"]
