"""autocannon's JSON, from 2016 to version 9."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchkit
from benchkit.errors import InputError
from benchkit.parsers.autocannon_json import PARSERS, matches, parse
from benchkit.parsing import RunRecord

DATA = Path(__file__).parents[1] / "data" / "autocannon"

OF_2016: dict[str, Any] = {
    "requests": {"average": 21339.2, "stddev": 627.68, "min": 20464, "max": 22319, "total": 106679},
    "latency": {
        "average": 4.2,
        "stddev": 1.95,
        "min": 0,
        "max": 5.439504,
        "p50": 4,
        "p75": 5,
        "p90": 6,
        "p99": 10,
        "p999": 14,
        "p9999": 40,
        "p99999": 48,
    },
    "throughput": {"average": 2372403.21, "stddev": 64211.91, "min": 2228224, "max": 2490367},
    "errors": 0,
    "timeouts": 0,
    "duration": 5,
    "connections": 100,
    "pipelining": 1,
    "non2xx": 0,
    "1xx": 0,
    "2xx": 106679,
    "3xx": 0,
    "4xx": 0,
    "5xx": 0,
}


def load(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((DATA / name).read_text("utf-8"))
    return value


def read(name: str) -> RunRecord:
    run: RunRecord = parse(load(name))
    return run


def changed(**values: object) -> dict[str, Any]:
    """Return the result of 2016 with `part__key=value` changed."""
    result = copy.deepcopy(OF_2016)
    for path, value in values.items():
        part, _, key = path.partition("__")
        if key:
            result[part][key] = value
        else:
            result[part] = value
    return result


def figure(run: RunRecord, metric: str, statistic: str) -> float:
    (value,) = [f.value for f in run.figures if (f.metric, f.statistic) == (metric, statistic)]
    return value


def test_a_recorded_run() -> None:
    run = read("same-run.json")
    assert run.columns == {
        "url": "http://127.0.0.1:8931/slow?ms=20&every=4",
        "connections": 10,
        "pipelining": 1,
        "started_at": datetime(2026, 11, 20, 11, 47, 7, 2000, tzinfo=UTC),
        "duration_s": 3.01,
        "requests": 5598,
        "errors": 0,
        "timeouts": 0,
        "non2xx": 0,
        "received_bytes": 638_172,
        "throughput_rps": 1866.0,
        "goodput_rps": 1866.0,
        "success_ratio": 1.0,
        "correction": "none",
        "latency_mean_s": 0.00512,
        "latency_std_s": 0.00881,
        "latency_p50_s": 0.0,
        "latency_p75_s": 0.015,
        "latency_p90_s": 0.02,
        "latency_p99_s": 0.022,
        "latency_p999_s": 0.025,
        "latency_max_s": 0.036,
    }
    assert run.statuses == {200: 5598}
    assert len(run.quantiles) == 15
    assert (0.975, 0.021) in run.quantiles
    assert figure(run, "Req/Sec", "p2.5") == 1838
    assert figure(run, "Bytes/Sec", "stdev") == 2295.3
    assert figure(run, "sent", "total") == 5608
    assert figure(run, "samples", "total") == 3


def test_a_minimum_above_a_quantile_is_none() -> None:
    run = read("same-run.json")  # min 1, p50 0: the smallest that is not zero
    assert "latency_min_s" not in run.columns
    assert figure(run, "Latency", "min") == 0.001


def test_every_number_is_kept() -> None:
    value = load("v7-mixed.json")
    run = parse(value)
    held = {f.printed for f in run.figures}
    for part in ("requests", "throughput"):
        for key, number in value[part].items():
            assert str(number) in held or key == "total", (part, key)


def test_keys_of_2016() -> None:
    run = parse(OF_2016)
    assert run.columns["latency_p999_s"] == 0.014
    assert run.quantiles[-1] == (0.99999, 0.048)
    assert run.columns["latency_max_s"] == 0.005439504
    assert "correction" not in run.columns


def test_counts_as_strings_and_a_title() -> None:
    stats = {"200": {"count": "106679"}, "302": {"count": "0"}}
    run = parse(changed(statusCodeStats=stats, title="root"))
    assert run.statuses == {200: 106679, 302: 0}
    assert run.columns["success_ratio"] == 1.0
    assert run.name == "root"


def test_nothing_answered_is_no_latency() -> None:
    run = read("refused.json")
    assert run.quantiles == []
    assert not [name for name in run.columns if name.startswith("latency")]
    assert run.columns["success_ratio"] == 0.0
    assert run.columns["throughput_rps"] == 0.0
    assert run.errors == {"other errors": run.columns["errors"]}


def test_timeouts() -> None:
    run = read("timeouts.json")
    assert run.errors == {"timeouts": run.columns["timeouts"]}
    total, errors = run.columns["requests"], run.columns["errors"]
    assert run.columns["success_ratio"] == pytest.approx(total / (total + errors))


def test_redirects_are_successes() -> None:
    run = read("redirect.json")
    assert run.columns["non2xx"] == run.columns["requests"]
    assert run.columns["success_ratio"] == 1.0


def test_server_errors_are_not() -> None:
    run = read("mixed.json")
    good = run.statuses[200]
    assert run.columns["success_ratio"] == pytest.approx(good / run.columns["requests"])
    expected = run.columns["throughput_rps"] * good / run.columns["requests"]
    assert run.columns["goodput_rps"] == pytest.approx(expected)


def test_a_rate_fills_in_latencies_that_were_never_measured() -> None:
    assert read("rate.json").columns["correction"] == "backfilled"
    assert read("rate-raw.json").columns["correction"] == "none"


def test_workers_are_threads() -> None:
    assert read("workers.json").columns["threads"] == 2
    assert "threads" not in read("v7.json").columns  # `workers: 0`


def test_samples_shorter_than_a_second() -> None:
    run = parse(changed(sampleInt=100))
    assert run.columns["throughput_rps"] == pytest.approx(213392)
    assert figure(run, "Req/Sec", "mean") == 21339.2


def test_counts_that_contradict_one_another_give_no_ratio() -> None:
    run = parse(changed(non2xx=880, **{"4xx": 880}))
    assert "success_ratio" not in run.columns
    assert "goodput_rps" not in run.columns


def test_a_rate_below_0_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no negative throughput\.min .* found '-1'"):
        parse(changed(throughput__min=-1))


def test_what_a_newer_version_adds_is_kept() -> None:
    assert figure(parse(changed(retries=7)), "retries", "total") == 7


@pytest.mark.parametrize(
    "other",
    [
        {"metrics": {"http_reqs": {"count": 1}}},
        {"latencies": {"mean": 1}, "requests": 100, "throughput": 5.0},
        {"requests": {"total": 1}, "latency": {"avg": 2}, "throughput": {"sum": 3}},
        {"requests": [], "latency": {}, "throughput": {}, "2xx": 1},
    ],
)
def test_other_tools_objects_do_not_match(other: dict[str, Any]) -> None:
    assert matches(OF_2016)
    assert not matches(other)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (changed(latency__average=None), "latency.average"),
        (changed(requests={"total": 5}), "requests.average"),
        (changed(latency__p50="fast"), "latency.p50"),
        (changed(latency__p99=-1), "latency.p99"),
        (changed(errors=1.5), "errors"),
        (changed(timeouts=True), "timeouts"),
        (changed(requests__total=float("nan")), "requests.total"),
        (changed(requests__total=2**70), "requests.total"),
        (changed(statusCodeStats={"200": {"count": []}}), "statusCodeStats.200.count"),
    ],
)
def test_a_broken_field_is_named(value: dict[str, Any], name: str) -> None:
    assert matches(value)
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        parse(value)


@given(
    st.sampled_from(["requests", "latency", "throughput", "duration", "start", "statusCodeStats"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=4,
    ),
)
def test_whatever_stands_in_a_field_is_read_or_refused(part: str, value: object) -> None:
    result = changed(**{part: value})
    if matches(result):
        with suppress(InputError):
            assert isinstance(parse(result), RunRecord)


def test_only_declared_columns_are_filled() -> None:
    (parser,) = PARSERS
    declared = {*parser.fills, *parser.may_fill, *parser.constants}
    for path in DATA.glob("*.json"):
        columns = set(read(path.name).columns)
        assert set(parser.fills) <= columns <= declared, path.name


def test_a_result_that_a_program_printed_with_console_log(tmp_path: Path) -> None:
    page = tmp_path / "load.log"
    page.write_text(
        "null {\n"
        "  title: undefined,\n"
        "  url: 'http://localhost:3000',\n"
        "  connections: 8,\n"
        "  start: 2024-05-01T10:00:00.250Z,\n"
        "  errors: 31,\n  timeouts: 31,\n  non2xx: 0,\n"
        "  '1xx': 0,\n  '2xx': 812,\n  '3xx': 0,\n  '4xx': 0,\n  '5xx': 0,\n"
        "  statusCodeStats: { '200': { count: 800 }, '201': { count: 12 } },\n"
        "  latency: { average: 640.5, stddev: 77.25, max: 1902, p50: 611, p99: 1480 },\n"
        "  requests: { average: 40.6, total: 812 },\n"
        "  throughput: { average: 9134.5, total: 182690 }\n"
        "}\n",
        encoding="utf-8",
    )
    (run,) = benchkit.load(page).runs.to_dict("records")
    assert run["url"] == "http://localhost:3000"
    assert (run["requests"], run["errors"], run["timeouts"]) == (812, 31, 31)
    assert (run["latency_p50_s"], run["latency_p99_s"]) == (0.611, 1.48)
    assert str(run["started_at"]).startswith("2024-05-01 10:00:00.25")


@pytest.mark.parametrize(
    ("mismatches", "bad", "success"), [(0, 0, 1.0), (200, 0, 0.75), (200, 2, None)]
)
def test_bodies_other_than_expected_are_failures(
    mismatches: int, bad: int, success: float | None
) -> None:
    counts = {"1xx": 0, "2xx": 800 - bad, "3xx": 0, "4xx": 0, "5xx": bad, "non2xx": bad}
    run = parse(changed(requests__total=800, errors=0, mismatches=mismatches) | counts)
    assert run.columns.get("success_ratio") == success


def test_a_warm_up_is_no_run(tmp_path: Path) -> None:
    """With `--warmup`, `-j` prints its result, and then one that has it within itself."""
    warmup = {**changed(), "connections": 1, "start": "2024-05-01T10:00:00.000Z"}
    result = {**changed(), "connections": 7, "start": "2024-05-01T10:00:03.000Z"}
    page = tmp_path / "load.txt"
    lines = [json.dumps(record) for record in (warmup, {**result, "warmup": warmup})]
    page.write_text("\n".join(lines), encoding="utf-8")
    assert list(benchkit.load(page).runs["connections"]) == [7]
