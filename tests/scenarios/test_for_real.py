"""The scenarios that need nothing out of the ordinary, run for real, as short as they go."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import benchkit
from benchkit.scenarios.build import BuildError
from benchkit.scenarios.declaration import find
from benchkit.scenarios.matrix import RunPlan, Wishes, plan
from benchkit.scenarios.needs import look
from benchkit.scenarios.runner import execute, missing
from benchkit.scenarios.until import Watch, goal, read_folder

#: What Go says where it cannot fetch a module.
NO_NETWORK = ("dial tcp", "no such host", "i/o timeout", "connection refused", "proxyconnect")


def planned(
    name: str, *wanted: str, repeats: int = 1, copy: bool = False, variants: Sequence[str] = ()
) -> RunPlan:
    """A plan for the quick profile; where something is missing the test is skipped."""
    if not sys.platform.startswith("linux"):
        pytest.skip("scenarios run on Linux")
    wishes = Wishes(repeats=repeats, set=wanted, copy=copy, variants=variants)
    made = plan(find(name), wishes)
    lacking = [f"{each.wanted} ({each.problem})" for each in missing(made)]
    if lacking:
        pytest.skip(f"lacks {', '.join(lacking)}")
    return made


def measured(made: RunPlan, results: Path) -> list[dict[str, Any]]:
    try:
        outcome = execute(made, results, seed=1, listener=lambda _: None)
    except BuildError as error:
        if any(text in str(error) for text in NO_NETWORK):
            pytest.skip(f"no modules without a network: {error}")
        raise
    assert outcome.failed == []
    runs = benchkit.load(results).runs
    assert len(runs) == len(made.cells) * made.repeats
    return runs.to_dict("records")  # type: ignore[return-value]


def value(runs: list[dict[str, Any]], variant: str, column: str) -> float:
    return float(next(run[column] for run in runs if run["variant"] == variant))


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["ab", "wrk", "autocannon", "vegeta"])
def test_quickstart_shows_that_waiting_in_the_loop_is_the_slow_way(
    tool: str, tmp_path: Path
) -> None:
    variants = ("blocking", "threads")
    made = planned("quickstart", f"tool={tool}", copy=tool == "ab", variants=variants)
    if not look(tool).good:
        pytest.skip(f"lacks {tool}")
    runs = measured(made, tmp_path)
    assert {run["tool"] for run in runs} == {tool}
    if tool == "wrk":
        assert {run["format"] for run in runs} == {"wrk-histogram"}
    if tool == "vegeta":  # an open loop: as many as were asked for
        assert value(runs, "blocking", "requests") == 200
    else:
        # One answer in 2 ms at most, whatever else the machine does.
        blocking = value(runs, "blocking", "throughput_rps")
        assert blocking < 500
        assert blocking < value(runs, "threads", "throughput_rps")
        assert value(runs, "blocking", "connections") == 8
    if tool == "ab":
        baselines = [run["variant"] for run in runs if run["variant"].startswith("blocking")]
        assert len(set(baselines)) == len(baselines) == 2  # one is the copy
    results = benchkit.load(tmp_path)
    assert {"server", tool} >= set(results.resources["process"]) >= {"server"}


@pytest.mark.slow
def test_logging_cost_keeps_every_latency_and_shows_the_documented_order(tmp_path: Path) -> None:
    settings = "sink=file", "warm_up=1"
    runs = measured(planned("logging-cost", *settings, repeats=3, variants=("0", "20x5")), tmp_path)
    assert {run["format"] for run in runs} == {"autocannon-responses"}
    assert {run["success_ratio"] for run in runs} == {1.0}
    # Other work on the machine adds to every latency what logging takes many times over; of the
    # server's processor time it takes little.
    cost = benchkit.load(tmp_path).compare(baseline="0", metric="cpu_per_request").iloc[0]
    assert cost["variant"] == "20x5"
    assert cost["baseline_value"] < cost["value"]
    percentiles = [value(runs, "0", f"latency_p{p}_s") for p in (50, 90, 99)]
    assert percentiles != [round(s, 3) for s in percentiles]  # autocannon prints whole ms
    assert value(runs, "0", "resolution_s") == 1e-6
    assert {run["params"] for run in runs} == {'{"sink": "file"}'}


@pytest.mark.slow
def test_request_coalescing_is_free_of_errors(tmp_path: Path) -> None:
    """A single short run each says nothing of the speed; that is for the comparison."""
    runs = measured(planned("request-coalescing", "requests=2000"), tmp_path)
    assert {run["requests"] for run in runs} == {2000}
    assert [run["non2xx"] for run in runs if run["variant"] == "with"] == [0, 0]
    processes = set(benchkit.load(tmp_path).resources["process"])
    assert processes >= {"server", "postgres"}


#: Windows of a second, and as few as it takes.
HASTY = ("window=1", "windows=1", "warm_up_cap=3", "duration=1", "connections=20", "threads=2")


@pytest.mark.slow
def test_gateways_measures_its_warm_up_and_keeps_the_histogram(tmp_path: Path) -> None:
    made = planned("gateways", *HASTY, variants=("none",))
    (run,) = measured(made, tmp_path)
    assert run["format"] == "wrk-histogram"
    assert (run["connections"], run["success_ratio"]) == (20, 1.0)
    facts = json.loads((tmp_path / "gateways/none/1/meta.json").read_text())["facts"]
    rates = [int(rate) for rate in facts["warm_up_rps"].split()]
    assert facts["warm_up_s"] == len(rates) in {2, 3}
    assert facts["warm_up_capped"] in {"yes", "no"}
    assert min(rates) > 100
    assert run["correction"] == "none"
    in_flight = run["throughput_rps"] * run["latency_mean_s"]
    assert in_flight <= 20.5  # Little's law, which the added samples would break
    figures = benchkit.load(tmp_path).figures
    assert "latency with added samples" in set(figures["metric"])


@pytest.mark.slow
def test_a_gateway_of_java_passes_on_what_the_web_server_says(tmp_path: Path) -> None:
    if "BENCHKIT_TEST_JAVA" not in os.environ:
        pytest.skip("BENCHKIT_TEST_JAVA is not set: Maven would fetch half a hundred files")
    made = planned("gateways", *HASTY, variants=("none", "finagle-stand-in"))
    if not (look("java >= 11").good and look("maven").good):
        pytest.skip("lacks java or maven")
    runs = measured(made, tmp_path)
    assert {run["success_ratio"] for run in runs} == {1.0}
    processes = set(benchkit.load(tmp_path).resources["process"])
    assert processes == {"static", "gateway", "wrk"}


@pytest.mark.slow
def test_repeats_are_added_until_a_verdict_stands(tmp_path: Path) -> None:
    made = planned("quickstart", repeats=12, variants=("blocking", "asyncio"))
    lines: list[str] = []
    wanted = goal(["0.1%"], most_repeats=12, most_minutes=3)
    assert wanted is not None
    watch = Watch(wanted, lines.append, read_folder)
    outcome = execute(made, tmp_path, seed=1, listener=lambda _: None, watch=watch)
    assert (outcome.failed, outcome.runs, watch.reason) == ([], 16, "a verdict stands")
    assert len(lines) == 1  # eight pairs show a factor of seven
    runs = benchkit.load(tmp_path)
    assert set(runs.runs["looks"]) == {5}
    rows = runs.compare().to_dict("records")
    verdict, reason = next(
        (row["verdict"], row["reason"]) for row in rows if row["metric"] == "throughput"
    )
    assert verdict == "faster"
    assert "is needed for 5 looks" in reason
    costs = runs.compare(baseline="blocking", metric=["cpu_per_request", "rss"])
    assert {"cpu_per_request", "rss"} <= set(costs[costs["variant"] == "asyncio"]["metric"])
    assert costs[costs["metric"] == "rss"]["value"].min() > 2**20
