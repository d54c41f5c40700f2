from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchkit.validity.evidence import sets_of
from tests.validity.runs import in_file, plain, raised, results, run, state

#: 10 connections that answer 1,000 a second take 10 ms each.
FULL = {"connections": 10, "throughput_rps": 1000.0, "latency_mean_s": 0.010}


# --- LITTLE_HIGH ---


def test_pipelining_by_a_script_shows_as_too_many_in_flight(data: Path) -> None:
    (finding,) = in_file("LITTLE_HIGH", data / "wrk" / "pipeline.txt")
    assert finding.severity == "error"
    assert finding.values["in_flight"] == pytest.approx(93.3, abs=0.1)
    assert "a script sends several requests at a time" in finding.message


def test_back_filled_samples_show_too(data: Path) -> None:
    (finding,) = in_file("LITTLE_HIGH", data / "wrk" / "slow-some.txt")
    assert finding.values["kappa"] == pytest.approx(11.8, abs=0.1)
    assert finding.touches[0] == "latency_mean_s"


def test_pipelining_that_is_known_is_counted() -> None:
    assert raised("LITTLE_HIGH", run("wrk", **FULL | {"latency_mean_s": 0.04}))
    assert not raised("LITTLE_HIGH", run("wrk", **FULL, pipelining=1))
    assert not raised("LITTLE_HIGH", run("wrk", **FULL | {"latency_mean_s": 0.04}, pipelining=4))


def test_a_mean_within_its_rounding_is_let_pass() -> None:
    assert not raised("LITTLE_HIGH", run("wrk", **FULL | {"latency_mean_s": 0.01052}))
    assert raised("LITTLE_HIGH", run("wrk", **FULL | {"latency_mean_s": 0.01058}))
    # ab prints 11 ms for 10.5
    assert not raised("LITTLE_HIGH", run("ab", **FULL | {"latency_mean_s": 0.011}))


def test_it_is_an_error_where_it_turns_a_ranking_round() -> None:
    """By Little's law b has the lower mean, by the printed means a has."""
    other = run("wrk", "b", connections=10, throughput_rps=1050.0, latency_mean_s=0.0106)
    mild = run("wrk", "a", **FULL)
    (finding,) = raised("LITTLE_HIGH", mild, other)
    assert (finding.variant, finding.severity) == ("b", "error")
    same_order = run("wrk", "a", **FULL | {"latency_mean_s": 0.0112, "throughput_rps": 960.0})
    assert {finding.severity for finding in raised("LITTLE_HIGH", same_order, other)} == {"warning"}


PADDED = FULL | {"connections": 200, "throughput_rps": 81_600.0, "latency_mean_s": 0.0097}


def test_what_the_law_rules_out_of_padded_samples_is_withheld() -> None:
    """2.45 ms at most: p50 alone needs 1.35 ms, with p90 it is 4.57 ms."""
    printed = {"latency_p50_s": 0.0027, "latency_p90_s": 0.0349, "latency_p99_s": 0.0985}
    (finding,) = raised("LITTLE_HIGH", run("wrk", **PADDED, **printed, pipelining=1))
    assert set(finding.withheld) == {"latency_mean_s", "latency_p90_s", "latency_p99_s"}
    reason = "ruled out by Little's law: the mean is at most 2.45 ms"
    assert set(map(plain, finding.withheld.values())) == {reason}


def test_percentiles_that_the_mean_allows_stay() -> None:
    printed = {"latency_p50_s": 0.001, "latency_p90_s": 0.003, "latency_p99_s": 0.02}
    (finding,) = raised("LITTLE_HIGH", run("wrk", **PADDED, **printed, pipelining=1))
    assert set(finding.withheld) == {"latency_mean_s"}


def test_a_script_may_have_sent_several_and_measured_samples_are_what_they_are() -> None:
    assert not raised("LITTLE_HIGH", run("wrk", **PADDED))[0].withheld
    measured = run("wrk", **PADDED, pipelining=1, correction="none")
    assert not raised("LITTLE_HIGH", measured)[0].withheld


def test_an_open_loop_has_no_such_bound() -> None:
    assert state("LITTLE_HIGH", run("wrk2", **FULL | {"latency_mean_s": 9.0})) == {"not applicable"}
    assert state("LITTLE_HIGH", run("vegeta", **FULL | {"latency_mean_s": 9.0})) == {
        "not applicable"
    }


# --- LITTLE_LOW ---


def test_connections_that_stalled(data: Path) -> None:
    (finding,) = in_file("LITTLE_LOW", data / "wrk" / "stalled-some.txt")
    assert finding.severity == "error"
    assert "only 12\u00a0% of the 4\u00a0connections waited" in finding.message


def test_connections_that_were_never_made(data: Path) -> None:
    (finding,) = in_file("LITTLE_LOW", data / "wrk" / "connect-errors.txt")
    assert "25 attempts to connect failed" in finding.message


@pytest.mark.parametrize(
    ("mean", "severity"), [(0.0070, "error"), (0.0080, "warning"), (0.0093, None)]
)
def test_how_low_is_how_grave(mean: float, severity: str | None) -> None:
    findings = raised("LITTLE_LOW", run("wrk", **FULL | {"latency_mean_s": mean}))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_the_opened_connections_count_not_the_printed_ones(data: Path) -> None:
    """20 connections over 3 threads are 18."""
    assert not in_file("LITTLE_LOW", data / "wrk" / "uneven.txt")


def test_a_set_rate_leaves_connections_idle_by_design() -> None:
    slow = FULL | {"latency_mean_s": 0.002, "offered_rate_rps": 1000.0}
    assert state("LITTLE_LOW", run("autocannon", load_model="closed", **slow)) == {"not applicable"}


def test_a_loop_that_may_have_had_a_rate_gets_a_warning_only(data: Path) -> None:
    (finding,) = in_file("LITTLE_LOW", data / "autocannon" / "rate-raw.json")
    assert finding.severity == "warning"
    assert "or a rate was set that is not known here" in finding.message


def test_a_mean_of_whole_milliseconds_decides_nothing_below_one(data: Path) -> None:
    assert not in_file("LITTLE_LOW", data / "ab" / "keepalive.txt", data / "ab" / "html.txt")


# --- STRAGGLER ---

#: One of 10 connections waits for 8 s of 10 s; the others are done after 2 s.
WAITED = {"connections": 10, "throughput_rps": 200.0, "latency_mean_s": 0.013, "duration_s": 10.0}


def test_one_request_outlasts_the_others() -> None:
    (finding,) = raised("STRAGGLER", run("ab", **WAITED, latency_max_s=8.0))
    assert finding.severity == "error"
    assert "the slowest request took 8 s of the test's 10 s, 80 % of it" in plain(finding.message)
    assert finding.title == "One slow request sets the throughput"
    (mild,) = raised("STRAGGLER", run("ab", **WAITED, latency_max_s=1.5))
    assert mild.severity == "warning"
    assert mild.title == "One slow request weighs on the throughput"
    assert mild.message.endswith("The throughput depends on that request.")


def test_a_slow_request_among_busy_connections_is_none() -> None:
    busy = WAITED | {"latency_mean_s": 0.05}
    assert not raised("STRAGGLER", run("ab", **busy, latency_max_s=8.0))
    assert not raised("STRAGGLER", run("ab", **WAITED, latency_max_s=0.9))


def test_the_wait_for_the_last_response_of_an_attack(data: Path) -> None:
    (finding,) = in_file("STRAGGLER", data / "vegeta" / "interrupted.gob")
    assert finding.severity == "warning"
    assert "after 1.98 s of sending the last response took another 201 ms" in plain(finding.message)
    assert not in_file("STRAGGLER", data / "vegeta" / "ok.gob")


def test_a_wait_for_a_timeout_is_no_response() -> None:
    timed_out = {"wait_s": 30.0, "duration_s": 60.0, "timeout_s": 30.0}
    assert not raised("STRAGGLER", run("vegeta", **timed_out))
    assert raised("STRAGGLER", run("vegeta", **timed_out | {"wait_s": 20.0}))


# --- SAME_FACT ---


def test_throughput_and_mean_follow_from_one_another() -> None:
    half = {"connections": 10, "throughput_rps": 500.0, "latency_mean_s": 0.020}
    (finding,) = raised("SAME_FACT", run("wrk", "a", **FULL), run("wrk", "b", **half))
    assert finding.severity == "info"
    odd = half | {"latency_mean_s": 0.030}
    assert not raised("SAME_FACT", run("wrk", "a", **FULL), run("wrk", "b", **odd))


def test_nor_do_they_with_other_connections_or_in_an_open_loop() -> None:
    more = FULL | {"connections": 20}
    assert state("SAME_FACT", run("wrk", "a", **FULL), run("wrk", "b", **more)) == {
        "not applicable"
    }
    assert state("SAME_FACT", run("vegeta", "a", **FULL), run("vegeta", "b", **FULL)) == {
        "not applicable"
    }


@pytest.mark.parametrize("rate_rps", [125.0, 1250.0])
def test_variants_are_equally_loaded_where_the_rates_that_were_sent_are_about_one(
    rate_rps: float,
) -> None:
    sent = [
        run("vegeta", name, requests=round(factor * rate_rps * 100), duration_s=100.0, wait_s=0.0)
        for name, factor in (("a", 0.9999), ("b", 1.0002), ("c", 1.07))
    ]
    (runs,) = sets_of(results(*sent))
    ((first, second),) = runs.equally_loaded()
    assert {first.name, second.name} == {"a", "b"}


def test_of_a_sweep_they_are_one_measurement_once() -> None:
    levels = [
        run("wrk", name, **rates, params=json.dumps({"c": c}), connections=c)
        for c in (8, 32, 128)
        for name, by in (("a", 100.0), ("b", 50.0))
        for rates in [{"throughput_rps": c * by, "latency_mean_s": 1 / by}]
    ]
    (finding,) = raised("SAME_FACT", *levels)
    assert finding.message.startswith("Between variants under one load throughput and mean")
    assert len(finding.values["in_flight"]) == 6
