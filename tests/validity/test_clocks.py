from __future__ import annotations

from pathlib import Path

import pytest

from tests.validity.clock_rows import attack
from tests.validity.runs import in_file, plain, raised, run, state

# --- CLOCK_STEP ---


def test_latencies_of_0_in_rows(tmp_path: Path) -> None:
    (finding,) = in_file("CLOCK_STEP", attack(tmp_path, [0.0, 0.3, 0.4, 0.7] * 100))
    assert finding.severity == "warning"
    assert finding.values["zeros"] == 100
    assert "25\u00a0% of the latencies are 0" in finding.message


def test_latencies_on_ticks_of_a_millisecond(tmp_path: Path) -> None:
    ticks = [0.997, 1.003, 2.001, 2.996, 1.999] * 80
    (finding,) = in_file("CLOCK_STEP", attack(tmp_path, ticks))
    assert finding.values["step_s"] == 0.001
    assert "multiples of 1 ms" in plain(finding.message)


def test_latencies_between_ticks(tmp_path: Path, data: Path) -> None:
    between = [0.7, 1.1, 1.26, 1.49, 1.83, 2.2, 2.61, 3.4] * 50
    assert not in_file("CLOCK_STEP", attack(tmp_path, between))
    assert not in_file("CLOCK_STEP", data / "vegeta" / "ok.gob")


def test_a_server_that_always_takes_as_long_is_no_clock(tmp_path: Path) -> None:
    assert not in_file("CLOCK_STEP", attack(tmp_path, [2.001, 2.004, 2.012, 1.995] * 100))


def test_a_difference_below_the_step_was_not_measured(tmp_path: Path) -> None:
    first = attack(tmp_path, [1.003, 1.001, 2.0, 1.002, 2.996] * 80, "one")
    other = attack(tmp_path, [1.022, 1.023, 2.0, 1.021, 2.996] * 80, "other")
    errors = [
        raised for raised in in_file("CLOCK_STEP", first, other) if raised.severity == "error"
    ]
    assert len(errors) == 1
    assert "no difference was measured" in errors[0].message
    apart = attack(tmp_path, [2.003, 2.001, 3.0, 2.002, 2.996] * 80, "apart")
    assert {raised.severity for raised in in_file("CLOCK_STEP", first, apart)} == {"warning"}


def test_percentiles_of_0_below_a_maximum() -> None:
    zeros = {"latency_p50_s": 0.0, "latency_p95_s": 0.0, "latency_max_s": 0.012}
    (finding,) = raised("CLOCK_STEP", run("vegeta", **zeros))
    assert set(finding.withheld) == {"latency_p50_s", "latency_p95_s"}
    assert not raised("CLOCK_STEP", run("vegeta", **zeros | {"latency_max_s": 0.0}))
    fine = {"latency_p50_s": 1e-6, "latency_p95_s": 2e-6}
    assert not raised("CLOCK_STEP", run("vegeta", **zeros | fine))


def test_whole_milliseconds_matter_below_ten(data: Path) -> None:
    (finding,) = in_file("CLOCK_STEP", data / "ab" / "one-at-a-time.txt")
    assert "A p50 of 6 ms is anything between 5.5 ms and 6.5 ms" in plain(finding.message)
    assert raised("CLOCK_STEP", run("ab", latency_p50_s=0.009))
    assert not raised("CLOCK_STEP", run("ab", latency_p50_s=0.010))


# --- COARSE_MEAN ---


def test_a_mean_of_whole_milliseconds_says_little_beside_finer_percentiles() -> None:
    examples = Path(__file__).parents[2] / "examples" / "results"
    fast = examples / "quickstart" / "asyncio" / "1"
    (finding,) = in_file("COARSE_MEAN", fast)
    assert finding.severity == "info"
    assert finding.withheld["latency_mean_s"] == "rounded to 1\u00a0ms"
    slow = examples / "quickstart" / "blocking" / "1"
    assert not in_file("COARSE_MEAN", slow), "half a millisecond of 17 ms is little"


# --- TRUNCATED_MS ---


def test_whole_milliseconds_of_a_fast_server(data: Path) -> None:
    (finding,) = in_file("TRUNCATED_MS", data / "autocannon" / "same-run.json")
    assert "about half a millisecond, 8.9 %, above the printed 5.12 ms" in plain(finding.message)
    (fast,) = in_file("TRUNCATED_MS", data / "autocannon" / "plain.json")
    assert "up to 1 ms above the printed 20 µs" in plain(fast.message)


@pytest.mark.parametrize(("mean", "raises"), [(0.0099, True), (0.0100, False)])
def test_half_a_millisecond_of_ten_is_little(mean: float, *, raises: bool) -> None:
    assert bool(raised("TRUNCATED_MS", run("autocannon", latency_mean_s=mean))) is raises


# --- PHANTOM ---


def test_latencies_that_nobody_measured(data: Path) -> None:
    (finding,) = in_file("PHANTOM", data / "autocannon" / "rate.json")
    assert finding.severity == "error"
    assert "3,904 latencies for 715 responses: 82\u00a0% were never measured" in finding.message
    assert {"latency_mean_s", "latency_p50_s", "latency_p99_s"} <= set(finding.withheld)


def test_with_the_correction_off_all_were(data: Path) -> None:
    assert not in_file("PHANTOM", data / "autocannon" / "rate-raw.json")
    assert not in_file("PHANTOM", data / "autocannon" / "plain.json")


def test_a_table_tells_it_by_its_command() -> None:
    slow = {"latency_p50_s": 0.039, "latency_p99_s": 0.1}
    (finding,) = raised("PHANTOM", run("autocannon", correction="backfilled", **slow))
    assert "sets a rate and no -C" in finding.message
    assert not raised("PHANTOM", run("autocannon", correction="none", **slow))
    fast = {"latency_p50_s": 0.001}
    assert not raised("PHANTOM", run("autocannon", correction="backfilled", **fast))
    assert state("PHANTOM", run("autocannon", **slow)) == {"not applicable"}
