"""The hash of a large file, made by a thread."""

from __future__ import annotations

import gzip
import hashlib
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchkit.api import load
from benchkit.ingest.fileruns import FileOutcome
from benchkit.ingest.hashing import Hashing, hash_of_parts
from benchkit.ingest.sources import Opened, open_source
from benchkit.runtime.interpreter import quick_turns

VEGETA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
DATA = bytes(range(256)) * 1000


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 1000)
    (tmp_path / "file").write_bytes(DATA)
    return open_source(tmp_path / "file", name="file")


@pytest.mark.parametrize("ahead", [True, False])
def test_begun_ahead_or_not_the_hash_is_that_of_the_file(opened: Opened, *, ahead: bool) -> None:
    if ahead:
        opened.hash_ahead()
    assert opened.source.content.read(10, 100_000) == DATA[10:100_010]
    assert opened.sha256() == hashlib.sha256(DATA).hexdigest()
    assert opened.sha256() == hashlib.sha256(DATA).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 2500])
def test_pieces_of_any_size_make_the_same_hash(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.hashing._PIECE", 1000)
    (tmp_path / "file").write_bytes(DATA)  # longer by now than when it was opened
    assert Hashing(tmp_path / "file", size).result() == hashlib.sha256(DATA[:size]).hexdigest()


def test_of_a_packed_file_it_is_that_of_the_packed_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 100)
    packed = gzip.compress(DATA)
    (tmp_path / "file.gz").write_bytes(packed)
    opened = open_source(tmp_path / "file.gz", name="file.gz")
    opened.hash_ahead()
    assert opened.source.content.read(0, 1000) == DATA[:1000]
    assert opened.sha256() == hashlib.sha256(packed).hexdigest()


def changed(at: int) -> bytes:
    return DATA[:at] + b"!" + DATA[at + 1 :]


@pytest.mark.parametrize("size", [1, 100_000, len(DATA)])
def test_the_key_of_a_large_file_is_of_its_size_and_of_parts_up_to_its_end(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.hashing._PART", 10)
    keys = set()
    for n, data in enumerate([DATA, DATA[:-1], DATA + b"!", changed(0), changed(len(DATA) - 1)]):
        (tmp_path / str(n)).write_bytes(data[-size:])
        keys.add(hash_of_parts(tmp_path / str(n), min(size, len(data))))
    assert len(keys) == (5 if size == len(DATA) else 3 if size == 1 else 4)


def test_large_files_that_differ_between_the_parts_are_two_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 1000)
    monkeypatch.setattr("benchkit.ingest.hashing._PART", 8)
    raw = (VEGETA / "mixed-post.gob").read_bytes()
    other = raw.replace(b"\xff\xc8", b"\xff\xca", 1)  # a status code 200 becomes 202
    assert raw != other
    for name, data in zip("abcd", (raw, other, raw, other), strict=True):
        (tmp_path / name).write_bytes(data)
    keys = {hash_of_parts(tmp_path / name, len(raw)) for name in "ab"}
    results = load(tmp_path, hashes=False)
    assert results.files["state"].tolist() == ["read", "read", "duplicate", "duplicate"]
    assert results.runs["run_id"].nunique() == 2
    assert results.runs["sha256"].isna().all()
    again = load(tmp_path)
    assert again.runs["run_id"].tolist() == results.runs["run_id"].tolist()
    expected = [hashlib.sha256(data).hexdigest() for data in (raw, other)]
    assert again.runs["sha256"].tolist() == expected
    assert len(keys) == 1


def test_a_file_that_goes_away_is_told_to_whoever_asks_for_its_hash(tmp_path: Path) -> None:
    begun = Hashing(tmp_path / "gone", 1)
    with pytest.raises(FileNotFoundError):
        begun.result()


def test_what_threads_wait_for_their_turn_is_as_before_afterwards() -> None:
    before = sys.getswitchinterval()
    other = ExitStack()
    with quick_turns():
        other.enter_context(quick_turns())
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() < before
    other.close()
    assert sys.getswitchinterval() == before


def test_a_file_that_goes_away_before_it_is_compared_is_a_problem_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 1000)
    raw = (VEGETA / "mixed-post.gob").read_bytes()
    for name in "ab":
        (tmp_path / name).write_bytes(raw)

    def gone(outcome: FileOutcome) -> str:
        (tmp_path / "b").unlink(missing_ok=True)
        return open_source(outcome.input.path, name=outcome.input.name).sha256()

    monkeypatch.setattr(FileOutcome, "whole", property(gone))
    files = load(tmp_path, hashes=False).files
    assert files["state"].tolist() == ["read", "skipped"]
    assert "a file that stays readable" in files["message"].iloc[1]
