from __future__ import annotations

from pathlib import Path

import pytest

from tests.validity.runs import in_file, plain, raised, run, state

LATENCIES = {"latency_p50_s": 0.01, "latency_p90_s": 0.02, "latency_p99_s": 0.03}

# --- ERROR_MIX ---


@pytest.mark.parametrize(
    ("failed", "severity"), [(0.005, None), (0.02, "warning"), (0.06, "error")]
)
def test_how_many_failed(failed: float, severity: str | None) -> None:
    findings = raised("ERROR_MIX", run("wrk", success_ratio=1 - failed))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_errors_of_a_recorded_attack(data: Path) -> None:
    (finding,) = in_file("ERROR_MIX", data / "vegeta" / "mixed-post.gob")
    assert "20\u00a0% of the requests failed (60 with an error status, of 300)" in finding.message


def test_the_same_failures_in_all_variants_are_perhaps_by_design() -> None:
    mixed = {"success_ratio": 0.5, "errors": 0}
    findings = raised("ERROR_MIX", run("wrk", "a", **mixed), run("wrk", "b", **mixed))
    assert {finding.severity for finding in findings} == {"warning"}
    assert "The same share did in b: perhaps by design" in findings[0].message
    for errors in (50, None):  # nobody answered, or nobody knows
        lost = mixed | {"errors": errors}
        findings = raised("ERROR_MIX", run("wrk", "a", **lost), run("wrk", "b", **lost))
        assert {finding.severity for finding in findings} == {"error"}


def test_what_another_variant_did_in_another_setting_is_no_design() -> None:
    half = {"success_ratio": 0.5, "errors": 0}
    console, file = ({"params": f'{{"sink": "{sink}"}}'} for sink in ("console", "file"))
    lost = {"success_ratio": 0.0, "errors": 100, "requests": 100}
    findings = raised(
        "ERROR_MIX",
        run("wrk", "default", **console, **lost),
        run("wrk", "nolog", **console, **half),
        run("wrk", "recover", **console, **half),
        run("wrk", "default", **file, **half),
        run("wrk", "nolog", **file, success_ratio=1.0, errors=0),
    )
    own = {
        finding.message.partition(":")[0]: finding.message
        for finding in findings
        if finding.variant
    }
    assert "The same share did in recover: perhaps by design" in own["nolog 1"]
    assert "by design" not in own["default 3"]


def test_shares_that_differ_by_more_than_a_point() -> None:
    clean = run("wrk", "a", success_ratio=1.0)
    (finding,) = raised("ERROR_MIX", clean, run("wrk", "b", success_ratio=0.985))[:1]
    assert finding.variant is None
    assert finding.severity == "error"
    assert not raised("ERROR_MIX", clean, run("wrk", "b", success_ratio=0.992))


def test_the_advice_follows_from_what_is_known(data: Path) -> None:
    def advice(**known: float) -> str:
        (finding,) = raised("ERROR_MIX", run("wrk", success_ratio=0.9, **known))
        return finding.advice

    assert advice().startswith("Mend what fails")
    assert advice(goodput_rps=90.0).startswith("Compare goodput; latencies of successful requests")
    (finding,) = in_file("ERROR_MIX", data / "vegeta" / "mixed-post.gob")
    assert finding.advice == "Compare goodput, and latencies of successful requests only."


def test_redirects_alone_are_no_error(data: Path) -> None:
    """ab counts them among the non-2xx responses and does not tell."""
    (finding,) = in_file("ERROR_MIX", data / "ab" / "redirect.txt")
    assert finding.severity == "warning"
    assert "got no 2xx answer" in finding.message
    assert not in_file("ERROR_MIX", data / "vegeta" / "redirects.gob")


def test_length_failures_that_may_be_lost_answers_leave_it_open(data: Path) -> None:
    assert not in_file("ERROR_MIX", data / "ab" / "drop-r.txt")
    columns = {"requests": 500, "errors": 0, "non2xx": 0}
    figures = {("Failed requests: Length", "total"): 25.0}
    assert state("ERROR_MIX", run("ab", **columns, figures=figures)) == {"not applicable"}


# --- CENSORED ---


def test_timeouts_of_a_recorded_attack(data: Path) -> None:
    (finding,) = in_file("CENSORED", data / "vegeta" / "errors.gob")
    assert finding.severity == "error"
    assert finding.values["timed_out_share"] == pytest.approx(0.2)
    assert "latency_p90_s" in finding.withheld
    assert "latency_p75_s" not in finding.withheld


def test_refused_connections_are_no_timeouts(data: Path) -> None:
    assert not in_file("CENSORED", data / "vegeta" / "refused.gob")


def test_a_rare_timeout_withholds_only_the_tail() -> None:
    rare = {"requests": 1000, "errors": 5, "timeout_s": 30.0}
    rare |= {**LATENCIES, "latency_p999_s": 30.0, "latency_max_s": 30.0}
    late = {"Get: context deadline exceeded": 5}
    (finding,) = raised("CENSORED", run("vegeta", **rare, texts=late))
    assert finding.severity == "warning"
    assert set(finding.withheld) == {"latency_p999_s", "latency_max_s"}
    assert finding.withheld["latency_p999_s"].startswith("above 30")


def test_timeouts_that_are_not_counted_apart_are_not_guessed() -> None:
    errors = {"requests": 1000, "errors": 5, **LATENCIES}
    mixed = {"Get: context deadline exceeded": None, "connection refused": None}
    assert state("CENSORED", run("vegeta", **errors, texts=mixed)) == {"not applicable"}
    refused = {"connection refused": None, "500 Internal Server Error": None}
    assert state("CENSORED", run("vegeta", **errors, texts=refused)) == {"passed"}


# --- DROPPED_TIMEOUT ---


def test_late_answers_that_wrk_leaves_out(data: Path) -> None:
    (finding,) = in_file("DROPPED_TIMEOUT", data / "wrk" / "timeouts.txt")
    assert finding.severity == "error"
    assert set(finding.withheld) == {"latency_p75_s", "latency_p90_s", "latency_p99_s"}
    assert "the fastest 74\u00a0%" in finding.message


def test_timeouts_that_autocannon_leaves_out(data: Path) -> None:
    (finding,) = in_file("DROPPED_TIMEOUT", data / "autocannon" / "timeouts.json")
    assert finding.values["timed_out_share"] == pytest.approx(30 / 390)
    assert "latency_p99_s" in finding.withheld
    assert "latency_p90_s" not in finding.withheld


def test_where_none_answered_in_time_none_was_measured(data: Path) -> None:
    (finding,) = in_file("DROPPED_TIMEOUT", data / "wrk" / "all-late.txt")
    assert "None was measured." in finding.message


def test_one_in_a_million_is_a_warning_and_none_is_nothing() -> None:
    many = {"requests": 1_000_000, **LATENCIES}
    (finding,) = raised("DROPPED_TIMEOUT", run("wrk", timeouts=1, **many))
    assert finding.severity == "warning"
    assert not finding.withheld
    assert not raised("DROPPED_TIMEOUT", run("wrk", timeouts=0, **many))


# --- SYN_RETRY ---


@pytest.mark.parametrize(
    ("seconds", "near"), [(1.039, 1), (3.01, 3), (7.071, 7), (15.2, 15), (2.0, None), (0.5, None)]
)
def test_a_lost_syn(seconds: float, near: int | None) -> None:
    findings = raised("SYN_RETRY", run("ab", figures={("Connect", "max"): seconds}))
    assert bool(findings) == (near is not None)
    if near is not None:
        assert f"close to the {near} s" in plain(findings[0].message)


def test_connecting_at_once_is_none(data: Path) -> None:
    assert not in_file("SYN_RETRY", data / "ab" / "no-keepalive.txt")


# --- CHECKS_FAILED ---


@pytest.mark.parametrize("name", ["full.txt", "legacy.txt", "export.json", "handle.json"])
def test_checks_of_a_script_that_failed_are_told(name: str, data: Path) -> None:
    (finding,) = in_file("CHECKS_FAILED", data / "k6" / name)
    assert finding.severity == "error"
    assert finding.values["failed_checks_share"] == pytest.approx(0.2, abs=0.02)


def test_checks_that_fail_with_the_requests_say_nothing_more() -> None:
    figures = {("checks_failed", "ratio"): 0.3}
    assert raised("CHECKS_FAILED", run("wrk", success_ratio=0.9, figures=figures))
    assert not raised("CHECKS_FAILED", run("wrk", success_ratio=0.6, figures=figures))
    assert not raised("CHECKS_FAILED", run("wrk", figures={("checks_failed", "ratio"): 0.01}))
    assert state("CHECKS_FAILED", run("wrk")) == {"not applicable"}


# --- timeouts of wrk2 ---


def test_a_connection_that_waits_is_no_late_answer(data: Path) -> None:
    (finding,) = in_file("DROPPED_TIMEOUT", data / "wrk2" / "drop.txt")
    assert "11 times a connection had sent nothing for longer" in plain(finding.message)
    assert (finding.severity, finding.withheld) == ("warning", {})
    assert not in_file("ERROR_MIX", data / "wrk2" / "drop.txt")  # it may have stood idle
