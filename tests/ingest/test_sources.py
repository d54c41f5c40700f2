"""Opening files: in memory, piece by piece, packed, broken."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest import sources
from benchkit.ingest.sources import open_source

LINES = b"".join(b"line %d\n" % n for n in range(5000))


@pytest.fixture(params=["in memory", "piece by piece"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read both ways."""
    if request.param == "piece by piece":
        monkeypatch.setattr(sources, "_IN_MEMORY", 0)
        monkeypatch.setattr(sources, "_PIECE", 1000)


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("name", ["plain.txt", "packed.txt.gz"])
def test_windows_of_a_file_are_its_bytes(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(LINES) if name.endswith("gz") else LINES)
    content = open_source(path, name=name).source.content
    for start, count in ((0, 100), (50, 4000), (4049, 1), (4050, 20_000), (0, 7), (60_000, 10)):
        assert content.read(start, count) == LINES[start : start + count]
    assert open_source(path, name=name).source.data == LINES


@pytest.mark.usefixtures("anywhere")
def test_a_packed_file_that_is_cut_off_gives_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(LINES)[:-500])
    opened = open_source(path, name="cut.gz")
    got = opened.source.data
    assert got
    assert LINES.startswith(got)
    assert opened.cut


@pytest.mark.usefixtures("anywhere")
def test_packed_files_one_after_another_are_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "two.gz"
    path.write_bytes(gzip.compress(LINES) + gzip.compress(b"more"))
    opened = open_source(path, name="two.gz")
    assert opened.source.data == LINES + b"more"
    assert not opened.cut


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("rest", "followed"), [(b"", False), (bytes(5000), False), (b"rest", True)]
)
def test_what_follows_a_packed_file_is_no_cut(tmp_path: Path, rest: bytes, followed: bool) -> None:  # noqa: FBT001
    path = tmp_path / "more.gz"
    path.write_bytes(gzip.compress(LINES) + rest)
    opened = open_source(path, name="more.gz")
    assert (opened.source.data, opened.cut, opened.followed) == (LINES, False, followed)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(50_000_000)))
    with pytest.raises(InputError, match="expands at most 200 times"):
        _ = open_source(path, name="bomb.gz").source.data


def test_what_only_begins_like_gzip_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "not.gz"
    path.write_bytes(b"\x1f\x8b\x08 not gzip at all")
    with pytest.raises(InputError, match="a gzip stream"):
        _ = open_source(path, name="not.gz").source.data


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a readable file"):
        open_source(tmp_path / "none", name="none")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LINES))))
    assert open_source("-", name="standard input").source.data == LINES


def test_keys_tell_a_packed_copy(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(LINES)
    (tmp_path / "b").write_bytes(gzip.compress(LINES))
    plain, packed = (open_source(tmp_path / name, name=name) for name in "ab")
    assert plain.key != packed.key
    assert plain.content_key == packed.content_key
