"""k6's summaries as JSON: thresholds, the three forms, and what is no summary."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from benchkit.errors import InputError
from benchkit.ingest.paths import Input
from benchkit.ingest.read import read_file
from benchkit.parsers.k6_json import matches, parse
from benchkit.parsing import RunRecord

DATA = Path(__file__).resolve().parents[1] / "data" / "k6"


def loaded(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((DATA / name).read_text("utf-8"))


def figures(run: RunRecord) -> dict[tuple[str, str], tuple[float, str]]:
    return {(f.metric, f.statistic): (f.value, f.unit) for f in run.figures}


def test_an_exported_summary() -> None:
    run = parse(loaded("export.json"))
    assert run.columns == {
        "threads": 7,
        "duration_s": pytest.approx(1.010926932),
        "requests": 6406,
        "received_bytes": 730389,
        "sent_bytes": 461385,
        "success_ratio": 6395 / 6406,
        "throughput_rps": 6336.7586689242535,
        "goodput_rps": pytest.approx(6336.7586689242535 * 6395 / 6406),
        "latency_min_s": 2.1181e-05,
        "latency_mean_s": pytest.approx(0.0002925799430221669),
        "latency_max_s": 0.020314735,
        "latency_p50_s": pytest.approx(9.69195e-05),
        "latency_p90_s": 0.000270619,
        "latency_p95_s": 0.00078103325,
        "latency_p99_s": pytest.approx(0.0047153343),
    }
    kept = figures(run)
    assert kept["http_req_failed", "total"] == (11, "")
    assert kept["http_req_duration{scenario:open}", "total"] == (51, "")
    assert kept["http_req_waiting", "p95"][1] == "s"
    assert kept["own_trend", "p95"][1] == ""  # nothing says that it is a time


@pytest.mark.parametrize("name", ["export.json", "handle.json"])
def test_only_the_threshold_that_was_crossed_is_noted(name: str) -> None:
    crossed = "thresholds crossed: http_req_duration: p(99.9)<1"
    assert [note for note in parse(loaded(name)).notes if "threshold" in note] == [crossed]


def test_true_is_crossed_in_one_form_and_passed_in_the_other() -> None:
    exported, handled = loaded("export.json"), loaded("handle.json")
    for value in (exported, handled):
        for metric in value["metrics"].values():
            metric.pop("thresholds", None)
    exported["metrics"]["iterations"]["thresholds"] = {"count>1": True, "count>2": False}
    handled["metrics"]["iterations"]["thresholds"] = {"count>1": {"ok": True}}
    assert parse(exported).notes[0] == "thresholds crossed: iterations: count>1"
    assert not any("threshold" in note for note in parse(handled).notes)


def test_what_handle_summary_is_given() -> None:
    run = parse(loaded("handle.json"))
    assert (run.columns["requests"], run.columns["duration_s"]) == (10115, 1.004665793)
    assert run.columns["throughput_rps"] == 10068.024680919936
    assert figures(run)["own_trend", "p95"][1] == "s"


def test_the_new_summary() -> None:
    run = parse(loaded("machine.json"))
    assert (run.columns["tool_version"], run.columns["duration_s"]) == ("1.8.1", 1.001442279)
    assert run.columns["throughput_rps"] == pytest.approx(12250 / 1.001442279)
    assert run.quantiles == [
        (0.5, 7.4206e-05),
        (0.9, pytest.approx(0.0001716829)),
        (0.95, pytest.approx(0.00030093855)),
    ]
    assert figures(run)["http_req_failed", "total"] == (10, "")
    assert figures(run)["http_req_failed", "fails"] == (12240, "")


def test_iterations_that_were_dropped() -> None:
    run = parse(loaded("export-dropped.json"))
    assert figures(run)["dropped_iterations", "total"] == (121, "")
    assert run.notes[0].startswith("121 iterations were dropped")
    assert (run.columns["requests"], run.columns["errors"]) == (80, 0)


def test_without_a_connection_there_is_no_latency() -> None:
    run = parse(loaded("export-refused.json"))
    assert (run.columns["requests"], run.columns["errors"]) == (20, 20)
    assert (run.columns["throughput_rps"], run.columns["success_ratio"]) == (0.0, 0.0)
    assert run.quantiles == []
    assert not [name for name in run.columns if name.startswith("latency")]


def test_without_a_request_it_is_refused() -> None:
    with pytest.raises(InputError, match=r"HTTP requests, 'http_reqs'.*4 other metrics"):
        parse(loaded("export-none.json"))


@pytest.mark.parametrize("value", [True, "12", -1, [3]])
def test_a_statistic_that_is_no_number_is_named(value: object) -> None:
    broken = deepcopy(loaded("export.json"))
    broken["metrics"]["http_req_duration"]["max"] = value
    with pytest.raises(InputError, match="a number as max of http_req_duration"):
        parse(broken)


def test_null_is_missing() -> None:
    broken = loaded("export.json")
    broken["metrics"]["http_req_failed"]["value"] = None
    assert ("http_req_failed", "ratio") not in figures(parse(broken))


@pytest.mark.parametrize(
    "value",
    [
        {"metrics": {"http_req_duration": {"avg": 1.0}}},
        {"metrics": {"latency": {"p50": 1}}, "root_group": {"name": ""}},
        {"metrics": [], "root_group": {}},
        {"results": {"metrics": []}},
        {"results": {"metrics": {}}, "config": {}, "metadata": {}},
    ],
)
def test_what_only_resembles_it_is_no_summary(value: dict[str, object]) -> None:
    assert not matches(value)


def test_a_summary_that_breaks_off_is_refused_in_a_line(tmp_path: Path) -> None:
    half = tmp_path / "half.json"
    half.write_bytes((DATA / "export.json").read_bytes()[:3000])
    outcome = read_file(Input(str(half), "half.json", "half.json"))
    assert outcome.runs == []
    [problem] = outcome.problems
    assert "\n" not in str(problem)


def test_what_k6_calls_a_request_lasts_a_time_whatever_it_is_said_to_contain() -> None:
    value = loaded("handle.json")
    whole = parse(value)
    value["metrics"]["http_req_duration"]["contains"] = ""
    assert parse(value).columns == whole.columns
