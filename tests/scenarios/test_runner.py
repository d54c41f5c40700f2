import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import benchkit
from benchkit.errors import UsageError
from benchkit.scenarios import build, folders
from benchkit.scenarios.declaration import Scenario, read_scenario
from benchkit.scenarios.matrix import Wishes, plan
from benchkit.scenarios.runner import News, Outcome, execute

from .conftest import alive

Pids = Callable[[], list[int]]


def silent(_: News) -> None:
    pass


def run(
    toy: Scenario,
    results: Path,
    *,
    listener: Callable[[News], None] = silent,
    **wishes: Any,  # noqa: ANN401 - as of Wishes
) -> Outcome:
    return execute(plan(toy, Wishes(**wishes)), results, seed=1, listener=listener)


def states(results: Path) -> list[str]:
    content = json.loads((results / "toy" / "run-set.json").read_text(encoding="utf-8"))
    return [run["state"] for run in content["runs"]]


def test_a_run_leaves_its_result_and_all_that_belongs_to_it(
    toy: Scenario, tmp_path: Path, started: Pids
) -> None:
    results = tmp_path / "results"
    outcome = run(toy, results, variants=["plain"], repeats=1, set=["size=2"])
    folder = results / "toy" / "plain+size-2" / "1"
    assert (outcome.runs, outcome.failed) == (1, [])
    assert {path.name for path in folder.iterdir()} == {
        *("report.txt", "meta.json", "resources.csv", "server.log"),
    }
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    assert (meta["scenario"], meta["variant"], meta["params"], meta["repeat"]) == (
        *("toy", "plain", {"size": 2}, 1),
    )
    assert meta["command"].startswith("ab -n 100 -c 2 -s 0.1 http://127.0.0.1:")
    assert [each["name"] for each in meta["commands"]] == ["server", "warm-up", "ab"]
    assert meta["commands"][0]["command"].startswith("python3 $BK_SCENARIO/server.py ")
    assert meta["facts"]["answer"] == 42
    assert meta["warm_up_capped"] is False
    assert meta["facts"]["server_log_bytes"] == len("listening\n")
    assert meta["settings"] == {"seconds": 0.1}
    assert set(meta["build_sha256"]) == {"thing"}
    assert meta["environment"]["cores"] >= 1
    assert str(tmp_path) not in (folder / "meta.json").read_text(encoding="utf-8")
    assert [pid for pid in started() if alive(pid)] == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_results_are_read_with_their_names_and_resources(toy: Scenario, tmp_path: Path) -> None:
    wishes: dict[str, Any] = {"variants": ["plain"], "set": ["size=1", "seconds=0.6"]}
    run(toy, tmp_path / "results", repeats=1, copy=True, **wishes)
    results = benchkit.load(tmp_path / "results")
    # One recording stands for all, so that one run is left of it; its names are those of a cell.
    (context,) = results.runs.to_dict("records")
    assert (context["scenario"], context["variant"], context["repeat"]) == ("toy", "plain", 1)
    assert set(results.resources["process"]) == {"ab", "server"}
    assert results.resources["rss_bytes"].min() > 0


def test_a_variant_that_fails_is_recorded_and_ends_no_other(toy: Scenario, tmp_path: Path) -> None:
    results = tmp_path / "results"
    news: list[News] = []
    outcome = run(toy, results, listener=news.append, repeats=1, set=["size=1"])
    assert outcome.runs == 1
    assert outcome.failed == [("broken (size=1) #1", "no broken today")]
    assert sorted(states(results)) == ["done", "failed"]
    failed = results / "toy" / "broken+size-1" / ".failed-1"
    assert json.loads((failed / "meta.json").read_text())["failure"] == "no broken today"
    assert {new.what for new in news} >= {"build", "run", "done", "failed"}
    assert len(benchkit.load(results)) == 1


def test_what_was_interrupted_goes_on_where_it_stopped(
    toy: Scenario, tmp_path: Path, started: Pids
) -> None:
    results = tmp_path / "results"

    def stop_in_the_second(news: News) -> None:
        if news.what == "run" and news.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(toy, results, listener=stop_in_the_second, variants=["plain"])
    assert states(results) == ["done", "pending", "pending", "pending"]
    before = len(started())
    outcome = run(toy, results, variants=["plain"])
    assert (outcome.runs, outcome.before) == (3, 1)
    assert states(results) == ["done"] * 4
    assert len(started()) - before == 9  # a server, a warm-up and a load for each of the three
    assert run(toy, results, variants=["plain"]).runs == 0


def test_a_build_is_made_once_and_anew_when_its_sources_change(
    toy: Scenario, tmp_path: Path
) -> None:
    builds = tmp_path / "cache" / "builds"
    run(toy, tmp_path / "a", variants=["plain"], repeats=1, set=["size=1"])
    run(toy, tmp_path / "b", variants=["plain"], repeats=1, set=["size=1"])
    assert len(list(builds.iterdir())) == 1
    (toy.folder / "server.py").write_text(
        (toy.folder / "server.py").read_text() + "# changed\n", encoding="utf-8"
    )
    run(read_scenario(toy.folder), tmp_path / "c", variants=["plain"], repeats=1, set=["size=1"])
    assert len(list(builds.iterdir())) == 2


def test_a_build_that_fails_is_told_and_leaves_nothing(toy: Scenario, tmp_path: Path) -> None:
    harness = (toy.folder / "harness.sh").read_text()
    broken = harness.replace("printf made", "echo 'no compiler' >&2; false; printf made")
    (toy.folder / "harness.sh").write_text(broken, encoding="utf-8")
    with pytest.raises(build.BuildError, match="toy: building failed: no compiler"):
        run(toy, tmp_path / "results")
    assert list((tmp_path / "cache" / "builds").iterdir()) == []


def test_a_run_that_takes_too_long_is_ended(
    toy: Scenario, tmp_path: Path, started: Pids, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clock() -> float:
        """Time stands still until the load that is measured (the third pid) has begun."""
        return 1000.0 if len(started()) == 3 else 0.0

    monkeypatch.setattr("benchkit.scenarios.harness.time", SimpleNamespace(monotonic=clock))
    wishes: dict[str, Any] = {"variants": ["plain"], "repeats": 1, "set": ["size=1", "seconds=50"]}
    outcome = run(toy, tmp_path / "results", **wishes)
    ((_, reason),) = outcome.failed
    assert reason == "took longer than 90 s, while it was to measure"
    assert [pid for pid in started() if alive(pid)] == []


def test_output_that_holds_no_result_is_a_failure(
    toy: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nonsense").write_text("all is well\n", encoding="utf-8")
    monkeypatch.setenv("TOY_REPORT", str(tmp_path / "nonsense"))
    wishes: dict[str, Any] = {"variants": ["plain"], "repeats": 1, "set": ["size=1"]}
    ((_, reason),) = run(toy, tmp_path / "results", **wishes).failed
    assert "no results of a load generator" in reason


def test_what_is_missing_is_told_before_anything_runs(
    toy: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin" / "ab").unlink()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(UsageError, match="toy lacks bash >= 5, setpriv, ab: `benchkit doctor toy`"):
        run(toy, tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_scratch_folders_of_the_dead_are_swept(toy: Scenario, tmp_path: Path) -> None:
    del toy  # it brings the folder for scratch files
    stale = tmp_path / "tmp" / "benchkit-run-stale"
    stale.mkdir()
    (stale / "owner").write_text("1 12345", encoding="utf-8")
    with folders.scratch() as mine:
        assert sorted(path.name for path in (tmp_path / "tmp").iterdir()) == [mine.name]
        with folders.scratch():
            assert mine.is_dir()
    assert list((tmp_path / "tmp").iterdir()) == []


# --- nothing outside the results folder, and over nothing ---

CELL = "plain+size-1"
ONE_RUN: dict[str, Any] = {"variants": ["plain"], "repeats": 1, "set": ["size=1"]}


def with_link(results: Path, link: str, target: Path) -> None:
    """Put a link at a path below the scenario's folder, in a set whose runs are to be made."""
    content = {
        "scenario": "toy",
        "profile": "quick",
        "tool": "ab",
        "settings": {"seconds": 0.1},
        "seed": 1,
        "runs": [],
    }
    folder = results / "toy"
    if link:
        folder.mkdir(parents=True)
        path = folder / link
        path.parent.mkdir(parents=True, exist_ok=True)
    else:
        results.mkdir()
        path = folder
    path.symlink_to(target)
    if link != "run-set.json":
        (folder / "run-set.json").write_text(json.dumps(content), encoding="utf-8")
    else:
        target.write_text(json.dumps(content), encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("link", [CELL, f"{CELL}/1", "", "run-set.json"])
def test_a_link_out_of_the_results_folder_is_not_followed(
    link: str, toy: Scenario, tmp_path: Path
) -> None:
    results, elsewhere = tmp_path / "results", tmp_path / "elsewhere"
    for name in ("1", ".running-1", ".failed-1"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "precious.txt").write_text("a week of measurements")
    with_link(results, link, elsewhere / link if link == "run-set.json" else elsewhere)
    before = contents(elsewhere)
    with pytest.raises(UsageError, match=r"leads to .*elsewhere.*, out of the folder .*results"):
        run(toy, results, **ONE_RUN)
    assert contents(elsewhere) == before


@pytest.mark.parametrize("hidden", [".running-1", ".failed-1"])
@pytest.mark.parametrize("variant", ["plain", "broken"])
def test_a_link_at_a_hidden_folder_goes_and_what_it_leads_to_stays(
    hidden: str, variant: str, toy: Scenario, tmp_path: Path
) -> None:
    results, elsewhere = tmp_path / "results", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious.txt").write_text("a week of measurements")
    with_link(results, f"{variant}+size-1/{hidden}", elsewhere)
    outcome = run(toy, results, **ONE_RUN | {"variants": [variant]})
    assert outcome.runs + len(outcome.failed) == 1
    assert contents(elsewhere) == {"precious.txt": b"a week of measurements"}


def test_results_that_somebody_else_put_there_are_not_replaced(
    toy: Scenario, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    run(toy, results, **ONE_RUN)
    theirs = results / "toy" / CELL / "2"
    theirs.mkdir()
    (theirs / "report.txt").write_text("a week of measurements")
    before = contents(results)
    with pytest.raises(UsageError, match=r"2 is there already, and run-set.json does not say"):
        run(toy, results, **ONE_RUN | {"repeats": 2})
    assert contents(results) == before


def test_the_results_folder_itself_may_be_a_link(toy: Scenario, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "results").symlink_to(tmp_path / "disk")
    assert run(toy, tmp_path / "results", **ONE_RUN).runs == 1


def test_a_run_that_was_killed_before_it_was_moved_is_made_again(
    toy: Scenario, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    run(toy, results, **ONE_RUN)
    done = results / "toy" / CELL / "1"
    done.rename(done.with_name(".running-1"))
    assert run(toy, results, **ONE_RUN).runs == 1
    assert [path.name for path in (results / "toy" / CELL).iterdir()] == ["1"]
