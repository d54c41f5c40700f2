"""A save is there or not, for good, and says of which commit it is."""

import json
import multiprocessing
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow.parquet import read_table, write_table

import benchkit
from benchkit.errors import InputError, UsageError
from benchkit.history.saves import MANIFESTS, manifests_of, save_results, saves_of
from benchkit.stores.folder import Folder
from tests.killing import Killer, moments
from tests.recorded import example

from .conftest import Command, Series, saved


def test_what_is_read_is_what_was_saved(data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "wrk", data / "vegeta"])
    store = Folder(tmp_path / "store")
    save = save_results(results, store, commit="abc", branch="main")
    again = saved(save, store)
    for table in ("runs", "quantiles", "figures", "latencies", "statuses", "errors", "notes"):
        assert again.table(table).equals(results.table(table)), table
    first, second = (next(run for run in each if run.distribution) for each in (results, again))
    assert first.distribution is not None
    assert second.distribution is not None
    shares = [0.123, 0.5, 0.987]
    assert first.distribution.quantiles_s(shares) == pytest.approx(
        second.distribution.quantiles_s(shares)
    )


def test_a_figure_that_its_file_rounds_stays_withheld(tmp_path: Path) -> None:
    """A save once forgot the steps of columns: a mean of whole milliseconds became a verdict."""
    results, store = example("quickstart"), Folder(tmp_path / "store")
    save = save_results(results, store, commit="a", branch="main")
    again = benchkit.Results(saved(save, store))
    answers = [each.compare(metric="mean") for each in (results, again)]
    for column in ("value", "verdict", "reason"):
        assert [*answers[0][column].astype(str)] == [*answers[1][column].astype(str)], column
    assert any("withheld, rounded to 1" in reason for reason in answers[1]["reason"])
    assert len(results.findings()) == len(again.findings())


def test_the_same_runs_are_another_save(data: Path, tmp_path: Path, command: Command) -> None:
    store = tmp_path / "store"
    for _ in range(2):
        done = command(
            "save", data / "ab" / "few.txt", "--to", store, "--commit", "a", "--branch", "b"
        )
        assert done.status == 0, done.err
    saves = json.loads(command("history", store, "--format", "json").out)["saves"]
    assert [(save["commit"], save["branch"], save["runs"]) for save in saves] == [("a", "b", 1)] * 2
    assert len({save["id"] for save in saves}) == 2


#: Times that each of two processes saves; one that overwrites the other does so within a few.
OFTEN = 25


def save_often(output: Path, store: Path, branch: str) -> None:
    results = benchkit.load(output)
    for n in range(OFTEN):
        save_results(results, Folder(store), commit=f"{branch}{n}", branch=branch)


def test_two_processes_that_save_often_lose_nothing(data: Path, tmp_path: Path) -> None:
    store, output = tmp_path / "store", data / "wrk" / "plain.txt"
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=save_often, args=(output, store, branch)) for branch in "ab"
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    saves = saves_of(Folder(store))
    wanted = {f"{branch}{n}" for branch in "ab" for n in range(OFTEN)}
    assert {save.commit for save in saves} == wanted
    assert len(saves) == 2 * OFTEN
    assert len(saved(saves[-1], Folder(store))) == 1
    assert list(store.rglob(".*")) == []


@pytest.mark.skipif(os.name == "nt", reason="there are no POSIX signals on Windows")
def test_a_save_that_is_killed_is_there_or_not(data: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    killer = Killer(tmp_path / "hook", store)
    given = ["save", str(data / "wrk" / "latency.txt"), "--to", str(store), "--branch", "main"]
    changes = killer.whole([*given, "--commit", "whole"])
    for at in moments(changes, 6):
        killer.killed([*given, "--commit", f"killed {at}"], at=at)
        saves = saves_of(Folder(store))
        assert saves[0].commit == "whole"
        assert {len(saved(save, Folder(store))) for save in saves} == {1}
    # A save that went through sweeps what the killed ones left unfinished.
    killer.whole([*given, "--commit", "after"])
    assert saves_of(Folder(store))[-1].commit == "after"
    assert list(store.rglob(".benchkit-*")) == []


def test_nothing_is_read_that_no_manifest_names(series: Series) -> None:
    save = series.commit("a")
    for name, text in {"data/0.runs.parquet": "half", "manifests/.benchkit-1.tmp": "{"}.items():
        (series.store / name).write_text(text, encoding="utf-8")
    assert [each.id for each in saves_of(Folder(series.store))] == [save.id]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{", "Expecting property name"),
        ('{"benchkit_store": 9, "saves": [], "replaces": []}', "format 9"),
        ('{"benchkit_store": 1, "saves": [{}], "replaces": []}', "tables"),
        ("[" * 100_000, "recursion"),
        ("", "its saves are left out and the others can be read"),
    ],
)
def test_a_manifest_that_is_none_is_named(series: Series, text: str, names: str) -> None:
    series.commit("a")
    (series.store / "manifests" / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="expected a manifest") as raised:
        manifests_of(Folder(series.store))
    assert "x.json" in str(raised.value)
    assert names in str(raised.value)


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({"id": "../../x"}, "no id of a save: '../../x'"),
        ({"id": ""}, "no id of a save"),
        ({"tables": {}}, "has no table of its runs"),
        ({"runs": float("inf")}, "a number that is none: Infinity"),
        ({"runs": -5}, "-5 runs"),
        ({"machine": {"cores": []}}, "'cores' of the machine: []"),
        ({"machine": {"cpu": {"a": 1}}}, "'cpu' of the machine: {"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_named_by_every_command(
    series: Series, command: Command, changed: Mapping[str, object], names: str
) -> None:
    save = series.commit("a")
    manifest = series.store / f"{MANIFESTS}{save.id}.json"
    content = json.loads(manifest.read_text("utf-8"))
    content["saves"][0] |= changed
    manifest.write_text(json.dumps(content), "utf-8")
    for call in (
        ("history", series.store),
        ("show", f"{series.store}@main"),
        ("compact", series.store),
    ):
        done = command(*call)
        assert (done.status, done.out) == (2, "")
        assert manifest.name in done.err
        assert names in done.err
        assert done.err.count("\n") == 1


def test_a_store_without_manifests_has_no_save(series: Series, command: Command) -> None:
    save = series.commit("a")
    (series.store / f"{MANIFESTS}{save.id}.json").unlink()
    done = command("show", f"{series.store}@main")
    assert done.status == 2
    assert f"{series.store}: no save here, so that nothing is called 'main'" in done.err


def test_what_is_damaged_can_be_left_out(series: Series, command: Command) -> None:
    """By what the message says: the manifest is moved away, and the others are read."""
    series.commit("a")
    save = series.commit("b")
    path = series.store / f"data/{save.id}.runs.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    done = command("history", series.store)
    assert done.status == 2
    assert f"move {MANIFESTS}{save.id}.json away" in done.err
    (series.store / f"{MANIFESTS}{save.id}.json").rename(series.store / "aside.json")
    done = command("history", series.store)
    assert (done.status, "main, 1 save," in " ".join(done.out.split())) == (0, True)


def test_a_manifest_leads_nowhere_else(series: Series, tmp_path: Path) -> None:
    save = series.commit("a")
    manifest = series.store / f"{MANIFESTS}{save.id}.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("data/", "data/../../"), encoding="utf-8")
    with pytest.raises(InputError, match="no file of this store"):
        saves_of(Folder(series.store))
    assert tmp_path.exists()


def test_a_damaged_table_is_named(series: Series) -> None:
    save = series.commit("a")
    path = series.store / f"data/{save.id}.runs.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"runs\.parquet: expected a saved table"):
        saved(save, Folder(series.store))


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("duration_s", float("inf"), "duration_s of inf"),
        ("throughput_rps", -5.0, "throughput_rps of -5.0"),
        ("success_ratio", 2.0, "success_ratio of 2.0"),
        ("connections", -1, "connections of -1"),
        ("params", "[" * 5000, "params of '[["),
        ("environment", "{", "environment of '{', which is no JSON object"),
        ("environment", '{"cpu": 1e999}', "which is no JSON object"),
    ],
)
def test_values_that_no_run_has_are_refused(
    column: str, value: float | str, says: str, *, series: Series, command: Command
) -> None:
    series.commit("a")
    save = series.commit("b")
    path = series.store / f"data/{save.id}.runs.parquet"
    frame = pd.read_parquet(path, dtype_backend="numpy_nullable")
    frame[column] = value
    frame.to_parquet(path)
    for call in ("history", series.store), ("show", f"{series.store}@main"):
        done = command(*call)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"benchkit: {path}: no saved table 'runs' of this version: ")
        assert says in done.err
        assert done.err.endswith(
            f"; move {MANIFESTS}{save.id}.json away: its saves are left out and the others can be "
            "read\n"
        )
    done = command("compact", series.store)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"benchkit: {path}: expected a saved table, found ")


def texts(table: pa.Table) -> pa.Table:
    at = table.column_names.index("wait_s")
    return table.set_column(at, "wait_s", pa.array(["x"] * len(table)))


def numbers(table: pa.Table) -> pa.Table:
    at = table.column_names.index("method")
    return table.set_column(at, "method", pa.array([0.5] * len(table)))


def twice(table: pa.Table) -> pa.Table:
    return table.append_column("wait_s", table.column("wait_s"))


def not_utf8(table: pa.Table) -> pa.Table:
    at = table.column_names.index("label")
    bad = pa.array([b"\xff"] * len(table)).view(pa.string())
    return table.set_column(at, "label", bad)


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (texts, "column wait_s of string, which is double"),
        (numbers, "column method of double, which is string"),
        (twice, "column wait_s twice"),
        (not_utf8, "Invalid UTF8"),
    ],
)
def test_a_column_of_another_type_is_named(
    spoilt: Callable[[pa.Table], pa.Table], says: str, *, series: Series, command: Command
) -> None:
    series.commit("a")
    save = series.commit("b")
    path = series.store / f"data/{save.id}.runs.parquet"
    write_table(spoilt(read_table(path)), path)
    for call in ("history", series.store), ("show", f"{series.store}@main"):
        done = command(*call)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"benchkit: {path}: expected a ")
        assert says in done.err


def test_facts_of_a_machine_in_a_form_of_somebodys_own_are_read(
    series: Series, command: Command
) -> None:
    """Such were saved before `meta.json` was asked for texts and numbers."""
    save = series.commit("a")
    path = series.store / f"data/{save.id}.runs.parquet"
    frame = pd.read_parquet(path, dtype_backend="numpy_nullable")
    frame["environment"] = '{"cores": [1], "cpu": {"a": 1}}'
    frame.to_parquet(path)
    series.commit("b", meta={"environment": {"cores": 1, "cpu": "x"}})
    done = command("history", series.store)
    assert done.status == 0
    assert 'cpu: x, before {"a": 1}' in " ".join(done.out.split())


HOSTILE = [
    "../x",
    "a\x1b[31mb\n\x00",
    "<script>alert(1)</script>",
    "--output=x",
    "é" * 300,
    "$(id)",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_commit_and_branch_are_any_text(
    name: str, data: Path, tmp_path: Path, command: Command
) -> None:
    store, page = tmp_path / "inner" / "store", tmp_path / "page.html"
    given = (data / "ab" / "few.txt", "--to", store, f"--commit={name}", f"--branch={name}")
    done = command("save", *given)
    assert done.status == 0, done.err
    (save,) = json.loads(command("history", store, "--format", "json").out)["saves"]
    assert (save["commit"], save["branch"]) == (name, name)
    shown = command("history", store).out
    lines = (done.out + shown).replace("\xa0", " ").splitlines()
    assert [line for line in lines if not line.isprintable()] == []
    assert command("history", store, "-o", page).status == 0
    assert "<script" not in page.read_text(encoding="utf-8")
    files = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert files == {"inner", "page.html"}


def test_secrets_are_not_saved(data: Path, tmp_path: Path, command: Command) -> None:
    folder, store = tmp_path / "results", tmp_path / "store"
    folder.mkdir()
    report = (data / "wrk" / "latency.txt").read_text(encoding="utf-8")
    (folder / "run.txt").write_text(
        report.replace("@ http://", "@ http://me:hunter2@"), encoding="utf-8"
    )
    assert command("save", folder, "--to", store, "--commit", "a", "--branch", "b").status == 0
    assert all(b"hunter2" not in path.read_bytes() for path in store.rglob("*") if path.is_file())


def git(folder: Path, *arguments: str) -> str:
    names = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME",)}
    mails = {"GIT_AUTHOR_EMAIL": "x@x", "GIT_COMMITTER_EMAIL": "x@x"}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],  # noqa: S607 - the one in PATH
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | names | mails,
    )
    return done.stdout.strip()


def test_git_tells_commit_and_branch(
    data: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "-b", "work")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    monkeypatch.chdir(tmp_path)
    assert command("save", data / "ab" / "few.txt", "--to", "store").status == 0
    (save,) = saves_of(Folder(tmp_path / "store"))
    assert (save.commit, save.branch) == (git(tmp_path, "rev-parse", "HEAD"), "work")


def test_without_git_it_says_what_to_pass(
    data: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    done = command("save", data / "ab" / "few.txt", "--to", "store")
    assert done.status == 2
    assert "--commit SHA" in done.err
    done = command("save", data / "ab" / "few.txt", "--to", "store", "--commit", "a")
    assert "--branch main" in done.err
    assert not (tmp_path / "store").exists()


def test_a_store_that_is_named_as_results_is_told(series: Series, command: Command) -> None:
    series.commit("a")
    done = command("show", series.store)
    assert done.status == 2
    (line,) = done.err.splitlines()
    assert f"{series.store} holds what `benchkit save` has written" in line
    assert command("show", line.rpartition(": ")[2]).status == 0


def test_a_store_is_a_folder(data: Path, tmp_path: Path, command: Command) -> None:
    named = ("--commit", "a", "--branch", "b")
    (tmp_path / "file").touch()
    done = command("save", data / "ab" / "few.txt", "--to", tmp_path / "file", *named)
    assert done.status == 2
    assert "is a folder" in done.err
    done = command("history", tmp_path)
    assert done.status == 2
    assert "benchkit save" in done.err


def test_what_is_saved_is_never_changed(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    store.put("data/a", b"1")
    with pytest.raises(UsageError, match="never changed"):
        store.put("data/a", b"2")
    assert store.read("data/a") == b"1"
