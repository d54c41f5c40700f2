"""When added repeats end, over a simulated machine: nothing here runs or waits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchkit.api import Results
from benchkit.compare.assess import Assessment, Options, assess
from benchkit.errors import NothingToReportError, UsageError
from benchkit.scenarios import runner
from benchkit.scenarios.declaration import Scenario
from benchkit.scenarios.matrix import Wishes, plan
from benchkit.scenarios.runner import News, Outcome, execute
from benchkit.scenarios.runset import Entry, Schedule
from benchkit.scenarios.until import Watch, goal
from tests.compare.runs import interleaved


class Machine:
    """Two variants whose repeats take a minute each; what they measured so far can be read."""

    def __init__(self, *, ratio: float = 1.0, deviation: float = 0.02, block_s: float = 60) -> None:
        rng = np.random.default_rng(3)
        self.logs = rng.normal(0, deviation, (2, 40)) + np.log([[1.0], [ratio]])
        self.block_s = block_s
        self.repeats = 0
        self.lines: list[str] = []
        self.asked: list[Options] = []

    def clock(self) -> float:
        return self.repeats * self.block_s

    def results(self) -> Results:
        base, other = (1000 * np.exp(self.logs[:, : self.repeats])).tolist()
        sides = {"plain": {"throughput_rps": base}, "other": {"throughput_rps": other}}
        return interleaved(sides)

    def read(self, _: Path, options: Options) -> Assessment:
        if not self.repeats:
            raise NothingToReportError("no run was found")
        self.asked.append(options)
        return assess(self.results(), options=options)

    def watch(self, *texts: str, most: int | None = None, minutes: float | None = None) -> Watch:
        wanted = goal(texts, most_repeats=most, most_minutes=minutes)
        assert wanted is not None
        return Watch(wanted, self.lines.append, self.read, self.clock)


Adding = Callable[..., Outcome]


@pytest.fixture
def adding(toy: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adding:
    """Executes two cells of the toy for a machine and a watch; a run is made by counting it."""

    def run(machine: Machine, watch: Watch, listener: Callable[[News], None] = silent) -> Outcome:
        def make(execution: Any, entry: Entry) -> str:  # noqa: ANN401 - private to the runner
            machine.repeats = entry.repeat
            entry.state, entry.started_at = "done", "2026-01-01T00:00:00+00:00"
            execution.runs.run_folder(entry).mkdir(parents=True)
            return ""

        monkeypatch.setattr(runner._Execution, "_make", make)
        wishes = Wishes(variants=("plain",), repeats=watch.goal.most_repeats)
        results = tmp_path / "results"
        return execute(plan(toy, wishes), results, seed=1, listener=listener, watch=watch)

    return run


def silent(_: News) -> None:
    pass


def written(results: Path) -> dict[str, Any]:
    text = (results / "toy" / "run-set.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@pytest.mark.parametrize(
    ("machine", "asked", "end"),
    [
        (Machine(), {"texts": ["3%"]}, ("every interval is narrow enough", 11)),
        (Machine(ratio=1.5), {"texts": ["0.1%"]}, ("a verdict stands", 8)),
        (Machine(deviation=0.2), {"texts": ["3%"], "most": 12}, ("the most repeats", 12)),
        (Machine(deviation=0.2), {"texts": ["3%"], "minutes": 10}, ("the most minutes", 10)),
        (Machine(deviation=0.2), {"texts": ["3%"], "minutes": 2.5}, ("the most minutes", 2)),
        (Machine(), {"texts": ["p99:3%"]}, ("nothing that was asked about can be compared", 8)),
    ],
    ids=["narrow", "verdict", "repeats", "minutes", "few minutes", "nothing"],
)
def test_why_no_more_repeats_are_made(
    adding: Adding,
    tmp_path: Path,
    machine: Machine,
    asked: dict[str, Any],
    end: tuple[str, int],
) -> None:
    reason, repeats = end
    watch = machine.watch(*asked.pop("texts"), **asked)
    outcome = adding(machine, watch)
    assert (watch.reason, watch.repeats, outcome.runs) == (reason, repeats, 2 * repeats)
    content = written(tmp_path / "results")
    assert len(content["runs"]) == 2 * repeats  # what was not needed is not pending
    assert content["looked"][-1]["repeat"] == repeats
    assert content["looked"][-1]["ended"] == reason
    assert machine.lines[-1].endswith(f"ends: {reason}")


def test_the_looks_are_fixed_before_and_kept(adding: Adding, tmp_path: Path) -> None:
    machine = Machine(deviation=0.2)
    watch = machine.watch("3%", most=20)
    adding(machine, watch)
    content = written(tmp_path / "results")
    assert [look["repeat"] for look in content["looked"]] == [8, 10, 13, 16, 20]
    assert content["looks"] == 5
    assert {options.looks for options in machine.asked} == {5}
    assert len(machine.lines) == 5
    assert machine.lines[0].startswith("repeat 8 of at most 20: throughput of other ±")
    assert machine.lines[0].endswith("8.0 min so far; goes on to repeat 10")


def test_what_was_interrupted_goes_on_with_the_same_looks(adding: Adding, tmp_path: Path) -> None:
    machine = Machine(deviation=0.2)

    def stop(news: News) -> None:
        if news.what == "run" and news.number == 21:
            raise KeyboardInterrupt

    first = machine.watch("3%", most=20)
    with pytest.raises(KeyboardInterrupt):
        adding(machine, first, stop)
    assert [look["repeat"] for look in written(tmp_path / "results")["looked"]] == [8, 10]
    adding(machine, machine.watch("3%", most=20))
    content = written(tmp_path / "results")
    assert [look["repeat"] for look in content["looked"]] == [8, 10, 13, 16, 20]
    assert content["looks"] == 5


def test_more_repeats_later_are_more_looks(adding: Adding, tmp_path: Path) -> None:
    machine = Machine(deviation=0.2)
    adding(machine, machine.watch("3%", most=8))
    assert written(tmp_path / "results")["looks"] == 2
    adding(machine, machine.watch("3%", most=12))
    content = written(tmp_path / "results")
    assert [look["repeat"] for look in content["looked"]] == [7, 8, 9, 10, 11, 12]
    assert content["looks"] == 6
    assert machine.asked[-1].looks == 6


def test_runs_that_were_there_before_count_as_looked_at(tmp_path: Path, toy: Scenario) -> None:
    entries = [Entry("plain", {}, repeat, "done") for repeat in range(1, 9)]
    runs = Schedule(tmp_path, "toy", "quick", "ab", {}, 1, entries)
    watch = Machine().watch("3%", most=30)
    watch.begin(runs, plan(toy, Wishes()))
    assert runs.looks == 5  # 11, 15, 22, 30, and the one before


def test_where_it_is_narrow_already_nothing_more_is_run(adding: Adding, tmp_path: Path) -> None:
    machine = Machine()
    adding(machine, machine.watch("3%"))
    before = written(tmp_path / "results")
    again = adding(machine, machine.watch("3%"))
    assert (again.runs, written(tmp_path / "results")["runs"]) == (0, before["runs"])
    assert written(tmp_path / "results")["looks"] == before["looks"]


def test_a_set_of_which_nothing_can_be_read_ends_at_the_first_look(adding: Adding) -> None:
    machine = Machine()
    watch = machine.watch("3%")

    def nothing(_: Path, __: Options) -> Assessment:
        raise NothingToReportError("no run was found")

    watch.read = nothing
    outcome = adding(machine, watch)
    assert outcome.runs == 16
    assert watch.reason == "nothing can be compared: no run was found"


@pytest.mark.parametrize(
    ("texts", "bounds", "message"),
    [
        ([], {"most_repeats": 9}, "--most-repeats bounds --until"),
        ([], {"most_minutes": 9.0}, "--most-minutes bounds --until"),
        (["3%"], {"most_repeats": 5}, "--most-repeats 5: at least 6"),
        (["3%"], {"most_minutes": 0.0}, "--most-minutes 0: more than 0"),
        (["3%"], {"most_minutes": float("nan")}, "--most-minutes nan: more than 0"),
        (["three"], {}, "--until three: no width"),
    ],
)
def test_bounds_that_make_no_sense(texts: list[str], bounds: dict[str, Any], message: str) -> None:
    given = {"most_repeats": None, "most_minutes": None} | bounds
    with pytest.raises(UsageError, match=message):
        goal(texts, **given)


def test_one_variant_alone_is_compared_with_nothing(toy: Scenario, tmp_path: Path) -> None:
    wishes = Wishes(variants=("plain",), set=("size=1",), repeats=30)
    with pytest.raises(UsageError, match="there is one alone"):
        execute(
            plan(toy, wishes),
            tmp_path / "results",
            seed=1,
            listener=lambda _: None,
            watch=Machine().watch("3%"),
        )
    assert not (tmp_path / "results").exists()
