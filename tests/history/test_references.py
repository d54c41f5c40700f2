"""`STORE@NAME` names saves, and stands where a path may."""

import json

import pytest

from benchkit.errors import UsageError
from benchkit.history import baseline
from benchkit.history.references import LAST, Reference, reference

from .conftest import Command, Series


def named(series: Series, name: str) -> list[str]:
    made = reference(f"{series.store}@{name}")
    assert isinstance(made, Reference)
    return [save.commit for save in made.saves()]


def test_a_branch_is_its_last_saves(series: Series) -> None:
    for n in range(7):
        series.commit(f"c{n}")
        series.commit(f"d{n}", branch="topic")
    assert named(series, "main") == [f"c{n}" for n in range(7)][-LAST:]
    assert named(series, "main:2") == ["c5", "c6"]
    assert named(series, "topic:99") == [f"d{n}" for n in range(7)]


def test_a_commit_a_label_or_an_id_is_pinned(series: Series) -> None:
    saves = [series.commit(name, label=label) for name, label in (("abcdef12", "v1"), ("b", None))]
    series.commit("b")
    assert named(series, "v1") == ["abcdef12"]
    assert named(series, "abcdef") == ["abcdef12"]
    assert named(series, "b") == ["b", "b"]
    assert named(series, saves[1].id) == ["b"]
    assert named(series, f"{saves[0].id}..{saves[1].id}") == ["abcdef12", "b"]
    assert named(series, f"{saves[1].id},{saves[0].id}") == ["abcdef12", "b"]


def test_what_is_not_there_is_said_with_the_nearest(series: Series) -> None:
    series.commit("abcdef12")
    series.commit("abcdef34", branch="topic")
    with pytest.raises(UsageError, match="did you mean 'topic'"):
        named(series, "topik")
    with pytest.raises(UsageError, match="the beginning of 2 commits"):
        named(series, "abcdef")
    with pytest.raises(UsageError, match="one is on 'main', the other on 'topic'"):
        named(series, "abcdef12..abcdef34")
    with pytest.raises(UsageError, match="write STORE@NAME"):
        baseline("nowhere@main")


def test_a_store_may_have_the_sign_in_its_name(series: Series, command: Command) -> None:
    series.store = series.store.with_name("a@b")
    series.commit("c@d", branch="e@f")
    assert named(series, "e@f") == ["c@d"]
    assert command("show", f"{series.store}@c@d").status == 0


def test_a_baseline_has_each_run_once(series: Series) -> None:
    series.commit("a", runs=3)
    series.commit("a", runs=3)  # the same runs
    series.commit("b", runs=2)
    runs = baseline(f"{series.store}@main")
    assert len(runs) == 5
    assert len({run.label for run in runs}) == 5
    assert [run.get("repeat") for run in runs] == [1, 2, 3, 4, 5]
    assert {run.variant for run in runs} == {"server"}


def test_saves_are_compared_with_each_other_and_with_files(
    series: Series, command: Command
) -> None:
    series.commit("a", runs=5)
    series.commit("b", factor=1.3, runs=5)
    old, new = f"old={series.store}@a", f"new={series.store}@b"
    done = command("compare", old, new, "--metric", "p99", "--format", "json")
    (effect,) = json.loads(done.out)
    assert (effect["baseline"], effect["variant"]) == ("old", "new")
    assert effect["ratio"] == pytest.approx(1.3, rel=0.05)
    files = series.results / "1"
    done = command("show", f"{series.store}@a", files, "--format", "json")
    assert {each["variant"]: each["runs"] for each in json.loads(done.out)} == {"a": 5, "server": 5}


def test_a_single_name_keeps_the_variants(series: Series, command: Command) -> None:
    series.commit("a", runs=2)
    series.commit("b", runs=3)
    (shown,) = json.loads(command("show", f"{series.store}@main", "--format", "json").out)
    assert (shown["variant"], shown["runs"]) == ("server", 5)
    assert command("report", f"{series.store}@main", "-o", series.store / "page.html").status == 0
    done = command("show", f"{series.store}@main", "--variant", "nobody")
    assert done.status == 2
    assert "no variant 'nobody'" in done.err
