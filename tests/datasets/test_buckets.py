"""A dataset in a bucket is what it is in a folder."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.cli.guard import run as command
from benchkit.errors import InputError, UsageError
from benchkit.export import write_table
from benchkit.ingest.engines.cluster import Cluster
from benchkit.schema import TABLES
from benchkit.stores import store_at

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def exported(results: Results) -> bytes:
    out = io.BytesIO()
    for name in TABLES:
        write_table(results, name, form="csv", to=out)
    return out.getvalue()


def test_it_is_written_added_to_and_read(s3: str, data: Path, tmp_path: Path) -> None:
    address, folder = f"{s3}/archive", tmp_path / "archive"
    for name in ("ok.gob", "errors.gob"):
        for to in (address, folder):
            benchkit.load(data / "vegeta" / name).ingest(to, requests=True)
    assert exported(benchkit.load(address)) == exported(benchkit.load(folder))
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {each.name for each in store_at(address).walk()} == written


def test_commands_take_its_address(s3: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"{s3}/deep/archive"
    assert command(["ingest", str(data / "vegeta" / "ok.gob"), "--to", address]) == 0
    capsys.readouterr()
    assert command(["show", f"old={address}"]) == 0
    assert "old" in capsys.readouterr().out


def test_what_is_wrong_is_a_line(s3: str, data: Path) -> None:
    address = f"{s3}/archive"
    results = benchkit.load(data / "vegeta" / "ok.gob")
    results.ingest(address)
    store = store_at(address)
    (name,) = (each.name for each in store.walk("tables/runs"))
    whole = store.read(name)
    for damaged in (whole[:-1], whole + b"\0", b"", bytes(len(whole))):
        store.replace(name, damaged)
        with pytest.raises(InputError, match=r"tables/runs/.*: expected"):
            benchkit.load(address)
    store.delete(name)
    with pytest.raises(InputError, match="found 'nothing there'"):
        benchkit.load(address)
    store.put("elsewhere/letter.txt", b"dear")
    with pytest.raises(UsageError, match="is no dataset and not empty"):
        results.ingest(f"{address}/elsewhere")


def test_memory_is_a_store_too(data: Path) -> None:
    pytest.importorskip("obstore")
    results = benchkit.load(data / "vegeta" / "ok.gob")
    assert results.ingest("memory://datasets/archive") == 1
    assert exported(benchkit.load("memory://datasets/archive")) != b""
    assert results.ingest("memory://datasets/archive") == 0


def test_shards_of_a_bucket_are_combined_in_a_bucket(s3: str, data: Path) -> None:
    inputs, parts, whole = f"{s3}/results", f"{s3}/parts", f"{s3}/whole"
    for name in ("ok.gob", "ok.csv", "errors.gob"):
        store_at(inputs).put(name, (data / "vegeta" / name).read_bytes())
    store_at(inputs).put("meta.json", b'{"scenario": "far"}')
    assert command(["ingest", f"{inputs}/", "--to", whole]) == 0
    for number in (1, 2):
        assert command(["ingest", f"{inputs}/", "--to", parts, "--shard", f"{number}/2"]) == 0
    assert command(["ingest", "--to", parts]) == 0
    assert exported(benchkit.load(parts)) == exported(benchkit.load(whole))
    names = [[each.name for each in store_at(address).walk()] for address in (parts, whole)]
    assert names[0] == names[1]


def test_workers_read_a_bucket(s3: str, data: Path) -> None:
    for name in ("ok.gob", "errors.gob"):
        store_at(f"{s3}/results").put(name, (data / "vegeta" / name).read_bytes())
    there = benchkit.load(f"{s3}/results/", engine=Cluster(workers=1))
    assert exported(there) == exported(benchkit.load(f"{s3}/results/"))
