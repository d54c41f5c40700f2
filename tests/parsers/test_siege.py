"""siege: its JSON, its report in words, its log."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.siege import TOOLS, read
from benchkit.parsers.siege_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "siege"


def runs(name: str) -> list[RunRecord]:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    return [run.record for run in outcome.runs]


def recorded(name: str) -> RunRecord:
    [run] = runs(name)
    return run


def test_json() -> None:
    run = recorded("slow.json")
    assert run.columns == {
        "requests": 80,
        "errors": 0,
        "duration_s": 0.61,
        "success_ratio": 1.0,
        "throughput_rps": 131.15,
        "goodput_rps": 131.15,
        "latency_min_s": 0.02,
        "latency_mean_s": 0.03,
        "latency_max_s": 0.04,
    }
    figures = {f.metric: (f.value, f.unit) for f in run.figures}
    assert figures["availability"] == (1.0, "ratio")
    assert figures["concurrency"] == (3.77, "")  # a mean, and no connections


def test_a_report_in_words() -> None:
    run = recorded("text-slow.txt")
    assert run.columns == {
        "tool_version": "4.0.7",
        "requests": 214,
        "errors": 0,
        "duration_s": 1.46,
        "success_ratio": 1.0,
        "throughput_rps": 146.58,
        "goodput_rps": 146.58,
        "latency_min_s": 0.02,
        "latency_mean_s": 0.03,
        "latency_max_s": 0.04,
    }


def test_later_reports_have_milliseconds() -> None:
    text = (DATA / "text-slow.txt").read_text("utf-8")
    for old, new in (
        ("0.03 secs", "28.36 ms"),
        ("Longest transaction:\t        0.04", "Longest transaction:\t       40.00 ms"),
        ("Shortest transaction:\t        0.02", "Shortest transaction:\t       20.00 ms"),
    ):
        assert old in text
        text = text.replace(old, new)
    [run] = scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    assert run.columns["latency_mean_s"] == 0.02836
    assert (run.columns["latency_min_s"], run.columns["latency_max_s"]) == (0.02, 0.04)


@pytest.mark.parametrize("name", ["plain.json", "text.txt"])
def test_a_latency_of_zero_is_one_below_the_step(name: str) -> None:
    columns = recorded(name).columns
    assert not {"latency_min_s", "latency_mean_s"} & columns.keys()
    assert columns["latency_max_s"] > 0


@pytest.mark.parametrize("name", ["mixed.json", "drop.txt", "text-mixed.txt", "text-verbose.txt"])
def test_failed_transactions_may_have_had_an_answer(name: str) -> None:
    run = recorded(name)
    assert not {"errors", "latency_mean_s"} & run.columns.keys()
    assert "408 and 500 to 509" in run.notes[0]
    assert {f.metric: f.value for f in run.figures}["failed_transactions"] > 0


def test_of_failed_transactions_the_share_is_known() -> None:
    run = recorded("mixed.json")  # 180 answered, 20 of them 404; 20 failed
    assert run.columns["success_ratio"] == 160 / 200
    assert run.columns["goodput_rps"] == pytest.approx(1500.0 * 160 / 180)
    drop = recorded("drop.txt")
    assert drop.columns["success_ratio"] == pytest.approx(0.95, abs=0.011)


def test_without_an_answer_there_is_nothing_but_the_count() -> None:
    for name in ("refused.json", "text-refused.txt"):
        columns = recorded(name).columns
        columns.pop("tool_version", None)
        assert columns == {"requests": 0, "success_ratio": 0.0}


def test_redirects_are_transactions() -> None:
    assert recorded("redirect.json").columns["requests"] == 200
    assert recorded("redirects-off.json").columns["requests"] == 100


def test_several_objects_are_several_runs() -> None:
    first, second = runs("two-in-one-file.txt")
    assert (first.columns["duration_s"], second.columns["duration_s"]) == (0.11, 1.14)


def test_a_log_has_a_run_per_line() -> None:
    first, second = runs("siege.log")
    assert (first.name, second.name) == ("first", None)
    assert (first.lines, second.lines) == ((2, 2), (3, 3))
    assert second.columns == {
        "requests": 200,
        "errors": 0,
        "duration_s": 1.12,
        "success_ratio": 1.0,
        "throughput_rps": 178.57,
        "goodput_rps": 178.57,
        "latency_mean_s": 0.02,
    }


def test_a_line_of_a_log_that_is_cut_is_named(tmp_path: Path) -> None:
    path = tmp_path / "siege.log"
    path.write_bytes((DATA / "siege.log").read_bytes()[:-30])
    outcome = read_file(Input(str(path), path.name, path.name))
    assert len(outcome.runs) == 1
    assert "siege.log, line 4: expected a row of date, time and nine figures" in str(
        outcome.problems[0]
    )


def test_a_clock_that_did_not_tick_leaves_no_figures(tmp_path: Path) -> None:
    path = tmp_path / "siege.log"
    row = "2026-11-22 20:13:16, 0, 0.00, 0, -nan, -nan, -nan, -nan, 0, 20\n"
    path.write_text(row, encoding="utf-8")
    [run] = read_file(Input(str(path), path.name, path.name)).runs
    assert run.record.columns == {"requests": 0, "success_ratio": 0.0}


def test_the_head_without_a_result_is_refused() -> None:
    text = "** SIEGE 4.0.7\n** Preparing 4 concurrent users for battle.\nThe server is now\n"
    [error] = scan(Text.from_text(text))
    assert isinstance(error, InputError)
    assert "from its line 'Transactions:' on" in str(error)


@pytest.mark.parametrize(
    "prose",
    [
        "siege: 100 hits, 100 % availability\n",
        "Transactions: many\nThroughput: fine\n",
        "Response time: 0.01 secs\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (["-b", "-c4", "-t", "10S", "http://h/"], {"url": "http://h/", "load_model": "closed"}),
        (["http://h/ POST a=b"], {"url": "http://h/", "method": "POST"}),
        (["-g", "http://h/"], {"url": None}),
        (["--log=siege.log", "-q", "http://h/"], {"url": "http://h/"}),
    ],
)
def test_a_command_line(command: list[str], columns: dict[str, object]) -> None:
    known = read(command)
    assert {name: known.get(name) for name in columns} == columns


def test_a_time_is_in_minutes_without_a_letter() -> None:
    [tool] = TOOLS
    for given, seconds in (("10S", 10.0), ("1m", 60.0), ("2", 120.0), ("1H", 3600.0)):
        assert tool.asked(f"siege -t {given} http://h/") == {"duration_s": seconds}


def test_a_figure_of_too_many_digits_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "siege.log"
    path.write_bytes((DATA / "siege.log").read_bytes().replace(b"200,", b"2" * 400 + b",", 1))
    outcome = read_file(Input(str(path), path.name, path.name))
    assert (len(outcome.runs), len(outcome.problems)) == (1, 1)
