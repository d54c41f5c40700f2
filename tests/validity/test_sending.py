from __future__ import annotations

from pathlib import Path

import pytest

import benchkit
from benchkit.model.grouping import variants_of
from benchkit.validity import rows
from tests.validity.runs import One, forbidden, in_file, plain, raised, results, run, sent, state

# --- SEQ_GAP ---


def test_requests_in_flight_when_the_attack_was_killed(data: Path, tmp_path: Path) -> None:
    """The results of a killed attack lack its slow requests, and end on a whole record."""
    lines = (data / "vegeta" / "ok.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    killed = tmp_path / "killed.csv"
    killed.write_text("".join(lines[:250] + lines[251:253]), encoding="utf-8")
    (finding,) = in_file("SEQ_GAP", killed)
    assert finding.severity == "error"
    assert finding.values["missing"] == 1
    assert "1 of 253 requests are missing" in finding.message


def test_whole_attacks_lack_nothing(data: Path) -> None:
    attacks = [data / "vegeta" / name for name in ("ok.gob", "errors.csv", "interrupted.gob")]
    assert not in_file("SEQ_GAP", *attacks)


def test_numbers_that_do_not_occur() -> None:
    assert not raised("SEQ_GAP", run("vegeta", requests=4, unrecorded=0))
    (finding,) = raised("SEQ_GAP", run("vegeta", requests=4, unrecorded=2))
    assert finding.values["missing"] == 2
    assert "2 of 6 requests are missing" in finding.message


def test_reports_and_other_tools_have_no_numbers(data: Path) -> None:
    assert state("SEQ_GAP", run("vegeta")) == {"not applicable"}
    assert not in_file("SEQ_GAP", data / "vegeta" / "ok.report.txt")


# --- RATE_MISS ---

ASKED = {"offered_rate_rps": 200.0, "duration_s": 10.005, "wait_s": 0.01}


@pytest.mark.parametrize(("sent_", "severity"), [(2000, None), (1960, "warning"), (1500, "error")])
def test_an_attack_that_sent_less(sent_: int, severity: str | None) -> None:
    findings = raised("RATE_MISS", run("vegeta", requests=sent_, **ASKED))
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_an_overloaded_server(data: Path, tmp_path: Path) -> None:
    shell = (data / "wrk2" / "overload.txt.cmd").read_text(encoding="utf-8").splitlines()[0]
    page = tmp_path / "page.md"
    output = (data / "wrk2" / "overload.txt").read_text(encoding="utf-8")
    page.write_text(f"```\n$ {shell}\n{output}\n```\n", encoding="utf-8")
    (finding,) = in_file("RATE_MISS", page)
    assert finding.severity == "error"
    assert "48.4 requests per second were answered of 2 k asked for (2.4 %)" in plain(
        finding.message
    )


def test_seconds_below_the_rate_that_the_others_show() -> None:
    """No command tells the rate of 100 per second."""
    (finding,) = raised(
        "RATE_MISS", run("vegeta", load_model=None, sends=(100,) * 8 + (60, 70, 100))
    )
    assert finding.severity == "error"
    assert (
        "100 requests per second were sent in most seconds, but under 90\u00a0%" in finding.message
    )
    assert "in 2 of 9; 92.2 on average" in plain(finding.message)


@pytest.mark.parametrize(
    "sends",
    [
        (94, *(100,) * 8, 31),  # the first second and the last are a part of one
        (100, 99, 100, 101, 100, 99, 101, 100),  # a rate that is no whole number
        (94, *(100,) * 8, 31, 0, 0),  # the last answers come when nothing is sent any more
    ],
)
def test_a_rate_that_was_kept(sends: tuple[int, ...]) -> None:
    assert not raised("RATE_MISS", run("vegeta", load_model=None, sends=sends))


def test_a_pause_of_the_generator_is_no_wait_for_answers() -> None:
    (finding,) = raised(
        "RATE_MISS", run("vegeta", load_model=None, sends=(100,) * 8 + (0, 100, 100))
    )
    assert "in 1 of 9" in plain(finding.message)


def test_rows_that_wait_seconds_for_their_last_answer(data: Path, tmp_path: Path) -> None:
    """Ten a second for eight seconds, the last answer three seconds later."""
    lines = (data / "vegeta" / "ok.csv").read_text(encoding="utf-8").splitlines()[:80]
    fields = [line.split(",") for line in lines]
    for number, row in enumerate(fields):
        row[0] = str(int(fields[0][0]) + number * 100_000_000)
    fields[-1][2] = "3000000000"
    attack = tmp_path / "attack.csv"
    attack.write_text("".join(f"{','.join(row)}\n" for row in fields), encoding="utf-8")
    (run_,) = benchkit.load(attack)
    assert [row["requests"] for row in run_.timeline][-3:] == [0, 0, 0]
    assert not in_file("RATE_MISS", attack)


def test_where_no_constant_rate_shows_none_was_missed() -> None:
    free = (100, 80, 121, 70, 133, 95, 60, 110, 88)
    assert state("RATE_MISS", run("vegeta", sends=free)) == {"not applicable"}
    closed = run("vegeta", load_model="closed", sends=(100,) * 8 + (60, 70, 100))
    assert state("RATE_MISS", closed) == {"not applicable"}


def test_without_a_rate_none_is_missed() -> None:
    assert state("RATE_MISS", run("vegeta", requests=10)) == {"not applicable"}


def test_what_was_due_and_never_begun(data: Path) -> None:
    """The summary has no rate, but the iterations that were dropped."""
    (finding,) = in_file("RATE_MISS", data / "k6" / "export-dropped.json")
    assert finding.severity == "error"
    assert "121 of 201 that were due were never begun (60 %; 'dropped_iterations')" in plain(
        finding.message
    )
    assert not in_file("RATE_MISS", data / "k6" / "export.json")


def test_a_rate_that_the_scenario_tells(data: Path) -> None:
    (finding,) = in_file("RATE_MISS", data / "k6" / "dropped.txt")
    assert "77.4 requests per second were answered of 200 asked for" in plain(finding.message)


# --- RATES_DIFFER ---


def test_a_generator_that_kept_its_rate_against_one_server_only() -> None:
    first = run("wrk2", "a", offered_rate_rps=1000.0, throughput_rps=1000.0)
    slower = run("wrk2", "b", offered_rate_rps=1000.0, throughput_rps=992.0)
    assert not raised("RATES_DIFFER", first, slower)
    behind = run("wrk2", "b", offered_rate_rps=1000.0, throughput_rps=985.0)
    (finding,) = raised("RATES_DIFFER", first, behind)
    assert finding.severity == "error"
    assert "with the same rate asked for. Their latencies are of different loads" in finding.message
    assert not finding.forbids  # the server was slow, not the generator


def attack(variant: str, rate: float) -> One:
    return run("vegeta", variant, figures={("Requests", "rate"): rate})


def test_attacks_at_rates_that_nobody_told() -> None:
    runs = [attack("a", 320.0), attack("b", 400.0), attack("c", 401.0)]
    (finding,) = raised("RATES_DIFFER", *runs)
    assert "c was at 401 requests per second and a at 320." in finding.message
    a, b, c = variants_of(results(*runs))
    assert forbidden([finding], a, b) == "they were sent at different rates"
    assert forbidden([finding], b, c) == ""


def test_rates_that_names_tell_are_what_is_compared() -> None:
    assert not raised("RATES_DIFFER", attack("300 per s", 299.7), attack("400 per s", 399.8))
    assert not raised("RATES_DIFFER", attack("a", 400.0), attack("b", 401.0))
    closed = [
        run("vegeta", name, figures={("Requests", "rate"): rate}, load_model="closed")
        for name, rate in (("a", 300.0), ("b", 400.0))
    ]
    assert state("RATES_DIFFER", *closed) == {"not applicable"}


def test_a_report_beside_results_makes_no_other_rate() -> None:
    """vegeta prints 50 requests by the 0.98 s between the first and the last: 51.0 a second."""
    short = {"requests": 50, "duration_s": 0.981, "wait_s": 0.001}
    reported = run("vegeta", "a", figures={("Requests", "rate"): 51.02}, **short)
    assert not raised("RATES_DIFFER", reported, run("vegeta", "b", **short))
    slower = run("vegeta", "b", **short | {"duration_s": 1.001})
    (finding,) = raised("RATES_DIFFER", reported, slower)
    assert "a was at 50.0 requests per second and b at 49.0" in plain(finding.message)


# --- LATE_SENDS ---


def late(by_s: float, share: float) -> list[float]:
    """Return times of 200 sends at 100/s of which the last ones are late."""
    return [n / 100 + (by_s if n >= 200 * (1 - share) else 0.0) for n in range(200)]


def test_sends_after_they_were_due() -> None:
    rows_ = sent(list(range(200)), started_s=late(0.05, 0.1))
    (finding,) = raised("LATE_SENDS", run("vegeta", offered_rate_rps=100.0, rows=rows_))
    assert finding.severity == "warning"
    assert finding.values["late_share"] == pytest.approx(0.1)
    assert {"latency_p50_s", "latency_p95_s", "latency_max_s"} <= {*finding.touches}
    assert finding.values["latency_p99_due_s"] == pytest.approx(0.06)


def test_what_did_not_happen_is_not_told() -> None:
    """No send is late by an interval of 100 ms, some by more than latencies of 10 ms."""
    times = [n / 10 + (0.02 if n >= 190 else 0.0) for n in range(200)]
    rows_ = sent(list(range(200)), started_s=times)
    (finding,) = raised("LATE_SENDS", run("vegeta", offered_rate_rps=10.0, rows=rows_))
    assert ": 1 % of the requests were sent 20.0 ms or more after" in plain(finding.message)


def test_a_withheld_p99_is_not_told() -> None:
    rows_ = sent(list(range(200)), started_s=late(0.05, 0.1))
    (finding,) = raised(
        "LATE_SENDS", run("vegeta", requests=200, offered_rate_rps=100.0, rows=rows_)
    )
    assert "p99" not in finding.message
    assert finding.message.endswith("their latencies are longer by as much.")


def test_how_many_were_late_and_how_much() -> None:
    rows_ = sent(list(range(200)), started_s=late(0.05, 0.1))
    (finding,) = raised("LATE_SENDS", run("vegeta", offered_rate_rps=100.0, rows=rows_))
    assert "10 % of the requests were sent over 10 ms after they were due" in plain(finding.message)


def test_a_timers_millisecond_is_not_late() -> None:
    rows_ = sent(list(range(200)), started_s=late(0.0009, 0.5))
    assert not raised("LATE_SENDS", run("vegeta", offered_rate_rps=100.0, rows=rows_))
    few = sent(list(range(200)), started_s=late(0.05, 0.005))
    assert not raised("LATE_SENDS", run("vegeta", offered_rate_rps=100.0, rows=few))


def test_large_runs_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_ROWS", 3)
    rows_ = sent(list(range(200)), started_s=late(0.05, 0.1))
    large = run("vegeta", requests=200, offered_rate_rps=100.0, rows=rows_)
    assert state("LATE_SENDS", large) == {"not applicable"}


def test_a_rate_must_be_known_and_the_attack_be_one(data: Path) -> None:
    rows_ = sent(list(range(200)), started_s=late(0.05, 0.1))
    assert state("LATE_SENDS", run("vegeta", rows=rows_)) == {"not applicable"}
    twice = sent([0, 1, 2, 0, 1, 2])
    assert state("LATE_SENDS", run("vegeta", offered_rate_rps=9.0, rows=twice)) == {
        "not applicable"
    }
    assert not in_file("LATE_SENDS", data / "vegeta" / "ok.gob")
