"""The hash of a large file, from the pieces that are read of it."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from benchkit.ingest.sources import Opened, open_source

DATA = bytes(range(256)) * 1000


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setattr("benchkit.ingest.sources._IN_MEMORY", 1000)
    (tmp_path / "file").write_bytes(DATA)
    return open_source(tmp_path / "file", name="file")


@pytest.mark.parametrize(
    "reads",
    [
        [],
        [(0, 100_000), (90_000, 100_000), (180_000, 100_000)],
        [(0, 10)],
        [(3, 500_000)],
        [(0, 1000), (2000, 1000)],
        [(0, 500_000), (0, 500_000)],
    ],
    ids=["nothing", "overlapping", "the beginning", "all but it", "with a gap", "twice"],
)
def test_whatever_is_read_the_hash_is_that_of_the_file(
    opened: Opened, reads: list[tuple[int, int]]
) -> None:
    opened.hash_ahead()
    for start, count in reads:
        assert opened.source.content.read(start, count) == DATA[start : start + count]
    expected = hashlib.sha256(DATA).hexdigest()
    assert opened.hashes() == (expected, expected)
    assert opened.hashes()[0] == expected


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
