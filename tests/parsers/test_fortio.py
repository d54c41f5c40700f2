"""fortio: its report on stderr, its JSON, its command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.fortio import read
from benchkit.parsers.fortio_json import parse
from benchkit.parsers.fortio_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "fortio"


def recorded(name: str) -> RunRecord:
    outcome = read_file(Input(str(DATA / name), name, name))
    assert not outcome.problems
    [run] = outcome.runs
    return run.record


def test_a_report() -> None:
    run = recorded("mixed.txt")
    assert run.columns == {
        "tool_version": "1.68.0",
        "url": "http://127.0.0.1:8931/mixed",
        "threads": 4,
        "connections": 4,
        "offered_rate_rps": 100.0,
        "duration_s": pytest.approx(2.001158258),
        "requests": 200,
        "errors": 0,
        "non2xx": 40,
        "success_ratio": 0.8,
        "throughput_rps": 99.942,
        "goodput_rps": pytest.approx(79.9536),
        "latency_min_s": 4.1061e-05,
        "latency_mean_s": 0.00042664424,
        "latency_std_s": 0.00023,
        "latency_p50_s": 0.000530416,
        "latency_p90_s": 0.000925855,
        "latency_p95_s": 0.000975285,
        "latency_p99_s": 0.00119378,
        "latency_max_s": 0.001322964,
    }
    assert run.statuses == {200: 160, 404: 20, 500: 20}


@pytest.mark.parametrize("name", ["max", "mixed", "nocatchup", "drop", "fine", "tcp", "refused"])
def test_report_and_json_of_a_run_say_the_same(name: str) -> None:
    text, result = recorded(f"{name}.txt"), recorded(f"{name}.json")
    for column, value in text.columns.items():
        near = value if isinstance(value, str) else pytest.approx(value, rel=1e-3)
        assert result.columns[column] == near, column
    assert text.statuses == result.statuses
    assert [q for q, _ in text.quantiles] == [q for q, _ in result.quantiles]


def test_percentiles_are_of_the_calls_and_not_of_sleeping_or_connecting() -> None:
    text = (DATA / "mixed.txt").read_text("utf-8")
    assert text.count("# target 50% ") == 3  # of calls, failed calls and connecting
    assert recorded("mixed.txt").columns["latency_p50_s"] == 0.000530416


def test_json_has_the_width_of_its_buckets() -> None:
    assert recorded("mixed.json").columns["resolution_s"] == 0.001
    assert recorded("fine.json").columns["resolution_s"] == 0.0001
    figures = {(f.metric, f.statistic): f.value for f in recorded("mixed.json").figures}
    assert figures["Function Time histogram, 1", "total"] == 195
    assert figures["Error cases", "total"] == 40


def test_json_has_what_was_asked_for() -> None:
    run = recorded("post.json")
    expected = {"method": "POST", "keepalive": False, "timeout_s": 2.0, "connections": 2}
    assert run.columns.items() >= expected.items()
    assert run.statuses == {201: 100}
    assert str(run.columns["started_at"]).startswith("2026-11-22T20:")
    assert "not-a-real-password" in (DATA / "post.json").read_text("utf-8")
    assert "not-a-real-password" not in repr(run)


def test_the_most_that_goes_is_no_rate() -> None:
    assert json.loads((DATA / "max.json").read_text("utf-8"))["RequestedQPS"] == "max"
    for name in ("max.txt", "max.json"):
        assert "offered_rate_rps" not in recorded(name).columns
    assert recorded("default.txt").columns["offered_rate_rps"] == 8.0


def test_without_catching_up_requests_are_skipped() -> None:
    for name in ("nocatchup.txt", "nocatchup.json"):
        assert "-nocatchup" in recorded(name).notes[0]
    late = recorded("behind.txt")
    assert late.notes == []
    assert late.columns["throughput_rps"] < late.columns["offered_rate_rps"] / 2


@pytest.mark.parametrize("name", ["refused.txt", "refused.json"])
def test_without_an_answer_there_is_no_latency(name: str) -> None:
    run = recorded(name)
    assert not [column for column in run.columns if column.startswith("latency")]
    assert (run.columns["requests"], run.columns["errors"]) == (50, 50)
    assert run.statuses == {}


@pytest.mark.parametrize("name", ["grpc.txt", "grpc.json", "tcp.txt", "tcp.json"])
def test_what_is_no_http_has_no_http_statuses(name: str) -> None:
    run = recorded(name)
    assert run.statuses == {}
    assert not {"non2xx", "success_ratio", "method"} & run.columns.keys()
    assert run.columns["errors"] == 0


def test_streams_share_connections() -> None:
    run = recorded("grpc.json")
    assert (run.columns["threads"], run.columns["connections"], run.columns["pipelining"]) == (
        4,
        2,
        2,
    )


def test_a_quiet_report_has_less() -> None:
    run = recorded("quiet.txt")
    assert (run.columns["throughput_rps"], run.columns["requests"]) == (99.9, 100)
    assert not {"duration_s", "threads", "connections"} & run.columns.keys()


def test_an_aborted_run_is_refused() -> None:
    [error] = scan(Text.from_text((DATA / "aborted.txt").read_text("utf-8")))
    assert isinstance(error, InputError)
    assert "line 6: expected a result of fortio, found 'Aborting because of error 500" in str(error)


def test_a_result_that_is_an_error_is_refused() -> None:
    value = json.loads((DATA / "max.json").read_text("utf-8"))
    with pytest.raises(InputError, match="the error 'warmup error'"):
        parse({**value, "error": True, "message": "warmup error"})


def test_a_rate_that_is_none_is_named() -> None:
    value = json.loads((DATA / "max.json").read_text("utf-8"))
    with pytest.raises(InputError, match="a number for RequestedQPS of a fortio result"):
        parse({**value, "RequestedQPS": "fast"})


def test_a_report_that_breaks_off_says_so() -> None:
    run = recorded("interrupted.txt")
    assert run.lost == ["the report breaks off below line 19"]
    assert "errors" not in run.columns


def test_a_percentile_that_ends_with_its_point_is_left_out() -> None:
    text = (DATA / "default.txt").read_text()
    [run] = scan(Text.from_text(re.sub(r"(# target 50% 0\.)[0-9]+", r"\1", text)))
    assert isinstance(run, RunRecord)
    assert "latency_p50_s" not in run.columns
    assert "latency_p75_s" in run.columns
    assert run.lost


def test_two_reports_are_two_runs() -> None:
    first, second = scan(Text.from_text((DATA / "two-in-one-file.txt").read_text("utf-8")))
    assert isinstance(first, RunRecord)
    assert isinstance(second, RunRecord)
    assert (first.columns["threads"], second.columns["threads"]) == (2, 4)


@pytest.mark.parametrize(
    "prose",
    [
        "Fortio 1.68.0 is a load testing tool.\n",
        "Code 200 : 5 (100.0 %)\n# target 50% 0.0005\n",
        "Aggregated Function Time : see below\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("load http://h/", {"threads": 4, "offered_rate_rps": 8.0, "timeout_s": 3.0}),
        ("load -c 8 -qps 0 -keepalive=false http://h/", {"keepalive": False, "threads": 8}),
        ("load -qps 0 http://h/", {"offered_rate_rps": None}),
        ("load -payload x http://h/", {"method": "POST"}),
        ("load -grpc -ping h:8079", {"method": None, "url": "h:8079"}),
        ("load -n 10 -t 1s -calc-qps http://h/", {"offered_rate_rps": None}),
        ("server", {"url": None}),
        ("load -curl http://h/", {"url": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_an_access_log_has_a_call_per_line() -> None:
    run = recorded("access.log.json")
    assert run.statuses == {200: 160, 404: 20, 500: 20}
    assert str(run.columns["started_at"]) == "2026-11-22T20:11:47.262603367"  # to the ns
    assert run.columns["latency_max_s"] == 0.005266
    assert (run.columns["requests"], run.columns["errors"]) == (200, 0)


def test_lines_for_influx_are_calls_too() -> None:
    run = recorded("access.influx")
    assert run.statuses == {200: 200}
    assert run.columns["latency_min_s"] == 5.7e-05


JSON = '{"latency":0.001,"timestamp":1795378307262646080,"thread":0'
INFLUX = "latency,thread=0,ok={ok} value=0.001,details={details} 1795378307262646080\n"


@pytest.mark.parametrize("details", ['"SERVING"', r'"rpc error: desc = \"a, b\""'])
@pytest.mark.parametrize("kind", ["json", "influx"])
def test_words_are_no_http_statuses(details: str, kind: str, tmp_path: Path) -> None:
    json_line = f'{JSON},"iter":0,"ok":true,"details":{details}}}\n'
    line = json_line if kind == "json" else INFLUX.format(ok="true", details=details)
    path = tmp_path / "access.log"
    path.write_text(2 * line, encoding="utf-8")
    [run] = read_file(Input(str(path), path.name, path.name)).runs
    assert run.record.statuses == {}
    assert run.record.columns["requests"] == 2
    assert not {"errors", "success_ratio"} & run.record.columns.keys()


def test_a_call_without_a_response_has_the_code_minus_one(tmp_path: Path) -> None:
    path = tmp_path / "access.log"
    lines = INFLUX.format(ok="true", details='"200"') + INFLUX.format(ok="false", details='"-1"')
    path.write_text(lines, encoding="utf-8")
    [run] = read_file(Input(str(path), path.name, path.name)).runs
    assert (run.record.columns["requests"], run.record.columns["errors"]) == (2, 1)


def test_logs_of_before_codes_have_calls(tmp_path: Path) -> None:
    path = tmp_path / "access.log"
    for line in (JSON + "}\n", "latency,thread=0 value=0.001 1795378307262646080\n"):
        path.write_text(2 * line, encoding="utf-8")
        [run] = read_file(Input(str(path), path.name, path.name)).runs
        assert run.record.columns["requests"] == 2
        assert "errors" not in run.record.columns


def test_a_line_that_is_cut_is_named(tmp_path: Path) -> None:
    path = tmp_path / "access.influx"
    path.write_bytes((DATA / "access.influx").read_bytes()[:-100])
    outcome = read_file(Input(str(path), path.name, path.name))
    assert outcome.runs[0].record.columns["requests"] == 198
    assert "line 199: expected an end of the last row" in (outcome.message or "")
