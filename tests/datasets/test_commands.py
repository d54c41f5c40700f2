"""Every command says of a dataset what it says of the files."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchkit.cli.guard import run as command

ROOT = Path(__file__).resolve().parents[2]
RAW = ROOT / "examples" / "results" / "quickstart"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands") / "set"
    assert command(["ingest", str(RAW), "--to", str(folder)]) == 0
    return folder


def outcome_of(given: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    capsys.readouterr()
    status = command(list(given))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def of_the_dataset(text: str, dataset: Path) -> str:
    """Return a text with the commands in it as if they were about the dataset."""
    return re.sub(rf"(benchkit \w+) {re.escape(str(RAW))}", rf"\1 {dataset}", text)


SAYING = [
    ["show"],
    ["show", "--format", "json"],
    ["show", "--variant", "threads", "--variant", "blocking"],
    ["show", "--without", "quickstart/threads/1"],
    ["compare"],
    ["compare", "--metric", "p90", "--format", "csv"],
    ["compare", "--trim-start", "200ms"],
    ["check", "--require", "p99<250ms"],
    ["files"],
    ["files", "--format", "json"],
    ["plan"],
    ["report", "--format", "markdown"],
    *(["export", "--table", name] for name in ("runs", "histogram", "resources", "notes", "files")),
]


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("given", SAYING, ids=" ".join)
def test_what_is_printed_is_the_same(
    given: list[str], dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = outcome_of([given[0], str(RAW), *given[1:]], capsys)
    same = outcome_of([given[0], str(dataset), *given[1:]], capsys)
    assert (status, of_the_dataset(out, dataset), err) == same
    assert out


@pytest.mark.parametrize(
    "given", [["report", "-o", "page.html"], ["plot", "--kind", "percentiles", "-o", "plot.svg"]]
)
def test_what_is_written_is_the_same(
    given: list[str], dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = []
    for path in (RAW, dataset):
        assert command([given[0], str(path), *given[1:]]) == 0
        text = Path(given[-1]).read_text(encoding="utf-8")
        written.append(of_the_dataset(text, dataset))
    assert written[0] == written[1]


def test_saved_runs_are_the_same(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for name, path in (("a", RAW), ("b", dataset)):
        store = tmp_path / name
        given = ["save", str(path), "--to", str(store), "--commit", "1", "--branch", "main"]
        assert command(given) == 0
        status, out, _ = outcome_of(["export", f"{store}@main", "--table", "histogram"], capsys)
        assert status == 0
        shown.append(out)
    assert shown[0] == shown[1]


def test_a_dataset_is_compared_with_files(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = outcome_of(
        ["compare", f"old={dataset}", f"new={RAW}", "--variant", "new", "--format", "json"], capsys
    )
    assert (status, out) == (2, "")
    status, out, _ = outcome_of(["show", f"old={dataset}", str(RAW), "--format", "json"], capsys)
    assert status == 0
    variants = {row["variant"] for row in json.loads(out)}
    assert {"threads", "threads, old"} <= variants


def test_no_output_takes_the_place_of_a_file_of_the_dataset(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (*dataset.glob("manifest-*"), *dataset.glob("tables/runs/*")):
        before = path.read_bytes()
        status, _, err = outcome_of(["export", str(dataset), "-o", str(path)], capsys)
        assert status == 2
        assert "is one of the inputs" in err
        assert path.read_bytes() == before


def test_secrets_are_neither_kept_nor_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = (ROOT / "tests/data/wrk/plain.txt").read_text(encoding="utf-8")
    path = tmp_path / "a.txt"
    path.write_text(f"$ wrk -H 'Authorization: Bearer hunter2hunter2' http://h/\n{recording}")
    folder = tmp_path / "set"
    assert command(["ingest", str(path), "--to", str(folder), "--requests"]) == 0
    for file in folder.rglob("*"):
        assert file.is_dir() or b"hunter2" not in file.read_bytes()
    status, _, err = outcome_of(
        ["ingest", str(path), "--to", str(folder), "--show-secrets"], capsys
    )
    assert status == 2
    assert "keeps no credentials" in err


def test_the_command_says_what_it_added(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "set")
    _, out, _ = outcome_of(["ingest", str(RAW), "--to", folder], capsys)
    assert out == f"{folder}: 32 runs\n"
    _, out, _ = outcome_of(["ingest", str(RAW), "--to", folder], capsys)
    assert out == f"{folder}: 32 runs, 0 of them new\n"
    assert sorted(p.name for p in tmp_path.glob("set/tables/*")) == sorted(
        p.name for p in dataset.glob("tables/*")
    )


@pytest.mark.parametrize("damaged", [True, False])
def test_strictly_nothing_damaged_is_ingested(*, damaged: bool, tmp_path: Path) -> None:
    text = (ROOT / "tests/data/ab/few.txt").read_text(encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(text, encoding="utf-8")
    if damaged:
        shutil.copy(ROOT / "tests/data/ab/refused.txt", tmp_path / "in")
    folder = tmp_path / "set"
    given = ["ingest", str(tmp_path / "in"), "--to", str(folder), "--strict"]
    assert command(given) == (2 if damaged else 0)
    assert folder.exists() is not damaged


@pytest.mark.parametrize("shard", [[], ["--shard", "1/2"]])
def test_without_dask_nothing_is_made(
    shard: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    target = tmp_path / "set"
    given = ["ingest", str(RAW), "--to", str(target), "--engine", "dask", *shard]
    status, _, errors = outcome_of(given, capsys)
    assert (status, "pip install 'distributed>=2024.5' 'bokeh>=3.1'" in errors) == (2, True)
    assert not target.exists()
