"""What workers make of the parts of a file is what one makes of the whole, byte for byte."""

from __future__ import annotations

import gzip
import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from benchkit.ingest import parts as ingest_parts
from benchkit.ingest import perrequest, sources
from benchkit.ingest.engines import tasks
from benchkit.ingest.engines.reader import reader
from benchkit.ingest.engines.tasks import (
    Cut,
    ReadPart,
    Sent,
    cut_there,
    hash_there,
    join_there,
    read_part_there,
    read_there,
)
from benchkit.ingest.paths import Input
from benchkit.ingest.sources import open_source
from benchkit.stores import store_at
from benchkit.stores.reading import open_remote
from tests.ingest.test_parts import APART, WHOLE, content
from tests.webserver import WebFile, WebServer

#: So many parts of each file.
PARTS = 5
_T = TypeVar("_T")


@pytest.fixture(autouse=True)
def _small_files_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest_parts, "CUT_FROM", 2)
    monkeypatch.setattr(sources, "_IN_MEMORY", 0)
    monkeypatch.setattr(perrequest, "read_side_by_side", lambda *_: None)  # from end to end


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str], Input]:
    """Write an output."""

    def write(name: str) -> Input:
        path = tmp_path / Path(name).name
        path.write_bytes(content(name))
        return Input(str(path), path.name, path.name)

    return write


def sent(value: _T) -> _T:
    """Return what another worker gets."""
    again: _T = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes
    return again


def cut_of(file: Input) -> Cut:
    return sent(cut_there(file, open_source(file.path, name=file.name).size_bytes // PARTS))


def joined(file: Input, cut: Cut, *, hashed: bool = True) -> Sent:
    parts = [sent(read_part_there(file, cut, part)) for part in cut.parts]
    sha256 = hash_there(file, cut) if hashed else None
    return sent(join_there(file, cut, parts, sha256, hashed=hashed))


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("name", APART)
def test_parts_give_what_the_whole_gives(
    name: str,
    hashed: bool,  # noqa: FBT001
    put: Callable[[str], Input],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = put(name)
    whole = read_there(file, hashed=hashed)
    cut = cut_of(file)
    assert len(cut.parts) >= PARTS
    monkeypatch.setattr(tasks, "read_there", None)  # there is a sum
    assert joined(file, cut, hashed=hashed) == whole


@pytest.mark.parametrize("name", WHOLE)
def test_what_cannot_be_added_is_read_as_a_whole(name: str, put: Callable[[str], Input]) -> None:
    file = put(name)
    cut = cut_of(file)
    assert not cut.parts or joined(file, cut) == read_there(file, hashed=True)


def test_what_is_no_plain_file_of_rows_is_not_cut(put: Callable[[str], Input]) -> None:
    assert cut_there(put("wrk/plain.txt"), 100) == Cut(reader())
    file = put("vegeta/ok.gob")
    Path(file.path).write_bytes(gzip.compress(content("vegeta/ok.gob")))
    assert cut_there(file, 100) == Cut(reader())


def test_a_damaged_part_has_the_whole_read(put: Callable[[str], Input]) -> None:
    file = put("vegeta/ok.gob")
    path = Path(file.path)
    path.write_bytes(path.read_bytes()[:-5])
    cut = cut_of(file)
    assert cut.parts
    assert read_part_there(file, cut, cut.parts[-1]).rows is None
    whole = joined(file, cut)
    assert whole == read_there(file, hashed=True)
    assert b"broken place" in whole.data


def test_a_file_that_changes_meanwhile_is_read_as_it_is_then(put: Callable[[str], Input]) -> None:
    file = put("vegeta/ok.gob")
    cut = cut_of(file)
    before = [read_part_there(file, cut, part) for part in cut.parts]
    sha256 = hash_there(file, cut)
    path = Path(file.path)
    path.write_bytes(content("vegeta/mixed-post.gob"))
    os.utime(path, ns=(1, 1))
    assert read_part_there(file, cut, cut.parts[0]).rows is None
    assert hash_there(file, cut) is None
    assert join_there(file, cut, before, sha256, hashed=True) == read_there(file, hashed=True)


def test_a_file_that_is_gone_meanwhile_is_told(put: Callable[[str], Input]) -> None:
    file = put("vegeta/ok.gob")
    cut = cut_of(file)
    Path(file.path).unlink()
    for task in (cut_there, lambda each: read_part_there(each, cut, cut.parts[0])):
        with pytest.raises(FileNotFoundError):
            task(file)


def test_parts_that_another_benchkit_read_are_not_added(put: Callable[[str], Input]) -> None:
    file = put("vegeta/ok.gob")
    cut = cut_of(file)
    parts = [read_part_there(file, cut, part) for part in cut.parts]
    others = [ReadPart("benchkit 0.1 abc", parts[0].rows), *parts[1:]]
    assert join_there(file, cut, others, None, hashed=False) == Sent("benchkit 0.1 abc", b"")
    foreign = replace(cut, reader="benchkit 0.2 abc")
    assert join_there(file, foreign, parts, None, hashed=False) == Sent("benchkit 0.2 abc", b"")


# --- elsewhere ---


def test_parts_of_an_object_give_what_the_whole_gives(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_at(s3).put("ok.gob", content("vegeta/ok.gob"))
    address = f"{s3}/ok.gob"
    file = Input(address, address, address)
    cut = cut_of(file)
    assert len(cut.parts) >= PARTS
    whole = read_there(file, hashed=True)
    monkeypatch.setattr(tasks, "read_there", None)
    assert joined(file, cut) == whole


@pytest.fixture
def elsewhere(web: WebServer) -> tuple[WebFile, Input]:
    web.files["/errors.csv"] = WebFile(content("vegeta/errors.csv"))
    address = f"{web.address}/errors.csv"
    return web.files["/errors.csv"], Input(address, address, address)


def test_a_file_of_the_web_that_changes_meanwhile_is_read_as_a_whole(
    elsewhere: tuple[WebFile, Input],
) -> None:
    served, file = elsewhere
    cut = cut_of(file)
    first = read_part_there(file, cut, cut.parts[0])
    assert first.rows is not None
    served.tag = "second"
    assert read_part_there(file, cut, cut.parts[1]).rows is None


def test_a_part_whose_connection_ends_has_no_sum(elsewhere: tuple[WebFile, Input]) -> None:
    served, file = elsewhere
    cut = cut_of(file)
    last = cut.parts[-1]
    at = served.data.index(b"\n", last.start) + 1  # whole lines only, as if there were no more
    assert at < len(served.data)
    assert read_part_there(file, cut, last).rows is not None
    served.cut, served.ranges = at, False
    assert read_part_there(file, cut, last).rows is None


def test_looking_at_a_place_fetches_no_more_than_it_needs(web: WebServer) -> None:
    web.files["/large"] = WebFile(bytes(5 * 2**23))
    file = open_remote(f"{web.address}/large")
    served = web.files["/large"].requests
    served.clear()
    file.read(3 * 2**23 + 5, 10)
    file.read(2**23 + 5, 10)
    assert len(served) == 2
