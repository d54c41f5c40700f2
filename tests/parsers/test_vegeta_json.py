"""vegeta's JSON report, of every version."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchkit.errors import InputError
from benchkit.parsers.vegeta_json import matches, parse
from benchkit.parsers.vegeta_text import scan
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "vegeta"
REPORTS = sorted([*DATA.glob("*.report.json"), *DATA.glob("*.buckets.json")])

V1: dict[str, Any] = {
    "latencies": {"mean": 113172398, "50th": 108272568, "95th": 1, "99th": 2, "max": 264815246},
    "bytes_in": {"total": 3714690, "mean": 3095.575},
    "bytes_out": {"total": 0, "mean": 0},
    "duration": 9982504000,
    "requests": 1200,
    "success": 0.5541666,
    "status_codes": {"0": 535, "200": 665},
    "errors": None,
}


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_recorded_reports(path: Path) -> None:
    value = json.loads(path.read_text("utf-8"))
    assert matches(value)
    run = parse(value)
    assert run.columns["requests"] == sum(run.statuses.values())
    assert run.columns["latency_max_s"] == value["latencies"]["max"] / 1e9
    assert run.columns["duration_s"] == (value["duration"] + value["wait"]) / 1e9
    assert run.columns["success_ratio"] == value["success"]
    assert list(run.errors) == value["errors"]


def test_it_agrees_with_the_text_report_of_the_same_results() -> None:
    run = parse(json.loads((DATA / "errors.report.json").read_text("utf-8")))
    [text] = scan(Text.from_text((DATA / "errors.report.txt").read_text("utf-8")))
    assert isinstance(text, RunRecord)
    assert text.statuses == run.statuses
    assert text.errors == run.errors
    for name, value in text.columns.items():
        assert run.columns[name] == pytest.approx(value, rel=0.002), name
    assert {(f.metric, f.statistic) for f in text.figures} < {
        (f.metric, f.statistic) for f in run.figures
    }


def test_instants_keep_their_nanoseconds() -> None:
    run = parse(V1 | {"earliest": "2017-10-04T23:39:08.005768042+02:00"})
    assert run.columns["started_at"] == np.datetime64("2017-10-04T21:39:08.005768042", "ns")
    assert "started_at" not in parse(V1 | {"earliest": "0001-01-01T00:00:00Z"}).columns


def test_the_oldest_reports_have_neither_wait_nor_minimum() -> None:
    assert matches(V1)
    run = parse(V1)
    assert run.columns["duration_s"] == 9.982504
    assert run.quantiles == [(0.5, 0.108272568), (0.95, 1e-9), (0.99, 2e-9)]
    assert run.columns["errors"] == 535
    assert run.errors == {}
    assert not {"latency_min_s", "wait_s", "throughput_rps"} & run.columns.keys()
    assert "first to last send" in run.notes[0]


def test_buckets_are_figures() -> None:
    run = parse(V1 | {"buckets": {"0": 30, "1000000": 1170}})
    records = [(f.metric, f.value) for f in run.figures if f.metric.startswith("[")]
    assert records == [("[0s, 1ms]", 30), ("[1ms, +Inf]", 1170)]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"latencies": 3, "requests": 1, "duration": 1, "success": 1},
        {"requests": {"average": 1}, "latency": {"mean": 2}, "duration": 1},
        {"latencies": {"p50": 1}, "requests": 1, "duration": 1, "success": 1},
    ],
)
def test_other_objects_do_not_match(value: dict[str, Any]) -> None:
    assert not matches(value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"requests": "12"}, "requests: expected a number, found '12'"),
        ({"requests": 1.5}, "requests: expected a count"),
        ({"requests": -1}, "requests: expected a number, at least 0, found '-1'"),
        ({"bytes_in": {"mean": -0.5}}, "bytes_in.mean: expected a number, at least 0"),
        ({"success": 1.5}, "success: expected a share, at most 1, found '1.5'"),
        ({"wait": True}, "wait: expected a number"),
        ({"status_codes": {"ok": 1}}, "status_codes: expected numbers with counts, found 'ok'"),
        ({"status_codes": {"200": "x"}}, "status_codes.200: expected a count"),
        ({"status_codes": [1]}, "status_codes: expected an object"),
        ({"errors": {"a": 1}}, "errors: expected a list of errors"),
        ({"earliest": "yesterday"}, "earliest: expected an RFC 3339 instant"),
        ({"duration": 10**400}, "duration: expected a number in range"),
    ],
)
def test_wrong_types_are_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(V1 | change)
    assert str(caught.value).startswith(message)


def test_status_codes_that_are_not_all_tell_no_errors() -> None:
    value = json.loads((DATA / "errors.buckets.json").read_text("utf-8"))
    del value["status_codes"]["0"]
    run = parse(value)
    assert not {"errors", "non2xx", "throughput_rps"} & run.columns.keys()
    assert run.columns["success_ratio"] == value["success"]
    assert run.lost == ["the status codes are not as many as the requests: some are missing"]
