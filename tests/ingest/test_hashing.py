"""The hash of a large file, made by a thread."""

from __future__ import annotations

import gzip
import hashlib
import sys
from pathlib import Path

import pytest

from benchkit.ingest.hashing import Hashing, quick_turns
from benchkit.ingest.sources import Opened, open_source

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
    assert opened.hashing_ahead == ahead
    assert opened.source.content.read(10, 100_000) == DATA[10:100_010]
    expected = hashlib.sha256(DATA).hexdigest()
    assert opened.hashes() == (expected, expected)
    assert opened.hashes()[0] == expected


@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 2500])
def test_pieces_of_any_size_make_the_same_hash(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.hashing._PIECE", 1000)
    (tmp_path / "file").write_bytes(DATA[:size])
    assert Hashing(tmp_path / "file").result() == hashlib.sha256(DATA[:size]).hexdigest()


def test_of_a_packed_file_it_is_that_of_the_packed_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 100)
    packed = gzip.compress(DATA)
    (tmp_path / "file.gz").write_bytes(packed)
    opened = open_source(tmp_path / "file.gz", name="file.gz")
    opened.hash_ahead()
    assert opened.source.content.read(0, 1000) == DATA[:1000]
    assert opened.hashes()[0] == hashlib.sha256(packed).hexdigest()


def test_a_file_that_goes_away_is_told_to_whoever_asks_for_its_hash(tmp_path: Path) -> None:
    begun = Hashing(tmp_path / "gone")
    with pytest.raises(FileNotFoundError):
        begun.result()


def test_what_threads_wait_for_their_turn_is_as_before_afterwards() -> None:
    before = sys.getswitchinterval()
    with quick_turns():
        assert sys.getswitchinterval() < before
    assert sys.getswitchinterval() == before
