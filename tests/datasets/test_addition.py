"""What is ingested into a dataset that is there, and what stands beside one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import benchkit
from benchkit.api import Results
from benchkit.errors import InputError, NothingToReportError, UsageError
from benchkit.schema import TABLES


@pytest.fixture
def first(data: Path, tmp_path: Path) -> Path:
    """A dataset of one run of vegeta."""
    folder = tmp_path / "first"
    benchkit.load(data / "vegeta" / "ok.gob").ingest(folder)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path below it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_again_changes_nothing(first: Path, data: Path) -> None:
    before = files_of(first)
    assert benchkit.load(data / "vegeta" / "ok.gob").ingest(first) == 0
    assert files_of(first) == before


def test_the_same_inputs_give_the_same_files(first: Path, data: Path, tmp_path: Path) -> None:
    benchkit.load(data / "vegeta" / "ok.gob").ingest(tmp_path / "second")
    assert files_of(tmp_path / "second") == files_of(first)


def test_others_are_added_under_names_of_their_own(first: Path, data: Path) -> None:
    before = {name for name in files_of(first) if not name.startswith("manifest")}
    other = benchkit.load(data / "vegeta" / "errors.gob")
    label = benchkit.load(first).runs["label"].item()
    renamed = Results([run.with_columns(label=label) for run in other], other.sources)
    assert renamed.ingest(first) == 1
    both = benchkit.load(first)
    assert [run.label for run in both] == [label, f"{label} #2"]
    assert before <= files_of(first).keys()
    assert len(both.files) == 2


def test_a_copy_of_what_is_there_is_listed_and_no_run(
    first: Path, data: Path, tmp_path: Path
) -> None:
    shutil.copy(data / "vegeta" / "ok.gob", tmp_path / "again.gob")
    assert benchkit.load(tmp_path / "again.gob").ingest(first) == 0
    both = benchkit.load(first)
    assert len(both) == 1
    assert both.files["state"].tolist() == ["read", "duplicate"]
    assert both.files["message"].tolist()[1].startswith("the same content as ")


def test_repetitions_are_counted_on(data: Path, tmp_path: Path) -> None:
    repeats = sorted((data / "ab" / "repeats").glob("*.txt"))
    for part in (repeats[:3], repeats[3:]):
        benchkit.load(part).ingest(tmp_path / "set")
    numbers = benchkit.load(tmp_path / "set").runs["repeat"].dropna().tolist()
    assert numbers == [*range(1, len(numbers) + 1)]


def test_another_day_is_no_partner_of_the_first(data: Path, tmp_path: Path) -> None:
    results = benchkit.load(data / "ab" / "repeats")
    results.ingest(tmp_path / "set")
    next_day = [run.with_columns(run_id=f"{run.run_id}-b") for run in results]
    Results(next_day).ingest(tmp_path / "set")
    both = benchkit.load(tmp_path / "set")
    first, second = (set(part["repeat"]) for part in (both.runs[:6], both.runs[6:]))
    assert not first & second


def test_rows_are_added_to_runs_that_are_there(first: Path, data: Path) -> None:
    assert not benchkit.load(first).has_requests
    results = benchkit.load(data / "vegeta" / "ok.gob")
    results.ingest(first, requests=True)
    assert benchkit.load(first).requests().equals(results.requests())


def test_a_folder_that_is_no_dataset_stays_as_it_is(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="is no dataset and not empty; name another folder"):
        benchkit.load(data / "vegeta" / "ok.gob").ingest(folder)
    assert files_of(folder) == {"letter.txt": b"dear"}


# --- beside others ---


def test_beside_files_runs_are_called_by_the_dataset(first: Path, data: Path) -> None:
    both = benchkit.load([first, data / "vegeta" / "ok.gob"])
    assert [run.variant for run in both] == ["first", "ok"]
    assert next(run.label for run in both).startswith("first: ")
    assert len({run.run_id for run in both}) == 2
    named = benchkit.load([f"old={first}"])
    assert [run.variant for run in named] == ["old"]


def test_a_dataset_keeps_its_place_among_the_arguments(first: Path, data: Path) -> None:
    both = benchkit.load([data / "ab" / "few.txt", first])
    assert [run.tool for run in both] == ["ab", "vegeta"]


def test_datasets_of_one_name_are_told_apart(first: Path, tmp_path: Path) -> None:
    shutil.copytree(first, tmp_path / "other" / "first")
    both = benchkit.load([first, tmp_path / "other" / "first"])
    assert [run.variant for run in both] == [str(first), str(tmp_path / "other" / "first")]


def test_rows_bear_the_id_that_the_run_has_here(data: Path, tmp_path: Path) -> None:
    benchkit.load(data / "vegeta" / "ok.gob").ingest(tmp_path / "set", requests=True)
    named = benchkit.load([f"old={tmp_path / 'set'}"])
    assert set(named.requests()["run_id"]) == {run.run_id for run in named}
    for name in TABLES:
        named.table(name)


def test_a_dataset_that_is_named_twice_is_read_once(first: Path) -> None:
    again = os.path.relpath(first)
    assert [run.variant for run in benchkit.load([first, again])] == ["ok"]
    named = benchkit.load([f"old={first}", f"old={again}", f"new={first}"])
    assert [run.variant for run in named] == ["old", "new"]


def test_a_run_that_is_given_twice_is_written_once(data: Path, tmp_path: Path) -> None:
    results = benchkit.load(data / "vegeta" / "ok.gob")
    assert Results([*results, *results]).ingest(tmp_path / "set", requests=True) == 1
    assert len(benchkit.load(tmp_path / "set")) == 1


def test_runs_without_a_scenario_take_that_of_the_call(first: Path) -> None:
    assert [run.scenario for run in benchkit.load(first, scenario="s")] == ["s"]


def test_a_dataset_in_the_making_is_told_in_one_line(first: Path) -> None:
    (first / "manifest-000001.json").unlink()
    with pytest.raises(InputError, match=r"expected a complete dataset, found 'no manifest'"):
        benchkit.load(first)


def test_what_is_no_path_is_refused_as_ever() -> None:
    for wrong in (5, [5], ""):
        with pytest.raises(UsageError):
            benchkit.load(wrong)  # type: ignore[arg-type]


def test_a_dataset_can_be_ingested_into_another(first: Path, tmp_path: Path) -> None:
    assert benchkit.load(first).ingest(tmp_path / "second") == 1
    assert files_of(tmp_path / "second") == files_of(first)


def test_selected_runs_are_ingested(data: Path, tmp_path: Path) -> None:
    results = benchkit.load([data / "vegeta" / "ok.gob", data / "ab" / "few.txt"])
    chosen = Results(run for run in results if run.tool == "ab")
    assert chosen.ingest(tmp_path / "set") == 1
    assert [run.tool for run in benchkit.load(tmp_path / "set")] == ["ab"]


def test_a_dataset_without_runs_is_nothing_to_report(tmp_path: Path) -> None:
    assert Results(()).ingest(tmp_path / "set") == 0
    with pytest.raises(NothingToReportError, match="no runs in"):
        benchkit.load(tmp_path / "set")
