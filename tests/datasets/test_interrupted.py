"""A dataset that is written when its writer is killed: the old one or the new one, never half."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

import benchkit
from benchkit.datasets.storage import MARK
from benchkit.errors import InputError, UsageError
from benchkit.export import write_table
from benchkit.stores.files import lock
from tests.killing import Killer, moments

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")

_MOST = 3


def content(folder: Path) -> bytes | None:
    """What is read of a dataset; None where it is none yet."""
    if not (folder / MARK).is_file():
        return None
    if not list(folder.glob("manifest-*.json")):
        with pytest.raises(InputError, match="expected a complete dataset"):
            benchkit.load(folder)
        return None
    results = benchkit.load(folder)
    out = io.BytesIO()
    for name in ("runs", "histogram", "files", "requests"):
        write_table(results, name, form="csv", to=out)
    return out.getvalue()


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_killed_at_any_moment_it_is_the_old_or_the_new(data: Path, tmp_path: Path) -> None:
    old, folder = tmp_path / "old", tmp_path / "top" / "set"
    folder.parent.mkdir()
    killer = Killer(tmp_path / "hook", folder.parent)
    first = ["ingest", str(data / "ab" / "few.txt"), "--to", str(folder)]
    second = ["ingest", str(data / "vegeta" / "ok.gob"), "--to", str(folder), "--requests"]
    changes = killer.whole(first)
    shutil.copytree(folder, old)
    later = killer.whole(second)
    before, after, known = content(old), content(folder), names(folder)
    for at in moments(later, _MOST):
        shutil.rmtree(folder)
        shutil.copytree(old, folder)
        killer.killed(second, at=at)
        assert content(folder) in {before, after}
        killer.whole(second)
        assert content(folder) == after
        assert names(folder) == known
    for at in moments(changes, _MOST):
        shutil.rmtree(folder)
        killer.killed(first, at=at)
        assert content(folder) in {None, before}
        killer.whole(first)
        assert content(folder) == before
        assert names(folder) == names(old)


def test_what_no_manifest_names_goes_with_the_next_writer(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    results = benchkit.load(data / "ab" / "few.txt")
    results.ingest(folder)
    known = names(folder)
    left = folder / "tables" / "runs" / "0123456789abcdef0123.parquet"
    left.write_bytes(b"half")
    (folder / ".benchkit-requests.tmp").write_bytes(b"half")
    (folder / "tables" / "requests" / "scenario=a").mkdir(parents=True)
    mine = folder / "tables" / "runs" / "mine.txt"
    mine.write_text("stays", encoding="utf-8")
    assert len(benchkit.load(folder)) == 1
    results.ingest(folder)
    assert mine.read_text(encoding="utf-8") == "stays"
    mine.unlink()
    assert names(folder) == known


def test_a_damaged_file_that_is_written_again_is_whole(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    results = benchkit.load(data / "ab" / "few.txt")
    results.ingest(folder)
    (path,) = (folder / "tables" / "runs").iterdir()
    whole = path.read_bytes()
    (folder / "manifest-000001.json").unlink()
    path.write_bytes(whole[:-1])
    results.ingest(folder)
    assert path.read_bytes() == whole


def test_two_writers_do_not_meet(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    results = benchkit.load(data / "ab" / "few.txt")
    results.ingest(folder)
    with (folder / MARK).open("rb") as file:
        lock(file.fileno())
        with pytest.raises(UsageError, match="another process writes to this dataset"):
            results.ingest(folder)
