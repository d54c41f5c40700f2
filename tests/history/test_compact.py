"""Saves that are put together read the same, at any moment."""

import os
from pathlib import Path

import pytest

from benchkit.api import Results
from benchkit.errors import InputError, UsageError
from benchkit.history.compact import compact
from benchkit.history.records import records
from benchkit.history.saves import manifests_of, runs_of_saves, saves_of
from benchkit.history.trends import history_of
from benchkit.stores.folder import Folder
from tests.killing import Killer, moments

from .conftest import Command, Series, saved, step


def content(store: Folder) -> object:
    runs = runs_of_saves(saves_of(store), store)
    tables = {name: Results(kept).runs.to_csv() for name, kept in runs.items()}
    return records(history_of(store)), tables


def test_it_reads_the_same_with_few_files(series: Series) -> None:
    step(series, before=4, after=4)
    store = Folder(series.store)
    before = content(store)
    done = compact(store)
    assert (done.saves, done.removed) == (8, 0)
    assert done.waiting > 0
    assert content(store) == before
    done = compact(store, grace_s=0)
    assert (done.saves, done.waiting) == (0, 0)
    assert content(store) == before
    assert len(list((series.store / "manifests").iterdir())) == 1
    assert len(list((series.store / "data").iterdir())) < 12


def test_what_is_to_be_removed_is_what_a_later_call_removes(series: Series) -> None:
    step(series, before=2, after=2)
    store = Folder(series.store)
    files = len(list((series.store / "data").iterdir())) + 4  # with a manifest each
    assert compact(store).waiting == files
    assert compact(store).waiting == files  # and again, as long as they are there
    assert compact(store, grace_s=0).removed == files


def test_later_saves_join_the_earlier_ones(series: Series) -> None:
    store = Folder(series.store)
    for n in range(3):
        series.commit(f"a{n}")
        series.commit(f"b{n}")
        compact(store, grace_s=0)
        compact(store, grace_s=0)
    assert [save.commit for save in saves_of(store)] == ["a0", "b0", "a1", "b1", "a2", "b2"]
    assert len(manifests_of(store)) == 1
    assert {len(saved(save, store)) for save in saves_of(store)} == {2}


def test_two_at_a_time_lose_nothing(series: Series) -> None:
    step(series, before=2, after=2)
    store = Folder(series.store)
    before = content(store)
    known = manifests_of(store)
    compact(store)
    packed = {manifest.name for manifest in manifests_of(store)} - {m.name for m in known}
    aside = {name: store.read(name) for name in packed}
    for name in packed:  # the other one has not seen it
        store.delete(name)
    compact(store)
    for name, data in aside.items():
        store.put(name, data)
    assert content(store) == before
    compact(store, grace_s=0)
    compact(store, grace_s=0)
    assert content(store) == before


def test_what_was_left_by_a_killed_save_goes_after_a_while(series: Series) -> None:
    series.commit("a")
    series.commit("b")
    loose = series.store / "data" / "0123.runs.parquet"
    loose.write_bytes(b"half")
    store = Folder(series.store)
    assert compact(store).waiting > 0
    assert loose.exists()
    os.utime(loose, (0, 0))
    compact(store)
    assert not loose.exists()


def test_files_of_others_stay(series: Series) -> None:
    series.commit("a")
    series.commit("b")
    store = Folder(series.store)
    compact(store, grace_s=0)
    names = ("thesis.tex", "runs.parquet", "notes.runs.parquet", "0123.runs.parquet.bak")
    for name in names:
        (series.store / "data" / name).write_bytes(b"years of work")
        os.utime(series.store / "data" / name, (0, 0))
    assert compact(store, grace_s=0).waiting == 0
    assert all((series.store / "data" / name).exists() for name in names)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("name", ["data", "manifests"])
def test_nothing_behind_a_link_is_written_read_or_removed(
    name: str, series: Series, command: Command, tmp_path: Path
) -> None:
    step(series, before=2, after=2)
    outside = (series.store / name).rename(tmp_path / "outside")
    (series.store / name).symlink_to(outside)
    for own in ("thesis.tex", "0123.runs.parquet"):
        (outside / own).write_bytes(b"years of work")
        os.utime(outside / own, (0, 0))
    before = sorted(outside.iterdir())
    line = f"benchkit: {series.store / name} leads out of the store\n"
    assert command("compact", series.store).err == line
    with pytest.raises(UsageError, match=f"{name} leads out of the store"):
        series.commit("c")
    done = command("history", series.store)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(" leads out of the store\n")
    assert sorted(outside.iterdir()) == before


@pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")
@pytest.mark.parametrize("grace", ["1h", "0s"])
def test_killed_at_any_moment_it_reads_the_same(series: Series, grace: str) -> None:
    store = Folder(series.store)
    killer = Killer(series.results.parent / "hook", series.store)
    given = ["compact", str(series.store), "--grace", grace]

    def prepare(n: int) -> None:
        series.commit(f"a{n}", runs=1)
        series.commit(f"b{n}", runs=1)

    prepare(0)
    changes = killer.whole(given)
    for at in moments(changes, 3):
        prepare(at)
        before = content(store)
        killer.killed(given, at=at)
        assert content(store) == before
    compact(store, grace_s=0)
    assert content(store) == before


def test_the_command_says_what_it_did(series: Series, command: Command) -> None:
    series.commit("a")
    series.commit("b")
    done = command("compact", series.store)
    assert done.status == 0
    assert "2 saves put together" in done.out
    assert "to be removed after 1h" in done.out
    assert "removed" in command("compact", series.store, "--grace", "0s").out
    assert command("compact", series.store).out.endswith("nothing to put together\n")
    assert command("compact", series.store, "--grace", "soon").status == 2


def test_data_of_a_save_that_is_being_made_stay(series: Series) -> None:
    step(series, before=2, after=2)
    made = series.store / "data" / f"{'ab' * 8}.runs.parquet"
    made.write_bytes(b"whatever")
    compact(Folder(series.store), grace_s=0)
    assert made.exists()
    os.utime(made, (0, 0))
    compact(Folder(series.store), grace_s=0)
    assert not made.exists()


def test_data_that_another_process_compacted_meanwhile_are_named(series: Series) -> None:
    step(series, before=2, after=2)
    store = Folder(series.store)
    gone = next(name for name in store.list("data/") if ".runs." in name)
    store.delete(gone)
    with pytest.raises(
        InputError, match=f"the data of every save.*{gone.removeprefix('data/')}.*try again"
    ):
        compact(store)
