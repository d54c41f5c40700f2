"""ghz: its report, its JSON, its command line; gRPC statuses are no HTTP statuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers import ghz_json
from benchkit.parsers.ghz import read
from benchkit.parsers.ghz_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "ghz"


def recorded(name: str) -> RunRecord:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    [run] = outcome.runs
    return run.record


def test_a_report() -> None:
    run = recorded("plain.txt")
    assert run.columns == {
        "duration_s": 0.05573,
        "requests": 500,
        "errors": 0,
        "success_ratio": 1.0,
        "throughput_rps": 8971.58,
        "goodput_rps": 8971.58,
        "latency_min_s": 0.00008,
        "latency_mean_s": 0.00041,
        "latency_p50_s": 0.00021,
        "latency_p75_s": 0.00031,
        "latency_p90_s": 0.00066,
        "latency_p95_s": 0.00124,
        "latency_p99_s": 0.00477,
        "latency_max_s": 0.00573,
    }
    assert run.quantiles[0] == (0.1, 0.00013)
    figures = {(f.metric, f.statistic): f.value for f in run.figures}
    assert figures["status OK", "total"] == 500
    assert figures["Response time histogram, 2", "max"] == 0.000648
    assert run.statuses == {}


def test_a_name_is_that_of_the_run() -> None:
    assert recorded("named.txt").name == "a name"


def test_json() -> None:
    run = recorded("pretty.json")
    assert (
        run.columns.items()
        >= {
            "url": "127.0.0.1:8079",
            "timeout_s": 20.0,
            "offered_rate_rps": 100.0,
            "load_model": "open",
            "duration_s": 1.001302099,
            "requests": 100,
            "latency_mean_s": 0.000717789,
            "latency_p99_s": 0.003671028,
            "latency_max_s": 0.003760652,
        }.items()
    )
    assert "not-a-real-token" not in repr(run)


def test_workers_share_connections() -> None:
    run = recorded("plain.json")
    assert (run.columns["connections"], run.columns["pipelining"]) == (2, 2)


@pytest.mark.parametrize("name", ["not-found.txt", "not-found.json"])
def test_a_call_that_is_not_ok_may_have_had_an_answer(name: str) -> None:
    run = recorded(name)
    assert run.columns["requests"] == 50
    assert not {"errors", "throughput_rps"} & run.columns.keys()
    assert (run.columns["success_ratio"], run.columns["goodput_rps"]) == (0, 0)
    assert not [column for column in run.columns if column.startswith("latency")]
    assert run.errors == {"rpc error: code = NotFound desc = unknown service": 50}


def test_more_errors_than_calls_that_failed_are_told() -> None:
    text = (DATA / "not-found.txt").read_text()
    [record] = scan(Text.from_text(re.sub("(.*rpc error.*\n)", r"\1\1", text)))
    assert isinstance(record, RunRecord)
    assert [*record.errors.values()] == [None]
    assert record.lost == ["more errors than calls that are not OK: how many of each is left out"]


def test_what_the_end_of_a_run_cancels_is_among_the_calls() -> None:
    run = recorded("timed.txt")
    assert (run.columns["requests"], sum(filter(None, run.errors.values()))) == (101, 2)
    assert "latency_mean_s" not in run.columns  # it is of all calls
    assert run.columns["latency_p99_s"] == 0.00472  # of those that are OK


def test_what_did_not_connect_is_no_run() -> None:
    assert list(scan(Text.from_text((DATA / "refused.txt").read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "prose",
    [
        "Summary:\n  Total:\t1.0000 secs\n  Slowest:\t0.5000 secs\n",
        "Summary:\n  Count: many\n",
        "Status code distribution:\n  [OK]   5 responses\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("h:1", {"connections": 1, "pipelining": 50, "timeout_s": 20.0, "load_model": "closed"}),
        ("--call a.B.C -c 10 --connections=5 h:1", {"connections": 5, "pipelining": 2}),
        ("-c 10 --connections 3 h:1", {"connections": None, "pipelining": None}),
        ("--insecure --rps 100 --async h:1", {"load_model": "open", "offered_rate_rps": 100.0}),
        ("-r 5 --load-schedule step h:1", {"offered_rate_rps": None}),
        ("--config f.json", {"url": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_csv_has_a_call_per_line() -> None:
    run = recorded("plain.csv")
    assert run.columns["requests"] == 200
    assert run.columns["latency_max_s"] == 0.0145
    assert not {"errors", "success_ratio", "started_at"} & run.columns.keys()


def test_an_error_with_commas_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    rows = 'duration (ms),status,error\n1.25,OK,\n3.00,Unavailable,rpc "a, b", c\n'
    path.write_text("\n" + rows, encoding="utf-8")
    [run] = read_file(Input(str(path), path.name, path.name)).runs
    assert run.record.columns["requests"] == 2
    assert run.record.columns["latency_max_s"] == 0.003


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    path.write_text(
        "\nduration (ms),status,error\n1.25,OK,\nslow,OK,\n2.00,OK,\n", encoding="utf-8"
    )
    outcome = read_file(Input(str(path), path.name, path.name))
    assert outcome.runs[0].record.columns["requests"] == 1
    assert "line 4: expected a row, found 'slow,OK,'" in (outcome.message or "")


def test_influx_lines_have_the_end_of_a_call() -> None:
    run = recorded("details.influx")
    assert run.columns["requests"] == 100
    assert str(run.columns["started_at"]) == "2026-11-22T20:11:59.439120212"
    assert run.columns["latency_max_s"] == 0.003912228


def test_a_summary_for_influx() -> None:
    run = recorded("summary.influx")
    assert run.columns == {
        "url": "127.0.0.1:8079",
        "requests": 100,
        "errors": 0,
        "duration_s": 0.030313861,
        "success_ratio": 1.0,
        "throughput_rps": 3298.82,
        "goodput_rps": 3298.82,
        "latency_min_s": 0.000081111,
        "latency_mean_s": 0.001176749,
        "latency_p50_s": 0.000362316,
        "latency_p95_s": 0.004236742,
        "latency_max_s": 0.005925062,
    }


def test_a_time_that_is_cut_off_is_no_time_in_minutes() -> None:
    text = (DATA / "plain.txt").read_text("utf-8")
    assert "\t5.73 ms\n" in text
    [error] = scan(Text.from_text(text.replace("\t5.73 ms\n", "\t5.73 m\n", 1)))
    assert isinstance(error, InputError)
    assert error.actual == "5.73 m"


def test_null_is_no_count_of_calls() -> None:
    value = json.loads((DATA / "plain.json").read_text("utf-8"))
    value["count"] = None
    with pytest.raises(InputError, match="expected count in a ghz result"):
        ghz_json.parse(value)
