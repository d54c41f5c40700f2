"""plow: its report and its JSON, which it prints again and again until the end."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers import plow_json
from benchkit.parsers._plow import Snapshot, goes_on, lasts
from benchkit.parsers.plow import read
from benchkit.parsers.plow_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "plow"


def runs(name: str) -> list[RunRecord]:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    return [run.record for run in outcome.runs]


def recorded(name: str) -> RunRecord:
    [run] = runs(name)
    return run


def test_a_report() -> None:
    run = recorded("plain.txt")
    assert run.columns == {
        "connections": 4,
        "requests": 2000,
        "errors": 0,
        "non2xx": 0,
        "success_ratio": 1.0,
        "duration_s": pytest.approx(2000 / 31671.692),
        "throughput_rps": 31671.692,
        "goodput_rps": 31671.692,
        "latency_min_s": 0.000014,
        "latency_mean_s": 0.000123,
        "latency_std_s": 0.000496,
        "latency_p50_s": 0.000062,
        "latency_p75_s": 0.000085,
        "latency_p90_s": 0.000133,
        "latency_p95_s": 0.000199,
        "latency_p99_s": 0.002159,
        "latency_p999_s": 0.008981,
        "latency_max_s": 0.009021,
    }
    assert run.quantiles[-1] == (0.9999, 0.009021)
    assert (run.notes, run.errors) == ([], {})


def test_elapsed_is_cut_off_and_no_duration() -> None:
    assert "Elapsed             0s" in (DATA / "plain.txt").read_text("utf-8")
    assert recorded("plain.txt").columns["duration_s"] > 0.06


def test_json_says_the_same() -> None:
    text, json = recorded("plain.txt"), recorded("plain.json")
    assert text.columns.keys() == json.columns.keys()
    assert json.columns["latency_p99_s"] == 0.000421


@pytest.mark.parametrize("name", ["seconds.txt", "mixed.json"])
def test_seconds_have_no_unit(name: str) -> None:
    assert recorded(name).columns["latency_max_s"] == {"s": 0.00167, "m": 0.001337}[name[0]]


def test_of_growing_reports_the_last_is_the_run() -> None:
    run = recorded("growing.txt")
    assert run.columns["requests"] == 675
    assert run.columns["url"] == "http://127.0.0.1:8931/slow?ms=5"
    assert run.notes == ["earlier reports of the same run, left out: 5"]
    json = recorded("growing.json")
    assert json.columns["requests"] == 636
    assert json.notes == run.notes


@pytest.mark.parametrize("name", ["two-in-one-file.txt", "two-in-one-file.json"])
def test_two_runs_with_their_growing_reports_are_two(name: str) -> None:
    first, second = runs(name)
    assert [run.columns["requests"] for run in (first, second)] == [100, 50]
    assert [run.columns["connections"] for run in (first, second)] == [2, 4]


def snapshot(count: int, seconds: float, **times: float) -> Snapshot:
    spread = {"min": 0.001, "mean": 0.002, "max": 0.009, **times}
    return Snapshot(count, count / seconds, 4, {2: count}, {}, spread)


def test_a_run_that_only_continues_is_told_from_another() -> None:
    first = snapshot(10_000, 10.0)
    assert goes_on(first, snapshot(12_000, 12.0))
    assert goes_on(first, first)
    assert not goes_on(first, snapshot(9_000, 9.0))
    assert not goes_on(first, snapshot(11_000, 10.0001))  # so many in no time
    assert not goes_on(first, snapshot(12_000, 12.0, min=0.0011))  # a minimum does not rise
    assert not goes_on(first, snapshot(12_000, 12.0, max=0.008))
    assert not goes_on(first, snapshot(10_000, 10.0, mean=0.0021))
    assert not goes_on(first, snapshot(12_000, 12.0, mean=0.0001))
    assert not goes_on(replace(first, is_last=True), snapshot(12_000, 12.0))


def test_the_last_of_each_run() -> None:
    rising = [snapshot(1000 * n, float(n)) for n in (1, 2, 3)]
    assert list(lasts([*rising, *rising[:2]])) == [(2, 2), (4, 1)]
    assert list(lasts([])) == []


def test_a_failed_request_may_be_counted_with_the_status_of_another() -> None:
    for name in ("drop.txt", "stall.txt"):
        run = recorded(name)
        figures = {f.metric: f.value for f in run.figures if f.statistic == "total"}
        assert figures["2xx"] == run.columns["requests"]  # although some failed
        assert run.columns["errors"] == sum(filter(None, run.errors.values())) > 0
        assert not {"non2xx", "success_ratio", "goodput_rps"} & run.columns.keys()


@pytest.mark.parametrize("name", ["refused.txt", "refused.json"])
def test_without_an_answer_there_is_no_latency(name: str) -> None:
    run = recorded(name)
    assert not [column for column in run.columns if column.startswith("latency")]
    assert (run.columns["errors"], run.columns["throughput_rps"]) == (20, 0)
    assert "no answer" in run.notes[0]


def test_of_one_request_there_is_no_deviation() -> None:
    assert "latency_std_s" not in recorded("1.txt").columns


def test_errors_that_cannot_be_read_are_not_none() -> None:
    text = (DATA / "drop.txt").read_text("utf-8")
    lines = [line for line in text.split("\n") if "the server closed" not in line]
    [run] = scan(Text.from_text("\n".join(lines)))
    assert isinstance(run, RunRecord)
    assert run.columns.keys() & {"errors", "throughput_rps", "latency_mean_s"} == set()
    assert run.columns["requests"] == 200
    assert any("errors are missing" in line for line in run.lost)


def test_an_error_with_quotes_ends_at_its_last() -> None:
    line = '    7  "dial "tcp" failed"'
    text = (DATA / "drop.txt").read_text("utf-8").split("\n")
    at = next(number for number, old in enumerate(text) if "the server closed" in old)
    for shown in ("\n", " "):
        [run] = scan(Text.from_text(shown.join([*text[:at], line, *text[at + 1 :]])))
        assert isinstance(run, RunRecord)
        assert run.errors == {'dial "tcp" failed': 7}


def test_a_time_below_zero_is_refused(tmp_path: Path) -> None:
    whole = (DATA / "plain.json").read_text("utf-8")
    path = tmp_path / "plain.json"
    path.write_text(re.sub(r'"P95": *"', '"P95": "-', whole), "utf-8")
    [problem] = read_file(Input(str(path), path.name, path.name)).problems
    assert "expected a time for P95" in str(problem)


def test_bars_beside_shares() -> None:
    run = recorded("bars.txt")
    assert (run.columns["requests"], run.lost) == (200, [])


def test_the_line_of_stderr_above_json_is_no_report() -> None:
    text = "Benchmarking http://h/ with 5 request(s) using 1 connection(s).\n\n{\n"
    assert list(scan(Text.from_text(text))) == []


def test_a_report_without_its_end_is_refused() -> None:
    lines = (DATA / "plain.txt").read_text("utf-8").splitlines(keepends=True)
    [error] = scan(Text.from_text("".join(lines[:6])))
    assert isinstance(error, InputError)
    assert "expected the rest of the report, to its line 'Latency'" in str(error)


@pytest.mark.parametrize(
    "prose",
    [
        "Summary:\n  Count:\t5\n  Total:\t1.00 s\n",
        "plow prints:\n\nLatency Percentile:\n  of all requests\n",
        "Benchmarking 8 connections @ http://127.0.0.1/ for 1 second(s)\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("http://h/", {"connections": 1, "method": "GET", "timeout_s": None}),
        ("-c 20 -n 100 http://h/", {"connections": 20, "offered_rate_rps": None}),
        ("http://h/ --rate 10/ms --no-clean", {"offered_rate_rps": 10_000.0}),
        ("http://h/ --rate 50/2s", {"offered_rate_rps": 25.0}),
        ("http://h/ --rate infinity", {"offered_rate_rps": None}),
        ("-b @file -T text/plain http://h/", {"method": "POST", "url": "http://h/"}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


@pytest.mark.parametrize("damage", ["  P5O   P75 ", "  P50 and more "])
def test_percentiles_that_cannot_be_read_are_missed(damage: str) -> None:
    text = (DATA / "plain.txt").read_text("utf-8")
    [run] = scan(Text.from_text(text.replace("  P50   P75 ", damage)))
    assert isinstance(run, RunRecord)
    assert not run.quantiles
    assert run.lost == ["the percentiles are missing: their table could not be read"]


@pytest.mark.parametrize("printed", ["9.021m", "9.021", "9.0"])
def test_a_time_that_is_cut_off_is_no_other_time(printed: str) -> None:
    text = (DATA / "plain.txt").read_text("utf-8")
    assert "9.021ms\n" in text
    [error] = scan(Text.from_text(text.replace("9.021ms\n", f"{printed}\n", 1)))
    assert isinstance(error, InputError)
    assert error.actual == printed


def test_a_maximum_in_seconds_that_is_cut_off_is_below_the_mean() -> None:
    text = (DATA / "seconds.txt").read_text("utf-8")
    [error] = scan(Text.from_text(text.replace("0.00167\n", "0.0\n", 1)))
    assert isinstance(error, InputError)
    assert error.actual == "0.0"


def test_without_its_line_the_connections_are_not_known() -> None:
    text = (DATA / "plain.txt").read_text("utf-8")
    [run] = scan(Text.from_text(re.sub(r" *Concurrency .*\n", "", text)))
    assert isinstance(run, RunRecord)
    assert "connections" not in run.columns
    assert run.lost == ["'Concurrency' is missing, and so are the connections"]


def test_an_error_that_is_printed_twice_is_counted_once() -> None:
    text = (DATA / "drop.txt").read_text("utf-8")
    [whole] = scan(Text.from_text(text))
    [row] = re.findall(r"Error:\n(.*\n)", text)
    [run] = scan(Text.from_text(text.replace(row, row + row)))
    assert isinstance(whole, RunRecord)
    assert isinstance(run, RunRecord)
    assert run.columns == whole.columns
    assert run.lost == ["an error that stands there twice is counted once"]


@pytest.mark.parametrize("key", ["Count", "RPS"])
def test_null_is_no_count_of_requests(key: str) -> None:
    value = json.loads((DATA / "plain.json").read_text("utf-8"))
    value["Summary"][key] = None
    with pytest.raises(InputError, match=rf"expected Summary\.{key} in a plow result"):
        plow_json.parse(value)
