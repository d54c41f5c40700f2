"""What `benchkit ingest` leaves alone, and refuses rather than lose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchkit.cli.guard import run as benchkit


@pytest.fixture
def dataset(data: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    assert benchkit(["ingest", str(data / "wrk" / "plain.txt"), "--to", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", ["outcomes", "shards"])
def test_what_a_link_leads_to_stays(name: str, data: Path, dataset: Path, tmp_path: Path) -> None:
    outside = tmp_path / "papers"
    outside.mkdir()
    (outside / "thesis.txt").write_text("years of work", encoding="utf-8")
    (dataset / name).symlink_to(outside)
    before = sorted(dataset.iterdir())
    assert benchkit(["ingest", str(data / "vegeta" / "ok.gob"), "--to", str(dataset)]) == 2
    assert sorted(dataset.iterdir()) == before
    assert (outside / "thesis.txt").read_text(encoding="utf-8") == "years of work"


def test_files_of_others_among_outcomes_stay(data: Path, dataset: Path) -> None:
    (dataset / "outcomes").mkdir()
    (dataset / "outcomes" / "my-notes.txt").write_text("mine", encoding="utf-8")
    assert benchkit(["ingest", str(data / "vegeta" / "ok.gob"), "--to", str(dataset)]) == 0
    assert (dataset / "outcomes" / "my-notes.txt").exists()


def test_rows_in_the_making_overwrite_nothing(data: Path, dataset: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    (dataset / ".benchkit-requests.tmp").symlink_to(victim)
    gob = str(data / "vegeta" / "errors.gob")
    assert benchkit(["ingest", gob, "--to", str(dataset), "--requests"]) == 0
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_manifest_of_the_last_number_of_six_digits_is_followed(data: Path, dataset: Path) -> None:
    (dataset / "manifest-000001.json").rename(dataset / "manifest-999999.json")
    assert benchkit(["ingest", str(data / "vegeta" / "ok.gob"), "--to", str(dataset)]) == 0
    assert benchkit(["show", str(dataset)]) == 0
    assert [path.name for path in dataset.glob("manifest-*")] == ["manifest-1000000.json"]


def test_no_dataset_is_made_within_another(
    data: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = dataset / "tables" / "mine"
    assert benchkit(["ingest", str(data / "vegeta" / "ok.gob"), "--to", str(inner)]) == 2
    assert "lies in the dataset" in capsys.readouterr().err
    assert not inner.exists()


def test_shards_that_wait_are_not_thrown_away(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "parts"
    assert benchkit(["ingest", str(data / "wrk"), "--to", str(folder), "--shard", "1/2"]) == 0
    assert benchkit(["ingest", str(data / "ab"), "--to", str(folder)]) == 2
    assert "holds shards that are not combined" in capsys.readouterr().err
    assert benchkit(["ingest", str(data / "wrk"), "--to", str(folder), "--shard", "2/2"]) == 0
    assert benchkit(["ingest", "--to", str(folder)]) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--shard", "1/1"], "--shard 1/1: name the paths to read"),
        ([], "no shards in"),
        (["{data}/wrk", "--shard", "1/2", "--variant", "a"], "--variant: not of shards; choose"),
        (["{data}/wrk", "--shard", "1/2", "--requests"], "--requests: not of shards; rows"),
        (["{data}/wrk", "--shard", "1/2", "--strict"], "--strict: not of shards; say so"),
        (["{set}", "--shard", "1/2"], "a dataset is in no shard"),
    ],
)
def test_what_has_no_meaning_with_shards_is_refused(
    given: list[str], message: str, data: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [each.format(data=data, set=dataset) for each in given]
    new = dataset.parent / "new"
    assert benchkit(["ingest", *arguments, "--to", str(new)]) == 2
    assert message in capsys.readouterr().err
    assert not new.exists()


@pytest.mark.parametrize(
    "change", [{"count": 999_999_999_999}, {"count": 1}, {"outcomes": [[-5, "0" * 40, None]]}]
)
def test_a_shard_that_is_not_what_its_name_says_is_refused(
    change: dict[str, object], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "parts"
    assert benchkit(["ingest", str(data / "wrk"), "--to", str(folder), "--shard", "1/2"]) == 0
    path = folder / "shards" / "1-of-2.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), encoding="utf-8")
    assert benchkit(["ingest", "--to", str(folder)]) == 2
    assert "expected a shard of a dataset" in capsys.readouterr().err


def test_a_link_to_nothing_among_shards_is_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "parts"
    assert benchkit(["ingest", str(data / "wrk"), "--to", str(folder), "--shard", "1/2"]) == 0
    (folder / "shards" / "2-of-2.json").symlink_to("nowhere")
    capsys.readouterr()
    assert benchkit(["ingest", "--to", str(folder)]) == 2
    assert "a link to nothing" in capsys.readouterr().err
