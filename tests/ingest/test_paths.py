"""Arguments to files: what is missing, closed, special, or named twice."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.errors import NothingToReportError, UsageError
from benchkit.ingest.paths import Input, find_inputs

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A folder with a result, and a folder below it."""
    top = tmp_path / "results"
    (top / "no").mkdir(parents=True)
    shutil.copy(data / "wrk" / "plain.txt", top / "1.txt")
    shutil.copy(data / "wrk" / "latency.txt", top / "no" / "2.txt")
    return top


def refusing(real: Callable[..., Any], *names: str) -> Callable[..., Any]:
    """Return what refuses some names, as the system does where there are no rights."""

    def call(path: str | Path, **options: bool) -> object:
        if Path(path).name in names:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, **options)

    return call


def messages(path: Path) -> list[str]:
    files = benchkit.load(path).files
    return list(files[files["state"] == "skipped"]["message"])


def test_a_file_below_a_closed_folder_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "stat", refusing(Path.stat, "2.txt"))
    (error,) = find_inputs([folder / "no" / "2.txt"])
    line = "expected a file or folder, found 'Permission denied'"
    assert str(error) == f"{folder / 'no' / '2.txt'}: {line}"


def test_a_closed_folder_in_a_tree_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "scandir", refusing(os.scandir, "no"))
    line = "expected a readable folder, found 'Permission denied'"
    assert messages(folder) == [f"{(folder / 'no').as_posix()}: {line}"]


def test_a_folder_that_can_only_be_listed_is_a_line_per_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "stat", refusing(Path.stat, "2.txt"))
    (line,) = messages(folder)
    assert line.endswith("no/2.txt: expected a readable file, found 'Permission denied'")


def test_a_link_that_may_not_be_followed_is_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "3.txt").symlink_to("1.txt")
    monkeypatch.setattr(os, "readlink", refusing(os.readlink, "3.txt"))
    monkeypatch.setattr(Path, "stat", refusing(Path.stat, "3.txt"))
    (line,) = messages(folder)
    assert line.endswith("3.txt: expected a readable file, found 'Permission denied'")


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may read all")
def test_closed_for_real(folder: Path) -> None:
    (folder / "no").chmod(0)
    try:
        assert len(messages(folder)) == 1
    finally:
        (folder / "no").chmod(0o700)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("x=", "'x=' names no file; write label=path"),
        ("", "a path is empty; '.' is this folder"),
        (["x="], "'x=' names no file"),
        (None, "not None"),
        (5, "not 5"),
        ([None], "not None"),
    ],
)
def test_what_names_nothing_is_wrong_use(argument: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        benchkit.load(argument)  # type: ignore[arg-type]


@pytest.fixture
def special(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    (folder / "dangling").symlink_to(folder / "nowhere")
    return folder


@posix
def test_what_is_no_file_is_only_counted_in_a_folder(special: Path) -> None:
    files = benchkit.load(special).files
    names = [Path(source).name for source in files["source"]]
    states = dict(zip(names, files["state"], strict=True))
    assert states == {"1.txt": "read", "2.txt": "read", "fifo": "foreign", "dangling": "skipped"}


@posix
def test_a_link_that_leads_nowhere_is_a_line_in_a_folder_too(folder: Path) -> None:
    (folder / "dangling").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder / "loop")
    nothing, loop = messages(folder)
    assert nothing.endswith("dangling: expected a readable file, found 'a link to nothing'")
    assert "loop: expected a readable file, found " in loop


@posix
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("fifo", "expected a regular file, found 'a FIFO'; pipe it in as '-'"),
        ("/dev/null", "expected a regular file, found 'a device'; pipe it in as '-'"),
        ("dangling", "expected a file or folder, found 'nothing there'"),
    ],
)
def test_what_is_no_file_is_told_where_it_is_named(special: Path, name: str, line: str) -> None:
    files = benchkit.load([special / "1.txt", special / name]).files
    (results,) = files[files["state"] == "skipped"]["message"]
    assert results == f"{special / name}: {line}"


def test_a_file_under_two_labels_is_one_run_and_a_duplicate(folder: Path) -> None:
    path = folder / "1.txt"
    results = benchkit.load([f"a={path}", f"b={path}", f"a={path}", path])
    assert results.runs["label"].tolist() == ["a"]
    files = results.files[["state", "message"]].to_dict("records")
    assert [file["state"] for file in files] == ["read", "duplicate"]
    assert files[1]["message"] == "named before with another label"


def test_a_dataset_below_a_named_folder_is_one_line(folder: Path) -> None:
    benchkit.load(folder / "no").ingest(folder / "archive")
    for _ in range(2):
        results = benchkit.load(folder)
        assert [(Path(row["source"]).name, row["state"]) for row in results.sources] == [
            *(("1.txt", "read"), ("archive", "foreign"), ("2.txt", "read")),
        ]
        assert results.sources[1]["message"] == "a dataset; name it to read it"
        results.ingest(folder / "archive")
    shutil.rmtree(folder / "no")
    (folder / "1.txt").unlink()
    with pytest.raises(NothingToReportError, match=r"where they are named: .*archive$"):
        benchkit.load(folder)


def test_a_glob_that_fits_a_dataset_reads_it(folder: Path) -> None:
    benchkit.load(folder / "no").ingest(folder / "sets" / "a")
    benchkit.load(folder / "1.txt").ingest(folder / "sets" / "b")
    for pattern in ("*", "**", "[ab]"):
        assert len(benchkit.load(folder / "sets" / pattern)) == 2
    (folder / "sets" / "b" / "benchkit-dataset.json").unlink()
    (run,) = benchkit.load(f"x={folder / 'sets' / 'a*'}")
    assert run.variant == "x"


def test_versions_come_in_their_order(tmp_path: Path) -> None:
    """v1.10 was the baseline of v1.9."""
    names = ["app.txt", "app-1.9.txt", "app-1.10.txt", "app2.txt", "v1.9/1.txt", "v1.10/1.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    files = ["app-1.9.txt", "app-1.10.txt", "app.txt", "app2.txt"]

    def listed(path: Path) -> list[str]:
        inputs = (each for each in find_inputs([path]) if isinstance(each, Input))
        return [Path(each.path).relative_to(tmp_path).as_posix() for each in inputs]

    assert listed(tmp_path) == [*files, "v1.9/1.txt", "v1.10/1.txt"]
    assert listed(tmp_path / "*.txt") == files
