"""Many ingests into one dataset, put together: fewer files, and nothing else."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import duckdb
import pytest

import benchkit
from benchkit.cli.guard import run as command
from benchkit.datasets import storage
from benchkit.datasets.compaction import compact
from benchkit.errors import InputError, UsageError
from benchkit.export import write_table
from benchkit.schema import TABLES
from benchkit.stores import store_at

OUTPUTS = ("vegeta/ok.gob", "vegeta/errors.gob", "ab/few.txt", "wrk/plain.txt", "vegeta/one.gob")


@pytest.fixture(scope="module")
def made(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for name in OUTPUTS:
        results = benchkit.load(data / name)
        results.ingest(folder / "set", requests=name == "vegeta/ok.gob")
    return folder / "set"


@pytest.fixture
def dataset(made: Path, tmp_path: Path) -> Path:
    """A dataset of five ingests, one of them with rows."""
    return shutil.copytree(made, tmp_path / "set")


def exported(dataset: Path) -> dict[str, bytes]:
    tables, results = {}, benchkit.load(dataset)
    for name in TABLES:
        out = io.BytesIO()
        write_table(results, name, form="csv", to=out)
        tables[name] = out.getvalue()
    return tables


def parquet_files(dataset: Path, table: str) -> int:
    return len(list((dataset / "tables" / table).rglob("*.parquet")))


def test_what_it_holds_is_the_same_in_few_files(dataset: Path) -> None:
    before = exported(dataset)
    assert parquet_files(dataset, "runs") == len(OUTPUTS)
    many, few = compact(store_at(str(dataset)))
    assert few < many / 2
    assert exported(dataset) == before
    assert parquet_files(dataset, "runs") == 1
    assert parquet_files(dataset, "requests") == 1
    runs = duckdb.read_parquet(f"{dataset}/tables/runs/*.parquet")
    assert len(runs.fetchall()) == len(OUTPUTS)


def test_it_is_what_one_ingest_of_the_dataset_writes(dataset: Path, tmp_path: Path) -> None:
    benchkit.load(dataset).ingest(tmp_path / "anew", requests=True)
    compact(store_at(str(dataset)))
    files = [
        {path.relative_to(folder) for path in (folder / "tables").rglob("*.parquet")}
        for folder in (dataset, tmp_path / "anew")
    ]
    assert files[0] == files[1]


def test_it_goes_on_from_there(dataset: Path, data: Path) -> None:
    compact(store_at(str(dataset)))
    assert benchkit.load(data / OUTPUTS[0]).ingest(dataset) == 0
    assert benchkit.load(data / "hey").ingest(dataset) > 0
    many, few = compact(store_at(str(dataset)))
    assert few < many
    assert compact(store_at(str(dataset))) == (few, few)


def test_who_read_meanwhile_is_told_to_begin_again(dataset: Path) -> None:
    results = benchkit.load(dataset)
    compact(store_at(str(dataset)))
    with pytest.raises(InputError, match="written meanwhile: begin again"):
        results.table("histogram")
    assert len(benchkit.load(dataset).table("histogram"))


def test_a_manifest_that_goes_while_it_is_looked_for_is_no_error(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter([[1], [5]])
    monkeypatch.setattr(storage, "manifest_numbers", lambda _store: next(numbers))
    assert len(benchkit.load(dataset)) == len(OUTPUTS)


def test_what_one_that_was_killed_left_goes_with_the_next(dataset: Path, tmp_path: Path) -> None:
    for left in ("manifest-000005.json", "tables/runs"):
        whole = dataset / left
        copied = shutil.copytree if whole.is_dir() else shutil.copy2
        (tmp_path / left).parent.mkdir(exist_ok=True)
        copied(whole, tmp_path / left)
    compact(store_at(str(dataset)))
    known = sorted(dataset.rglob("*"))
    shutil.copy2(tmp_path / "manifest-000005.json", dataset)  # as if it had come no further
    shutil.copytree(tmp_path / "tables" / "runs", dataset / "tables" / "runs", dirs_exist_ok=True)
    assert parquet_files(dataset, "runs") == len(OUTPUTS) + 1
    compact(store_at(str(dataset)))
    assert sorted(dataset.rglob("*")) == known


def test_the_command_says_what_it_has_done(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["compact", str(dataset)]) == 0
    assert " files before, " in capsys.readouterr().out
    assert command(["compact", str(dataset)]) == 0
    assert "nothing to put together" in capsys.readouterr().out


def test_what_cannot_be_read_stays_as_it_is(dataset: Path) -> None:
    path = next((dataset / "tables" / "histogram").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    before = sorted(dataset.rglob("*"))
    with pytest.raises(InputError):
        compact(store_at(str(dataset)))
    assert sorted(dataset.rglob("*")) == before
    with pytest.raises(UsageError, match="is no dataset"):
        compact(store_at(str(dataset / "tables")))
