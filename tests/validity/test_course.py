from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from benchkit.validity.course import beginning
from tests.validity.clock_rows import attack_of_seconds
from tests.validity.runs import in_file, plain, raised, run, state


def noisy(medians: list[float], *, spread: float = 0.02) -> tuple[float, ...]:
    """Return medians with a little noise that is the same each time."""
    random = np.random.default_rng(7)
    return tuple(float(m * math.exp(random.normal(0, spread))) for m in medians)


COLD_8_OF_40 = [0.030] * 8 + [0.010] * 32

# --- WARMUP ---


def test_a_slow_beginning() -> None:
    (finding,) = raised("WARMUP", run("vegeta", medians=noisy(COLD_8_OF_40)))
    assert finding.severity == "warning"
    assert finding.values["warmup_s"] == 8
    assert "in the first 8 of 40 s the median latency was" in finding.message
    assert "--trim-start 8s" in finding.advice


def test_a_slow_beginning_in_rows(tmp_path: Path) -> None:
    (finding,) = in_file("WARMUP", attack_of_seconds(tmp_path, noisy(COLD_8_OF_40)))
    assert finding.values["warmup_s"] == 8


def test_a_run_that_never_settles() -> None:
    falling = [0.040 * 0.95**second for second in range(40)]
    (finding,) = raised("WARMUP", run("vegeta", medians=tuple(falling)))
    assert finding.severity == "error"
    assert "had not settled when half of the run was over" in finding.message


@pytest.mark.parametrize(
    "medians",
    [[0.010] * 40, [0.030] * 3 + [0.010] * 37, [0.0107] * 8 + [0.010] * 32],
    ids=["even", "three seconds of forty", "a twentieth slower"],
)
def test_what_is_no_warm_up(medians: list[float]) -> None:
    assert not raised("WARMUP", run("vegeta", medians=noisy(medians)))


def test_one_bad_second_in_the_middle_is_none() -> None:
    assert not raised("WARMUP", run("vegeta", medians=noisy([0.01] * 18 + [0.5] + [0.01] * 21)))


def test_a_few_seconds_decide_nothing() -> None:
    assert state("WARMUP", run("vegeta", medians=tuple([0.03] * 5 + [0.01] * 10))) == {
        "not applicable"
    }
    assert state("WARMUP", run("wrk")) == {"not applicable"}


def test_the_cut_is_where_the_rest_is_surest() -> None:
    assert beginning(np.array([9.0, 9, 9, *[1.0, 1.1] * 10])).seconds == 3


# --- WARMUP_CAPPED ---


def test_a_warm_up_that_was_cut_short() -> None:
    (finding,) = raised("WARMUP_CAPPED", run("wrk", "zuul", warm_up_capped=True))
    assert finding.severity == "warning"
    assert finding.message == (
        "zuul 0: the warm-up was ended by its cap: it may still have been getting faster."
    )


@pytest.mark.parametrize(
    ("columns", "became"), [({"warm_up_capped": False}, "passed"), ({}, "not applicable")]
)
def test_a_warm_up_that_came_to_its_end_or_is_not_known(
    columns: dict[str, bool], became: str
) -> None:
    assert state("WARMUP_CAPPED", run("wrk", **columns)) == {became}


# --- DRIFT ---


def test_a_second_half_that_is_slower() -> None:
    (finding,) = raised("DRIFT", run("vegeta", medians=noisy([0.0100] * 30 + [0.0107] * 30)))
    assert finding.values["ratio"] == pytest.approx(1.07, abs=0.02)
    assert "9.95 ms in the first half and 10.7 ms in the second: +7.6 % (+6.4" in plain(
        finding.message
    )


@pytest.mark.parametrize("last", [0.0100, 0.0101])
def test_a_hundredth_is_no_drift(last: float) -> None:
    assert not raised("DRIFT", run("vegeta", medians=noisy([0.010] * 30 + [last] * 30)))


def test_a_warm_up_is_not_said_twice() -> None:
    cold = run("vegeta", medians=noisy([0.030] * 12 + [0.010] * 48))
    assert raised("WARMUP", cold)
    assert not raised("DRIFT", cold)


def test_noise_alone_rarely_raises_either() -> None:
    """Of 60 even runs with a spread of 5 % from second to second."""
    random = np.random.default_rng(3)
    runs = [
        run("vegeta", medians=tuple(0.01 * np.exp(random.normal(0, 0.05, 60)))) for _ in range(60)
    ]
    assert len(raised("WARMUP", *runs)) + len(raised("DRIFT", *runs)) <= 2


# --- TWO_STRETCHES ---


def test_days_without_a_request_are_an_error(data: Path, tmp_path: Path) -> None:
    rows = (data / "vegeta" / "ok.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    later = (row.replace("17951", "17954", 1) for row in rows[:100])
    path = tmp_path / "ok.csv"
    path.write_text("".join([*rows, *later]), encoding="utf-8")
    (finding,) = in_file("TWO_STRETCHES", path)
    assert finding.severity == "error"
    assert "no request was sent for 5,000 min" in plain(finding.message)
    assert not in_file("TWO_STRETCHES", data / "vegeta" / "ok.csv")


@pytest.mark.parametrize(("pause_s", "raises"), [(3600, True), (30, False)])
def test_a_pause_that_is_most_of_a_run_is_none_of_it(
    data: Path, tmp_path: Path, pause_s: int, *, raises: bool
) -> None:
    lines = (data / "vegeta" / "ok.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    later = []
    for line in lines:
        instant, rest = line.split(",", 1)
        later.append(f"{int(instant) + pause_s * 10**9},{rest}")
    path = tmp_path / "ok.csv"
    path.write_text("".join([*lines, *later]), encoding="utf-8")
    assert bool(in_file("TWO_STRETCHES", path)) is raises
