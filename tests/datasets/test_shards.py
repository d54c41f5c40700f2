"""Reading divided among jobs, and gone on with after an interruption: the bytes of one job."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from benchkit.api import load
from benchkit.cli.guard import run as benchkit
from benchkit.datasets.shards import Shard, combined_shards
from benchkit.errors import BenchkitError, InputError, UsageError
from benchkit.export import write_table
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.schema import TABLES
from benchkit.stores import store_at
from tests.shares import share

SECRET: Final = "secret-token-1234567890"  # noqa: S105 - of nobody


def ingest(*arguments: str | Path) -> None:
    assert benchkit(["ingest", *map(str, arguments)]) == 0


def files_of(dataset: Path) -> dict[str, bytes]:
    paths = [path for path in dataset.rglob("*") if path.is_file()]
    return {str(path.relative_to(dataset)): path.read_bytes() for path in paths}


@pytest.fixture
def whole(tmp_path: Path) -> Callable[[Path], dict[str, bytes]]:
    def made(folder: Path) -> dict[str, bytes]:
        ingest(folder, "--to", tmp_path / "whole")
        return files_of(tmp_path / "whole")

    return made


@pytest.mark.parametrize("count", [1, 3, 100])  # the last with more shards than files
def test_any_number_of_shards_is_the_dataset_of_one_job(
    count: int, data: Path, tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    for number in reversed(range(1, count + 1)):
        ingest(data / "vegeta", "--to", tmp_path / "parts", "--shard", f"{number}/{count}")
    ingest("--to", tmp_path / "parts")
    assert files_of(tmp_path / "parts") == whole(data / "vegeta")
    assert not (tmp_path / "parts" / "outcomes").exists()


def test_shards_of_many_tools_are_the_dataset_of_one_job(data: Path, tmp_path: Path) -> None:
    folders = share(sorted(path for path in data.iterdir() if path.is_dir()), 8)
    for number in (1, 2):
        ingest(*folders, "--to", tmp_path / "parts", "--shard", f"{number}/2")
    ingest("--to", tmp_path / "parts")
    ingest(*folders, "--to", tmp_path / "whole")
    assert files_of(tmp_path / "parts") == files_of(tmp_path / "whole")


def test_shards_of_the_folder_in_which_the_dataset_lies(
    data: Path, tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    results = tmp_path / "results"
    shutil.copytree(data / "wrk", results)
    wanted = whole(results)
    for number in (1, 2):
        ingest(results, "--to", results / "set", "--shard", f"{number}/2")
    ingest("--to", results / "set")
    assert files_of(results / "set") == wanted
    ingest(results, "--to", results / "set")
    assert files_of(results / "set") == wanted


def test_metadata_samples_and_labels_are_those_of_one_job(
    tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    results = Path(__file__).resolve().parents[2] / "examples" / "results" / "gin-panic"
    for number in (1, 2):
        ingest(results, "--to", tmp_path / "parts", "--shard", f"{number}/2")
    ingest("--to", tmp_path / "parts")
    assert files_of(tmp_path / "parts") == whole(results)


def test_shards_are_put_together_where_the_files_are_not(
    data: Path, tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    folder = tmp_path / "results"
    shutil.copytree(data / "vegeta", folder)
    (folder / "meta.json").write_text('{"offered_rate_rps": 100}', encoding="utf-8")
    wanted = whole(folder)
    for number in (1, 2):
        ingest(folder, "--to", tmp_path / "parts", "--shard", f"{number}/2")
    shutil.rmtree(folder)
    ingest("--to", tmp_path / "parts")
    assert files_of(tmp_path / "parts") == wanted
    assert b'"late_share"' in b"".join(wanted.values()) or b"lateness" in b"".join(wanted.values())


def test_lateness_is_known_though_another_shard_has_the_rate(
    data: Path,
    tmp_path: Path,
    whole: Callable[[Path], dict[str, bytes]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    report = (data / "vegeta" / "errors.report.txt").read_text(encoding="utf-8")
    command = "$ vegeta attack -rate=120 -duration=3s | tee a.gob | vegeta report"
    (folder / "a.txt").write_text(f"{command}\n{report}", encoding="utf-8")
    shutil.copy(data / "vegeta" / "errors.gob", folder / "a.gob")
    wanted = whole(folder)
    for number in (1, 2, 3):
        ingest(folder, "--to", tmp_path / "parts", "--shard", f"{number}/3")
    records = [json.loads(path.read_bytes()) for path in (tmp_path / "parts/shards").iterdir()]
    assert sorted(len(record["outcomes"]) for record in records) == [0, 1, 1]
    shutil.rmtree(folder)
    ingest("--to", tmp_path / "parts")
    assert files_of(tmp_path / "parts") == wanted
    benchkit(["check", str(tmp_path / "parts")])
    assert "Requests were sent late [LATE_SENDS]" in capsys.readouterr().out


def test_labels_of_another_call_are_those_of_that_call(data: Path, tmp_path: Path) -> None:
    gob, parts = data / "vegeta" / "ok.gob", tmp_path / "parts"
    for label in ("old", "new"):
        ingest(f"{label}={gob}", "--to", parts, "--shard", "1/1")
    ingest("--to", parts)
    assert [run.label for run in load(parts)] == ["new"]


@pytest.mark.parametrize("engine", ["serial", "shards"])
@pytest.mark.parametrize(
    "named",
    ["a={0}/ok.gob b={0}/ok.gob", "{0} b={0}/ok.gob", "b={0}/ok.gob {0}", "a={0} b={0}"],
)
def test_what_is_named_with_two_labels_is_what_the_files_give(
    named: str, engine: str, data: Path, tmp_path: Path
) -> None:
    folder, dataset = tmp_path / "results", tmp_path / "set"
    folder.mkdir()
    for name in ("ok.gob", "errors.gob"):
        shutil.copy(data / "vegeta" / name, folder)
    paths = named.format(folder).split()
    if engine == "serial":
        ingest(*paths, "--to", dataset)
    else:
        for number in (1, 2):
            ingest(*paths, "--to", dataset, "--shard", f"{number}/2")
        ingest("--to", dataset)
    read, kept = load(paths), load(dataset)
    for table in TABLES:
        given, stored = BytesIO(), BytesIO()
        write_table(read, table, form="csv", to=given)
        write_table(kept, table, form="csv", to=stored)
        assert table == "requests" or stored.getvalue() == given.getvalue()


def test_missing_shards_are_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(data / "ab", "--to", tmp_path / "parts", "--shard", "2/3")
    assert "shard 2/3; missing yet: 1 and 3" in capsys.readouterr().out
    with pytest.raises(InputError, match=r"expected all 3 shards, found 'none of 1, 3'"):
        combined_shards(store_at(str(tmp_path / "parts")))
    assert benchkit(["show", str(tmp_path / "parts")]) == 2
    assert "expected a complete dataset" in capsys.readouterr().err


def test_shards_of_other_files_are_not_put_together(data: Path, tmp_path: Path) -> None:
    for number, folder in enumerate(("ab", "wrk"), 1):
        ingest(data / folder, "--to", tmp_path / "parts", "--shard", f"{number}/2")
    with pytest.raises(InputError, match="the shards of one reading, of the same files"):
        combined_shards(store_at(str(tmp_path / "parts")))


def test_shards_that_another_benchkit_read_are_not_put_together(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, version in enumerate(("benchkit 1", "benchkit 2"), 1):
        monkeypatch.setattr("benchkit.datasets.shards.reader", lambda version=version: version)
        ingest(data / "ab", "--to", tmp_path / "parts", "--shard", f"{number}/2")
    with pytest.raises(InputError, match="by the same benchkit"):
        combined_shards(store_at(str(tmp_path / "parts")))


def test_a_path_that_is_missing_is_told_by_each_shard(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        paths = data / "ab", tmp_path / "mistyped"
        ingest(*paths, "--to", tmp_path / "parts", "--shard", f"{number}/2")
        assert "skipped " in (error := capsys.readouterr().err)
        assert "mistyped" in error


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "1/3/5", "-1/3", "1/99999999"])
def test_what_is_no_shard_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="write for example 3/16"):
        Shard.of_text(text)


def test_standard_input_is_in_no_shard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert benchkit(["ingest", "-", "--to", str(tmp_path / "parts"), "--shard", "1/2"]) == 2
    assert "standard input ('-') is in no shard" in capsys.readouterr().err


def test_no_credentials_are_kept(data: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    report = (data / "wrk" / "plain.txt").read_text(encoding="utf-8")
    url = f"http://user:{SECRET}@127.0.0.1:8080/?access_token={SECRET}"
    page = f"$ wrk -H 'Authorization: Bearer {SECRET}' {url}\n{report}"
    (results / "wrk.txt").write_text(page, encoding="utf-8")
    (results / "meta.json").write_text(json.dumps({"url": url}), encoding="utf-8")
    ingest(results, "--to", tmp_path / "parts", "--shard", "1/1")
    kept = files_of(tmp_path / "parts")
    assert len(kept) == 4
    assert not any(SECRET.encode() in content for content in kept.values())


# --- gone on with ---


def test_what_is_kept_is_not_read_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "results"
    shutil.copytree(data / "wrk", folder)
    ingest(folder, "--to", tmp_path / "parts", "--shard", "1/1")
    read = []

    def counted(file: Input, **options: Any) -> FileOutcome:  # noqa: ANN401 - as they are
        read.append(file.file)
        return read_file(file, **options)

    monkeypatch.setattr("benchkit.ingest.engines.read_file", counted)
    (folder / "plain.txt").write_bytes((data / "wrk" / "latency.txt").read_bytes())
    ingest(folder, "--to", tmp_path / "parts", "--shard", "1/1")
    outputs = {path.name for path in folder.iterdir() if path.suffix == ".txt"}
    assert "plain.txt" in read
    assert len(outputs.intersection(read)) < len(outputs) / 2


def test_a_killed_client_goes_on_with_what_is_kept(
    data: Path, tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    dataset = tmp_path / "parts"
    arguments = [data / "vegeta", "--to", dataset, "--engine", "dask"]
    command = [sys.executable, "-m", "benchkit", "ingest", *map(str, arguments)]
    client = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not list(dataset.glob("outcomes/*.json")):
        assert client.poll() is None
        time.sleep(0.01)
    workers = psutil.Process(client.pid).children(recursive=True)
    client.kill()
    client.wait()
    assert not list(dataset.glob("manifest-*"))
    psutil.wait_procs(workers, timeout=60)
    assert not [worker for worker in workers if worker.is_running()]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert files_of(dataset) == whole(data / "vegeta")


# --- of strangers ---


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"benchkit_sends": 1, "seq": "", "started_ns": "", "latency_ns": ""}',
        '{"benchkit_sends": 1, "seq": "AA==", "started_ns": "AA==", "latency_ns": "AAA="}',
        '{"benchkit_sends": 1, "seq": [0], "started_ns": [0], "latency_ns": [0]}',
    ],
)
def test_hostile_sends_are_one_line(text: str, data: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "parts"
    (tmp_path / "meta.json").write_text('{"offered_rate_rps": 100}', encoding="utf-8")
    shutil.copy(data / "vegeta" / "ok.gob", tmp_path)
    ingest(tmp_path, "--to", dataset, "--shard", "1/1", "--ignore", "parts")
    (_, _, name), *_ = json.loads((dataset / "shards" / "1-of-1.json").read_bytes())["sends"]
    (dataset / "outcomes" / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        combined_shards(store_at(str(dataset)))
    assert name in str(caught.value)
    assert "ingest the shard again" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"benchkit_shard": 1},
        {"number": 0},
        {"outcomes": [[0, "../../secret", None]]},
        {"outcomes": [[0, "0" * 40 + ".json", None]]},
        {"outcomes": "all"},
        {"named": None},
        {"more": 1},
        {"sends": [[9999, 1, "0" * 40 + ".json"]]},
    ],
)
def test_a_hostile_shard_is_one_line(change: dict[str, Any], data: Path, tmp_path: Path) -> None:
    ingest(data / "ab" / "few.txt", "--to", tmp_path / "parts", "--shard", "1/1")
    path = tmp_path / "parts" / "shards" / "1-of-1.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change), encoding="utf-8")
    with pytest.raises(BenchkitError) as caught:
        combined_shards(store_at(str(tmp_path / "parts")))
    assert "\n" not in str(caught.value)


def test_damaged_outcomes_are_read_again_from_the_files(
    data: Path, tmp_path: Path, whole: Callable[[Path], dict[str, bytes]]
) -> None:
    dataset = tmp_path / "parts"
    ingest(data / "ab", "--to", dataset, "--shard", "1/1")
    for path in dataset.glob("outcomes/*.json"):
        os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(InputError, match="remove it, and ingest again"):
        combined_shards(store_at(str(dataset)))
    ingest(data / "ab", "--to", dataset, "--shard", "1/1")
    ingest("--to", dataset)
    assert files_of(dataset) == whole(data / "ab")
