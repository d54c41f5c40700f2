"""Artillery's command line, its report as JSON, and its console."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchkit.errors import InputError
from benchkit.parsers import artillery_json, artillery_text
from benchkit.parsers.artillery import read
from benchkit.parsing import RunRecord
from benchkit.text import Text

DATA = Path(__file__).resolve().parents[1] / "data" / "artillery"

#: As Artillery 1.7 prints it (`lib/console-reporter.js`), after a report of ten seconds.
EARLIER = """
Report @ 10:00:10(+0000) 2021-06-01
Elapsed time: 10 seconds
  Scenarios launched:  7
  Scenarios completed: 7
  Requests completed:  14
  Mean response/sec: 1.4
  Response time (msec):
    min: 1
    max: 9
    median: 2
    p95: 8
    p99: 9
  Codes:
    200: 14

All virtual users finished
Summary report @ 10:00:20(+0000) 2021-06-01
  Scenarios launched:  20
  Scenarios completed: 17
  Requests completed:  37
  Mean response/sec: 1.9
  Response time (msec):
    min: 0.5
    max: 103.2
    median: 2
    p95: 32.1
    p99: 80.6
  Scenario duration:
    min: 1001
    max: 1200
    median: 1100
    p95: 1190
    p99: 1199
  Scenario counts:
    browse: 20 (100%)
  Codes:
    200: 30
    302: 4
    500: 3
  Errors:
    ECONNREFUSED: 2
    ETIMEDOUT: 1
"""
#: The aggregate of such a run (`core/lib/stats2.js`).
EARLIER_JSON: Any = {
    "aggregate": {
        "timestamp": "2021-06-01T10:00:20.000Z",
        "scenariosCreated": 20,
        "scenariosCompleted": 17,
        "requestsCompleted": 37,
        "latency": {"min": 0.5, "max": 103.2, "median": 2, "p95": 32.1, "p99": 80.6},
        "rps": {"count": 40, "mean": 1.9},
        "scenarioCounts": {"browse": 20},
        "errors": {"ECONNREFUSED": 2, "ETIMEDOUT": 1},
        "codes": {"200": 30, "302": 4, "500": 3},
    },
    "intermediate": [{"requestsCompleted": 14, "scenariosCreated": 7, "latency": {}}],
}


def loaded(name: str) -> RunRecord:
    run: RunRecord = artillery_json.parse(json.loads((DATA / name).read_text("utf-8")))
    return run


def printed(name: str) -> RunRecord:
    [run] = artillery_text.scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(run, RunRecord)
    return run


def figures(run: RunRecord) -> dict[tuple[str, str], tuple[float, str]]:
    return {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}


def test_a_report_as_json_is_its_aggregate() -> None:
    run = loaded("mixed.json")
    assert run.columns == {
        "clock": "send-to-first-byte",
        "started_at": datetime(2026, 11, 22, 20, 28, 3, 463000, tzinfo=UTC),
        "duration_s": 1.938,
        "requests": 90,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 36,
        "success_ratio": 84 / 90,
        "throughput_rps": 90 / 1.938,
        "goodput_rps": pytest.approx(84 / 1.938),
        "latency_min_s": 0.0,
        "latency_mean_s": 0.0008,
        "latency_max_s": 0.02,
        "latency_p50_s": 0.0,
        "latency_p75_s": 0.001,
        "latency_p90_s": 0.001,
        "latency_p95_s": 0.003,
        "latency_p99_s": 0.006,
        "latency_p999_s": 0.006,
    }
    assert run.statuses == {200: 54, 301: 30, 404: 3, 500: 3}
    kept = figures(run)
    assert kept["plugins.metrics-by-endpoint.response_time./mixed", "max"] == (0.02, "s")
    assert kept["http.request_rate", "mean"] == (47, "1/s")
    assert kept["vusers.created", "total"] == (30, "")


@pytest.mark.parametrize("name", ["plain", "mixed", "refused", "drop", "stall", "one"])
def test_the_console_says_the_same(name: str) -> None:
    run, whole = printed(f"{name}.txt"), loaded(f"{name}.json")
    assert run.columns.items() <= whole.columns.items()
    assert (run.statuses, run.errors) == (whole.statuses, whole.errors)
    by_endpoint = {k for k in figures(whole) if k[0].startswith("plugins.")}
    assert {*figures(run)} - by_endpoint <= {*figures(whole)}


def test_the_run_is_the_summary_and_not_its_periods() -> None:
    assert printed("quick.txt").columns["requests"] == 100
    assert "load_model" not in printed("quick.txt").columns  # 25 requests one after the other
    assert printed("plain.txt").columns["load_model"] == "open"


def test_requests_without_a_response() -> None:
    run = loaded("stall.json")
    assert run.errors == {"ETIMEDOUT": 2}
    assert (run.columns["errors"], run.columns["timeouts"]) == (2, 2)
    assert loaded("drop.json").columns["errors"] == 4
    refused = printed("refused.txt")
    assert (refused.columns["errors"], refused.columns["success_ratio"]) == (20, 0.0)
    assert refused.quantiles == []


def test_of_requests_without_a_response_whose_error_is_missing_none_is_known_to_be_late() -> None:
    text = re.sub(r"errors\.ETIMEDOUT: .*\n", "", (DATA / "stall.txt").read_text("utf-8"))
    [run] = artillery_text.scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    assert run.columns["errors"] == 2
    assert "timeouts" not in run.columns
    assert len(run.lost) == 1


@pytest.mark.parametrize(
    "error", ["connect ECONNREFUSED 2001:db8:85a3:0:0:8a2e:370:7334:3000", "ETIMEDOUT"]
)
def test_colons_in_the_name_of_an_error_are_its_own(error: str) -> None:
    text = (DATA / "stall.txt").read_text("utf-8").replace("errors.ETIMEDOUT:", f"errors.{error}:")
    [run] = artillery_text.scan(Text.from_text(text))
    assert isinstance(run, RunRecord)
    assert run.errors == {error: 2}


def test_an_error_of_an_answered_request_is_no_lost_request() -> None:
    report = json.loads((DATA / "plain.json").read_text("utf-8"))
    report["aggregate"]["counters"]["errors.Failed capture or match"] = 3
    run = artillery_json.parse(report)
    assert (run.columns["errors"], run.errors) == (0, {"Failed capture or match": 3})


def test_virtual_users_that_were_skipped() -> None:
    report = json.loads((DATA / "plain.json").read_text("utf-8"))
    report["aggregate"]["counters"]["vusers.skipped"] = 5
    assert artillery_json.parse(report).notes[0].startswith("5 virtual users were due")


def test_an_earlier_report() -> None:
    [run] = artillery_text.scan(Text.from_text(EARLIER))
    assert isinstance(run, RunRecord)
    whole = artillery_json.parse(EARLIER_JSON)
    assert run.columns == whole.columns
    assert (run.columns["requests"], run.columns["errors"]) == (40, 3)
    assert (run.columns["timeouts"], run.columns["non2xx"]) == (1, 7)
    assert run.columns["success_ratio"] == 34 / 40
    assert run.quantiles == [(0.5, 0.002), (0.95, 0.0321), (0.99, 0.0806)]
    assert "clock" not in run.columns  # up to 1.6 it began with connecting


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("interrupted.txt", "found 'its start, and Phase started"),
        ("broken.txt", "found 'its start, and Error: unexpected end of the stream"),
        ("no-request.txt", "expected HTTP requests, 'http.requests'"),
    ],
)
def test_what_holds_no_run_is_refused_in_a_line(name: str, words: str) -> None:
    [error] = artillery_text.scan(Text.from_text((DATA / name).read_text("utf-8")))
    assert isinstance(error, InputError)
    assert words in str(error)


def test_periods_alone_are_no_run() -> None:
    text = (DATA / "plain.txt").read_text("utf-8").partition("All VUs finished")[0]
    [error] = artillery_text.scan(Text.from_text(text))
    assert "the summary report of Artillery, found 'reports of periods alone'" in str(error)


@pytest.mark.parametrize("name", ["mixed.txt", "refused.txt", "stall.txt"])
def test_a_report_cut_at_a_line_says_nothing_else(name: str) -> None:
    lines = (DATA / name).read_text("utf-8").splitlines(keepends=True)
    whole = printed(name)
    for end in range(1, len(lines)):
        for cut in artillery_text.scan(Text.from_text("".join(lines[:end]))):
            if isinstance(cut, RunRecord):
                assert cut.columns.items() <= whole.columns.items(), lines[end]


@pytest.mark.parametrize("value", [True, "12", -1, [3]])
def test_a_figure_that_is_no_number_is_named(value: object) -> None:
    report = json.loads((DATA / "plain.json").read_text("utf-8"))
    report["aggregate"]["summaries"]["http.response_time"]["max"] = value
    with pytest.raises(InputError, match=r"a number as http\.response_time\.max"):
        artillery_json.parse(report)


def test_other_json_is_none_of_its() -> None:
    report = deepcopy(EARLIER_JSON)
    assert artillery_json.matches(report)
    del report["aggregate"]["latency"]
    assert not artillery_json.matches(report)
    assert not artillery_json.matches({"aggregate": {"counters": {}}})
    assert not artillery_json.matches({"aggregate": [], "intermediate": []})


@pytest.mark.parametrize(
    "prose",
    [
        "Summary report @ noon: all was well.\n",
        "http.codes.200: see above\n",
        "Report @ 10:00:10\n  nothing of note: 12\n",
    ],
)
def test_what_only_resembles_it_is_no_report(prose: str) -> None:
    assert list(artillery_text.scan(Text.from_text(prose))) == []


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        ("run --target http://h/ -o r.json test.yml", {"url": "http://h/"}),
        ("run test.yml", {"url": None}),
        ("quick --count 4 -n 25 http://h/a", {"url": "http://h/a", "method": "GET"}),
        ("report r.json", {"url": None}),
    ],
)
def test_a_command_line(command: str, columns: dict[str, object]) -> None:
    known = read(command.split())
    assert {name: known.get(name) for name in columns} == columns


def test_statistics_whose_name_is_lost_are_not_those_of_the_name_above() -> None:
    text = (DATA / "mixed.txt").read_text("utf-8")
    [whole] = artillery_text.scan(Text.from_text(text))
    [run] = artillery_text.scan(Text.from_text(text.replace("http.response_time.2xx:\n", "")))
    assert isinstance(whole, RunRecord)
    assert isinstance(run, RunRecord)
    assert run.columns == whole.columns
    assert [note for note in run.lost if note.startswith("the name of a metric is missing")]


def test_without_the_responses_nothing_tells_how_many_requests_failed() -> None:
    text = (DATA / "mixed.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("http.responses:")]
    [run] = artillery_text.scan(Text.from_text("\n".join(lines)))
    assert isinstance(run, RunRecord)
    assert run.columns["requests"] == 90
    assert not {"errors", "success_ratio"} & run.columns.keys()
    assert "'http.responses' is missing, and with it how many requests failed" in run.lost


def test_without_the_responses_there_is_no_throughput() -> None:
    value = json.loads((DATA / "mixed.json").read_text("utf-8"))
    del value["aggregate"]["counters"]["http.responses"]
    run = artillery_json.parse(value)
    assert not {"errors", "throughput_rps", "goodput_rps"} & run.columns.keys()
    assert run.lost
