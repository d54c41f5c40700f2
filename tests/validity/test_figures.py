from __future__ import annotations

from pathlib import Path

import pytest

from tests.validity.runs import One, in_file, plain, raised, run, state

# --- IMPOSSIBLE_ORDER ---

POSSIBLE = {
    "latency_min_s": 0.001,
    "latency_mean_s": 0.010,
    "latency_std_s": 0.008,
    "latency_p50_s": 0.008,
    "latency_p99_s": 0.040,
    "latency_max_s": 0.050,
}


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("latency_min_s", 0.012, "the minimum (12 ms) is above the mean (10 ms)"),
        ("latency_p50_s", 0.041, "the p50 (41 ms) is above the p99 (40 ms)"),
        ("latency_p99_s", 0.060, "the p99 (60 ms) is above the maximum (50 ms)"),
        ("latency_mean_s", 0.070, "the mean (70 ms) is above the maximum (50 ms)"),
        ("latency_std_s", 0.001, "the distance of mean and median (2 ms) is above the standard"),
        ("latency_std_s", 0.090, "the standard deviation (90 ms) is above the maximum (50 ms)"),
    ],
)
def test_what_no_data_can_give(column: str, value: float, words: str) -> None:
    assert not raised("IMPOSSIBLE_ORDER", run("vegeta", **POSSIBLE))
    (finding,) = raised("IMPOSSIBLE_ORDER", run("vegeta", **POSSIBLE | {column: value}))
    assert finding.severity == "error"
    assert words in plain(finding.message)


# --- RATE_DIFFERS ---


@pytest.mark.parametrize(
    ("rate", "requests", "seconds", "differs"),
    [
        (5_000.0, 50_000, 10.02, False),
        (5_000_000.0, 50_123, 10.02, True),
        (50.0, 50_123, 10.02, True),
        (18_115.94, 300, 0.017, False),
        (200_000.0, 250, 0.001, False),  # anything from 0.5 to 1.5 ms
        (1_400.0, 1_000, 1.01, False),  # autocannon: 1k requests
        (0.0, 0, 10.0, False),
    ],
)
def test_a_throughput_is_held_against_requests_and_duration(
    rate: float, requests: int, seconds: float, *, differs: bool
) -> None:
    printed = run("wrk", throughput_rps=rate, requests=requests, duration_s=seconds)
    assert bool(raised("RATE_DIFFERS", printed)) is differs


def test_errors_may_count_among_the_requests_or_beside_them() -> None:
    for rate in (100.0, 60.0, 140.0):
        printed = run("wrk", throughput_rps=rate, requests=1001, duration_s=10.01, errors=400)
        assert not raised("RATE_DIFFERS", printed)
    (finding,) = raised(
        "RATE_DIFFERS", run("wrk", throughput_rps=200.0, requests=1001, duration_s=10.01)
    )
    assert "200 req/s for 10.0 s would be 2,002 requests, not 1,001." in plain(finding.message)
    assert finding.severity == "error"


def test_rounding_is_let_pass() -> None:
    """ab may print a mean of 0 and a median of 1 ms beside a deviation of 0.4."""
    figures = {"latency_mean_s": 0.0, "latency_p50_s": 0.001, "latency_std_s": 0.0004}
    assert not raised("IMPOSSIBLE_ORDER", run("ab", **figures))
    assert not raised(
        "IMPOSSIBLE_ORDER",
        run("vegeta", **POSSIBLE | {"latency_p99_s": 0.05, "latency_max_s": 0.0499}),
    )


def test_one_latency_alone_is_not_compared() -> None:
    assert state("IMPOSSIBLE_ORDER", run("wrk", latency_mean_s=1.0)) == {"not applicable"}


def test_only_vegetas_minimum_is_explained_and_withheld() -> None:
    odd = POSSIBLE | {"latency_min_s": 0.012}
    (vegeta,) = raised("IMPOSSIBLE_ORDER", run("vegeta", **odd))
    (wrk,) = raised("IMPOSSIBLE_ORDER", run("wrk", **odd))
    assert set(vegeta.withheld) == {"latency_min_s"}
    assert "starts its minimum anew" in vegeta.message
    assert not wrk.withheld
    assert "vegeta" not in wrk.message


def test_no_recorded_output_is_impossible(data: Path) -> None:
    for tool in ("ab", "autocannon", "vegeta", "wrk", "wrk2"):
        assert not in_file("IMPOSSIBLE_ORDER", data / tool), tool


# --- PER_THREAD ---


def test_req_sec_of_one_thread(data: Path) -> None:
    (finding,) = in_file("PER_THREAD", data / "wrk" / "drop.txt")
    assert finding.severity == "info"
    assert "31.6 k, is of one thread of 2" in plain(finding.message)


def test_with_one_thread_it_is_the_throughput() -> None:
    figures = {("Req/Sec", "mean"): 1000.0}
    assert not raised("PER_THREAD", run("wrk", threads=1, throughput_rps=1000.0, figures=figures))
    assert raised("PER_THREAD", run("wrk", threads=2, throughput_rps=2000.0, figures=figures))
    assert not raised("PER_THREAD", run("wrk", threads=2, throughput_rps=2100.0, figures=figures))


# --- AB_LENGTH ---


def test_bodies_of_another_length_are_explained(data: Path) -> None:
    (finding,) = in_file("AB_LENGTH", data / "ab" / "length-failures.txt")
    assert finding.severity == "info"
    assert "900 of 1,000 requests count as failed by length" in finding.message
    assert "without proving it" in finding.message


def test_closed_connections_counted_by_length_are_not(data: Path) -> None:
    """The server closed 25 connections without an answer; their bodies would be of 0 bytes."""
    (finding,) = in_file("AB_LENGTH", data / "ab" / "drop-r.txt")
    assert finding.severity == "warning"
    assert finding.values["other_length"] == 0
    assert "These may be failures" in finding.message


def lengths(body_bytes: int, non2xx: int) -> One:
    """A thousand requests, a hundred of another length than the first, which was 100 bytes."""
    figures = {("Failed requests: Length", "total"): 100, ("Document Length", "value"): 100}
    columns = {"body_bytes": body_bytes, "requests": 1000, "non2xx": non2xx}
    return run("ab", figures=figures, **columns)


@pytest.mark.parametrize(
    ("body_bytes", "non2xx", "severity"),
    [
        (100_200, 0, "info"),
        (110_000, 0, "warning"),  # 200 bytes each
        (110_000, 50, "info"),  # what is more may be the bodies of the errors
        (90_100, 50, "warning"),  # 2 bytes each, if those of the errors were empty
    ],
)
def test_bodies_of_errors_count_as_those_of_another_length(
    body_bytes: int, non2xx: int, severity: str
) -> None:
    (finding,) = raised("AB_LENGTH", lengths(body_bytes, non2xx))
    assert finding.severity == severity
    assert ("with those of errors" in finding.message) == (severity == "info" and non2xx > 0)


def test_without_such_failures_it_passes(data: Path) -> None:
    assert not in_file("AB_LENGTH", data / "ab" / "keepalive.txt")
    assert not in_file("AB_LENGTH", data / "ab" / "non2xx.txt")


# --- COMMAND_DIFFERS ---


def test_a_run_that_was_stopped_early_had_its_command() -> None:
    """Both were said: that the command is another's, and by it that the run ended early."""
    command = "ab -n 2000 -c 4 http://127.0.0.1/"
    stopped, whole, other = (
        run("ab", command=command, requests=sent, connections=4) for sent in (729, 2000, 700)
    )
    assert not raised("COMMAND_DIFFERS", stopped)
    assert raised("ENDED_EARLY", stopped)
    (finding,) = raised("COMMAND_DIFFERS", other)
    assert "asks for 2,000 requests, the report says 700" in finding.message
    assert not raised("COMMAND_DIFFERS", whole)


def test_connections_are_as_asked_not_as_opened() -> None:
    """wrk prints 20 and opens 18."""
    asked = {"command": "wrk -t3 -c20 -d2s http://h/", "threads": 3, "connections": 18}
    figures = {("connections", "value"): 20.0, ("Running", "value"): 2.0}
    assert not raised("COMMAND_DIFFERS", run("wrk", **asked, figures=figures))
    figures = {("connections", "value"): 20.0, ("Running", "value"): 10.0}
    assert raised("COMMAND_DIFFERS", run("wrk", **asked, figures=figures))


def test_a_duration_that_is_printed_in_whole_minutes_fits() -> None:
    minute = {("Running", "value"): 60.0}
    assert not raised("COMMAND_DIFFERS", run("wrk", command="wrk -d61s http://h/", figures=minute))
    assert raised("COMMAND_DIFFERS", run("wrk", command="wrk -d5m http://h/", figures=minute))


def test_an_attack_of_another_length() -> None:
    message = {"duration_s": 5.0, "wait_s": 0.002, "offered_rate_rps": 200.0}
    same = "vegeta attack -rate=200/s -duration=5s"
    assert not raised("COMMAND_DIFFERS", run("vegeta", command=same, **message))
    longer = "vegeta attack -rate=200/s -duration 1m"
    assert raised("COMMAND_DIFFERS", run("vegeta", command=longer, **message))


def test_a_time_limit_outweighs_a_number() -> None:
    command = "ab -t 4 -n 100000 -c 8 http://h/"
    assert not raised("COMMAND_DIFFERS", run("ab", command=command, requests=900, connections=8))
    assert state("COMMAND_DIFFERS", run("ab", requests=900)) == {"not applicable"}
