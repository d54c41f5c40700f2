from pathlib import Path

import pytest

from benchkit.errors import UsageError
from benchkit.scenarios.declaration import Scenario, find, read_scenario
from benchkit.scenarios.matrix import MatrixCell, RunPlan, Wishes, plan
from benchkit.scenarios.runset import FILE, open_set

from .conftest import DECLARATION


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    folder = tmp_path / "scenarios" / "paper"
    folder.mkdir(parents=True)
    (folder / "harness.sh").touch()
    (folder / "scenario.toml").write_text(DECLARATION, encoding="utf-8")
    return read_scenario(folder)


def order(planned: RunPlan, results: Path, *, seed: int) -> list[tuple[int, str]]:
    runs = open_set(results, planned, tool="ab", seed=seed)
    return [(run.repeat, run.cell.folder) for run in runs.extend(planned)]


def test_all_combinations_are_run(scenario: Scenario) -> None:
    cells = plan(scenario, Wishes()).cells
    assert [cell.folder for cell in cells] == [
        *("plain+size-1", "broken+size-1", "plain+size-2", "broken+size-2"),
    ]


def test_a_profile_leaves_out_combinations_of_its_own(scenario: Scenario) -> None:
    path = scenario.folder / "scenario.toml"
    declared = DECLARATION + '\n[[profiles.full.exclude]]\nvariant = "broken"\nsize = 2\n'
    path.write_text(declared, encoding="utf-8")
    quick, full = (
        [cell.folder for cell in plan(read_scenario(scenario.folder), Wishes(profile=each)).cells]
        for each in ("quick", "full")
    )
    assert [folder for folder in quick if folder not in full] == ["broken+size-2"]


def test_a_copy_of_the_baseline_is_declared(scenario: Scenario) -> None:
    cells = plan(scenario, Wishes(copy=True, set=["size=2"])).cells
    assert [cell.folder for cell in cells] == ["plain+size-2", "plain+size-2+aa", "broken+size-2"]
    assert dict(cells[1].params) == {"size": 2, "aa": True}
    assert cells[1].label == "plain (size=2) (second copy)"


def test_levels_and_settings_keep_their_type(scenario: Scenario) -> None:
    planned = plan(scenario, Wishes(set=["size=5,6", "seconds=2"], variants=["plain"], repeats=1))
    assert planned.settings == {"seconds": 2.0}
    assert [dict(cell.params) for cell in planned.cells] == [{"size": 5}, {"size": 6}]
    assert planned.repeats == 1


def test_a_folder_has_a_name_that_every_system_takes() -> None:
    cell = MatrixCell("..a/b:c", (("path", "/x y"),))
    assert cell.folder == "a_b_c+path-_x_y"


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (Wishes(variants=["fancy"]), "no variant 'fancy'; there are plain, broken"),
        (Wishes(set=["colour=red"]), "the names are size, seconds, tool"),
        (Wishes(set=["size=big"]), "expected a whole number, found 'big'"),
        (Wishes(set=["seconds"]), "write NAME=VALUE"),
        (Wishes(set=["tool=wrk"]), "paper knows ab"),
        (Wishes(repeats=0), "at least 1"),
        (Wishes(profile="slow"), "no profile 'slow'; there are quick, full"),
    ],
)
def test_what_cannot_be_is_told(wishes: Wishes, message: str, scenario: Scenario) -> None:
    with pytest.raises(UsageError) as caught:
        plan(scenario, wishes)
    assert message in str(caught.value)


def test_each_repeat_runs_every_cell_once_in_an_order_of_its_own(
    scenario: Scenario, tmp_path: Path
) -> None:
    planned = plan(scenario, Wishes(repeats=6))
    drawn = order(planned, tmp_path, seed=1)
    rounds = [[cell for n, cell in drawn if n == repeat] for repeat in range(1, 7)]
    assert [n for n, _ in drawn] == sorted(n for n, _ in drawn)
    assert all(sorted(order) == sorted(rounds[0]) for order in rounds)
    assert len({tuple(order) for order in rounds}) > 2


def test_the_order_follows_from_the_seed(scenario: Scenario, tmp_path: Path) -> None:
    planned = plan(scenario, Wishes(repeats=6))
    assert order(planned, tmp_path, seed=1) == order(planned, tmp_path, seed=1)
    assert order(planned, tmp_path, seed=1) != order(planned, tmp_path, seed=2)


def test_more_repeats_are_added_to_what_is_there(scenario: Scenario, tmp_path: Path) -> None:
    first = plan(scenario, Wishes(repeats=1))
    runs = open_set(tmp_path, first, tool="ab", seed=3)
    for run in runs.extend(first):
        run.state = "done"
        runs.run_folder(run).mkdir(parents=True)
    runs.save()
    again = open_set(tmp_path, first, tool="ab", seed=4)
    assert (again.seed, again.extend(first)) == (3, [])
    more = again.extend(plan(scenario, Wishes(repeats=2)))
    assert {run.repeat for run in more} == {2}
    assert len(more) == 4


@pytest.mark.parametrize(
    ("wishes", "tool", "message"),
    [
        (Wishes(set=["seconds=5"]), "ab", "was run with seconds 0.1, this would be 5.0"),
        (Wishes(profile="full"), "ab", "was run with profile quick, this would be full"),
        (Wishes(), "wrk", "was run with tool ab, this would be wrk"),
    ],
)
def test_runs_of_other_settings_are_not_mixed(
    wishes: Wishes, tool: str, message: str, *, scenario: Scenario, tmp_path: Path
) -> None:
    open_set(tmp_path, plan(scenario, Wishes()), tool="ab", seed=1).save()
    with pytest.raises(UsageError) as caught:
        open_set(tmp_path, plan(scenario, wishes), tool=tool, seed=1)
    assert message in str(caught.value)


def test_a_folder_of_something_else_is_left_alone(scenario: Scenario, tmp_path: Path) -> None:
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "notes.txt").touch()
    with pytest.raises(UsageError, match=f"has no {FILE}, but other files"):
        open_set(tmp_path, plan(scenario, Wishes()), tool="ab", seed=1)


@pytest.mark.parametrize("wish", ["duration=0", "duration=-5", "connections=0"])
def test_a_load_of_nothing_is_refused_before_anything_runs(wish: str) -> None:
    with pytest.raises(UsageError, match=f"--set {wish}: expected 1 or more"):
        plan(find("quickstart"), Wishes(set=[wish]))


def test_a_wait_may_be_none_but_not_less() -> None:
    quickstart = find("quickstart")
    assert plan(quickstart, Wishes(set=["wait_ms=0"])).settings["wait_ms"] == 0
    with pytest.raises(UsageError, match="expected 0 or more"):
        plan(quickstart, Wishes(set=["wait_ms=-1"]))


def test_what_a_run_should_take_follows_from_what_was_asked_for() -> None:
    """The estimate, and with it the limit of time, above which a run is given up."""
    usual, longer = (
        plan(find("quickstart"), Wishes(set=wishes)) for wishes in ([], ["duration=120"])
    )
    assert longer.run_s == pytest.approx(usual.run_s + 119)
    assert longer.duration_s == pytest.approx(24 * longer.run_s)
    more = plan(find("request-coalescing"), Wishes(set=["requests=50000"]))
    assert more.run_s == pytest.approx(10 * 5.5)
