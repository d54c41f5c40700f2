"""A store may be a bucket: the same saves, each object created once."""

import json
import multiprocessing
from pathlib import Path

import pytest

import benchkit
from benchkit.errors import UsageError
from benchkit.history.compact import compact
from benchkit.history.saves import save_results, saves_of
from benchkit.stores import store_at

from .conftest import Command

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture
def bucket(s3: str) -> str:
    """The address of a store in a bucket."""
    return f"{s3}/history"


def test_it_is_saved_shown_and_compacted(bucket: str, data: Path, command: Command) -> None:
    for commit in "ab":
        given = (data / "ab" / "few.txt", "--to", bucket, "--commit", commit, "--branch", "main")
        done = command("save", *given)
        assert done.status == 0, done.err
    before = command("history", bucket, "--format", "json").out
    assert [save["commit"] for save in json.loads(before)["saves"]] == ["a", "b"]
    assert command("show", f"{bucket}@main").status == 0
    store = store_at(bucket)
    compact(store, grace_s=-1)
    compact(store, grace_s=-1)
    assert command("history", bucket, "--format", "json").out == before
    assert len(store.list("manifests/")) == 1


def test_an_object_is_created_once(bucket: str) -> None:
    store = store_at(bucket)
    assert store.list("manifests/") == []
    store.put("data/a", b"1")
    with pytest.raises(UsageError, match="never changed"):
        store.put("data/a", b"2")
    assert store.read("data/a") == b"1"
    with pytest.raises(FileNotFoundError):
        store.read("data/b")
    assert store.age_s("data/b") == 0
    assert store.age_s("data/a") < 100


OFTEN = 30


def save_often(output: Path, bucket: str, branch: str) -> None:
    results = benchkit.load(output)
    for n in range(OFTEN):
        save_results(results, store_at(bucket), commit=f"{branch}{n}", branch=branch)


@pytest.mark.slow
def test_two_processes_that_save_often_lose_nothing(bucket: str, data: Path) -> None:
    context = multiprocessing.get_context("spawn")
    output = data / "wrk" / "plain.txt"
    processes = [
        context.Process(target=save_often, args=(output, bucket, branch)) for branch in "ab"
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    wanted = {f"{branch}{n}" for branch in "ab" for n in range(OFTEN)}
    saves = saves_of(store_at(bucket))
    assert {save.commit for save in saves} == wanted
    assert len(saves) == 2 * OFTEN


def test_a_bucket_that_is_not_there_is_an_error(bucket: str, data: Path, command: Command) -> None:
    given = (data / "ab" / "few.txt", "--to", f"{bucket[:5]}nowhere/x", "--commit", "a")
    done = command("save", *given, "--branch", "main")
    assert done.status == 2
    assert "cannot write to the store s3://nowhere/x" in done.err
